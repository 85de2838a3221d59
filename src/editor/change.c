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
