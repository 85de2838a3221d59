/*
 * backend/watcher.h - the files of a workspace, watched.
 *
 * All folders of the roots but what git ignores and what package managers put
 * there; new ones as they appear.  What happens within a short time is told
 * together, each file once.  Where more happened than the kernel keeps, the
 * folders are gone through again; then what was deleted meanwhile is not known,
 * and that is told.
 */
#ifndef DT_BACKEND_WATCHER_H
#define DT_BACKEND_WATCHER_H

#include "backend/headless.h"
#include "editor/watch.h"

struct dt_watcher;

/* Changes by path, each once; a folder that went is told by its own name alone.
 * `is_lost`: more may have changed.  All is lent. */
struct dt_file_changes {
	const struct dt_file_change *ptr;
	size_t count;
	bool is_lost;
};
typedef void dt_watcher_fn(const struct dt_file_changes *changes, void *owner);

/* `world` is lent for its life.  Limits of 0 are those of base/limits.h. */
struct dt_watcher_spec {
	const struct dt_world *world;
	dt_watcher_fn *fn;
	void (*on_settled)(void *owner); /* or NULL; see _is_settled() */
	void *owner;
	size_t most_folders;
	size_t most_changes; /* that wait to be told */
};
struct dt_watcher *dt_watcher_new(const struct dt_watcher_spec *spec);
/* Not from its own callback. */
void dt_watcher_free(struct dt_watcher *watcher);

/* What has happened by now is told before this returns, as far as folders are
 * watched already. */
void dt_watcher_drain(struct dt_watcher *watcher);

/* True once all folders that were there have been gone through. */
bool dt_watcher_is_settled(const struct dt_watcher *watcher);
size_t dt_watcher_count(const struct dt_watcher *watcher);
/* A sentence about what is not seen, and why; or NULL. */
const char *dt_watcher_problem(const struct dt_watcher *watcher);

/* Whether the path, or a folder it is in, is among the changes; the nearest. */
const struct dt_file_change *dt_file_changes_find(
	const struct dt_file_changes *changes, const char *path);

#endif
