/* editor/watch.h - files that change, as they are told. */
#ifndef DT_EDITOR_WATCH_H
#define DT_EDITOR_WATCH_H

#include "data/field.h"

#include <stdbool.h>
#include <stdint.h>

/* In the order of LSP, which counts from 1. */
enum dt_file_kind { DT_FILE_CREATED, DT_FILE_CHANGED, DT_FILE_DELETED };
/* Their names, for ENUM fields. */
extern const char *const dt_file_kind_names[];

struct dt_file_change {
	const char *path;
	int kind; /* enum dt_file_kind */
	/* CHANGED: another file took its name, and maybe there was none before. */
	bool is_replaced;
};

struct dt_watch_files_args {
	const char *id; /* of a watch that is there, or is to be; or NULL */
	const char *pattern; /* NULL: the watch is there */
	int64_t since; /* changes behind this number are told; below 0: behind
	                * the last answer */
	uint32_t wait_ms; /* for one, where there is none yet */
};
struct dt_watch_files_result {
	const char *id;
	const char *pattern;
	int64_t last;            /* the number of the last change */
	struct dt_items changes; /* struct dt_file_change, the last one last */
	bool is_cut;             /* some are forgotten, or were not seen */
	const char *note;        /* what is not seen, and why; or NULL */
};

struct dt_unwatch_files_args {
	const char *id;
};

/* Their fields, for the table of operations. */
extern const struct dt_field dt_watch_files_args_fields[];
extern const struct dt_field dt_watch_files_result_fields[];
extern const struct dt_field dt_unwatch_files_args_fields[];

#endif
