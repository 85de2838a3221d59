/* hub/aftermath.h - what is on disk after a change was accepted. */
#ifndef DT_HUB_AFTERMATH_H
#define DT_HUB_AFTERMATH_H

#include "hub/hub.h"

/*
 * An agent was told that a change is accepted and writes it itself: look at the
 * files until they hold what was accepted, or its time is over; then the review
 * is DT_REVIEW_ACCEPTED or DT_REVIEW_UNWRITTEN, in the history and for all who
 * follow it.  Nothing is written here.  A copy is taken of what is needed.
 */
void dt_aftermath_follow(struct dt_hub *hub, const struct dt_review *review);

/*
 * A workspace is served: what was on its way to its disk when an earlier run
 * ended is finished, all files of it, or undone; what an agent was to write is
 * looked at as above.  Returns at once.
 */
void dt_aftermath_resume(struct dt_hub *hub, const char *workspace);

/*
 * Write a review that is DT_REVIEW_WRITING, by us, or go on with it; `fn` comes
 * once, when that is settled.
 */
typedef void dt_aftermath_fn(const struct dt_fail *fail, void *owner);
void dt_aftermath_finish(struct dt_hub *hub, const char *id,
                         dt_aftermath_fn *fn, void *owner);

/* Before the store closes.  What is not settled is for the next run. */
void dt_aftermath_stop(struct dt_hub *hub);

/* Tell the history and all who follow it what became of a review that is
 * DT_REVIEW_WRITING.  `problem` NULL: there is none. */
void dt_aftermath_settle(struct dt_hub *hub, const struct dt_review *review,
                         enum dt_review_state state, const char *problem);

#endif
