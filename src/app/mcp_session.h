/*
 * app/mcp_session.h - a command as an MCP client of the daemon, one request at a
 * time.
 */
#ifndef DT_APP_MCP_SESSION_H
#define DT_APP_MCP_SESSION_H

#include "base/arena.h"
#include "base/err.h"
#include "data/json.h"

struct dt_mcp_session;

/* Attach to the workspace that is named, NULL: this folder's, and say the MCP
 * handshake; the daemon is started when it does not run. */
enum dt_err dt_mcp_session_open(const char *named, struct dt_mcp_session **out,
                                struct dt_fail *fail) DT_MUST_CHECK;
/* The session ends with it, and so does what it called. */
void dt_mcp_session_free(struct dt_mcp_session *session);

/* From now on print what the daemon says about a call that takes long. */
void dt_mcp_session_talk(struct dt_mcp_session *session);
/* What a call that is to be talked about has as _meta. */
#define DT_MCP_TALK_META "{\"progressToken\":\"call\"}"

/* Ask and wait.  `params` is raw JSON; the result lives in the arena. */
enum dt_err dt_mcp_session_ask(struct dt_mcp_session *session,
                               const char *method, struct dt_str params,
                               struct dt_arena *arena,
                               const struct dt_json **out_result,
                               struct dt_fail *fail) DT_MUST_CHECK;

#endif
