/* editor/change.c - the shapes of changes that nobody is asked about yet. */
#include "editor/change.h"

#include "editor/operation.h"

const struct dt_field dt_preview_result_fields[] = {
	DT_FIELD(struct dt_preview_result, changes, ITEMS, DT_REQ,
	         "File by file, with the texts before and after.",
	         .shape = &dt_shape_change),
	DT_FIELD_END,
};

const struct dt_field dt_set_buffer_args_fields[] = {
	DT_FIELD(struct dt_set_buffer_args, path, PATH, DT_REQ, "The file."),
	DT_FIELD(struct dt_set_buffer_args, text, STR, DT_REQ | DT_BIG,
	         "Its whole text from now on."),
	DT_FIELD(struct dt_set_buffer_args, base, NAME, DT_OMIT,
	         "SHA-256 of the text it was made from."),
	DT_FIELD_END,
};

const struct dt_field dt_begin_transaction_args_fields[] = {
	DT_FIELD(struct dt_transaction_args, id, NAME, DT_OMIT,
	         "Its id; absent: one is made."),
	DT_FIELD_END,
};

const struct dt_field dt_transaction_args_fields[] = {
	DT_FIELD(struct dt_transaction_args, id, NAME, DT_REQ, "Its id."),
	DT_FIELD_END,
};

const struct dt_field dt_transaction_result_fields[] = {
	DT_FIELD(struct dt_transaction_result, id, NAME, DT_REQ, "Its id."),
	DT_FIELD_AS("files", struct dt_transaction_result, file_count, U32,
	            DT_REQ, "How many files it changes."),
	DT_FIELD_END,
};

const struct dt_field dt_stage_args_fields[] = {
	DT_FIELD(struct dt_stage_args, id, NAME, DT_REQ, "The transaction."),
	DT_FIELD(struct dt_stage_args, changes, ITEMS, DT_REQ, "File by file.",
	         .shape = &dt_shape_change),
	DT_FIELD_END,
};

const struct dt_field dt_search_replace_args_fields[] = {
	DT_FIELD(struct dt_search_replace_args, pattern, STR, DT_REQ,
	         "What to look for."),
	DT_FIELD(struct dt_search_replace_args, replacement, STR, DT_REQ,
	         "What comes in its place."),
	DT_FIELD(struct dt_search_replace_args, glob, NAME, DT_OMIT,
	         "Which files."),
	DT_FIELD_AS("regex", struct dt_search_replace_args, is_regex, BOOL, 0,
	            "The pattern is a regular expression."),
	DT_FIELD_AS("caseSensitive", struct dt_search_replace_args, has_case,
	            BOOL, 0, "Upper and lower case differ."),
	DT_FIELD_END,
};

static const struct dt_field replaced_file_fields[] = {
	DT_FIELD(struct dt_replaced_file, path, PATH, DT_REQ, "The file."),
	DT_FIELD(struct dt_replaced_file, base, NAME, DT_REQ,
	         "SHA-256 of its old text."),
	DT_FIELD_AS("oldText", struct dt_replaced_file, old_text, STR,
	            DT_REQ | DT_BIG, "Its text before."),
	DT_FIELD(struct dt_replaced_file, text, STR, DT_REQ | DT_BIG,
	         "Its text afterwards."),
	DT_FIELD(struct dt_replaced_file, count, U32, DT_REQ,
	         "How many replacements."),
	DT_FIELD_END,
};
static const struct dt_shape replaced_file =
	DT_SHAPE(struct dt_replaced_file, replaced_file_fields);

const struct dt_field dt_search_replace_result_fields[] = {
	DT_FIELD(struct dt_search_replace_result, files, ITEMS, DT_REQ,
	         "Files that change.", .shape = &replaced_file),
	DT_FIELD(struct dt_search_replace_result, replacements, U32, DT_REQ,
	         "In all of them."),
	DT_FIELD(struct dt_search_replace_result, matched, U32, DT_REQ,
	         "Files that change, listed or not."),
	DT_FIELD(struct dt_search_replace_result, searched, U32, DT_REQ,
	         "Files that were looked at."),
	DT_FIELD(struct dt_search_replace_result, skipped, U32, DT_REQ,
	         "Files that are no text, or too large."),
	DT_FIELD_AS("truncated", struct dt_search_replace_result, is_cut, BOOL,
	            DT_REQ, "Not all are listed, or not all were searched."),
	DT_FIELD_END,
};
