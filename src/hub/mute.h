/*
 * hub/mute.h - agents that are told nothing for a while.
 *
 * A mute is for the agents that a pattern means, or for all of them, which is
 * "do not disturb".  It outlives the daemon, in a file of its own.
 */
#ifndef DT_HUB_MUTE_H
#define DT_HUB_MUTE_H

#include "base/err.h"
#include "base/list.h"
#include "hub/hub.h"
#include "hub/session.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dt_mute {
	struct dt_list link; /* in hub->mutes */
	char *agent;         /* "": every one */
	int64_t until_ms;    /* wall clock; 0: until somebody ends it */
};

/* Read what an earlier run left; stop the clock, while agents may still be
 * there; forget them all. */
void dt_mute_init(struct dt_hub *hub);
void dt_mute_stop(struct dt_hub *hub);
void dt_mute_done(struct dt_hub *hub);

/* Begin one, or give the one there is another end.  DT_E_ARGS: no pattern. */
enum dt_err dt_mute_begin(struct dt_hub *hub, const char *agent,
                          int64_t until_ms, struct dt_fail *fail) DT_MUST_CHECK;
/* End the one of that agent, or with "" every one; says how many that were. */
size_t dt_mute_end(struct dt_hub *hub, const char *agent);

/* Whether one means this agent; whether one means them all. */
bool dt_mute_has(const struct dt_session *session);
bool dt_mute_has_all(const struct dt_hub *hub);

#endif
