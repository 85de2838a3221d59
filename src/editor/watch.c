/* editor/watch.c - the fields of files that change. */
#include "editor/watch.h"

const char *const dt_file_kind_names[] = { "created", "changed", "deleted",
	                                   NULL };

static const struct dt_field change_fields[] = {
	DT_FIELD(struct dt_file_change, path, NAME, DT_REQ, "The file."),
	DT_FIELD(struct dt_file_change, kind, ENUM, DT_REQ,
	         "What happened to it.", .names = dt_file_kind_names),
	DT_FIELD_END,
};
static const struct dt_shape change_shape =
	DT_SHAPE(struct dt_file_change, change_fields);

const struct dt_field dt_watch_files_args_fields[] = {
	DT_FIELD(struct dt_watch_files_args, id, NAME, DT_OMIT,
	         "Of a watch that is there, or is to be."),
	DT_FIELD(struct dt_watch_files_args, pattern, NAME, DT_OMIT,
	         "Of the names; absent: the watch is there."),
	DT_FIELD(struct dt_watch_files_args, since, I64, DT_OMIT,
	         "The number of the last change that is known."),
	DT_FIELD_AS("waitMs", struct dt_watch_files_args, wait_ms, U32, DT_OMIT,
	            "How long to wait for a change."),
	DT_FIELD_END,
};

const struct dt_field dt_watch_files_result_fields[] = {
	DT_FIELD(struct dt_watch_files_result, id, NAME, DT_REQ, "The watch."),
	DT_FIELD(struct dt_watch_files_result, pattern, NAME, DT_REQ,
	         "What it is about."),
	DT_FIELD(struct dt_watch_files_result, last, I64, DT_REQ,
	         "The number of the last change."),
	DT_FIELD(struct dt_watch_files_result, changes, ITEMS, DT_REQ,
	         "The last one last.", .shape = &change_shape),
	DT_FIELD_AS("truncated", struct dt_watch_files_result, is_cut, BOOL,
	            DT_OMIT, "There were more."),
	DT_FIELD(struct dt_watch_files_result, note, NAME, DT_OMIT,
	         "What is not seen, and why."),
	DT_FIELD_END,
};

const struct dt_field dt_unwatch_files_args_fields[] = {
	DT_FIELD(struct dt_unwatch_files_args, id, NAME, DT_REQ, "The watch."),
	DT_FIELD_END,
};
