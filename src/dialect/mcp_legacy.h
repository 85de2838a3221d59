/*
 * dialect/mcp_legacy.h - MCP with the initialize handshake, 2024-11-05 to
 * 2025-11-25: what all dialects built on it share.
 */
#ifndef DT_DIALECT_MCP_LEGACY_H
#define DT_DIALECT_MCP_LEGACY_H

#include "dialect/dialect.h"

/* The state of one session; a dialect embeds it in its own. */
struct dt_mcp_legacy {
	const char *version; /* agreed; NULL before initialize */
};

/*
 * Handle a request.  on_listed is called after tools/list was answered: some
 * clients listen to events only from then on.
 */
void dt_mcp_legacy_request(struct dt_agent *agent, struct dt_mcp_legacy *mcp,
                           struct dt_request *req, const struct dt_json *params,
                           void (*on_listed)(struct dt_agent *agent));

/* Handle a notification; false when it is none of MCP's. */
bool dt_mcp_legacy_notify(struct dt_agent *agent, const char *method,
                          const struct dt_json *params);

/* True when a version older than `version` was agreed on. */
bool dt_mcp_legacy_is_before(const struct dt_mcp_legacy *mcp,
                             const char *version);

#endif
