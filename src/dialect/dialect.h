/*
 * dialect/dialect.h - how one family of agents finds us and talks.
 *
 * A dialect is description plus small functions.  It opens no sockets and knows
 * no editor: it is handed requests and events of an agent, and asks for
 * operations through the agent's caller.
 */
#ifndef DT_DIALECT_DIALECT_H
#define DT_DIALECT_DIALECT_H

#include "base/err.h"
#include "data/json.h"
#include "editor/event.h"
#include "rpc/peer.h"
#include "tool/call.h"
#include "tool/prompt.h"
#include "tool/tool.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* How agents reach us; transports are built from this, not by the dialect. */
enum dt_reach {
	DT_REACH_WEBSOCKET = 1 << 0,
	DT_REACH_HTTP = 1 << 1,
	DT_REACH_UNIX = 1 << 2,
	DT_REACH_STDIO = 1 << 3,
};

/* When a call whose end is a human decision is answered. */
enum dt_verdict_stage {
	DT_VERDICT_DECIDED, /* the reply waits for the person */
	DT_VERDICT_SHOWN,   /* reply at once, tell the verdict later */
};

/* Lists that are not the same for ever; agents are told of changes. */
enum dt_changes {
	DT_CHANGES_TOOLS = 1 << 0,
	DT_CHANGES_PROMPTS = 1 << 1,
};

/* Where a workspace can be reached: what goes into lock files. */
struct dt_place {
	const char *home; /* the person's, for dialects that publish there */
	const char *name; /* shown to the person, "Dovetail" */
	const char *const *roots;
	size_t root_count;
	unsigned port;
	const char *token;
	pid_t pid;
	/* Inside another workspace of ours: name no folders, so that one folder
	 * never matches two places. */
	bool is_nested;
};

/* What lies where a place is published. */
enum dt_presence {
	DT_PRESENCE_NONE,
	DT_PRESENCE_OURS,
	DT_PRESENCE_FOREIGN, /* somebody else's: never touched */
};

struct dt_agent;

/* What an agent may do at once; 0: as much as it likes. */
struct dt_agent_limits {
	unsigned calls;
	unsigned requests_a_minute;
	unsigned notes_a_minute;
};

/* What a dialect may ask of whoever embeds its agents.  Any may be NULL. */
struct dt_agent_host {
	void (*on_ready)(struct dt_agent *agent);
	/* The caller for a workspace that the agent names: a folder, or the
	 * start of an id.  NULL and a sentence when there is none. */
	struct dt_caller *(*choose)(struct dt_agent *agent, struct dt_str name,
	                            struct dt_fail *fail);
	/* The folders its client works in, once that was asked. */
	void (*on_roots)(struct dt_agent *agent, const struct dt_names *roots);
	/* What a model should know of the workspace, in a few sentences. */
	void (*instruct)(struct dt_agent *agent, struct dt_buf *out);
	/* Globs of tools that are not offered, with commas between them. */
	const char *(*hidden)(struct dt_agent *agent);
	/* Whether its list has all tools, and not the everyday ones alone. */
	bool (*lists_all)(struct dt_agent *agent);
	/* Or NULL.  It listens for changes of files from now on. */
	void (*on_listens)(struct dt_agent *agent);
	/* A limit was hit; `name` is its key in dovetail.conf. */
	void (*on_limit)(struct dt_agent *agent, const char *name);
};

/* One connected agent as its dialect sees it; hub/session.c embeds it. */
struct dt_agent {
	const struct dt_dialect *dialect;
	struct dt_peer *peer;
	struct dt_caller caller;
	void *state; /* dialect->state_size zeroed bytes */
	char name[64];
	char version[32];
	pid_t pid;           /* by the kernel, or as it said; 0: not known */
	int64_t prompted_ms; /* wall; when the person last sent it a prompt */
	bool is_ready;       /* events may be sent */
	bool has_begun;      /* the handshake of its dialect was agreed to */
	bool listens;        /* for changes of files, open or not */
	/* It comes over HTTP without a session: each message says it all. */
	bool is_stateless;
	/* It came without a workspace: the roots of its client decide. */
	bool wants_roots;
	bool wants_all_tools; /* in its list, whatever dovetail.conf says */
	const struct dt_agent_host *host; /* what the hub does for it */
	struct dt_agent_limits limits;
	struct dt_str secret; /* signs what is handed out; lasts as the token */
};

struct dt_dialect {
	const char *name;
	const char *doc;         /* one sentence for docs/tools.md */
	unsigned reach;          /* enum dt_reach, or-ed */
	const char *path;        /* where it is served over TCP */
	const char *auth_header; /* holds the token; NULL: none */
	bool takes_bearer;       /* so does "Authorization: Bearer" */
	bool takes_workspace;    /* each tool has an argument for it */
	bool takes_mentions;     /* its agents show them to their model */
	enum dt_verdict_stage verdict;
	const struct dt_tool_group *const *groups; /* ends with NULL */
	unsigned changes;                          /* enum dt_changes, or-ed */
	const struct dt_prompt *prompts; /* ends with a NULL name; or NULL */
	/* Requests other than tools/call that are carried out as a call, such
	 * as "resources/read"; ends with a NULL name; or NULL. */
	const struct dt_tool *methods;
	size_t state_size; /* of what it keeps for each agent */

	/*
	 * Publish and withdraw the file agents find us by.  presence() is asked
	 * before a port is chosen and every second after announce().
	 */
	enum dt_err (*announce)(const struct dt_place *place,
	                        struct dt_fail *fail);
	enum dt_presence (*presence)(const struct dt_place *place);
	void (*withdraw)(const struct dt_place *place);
	/* Remove what earlier runs of ours left there. */
	void (*clean)(const struct dt_place *place);

	/* The agent's requests and notifications; params are lent. */
	void (*on_request)(struct dt_agent *agent, struct dt_request *req,
	                   const struct dt_json *params);
	void (*on_notify)(struct dt_agent *agent, const char *method,
	                  const struct dt_json *params);
	/* An editor's event becomes this dialect's notification, or nothing. */
	void (*on_event)(struct dt_agent *agent, const struct dt_event *event);
	/* The daemon stops, and the link will be closed: say the last words;
	 * or NULL. */
	void (*on_stop)(struct dt_agent *agent);
	/* The agent is gone: free what `state` points to. */
	void (*on_close)(struct dt_agent *agent);
};

/* All of them: one line each in dialect/dialects.def. */
extern const struct dt_dialect *const dt_dialects[];
extern const size_t dt_dialect_count;
const struct dt_dialect *dt_dialect_find(const char *name);

/* The tools of all groups in order; NULL behind the last. */
const struct dt_tool *dt_dialect_tool(const struct dt_dialect *dialect,
                                      size_t index);
const struct dt_tool *dt_dialect_find_tool(const struct dt_dialect *dialect,
                                           struct dt_str name);
/* The name that is most like one that was mistyped; NULL: none is. */
const char *dt_dialect_nearest(const struct dt_dialect *dialect,
                               struct dt_str typed);
/* Globs of the tools that this agent is not offered; "" for none. */
const char *dt_agent_hidden(struct dt_agent *agent);
/* Whether its list has all tools; else those that are DT_TOOL_EXTRA are left
 * out, and can be called all the same. */
bool dt_agent_lists_all(struct dt_agent *agent);
/* Whether a tool is in its list. */
bool dt_agent_lists(struct dt_agent *agent, const struct dt_tool *tool);
/* A limit of dovetail.conf was hit. */
void dt_agent_hit(struct dt_agent *agent, const char *limit);
/* Whether one of such globs fits; a tool that is hidden is not there. */
bool dt_tool_is_hidden(const char *globs, const char *name);

#endif
