/* app/demo_world.h - the scratch folder of `dovetail demo`. */
#ifndef DT_APP_DEMO_WORLD_H
#define DT_APP_DEMO_WORLD_H

#include "base/arena.h"
#include "base/err.h"

#define DT_DEMO_VARIABLES 4

/*
 * A folder below $TMPDIR with a project and a home of its own.  Between enter
 * and leave this process, and what it starts, has its home there: the daemon,
 * its locks and its history are not the person's.  Outside of them the person's
 * own git, pager and editor are set up as always.
 */
struct dt_demo_world {
	struct dt_arena arena;
	const char *folder; /* NULL: there is none */
	const char *project;
	const char *theirs[DT_DEMO_VARIABLES]; /* while we are inside */
};

enum dt_err dt_demo_world_open(struct dt_demo_world *world,
                               struct dt_fail *fail) DT_MUST_CHECK;
void dt_demo_world_enter(struct dt_demo_world *world);
void dt_demo_world_leave(struct dt_demo_world *world);
/* Remove all of it. */
void dt_demo_world_close(struct dt_demo_world *world);

#endif
