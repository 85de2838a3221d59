/* test/unit/rpc/test_call.c - what we ask and tell. */
#include "talk.h"

test(calls_are_numbered_and_answered_in_any_order)
{
	struct talk t;

	talk_begin(&t);
	talk_call(&t, 0);
	talk_call(&t, 10000);
	dt_peer_call(t.peer, "bare", (struct dt_str){ 0 }, 0, talk_on_reply,
	             &t);
	dt_peer_notify(t.peer, "told", DT_STR("[1]"));
	dt_peer_notify(t.peer, "bare", (struct dt_str){ 0 });
	/* One line each, whatever the parameters looked like. */
	talk_expect(&t, "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"ask\","
	                "\"params\":{ \"a\": 1}}");
	talk_expect(&t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ask\","
	                "\"params\":{ \"a\": 1}}");
	talk_expect(&t, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"bare\"}");
	talk_expect(&t,
	            "{\"jsonrpc\":\"2.0\",\"method\":\"told\",\"params\":[1]}");
	talk_expect(&t, "{\"jsonrpc\":\"2.0\",\"method\":\"bare\"}");
	talk_put(&t, "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":null}");
	talk_put(&t, "{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{\"x\":[]}}");
	talk_put(&t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"one\"}");
	sockets_until(&t.s, t.replies == 3);
	assert_str(dt_buf_str(&t.results), "null|{\"x\":[]}|\"one\"|");
	talk_end(&t);
	assert_int_equal(t.replies, 3);
}

test(an_answer_is_taken_once_and_only_for_what_was_asked)
{
	struct talk t;

	talk_begin(&t);
	talk_call(&t, 0);
	talk_put(&t, "{\"jsonrpc\":\"2.0\",\"id\":\"0\",\"result\":1}");
	talk_put(&t, "{\"jsonrpc\":\"2.0\",\"id\":0.0,\"result\":2}");
	talk_put(&t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":3}");
	talk_put(&t, "{\"jsonrpc\":\"2.0\",\"id\":null,\"result\":4}");
	talk_put(&t, "{\"jsonrpc\":\"2.0\",\"result\":5}");
	sockets_turn(&t.s, 5);
	assert_int_equal(t.replies, 0);
	talk_put(&t, "{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":6}");
	talk_put(&t, "{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":7}");
	sockets_until(&t.s, t.replies == 1);
	sockets_turn(&t.s, 5);
	assert_str(dt_buf_str(&t.results), "6|");
	talk_end(&t);
	assert_int_equal(t.replies, 1);
}

static void check_error(const char *error, enum dt_err code, const char *text)
{
	char line[200];
	struct talk t;

	talk_begin(&t);
	talk_call(&t, 0);
	snprintf(line, sizeof(line),
	         "{\"jsonrpc\":\"2.0\",\"id\":0,\"error\":%s}", error);
	talk_put(&t, line);
	sockets_until(&t.s, t.replies == 1);
	assert_int_equal(t.fail.code, code);
	assert_string_equal(t.fail.msg, text);
	talk_end(&t);
	assert_int_equal(t.replies, 1);
}

test(an_error_keeps_its_meaning_and_its_sentence)
{
	check_error("{\"code\":-32602,\"message\":\"line\\n2\"}", DT_E_ARGS,
	            "line\n2");
	check_error("{\"code\":-32010,\"message\":\"no\",\"data\":[]}",
	            DT_E_DENIED, "no");
	check_error("{\"code\":1,\"message\":\"no\"}", DT_E_SYS, "no");
	check_error("{\"code\":-32010}", DT_E_DENIED, "error -32010");
	check_error("{\"code\":4294934694,\"message\":\"no\"}", DT_E_SYS, "no");
	check_error("{\"code\":\"x\",\"message\":7}", DT_E_SYS, "error -32603");
	check_error("\"odd\"", DT_E_SYS, "error -32603");
	check_error("null", DT_E_SYS, "error -32603");
}

test(a_malformed_answer_ends_the_call_and_is_not_answered)
{
	static const char *const lines[] = {
		"{\"id\":0,\"result\":1}",
		"{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":1,\"result\":2}",
		"{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":1,\"params\":2}",
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		struct talk t;

		talk_begin(&t);
		talk_call(&t, 0);
		talk_expect(&t,
		            "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"ask\","
		            "\"params\":{ \"a\": 1}}");
		talk_put(&t, lines[i]);
		sockets_until(&t.s, t.replies == 1);
		assert_int_equal(t.fail.code, DT_E_PROTO);
		talk_put(&t, lines[i]);
		talk_expect_nothing(&t);
		talk_end(&t);
		assert_int_equal(t.replies, 1);
	}
}

test(a_call_past_its_deadline_fails_once)
{
	struct talk t;

	talk_begin(&t);
	talk_call(&t, 5);
	sockets_until(&t.s, t.replies == 1);
	assert_int_equal(t.fail.code, DT_E_TIMEOUT);
	talk_put(&t, "{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":\"late\"}");
	sockets_turn(&t.s, 10);
	talk_end(&t);
	assert_int_equal(t.replies, 1);
	assert_int_equal(t.results.len, 0);
}

test(a_message_that_is_too_large_is_not_sent)
{
	char *text = dt_alloc(DT_LIMIT_MESSAGE);
	struct dt_str params = { text, DT_LIMIT_MESSAGE };
	struct talk t;

	memset(text, ' ', DT_LIMIT_MESSAGE);
	memcpy(text, "[1]", 3);
	talk_begin(&t);
	assert_true(dt_peer_call(t.peer, "ask", params, 1000, talk_on_reply,
	                         &t) == DT_CALL_OVER);
	assert_int_equal(t.replies, 1);
	assert_int_equal(t.fail.code, DT_E_LIMIT);
	dt_peer_notify(t.peer, "told", params);
	talk_expect_nothing(&t);
	dt_peer_notify(t.peer, "told", (struct dt_str){ 0 });
	talk_expect(&t, "{\"jsonrpc\":\"2.0\",\"method\":\"told\"}");
	free(text);
	talk_end(&t);
	assert_int_equal(t.replies, 1);
}

/* what belongs to a request */

test(what_belongs_to_a_request_goes_its_way_before_the_answer)
{
	struct talk t;
	struct fake f;

	talk_begin(&t);
	fake_init(&f);
	talk_take(&t, &f, TO_HOLD("1"));
	dt_request_notify(t.held[0], "told", DT_STR("[1]"));
	assert_int_equal(dt_request_call(t.held[0], "ask", DT_STR("{}"), 0,
	                                 talk_on_reply, &t),
	                 0);
	fake_expect(&f, "send {\"jsonrpc\":\"2.0\",\"method\":\"told\","
	                "\"params\":[1]}|"
	                "send {\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"ask\","
	                "\"params\":{}}|");
	talk_answer(&t, 0, "ok");
	fake_expect(&f, "end {\"jsonrpc\":\"2.0\",\"id\":1,"
	                "\"result\":\"ok\"}|");
	talk_expect_nothing(&t);
	assert_int_equal(t.replies, 0);
	/* The answer comes by a way of its own. */
	assert_int_equal(
		talk_take(&t, &f,
	                  "{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":6}"),
		DT_TAKEN_OTHER);
	fake_expect(&f, "");
	assert_str(dt_buf_str(&t.results), "6|");
	fake_done(&f);
	talk_end(&t);
}

test(over_the_link_it_goes_there)
{
	struct talk t;

	talk_begin(&t);
	talk_put(&t, TO_HOLD("1"));
	sockets_until(&t.s, t.held_count == 1);
	dt_request_notify(t.held[0], "told", (struct dt_str){ 0 });
	talk_expect(&t, "{\"jsonrpc\":\"2.0\",\"method\":\"told\"}");
	dt_request_call(t.held[0], "ask", (struct dt_str){ 0 }, 1000,
	                talk_on_reply, &t);
	talk_expect(&t, "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"ask\"}");
	talk_end(&t);
	assert_int_equal(t.replies, 1);
	assert_int_equal(t.fail.code, DT_E_CLOSED);
}

static void on_lonely_reply(struct dt_peer *peer, const struct dt_json *result,
                            const struct dt_fail *fail, void *owner)
{
	assert_null(peer);
	assert_null(result);
	*(struct dt_fail *)owner = *fail;
}

test(for_a_cancelled_request_nothing_is_asked_or_told)
{
	struct dt_fail fail = { 0 };
	struct talk t;

	talk_begin(&t);
	talk_put(&t, TO_HOLD("1"));
	sockets_until(&t.s, t.held_count == 1);
	dt_peer_cancel(t.peer, DT_STR("1"));
	dt_request_notify(t.held[0], "told", (struct dt_str){ 0 });
	dt_request_call(t.held[0], "ask", (struct dt_str){ 0 }, 0,
	                on_lonely_reply, &fail);
	assert_int_equal(fail.code, DT_E_CANCELLED);
	talk_expect_nothing(&t);
	talk_end(&t);
}

test(a_call_that_is_forgotten_is_not_told_of_its_answer)
{
	struct talk t;
	uint64_t first;
	uint64_t second;

	talk_begin(&t);
	talk_put(&t, TO_HOLD("1"));
	sockets_until(&t.s, t.held_count == 1);
	first = dt_request_call(t.held[0], "ask", (struct dt_str){ 0 }, 0,
	                        talk_on_reply, &t);
	second = dt_request_call(t.held[0], "ask", (struct dt_str){ 0 }, 20,
	                         talk_on_reply, &t);
	assert_int_equal(first, 0);
	assert_int_equal(second, 1);
	dt_peer_forget(t.peer, second);
	dt_peer_forget(t.peer, second);
	dt_peer_forget(t.peer, DT_CALL_OVER);
	talk_expect(&t, "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"ask\"}");
	talk_expect(&t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ask\"}");
	talk_put(&t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":2}");
	talk_put(&t, "{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":1}");
	sockets_until(&t.s, t.replies == 1);
	sockets_turn(&t.s, 20);
	assert_str(dt_buf_str(&t.results), "1|");
	talk_end(&t);
	assert_int_equal(t.replies, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(calls_are_numbered_and_answered_in_any_order),
		cmocka_unit_test(
			an_answer_is_taken_once_and_only_for_what_was_asked),
		cmocka_unit_test(an_error_keeps_its_meaning_and_its_sentence),
		cmocka_unit_test(
			a_malformed_answer_ends_the_call_and_is_not_answered),
		cmocka_unit_test(a_call_past_its_deadline_fails_once),
		cmocka_unit_test(a_message_that_is_too_large_is_not_sent),
		cmocka_unit_test(
			what_belongs_to_a_request_goes_its_way_before_the_answer),
		cmocka_unit_test(over_the_link_it_goes_there),
		cmocka_unit_test(
			for_a_cancelled_request_nothing_is_asked_or_told),
		cmocka_unit_test(
			a_call_that_is_forgotten_is_not_told_of_its_answer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
