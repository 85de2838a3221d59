/* backend/lint_parse.h - what linters print, taken apart. */
#ifndef DT_BACKEND_LINT_PARSE_H
#define DT_BACKEND_LINT_PARSE_H

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "editor/operation.h"

#include <stddef.h>

/* A problem as it was printed: the path may be relative, "" means the file that
 * was looked at.  Lines and columns are 0-based; what a column counts differs by
 * linter.  Texts are not cleaned yet. */
struct dt_lint_problem {
	const char *path;
	struct dt_diagnostic diagnostic;
};

struct dt_lint_out {
	struct dt_arena *arena;
	struct dt_lint_problem *items; /* in the arena */
	size_t count;
	size_t room;
};

/* Append the problems of an output.  DT_E_PROTO: this is not what such a
 * linter prints.  An empty text has none. */
typedef enum dt_err dt_lint_parse_fn(struct dt_lint_out *out,
                                     struct dt_str text, struct dt_fail *fail);

/* lint_parse.c: lines of text */
dt_lint_parse_fn dt_lint_parse_gcc; /* clang and others that print like it */
dt_lint_parse_fn dt_lint_parse_go;
dt_lint_parse_fn dt_lint_parse_luacheck;
dt_lint_parse_fn dt_lint_parse_yamllint;
dt_lint_parse_fn dt_lint_parse_tsc;
dt_lint_parse_fn dt_lint_parse_biome; /* --reporter=github */
dt_lint_parse_fn dt_lint_parse_jq;

/* lint_json.c */
dt_lint_parse_fn dt_lint_parse_eslint;
dt_lint_parse_fn dt_lint_parse_ruff;
dt_lint_parse_fn dt_lint_parse_pyright;
dt_lint_parse_fn dt_lint_parse_pylint;
dt_lint_parse_fn dt_lint_parse_shellcheck; /* -f json1 */
dt_lint_parse_fn dt_lint_parse_cargo;

/* For them: room for one more. */
struct dt_diagnostic *dt_lint_add(struct dt_lint_out *out, struct dt_str path);

#endif
