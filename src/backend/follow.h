/*
 * backend/follow.h - files that change behind our back, and who hears of it.
 *
 * They are watched while somebody needs it: a language server that runs, a
 * document that is open, an agent that watches or has subscribed.  With nobody there nothing is
 * watched.
 */
#ifndef DT_BACKEND_FOLLOW_H
#define DT_BACKEND_FOLLOW_H

#include "backend/headless_state.h"

struct dt_follow;

struct dt_follow *dt_follow_new(struct dt_headless *h);
/* Nothing is watched any more. */
void dt_follow_stop(struct dt_follow *follow);
void dt_follow_free(struct dt_follow *follow);

/* An operation begins: what changed until now is told to all before, and
 * whether files are to be watched is looked at behind it. */
void dt_follow_look(struct dt_follow *follow);
/* Watch from now on, until nobody needs it. */
void dt_follow_begin(struct dt_follow *follow);

/* Whether all that changes is seen: false while folders are gone through. */
bool dt_follow_is_settled(const struct dt_follow *follow);
/* A sentence about what is not seen, and why; or NULL. */
const char *dt_follow_problem(const struct dt_follow *follow);

#endif
