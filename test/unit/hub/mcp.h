/*
 * test/unit/hub/mcp.h - clients of MCP as a hub meets them: by lines, as
 * `dovetail mcp` passes them on, by WebSocket and by HTTP.
 *
 * Most talk to the fixtures of test/conformance: tools that answer, ask, log and
 * tell how far they are.
 */
#ifndef DT_TEST_HUB_MCP_H
#define DT_TEST_HUB_MCP_H

#include "agent.h"

#include "dialect/mcp.h"
#include "fixtures.h"
#include "hub/mcp_http.h"

#include <strings.h>

#define VERSION_KEY "\"io.modelcontextprotocol/protocolVersion\""
#define CLIENT_KEY "\"io.modelcontextprotocol/clientCapabilities\""
/* The _meta of a modern request; `client` is members of an object. */
#define META(client)                                                           \
	"\"_meta\":{" VERSION_KEY ":\"2026-07-28\"," CLIENT_KEY ":{" client "}}"
#define SERVER_META                                                            \
	"\"_meta\":{\"io.modelcontextprotocol/serverInfo\":{"                  \
	"\"name\":\"dovetail\",\"version\":\"" DT_VERSION "\"}}"
#define ELICITS "\"elicitation\":{}"
#define ALL_CAN ELICITS ",\"sampling\":{},\"roots\":{}"

/* the hub */

/* Before serve(): what dovetail.conf says. */
static inline void configure(struct world *w, const char *text)
{
	char *folder = text_of(w, "%s/c/dovetail", w->dir);

	mkdir(folder, 0700);
	put_file(text_of(w, "%s/dovetail.conf", folder), text);
}

/* The project's workspace, with the fixtures at /mcp over HTTP. */
static inline struct dt_workspace *serve_fixtures(struct world *w)
{
	struct dt_workspace *ws = serve(w);

	dt_mcp_http_free(ws->mcp);
	ws->mcp = dt_mcp_http_new(ws, &fixture_dialect);
	fixture_hub = &w->hub;
	return ws;
}

/* lines */

struct line_guest {
	struct dt_workspace *ws;
	const struct dt_dialect *dialect;
};

static inline void on_line_guest(struct dt_listener *listener,
                                 struct dt_stream *stream, void *owner)
{
	const struct line_guest *guest = owner;

	dt_session_new(guest->ws, guest->dialect, dt_link_lines_new(stream),
	               NULL);
	dt_listener_close(listener);
}

static inline struct client *connect_lines(struct dt_workspace *ws,
                                           struct world *w,
                                           const struct dt_dialect *dialect)
{
	struct line_guest guest = { ws, dialect };
	char *path = text_of(w, "%s/mcp.sock", w->dir);
	size_t before = ws->session_count;
	struct dt_listener *listener;
	struct client *c;

	assert_ok(dt_listen_unix(w->loop, path, on_line_guest, &guest,
	                         &listener, NULL));
	c = new_client(w, dt_stream_connect_unix(w->loop, path));
	start_link(c, dt_link_lines_new(c->stream));
	wait_for(w, ws->session_count > before);
	unlink(path);
	return c;
}

/* initialize, and what follows it; `client` is its capabilities. */
static inline void begin_as(struct client *c, const char *version,
                            const char *client)
{
	const char *answer = ask(
		c, "initialize",
		text_of(c->w,
	                "{\"protocolVersion\":\"%s\",\"capabilities\":{%s},"
	                "\"clientInfo\":{\"name\":\"tester\",\"version\":\"1\"}}",
	                version, client));

	assert_string_equal(at(c->w, answer, "result.protocolVersion"),
	                    version);
	say(c,
	    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
}

/* A client of the fixtures that has begun. */
static inline struct client *connect_fixtures(struct world *w,
                                              const char *version,
                                              const char *client)
{
	struct client *c =
		connect_lines(serve_fixtures(w), w, &fixture_dialect);

	begin_as(c, version, client);
	return c;
}

/* Call a fixture without a progress token. */
static inline void call_plain(struct client *c, const char *tool)
{
	request(c, "tools/call", text_of(c->w, "{\"name\":\"%s\"}", tool));
}

/* The same in the modern era; `client` is its capabilities. */
static inline void call_modern(struct client *c, const char *tool,
                               const char *client, const char *more)
{
	request(c, "tools/call",
	        text_of(c->w,
	                "{\"name\":\"%s\",\"_meta\":{" VERSION_KEY
	                ":\"2026-07-28\"," CLIENT_KEY ":{%s}}%s}",
	                tool, client, more));
}

static inline void cancel(struct client *c, unsigned id)
{
	say(c, text_of(c->w,
	               "{\"jsonrpc\":\"2.0\",\"method\":"
	               "\"notifications/cancelled\",\"params\":{"
	               "\"requestId\":%u}}",
	               id));
}

/* Answer a request of the server's. */
static inline void answer(struct client *c, const char *message,
                          const char *result)
{
	say(c, text_of(c->w, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}",
	               at(c->w, message, "id"), result));
}

/* The next message has this at this place. */
#define expect_at(c, path, text)                                               \
	do {                                                                   \
		const char *heard_ = hear(c);                                  \
		const char *found_ = at((c)->w, heard_, path);                 \
		if (!found_ || strcmp(found_, text) != 0)                      \
			fail_msg("%s is not %s in %s", path, text, heard_);    \
	} while (0)

/* Nothing is under way: the next answer is that to a ping. */
static inline void expect_nothing_but_pong(struct client *c)
{
	request(c, "ping", "{}");
	expect(c, "{\"jsonrpc\":\"2.0\",\"id\":%u,\"result\":{}}", c->id);
}

static inline struct dt_mcp *last_mcp(struct dt_workspace *ws)
{
	return last_session(ws)->agent.state;
}

/* HTTP */

static inline bool names(const char *lines, const char *header)
{
	return strcasestr(lines, header) != NULL;
}

/* Send a request; `more` is header lines with their ends. */
static inline void send_http(struct client *c, const struct dt_workspace *ws,
                             const char *method, const char *more,
                             const char *body)
{
	send_raw(c,
	         text_of(c->w,
	                 "%s /mcp HTTP/1.1\r\nHost: 127.0.0.1:%u\r\n"
	                 "Authorization: Bearer %s\r\nContent-Length: %zu\r\n"
	                 "%s%s%s\r\n%s",
	                 method, ws->record.port, ws->record.token,
	                 strlen(body),
	                 names(more, "accept:") ? ""
	                                        : "Accept: application/json, "
	                                          "text/event-stream\r\n",
	                 names(more, "content-type:")
	                         ? ""
	                         : "Content-Type: application/json\r\n",
	                 more, body));
}

/* The same by a connection of its own. */
static inline struct client *open_http(struct dt_workspace *ws, struct world *w,
                                       const char *method, const char *more,
                                       const char *body)
{
	struct client *c = connect_raw(w, ws->record.port);

	send_http(c, ws, method, more, body);
	return c;
}

/* Times that a text has come, head included. */
static inline size_t seen(const struct client *c, const char *text)
{
	const char *from = c->in.ptr;
	size_t left = c->in.len;
	size_t count = 0;
	const char *found;

	while (left && (found = memmem(from, left, text, strlen(text)))) {
		count++;
		left -= (size_t)(found + 1 - from);
		from = found + 1;
	}
	return count;
}

/* The head of the answer; its bytes are the client's. */
static inline size_t read_answer(struct client *c, struct dt_http_head *head)
{
	struct dt_fail fail = { 0 };
	size_t used = 0;

	if (c->in.len && dt_http_read_response(dt_buf_str(&c->in), false, head,
	                                       &used, &fail))
		fail_msg("%s", fail.msg);
	return used;
}

static inline unsigned status_of(struct client *c)
{
	struct dt_http_head head = { 0 };

	wait_for(c->w, read_answer(c, &head) || c->is_closed);
	return head.status;
}

/* A header of the answer, or NULL. */
static inline const char *header_of(struct client *c, const char *name)
{
	struct dt_http_head head = { 0 };
	struct dt_str value;

	wait_for(c->w, read_answer(c, &head) || c->is_closed);
	value = dt_http_get(&head, name);
	return value.ptr ? dt_arena_strndup(&c->w->arena, value.ptr, value.len)
	                 : NULL;
}

static inline bool is_whole(struct client *c)
{
	struct dt_http_head head = { 0 };
	size_t used = read_answer(c, &head);

	if (!used)
		return false;
	return head.is_chunked ? seen(c, "\r\n0\r\n\r\n")
	                       : c->in.len >= used + head.length;
}

/* The body once all of it is there; of a stream with the heads of chunks. */
static inline const char *body_of(struct client *c)
{
	struct dt_http_head head = { 0 };
	size_t used;

	wait_for(c->w, is_whole(c) || c->is_closed);
	used = read_answer(c, &head);
	return dt_arena_strndup(&c->w->arena, c->in.ptr + used,
	                        c->in.len - used);
}

/* The status of the answer to a POST. */
static inline unsigned post_status(struct dt_workspace *ws, struct world *w,
                                   const char *more, const char *body)
{
	struct client *c = open_http(ws, w, "POST", more, body);
	unsigned status = status_of(c);

	drop(c);
	return status;
}

/* Begin a session over HTTP.  Returns its header line. */
static inline const char *begin_http(struct dt_workspace *ws, struct world *w,
                                     const char *version, const char *client)
{
	struct client *c = open_http(
		ws, w, "POST", "",
		text_of(w,
	                "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":"
	                "\"initialize\",\"params\":{\"protocolVersion\":\"%s\","
	                "\"capabilities\":{%s}}}",
	                version, client));
	const char *line;

	assert_int_equal(status_of(c), 200);
	line = text_of(w, "Mcp-Session-Id: %s\r\nMCP-Protocol-Version: %s\r\n",
	               header_of(c, "mcp-session-id"), version);
	drop(c);
	c = open_http(ws, w, "POST", line,
	              "{\"jsonrpc\":\"2.0\",\"method\":"
	              "\"notifications/initialized\"}");
	assert_int_equal(status_of(c), 202);
	drop(c);
	return line;
}

/* A call of a fixture as the body of a POST. */
static inline char *call_body(struct world *w, unsigned id, const char *tool)
{
	return text_of(w,
	               "{\"jsonrpc\":\"2.0\",\"id\":%u,\"method\":"
	               "\"tools/call\",\"params\":{\"name\":\"%s\"}}",
	               id, tool);
}

/* A modern one; the headers say what it says. */
static inline struct client *post_modern(struct dt_workspace *ws,
                                         struct world *w, const char *tool,
                                         const char *client)
{
	return open_http(
		ws, w, "POST",
		text_of(w,
	                "MCP-Protocol-Version: 2026-07-28\r\n"
	                "Mcp-Method: tools/call\r\nMcp-Name: %s\r\n",
	                tool),
		text_of(w,
	                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":"
	                "\"tools/call\",\"params\":{\"name\":\"%s\",\"_meta\":{"
	                "\"progressToken\":1," VERSION_KEY
	                ":\"2026-07-28\"," CLIENT_KEY ":{%s}}}}",
	                tool, client));
}

/* WebSocket */

/* At /mcp, with the real tools.  `more` is header lines. */
static inline struct client *connect_mcp(struct dt_workspace *ws,
                                         struct world *w, const char *more,
                                         const char **out_id)
{
	struct client *c = connect_raw(w, ws->record.port);
	struct dt_http_head head;
	char key[DT_HANDSHAKE_KEY];
	size_t used = 0;

	dt_handshake_make_key(key);
	send_raw(c, text_of(w,
	                    "GET /mcp HTTP/1.1\r\nHost: 127.0.0.1:%u\r\n"
	                    "Connection: Upgrade\r\nUpgrade: websocket\r\n"
	                    "Sec-WebSocket-Version: 13\r\n"
	                    "Sec-WebSocket-Key: %s\r\n"
	                    "Sec-WebSocket-Protocol: mcp\r\n"
	                    "Authorization: Bearer %s\r\n%s\r\n",
	                    ws->record.port, key, ws->record.token, more));
	wait_for(w, (used = read_answer(c, &head)));
	assert_int_equal(head.status, 101);
	if (out_id)
		*out_id = header_of(c, "mcp-session-id");
	start_link(c, dt_link_ws_new(c->stream, DT_WS_CLIENT,
	                             (struct dt_str){ c->in.ptr + used,
	                                              c->in.len - used }));
	return c;
}

#endif
