/*
 * hub/history.c - sessions written down, and old things forgotten.
 *
 * Reviews are kept by review/inbox.c.  Nothing here is worth stopping for: what
 * the store cannot do is logged, and the daemon goes on.
 */
#include "hub/history.h"

#include "base/clock.h"
#include "base/log.h"
#include "hub/activity.h"
#include "hub/control.h"
#include "hub/session.h"
#include "hub/workspace.h"
#include "store/reviews.h"
#include "store/sessions.h"

#define DAY_MS ((int64_t)24 * 60 * 60 * 1000)

static void on_done(struct dt_store *store, const struct dt_fail *fail,
                    void *owner)
{
	struct dt_hub *hub = owner;

	(void)store;
	/* Where the store did not even open, that was said once. */
	if (fail->code && !hub->store_trouble)
		dt_log(DT_LOG_WARN, "the history: %s", fail->msg);
}

static void prune(struct dt_hub *hub)
{
	int64_t days = dt_config_number(hub->config, "store.keep_days");

	dt_store_prune(hub->store, dt_clock_wall_ms() - days * DAY_MS, on_done,
	               hub);
}

static void on_day(struct dt_timer *timer, void *owner)
{
	(void)timer;
	prune(owner);
}

void dt_history_begin(struct dt_hub *hub)
{
	dt_store_end_sessions(hub->store, dt_clock_wall_ms(), on_done, hub);
	prune(hub);
	hub->pruner = dt_timer_new(hub->loop, on_day, hub);
	dt_timer_repeat(hub->pruner, (uint64_t)DAY_MS);
}

void dt_history_end(struct dt_hub *hub)
{
	dt_timer_free(hub->pruner);
	hub->pruner = NULL;
	dt_list_each(ws, &hub->workspaces, struct dt_workspace, link) {
		dt_list_each(s, &ws->sessions, struct dt_session, link) {
			dt_history_put_session(s, dt_clock_wall_ms());
			dt_activity_add_session(s, "disconnected",
			                        "dovetail stops");
		}
	}
}

void dt_history_put_session(struct dt_session *s, int64_t ended_ms)
{
	struct dt_hub *hub = s->ws->hub;
	struct dt_session_record record = {
		.id = s->id,
		.workspace = s->ws->record.id,
		.root = dt_workspace_root(s->ws),
		.agent = s->agent.name,
		.version = s->agent.version,
		.connected_ms = s->connected_ms,
		.disconnected_ms = ended_ms,
	};

	if (!hub->store || !s->agent.name[0])
		return;
	dt_store_put_session(hub->store, &record, on_done, hub);
	dt_control_log_changed(hub);
}
