/* hub/workspace.h - one served folder: its port, its documents, its agents. */
#ifndef DT_HUB_WORKSPACE_H
#define DT_HUB_WORKSPACE_H

#include "base/arena.h"
#include "base/err.h"
#include "base/list.h"
#include "dialect/dialect.h"
#include "editor/backend.h"
#include "editor/document.h"
#include "hub/door.h"
#include "hub/hub.h"
#include "hub/metrics.h"
#include "hub/place.h"
#include "loop/stream.h"

#include <stdbool.h>
#include <stddef.h>

struct dt_checkpoint;

struct dt_workspace {
	struct dt_list link;
	struct dt_hub *hub;
	struct dt_arena arena; /* of the record */
	struct dt_place_record record;
	struct dt_config *config; /* dovetail.conf and the repository's own */
	bool is_moved; /* its port was taken, so port and token are new */
	struct dt_documents docs;
	struct dt_editor *editor;
	struct dt_listener *listener;
	struct dt_door door;
	struct dt_mcp_http *mcp; /* MCP over HTTP on its port */
	struct dt_list guests; /* HTTP connections that have shown the token */
	size_t guest_count;
	struct dt_list strangers; /* those that have shown no token, by age */
	size_t stranger_count;
	struct dt_list sessions; /* struct dt_session, in order of connecting */
	size_t session_count;
	struct dt_timer *announcer;
	struct dt_names env; /* "NAME=value", the person's, as sent last */
	/* hub/env.c's: what all agents that were here have brought, if that is
	 * the same */
	struct dt_names common;
	bool had_agents;
	struct dt_metrics metrics;
	/* hub/session.c's: the last agent that came, and the last that went */
	int64_t connected_ms; /* 0: none yet */
	int64_t disconnected_ms;
	struct dt_fail disconnected_why;
	/* hub/http_events.c's */
	struct dt_list subscribers;
	size_t subscriber_count;
	/* hub/checkpoint.c's */
	struct dt_checkpoint *checkpoint;
	/* hub/events.c's */
	struct dt_selection selection; /* the last one; its strings are owned */
	bool is_selection_new;         /* no agent has got it */
	struct dt_list mentions;       /* that wait for an agent */
	size_t mention_count;
};

/*
 * Serve a root.  `port` 0: the one it had before, or a new one; when that is
 * taken, port and token are new.  An explicit port that is taken: DT_E_STATE.
 * A root that is served already is found, and no port but its own will do.
 */
enum dt_err dt_workspace_open(struct dt_hub *hub, const char *root,
                              unsigned port, struct dt_workspace **out,
                              struct dt_fail *fail) DT_MUST_CHECK;

/* Remove the lock, close the port and all links; then, when the loop has
 * turned, free. */
void dt_workspace_stop(struct dt_workspace *ws);
void dt_workspace_free(struct dt_workspace *ws);

/* Read the configuration again: the person's, then what is safe of the
 * repository's .dovetail.conf. */
void dt_workspace_configure(struct dt_workspace *ws);

/* Publish again: the name or the nesting changed. */
void dt_workspace_announce(struct dt_workspace *ws);
/* Where its first dialect publishes it, in the arena. */
char *dt_workspace_lock(struct dt_workspace *ws, struct dt_arena *arena);

/* Remember the person's environment; the names and values are copied. */
void dt_workspace_set_env(struct dt_workspace *ws, const struct dt_names *env);

/* The served workspace that holds a path, the innermost; or NULL. */
struct dt_workspace *dt_workspace_of(struct dt_hub *hub, const char *path);
struct dt_workspace *dt_workspace_by_root(struct dt_hub *hub, const char *root);
struct dt_workspace *dt_workspace_by_id(struct dt_hub *hub, const char *id);

/* Reviews of its agents that wait for a person. */
size_t dt_workspace_waiting(const struct dt_workspace *ws);

static inline const char *dt_workspace_root(const struct dt_workspace *ws)
{
	return ws->record.roots.ptr[0];
}

#endif
