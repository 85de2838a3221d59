/*
 * backend/problems.h - what is known to be wrong in the files of a workspace.
 *
 * One cache for all who look: language servers push and linters report into it,
 * every face reads from it.  Texts lose control and bidi characters and are cut
 * at DT_LIMIT_PROBLEM_CHARS, on a character.
 */
#ifndef DT_BACKEND_PROBLEMS_H
#define DT_BACKEND_PROBLEMS_H

#include "base/arena.h"
#include "editor/event.h"
#include "editor/operation.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dt_problems;

/* `on_change` is called when other problems are known of a file than before;
 * path NULL: of several. */
typedef void dt_problems_fn(const char *path, void *owner);
struct dt_problems *dt_problems_new(dt_problems_fn *on_change, void *owner);
void dt_problems_free(struct dt_problems *problems);

/* All that `source` ("clangd", "ruff") knows of a file from now on; copied.  A
 * diagnostic without a source of its own gets this one. */
void dt_problems_set(struct dt_problems *problems, const char *path,
                     const char *source, const struct dt_diagnostic *items,
                     size_t count);
/* It knows nothing any more: it ended, or its file is gone (path NULL: all). */
void dt_problems_forget(struct dt_problems *problems, const char *source,
                        const char *path);

/* Of one file, or of all (path NULL), as struct dt_file_diagnostics; lent until
 * the next change. */
struct dt_items dt_problems_get(struct dt_problems *problems,
                                struct dt_arena *arena, const char *path);
/* Counts up with every change. */
uint64_t dt_problems_version(const struct dt_problems *problems);

#endif
