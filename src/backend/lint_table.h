/* backend/lint_table.h - which linters are for a file, and how they are run. */
#ifndef DT_BACKEND_LINT_TABLE_H
#define DT_BACKEND_LINT_TABLE_H

#include "backend/headless.h"
#include "backend/lint_parse.h"
#include "base/arena.h"

#include <stdbool.h>

/* What a linter's columns count. */
enum dt_lint_unit { DT_LINT_UTF16, DT_LINT_CHARS, DT_LINT_BYTES };

/* One line of backend/linters.def. */
struct dt_linter {
	const char *name;
	const char *const *languages; /* end with NULL */
	const char *const *argv;
	const char *const *markers; /* NULL: it needs none */
	const char *group;
	bool covers_folder; /* one run tells of all files of its folder */
	bool is_on_err;     /* it prints to standard error */
	enum dt_lint_unit unit;
	dt_lint_parse_fn *parse;
};

/* One of them for one file; all in the arena. */
struct dt_lint_plan {
	const struct dt_linter *linter;
	const char *key; /* what it is run for: its name, and file or folder */
	const char *folder; /* it runs there */
	const char *file;   /* NULL: for all of the folder */
	char **argv;
};

/* struct dt_lint_plan for each linter that is for this file and is there.  Those
 * that are switched off ([lint] off) are left out. */
struct dt_items dt_lint_plans(const struct dt_world *world,
                              struct dt_arena *arena, const char *path);

#endif
