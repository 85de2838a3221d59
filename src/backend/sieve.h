/* backend/sieve.h - of many names of files those that were asked for. */
#ifndef DT_BACKEND_SIEVE_H
#define DT_BACKEND_SIEVE_H

#include "base/arena.h"
#include "editor/files.h"

#include <stdbool.h>
#include <stddef.h>

struct dt_sieve {
	struct dt_list_files_args args; /* the strings are the caller's */
	struct dt_str below;            /* "src/": the directory in its root */
	size_t most;                    /* that are listed */
	struct dt_arena arena;          /* of the paths */
	const char **paths;
	size_t count;
	size_t room;
};

void dt_sieve_init(struct dt_sieve *sieve,
                   const struct dt_list_files_args *args, const char *below);
void dt_sieve_done(struct dt_sieve *sieve);

/* A name is relative to its root; a folder's ends with a slash. */
bool dt_sieve_fits(const struct dt_sieve *sieve, const char *root,
                   const char *name);
/* Whether it stands for the folder that was kept last. */
bool dt_sieve_has(const struct dt_sieve *sieve, const char *root,
                  const char *name);
/* Keep one that fits, or the folder it stands for. */
void dt_sieve_keep(struct dt_sieve *sieve, const char *root, const char *name);

/* Sort what was kept, each path once, and say what of it is listed.  The paths
 * are the sieve's. */
void dt_sieve_list(struct dt_sieve *sieve, struct dt_list_files_result *out);

#endif
