/* test/unit/link/test_http_conn.c - the server's end of HTTP over a socket. */
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
};

#define PLAIN "text/plain"
/* A reply of this server up to the body. */
#define REPLY(status, len)                                                     \
	"HTTP/1.1 " status "\r\nContent-Type: " PLAIN                          \
	"\r\nCache-Control: no-store\r\nContent-Length: " len "\r\n"

static void on_request(struct dt_http_conn *conn,
                       const struct dt_http_head *head, struct dt_str body,
                       void *owner)
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
	} else if (dt_str_is(head->target, "/ws")) {
		assert_ok(dt_handshake_check(head, &status, NULL));
		server->m.link = dt_http_conn_upgrade(conn, head, "mcp", NULL);
		dt_link_start(server->m.link, &messages_events, &server->m);
	} else {
		dt_http_conn_reply(conn, 200, PLAIN, DT_STR("ok\n"), NULL);
	}
}

static bool on_body(struct dt_http_conn *conn, const struct dt_http_head *head,
                    void *owner)
{
	(void)owner;
	if (!dt_str_is(head->target, "/unwanted"))
		return true;
	dt_http_conn_reply(conn, 401, PLAIN, DT_STR("no\n"), NULL);
	return false;
}

static void on_end(struct dt_http_conn *conn, void *owner)
{
	struct server *server = owner;

	assert_ptr_equal(conn, server->conn);
	server->conn = NULL;
	server->ended++;
}

static const struct dt_http_conn_events events = {
	.on_request = on_request,
	.on_body = on_body,
	.on_end = on_end,
};

static void begin(struct server *server)
{
	*server = (struct server){ 0 };
	dt_buf_init(&server->asked, SIZE_MAX);
	dt_buf_init(&server->m.heard, SIZE_MAX);
	dt_buf_init(&server->m.tapped, SIZE_MAX);
	server->m.trick = DO_ECHO;
	sockets_open_tcp(&server->m.s);
	server->conn = dt_http_conn_new(server->m.s.stream, &events, server);
}

static void end(struct server *server)
{
	sockets_close(&server->m.s);
	assert_int_equal(server->ended, 1);
	dt_buf_done(&server->asked);
	dt_buf_done(&server->m.heard);
	dt_buf_done(&server->m.tapped);
}

static void expect_ok(struct server *server)
{
	sockets_expect_z(&server->m.s, REPLY("200 OK", "3") "\r\nok\n");
}

/* A refusal with this status and a sentence, then the end. */
static void expect_refusal(struct server *server, const char *status)
{
	char start[64];
	struct sockets *s = &server->m.s;

	snprintf(start, sizeof(start), "HTTP/1.1 %s\r\n", status);
	sockets_expect_z(s, start);
	sockets_until(s, (sockets_read(s), s->is_ended));
	assert_non_null(strstr(dt_buf_z(&s->got), "\r\nConnection: close\r\n"));
	assert_int_equal(s->got.ptr[s->got.len - 1], '\n');
	dt_buf_clear(&s->got);
}

#define HEAD(line) line " HTTP/1.1\r\nHost: x\r\n"

test(requests_follow_one_another_on_one_connection)
{
	struct server server;

	begin(&server);
	sockets_put_z(&server.m.s, HEAD("GET /a") "\r\n");
	expect_ok(&server);
	sockets_put_z(&server.m.s,
	              HEAD("POST /b") "Content-Length: 4\r\n\r\nbo");
	sockets_turn(&server.m.s, 5);
	assert_int_equal(server.count, 1);
	sockets_put_z(&server.m.s, "dy");
	expect_ok(&server);
	assert_str(dt_buf_str(&server.asked), "GET /a |POST /b body|");
	assert_int_equal(server.ended, 0);
	end(&server);
}

test(a_request_may_come_byte_by_byte)
{
	static const char bytes[] = HEAD(
		"PUT /a") "Transfer-Encoding: chunked\r\n\r\n"
			  "3\r\nabc\r\n02;x=y\r\nde\r\n0\r\nT: u\r\n\r\n" HEAD(
				  "GET /b") "\r\n";
	struct server server;

	begin(&server);
	for (size_t i = 0; i < sizeof(bytes) - 1; i++) {
		sockets_put(&server.m.s, bytes + i, 1);
		sockets_turn(&server.m.s, 2);
	}
	expect_ok(&server);
	expect_ok(&server);
	assert_str(dt_buf_str(&server.asked), "PUT /a abcde|GET /b |");
	end(&server);
}

test(pipelined_requests_are_answered_in_order)
{
	struct server server;

	begin(&server);
	sockets_put_z(
		&server.m.s,
		HEAD("GET /a") "\r\n" HEAD("POST /extra") "Content-Length: 2\r\n\r\nhi" HEAD(
			"GET /c") "\r\n");
	expect_ok(&server);
	sockets_expect_z(&server.m.s, REPLY("405 Method Not Allowed",
	                                    "3") "Allow: GET\r\n\r\nno\n");
	expect_ok(&server);
	assert_str(dt_buf_str(&server.asked),
	           "GET /a |POST /extra hi|GET /c |");
	end(&server);
}

test(a_request_to_close_is_the_last_one)
{
	struct server server;

	begin(&server);
	sockets_put_z(&server.m.s,
	              HEAD("GET /a") "Connection: close\r\n\r\n" HEAD(
			      "GET /b") "\r\n");
	sockets_expect_z(&server.m.s,
	                 REPLY("200 OK", "3") "Connection: close\r\n\r\nok\n");
	sockets_expect_end(&server.m.s);
	assert_str(dt_buf_str(&server.asked), "GET /a |");
	end(&server);
}

test(http_1_0_closes_by_itself)
{
	struct server server;

	begin(&server);
	sockets_put_z(&server.m.s, "GET /a HTTP/1.0\r\nHost: x\r\n\r\n");
	sockets_expect_z(&server.m.s,
	                 REPLY("200 OK", "3") "Connection: close\r\n\r\nok\n");
	sockets_expect_end(&server.m.s);
	end(&server);
}

test(the_answer_to_head_has_no_body)
{
	struct server server;

	begin(&server);
	sockets_put_z(&server.m.s,
	              HEAD("HEAD /a") "\r\n" HEAD("GET /b") "\r\n");
	sockets_expect_z(&server.m.s, REPLY("200 OK", "3") "\r\n");
	expect_ok(&server);
	end(&server);
}

test(who_expects_100_gets_it_before_the_body_is_sent)
{
	struct server server;

	begin(&server);
	sockets_put_z(
		&server.m.s,
		HEAD("POST /a") "Expect: 100-continue\r\nContent-Length: 2\r\n\r\n");
	sockets_expect_z(&server.m.s, "HTTP/1.1 100 Continue\r\n\r\n");
	assert_int_equal(server.count, 0);
	sockets_put_z(&server.m.s, "o");
	sockets_turn(&server.m.s, 5);
	sockets_put_z(&server.m.s, "k");
	expect_ok(&server); /* and no second 100 */
	assert_str(dt_buf_str(&server.asked), "POST /a ok|");
	end(&server);
}

test(a_large_body_is_read_whole)
{
	size_t len = 5 * DT_MIB;
	char *body = dt_alloc(len);
	struct server server;
	char head[128];

	memset(body, 'x', len);
	begin(&server);
	snprintf(head, sizeof(head),
	         HEAD("POST /a") "Content-Length: %zu\r\n\r\n", len);
	sockets_put_z(&server.m.s, head);
	sockets_put(&server.m.s, body, len);
	expect_ok(&server);
	assert_int_equal(server.asked.len, strlen("POST /a |") + len);
	free(body);
	end(&server);
}

/* refusals */

static void check_refusal(const char *bytes, const char *status)
{
	struct server server;

	begin(&server);
	sockets_put_z(&server.m.s, bytes);
	expect_refusal(&server, status);
	assert_int_equal(server.count, 0);
	end(&server);
}

test(bytes_that_are_no_request_are_refused)
{
	check_refusal("hello\r\n\r\n", "400 Bad Request");
	check_refusal("GET / HTTP/1.1\r\n\r\n", "400 Bad Request");
	check_refusal(HEAD("POST /") "Content-Length: 1\r\n"
	                             "Transfer-Encoding: chunked\r\n\r\n",
	              "400 Bad Request");
	check_refusal(HEAD("POST /") "Transfer-Encoding: chunked\r\n\r\nx\r\n",
	              "400 Bad Request");
}

test(a_head_that_is_too_large_is_refused_although_more_comes)
{
	size_t len = 200 * DT_KIB;
	char *bytes = dt_alloc(len + 1);
	struct server server;

	memset(bytes, 'x', len);
	memcpy(bytes, HEAD("GET /") "A: ", strlen(HEAD("GET /") "A: "));
	begin(&server);
	sockets_put(&server.m.s, bytes, len);
	expect_refusal(&server, "431 Request Header Fields Too Large");
	free(bytes);
	end(&server);
}

test(a_body_that_is_too_large_is_refused_before_it_comes)
{
	check_refusal(
		HEAD("POST /") "Expect: 100-continue\r\nContent-Length: 67108865\r\n\r\n",
		"413 Content Too Large");
	check_refusal(HEAD("POST /") "Transfer-Encoding: chunked\r\n\r\n"
	                             "4000001\r\n",
	              "413 Content Too Large");
}

test(a_body_that_is_not_wanted_is_refused_before_it_comes)
{
	check_refusal(
		HEAD("POST /unwanted") "Expect: 100-continue\r\nContent-Length: 5\r\n\r\n",
		"401 Unauthorized");
	check_refusal(HEAD("POST /unwanted") "Content-Length: 5\r\n\r\nhello",
	              "401 Unauthorized");
}

test(a_slow_request_gets_408_however_it_drips)
{
	struct server server;

	begin(&server);
	dt_http_conn_set_patience(server.conn, 30, 60000);
	for (int i = 0; i < 1000 && !server.m.s.got.len; i++) {
		assert_int_equal(write(server.m.s.fd, i ? "x" : "GET /", 1), 1);
		usleep(1000);
		sockets_turn(&server.m.s, 1);
		sockets_read(&server.m.s);
	}
	assert_true(server.m.s.got.len > 0); /* while it still dripped */
	expect_refusal(&server, "408 Request Timeout");
	end(&server);
}

test(a_slow_body_gets_408_too)
{
	struct server server;

	begin(&server);
	dt_http_conn_set_patience(server.conn, 20, 60000);
	sockets_put_z(&server.m.s,
	              HEAD("POST /") "Content-Length: 4\r\n\r\nab");
	expect_refusal(&server, "408 Request Timeout");
	assert_int_equal(server.count, 0);
	end(&server);
}

test(who_says_nothing_is_hung_up_on)
{
	struct server server;

	begin(&server);
	dt_http_conn_set_patience(server.conn, 10, 60000);
	sockets_expect_end(&server.m.s);
	end(&server);
}

test(an_idle_connection_ends_without_a_word)
{
	struct server server;

	begin(&server);
	dt_http_conn_set_patience(server.conn, 60000, 10);
	sockets_put_z(&server.m.s, HEAD("GET /a") "\r\n");
	expect_ok(&server);
	sockets_expect_end(&server.m.s);
	end(&server);
}

/* ends */

test(closing_in_a_request_sends_nothing)
{
	struct server server;

	begin(&server);
	sockets_put_z(&server.m.s,
	              HEAD("GET /close") "\r\n" HEAD("GET /b") "\r\n");
	sockets_expect_end(&server.m.s);
	assert_str(dt_buf_str(&server.asked), "GET /close |");
	end(&server);
}

test(a_client_that_vanishes_ends_the_connection)
{
	struct server server;

	begin(&server);
	sockets_put_z(&server.m.s,
	              HEAD("POST /") "Content-Length: 4\r\n\r\nab");
	sockets_hang_up(&server.m.s);
	sockets_until(&server.m.s, server.ended);
	assert_int_equal(server.count, 0);
	end(&server);
}

test(who_does_not_read_answers_is_not_read_from)
{
	const char *ask = HEAD("GET /large") "\r\n";
	struct server server;
	int asked = 0;

	begin(&server);
	/* Ask until the answers stop being made. */
	for (int idle = 0; idle < 20; idle++) {
		int before = server.count;

		if (write(server.m.s.fd, ask, strlen(ask)) > 0)
			asked++;
		usleep(1000);
		sockets_turn(&server.m.s, 2);
		if (server.count > before)
			idle = 0;
		assert_true(asked < 100);
	}
	assert_true(server.count < asked);
	/* All of them come, once they are read. */
	sockets_until(&server.m.s,
	              (sockets_read(&server.m.s), dt_buf_clear(&server.m.s.got),
	               server.count == asked));
	dt_buf_clear(&server.m.s.got);
	end(&server);
}

/* upgrade */

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

test(an_upgrade_ends_the_connection_and_begins_a_link)
{
	struct server server;

	begin(&server);
	sockets_put_z(&server.m.s, HEAD("GET /a") "\r\n");
	expect_ok(&server);
	sockets_put_z(&server.m.s, UPGRADE);
	sockets_expect_z(&server.m.s, ACCEPTED);
	assert_int_equal(server.ended, 1);
	sockets_put(&server.m.s, "\x81\x82\0\0\0\0hi", 8);
	sockets_expect(&server.m.s, "\x81\x02hi", 4);
	sockets_hang_up(&server.m.s);
	sockets_until(&server.m.s, server.m.closed);
	end(&server);
}

test(frames_behind_the_upgrade_are_not_lost)
{
	static const char bytes[] =
		UPGRADE "\x81\x82\0\0\0\0hi\x81\x82\0\0\0\0yo";

	for (size_t cut = 0; cut < 16; cut++) {
		size_t first = sizeof(bytes) - 1 - cut;
		struct server server;

		begin(&server);
		sockets_put(&server.m.s, bytes, first);
		sockets_expect_z(&server.m.s, ACCEPTED);
		sockets_put(&server.m.s, bytes + first, cut);
		sockets_expect(&server.m.s, "\x81\x02hi\x81\x02yo", 8);
		assert_str(dt_buf_str(&server.m.heard), "hi|yo|");
		sockets_hang_up(&server.m.s);
		sockets_until(&server.m.s, server.m.closed);
		end(&server);
	}
}

test(a_fault_right_behind_the_upgrade_is_answered_as_a_websocket)
{
	struct server server;

	begin(&server);
	sockets_put(&server.m.s, UPGRADE "\x81\x02hi", strlen(UPGRADE) + 4);
	sockets_expect_z(&server.m.s, ACCEPTED);
	sockets_wait(&server.m.s, 4);
	assert_memory_equal(server.m.s.got.ptr, "\x88", 1);
	assert_memory_equal(server.m.s.got.ptr + 2, "\x03\xea", 2);
	dt_buf_clear(&server.m.s.got);
	sockets_hang_up(&server.m.s);
	sockets_until(&server.m.s, server.m.closed);
	assert_int_equal(server.m.why.code, DT_E_PROTO);
	end(&server);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(requests_follow_one_another_on_one_connection),
		cmocka_unit_test(a_request_may_come_byte_by_byte),
		cmocka_unit_test(pipelined_requests_are_answered_in_order),
		cmocka_unit_test(a_request_to_close_is_the_last_one),
		cmocka_unit_test(http_1_0_closes_by_itself),
		cmocka_unit_test(the_answer_to_head_has_no_body),
		cmocka_unit_test(
			who_expects_100_gets_it_before_the_body_is_sent),
		cmocka_unit_test(a_large_body_is_read_whole),
		cmocka_unit_test(bytes_that_are_no_request_are_refused),
		cmocka_unit_test(
			a_head_that_is_too_large_is_refused_although_more_comes),
		cmocka_unit_test(
			a_body_that_is_too_large_is_refused_before_it_comes),
		cmocka_unit_test(
			a_body_that_is_not_wanted_is_refused_before_it_comes),
		cmocka_unit_test(a_slow_request_gets_408_however_it_drips),
		cmocka_unit_test(a_slow_body_gets_408_too),
		cmocka_unit_test(who_says_nothing_is_hung_up_on),
		cmocka_unit_test(an_idle_connection_ends_without_a_word),
		cmocka_unit_test(closing_in_a_request_sends_nothing),
		cmocka_unit_test(a_client_that_vanishes_ends_the_connection),
		cmocka_unit_test(who_does_not_read_answers_is_not_read_from),
		cmocka_unit_test(
			an_upgrade_ends_the_connection_and_begins_a_link),
		cmocka_unit_test(frames_behind_the_upgrade_are_not_lost),
		cmocka_unit_test(
			a_fault_right_behind_the_upgrade_is_answered_as_a_websocket),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
