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
#include "editor/diagnostics.h"
#include "editor/event.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dt_problems;

/* `on_change` is called when other problems are known of a file than before.  It
 * changes nothing here. */
typedef void dt_problems_fn(const char *path, void *owner);
struct dt_problems *dt_problems_new(dt_problems_fn *on_change, void *owner);
void dt_problems_free(struct dt_problems *problems);

/* All that `source` ("clangd", "ruff") knows of a file from now on; copied.  A
 * diagnostic without a source of its own gets this one. */
void dt_problems_set(struct dt_problems *problems, const char *path,
                     const char *source, const struct dt_diagnostic *items,
                     size_t count);
/* It knows nothing any more: it ended (path NULL: of all files), or the file is
 * gone (source NULL: of all sources). */
void dt_problems_forget(struct dt_problems *problems, const char *source,
                        const char *path);

/* A text of a foreign program made fit in the same way, for who tells of it. */
const char *dt_problem_text(struct dt_arena *arena, const char *text);

/* Of one file, or of all (path NULL), as struct dt_file_diagnostics; lent until
 * the next change. */
struct dt_items dt_problems_get(struct dt_problems *problems,
                                struct dt_arena *arena, const char *path);
/* When they last changed, in wall ms: no two changes have the same, and a later
 * one has a greater.  Of one file, or of all (path NULL); of a file that nobody
 * knew anything of for long it may be too great. */
int64_t dt_problems_version(const struct dt_problems *problems,
                            const char *path);

#endif
