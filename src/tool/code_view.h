/*
 * tool/code_view.h - what is told about code, as MCP clients read it.
 *
 * The structs are those of editor/code.h with other names of fields, and with
 * lines and columns that count from 1.  Items are copied into the arena, so that
 * a tool may gather several results.
 */
#ifndef DT_TOOL_CODE_VIEW_H
#define DT_TOOL_CODE_VIEW_H

#include "base/arena.h"
#include "data/field.h"
#include "editor/code_file.h"
#include "tool/call.h"

#define DT_CODE_MS 60000

/* What tools about a place are asked. */
struct dt_place_view {
	const char *path; /* NULL: of the workspace, by the symbol */
	struct dt_maybe_u32 line;
	struct dt_maybe_u32 column;
	const char *symbol;
};
/* clang-format off */
/* The fields of a place inside the struct T; `at` is its member with a dot, or
 * nothing. */
#define DT_PLACE_FIELDS(T, at)                                               \
	DT_FIELD_AS("filePath", T, at path, PATH, 0,                         \
	            "Absolute path or file:// URI of the file; absent: the " \
	            "one of the workspace that has the symbol."),            \
	DT_FIELD_AS("line", T, at line, MAYBE_U32, 0,                        \
	            "1-based line; absent: where the symbol is declared."),  \
	DT_FIELD_AS("column", T, at column, MAYBE_U32, 0,                    \
	            "1-based column, in UTF-16 units; absent: that of the "  \
	            "symbol on the line."),                                  \
	DT_FIELD_AS("symbol", T, at symbol, NAME, 0,                         \
	            "The name that should be there: when it is not, the "    \
	            "nearest one of that name within ten lines is taken and " \
	            "\"adjusted\" says so. Give it whenever you know it; "   \
	            "where only one has the name, it alone will do.")
/* clang-format on */
extern const struct dt_field dt_place_view_fields[];
/* As an operation wants it; false: it counts from 0, or lacks the file or the
 * line, and the call has failed. */
bool dt_view_place(struct dt_call *call, const struct dt_place_view *from,
                   struct dt_code_place *out);

/* Where it was asked instead; all zero: where it was told. */
struct dt_adjusted_view {
	const char *path;
	uint32_t line;
	uint32_t column;
	const char *note;
};
/* What all such results end with; `T` has a member `end` of this type. */
struct dt_code_end_view {
	struct dt_adjusted_view adjusted;
	const char *server;
	const char *note;
};
extern const struct dt_shape dt_shape_adjusted_view;
/* clang-format off */
#define DT_CODE_END_FIELDS(T)                                                \
	DT_FIELD_OBJECT("adjusted", T, end.adjusted, struct dt_adjusted_view, \
	                dt_shape_adjusted_view, DT_OMIT,                     \
	                "It was asked here, not where you said."),           \
	DT_FIELD_AS("server", T, end.server, NAME, DT_OMIT,                  \
	            "The language server that says so."),                    \
	DT_FIELD_AS("note", T, end.note, NAME, DT_OMIT,                      \
	            "What may be missing in this answer.")
/* clang-format on */
struct dt_code_end_view dt_view_code_end(struct dt_arena *arena,
                                         const struct dt_code_source *source);

extern const struct dt_shape dt_shape_code_position; /* struct dt_position */
extern const struct dt_shape dt_shape_code_range;    /* struct dt_range */
extern const struct dt_shape dt_shape_code_location; /* struct dt_location */
extern const struct dt_shape dt_shape_code_symbol;   /* struct dt_symbol */
extern const struct dt_shape dt_shape_code_item; /* struct dt_hierarchy_item */

struct dt_position dt_view_position(struct dt_position at);
struct dt_range dt_view_range(struct dt_range range);
struct dt_str dt_view_text(struct dt_arena *arena, struct dt_str text);
struct dt_items dt_view_locations(struct dt_arena *arena,
                                  const struct dt_items *from);
struct dt_items dt_view_items(struct dt_arena *arena,
                              const struct dt_items *from, uint32_t max);

#endif
