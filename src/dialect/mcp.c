/*
 * dialect/mcp.c - MCP for every client: any transport, either era.
 *
 * A message is of the modern era when its _meta names a protocol version, and
 * of the legacy one otherwise, whatever came before it on the same link.
 */
#include "dialect/mcp.h"

#include "tool/groups.h"
#include "tool/methods.h"

static struct dt_mcp *of(struct dt_agent *agent)
{
	return agent->state;
}

void dt_mcp_request(struct dt_agent *agent, struct dt_request *req,
                    const struct dt_json *params)
{
	if (dt_mcp_is_modern(params))
		dt_mcp_modern_request(agent, of(agent), req, params);
	else
		dt_mcp_legacy_request(agent, of(agent), req, params, NULL);
}

void dt_mcp_notify(struct dt_agent *agent, const char *method,
                   const struct dt_json *params)
{
	if (!dt_mcp_legacy_notify(agent, of(agent), method, params))
		return;
	if (strcmp(method, "notifications/initialized") != 0 ||
	    of(agent)->revision == DT_MCP_NONE || agent->is_ready)
		return;
	agent->is_ready = true;
	dt_mcp_watch_ready(of(agent));
	if (agent->host && agent->host->on_ready)
		agent->host->on_ready(agent);
}

void dt_mcp_event(struct dt_agent *agent, const struct dt_event *event)
{
	dt_mcp_on_event(agent, of(agent), event);
}

void dt_mcp_stop(struct dt_agent *agent)
{
	dt_mcp_watch_stop(of(agent));
}

void dt_mcp_close(struct dt_agent *agent)
{
	dt_mcp_watch_free(of(agent));
}

extern const struct dt_dialect dt_dialect_mcp;
const struct dt_dialect dt_dialect_mcp = {
	.name = "mcp",
	.doc = "The Model Context Protocol for any client: on stdio with "
	       "`dovetail mcp`, over Streamable HTTP and over WebSocket at "
	       "/mcp.",
	.reach = DT_REACH_WEBSOCKET | DT_REACH_HTTP | DT_REACH_STDIO,
	.path = "/mcp",
	.auth_header = "x-claude-code-ide-authorization",
	.takes_bearer = true,
	.takes_workspace = true,
	.verdict = DT_VERDICT_DECIDED,
	.groups = dt_tool_groups,
	.prompts = dt_prompts,
	.methods = dt_methods,
	.changes = DT_CHANGES_TOOLS,
	.state_size = sizeof(struct dt_mcp),
	.on_request = dt_mcp_request,
	.on_notify = dt_mcp_notify,
	.on_event = dt_mcp_event,
	.on_stop = dt_mcp_stop,
	.on_close = dt_mcp_close,
};
