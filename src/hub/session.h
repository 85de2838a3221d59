/* hub/session.h - one connected agent. */
#ifndef DT_HUB_SESSION_H
#define DT_HUB_SESSION_H

#include "base/list.h"
#include "base/rand.h"
#include "dialect/dialect.h"
#include "hub/workspace.h"
#include "link/link.h"

struct dt_session {
	struct dt_list link;
	struct dt_workspace *ws;
	char id[DT_ID_TEXT];
	int64_t connected_ms;
	struct dt_agent agent;
	/* What its hook said when it called last; hub/control_hook.c's. */
	struct {
		int64_t called_ms; /* wall; 0: it never did */
		char session[64]; /* the CLI's own id, which its reviews have */
		char mode[32];    /* "auto", "default", ... */
	} hook;
};

/* Take a link whose agent was let in; the session ends with the link. */
void dt_session_new(struct dt_workspace *ws, const struct dt_dialect *dialect,
                    struct dt_link *link);

/* "claude-code", or the dialect's name before the agent has said its own. */
const char *dt_session_name(const struct dt_session *session);

/* Reviews of it that wait, whether they came by its link or by its hook. */
size_t dt_session_waiting(const struct dt_session *session);

/*
 * True when the process is an agent that is connected, descends from one, or
 * carries the variable agents give to what they run (one that was put into the
 * background has lost its parents).
 */
bool dt_session_is_agent(struct dt_hub *hub, pid_t pid);

#endif
