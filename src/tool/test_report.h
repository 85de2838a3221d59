/* tool/test_report.h - what a test runner printed, understood. */
#ifndef DT_TOOL_TEST_REPORT_H
#define DT_TOOL_TEST_REPORT_H

#include "base/arena.h"
#include "data/field.h"

#include <stdbool.h>
#include <stdint.h>

#define DT_TEST_FAILURES_MAX 100
#define DT_TEST_MESSAGE_MAX 2000

struct dt_test_failure {
	const char *name;
	const char *file; /* as it was printed; NULL: not known */
	uint32_t line;    /* 1-based; 0: not known */
	const char *message;
};

struct dt_test_report {
	bool is_known; /* the output was understood */
	bool is_cut;   /* there are more failures */
	uint32_t passed;
	uint32_t failed;
	uint32_t skipped;
	struct dt_items failures; /* struct dt_test_failure, in the arena */
};

/* Read the outputs of a runner by its name; of one that is not known, or that
 * only starts another, all that are known are tried. */
void dt_test_report_read(struct dt_arena *arena, const char *runner,
                         struct dt_str out, struct dt_str err,
                         struct dt_test_report *report);

/* for those who read one format each */

struct dt_test_reader {
	struct dt_arena *arena;
	struct dt_test_report *report;
	struct dt_test_failure *open; /* the one that is being read; or NULL */
};

/* A new failure, open from now on; NULL: there are too many. */
struct dt_test_failure *dt_test_fail(struct dt_test_reader *r,
                                     struct dt_str name);
/* More of the message of a failure, as a line. */
void dt_test_say(struct dt_test_reader *r, struct dt_test_failure *failure,
                 struct dt_str line);
/* "file:line", perhaps with ":column" and more behind it, anywhere in a text. */
bool dt_test_place(struct dt_arena *arena, struct dt_str text,
                   const char **out_file, uint32_t *out_line);
/* The number before a word: "3 passed". */
bool dt_test_number(struct dt_str line, const char *word, uint32_t *out);

/* What is JSON: of go, and of jest and vitest. */
void dt_test_read_go(struct dt_test_reader *r, struct dt_str out);
void dt_test_read_jest(struct dt_test_reader *r, struct dt_str out);

#endif
