/* backend/watch_scan.h - the folders of a root found, and watched. */
#ifndef DT_BACKEND_WATCH_SCAN_H
#define DT_BACKEND_WATCH_SCAN_H

#include "backend/headless.h"
#include "loop/os_notify.h"

struct dt_watch_scan;

/* Everything but the world and `notify` is copied. */
struct dt_watch_scan_spec {
	const struct dt_world *world;
	const struct dt_notify *notify;
	const char *root;
	const char *const *from; /* folders in it, "" or "src/" */
	size_t from_count;
	const int *known; /* numbers of folders that are watched, ascending */
	size_t known_count;
	size_t most;      /* folders that may be watched besides */
	int64_t since_ns; /* files that changed since this wall time are told;
	                   * INT64_MAX: none is */
};

struct dt_watch_found {
	struct dt_watch_folder {
		int number;
		const char *name; /* "" or "src/" */
	} * folders;
	size_t folder_count;
	struct dt_watch_file {
		const char *name;
		bool is_new; /* its folder was not watched */
	} * files;
	size_t file_count;
	bool is_cut;         /* there are folders that are not watched */
	struct dt_fail fail; /* why, where the kernel refused */
};

/*
 * Watch all folders below those that are named but for what is ignored, and tell
 * which they are; all is lent.  Those that cannot be opened, or are behind a
 * link, are passed over.  It comes once, in a later turn, and the scan is gone
 * then.
 */
typedef void dt_watch_scan_fn(const struct dt_watch_found *found, void *owner);
struct dt_watch_scan *dt_watch_scan_start(const struct dt_watch_scan_spec *spec,
                                          dt_watch_scan_fn *fn, void *owner);
/* Nobody wants to know.  False: a thread is at it, and `fn` comes all the same;
 * `notify` must live until then. */
bool dt_watch_scan_drop(struct dt_watch_scan *scan);

#endif
