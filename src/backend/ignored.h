/* backend/ignored.h - what git ignores, as it says itself. */
#ifndef DT_BACKEND_IGNORED_H
#define DT_BACKEND_IGNORED_H

#include "backend/headless.h"
#include "base/str.h"

struct dt_ignored;

/* Everything is copied.  Names are relative to the root. */
struct dt_ignored_spec {
	const struct dt_world *world;
	const char *root;
	const char *const *names; /* folders or files */
	size_t count;
	/* What is ignored below these folders, where all of a folder is by the
	 * folder's name with a slash; else: which of these names are ignored. */
	bool is_below;
};

/*
 * The names that are ignored, each with a NUL behind it; lent.  There are none
 * where git is not there or knows nothing of the folder.  It comes once, in a
 * later turn, and what was started is gone then.
 */
typedef void dt_ignored_fn(struct dt_str names, void *owner);
struct dt_ignored *dt_ignored_start(const struct dt_ignored_spec *spec,
                                    dt_ignored_fn *fn, void *owner);
/* Nobody wants to know any more. */
void dt_ignored_drop(struct dt_ignored *ignored);

/* The environment without a git hook's variables, which would lead git to
 * another repository; in the arena. */
char **dt_ignored_env(struct dt_arena *arena, char *const *env);

#endif
