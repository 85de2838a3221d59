/* editor/run.h - programs that are run: what goes in and what comes out. */
#ifndef DT_EDITOR_RUN_H
#define DT_EDITOR_RUN_H

#include "base/arena.h"
#include "base/buf.h"
#include "data/field.h"

#include <stdbool.h>
#include <stdint.h>

#define DT_COMMAND_MS 60000 /* unless its caller says otherwise */

struct dt_run_command_args {
	const char *command;  /* a name, looked for on PATH; or a path */
	struct dt_names args; /* without the command */
	const char *cwd;      /* see dt_run_cwd() */
	struct dt_maybe_u32 timeout_ms;
};

/* Texts are what was printed, any bytes. */
struct dt_run_command_result {
	const char *program; /* the file that was run */
	const char *cwd;
	int64_t exit_code;  /* 128 + N when signal N ended it */
	const char *signal; /* "SIGKILL"; NULL: it ended by itself */
	struct dt_str out;  /* where it is cut, a line says how much is gone */
	struct dt_str err;
	bool is_out_cut;
	bool is_err_cut;
	bool is_late; /* it was ended because its time was over */
	uint32_t took_ms;
	uint32_t left_running; /* processes that left its group and live on */
};

extern const struct dt_field dt_run_command_args_fields[];
extern const struct dt_field dt_run_command_result_fields[];

/* Which tests: of the folder, or of the nearest one above that has any. */
struct dt_find_tests_args {
	const char *cwd;    /* NULL: the main folder */
	const char *filter; /* NULL: all; else it becomes part of the command */
};

/* One way to run the tests of a folder. */
struct dt_test_runner {
	const char *name; /* "pytest" */
	const char *command;
	struct dt_names args;
	const char *cwd;
	const char *because; /* what tells that it is used */
	bool has_filter;     /* the filter is in the command */
};
struct dt_find_tests_result {
	struct dt_items
		runners; /* struct dt_test_runner, the likeliest first */
};

extern const struct dt_field dt_find_tests_args_fields[];
extern const struct dt_field dt_find_tests_result_fields[];

/* The folder that is meant by an absolute path, a file:// URI, a path in the main
 * folder, or NULL: that folder itself. */
const char *dt_run_cwd(struct dt_arena *arena, const char *main_folder,
                       const char *cwd);

/*
 * A command as a person can read it and a shell would take it: words quoted where
 * that is needed; what a terminal would obey, hide or show as a blank is written
 * as an escape.
 */
void dt_run_words(struct dt_buf *out, const char *command,
                  const struct dt_names *args);

/* A line for a shell, as it is; one in which something would not be seen is
 * written as $'...', and so is one that begins like that. */
void dt_run_line(struct dt_buf *out, const char *line);

#endif
