/* editor/diagnostics.c - the shapes of questions about problems. */
#include "editor/diagnostics.h"

const struct dt_field dt_diagnostics_args_fields[] = {
	DT_FIELD(struct dt_diagnostics_args, path, PATH, DT_OMIT,
	         "The file; absent: all."),
	DT_FIELD_AS("waitMs", struct dt_diagnostics_args, wait_ms, U32, DT_OMIT,
	            "How long to wait for who looks at the text of now."),
	DT_FIELD_END,
};

static const char *const severities[] = { "error", "warning", "info", "hint",
	                                  NULL };

static const struct dt_field diagnostic_fields[] = {
	DT_FIELD(struct dt_diagnostic, message, STR, DT_REQ, "What is wrong."),
	DT_FIELD(struct dt_diagnostic, severity, ENUM, DT_REQ, "How bad it is.",
	         .names = severities),
	DT_FIELD_OBJECT("range", struct dt_diagnostic, range, struct dt_range,
	                dt_shape_range, DT_REQ, "Where it is."),
	DT_FIELD(struct dt_diagnostic, source, NAME, DT_OMIT, "Who says so."),
	DT_FIELD(struct dt_diagnostic, code, NAME, DT_OMIT, "Its code."),
	DT_FIELD_END,
};
static const struct dt_shape diagnostic =
	DT_SHAPE(struct dt_diagnostic, diagnostic_fields);

static const struct dt_field file_diagnostics_fields[] = {
	DT_FIELD(struct dt_file_diagnostics, path, PATH, DT_REQ, "The file."),
	DT_FIELD_AS("diagnostics", struct dt_file_diagnostics, items, ITEMS,
	            DT_REQ, "Its problems.", .shape = &diagnostic),
	DT_FIELD_END,
};
static const struct dt_shape file_diagnostics =
	DT_SHAPE(struct dt_file_diagnostics, file_diagnostics_fields);

static const struct dt_field error_fields[] = {
	DT_FIELD(struct dt_linter_error, linter, NAME, DT_REQ, "Its name."),
	DT_FIELD(struct dt_linter_error, message, NAME, DT_REQ,
	         "Why it could not look."),
	DT_FIELD_END,
};
static const struct dt_shape linter_error =
	DT_SHAPE(struct dt_linter_error, error_fields);

const struct dt_field dt_diagnostics_result_fields[] = {
	DT_FIELD_AS("files", struct dt_diagnostics_result, items, ITEMS, DT_REQ,
	            "Problems by file.", .shape = &file_diagnostics),
	DT_FIELD_AS("watched", struct dt_diagnostics_result, is_watched, BOOL,
	            0, "Whether anybody looks for problems."),
	DT_FIELD_AS("pending", struct dt_diagnostics_result, is_pending, BOOL,
	            DT_OMIT, "Somebody is still looking."),
	DT_FIELD(struct dt_diagnostics_result, who, NAMES, DT_OMIT,
	         "Who looked: language servers and linters."),
	DT_FIELD(struct dt_diagnostics_result, errors, ITEMS, DT_OMIT,
	         "Who could not look, and why.", .shape = &linter_error),
	DT_FIELD(struct dt_diagnostics_result, version, I64, DT_OMIT,
	         "Grows with each change of what is known."),
	DT_FIELD_END,
};
static const struct dt_shape diagnostics_result =
	DT_SHAPE(struct dt_diagnostics_result, dt_diagnostics_result_fields);

const struct dt_field dt_watch_diagnostics_args_fields[] = {
	DT_FIELD(struct dt_watch_diagnostics_args, path, PATH, DT_OMIT,
	         "The file; absent: all."),
	DT_FIELD(struct dt_watch_diagnostics_args, since, I64, DT_OMIT,
	         "The version that is known already; absent: that of now."),
	DT_FIELD_AS("waitMs", struct dt_watch_diagnostics_args, wait_ms, U32,
	            DT_REQ, "How long to wait for a change."),
	DT_FIELD_END,
};

const struct dt_field dt_watch_diagnostics_result_fields[] = {
	DT_FIELD_OBJECT("found", struct dt_watch_diagnostics_result, found,
	                struct dt_diagnostics_result, diagnostics_result,
	                DT_REQ, "What is known now."),
	DT_FIELD_AS("changed", struct dt_watch_diagnostics_result, is_changed,
	            BOOL, DT_REQ, "It changed meanwhile."),
	DT_FIELD_END,
};
