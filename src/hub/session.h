/* hub/session.h - one connected agent. */
#ifndef DT_HUB_SESSION_H
#define DT_HUB_SESSION_H

#include "base/hmac.h"
#include "base/list.h"
#include "base/rand.h"
#include "dialect/dialect.h"
#include "hub/workspace.h"
#include "link/link.h"
#include "loop/mark.h"

/* A workspace beside its own that an agent has named. */
struct dt_seat {
	struct dt_list link;
	struct dt_caller caller;
};

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
		const struct dt_mark *mark; /* that it carried; or NULL */
	} hook;
	bool is_seen; /* its process is the kernel's word, not its own */
	struct dt_link
		*lasting;     /* its link where that can be resumed; or NULL */
	struct dt_list seats; /* struct dt_seat */
	bool is_person;       /* a command that a person typed */
	struct dt_names env;  /* "NAME=value", that its client sent; or empty */
	bool has_selection;   /* hub/events.c's: it was told one, not cleared */
	uint8_t secret[DT_HMAC_BYTES]; /* the hub's, bound to the workspace */
};

/* DT_E_LIMIT, which is counted, where limits.sessions agents are connected. */
enum dt_err dt_session_check_room(struct dt_workspace *ws,
                                  struct dt_fail *fail) DT_MUST_CHECK;
/* Take a link whose agent was let in; the session ends with the link.  `id` is
 * what dt_rand_id() made, or NULL. */
struct dt_session *dt_session_new(struct dt_workspace *ws,
                                  const struct dt_dialect *dialect,
                                  struct dt_link *link, const char *id);
/* The same, and it outlives the link by mcp.grace_seconds: an agent that comes
 * again with its id goes on. */
struct dt_session *dt_session_new_lasting(struct dt_workspace *ws,
                                          const struct dt_dialect *dialect,
                                          struct dt_link *link, const char *id);
struct dt_session *dt_session_find(struct dt_workspace *ws, struct dt_str id);
/* Another workspace is its own from now on. */
void dt_session_move(struct dt_session *session, struct dt_workspace *ws);

/* "claude-code", or the dialect's name before the agent has said its own. */
const char *dt_session_name(const struct dt_session *session);

/* Whether a person means it: by a pattern of its name or its dialect's, or by the
 * first four or more digits of its id. */
bool dt_session_is_named(const struct dt_session *session, const char *name);

/* Reviews of it that wait, whether they came by its link or by its hook. */
size_t dt_session_waiting(const struct dt_session *session);
/* Whether it has a socket of its own: by HTTP it comes on those of others, and
 * one that may come back has lost it. */
bool dt_session_has_socket(const struct dt_session *session);
/* Bytes in that socket which it has not read yet. */
size_t dt_session_queued(const struct dt_session *session);

/* The agent that the process is, or descends from; or NULL. */
struct dt_session *dt_session_above(struct dt_hub *hub, pid_t pid);
/* Its process, by the kernel's word; 0: that does not tell. */
void dt_session_see(struct dt_session *session, pid_t pid);
/* The mark that its children carry, as far as was seen; or NULL. */
const struct dt_mark *dt_session_mark(const struct dt_session *session);

/* Whether a process is an agent's and not the person's: hub/whose.h. */
bool dt_session_is_agent(struct dt_hub *hub, pid_t pid);

#endif
