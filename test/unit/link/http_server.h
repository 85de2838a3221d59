/* test/unit/link/http_server.h - a small HTTP server and who asks it. */
#ifndef DT_TEST_HTTP_SERVER_H
#define DT_TEST_HTTP_SERVER_H

#include "link/http_conn.h"

#include "base/limits.h"
#include "messages.h"
#include "wire/handshake.h"

/* A small server: what is asked for says what happens. */
struct server {
	struct messages m; /* of the link, once there is one */
	struct dt_http_conn *conn;
	struct dt_buf asked; /* "GET /path body|" */
	int count;
	int ended;
	int held; /* requests that wait for the test to answer */
	int gone;
};

#define PLAIN "text/plain"
/* A reply of this server up to the body. */
#define REPLY(status, len)                                                     \
	"HTTP/1.1 " status "\r\nContent-Type: " PLAIN                          \
	"\r\nCache-Control: no-store\r\nContent-Length: " len "\r\n"

static inline void server_on_gone(struct dt_http_conn *conn, void *owner)
{
	struct server *server = owner;

	assert_ptr_equal(conn, server->conn);
	assert_int_equal(server->ended, 0);
	server->gone++;
}

static inline void server_on_request(struct dt_http_conn *conn,
                                     const struct dt_http_head *head,
                                     struct dt_str body, void *owner)
{
	struct server *server = owner;
	unsigned status = 0;

	server->count++;
	dt_buf_addf(&server->asked, "%.*s %.*s %.*s|", DT_STR_ARG(head->method),
	            DT_STR_ARG(head->target), (int)body.len,
	            body.len ? body.ptr : "");
	if (dt_str_is(head->target, "/large")) {
		char *large = dt_alloc(DT_MIB);

		dt_http_conn_reply(conn, 200, PLAIN,
		                   (struct dt_str){ large, DT_MIB }, NULL);
		free(large);
	} else if (dt_str_is(head->target, "/close")) {
		dt_http_conn_close(conn);
		dt_http_conn_close(conn);
	} else if (dt_str_is(head->target, "/extra")) {
		dt_http_conn_reply(conn, 405, PLAIN, DT_STR("no\n"),
		                   "Allow: GET");
	} else if (dt_str_is(head->target, "/hold")) {
		server->held++;
		dt_http_conn_hold(conn, server_on_gone, server);
	} else if (dt_str_is(head->target, "/held-now")) {
		dt_http_conn_hold(conn, server_on_gone, server);
		dt_http_conn_reply(conn, 200, PLAIN, DT_STR("ok\n"), NULL);
	} else if (dt_str_is(head->target, "/ws")) {
		assert_ok(dt_handshake_check(head, &status, NULL));
		server->m.link = dt_http_conn_upgrade(conn, head, "mcp", NULL);
		dt_link_start(server->m.link, &messages_events, &server->m);
	} else {
		dt_http_conn_reply(conn, 200, PLAIN, DT_STR("ok\n"), NULL);
	}
}

static inline bool server_on_body(struct dt_http_conn *conn,
                                  const struct dt_http_head *head, void *owner)
{
	(void)owner;
	if (!dt_str_is(head->target, "/unwanted"))
		return true;
	dt_http_conn_reply(conn, 401, PLAIN, DT_STR("no\n"), NULL);
	return false;
}

static inline void server_on_end(struct dt_http_conn *conn, void *owner)
{
	struct server *server = owner;

	assert_ptr_equal(conn, server->conn);
	server->conn = NULL;
	server->ended++;
}

static const struct dt_http_conn_events server_events = {
	.on_request = server_on_request,
	.on_body = server_on_body,
	.on_end = server_on_end,
};

static inline void server_open(struct server *server)
{
	*server = (struct server){ 0 };
	dt_buf_init(&server->asked, SIZE_MAX);
	dt_buf_init(&server->m.heard, SIZE_MAX);
	dt_buf_init(&server->m.tapped, SIZE_MAX);
	server->m.trick = DO_ECHO;
	sockets_open_tcp(&server->m.s);
	server->conn =
		dt_http_conn_new(server->m.s.stream, &server_events, server);
}

static inline void server_close(struct server *server)
{
	sockets_close(&server->m.s);
	assert_int_equal(server->ended, 1);
	dt_buf_done(&server->asked);
	dt_buf_done(&server->m.heard);
	dt_buf_done(&server->m.tapped);
}

static inline void server_expect_ok(struct server *server)
{
	sockets_expect_z(&server->m.s, REPLY("200 OK", "3") "\r\nok\n");
}

#define HEAD(line) line " HTTP/1.1\r\nHost: x\r\n"

/* Ask, and wait until the answer is due. */
static inline void server_hold(struct server *server, const char *request)
{
	int held = server->held;

	sockets_put_z(&server->m.s, request);
	sockets_until(&server->m.s, server->held > held);
}

static inline void server_answer(struct server *server, const char *text)
{
	dt_http_conn_reply(server->conn, 200, PLAIN, dt_str(text), NULL);
}

#define UPGRADE                                                                \
	HEAD("GET /ws")                                                        \
	"Connection: keep-alive, Upgrade\r\nUpgrade: websocket\r\n"            \
	"Sec-WebSocket-Version: 13\r\n"                                        \
	"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
#define ACCEPTED                                                               \
	"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"           \
	"Connection: Upgrade\r\n"                                              \
	"Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"               \
	"Sec-WebSocket-Protocol: mcp\r\n\r\n"

#endif
