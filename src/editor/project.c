/* editor/project.c - the fields of what is asked about a project. */
#include "editor/project.h"

const struct dt_field dt_set_note_args_fields[] = {
	DT_FIELD(struct dt_set_note_args, note, STR, DT_REQ,
	         "The note; empty: none."),
	DT_FIELD_END,
};

const struct dt_field dt_note_result_fields[] = {
	DT_FIELD(struct dt_note_result, note, STR, DT_OMIT,
	         "The note; absent: there is none."),
	DT_FIELD_AS("updatedAt", struct dt_note_result, updated_at, NAME,
	            DT_OMIT, "When it was written."),
	DT_FIELD_AS("updatedBy", struct dt_note_result, updated_by, NAME,
	            DT_OMIT, "The agent that wrote it."),
	DT_FIELD_AS("ageSeconds", struct dt_note_result, age_seconds, U32,
	            DT_OMIT, "How old it is."),
	DT_FIELD_END,
};

const struct dt_field dt_imports_args_fields[] = {
	DT_FIELD(struct dt_imports_args, path, PATH, DT_REQ, "The file."),
	DT_FIELD(struct dt_imports_args, depth, U32, 0, "Of the tree."),
	DT_FIELD_AS("external", struct dt_imports_args, has_external, BOOL, 0,
	            "Also what is not of the workspace."),
	DT_FIELD_END,
};

static const struct dt_field import_fields[] = {
	DT_FIELD(struct dt_import, from, PATH, DT_REQ, "The file."),
	DT_FIELD(struct dt_import, to, PATH, DT_OMIT, "What it imports."),
	DT_FIELD(struct dt_import, name, NAME, DT_REQ, "As it is written."),
	DT_FIELD(struct dt_import, line, U32, DT_REQ, "0-based line."),
	DT_FIELD(struct dt_import, depth, U32, DT_REQ, "Of the file."),
	DT_FIELD_END,
};
static const struct dt_shape import_shape =
	DT_SHAPE(struct dt_import, import_fields);

const struct dt_field dt_imports_result_fields[] = {
	DT_FIELD(struct dt_imports_result, path, PATH, DT_REQ, "The file."),
	DT_FIELD(struct dt_imports_result, language, NAME, DT_REQ,
	         "Its language."),
	DT_FIELD(struct dt_imports_result, imports, ITEMS, DT_REQ,
	         "Each import.", .shape = &import_shape),
	DT_FIELD_AS("files", struct dt_imports_result, file_count, U32, DT_REQ,
	            "How many were read."),
	DT_FIELD_AS("cut", struct dt_imports_result, is_cut, BOOL, DT_REQ,
	            "There is more."),
	DT_FIELD_END,
};

const struct dt_field dt_clipboard_fields[] = {
	DT_FIELD(struct dt_clipboard, text, STR, DT_REQ, "What is in it."),
	DT_FIELD_AS("cut", struct dt_clipboard, is_cut, BOOL, DT_OMIT,
	            "There is more."),
	DT_FIELD_END,
};
