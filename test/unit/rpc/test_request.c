/* test/unit/rpc/test_request.c - what the other side asks, over the link. */
#include "talk.h"

test(a_request_is_answered_with_its_id_byte_for_byte)
{
	static const char *const ids[] = {
		"1",           "0",
		"-1",          "12345678901234567890",
		"1.0",         "1e3",
		"\"1\"",       "\"\"",
		"\"\\u0031\"", "\"a \\\"b\\\" \xc3\xa4\"",
	};
	struct talk t;

	talk_begin(&t);
	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
		char line[200];

		snprintf(line, sizeof(line),
		         "{ \"id\" : %s , \"jsonrpc\": \"2.0\","
		         "\"method\": \"echo\", \"params\": [1.50] }",
		         ids[i]);
		talk_put(&t, line);
		snprintf(line, sizeof(line),
		         "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":[1.50]}",
		         ids[i]);
		talk_expect(&t, line);
	}
	talk_end(&t);
}

test(a_failure_becomes_an_error_with_its_code)
{
	struct talk t;

	talk_begin(&t);
	talk_put(&t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"fail\"}");
	talk_expect(&t,
	            "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32011,"
	            "\"message\":\"there is no \\\"such\\\" thing\"}}");
	talk_end(&t);
}

test(answers_may_come_later_and_in_any_order)
{
	struct talk t;

	talk_begin(&t);
	talk_put(&t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"hold\"}");
	talk_put(&t, "{\"jsonrpc\":\"2.0\",\"id\":\"1\",\"method\":\"hold\"}");
	talk_put(&t, "{\"jsonrpc\":\"2.0\",\"id\":1.0,\"method\":\"hold\"}");
	sockets_until(&t.s, t.held_count == 3);
	assert_int_equal(dt_peer_request_count(t.peer), 3);
	talk_answer(&t, 2, "third");
	talk_answer(&t, 1, "second");
	talk_answer(&t, 0, "first");
	assert_int_equal(dt_peer_request_count(t.peer), 0);
	talk_expect(&t,
	            "{\"jsonrpc\":\"2.0\",\"id\":1.0,\"result\":\"third\"}");
	talk_expect(&t,
	            "{\"jsonrpc\":\"2.0\",\"id\":\"1\",\"result\":\"second\"}");
	talk_expect(&t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"first\"}");
	talk_end(&t);
}

test(an_id_under_way_is_not_taken_twice_but_may_come_again_later)
{
	struct talk t;

	talk_begin(&t);
	talk_put(&t, "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"hold\"}");
	talk_put(&t, "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"hold\"}");
	talk_expect_error(&t, "7", DT_RPC_INVALID_REQUEST);
	assert_int_equal(t.held_count, 1);
	talk_answer(&t, 0, "ok");
	talk_expect(&t, "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":\"ok\"}");
	talk_put(&t, "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"hold\"}");
	sockets_until(&t.s, t.held_count == 2);
	talk_answer(&t, 1, "again");
	talk_expect(&t, "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":\"again\"}");
	talk_end(&t);
}

test(equal_ids_on_two_peers_are_two_requests)
{
	const char *line = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"hold\"}";
	struct talk a;
	struct talk b;

	talk_begin(&a);
	talk_begin(&b);
	talk_put(&a, line);
	talk_put(&b, line);
	sockets_until(&a.s, a.held_count == 1);
	sockets_until(&b.s, b.held_count == 1);
	dt_peer_cancel(a.peer, DT_STR("1"));
	talk_answer(&b, 0, "b");
	talk_expect(&b, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"b\"}");
	talk_expect_nothing(&a);
	talk_end(&a);
	talk_end(&b);
}

test(a_cancelled_request_is_told_once_and_not_answered)
{
	struct talk t;

	talk_begin(&t);
	talk_put(&t, "{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"method\":\"hold\"}");
	talk_put(&t, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"hold\"}");
	sockets_until(&t.s, t.held_count == 2);
	dt_buf_clear(&t.log);
	talk_put(&t, "{\"jsonrpc\":\"2.0\",\"method\":\"cancel\","
	             "\"params\":[\"x\"]}");
	talk_put(&t, "{\"jsonrpc\":\"2.0\",\"method\":\"cancel\","
	             "\"params\":[\"x\"]}");
	talk_put(&t,
	         "{\"jsonrpc\":\"2.0\",\"method\":\"cancel\",\"params\":[99]}");
	talk_put(&t, "{\"jsonrpc\":\"2.0\",\"method\":\"cancel\","
	             "\"params\":[\"2\"]}");
	sockets_until(&t.s, dt_peer_request_count(t.peer) == 1);
	talk_expect_nothing(&t);
	assert_str(dt_buf_str(&t.log),
	           "notify cancel [\"x\"]|cancel hold \"x\"|"
	           "notify cancel [\"x\"]|notify cancel [99]|"
	           "notify cancel [\"2\"]|");
	talk_answer(&t, 0, "nobody hears this");
	talk_expect_nothing(&t);
	assert_int_equal(dt_peer_request_count(t.peer), 1);
	talk_end(&t);
}

test(an_answer_that_is_too_large_becomes_an_error)
{
	struct talk t;

	talk_begin(&t);
	talk_put(&t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"large\"}");
	talk_expect_error(&t, "1", DT_RPC_LIMIT);
	talk_put(&t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"echo\","
	             "\"params\":[]}");
	talk_expect(&t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":[]}");
	talk_end(&t);
}

test(an_error_may_say_more_in_data)
{
	struct talk t;

	talk_begin(&t);
	talk_put(&t, TO_HOLD("1"));
	sockets_until(&t.s, t.held_count == 1);
	dt_request_fail_data(t.held[0], -32022, "no",
	                     DT_STR("{\"supported\":\n[1]}"));
	t.held[0] = NULL;
	talk_expect(&t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{"
	                "\"code\":-32022,\"message\":\"no\","
	                "\"data\":{\"supported\": [1]}}}");
	talk_end(&t);
}

test(of_an_error_that_is_too_large_the_code_is_left)
{
	char *text = dt_alloc(DT_LIMIT_MESSAGE + 1);
	struct talk t;

	memset(text, '1', DT_LIMIT_MESSAGE);
	talk_begin(&t);
	talk_put(&t, TO_HOLD("1"));
	talk_put(&t, TO_HOLD("2"));
	sockets_until(&t.s, t.held_count == 2);
	dt_request_fail_data(t.held[0], 7, "no",
	                     (struct dt_str){ text, DT_LIMIT_MESSAGE });
	talk_expect(&t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{"
	                "\"code\":7,\"message\":\"no\"}}");
	dt_request_fail(t.held[1], 8, text);
	talk_expect_error(&t, "2", 8);
	t.held_count = 0;
	free(text);
	talk_end(&t);
}

/* by exchanges */

test(an_answer_goes_back_by_its_exchange)
{
	struct talk t;
	struct fake f;

	talk_begin(&t);
	fake_init(&f);
	assert_int_equal(talk_take(&t, &f, TO_ECHO("1")), DT_TAKEN_REQUEST);
	assert_ptr_equal(t.exchange, &f.x);
	assert_null(t.exchange_after); /* it has ended, and is gone */
	fake_expect(&f, "end {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":[]}|");
	assert_int_equal(talk_take(&t, &f, TO_HOLD("\"b\"")), DT_TAKEN_REQUEST);
	assert_ptr_equal(t.exchange_after, &f.x);
	assert_null(dt_peer_exchange(t.peer));
	assert_ptr_equal(t.held[0]->exchange, &f.x);
	fake_expect(&f, "");
	talk_answer(&t, 0, "later");
	fake_expect(&f, "end {\"jsonrpc\":\"2.0\",\"id\":\"b\","
	                "\"result\":\"later\"}|");
	assert_int_equal(f.x.status, 200);
	talk_expect_nothing(&t);
	fake_done(&f);
	talk_end(&t);
}

test(a_large_answer_becomes_an_error_by_its_exchange_too)
{
	struct talk t;
	struct fake f;

	talk_begin(&t);
	fake_init(&f);
	talk_take(&t, &f, MESSAGE("1", "large"));
	assert_non_null(memmem(f.log.ptr, f.log.len, "-32004", 6));
	assert_int_equal(f.log.ptr[f.log.len - 1], '|');
	fake_done(&f);
	talk_end(&t);
}

test(a_cancelled_request_ends_its_exchange_once_without_an_answer)
{
	struct talk t;
	struct fake f;

	talk_begin(&t);
	fake_init(&f);
	talk_take(&t, &f, TO_HOLD("1"));
	dt_peer_cancel(t.peer, DT_STR("1"));
	fake_expect(&f, "end|");
	assert_str(dt_buf_str(&t.log), "request hold |cancel hold 1|");
	assert_int_equal(dt_peer_request_count(t.peer), 0);
	dt_request_notify(t.held[0], "progress", (struct dt_str){ 0 });
	assert_true(dt_request_is_clogged(t.held[0]));
	dt_peer_cancel(t.peer, DT_STR("1"));
	dt_peer_cancel_exchange(t.peer, &f.x);
	talk_answer(&t, 0, "nobody hears this");
	fake_expect(&f, "");
	talk_expect_nothing(&t);
	fake_done(&f);
	talk_end(&t);
}

test(who_is_gone_cancels_what_came_by_that_exchange_alone)
{
	struct talk t;
	struct fake a;
	struct fake b;

	talk_begin(&t);
	fake_init(&a);
	fake_init(&b);
	talk_take(&t, &a, TO_HOLD("1"));
	talk_take(&t, &b, TO_HOLD("2"));
	dt_peer_cancel_exchange(t.peer, &b.x);
	fake_expect(&a, "");
	fake_expect(&b, "end|");
	assert_int_equal(dt_peer_request_count(t.peer), 1);
	talk_answer(&t, 0, "ok");
	fake_expect(&a, "end {\"jsonrpc\":\"2.0\",\"id\":1,"
	                "\"result\":\"ok\"}|");
	fake_done(&a);
	fake_done(&b);
	talk_end(&t);
}

test(exchanges_end_before_the_peer_does)
{
	struct talk t;
	struct fake f;

	talk_begin(&t);
	fake_init(&f);
	talk_take(&t, &f, TO_HOLD("1"));
	sockets_hang_up(&t.s);
	sockets_until(&t.s, t.closed);
	fake_expect(&f, "end|");
	assert_str(dt_buf_str(&t.log),
	           "request hold |cancel hold 1|closed CLOSED|");
	talk_end(&t);
	fake_expect(&f, "");
	fake_done(&f);
}

/* The owner may end a request in on_cancel. */
static void end_at_once(struct dt_request *req, void *owner)
{
	struct talk *t = owner;

	t->held[0] = NULL;
	dt_request_fail(req, 1, "gone");
}

test(a_request_may_be_ended_while_it_is_cancelled)
{
	struct talk t;
	struct fake f;

	talk_begin(&t);
	fake_init(&f);
	talk_take(&t, &f, TO_HOLD("1"));
	t.held[0]->on_cancel = end_at_once;
	dt_peer_cancel_exchange(t.peer, &f.x);
	assert_null(t.held[0]);
	fake_expect(&f, "end|");
	fake_done(&f);
	talk_end(&t);
}

test(an_id_under_way_is_refused_whatever_way_it_comes)
{
	struct talk t;
	struct fake a;
	struct fake b;

	talk_begin(&t);
	fake_init(&a);
	fake_init(&b);
	talk_take(&t, &a, TO_HOLD("1"));
	assert_int_equal(talk_take(&t, &b, TO_HOLD("1")), DT_TAKEN_REFUSED);
	assert_int_equal(b.x.status, 400);
	fake_expect_start(&b, "end {\"jsonrpc\":\"2.0\",\"id\":1,"
	                      "\"error\":{\"code\":-32600,");
	talk_put(&t, TO_HOLD("1"));
	talk_expect_error(&t, "1", DT_RPC_INVALID_REQUEST);
	fake_expect(&a, "");
	talk_answer(&t, 0, "ok");
	fake_done(&a);
	fake_done(&b);
	talk_end(&t);
}

test(on_a_shared_peer_ids_are_told_apart_by_exchange)
{
	struct talk t;
	struct fake a;
	struct fake b;

	talk_begin(&t);
	dt_peer_share(t.peer);
	fake_init(&a);
	fake_init(&b);
	assert_int_equal(talk_take(&t, &a, TO_HOLD("1")), DT_TAKEN_REQUEST);
	assert_int_equal(talk_take(&t, &b, TO_HOLD("1")), DT_TAKEN_REQUEST);
	dt_peer_cancel(t.peer, DT_STR("1"));
	assert_int_equal(dt_peer_request_count(t.peer), 2);
	talk_answer(&t, 1, "b");
	fake_expect(&a, "");
	fake_expect(&b, "end {\"jsonrpc\":\"2.0\",\"id\":1,"
	                "\"result\":\"b\"}|");
	dt_peer_cancel_exchange(t.peer, &a.x);
	fake_expect(&a, "end|");
	fake_done(&a);
	fake_done(&b);
	talk_end(&t);
}

/* As a connection does that holds the next request already. */
test(the_end_of_an_exchange_may_bring_the_next_message)
{
	struct talk t;
	struct fake a;
	struct fake b;

	talk_begin(&t);
	fake_init(&a);
	fake_init(&b);
	a.t = &t;
	a.next = &b;
	a.next_message = TO_ECHO("1");
	talk_take(&t, &a, TO_ECHO("1"));
	assert_null(dt_peer_exchange(t.peer));
	fake_expect(&a, "end {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":[]}|");
	fake_expect(&b, "end {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":[]}|");
	a.next_message = TO_HOLD("1");
	talk_take(&t, &a, TO_HOLD("1"));
	dt_peer_cancel_exchange(t.peer, &a.x);
	assert_int_equal(t.held_count, 2);
	fake_expect(&a, "end|");
	talk_answer(&t, 1, "ok");
	fake_expect(&b, "end {\"jsonrpc\":\"2.0\",\"id\":1,"
	                "\"result\":\"ok\"}|");
	fake_done(&a);
	fake_done(&b);
	talk_end(&t);
}

test(a_request_is_clogged_as_its_own_way_is)
{
	struct talk t;
	struct fake f;

	talk_begin(&t);
	fake_init(&f);
	talk_put(&t, TO_HOLD("1"));
	sockets_until(&t.s, t.held_count == 1);
	talk_take(&t, &f, TO_HOLD("2"));
	assert_false(dt_request_is_clogged(t.held[0]));
	assert_false(dt_request_is_clogged(t.held[1]));
	f.is_clogged = true;
	assert_false(dt_request_is_clogged(t.held[0]));
	assert_true(dt_request_is_clogged(t.held[1]));
	talk_answer(&t, 1, "answers are never dropped");
	assert_int_not_equal(f.log.len, 0);
	fake_done(&f);
	talk_end(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			a_request_is_answered_with_its_id_byte_for_byte),
		cmocka_unit_test(a_failure_becomes_an_error_with_its_code),
		cmocka_unit_test(answers_may_come_later_and_in_any_order),
		cmocka_unit_test(
			an_id_under_way_is_not_taken_twice_but_may_come_again_later),
		cmocka_unit_test(equal_ids_on_two_peers_are_two_requests),
		cmocka_unit_test(
			a_cancelled_request_is_told_once_and_not_answered),
		cmocka_unit_test(an_answer_that_is_too_large_becomes_an_error),
		cmocka_unit_test(an_error_may_say_more_in_data),
		cmocka_unit_test(
			of_an_error_that_is_too_large_the_code_is_left),
		cmocka_unit_test(an_answer_goes_back_by_its_exchange),
		cmocka_unit_test(
			a_large_answer_becomes_an_error_by_its_exchange_too),
		cmocka_unit_test(
			a_cancelled_request_ends_its_exchange_once_without_an_answer),
		cmocka_unit_test(
			who_is_gone_cancels_what_came_by_that_exchange_alone),
		cmocka_unit_test(exchanges_end_before_the_peer_does),
		cmocka_unit_test(a_request_may_be_ended_while_it_is_cancelled),
		cmocka_unit_test(
			an_id_under_way_is_refused_whatever_way_it_comes),
		cmocka_unit_test(
			on_a_shared_peer_ids_are_told_apart_by_exchange),
		cmocka_unit_test(
			the_end_of_an_exchange_may_bring_the_next_message),
		cmocka_unit_test(a_request_is_clogged_as_its_own_way_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
