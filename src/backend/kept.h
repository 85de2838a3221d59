/* backend/kept.h - whether the workspace may have files that are kept from agents
 * by the patterns that are built in. */
#ifndef DT_BACKEND_KEPT_H
#define DT_BACKEND_KEPT_H

#include "backend/headless.h"
#include "backend/watcher.h"

struct dt_kept;

/* The world is borrowed. */
struct dt_kept *dt_kept_new(const struct dt_world *world);
void dt_kept_free(struct dt_kept *kept);

/*
 * False when it is known that there are none.  It is looked for in a thread, and
 * again from time to time while somebody asks; until it is known, there may be
 * some.
 */
bool dt_kept_may_be(struct dt_kept *kept);

/* Files that came meanwhile. */
void dt_kept_take(struct dt_kept *kept, const struct dt_file_changes *changes);

#endif
