/*
 * editor/diagnostics.h - what is wrong with files, and who says so.
 *
 * Who asks says how long it can wait for somebody to look at the text of now;
 * then what is known is told, and `is_pending` says that more may come.
 */
#ifndef DT_EDITOR_DIAGNOSTICS_H
#define DT_EDITOR_DIAGNOSTICS_H

#include "base/str.h"
#include "data/field.h"
#include "editor/operation.h"

#include <stdbool.h>
#include <stdint.h>

struct dt_diagnostics_args {
	const char *path; /* NULL: every file */
	uint32_t wait_ms; /* for who looks at the text of now; then what is
	                   * known is told */
};
/* A linter or language server that could not look. */
struct dt_linter_error {
	const char *linter;
	const char *message;
};
struct dt_diagnostics_result {
	struct dt_items items;  /* struct dt_file_diagnostics */
	bool is_watched;        /* somebody looks for problems at all */
	bool is_pending;        /* and has not said all */
	struct dt_names who;    /* looked: language servers and linters */
	struct dt_items errors; /* struct dt_linter_error */
	int64_t version;        /* of the problems; grows with each change */
};
struct dt_watch_diagnostics_args {
	const char *path; /* NULL: every file */
	int64_t since;    /* a version; 0: that of now */
	uint32_t wait_ms; /* for a change */
};
struct dt_watch_diagnostics_result {
	struct dt_diagnostics_result found;
	bool is_changed; /* since then */
};

extern const struct dt_field dt_diagnostics_args_fields[];
extern const struct dt_field dt_diagnostics_result_fields[];
extern const struct dt_field dt_watch_diagnostics_args_fields[];
extern const struct dt_field dt_watch_diagnostics_result_fields[];

#endif
