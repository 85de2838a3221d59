/*
 * backend/looks.h - who looks at a file for problems, and when.
 *
 * A look is given to the language server of the file or, where there is none, to
 * linters.  It takes as long as it takes; who asked waits no longer than it
 * wants, and what comes later is there for the next one.
 */
#ifndef DT_BACKEND_LOOKS_H
#define DT_BACKEND_LOOKS_H

#include "backend/headless.h"
#include "backend/linters.h"
#include "backend/lsp.h"
#include "editor/diagnostics.h"

struct dt_looks;
struct dt_looks_wait;

struct dt_looks *dt_looks_new(const struct dt_world *world, struct dt_lsp *lsp,
                              struct dt_problems *problems);
/* End what looks, and begin nothing more; who waits is told when its time is
 * over. */
void dt_looks_stop(struct dt_looks *looks);
/* Nobody is told any more.  Before the language servers are freed. */
void dt_looks_free(struct dt_looks *looks);

/*
 * Have somebody look at the text of now: of this file, or of all (path NULL)
 * that are open or were asked about lately.  `fn` comes once, in a later turn:
 * when all have looked, or after `wait_ms`.
 */
typedef void dt_looks_fn(void *owner);
struct dt_looks_wait *dt_looks_start(struct dt_looks *looks, const char *path,
                                     unsigned wait_ms, dt_looks_fn *fn,
                                     void *owner);
void dt_looks_drop(struct dt_looks_wait *wait);

/* Linters have to look at everything again. */
void dt_looks_forget(struct dt_looks *looks);

/* What is known now of the file, or of all; in the arena or lent until the next
 * change. */
void dt_looks_tell(struct dt_looks *looks, struct dt_arena *arena,
                   const char *path, struct dt_diagnostics_result *out);

#endif
