/* backend/walk.h - all files below a folder. */
#ifndef DT_BACKEND_WALK_H
#define DT_BACKEND_WALK_H

#include <stdbool.h>

/* The name is relative to the root, and lent. */
typedef void dt_walk_fn(const char *name, void *owner);

/*
 * Call fn() for each file and link, nearest folders first, from the folder
 * `from` of the root, "" or "src/", downwards.  Links are not
 * followed; version control's own folders and what package managers and
 * compilers put beside sources are left out.  False when a limit was reached
 * (DT_LIMIT_LIST_FILES, DT_LIMIT_LIST_DEPTH).  It may block: not for the loop.
 */
bool dt_walk(const char *root, const char *from, dt_walk_fn *fn, void *owner);

/* The same, with a word about folders. */
struct dt_walk_spec {
	const char *root;
	const char *from;
	dt_walk_fn *on_file; /* or NULL */
	/* Before what is in a folder, "" or "src/"; it is open.  False: it is
	 * not gone into. */
	bool (*on_folder)(const char *name, int fd, void *owner);
	void *owner;
};
bool dt_walk_folders(const struct dt_walk_spec *spec);

/* Whether what has this name, without its folder, is left out. */
bool dt_walk_skips(const char *name);

#endif
