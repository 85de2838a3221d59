/*
 * backend/linters.h - linters run for files that no language server looks at.
 *
 * What they find goes into the problems.  A linter runs again only when a file
 * that it was asked about has changed; what stops it from looking is told to
 * everybody who asks.
 */
#ifndef DT_BACKEND_LINTERS_H
#define DT_BACKEND_LINTERS_H

#include "backend/headless.h"
#include "backend/problems.h"
#include "data/field.h"

struct dt_linters;
struct dt_lint;

struct dt_linters *dt_linters_new(const struct dt_world *world,
                                  struct dt_problems *problems);
/* End what runs and forget what was found; nobody is told. */
void dt_linters_stop(struct dt_linters *linters);
void dt_linters_free(struct dt_linters *linters);

/* Who looked, and who could not; lent. */
struct dt_lint_end {
	struct dt_names names;  /* of the linters */
	struct dt_items errors; /* struct dt_linter_error */
};
typedef void dt_lint_fn(const struct dt_lint_end *end, void *owner);

/*
 * Have the linters of this file look at it as it is on the disk.  `fn` comes
 * once, in a later turn, when what they found is in the problems.  NULL: there
 * is no linter for it.
 */
struct dt_lint *dt_linters_start(struct dt_linters *linters, const char *path,
                                 dt_lint_fn *fn, void *owner);
/* Nobody waits any more.  What runs goes on, for the next one who asks. */
void dt_lint_drop(struct dt_lint *lint);

/* Somebody better looks at this file now; NULL: what was found counts no more. */
void dt_linters_forget(struct dt_linters *linters, const char *path);

#endif
