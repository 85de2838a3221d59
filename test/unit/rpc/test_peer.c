/* test/unit/rpc/test_peer.c - messages taken, and the end. */
#include "talk.h"

/* envelopes */

test(what_is_no_json_is_a_parse_error)
{
	static const char *const lines[] = { "{", "hello", "{\"id\":1", "{}{}",
		                             "\xff" };
	struct talk t;

	talk_begin(&t);
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		talk_put(&t, lines[i]);
		talk_expect_error(&t, "null", DT_RPC_PARSE_ERROR);
	}
	assert_int_equal(t.log.len, 0);
	talk_end(&t);
}

test(what_is_no_message_is_an_invalid_request)
{
	static const struct {
		const char *line;
		const char *id;
	} cases[] = {
		{ "[]", "null" },
		{ "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"echo\"}]",
		  "null" },
		{ "1", "null" },
		{ "\"2.0\"", "null" },
		{ "{}", "null" },
		{ "{\"id\":1,\"method\":\"echo\"}", "1" },
		{ "{\"jsonrpc\":\"2.0\",\"id\":1,\"\\u0069d\":2,"
		  "\"method\":\"echo\"}",
		  "1" },
		{ "{\"jsonrpc\":\"2.0\",\"\\u0069d\":1,\"method\":1}", "1" },
		{ "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"echo\","
		  "\"x\":1,\"x\":1}",
		  "1" },
		{ "{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"echo\"}", "1" },
		{ "{\"jsonrpc\":2.0,\"id\":1,\"method\":\"echo\"}", "1" },
		{ "{\"jsonrpc\":\"2.0\",\"id\":1}", "1" },
		{ "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":7}", "1" },
		{ "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"echo\"}",
		  "null" },
		{ "{\"jsonrpc\":\"2.0\",\"id\":true,\"method\":\"echo\"}",
		  "null" },
		{ "{\"jsonrpc\":\"2.0\",\"id\":[1],\"method\":\"echo\"}",
		  "null" },
		{ "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"echo\","
		  "\"params\":1}",
		  "1" },
		{ "{\"jsonrpc\":\"2.0\",\"method\":\"echo\",\"params\":null}",
		  "null" },
		{ "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"echo\","
		  "\"method\":\"fail\"}",
		  "1" },
		{ "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"echo\","
		  "\"m\\u0065thod\":\"fail\"}",
		  "1" },
		{ "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"fail\\u0000\"}",
		  "1" },
	};
	struct talk t;

	talk_begin(&t);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		talk_put(&t, cases[i].line);
		talk_expect_error(&t, cases[i].id, DT_RPC_INVALID_REQUEST);
	}
	assert_int_equal(t.log.len, 0);
	talk_end(&t);
}

test(an_id_has_a_longest_length)
{
	char line[400];
	char id[300];
	struct talk t;

	talk_begin(&t);
	for (int len = 256; len <= 257; len++) {
		memset(id, 'x', sizeof(id));
		id[0] = '"';
		id[len - 1] = '"';
		id[len] = '\0';
		snprintf(line, sizeof(line),
		         "{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"fail\"}",
		         id);
		talk_put(&t, line);
		if (len == 256)
			talk_expect_error(&t, id, DT_RPC_MISSING);
		else
			talk_expect_error(&t, "null", DT_RPC_INVALID_REQUEST);
	}
	talk_end(&t);
}

test(notifications_are_not_answered)
{
	struct talk t;

	talk_begin(&t);
	talk_put(&t, "{\"jsonrpc\":\"2.0\",\"method\":\"fail\"}");
	talk_put(&t, "{\"jsonrpc\":\"2.0\",\"method\":\"a\\/b\","
	             "\"params\":{\"c\":1}}");
	talk_put(&t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"echo\","
	             "\"params\":{}}");
	talk_expect(&t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");
	assert_str(dt_buf_str(&t.log),
	           "notify fail |notify a/b {\"c\":1}|request echo {}|");
	talk_end(&t);
}

/* later */

test(later_comes_once_and_may_be_asked_for_again)
{
	struct talk t;

	talk_begin(&t);
	dt_peer_after(t.peer, 1, talk_on_after, &t);
	sockets_until(&t.s, t.log.len == 18);
	usleep(3000);
	sockets_turn(&t.s, 5);
	assert_str(dt_buf_str(&t.log), "after|after|after|");
	talk_end(&t);
}

test(later_never_comes_when_the_peer_is_gone)
{
	struct talk t;

	talk_begin(&t);
	dt_peer_after(t.peer, 5, talk_on_after, &t);
	dt_peer_after(t.peer, 6, talk_on_after, &t);
	sockets_hang_up(&t.s);
	sockets_until(&t.s, t.closed);
	usleep(10000);
	sockets_turn(&t.s, 5);
	assert_str(dt_buf_str(&t.log), "closed CLOSED|");
	talk_end(&t);
}

/* the end */

test(requests_and_calls_under_way_end_before_the_peer_does)
{
	struct talk t;

	talk_begin(&t);
	talk_put(&t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"hold\"}");
	talk_put(&t, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"hold\"}");
	talk_call(&t, 10000);
	talk_call(&t, 0);
	sockets_until(&t.s, t.held_count == 2);
	sockets_read(&t.s); /* bytes left unread would reset it */
	sockets_hang_up(&t.s);
	sockets_until(&t.s, t.closed);
	assert_int_equal(t.replies, 2);
	assert_int_equal(t.fail.code, DT_E_CLOSED);
	assert_str(dt_buf_str(&t.log), "request hold |request hold |"
	                               "cancel hold 1|cancel hold 2|"
	                               "closed CLOSED|");
	talk_end(&t);
	assert_int_equal(t.replies, 2);
}

test(closing_in_a_request_answers_it_and_hears_no_more)
{
	struct talk t;

	talk_begin(&t);
	sockets_put_z(&t.s,
	              "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"close\"}\n"
	              "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"echo\"}\n");
	talk_expect_error(&t, "1", 7);
	sockets_expect_end(&t.s);
	assert_str(dt_buf_str(&t.log), "request close |");
	talk_end(&t);
}

/* Whoever hears of the end may try everything once more. */
static void cancel_and_use(struct dt_request *req, void *owner)
{
	struct talk *t = owner;

	dt_peer_notify(t->peer, "told", (struct dt_str){ 0 });
	dt_peer_after(t->peer, 1, talk_on_after, t);
	talk_call(t, 5);
	dt_request_fail(req, 1, "gone");
	/* The other one as well, although nobody has cancelled it yet. */
	dt_request_fail(t->held[1], 1, "gone");
	t->held[0] = NULL;
	t->held[1] = NULL;
}

test(a_peer_that_ends_can_be_used_to_the_last_callback)
{
	struct talk t;

	talk_begin(&t);
	talk_put(&t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"hold\"}");
	talk_put(&t, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"hold\"}");
	sockets_until(&t.s, t.held_count == 2);
	t.held[0]->on_cancel = cancel_and_use;
	t.is_stubborn = true;
	dt_buf_clear(&t.log);
	sockets_hang_up(&t.s);
	sockets_until(&t.s, t.closed);
	usleep(10000);
	sockets_turn(&t.s, 5);
	assert_int_equal(t.replies, 2);
	assert_int_equal(t.fail.code, DT_E_CLOSED);
	assert_str(dt_buf_str(&t.log), "closed CLOSED|");
	talk_end(&t);
}

test(closing_twice_is_closing_once)
{
	struct talk t;

	talk_begin(&t);
	assert_ptr_equal(dt_peer_link(t.peer)->owner, t.peer);
	dt_peer_notify(t.peer, "bye", (struct dt_str){ 0 });
	dt_peer_close(t.peer, DT_LINK_DONE, "");
	dt_peer_close(t.peer, DT_LINK_AWAY, "");
	dt_peer_notify(t.peer, "lost", (struct dt_str){ 0 });
	talk_expect(&t, "{\"jsonrpc\":\"2.0\",\"method\":\"bye\"}");
	sockets_expect_end(&t.s);
	talk_end(&t);
}

/* by exchanges */

test(a_notification_leaves_the_exchange_to_its_caller)
{
	struct talk t;
	struct fake f;

	talk_begin(&t);
	fake_init(&f);
	assert_int_equal(
		talk_take(&t, &f, "{\"jsonrpc\":\"2.0\",\"method\":\"n\"}"),
		DT_TAKEN_OTHER);
	assert_ptr_equal(t.exchange, &f.x);
	assert_null(dt_peer_exchange(t.peer));
	/* So does an answer, also one to nothing that was asked. */
	assert_int_equal(
		talk_take(&t, &f,
	                  "{\"jsonrpc\":\"2.0\",\"id\":9,\"result\":1}"),
		DT_TAKEN_OTHER);
	fake_expect(&f, "");
	talk_put(&t, "{\"jsonrpc\":\"2.0\",\"method\":\"n\"}");
	sockets_until(&t.s, !t.exchange);
	fake_done(&f);
	talk_end(&t);
}

test(what_is_wrong_by_an_exchange_is_refused_there)
{
	static const struct {
		const char *message;
		const char *start;
	} cases[] = {
		{ "{", "end {\"jsonrpc\":\"2.0\",\"id\":null,"
		       "\"error\":{\"code\":-32700," },
		{ "\"\xff\"", "end {\"jsonrpc\":\"2.0\",\"id\":null,"
		              "\"error\":{\"code\":-32700," },
		{ "7", "end {\"jsonrpc\":\"2.0\",\"id\":null,"
		       "\"error\":{\"code\":-32600," },
		{ "[]", "end {\"jsonrpc\":\"2.0\",\"id\":null,"
		        "\"error\":{\"code\":-32600," },
		{ "{\"id\":3,\"method\":\"echo\"}",
		  "end {\"jsonrpc\":\"2.0\",\"id\":3,"
		  "\"error\":{\"code\":-32600," },
		/* The id of an answer is one of ours. */
		{ "{\"id\":3,\"result\":1}",
		  "end {\"jsonrpc\":\"2.0\",\"id\":null,"
		  "\"error\":{\"code\":-32600," },
	};
	struct talk t;

	talk_begin(&t);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fake f;

		fake_init(&f);
		assert_int_equal(talk_take(&t, &f, cases[i].message),
		                 DT_TAKEN_REFUSED);
		assert_int_equal(f.x.status, 400);
		fake_expect_start(&f, cases[i].start);
		fake_done(&f);
	}
	talk_expect_nothing(&t);
	talk_end(&t);
}

test(an_id_that_is_not_known_may_be_left_out)
{
	struct talk t;

	talk_begin(&t);
	dt_peer_omit_null_id(t.peer);
	talk_put(&t, "1");
	talk_expect(&t, "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32600,"
	                "\"message\":\"a message is an object\"}}");
	talk_put(&t, "{\"id\":1,\"method\":\"echo\"}");
	talk_expect_error(&t, "1", DT_RPC_INVALID_REQUEST);
	talk_end(&t);
}

test(a_peer_that_closes_takes_nothing)
{
	struct talk t;
	struct fake f;

	talk_begin(&t);
	fake_init(&f);
	dt_peer_close(t.peer, DT_LINK_DONE, "");
	assert_int_equal(talk_take(&t, &f, TO_ECHO("1")), DT_TAKEN_REFUSED);
	fake_expect(&f, "end|");
	assert_int_equal(t.log.len, 0);
	fake_done(&f);
	talk_end(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_no_json_is_a_parse_error),
		cmocka_unit_test(what_is_no_message_is_an_invalid_request),
		cmocka_unit_test(an_id_has_a_longest_length),
		cmocka_unit_test(notifications_are_not_answered),
		cmocka_unit_test(later_comes_once_and_may_be_asked_for_again),
		cmocka_unit_test(later_never_comes_when_the_peer_is_gone),
		cmocka_unit_test(
			requests_and_calls_under_way_end_before_the_peer_does),
		cmocka_unit_test(
			closing_in_a_request_answers_it_and_hears_no_more),
		cmocka_unit_test(
			a_peer_that_ends_can_be_used_to_the_last_callback),
		cmocka_unit_test(closing_twice_is_closing_once),
		cmocka_unit_test(
			a_notification_leaves_the_exchange_to_its_caller),
		cmocka_unit_test(what_is_wrong_by_an_exchange_is_refused_there),
		cmocka_unit_test(an_id_that_is_not_known_may_be_left_out),
		cmocka_unit_test(a_peer_that_closes_takes_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
