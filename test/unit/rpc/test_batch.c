/* test/unit/rpc/test_batch.c - arrays of messages, and of their answers. */
#include "talk.h"

#define NOTIFY "{\"jsonrpc\":\"2.0\",\"method\":\"n\"}"
#define ANSWER(id, result)                                                     \
	"{\"jsonrpc\":\"2.0\",\"id\":" id ",\"result\":" result "}"
#define ERROR(id, message)                                                     \
	"{\"jsonrpc\":\"2.0\",\"id\":" id                                      \
	",\"error\":{\"code\":-32600,\"message\":\"" message "\"}}"

static void begin(struct talk *t, struct fake *f)
{
	talk_begin(t);
	dt_peer_allow_batch(t->peer, true);
	fake_init(f);
}

static void end(struct talk *t, struct fake *f)
{
	talk_end(t);
	fake_done(f);
}

/* A batch of so many equal members. */
static char *repeat(const char *member, size_t count)
{
	struct dt_buf buf;

	dt_buf_init(&buf, SIZE_MAX);
	for (size_t i = 0; i < count; i++)
		dt_buf_addf(&buf, "%c%s", i ? ',' : '[', member);
	dt_buf_add_char(&buf, ']');
	return dt_buf_take(&buf);
}

test(each_member_is_handled_as_if_alone)
{
	struct talk t;
	struct fake f;

	begin(&t, &f);
	talk_put(&t, "[" TO_ECHO("1") "," NOTIFY ",7,[]," TO_ECHO(
			     "\"b\"") ","
	                              "{\"id\":3,\"method\":\"echo\"}," ANSWER(
					      "9", "1") "]");
	talk_expect(
		&t,
		"[" ANSWER("1", "[]") "," ERROR("null", "a message is an object") "," ERROR(
			"null",
			"a message is an object") "," ANSWER("\"b\"",
	                                                     "[]") "," ERROR("3",
	                                                                     "jsonrpc must be \\\"2.0\\\"") "]");
	assert_str(dt_buf_str(&t.log),
	           "request echo []|notify n |request echo []|");
	talk_expect_nothing(&t);
	end(&t, &f);
}

test(the_array_is_sent_when_the_last_answer_is_there)
{
	struct talk t;
	struct fake f;

	begin(&t, &f);
	talk_put(&t, "[" TO_HOLD("1") "," TO_ECHO("2") "," TO_HOLD("3") "]");
	talk_put(&t, TO_ECHO("4"));
	talk_expect(&t, ANSWER("4", "[]"));
	talk_answer(&t, 1, "third");
	talk_expect_nothing(&t);
	talk_answer(&t, 0, "first");
	talk_expect(&t,
	            "[" ANSWER("2", "[]") "," ANSWER(
			    "3", "\"third\"") "," ANSWER("1", "\"first\"") "]");
	end(&t, &f);
}

test(a_batch_by_an_exchange_is_answered_there)
{
	struct talk t;
	struct fake f;

	begin(&t, &f);
	assert_int_equal(talk_take(&t, &f, "[" TO_HOLD("1") ",1," NOTIFY "]"),
	                 DT_TAKEN_REQUEST);
	assert_ptr_equal(t.exchange, &f.x);
	dt_request_notify(t.held[0], "told", (struct dt_str){ 0 });
	dt_request_call(t.held[0], "ask", (struct dt_str){ 0 }, 0,
	                talk_on_reply, &t);
	fake_expect(&f, "send {\"jsonrpc\":\"2.0\",\"method\":\"told\"}|"
	                "send {\"jsonrpc\":\"2.0\",\"id\":0,"
	                "\"method\":\"ask\"}|");
	talk_answer(&t, 0, "ok");
	fake_expect(&f,
	            "end [" ERROR("null", "a message is an object") "," ANSWER(
			    "1", "\"ok\"") "]|");
	assert_int_equal(f.x.status, 200);
	assert_int_equal(talk_take(&t, &f, "[" TO_ECHO("1") "]"),
	                 DT_TAKEN_REQUEST);
	fake_expect(&f, "end [" ANSWER("1", "[]") "]|");
	/* An answer of theirs may come in one, too. */
	talk_take(&t, &f, "[" NOTIFY "," ANSWER("0", "5") "]");
	assert_str(dt_buf_str(&t.results), "5|");
	talk_expect_nothing(&t);
	end(&t, &f);
}

test(what_asks_for_nothing_is_not_answered)
{
	const char *batch =
		"[" NOTIFY "," ANSWER("9", "1") ","
						"{\"id\":8,\"result\":1}]";
	struct talk t;
	struct fake f;

	begin(&t, &f);
	assert_int_equal(talk_take(&t, &f, batch), DT_TAKEN_OTHER);
	fake_expect(&f, "");
	talk_put(&t, batch);
	talk_expect_nothing(&t);
	assert_str(dt_buf_str(&t.log), "notify n |notify n |");
	end(&t, &f);
}

test(a_batch_of_faults_is_refused)
{
	struct talk t;
	struct fake f;

	begin(&t, &f);
	assert_int_equal(talk_take(&t, &f, "[" NOTIFY ",1]"), DT_TAKEN_REFUSED);
	assert_int_equal(f.x.status, 400);
	fake_expect(&f, "end [" ERROR("null", "a message is an object") "]|");
	end(&t, &f);
}

test(a_batch_has_a_smallest_and_a_largest_size)
{
	char *most = repeat(NOTIFY, DT_LIMIT_BATCH);
	char *more = repeat(NOTIFY, DT_LIMIT_BATCH + 1);
	struct talk t;
	struct fake f;

	begin(&t, &f);
	assert_int_equal(talk_take(&t, &f, "[]"), DT_TAKEN_REFUSED);
	fake_expect(&f, "end " ERROR("null",
	                             "a batch holds a message at least") "|");
	assert_int_equal(talk_take(&t, &f, more), DT_TAKEN_REFUSED);
	assert_int_equal(f.x.status, 400);
	fake_expect(&f, "end " ERROR("null",
	                             "a batch holds 100 messages at most") "|");
	assert_int_equal(t.log.len, 0);
	assert_int_equal(talk_take(&t, &f, most), DT_TAKEN_OTHER);
	assert_int_equal(t.log.len, DT_LIMIT_BATCH * strlen("notify n |"));
	dt_peer_allow_batch(t.peer, false);
	assert_int_equal(talk_take(&t, &f, most), DT_TAKEN_REFUSED);
	free(most);
	free(more);
	end(&t, &f);
}

test(an_id_may_not_be_twice_in_a_batch)
{
	struct talk t;
	struct fake f;

	begin(&t, &f);
	dt_peer_share(t.peer);
	talk_take(&t, &f, "[" TO_HOLD("1") "," TO_HOLD("1") "]");
	assert_int_equal(t.held_count, 1);
	talk_answer(&t, 0, "ok");
	fake_expect(
		&f,
		"end [" ERROR("1", "a request with this id is still under way") "," ANSWER(
			"1", "\"ok\"") "]|");
	end(&t, &f);
}

test(what_was_cancelled_is_left_out)
{
	struct talk t;
	struct fake f;

	begin(&t, &f);
	talk_put(&t, "[" TO_HOLD("1") "," TO_HOLD("2") "]");
	sockets_until(&t.s, t.held_count == 2);
	dt_peer_cancel(t.peer, DT_STR("1"));
	talk_expect_nothing(&t);
	talk_answer(&t, 1, "two");
	talk_expect(&t, "[" ANSWER("2", "\"two\"") "]");
	talk_answer(&t, 0, "nobody hears this");
	talk_expect_nothing(&t);
	end(&t, &f);
}

test(an_array_without_answers_is_not_sent)
{
	struct talk t;
	struct fake f;

	begin(&t, &f);
	talk_take(&t, &f, "[" TO_HOLD("1") "," TO_HOLD("2") "]");
	dt_peer_cancel(t.peer, DT_STR("1"));
	fake_expect(&f, "");
	dt_peer_cancel(t.peer, DT_STR("2"));
	fake_expect(&f, "end|");
	talk_put(&t, "[" TO_HOLD("3") "]");
	sockets_until(&t.s, t.held_count == 3);
	dt_peer_cancel(t.peer, DT_STR("3"));
	talk_expect_nothing(&t);
	end(&t, &f);
}

test(who_is_gone_gets_nothing_of_what_was_gathered)
{
	struct talk t;
	struct fake f;

	begin(&t, &f);
	talk_take(&t, &f,
	          "[" TO_ECHO("1") "," TO_HOLD("2") "," TO_HOLD("3") "]");
	dt_peer_cancel_exchange(t.peer, &f.x);
	fake_expect(&f, "end|");
	assert_int_equal(dt_peer_request_count(t.peer), 0);
	assert_str(dt_buf_str(&t.log),
	           "request echo []|request hold |request hold |"
	           "cancel hold 2|cancel hold 3|");
	end(&t, &f);
}

test(a_peer_that_ends_sends_what_is_there)
{
	struct talk t;
	struct fake f;

	begin(&t, &f);
	talk_take(&t, &f,
	          "[" TO_ECHO("1") "," TO_HOLD("2") "," TO_HOLD("3") "]");
	talk_put(&t, "[" TO_HOLD("4") "]");
	sockets_until(&t.s, t.held_count == 3);
	sockets_hang_up(&t.s);
	sockets_until(&t.s, t.closed);
	fake_expect(&f, "end [" ANSWER("1", "[]") "]|");
	end(&t, &f);
}

test(behind_a_close_no_member_is_handed_up)
{
	struct talk t;
	struct fake f;

	begin(&t, &f);
	talk_put(&t, "[" MESSAGE("1", "close") "," TO_ECHO("2") "]");
	sockets_until(&t.s, t.closed);
	assert_str(dt_buf_str(&t.log), "request close []|closed CLOSED|");
	end(&t, &f);
}

static void answer_large(struct talk *t, size_t i, struct dt_str text)
{
	struct dt_request *req = t->held[i];

	t->held[i] = NULL;
	dt_json_put_str(dt_request_begin(req), text);
	dt_request_end(req);
}

test(answers_that_are_too_large_together_become_errors)
{
	const size_t len = DT_LIMIT_BATCH_ANSWERS / 2;
	char *text = dt_alloc(len);
	const struct dt_str large = { text, len };
	struct talk t;
	struct fake f;

	memset(text, 'x', len);
	begin(&t, &f);
	talk_take(&t, &f,
	          "[" TO_HOLD("1") "," TO_HOLD("2") "," TO_HOLD(
			  "3") "," TO_HOLD("4") "]");
	answer_large(&t, 0, large);
	answer_large(&t, 1, large);
	dt_request_fail_data(t.held[2], 7, "no", large);
	talk_answer(&t, 3, "small");
	t.held_count = 0;
	assert_true(f.log.len < DT_LIMIT_BATCH_ANSWERS);
	dt_buf_consume(&f.log, len);
	dt_buf_consume(&f.log, strlen("end [" ANSWER("1", "\"\"")));
	fake_expect(&f, ",{\"jsonrpc\":\"2.0\",\"id\":2,\"error\":{"
	                "\"code\":-32004,\"message\":\"the answers of the "
	                "batch are larger than 8388608 bytes together\"}},"
	                "{\"jsonrpc\":\"2.0\",\"id\":3,\"error\":{"
	                "\"code\":7,\"message\":\"no\"}}," ANSWER(
				"4", "\"small\"") "]|");
	free(text);
	end(&t, &f);
}

test(there_is_room_for_an_error_to_each_that_is_not_answered_yet)
{
	const size_t len = DT_LIMIT_BATCH_ANSWERS - 300;
	char *text = dt_alloc(len);
	const struct dt_str large = { text, len };
	struct talk t;
	struct fake f;

	memset(text, 'x', len);
	begin(&t, &f);
	talk_take(&t, &f, "[" TO_HOLD("1") "," TO_HOLD("2") "]");
	answer_large(&t, 0, large);
	talk_answer(&t, 1, "small");
	fake_expect_start(&f, "end [{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":"
	                      "{\"code\":-32004,");
	dt_buf_clear(&f.log);
	talk_take(&t, &f, "[" TO_HOLD("1") "," TO_HOLD("2") "]");
	talk_answer(&t, 2, "small");
	answer_large(&t, 3, large);
	assert_true(f.log.len > len && f.log.len < DT_LIMIT_BATCH_ANSWERS);
	fake_expect_start(
		&f,
		"end [" ANSWER(
			"1",
			"\"small\"") ","
				     "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":\"xx");
	free(text);
	end(&t, &f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_member_is_handled_as_if_alone),
		cmocka_unit_test(
			the_array_is_sent_when_the_last_answer_is_there),
		cmocka_unit_test(a_batch_by_an_exchange_is_answered_there),
		cmocka_unit_test(what_asks_for_nothing_is_not_answered),
		cmocka_unit_test(a_batch_of_faults_is_refused),
		cmocka_unit_test(a_batch_has_a_smallest_and_a_largest_size),
		cmocka_unit_test(an_id_may_not_be_twice_in_a_batch),
		cmocka_unit_test(what_was_cancelled_is_left_out),
		cmocka_unit_test(an_array_without_answers_is_not_sent),
		cmocka_unit_test(who_is_gone_gets_nothing_of_what_was_gathered),
		cmocka_unit_test(a_peer_that_ends_sends_what_is_there),
		cmocka_unit_test(behind_a_close_no_member_is_handed_up),
		cmocka_unit_test(
			answers_that_are_too_large_together_become_errors),
		cmocka_unit_test(
			there_is_room_for_an_error_to_each_that_is_not_answered_yet),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
