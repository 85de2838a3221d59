/* tool/edit_args.h - how agents say which part of a file to change; shared by
 * the tools that write, look ahead and stage. */
#ifndef DT_TOOL_EDIT_ARGS_H
#define DT_TOOL_EDIT_ARGS_H

#include "tool/call.h"

/* One edit by place: 1-based lines, and columns in UTF-16 units. */
struct dt_place_edit {
	int type; /* insert, delete, replace */
	struct dt_maybe_u32 line;
	struct dt_maybe_u32 column;
	struct dt_maybe_u32 end_line;
	struct dt_maybe_u32 end_column;
	struct dt_str text;
};
extern const struct dt_shape dt_shape_place_edit;

/* As ranges (struct dt_range_edit) in the call's arena; false: the call has
 * failed. */
bool dt_place_edits_read(struct dt_call *call, const struct dt_items *edits,
                         struct dt_items *out);

/* One change of one file by whole lines, or by the text that is there. */
struct dt_piece_args {
	const char *path;
	int operation; /* lineRange, searchReplace, edits, content */
	struct dt_maybe_u32 start_line;
	struct dt_maybe_u32 end_line;
	struct dt_str new_content;
	struct dt_str search;
	struct dt_str replace;
	bool is_all;
	struct dt_items edits; /* struct dt_place_edit */
};
extern const char *const dt_piece_operations[];

/* As a change, in the call's arena; false: the call has failed. */
bool dt_piece_read(struct dt_call *call, const struct dt_piece_args *args,
                   struct dt_change *out);

/* clang-format off */
/* The fields of a struct dt_piece_args that is a member of T. */
#define DT_PIECE_FIELDS(T, piece)                                             \
	DT_FIELD_AS("filePath", T, piece.path, PATH, DT_REQ,                  \
	            "Absolute path or file:// URI of the file."),             \
	DT_FIELD_AS("operation", T, piece.operation, ENUM, DT_REQ,            \
	            "lineRange: startLine, endLine, newContent; "             \
	            "searchReplace: search, replace; edits: edits; "          \
	            "content: newContent is the whole text.",                 \
	            .names = dt_piece_operations),                            \
	DT_FIELD_AS("startLine", T, piece.start_line, MAYBE_U32, DT_OMIT,     \
	            "1-based first line to replace."),                        \
	DT_FIELD_AS("endLine", T, piece.end_line, MAYBE_U32, DT_OMIT,         \
	            "Last line to replace; startLine - 1 inserts before."),   \
	DT_FIELD_AS("newContent", T, piece.new_content, STR,                  \
	            DT_BIG | DT_OMIT,                                         \
	            "The new lines, or the whole new text."),                 \
	DT_FIELD_AS("search", T, piece.search, STR, DT_BIG | DT_OMIT,         \
	            "Text that is in the file, exactly."),                    \
	DT_FIELD_AS("replace", T, piece.replace, STR, DT_BIG | DT_OMIT,       \
	            "What comes in its place."),                              \
	DT_FIELD_AS("replaceAll", T, piece.is_all, BOOL, 0,                   \
	            "Wherever it is; else it must be there once."),           \
	DT_FIELD_AS("edits", T, piece.edits, ITEMS, DT_OMIT,                  \
	            "As editText takes them.", .shape = &dt_shape_place_edit)
/* clang-format on */

#endif
