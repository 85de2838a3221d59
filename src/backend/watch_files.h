/*
 * backend/watch_files.h - watchFiles and unwatchFiles, without a window.
 *
 * A watch belongs to the session that began it and ends with it; one of the
 * person ends when nobody has asked about it for a while.  Its changes are kept,
 * the last of each file, and told to who asks what came behind a number.
 */
#ifndef DT_BACKEND_WATCH_FILES_H
#define DT_BACKEND_WATCH_FILES_H

#include "backend/headless_state.h"
#include "backend/watcher.h"

struct dt_watch_files;

struct dt_watch_files *dt_watch_files_new(struct dt_headless *h);
/* Who waits is told that it is over. */
void dt_watch_files_stop(struct dt_watch_files *set);
void dt_watch_files_free(struct dt_watch_files *set);

bool dt_watch_files_has_any(const struct dt_watch_files *set);
void dt_watch_files_leave(struct dt_watch_files *set, const char *asker);
/* Files changed: what is ignored or kept from agents is left out. */
void dt_watch_files_take(struct dt_watch_files *set,
                         const struct dt_file_changes *changes);
/* From now on nothing is missed. */
void dt_watch_files_settled(struct dt_watch_files *set);

dt_headless_fn dt_watch_files_do_watch;
dt_headless_fn dt_watch_files_do_unwatch;

#endif
