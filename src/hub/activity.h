/*
 * hub/activity.h - what happened, on its way to the store and to who follows.
 *
 * What is added is kept in batches, so that it costs the loop next to nothing.
 * Everybody reads it from the store, by its number: a command, a tool, a
 * subscriber of /events.  Nothing is held in memory for who follows.
 */
#ifndef DT_HUB_ACTIVITY_H
#define DT_HUB_ACTIVITY_H

#include "base/list.h"
#include "hub/hub.h"
#include "store/activity.h"
#include "tool/call.h"

#include <stdint.h>

struct dt_activity_log;
struct dt_session;
struct dt_workspace;

/* The store was opened; and before it is closed. */
void dt_activity_begin(struct dt_hub *hub);
void dt_activity_end(struct dt_hub *hub);

/* Copied; its time is now, unless it has one. */
void dt_activity_add(struct dt_hub *hub,
                     const struct dt_activity_record *record);
/* The same from where it happens.  `message` may be NULL. */
void dt_activity_add_call(struct dt_session *session, struct dt_workspace *ws,
                          const struct dt_call_note *note);
void dt_activity_add_session(struct dt_session *session, const char *what,
                             const char *message);
void dt_activity_add_review(struct dt_hub *hub, const struct dt_review *review);
void dt_activity_add_workspace(struct dt_workspace *ws, const char *what,
                               const char *message);
/* A program was run in the environment of `asker`; see hub/env.h. */
void dt_activity_add_program(struct dt_workspace *ws, const char *asker,
                             const char *file);
void dt_activity_add_daemon(struct dt_hub *hub, const char *what,
                            const char *message);

/* As dt_store_list_activity(), with all that was added so far; `fn` may come
 * before it returns, when the daemon stops. */
void dt_activity_list(struct dt_hub *hub,
                      const struct dt_activity_filter *filter,
                      dt_store_activity_fn *fn, void *owner);

/* Told when more was kept; it may unwatch itself then, and no other. */
struct dt_activity_watch {
	struct dt_list link;
	void (*on_more)(struct dt_activity_watch *watch);
};
void dt_activity_watch(struct dt_hub *hub, struct dt_activity_watch *watch);
static inline void dt_activity_unwatch(struct dt_activity_watch *watch)
{
	dt_list_remove(&watch->link);
}

/* The number of the last that was kept in this run; 0: none yet. */
int64_t dt_activity_last(const struct dt_hub *hub);
/* What was lost because the store did not keep up, or could not keep it. */
uint64_t dt_activity_lost(const struct dt_hub *hub);

#endif
