/* app/demo_agent.h - the scripted agent of `dovetail demo`. */
#ifndef DT_APP_DEMO_AGENT_H
#define DT_APP_DEMO_AGENT_H

#include "base/err.h"

#include <stddef.h>

#define DT_DEMO_AGENT "demo-agent" /* as reviews name it */

/* One change it proposes. */
struct dt_demo_step {
	const char *file;   /* in the scratch project */
	const char *saying; /* what it says about it, for the person */
	const char *before; /* NULL: there is no such file yet */
	const char *after;
};

#define DT_DEMO_STEPS 3
extern const struct dt_demo_step dt_demo_steps[DT_DEMO_STEPS];

struct dt_demo_agent {
	const char *lock;   /* the lock file by which it finds the daemon */
	unsigned port;      /* that lock file's */
	const char *folder; /* the scratch project */
	int report_fd;      /* one line for each verdict it got: what it did */
};

/*
 * Connect as Claude Code does, propose one step after the other, and write what
 * was accepted.  Runs a loop of its own until the script is over.  DT_E_CLOSED
 * when the daemon hung up before.
 */
enum dt_err dt_demo_agent_run(const struct dt_demo_agent *spec,
                              struct dt_fail *fail) DT_MUST_CHECK;

#endif
