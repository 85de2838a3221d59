/*
 * bench-echo PORT - a dialect of one tool, on the real stack.
 *
 * From the socket to the reply everything is what the daemon runs: HTTP, the
 * WebSocket, the peer, MCP, the field table, the call.  Only the door and the
 * editor are left out, so that the figures are those of the way itself.
 */
#include "dialect/mcp.h"
#include "link/http_conn.h"
#include "loop/os.h"
#include "wire/handshake.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

struct echo_args {
	struct dt_str text;
};

static const struct dt_field echo_fields[] = {
	DT_FIELD(struct echo_args, text, STR, DT_REQ | DT_BIG,
	         "What to answer."),
	DT_FIELD_END,
};

static void echo(struct dt_call *call, const void *args)
{
	const struct echo_args *wanted = args;

	dt_call_add(call, wanted->text);
	dt_call_reply(call);
}

static const struct dt_tool tools[] = {
	{
		.name = "echo",
		.doc = "Answers with its argument.",
		.args = DT_SHAPE(struct echo_args, echo_fields),
		.effect = DT_READS,
		.deadline_ms = 5000,
		.run = echo,
	},
};

static const struct dt_tool_group group = {
	.tools = tools,
	.count = sizeof(tools) / sizeof(tools[0]),
};
static const struct dt_tool_group *const groups[] = { &group, NULL };

static const struct dt_dialect dialect = {
	.name = "echo",
	.reach = DT_REACH_WEBSOCKET,
	.groups = groups,
};

/* One client; freed when its peer is closed. */
struct client {
	struct dt_agent agent;
	struct dt_mcp mcp;
};

static void on_listed(struct dt_agent *agent)
{
	(void)agent;
}

static void on_request(struct dt_peer *peer, struct dt_request *req,
                       const struct dt_json *params, void *owner)
{
	struct client *client = owner;

	(void)peer;
	dt_mcp_legacy_request(&client->agent, &client->mcp, req, params,
	                      on_listed);
}

static void on_notify(struct dt_peer *peer, const char *method,
                      const struct dt_json *params, void *owner)
{
	struct client *client = owner;

	(void)peer;
	dt_mcp_legacy_notify(&client->agent, &client->mcp, method, params);
}

static void on_closed(struct dt_peer *peer, const struct dt_fail *why,
                      void *owner)
{
	(void)peer;
	(void)why;
	free(owner);
}

static const struct dt_peer_events peer_events = {
	.on_request = on_request,
	.on_notify = on_notify,
	.on_closed = on_closed,
};

static enum dt_err allow(struct dt_caller *caller, const struct dt_tool *tool,
                         struct dt_fail *fail)
{
	(void)caller;
	(void)tool;
	(void)fail;
	return DT_E_OK;
}

static void on_head(struct dt_http_conn *conn, const struct dt_http_head *head,
                    struct dt_str body, void *owner)
{
	struct dt_fail fail = { 0 };
	struct client *client;
	unsigned status;

	(void)body;
	if (dt_handshake_check(head, &status, &fail)) {
		dt_http_conn_reply(conn, status, "text/plain", dt_str(fail.msg),
		                   NULL);
		return;
	}
	client = dt_alloc(sizeof(*client));
	client->agent.dialect = &dialect;
	client->agent.caller.loop = owner;
	client->agent.caller.allow = allow;
	client->agent.peer =
		dt_peer_new(dt_http_conn_upgrade(conn, head, NULL, NULL),
	                    &peer_events, client);
	dt_peer_start(client->agent.peer);
}

static void on_end(struct dt_http_conn *conn, void *owner)
{
	(void)conn;
	(void)owner;
}

static const struct dt_http_conn_events conn_events = {
	.on_request = on_head,
	.on_end = on_end,
};

static void on_accept(struct dt_listener *listener, struct dt_stream *stream,
                      void *owner)
{
	(void)listener;
	dt_http_conn_new(stream, &conn_events, owner);
}

int main(int argc, char **argv)
{
	struct dt_listener *listener;
	struct dt_fail fail = { 0 };
	struct dt_loop *loop;
	uint32_t port;

	if (argc != 2 || dt_str_to_u32(dt_str(argv[1]), &port, NULL)) {
		fprintf(stderr, "usage: bench-echo PORT\n");
		return 2;
	}
	/* Both as the daemon does. */
	signal(SIGPIPE, SIG_IGN);
	dt_os_keep_memory_small();
	loop = dt_loop_new();
	if (dt_listen_tcp(loop, port, on_accept, loop, &listener, &fail)) {
		fprintf(stderr, "%s\n", fail.msg);
		return 1;
	}
	dt_loop_run(loop); /* until it is killed */
	return 0;
}
