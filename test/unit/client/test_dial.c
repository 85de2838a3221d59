/* test/unit/client/test_dial.c - a client's WebSocket against a small server. */
#include "client/dial.h"

#include "base/limits.h"
#include "link/http_conn.h"
#include "sockets.h"
#include "wire/handshake.h"

/* Both ends, on one loop. */
struct trial {
	struct sockets s;
	unsigned port;
	struct dt_http_conn *conn;
	struct dt_link *server;
	struct dt_link *client;
	const char *protocol; /* the server's choice */
	unsigned refusal;     /* 0: let in */
	bool is_raw;          /* the server says "nonsense" */
	int count;            /* of callbacks */
	struct dt_fail why;
	struct dt_buf heard;
	struct dt_buf token;
};

static void on_message(struct dt_link *link, struct dt_str message, void *owner)
{
	struct trial *t = owner;

	(void)link;
	dt_buf_add_str(&t->heard, message);
	dt_buf_add_char(&t->heard, '|');
}

static void on_link_closed(struct dt_link *link, const struct dt_fail *why,
                           void *owner)
{
	struct trial *t = owner;

	(void)why;
	if (link == t->client)
		t->client = NULL;
	else
		t->server = NULL;
}

static const struct dt_link_events link_events = {
	.on_message = on_message,
	.on_closed = on_link_closed,
};

static void on_request(struct dt_http_conn *conn,
                       const struct dt_http_head *head, struct dt_str body,
                       void *owner)
{
	struct trial *t = owner;
	unsigned status;

	(void)body;
	dt_buf_add_str(&t->token, dt_http_get(head, "x-token"));
	assert_str(dt_http_get(head, "sec-websocket-protocol"), "mcp");
	assert_ok(dt_handshake_check(head, &status, NULL));
	if (t->refusal) {
		dt_http_conn_reply(conn, t->refusal, "text/plain",
		                   DT_STR("no\n"), NULL);
		return;
	}
	t->server = dt_http_conn_upgrade(conn, head, t->protocol, NULL);
	dt_link_start(t->server, &link_events, t);
	/* It may arrive with the handshake's own bytes. */
	dt_link_send(t->server, DT_STR("early"));
}

static bool on_body(struct dt_http_conn *conn, const struct dt_http_head *head,
                    void *owner)
{
	(void)conn;
	(void)head;
	(void)owner;
	return true;
}

static void on_conn_end(struct dt_http_conn *conn, void *owner)
{
	struct trial *t = owner;

	(void)conn;
	t->conn = NULL;
}

static const struct dt_http_conn_events conn_events = {
	.on_request = on_request,
	.on_body = on_body,
	.on_end = on_conn_end,
};

static void on_raw_read(struct dt_stream *stream, char *bytes, size_t len,
                        void *owner)
{
	struct dt_str nonsense = DT_STR("nonsense\r\n\r\n");

	(void)bytes;
	(void)len;
	(void)owner;
	dt_stream_write(stream, &nonsense, 1);
}

static void on_raw_closed(struct dt_stream *stream, const struct dt_fail *why,
                          void *owner)
{
	(void)stream;
	(void)why;
	(void)owner;
}

static const struct dt_stream_events raw_events = {
	.on_read = on_raw_read,
	.on_closed = on_raw_closed,
};

static void on_accept(struct dt_listener *listener, struct dt_stream *stream,
                      void *owner)
{
	struct trial *t = owner;

	dt_listener_close(listener);
	t->s.listener = NULL;
	if (t->is_raw)
		dt_stream_start(stream, &raw_events, t);
	else
		t->conn = dt_http_conn_new(stream, &conn_events, t);
}

static void on_dialled(struct dt_link *link, const struct dt_fail *fail,
                       void *owner)
{
	struct trial *t = owner;

	t->count++;
	assert_true(!link == (fail != NULL));
	if (fail) {
		t->why = *fail;
		return;
	}
	t->client = link;
	dt_link_start(link, &link_events, t);
	dt_link_send(link, DT_STR("hello"));
}

static void begin(struct trial *t)
{
	sockets_init(&t->s);
	dt_buf_init(&t->heard, DT_KIB);
	dt_buf_init(&t->token, DT_KIB);
	t->protocol = t->protocol ? t->protocol : "mcp";
	do
		t->port = sockets_free_port();
	while (dt_listen_tcp(t->s.loop, t->port, on_accept, t, &t->s.listener,
	                     NULL));
}

static void dial(struct trial *t)
{
	const struct dt_dial_spec spec = {
		.port = t->port,
		.protocol = "mcp",
		.auth_header = "X-Token",
		.token = "secret",
	};

	dt_dial(t->s.loop, &spec, on_dialled, t);
	assert_int_equal(t->count, 0);
	sockets_until(&t->s, t->count);
}

static void finish(struct trial *t)
{
	assert_int_equal(t->count, 1);
	if (t->client)
		dt_link_close(t->client, DT_LINK_DONE, "");
	dt_loop_run(t->s.loop);
	assert_int_equal(t->count, 1);
	assert_null(t->client);
	assert_null(t->server);
	dt_buf_done(&t->heard);
	dt_buf_done(&t->token);
	sockets_close(&t->s);
}

test(a_link_is_made_and_carries_messages_both_ways)
{
	struct trial t = { 0 };

	begin(&t);
	dial(&t);
	assert_non_null(t.client);
	sockets_until(&t.s, t.heard.len == strlen("early|hello|"));
	assert_str(dt_buf_str(&t.token), "secret");
	finish(&t);
}

test(a_refusal_is_told_by_its_status)
{
	struct trial t = { .refusal = 401 };

	begin(&t);
	dial(&t);
	assert_int_equal(t.why.code, DT_E_DENIED);
	assert_non_null(strstr(t.why.msg, "401"));
	finish(&t);
}

test(a_protocol_nobody_offered_is_refused)
{
	struct trial t = { .protocol = "other" };

	begin(&t);
	dial(&t);
	assert_int_equal(t.why.code, DT_E_PROTO);
	finish(&t);
}

test(what_is_not_http_is_refused)
{
	struct trial t = { .is_raw = true };

	begin(&t);
	dial(&t);
	assert_int_equal(t.why.code, DT_E_PROTO);
	finish(&t);
}

test(nobody_there_is_the_systems_word)
{
	struct trial t = { 0 };

	begin(&t);
	dt_listener_close(t.s.listener);
	t.s.listener = NULL;
	sockets_turn(&t.s, 3);
	dial(&t);
	assert_int_equal(t.why.code, DT_E_SYS);
	assert_int_equal(t.why.sys_errno, ECONNREFUSED);
	finish(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_link_is_made_and_carries_messages_both_ways),
		cmocka_unit_test(a_refusal_is_told_by_its_status),
		cmocka_unit_test(a_protocol_nobody_offered_is_refused),
		cmocka_unit_test(what_is_not_http_is_refused),
		cmocka_unit_test(nobody_there_is_the_systems_word),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
