/*
 * dialect/mcp.h - MCP of every revision: what its files share.
 *
 * There are two eras.  Up to 2025-11-25 a session begins with initialize and
 * remembers what was agreed on (mcp_legacy.c); since 2026-07-28 every request
 * says it all itself (mcp_modern.c).  One link may carry both, so the era is
 * decided for each message.  What follows is the same for both and works on a
 * *turn*, one request with what holds for it.
 */
#ifndef DT_DIALECT_MCP_H
#define DT_DIALECT_MCP_H

#include "base/list.h"
#include "dialect/dialect.h"

#include <stdbool.h>
#include <stdint.h>

/* In order, so that they can be compared. */
enum dt_mcp_revision {
	DT_MCP_NONE, /* nothing was agreed on yet */
	DT_MCP_2024_11,
	DT_MCP_2025_03,
	DT_MCP_2025_06,
	DT_MCP_2025_11,
	DT_MCP_2026_07,
	DT_MCP_REVISIONS,
};
extern const char *const dt_mcp_revisions[DT_MCP_REVISIONS]; /* "2024-11-05" */
enum dt_mcp_revision dt_mcp_find_revision(struct dt_str name);

/* What a client has declared, or-ed. */
enum dt_mcp_client {
	DT_MCP_ELICITS = 1 << 0,
	DT_MCP_SAMPLES = 1 << 1,
	DT_MCP_ROOTS = 1 << 2,
};
unsigned dt_mcp_read_client(const struct dt_json *capabilities);
/* Who it says it is, cut where there is no room; ptr NULL: not said. */
void dt_mcp_name_client(struct dt_agent *agent, struct dt_str name,
                        struct dt_str version);

/* Codes that JSON-RPC does not have. */
enum dt_mcp_code {
	DT_MCP_NO_RESOURCE = -32002, /* before 2026-07-28 */
	DT_MCP_BUSY = -32004,        /* before 2026-07-28: a rate limit */
	DT_MCP_HEADERS = -32020,
	DT_MCP_LACKS = -32021,
	DT_MCP_VERSION = -32022,
	DT_MCP_BUSY_MODERN = 429, /* theirs are reserved since then */
};

/* How many in this minute; a limit of 0 is none. */
struct dt_mcp_rate {
	uint64_t minute;
	unsigned count;
};
bool dt_mcp_rate_take(struct dt_mcp_rate *rate, unsigned limit);

/* One agent; a dialect's state begins with it. */
struct dt_mcp {
	enum dt_mcp_revision revision; /* agreed by initialize */
	unsigned client;               /* declared there */
	int level;      /* the least of log messages it wants to see */
	unsigned calls; /* under way */
	struct dt_mcp_rate requests;
	struct dt_mcp_rate notes;
	struct dt_mcp_watch *watch; /* mcp_watch.c's; NULL: nothing yet */
	bool is_asking_roots;       /* roots/list is not answered yet */
	bool has_other_roots;       /* since it was asked */
};

/* The names of enum dt_call_level, and what is above them in RFC 5424. */
extern const char *const dt_mcp_levels[];
/* A level a client names; -1: there is none such. */
int dt_mcp_find_level(const struct dt_json *name);

/* One request.  It lives in the request's arena. */
struct dt_mcp_turn {
	struct dt_agent *agent;
	struct dt_mcp *mcp;
	struct dt_request *req;
	const struct dt_json *params; /* until on_request returns */
	enum dt_mcp_revision revision;
	unsigned client;
	int level;              /* enum dt_call_level, or none above it */
	struct dt_str progress; /* the token as it came; ptr NULL: none */
};
#define DT_MCP_SILENT 99 /* a level that no message has */

/* mcp_turn.c: answers, shaped to the revision */

/* Begin the result's object; members follow; end it. */
struct dt_json_out *dt_mcp_begin(struct dt_mcp_turn *turn);
void dt_mcp_end(struct dt_mcp_turn *turn, struct dt_json_out *out);
/* For lists and what is read: may it be kept for some minutes, or not at
 * all? */
void dt_mcp_put_cache(struct dt_mcp_turn *turn, struct dt_json_out *out,
                      bool is_lasting);
void dt_mcp_end_empty(struct dt_mcp_turn *turn);
/* An error; the HTTP status goes with it where there is one, and it is not one
 * answer of several.  `data` is JSON or empty. */
void dt_mcp_fail(struct dt_mcp_turn *turn, int code, unsigned status,
                 struct dt_str data, const char *fmt, ...) DT_PRINTF(5, 6);
void dt_mcp_put_pair(struct dt_json_out *out, const char *key,
                     const char *value); /* NULL: left out */
/* True when it was refused because there were too many in this minute. */
bool dt_mcp_is_over_rate(struct dt_mcp_turn *turn);

/* mcp_methods.c: what both eras have.  False: no such method. */
bool dt_mcp_run(struct dt_mcp_turn *turn);
/* "tools", "prompts", "resources" ... as the dialect has them. */
void dt_mcp_put_capabilities(const struct dt_mcp_turn *turn,
                             struct dt_json_out *out);
void dt_mcp_put_server(struct dt_json_out *out);
void dt_mcp_put_instructions(struct dt_mcp_turn *turn, struct dt_json_out *out);

/* mcp_list.c */

/* True when it was refused: pages are larger than our lists, so no cursor was
 * ever handed out. */
bool dt_mcp_has_cursor(struct dt_mcp_turn *turn);
void dt_mcp_list_tools(struct dt_mcp_turn *turn);
void dt_mcp_list_prompts(struct dt_mcp_turn *turn);

/* mcp_call.c */
void dt_mcp_call_tool(struct dt_mcp_turn *turn);
void dt_mcp_call_method(struct dt_mcp_turn *turn, const struct dt_tool *method);

/* mcp_content.c: the reply of a call, as its method wants it */
void dt_mcp_put_content(struct dt_json_out *out, const struct dt_content *piece,
                        enum dt_mcp_revision revision);
void dt_mcp_put_reply(struct dt_mcp_turn *turn, const char *method,
                      const struct dt_content *content,
                      struct dt_json_out *out);

/* mcp_seal.c: what is handed to a client and must come back unchanged */
char *dt_mcp_seal(struct dt_mcp_turn *turn, struct dt_str about,
                  struct dt_str state);
bool dt_mcp_unseal(struct dt_mcp_turn *turn, struct dt_str about,
                   struct dt_str sealed, struct dt_str *out_state);

/* mcp_headers.c: does the head of an HTTP request say what its body says?
 * DT_E_PROTO and a sentence where not. */
enum dt_err dt_mcp_check_headers(struct dt_mcp_turn *turn,
                                 struct dt_str version,
                                 struct dt_fail *fail) DT_MUST_CHECK;
enum dt_err dt_mcp_check_arguments(struct dt_mcp_turn *turn,
                                   const struct dt_tool *tool,
                                   struct dt_fail *fail) DT_MUST_CHECK;

/* mcp_watch.c: who wants to hear of changes */
void dt_mcp_listen(struct dt_mcp_turn *turn);
void dt_mcp_subscribe(struct dt_mcp_turn *turn, bool is_wanted);
void dt_mcp_on_event(struct dt_agent *agent, struct dt_mcp *mcp,
                     const struct dt_event *event);
void dt_mcp_watch_free(struct dt_mcp *mcp);
/* The session is ready: what was held for it is told. */
void dt_mcp_watch_ready(struct dt_mcp *mcp);
/* The daemon stops: requests that are held open end with their result. */
void dt_mcp_watch_stop(struct dt_mcp *mcp);

/* mcp_modern.c */
bool dt_mcp_is_modern(const struct dt_json *params);
void dt_mcp_modern_request(struct dt_agent *agent, struct dt_mcp *mcp,
                           struct dt_request *req,
                           const struct dt_json *params);

/* mcp_legacy.c.  `on_listed` (or NULL) is called after tools/list was answered:
 * some clients listen to events only from then on. */
void dt_mcp_legacy_request(struct dt_agent *agent, struct dt_mcp *mcp,
                           struct dt_request *req, const struct dt_json *params,
                           void (*on_listed)(struct dt_agent *agent));
/* False: it is none of MCP's. */
bool dt_mcp_legacy_notify(struct dt_agent *agent, struct dt_mcp *mcp,
                          const char *method, const struct dt_json *params);

/* mcp.c: for dialects whose state is a struct dt_mcp */
void dt_mcp_request(struct dt_agent *agent, struct dt_request *req,
                    const struct dt_json *params);
void dt_mcp_notify(struct dt_agent *agent, const char *method,
                   const struct dt_json *params);
void dt_mcp_event(struct dt_agent *agent, const struct dt_event *event);
void dt_mcp_stop(struct dt_agent *agent);
void dt_mcp_close(struct dt_agent *agent);

#endif
