/* test/unit/link/test_http_conn.c - the server's end of HTTP over a socket. */
#include "http_server.h"

test(requests_follow_one_another_on_one_connection)
{
	struct server server;

	server_open(&server);
	sockets_put_z(&server.m.s, HEAD("GET /a") "\r\n");
	server_expect_ok(&server);
	sockets_put_z(&server.m.s,
	              HEAD("POST /b") "Content-Length: 4\r\n\r\nbo");
	sockets_turn(&server.m.s, 5);
	assert_int_equal(server.count, 1);
	sockets_put_z(&server.m.s, "dy");
	server_expect_ok(&server);
	assert_str(dt_buf_str(&server.asked), "GET /a |POST /b body|");
	assert_int_equal(server.ended, 0);
	server_close(&server);
}

test(a_request_may_come_byte_by_byte)
{
	static const char bytes[] = HEAD(
		"PUT /a") "Transfer-Encoding: chunked\r\n\r\n"
			  "3\r\nabc\r\n02;x=y\r\nde\r\n0\r\nT: u\r\n\r\n" HEAD(
				  "GET /b") "\r\n";
	struct server server;

	server_open(&server);
	for (size_t i = 0; i < sizeof(bytes) - 1; i++) {
		sockets_put(&server.m.s, bytes + i, 1);
		sockets_turn(&server.m.s, 2);
	}
	server_expect_ok(&server);
	server_expect_ok(&server);
	assert_str(dt_buf_str(&server.asked), "PUT /a abcde|GET /b |");
	server_close(&server);
}

test(pipelined_requests_are_answered_in_order)
{
	struct server server;

	server_open(&server);
	sockets_put_z(
		&server.m.s,
		HEAD("GET /a") "\r\n" HEAD("POST /extra") "Content-Length: 2\r\n\r\nhi" HEAD(
			"GET /c") "\r\n");
	server_expect_ok(&server);
	sockets_expect_z(&server.m.s, REPLY("405 Method Not Allowed",
	                                    "3") "Allow: GET\r\n\r\nno\n");
	server_expect_ok(&server);
	assert_str(dt_buf_str(&server.asked),
	           "GET /a |POST /extra hi|GET /c |");
	server_close(&server);
}

test(a_request_to_close_is_the_last_one)
{
	struct server server;

	server_open(&server);
	sockets_put_z(&server.m.s,
	              HEAD("GET /a") "Connection: close\r\n\r\n" HEAD(
			      "GET /b") "\r\n");
	sockets_expect_z(&server.m.s,
	                 REPLY("200 OK", "3") "Connection: close\r\n\r\nok\n");
	sockets_expect_end(&server.m.s);
	assert_str(dt_buf_str(&server.asked), "GET /a |");
	server_close(&server);
}

test(http_1_0_closes_by_itself)
{
	struct server server;

	server_open(&server);
	sockets_put_z(&server.m.s, "GET /a HTTP/1.0\r\nHost: x\r\n\r\n");
	sockets_expect_z(&server.m.s,
	                 REPLY("200 OK", "3") "Connection: close\r\n\r\nok\n");
	sockets_expect_end(&server.m.s);
	server_close(&server);
}

test(the_answer_to_head_has_no_body)
{
	struct server server;

	server_open(&server);
	sockets_put_z(&server.m.s,
	              HEAD("HEAD /a") "\r\n" HEAD("GET /b") "\r\n");
	sockets_expect_z(&server.m.s, REPLY("200 OK", "3") "\r\n");
	server_expect_ok(&server);
	server_close(&server);
}

test(who_expects_100_gets_it_before_the_body_is_sent)
{
	struct server server;

	server_open(&server);
	sockets_put_z(
		&server.m.s,
		HEAD("POST /a") "Expect: 100-continue\r\nContent-Length: 2\r\n\r\n");
	sockets_expect_z(&server.m.s, "HTTP/1.1 100 Continue\r\n\r\n");
	assert_int_equal(server.count, 0);
	sockets_put_z(&server.m.s, "o");
	sockets_turn(&server.m.s, 5);
	sockets_put_z(&server.m.s, "k");
	server_expect_ok(&server); /* and no second 100 */
	assert_str(dt_buf_str(&server.asked), "POST /a ok|");
	server_close(&server);
}

test(a_large_body_is_read_whole)
{
	size_t len = 5 * DT_MIB;
	char *body = dt_alloc(len);
	struct server server;
	char head[128];

	memset(body, 'x', len);
	server_open(&server);
	snprintf(head, sizeof(head),
	         HEAD("POST /a") "Content-Length: %zu\r\n\r\n", len);
	sockets_put_z(&server.m.s, head);
	sockets_put(&server.m.s, body, len);
	server_expect_ok(&server);
	assert_int_equal(server.asked.len, strlen("POST /a |") + len);
	free(body);
	server_close(&server);
}

/* refusals */

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

static void check_refusal(const char *bytes, const char *status)
{
	struct server server;

	server_open(&server);
	sockets_put_z(&server.m.s, bytes);
	expect_refusal(&server, status);
	assert_int_equal(server.count, 0);
	server_close(&server);
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
	server_open(&server);
	sockets_put(&server.m.s, bytes, len);
	expect_refusal(&server, "431 Request Header Fields Too Large");
	free(bytes);
	server_close(&server);
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

test(a_refusal_of_the_body_of_a_head_request_has_none_itself)
{
	struct server server;

	server_open(&server);
	sockets_put_z(&server.m.s,
	              HEAD("HEAD /unwanted") "Content-Length: 5\r\n\r\n");
	sockets_expect_z(&server.m.s, REPLY("401 Unauthorized",
	                                    "3") "Connection: close\r\n\r\n");
	sockets_expect_end(&server.m.s);
	server_close(&server);
}

test(a_slow_request_gets_408_however_it_drips)
{
	struct server server;

	server_open(&server);
	dt_http_conn_set_patience(server.conn, 30, 60000);
	for (int i = 0; i < 1000 && !server.m.s.got.len; i++) {
		assert_int_equal(write(server.m.s.fd, i ? "x" : "GET /", 1), 1);
		usleep(1000);
		sockets_turn(&server.m.s, 1);
		sockets_read(&server.m.s);
	}
	assert_true(server.m.s.got.len > 0); /* while it still dripped */
	expect_refusal(&server, "408 Request Timeout");
	server_close(&server);
}

test(a_slow_body_gets_408_too)
{
	struct server server;

	server_open(&server);
	dt_http_conn_set_patience(server.conn, 20, 60000);
	sockets_put_z(&server.m.s,
	              HEAD("POST /") "Content-Length: 4\r\n\r\nab");
	expect_refusal(&server, "408 Request Timeout");
	assert_int_equal(server.count, 0);
	server_close(&server);
}

test(who_says_nothing_is_hung_up_on)
{
	struct server server;

	server_open(&server);
	dt_http_conn_set_patience(server.conn, 10, 60000);
	sockets_expect_end(&server.m.s);
	server_close(&server);
}

test(an_idle_connection_ends_without_a_word)
{
	struct server server;

	server_open(&server);
	dt_http_conn_set_patience(server.conn, 60000, 10);
	sockets_put_z(&server.m.s, HEAD("GET /a") "\r\n");
	server_expect_ok(&server);
	sockets_expect_end(&server.m.s);
	server_close(&server);
}

/* ends */

test(closing_in_a_request_sends_nothing)
{
	struct server server;

	server_open(&server);
	sockets_put_z(&server.m.s,
	              HEAD("GET /close") "\r\n" HEAD("GET /b") "\r\n");
	sockets_expect_end(&server.m.s);
	assert_str(dt_buf_str(&server.asked), "GET /close |");
	server_close(&server);
}

test(a_client_that_vanishes_ends_the_connection)
{
	struct server server;

	server_open(&server);
	sockets_put_z(&server.m.s,
	              HEAD("POST /") "Content-Length: 4\r\n\r\nab");
	sockets_hang_up(&server.m.s);
	sockets_until(&server.m.s, server.ended);
	assert_int_equal(server.count, 0);
	server_close(&server);
}

test(who_does_not_read_answers_is_not_read_from)
{
	const char *ask = HEAD("GET /large") "\r\n";
	struct server server;
	int asked = 0;

	server_open(&server);
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
	server_close(&server);
}

/* upgrade */

test(an_upgrade_ends_the_connection_and_begins_a_link)
{
	struct server server;

	server_open(&server);
	sockets_put_z(&server.m.s, HEAD("GET /a") "\r\n");
	server_expect_ok(&server);
	sockets_put_z(&server.m.s, UPGRADE);
	sockets_expect_z(&server.m.s, ACCEPTED);
	assert_int_equal(server.ended, 1);
	sockets_put(&server.m.s, "\x81\x82\0\0\0\0hi", 8);
	sockets_expect(&server.m.s, "\x81\x02hi", 4);
	sockets_hang_up(&server.m.s);
	sockets_until(&server.m.s, server.m.closed);
	server_close(&server);
}

test(frames_behind_the_upgrade_are_not_lost)
{
	static const char bytes[] =
		UPGRADE "\x81\x82\0\0\0\0hi\x81\x82\0\0\0\0yo";

	for (size_t cut = 0; cut < 16; cut++) {
		size_t first = sizeof(bytes) - 1 - cut;
		struct server server;

		server_open(&server);
		sockets_put(&server.m.s, bytes, first);
		sockets_expect_z(&server.m.s, ACCEPTED);
		sockets_put(&server.m.s, bytes + first, cut);
		sockets_expect(&server.m.s, "\x81\x02hi\x81\x02yo", 8);
		assert_str(dt_buf_str(&server.m.heard), "hi|yo|");
		sockets_hang_up(&server.m.s);
		sockets_until(&server.m.s, server.m.closed);
		server_close(&server);
	}
}

test(a_fault_right_behind_the_upgrade_is_answered_as_a_websocket)
{
	struct server server;

	server_open(&server);
	sockets_put(&server.m.s, UPGRADE "\x81\x02hi", strlen(UPGRADE) + 4);
	sockets_expect_z(&server.m.s, ACCEPTED);
	sockets_wait(&server.m.s, 4);
	assert_memory_equal(server.m.s.got.ptr, "\x88", 1);
	assert_memory_equal(server.m.s.got.ptr + 2, "\x03\xea", 2);
	dt_buf_clear(&server.m.s.got);
	sockets_hang_up(&server.m.s);
	sockets_until(&server.m.s, server.m.closed);
	assert_int_equal(server.m.why.code, DT_E_PROTO);
	server_close(&server);
}

/* held requests */

#define HOLD HEAD("GET /hold") "\r\n"

test(a_held_request_is_answered_later)
{
	struct server server;

	server_open(&server);
	server_hold(&server, HOLD);
	sockets_turn(&server.m.s, 20);
	assert_false(sockets_read(&server.m.s));
	server_answer(&server, "ok\n");
	server_expect_ok(&server);
	/* And the connection goes on. */
	sockets_put_z(&server.m.s, HEAD("GET /a") "\r\n");
	server_expect_ok(&server);
	server_close(&server);
	assert_int_equal(server.gone, 0);
}

test(what_is_asked_behind_a_held_request_waits_for_its_answer)
{
	struct server server;

	server_open(&server);
	server_hold(&server, HOLD HEAD("GET /a") "\r\n");
	sockets_put_z(&server.m.s, HOLD HEAD("POST /b") "Content-Length: 2\r\n"
	                                                "\r\nh");
	sockets_turn(&server.m.s, 20);
	assert_str(dt_buf_str(&server.asked), "GET /hold |");
	server_answer(&server, "1\n");
	/* Not inside the call that answers. */
	assert_int_equal(server.count, 1);
	sockets_until(&server.m.s, server.held == 2);
	sockets_put_z(&server.m.s, "i");
	sockets_turn(&server.m.s, 20);
	assert_int_equal(server.count, 3);
	server_answer(&server, "2\n");
	sockets_expect_z(&server.m.s, REPLY("200 OK", "2") "\r\n1\n");
	server_expect_ok(&server);
	sockets_expect_z(&server.m.s, REPLY("200 OK", "2") "\r\n2\n");
	server_expect_ok(&server);
	assert_str(dt_buf_str(&server.asked),
	           "GET /hold |GET /a |GET /hold |POST /b hi|");
	server_close(&server);
}

test(who_asks_on_and_on_is_not_read_until_the_answer)
{
	size_t len = 8 * DT_MIB;
	char *body = dt_alloc(len);
	struct server server;
	char head[128];
	size_t sent = 0;

	memset(body, 'x', len);
	server_open(&server);
	snprintf(head, sizeof(head),
	         HOLD HEAD("POST /a") "Content-Length: %zu\r\n\r\n", len);
	server_hold(&server, head);
	for (int idle = 0; idle < 20; idle++) {
		ssize_t n = write(server.m.s.fd, body + sent, len - sent);

		if (n > 0) {
			sent += (size_t)n;
			idle = 0;
		}
		sockets_turn(&server.m.s, 2);
		usleep(1000);
	}
	assert_true(sent < len); /* the kernel holds it, not we */
	server_answer(&server, "ok\n");
	server_expect_ok(&server);
	sockets_put(&server.m.s, body + sent, len - sent);
	server_expect_ok(&server);
	assert_int_equal(server.count, 2);
	assert_true(server.asked.len > len);
	free(body);
	server_close(&server);
}

test(a_held_request_may_be_answered_in_its_callback)
{
	struct server server;

	server_open(&server);
	sockets_put_z(&server.m.s,
	              HEAD("GET /held-now") "\r\n" HEAD("GET /b") "\r\n");
	server_expect_ok(&server);
	server_expect_ok(&server);
	sockets_put_z(&server.m.s,
	              HEAD("GET /held-now") "Connection: close\r\n\r\n");
	sockets_expect_z(&server.m.s,
	                 REPLY("200 OK", "3") "Connection: close\r\n\r\nok\n");
	sockets_expect_end(&server.m.s);
	assert_int_equal(server.count, 3);
	server_close(&server);
	assert_int_equal(server.gone, 0);
}

test(patience_does_not_run_while_a_request_is_held)
{
	struct server server;

	server_open(&server);
	dt_http_conn_set_patience(server.conn, 10, 10);
	server_hold(&server, HOLD "GE");
	for (int i = 0; i < 30; i++) {
		usleep(1000);
		sockets_turn(&server.m.s, 1);
	}
	sockets_put_z(&server.m.s, "T");
	assert_int_equal(server.ended, 0);
	assert_false(sockets_read(&server.m.s));
	server_answer(&server, "ok\n");
	server_expect_ok(&server);
	/* From now on it does, for the half request that waited. */
	expect_refusal(&server, "408 Request Timeout");
	server_close(&server);
}

test(a_connection_is_idle_from_the_held_answer_on)
{
	struct server server;

	server_open(&server);
	dt_http_conn_set_patience(server.conn, 60000, 10);
	server_hold(&server, HOLD);
	server_answer(&server, "ok\n");
	server_expect_ok(&server);
	sockets_expect_end(&server.m.s);
	server_close(&server);
}

test(a_client_that_hangs_up_on_a_held_request_is_gone_once)
{
	struct server server;

	server_open(&server);
	server_hold(&server, HOLD);
	sockets_hang_up(&server.m.s);
	sockets_until(&server.m.s, server.ended);
	assert_int_equal(server.gone, 1);
	server_close(&server);
	assert_int_equal(server.gone, 1);
}

test(a_client_that_resets_a_held_request_is_gone_once)
{
	struct linger reset = { .l_onoff = 1 };
	struct server server;

	server_open(&server);
	server_hold(&server, HOLD HEAD("GET /a"));
	assert_int_equal(setsockopt(server.m.s.fd, SOL_SOCKET, SO_LINGER,
	                            &reset, sizeof(reset)),
	                 0);
	sockets_hang_up(&server.m.s);
	sockets_until(&server.m.s, server.ended);
	assert_int_equal(server.gone, 1);
	server_close(&server);
}

test(a_held_request_is_gone_too_when_we_close)
{
	struct server server;

	server_open(&server);
	server_hold(&server, HOLD);
	dt_http_conn_close(server.conn);
	assert_int_equal(server.gone, 0); /* as every end, it comes later */
	sockets_expect_end(&server.m.s);
	sockets_until(&server.m.s, server.ended);
	assert_int_equal(server.gone, 1);
	server_close(&server);
}

test(an_answer_that_is_over_is_not_gone)
{
	struct server server;

	server_open(&server);
	server_hold(&server, HOLD);
	dt_http_conn_close(server.conn);
	server_answer(&server, "too late\n");
	sockets_expect_end(&server.m.s);
	server_close(&server);
	assert_int_equal(server.gone, 0);
}

test(an_upgrade_may_follow_a_held_request)
{
	static const char hi[] = "\x81\x82\0\0\0\0hi";
	size_t len = DT_LIMIT_HTTP_HEAD;
	struct server server;
	struct dt_buf bytes;

	/* More than is read before the answer. */
	dt_buf_init(&bytes, SIZE_MAX);
	dt_buf_add_z(&bytes, HOLD UPGRADE);
	for (size_t i = 0; i < len / 8; i++)
		dt_buf_add(&bytes, hi, 8);
	server_open(&server);
	server.m.trick = DO_NOTHING;
	sockets_put(&server.m.s, bytes.ptr, bytes.len);
	sockets_until(&server.m.s, server.held == 1);
	server_answer(&server, "ok\n");
	server_expect_ok(&server);
	sockets_expect_z(&server.m.s, ACCEPTED);
	sockets_put(&server.m.s, hi, 8);
	sockets_until(&server.m.s, server.m.count == (int)(len / 8) + 1);
	sockets_hang_up(&server.m.s);
	sockets_until(&server.m.s, server.m.closed);
	dt_buf_done(&bytes);
	server_close(&server);
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
		cmocka_unit_test(
			a_refusal_of_the_body_of_a_head_request_has_none_itself),
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
		cmocka_unit_test(a_held_request_is_answered_later),
		cmocka_unit_test(
			what_is_asked_behind_a_held_request_waits_for_its_answer),
		cmocka_unit_test(
			who_asks_on_and_on_is_not_read_until_the_answer),
		cmocka_unit_test(
			a_held_request_may_be_answered_in_its_callback),
		cmocka_unit_test(patience_does_not_run_while_a_request_is_held),
		cmocka_unit_test(a_connection_is_idle_from_the_held_answer_on),
		cmocka_unit_test(
			a_client_that_hangs_up_on_a_held_request_is_gone_once),
		cmocka_unit_test(
			a_client_that_resets_a_held_request_is_gone_once),
		cmocka_unit_test(a_held_request_is_gone_too_when_we_close),
		cmocka_unit_test(an_answer_that_is_over_is_not_gone),
		cmocka_unit_test(an_upgrade_may_follow_a_held_request),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
