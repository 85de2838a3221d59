/* test/unit/link/test_http_reply.c - the forms an answer over HTTP has. */
#include "http_server.h"

#define HOLD HEAD("GET /hold") "\r\n"
/* The head of an answer in pieces. */
#define PIECES                                                                 \
	"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"               \
	"Cache-Control: no-store\r\n"

static void begin(struct server *server, const char *request)
{
	server_open(server);
	server_hold(server, request);
	dt_http_conn_begin(server->conn, 200, "text/event-stream", NULL);
}

test(an_answer_may_have_no_body_at_all)
{
	struct server server;

	server_open(&server);
	server_hold(&server, HOLD);
	dt_http_conn_reply(server.conn, 202, NULL, DT_STR("left out"), NULL);
	sockets_expect_z(&server.m.s,
	                 "HTTP/1.1 202 Accepted\r\nCache-Control: no-store\r\n"
	                 "Content-Length: 0\r\n\r\n");
	server_hold(&server, HOLD);
	dt_http_conn_reply(server.conn, 204, NULL, (struct dt_str){ 0 }, NULL);
	sockets_expect_z(&server.m.s, "HTTP/1.1 204 No Content\r\n"
	                              "Cache-Control: no-store\r\n\r\n");
	server_hold(&server, HOLD);
	server_answer(&server, "");
	sockets_expect_z(&server.m.s, REPLY("200 OK", "0") "\r\n");
	server_close(&server);
}

test(an_answer_may_have_several_headers_more)
{
	struct server server;

	server_open(&server);
	server_hold(&server, HOLD);
	dt_http_conn_reply(server.conn, 200, PLAIN, DT_STR("ok\n"),
	                   "A: b\r\nC: d");
	sockets_expect_z(&server.m.s,
	                 REPLY("200 OK", "3") "A: b\r\nC: d\r\n\r\nok\n");
	server_hold(&server, HOLD);
	dt_http_conn_begin(server.conn, 200, "text/event-stream",
	                   "A: b\r\nC: d");
	dt_http_conn_end(server.conn);
	sockets_expect_z(&server.m.s, PIECES "Transfer-Encoding: chunked\r\n"
	                                     "A: b\r\nC: d\r\n\r\n0\r\n\r\n");
	server_close(&server);
}

test(pieces_are_chunks)
{
	struct server server;

	begin(&server, HOLD HEAD("GET /a") "\r\n");
	sockets_expect_z(&server.m.s,
	                 PIECES "Transfer-Encoding: chunked\r\n\r\n");
	dt_http_conn_write(server.conn, DT_STR("hello"));
	sockets_expect_z(&server.m.s, "5\r\nhello\r\n");
	dt_http_conn_write(server.conn, DT_STR("")); /* it is not the end */
	dt_http_conn_write(server.conn, DT_STR("a piece of 22 bytes..."));
	sockets_expect_z(&server.m.s, "16\r\na piece of 22 bytes...\r\n");
	assert_int_equal(server.count, 1);
	dt_http_conn_end(server.conn);
	assert_int_equal(server.count, 1);
	sockets_expect_z(&server.m.s, "0\r\n\r\n");
	server_expect_ok(&server);
	server_close(&server);
	assert_int_equal(server.gone, 0);
}

test(pieces_for_http_1_0_run_to_the_end_of_the_connection)
{
	struct server server;

	begin(&server,
	      "GET /hold HTTP/1.0\r\nHost: x\r\nConnection: keep-alive\r\n\r\n");
	sockets_expect_z(&server.m.s, PIECES "Connection: close\r\n\r\n");
	dt_http_conn_write(server.conn, DT_STR("hello"));
	sockets_expect_z(&server.m.s, "hello");
	dt_http_conn_write(server.conn, DT_STR(""));
	dt_http_conn_write(server.conn, DT_STR("more"));
	dt_http_conn_end(server.conn);
	sockets_expect_z(&server.m.s, "more");
	sockets_expect_end(&server.m.s);
	server_close(&server);
	assert_int_equal(server.gone, 0);
}

test(pieces_are_the_last_words_where_that_was_asked)
{
	struct server server;

	begin(&server, HEAD("GET /hold") "Connection: close\r\n\r\n" HOLD);
	dt_http_conn_write(server.conn, DT_STR("hello"));
	dt_http_conn_end(server.conn);
	sockets_expect_z(&server.m.s, PIECES "Transfer-Encoding: chunked\r\n"
	                                     "Connection: close\r\n\r\n"
	                                     "5\r\nhello\r\n0\r\n\r\n");
	sockets_expect_end(&server.m.s);
	assert_int_equal(server.count, 1);
	server_close(&server);
}

test(a_late_answer_is_the_last_word_where_that_was_asked)
{
	struct server server;

	server_open(&server);
	server_hold(&server,
	            HEAD("GET /hold") "Connection: close\r\n\r\n" HOLD);
	server_answer(&server, "ok\n");
	sockets_expect_z(&server.m.s,
	                 REPLY("200 OK", "3") "Connection: close\r\n\r\nok\n");
	sockets_expect_end(&server.m.s);
	assert_int_equal(server.count, 1);
	server_close(&server);
}

test(the_answer_to_head_has_no_pieces)
{
	struct server server;

	begin(&server, HEAD("HEAD /hold") "\r\n" HEAD("HEAD /hold") "\r\n");
	dt_http_conn_write(server.conn, DT_STR("hello"));
	dt_http_conn_end(server.conn);
	sockets_until(&server.m.s, server.held == 2);
	server_answer(&server, "ok\n");
	sockets_expect_z(&server.m.s,
	                 PIECES "Transfer-Encoding: chunked\r\n\r\n" REPLY(
				 "200 OK", "3") "\r\n");
	sockets_turn(&server.m.s, 20);
	assert_false(sockets_read(&server.m.s));
	server_close(&server);
}

test(who_hangs_up_between_pieces_is_gone_once)
{
	struct server server;

	begin(&server, HOLD);
	sockets_hang_up(&server.m.s);
	/* Nobody knows yet. */
	dt_http_conn_write(server.conn, DT_STR("hello"));
	sockets_until(&server.m.s, server.ended);
	assert_int_equal(server.gone, 1);
	server_close(&server);
	assert_int_equal(server.gone, 1);
}

test(who_asked_much_and_hangs_up_is_gone_when_a_piece_is_written)
{
	size_t len = 2 * DT_LIMIT_HTTP_HEAD;
	char *bytes = dt_alloc(len);
	struct server server;

	memset(bytes, 'x', len);
	begin(&server, HOLD);
	sockets_put(&server.m.s, bytes, len);
	sockets_turn(&server.m.s, 20);
	sockets_hang_up(&server.m.s);
	for (int i = 0; i < 1000 && !server.ended; i++) {
		dt_http_conn_write(server.conn, DT_STR(":\n"));
		usleep(1000);
		sockets_turn(&server.m.s, 2);
	}
	assert_int_equal(server.gone, 1);
	free(bytes);
	server_close(&server);
}

test(a_stream_is_clogged_while_nobody_reads)
{
	char *bytes = dt_alloc(DT_MIB);
	struct server server;
	size_t sent = 0;

	memset(bytes, 'x', DT_MIB);
	begin(&server, HOLD);
	assert_false(dt_http_conn_is_clogged(server.conn));
	while (!dt_http_conn_is_clogged(server.conn)) {
		assert_true(sent < 100 * DT_MIB);
		dt_http_conn_write(server.conn,
		                   (struct dt_str){ bytes, DT_MIB });
		sent += DT_MIB;
	}
	sockets_wait(&server.m.s, sent);
	sockets_until(&server.m.s, (sockets_read(&server.m.s),
	                            !dt_http_conn_is_clogged(server.conn)));
	assert_int_equal(server.gone, 0);
	dt_buf_clear(&server.m.s.got);
	free(bytes);
	server_close(&server);
	assert_int_equal(server.gone, 1); /* the client's end, in the middle */
}

test(who_never_reads_a_stream_is_cut_at_the_limit)
{
	size_t len = 32 * DT_MIB;
	char *bytes = dt_alloc(len);
	struct server server;

	begin(&server, HOLD);
	for (size_t sent = 0; sent <= DT_LIMIT_QUEUE; sent += len)
		dt_http_conn_write(server.conn, (struct dt_str){ bytes, len });
	/* The kernel took some of it. */
	dt_http_conn_write(server.conn, (struct dt_str){ bytes, len });
	assert_int_equal(server.gone, 0);
	sockets_until(&server.m.s, server.ended);
	assert_int_equal(server.gone, 1);
	free(bytes);
	server_close(&server);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_answer_may_have_no_body_at_all),
		cmocka_unit_test(an_answer_may_have_several_headers_more),
		cmocka_unit_test(pieces_are_chunks),
		cmocka_unit_test(
			pieces_for_http_1_0_run_to_the_end_of_the_connection),
		cmocka_unit_test(
			pieces_are_the_last_words_where_that_was_asked),
		cmocka_unit_test(
			a_late_answer_is_the_last_word_where_that_was_asked),
		cmocka_unit_test(the_answer_to_head_has_no_pieces),
		cmocka_unit_test(who_hangs_up_between_pieces_is_gone_once),
		cmocka_unit_test(
			who_asked_much_and_hangs_up_is_gone_when_a_piece_is_written),
		cmocka_unit_test(a_stream_is_clogged_while_nobody_reads),
		cmocka_unit_test(who_never_reads_a_stream_is_cut_at_the_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
