/* test/unit/rpc/test_peer.c - conversations over a real socket, in lines. */
#include "rpc/peer.h"

#include "base/limits.h"
#include "rpc/code.h"
#include "sockets.h"

#define MANY 8

/* One peer, and what its owner saw. */
struct talk {
	struct sockets s;
	struct dt_peer *peer; /* NULL: it has ended */
	struct dt_request *held[MANY];
	size_t held_count;
	struct dt_buf log; /* "request x|notify y|cancel z|" */
	bool is_stubborn;  /* talks in on_closed */
	int closed;
	int replies;
	struct dt_buf results; /* raw results, each with a "|" */
	struct dt_fail fail;   /* of the last reply that failed */
};

static void on_cancel(struct dt_request *req, void *owner)
{
	struct talk *t = owner;

	assert_null(req->peer);
	dt_buf_addf(&t->log, "cancel %s %.*s|", req->method,
	            DT_STR_ARG(req->id));
}

/* Held requests are ended by the test; one of these ends itself. */
static void on_request(struct dt_peer *peer, struct dt_request *req,
                       const struct dt_json *params, void *owner)
{
	struct talk *t = owner;
	struct dt_fail fail = { 0 };

	dt_buf_addf(&t->log, "request %s %.*s|", req->method,
	            params ? (int)params->raw.len : 0,
	            params ? params->raw.ptr : "");
	if (!strcmp(req->method, "echo")) {
		dt_json_put_raw(dt_request_begin(req), params->raw);
		dt_request_end(req);
	} else if (!strcmp(req->method, "fail")) {
		dt_fail(&fail, DT_E_MISSING, "there is no \"such\" thing");
		dt_request_fail_with(req, &fail);
	} else if (!strcmp(req->method, "close")) {
		dt_request_fail(req, 7, "bye");
		dt_peer_close(peer, DT_LINK_DONE, "");
	} else if (!strcmp(req->method, "large")) {
		struct dt_json_out *out = dt_request_begin(req);
		char *text = dt_alloc(DT_LIMIT_MESSAGE);

		memset(text, 'x', DT_LIMIT_MESSAGE);
		dt_json_put_str(out, (struct dt_str){ text, DT_LIMIT_MESSAGE });
		free(text);
		dt_request_end(req);
	} else {
		assert_true(t->held_count < MANY);
		req->on_cancel = on_cancel;
		req->owner = t;
		t->held[t->held_count++] = req;
	}
}

static void on_notify(struct dt_peer *peer, const char *method,
                      const struct dt_json *params, void *owner)
{
	struct talk *t = owner;

	dt_buf_addf(&t->log, "notify %s %.*s|", method,
	            params ? (int)params->raw.len : 0,
	            params ? params->raw.ptr : "");
	if (!strcmp(method, "cancel"))
		dt_peer_cancel(peer, dt_json_first(params)->raw);
}

static void on_reply(struct dt_peer *peer, const struct dt_json *result,
                     const struct dt_fail *fail, void *owner)
{
	struct talk *t = owner;

	assert_ptr_equal(peer, t->peer);
	assert_true(!result != !fail);
	t->replies++;
	if (result) {
		dt_buf_add_str(&t->results, result->raw);
		dt_buf_add_char(&t->results, '|');
	} else {
		t->fail = *fail;
	}
}

static void on_after(struct dt_peer *peer, void *owner)
{
	struct talk *t = owner;

	assert_ptr_equal(peer, t->peer);
	dt_buf_add_z(&t->log, "after|");
	if (t->log.len < 14)
		dt_peer_after(peer, 1, on_after, t);
}

static void on_closed(struct dt_peer *peer, const struct dt_fail *why,
                      void *owner)
{
	struct talk *t = owner;

	assert_ptr_equal(peer, t->peer);
	assert_int_equal(dt_peer_request_count(peer), 0);
	if (t->is_stubborn) {
		dt_peer_notify(peer, "told", (struct dt_str){ 0 });
		dt_peer_after(peer, 1, on_after, t);
		dt_peer_call(peer, "ask", DT_STR("[]"), 5, on_reply, t);
	}
	t->closed++;
	t->peer = NULL;
	dt_buf_addf(&t->log, "closed %s|", dt_err_name(why->code));
}

static const struct dt_peer_events events = {
	.on_request = on_request,
	.on_notify = on_notify,
	.on_closed = on_closed,
};

static void begin(struct talk *t)
{
	*t = (struct talk){ 0 };
	dt_buf_init(&t->log, SIZE_MAX);
	dt_buf_init(&t->results, SIZE_MAX);
	sockets_open_unix(&t->s);
	t->peer = dt_peer_new(dt_link_lines_new(t->s.stream), &events, t);
	dt_peer_start(t->peer);
}

static void end(struct talk *t)
{
	sockets_close(&t->s);
	assert_int_equal(t->closed, 1);
	for (size_t i = 0; i < t->held_count; i++) {
		if (!t->held[i])
			continue;
		/* Nobody waits any more; it must be ended all the same. */
		dt_json_put_bool(dt_request_begin(t->held[i]), true);
		dt_request_end(t->held[i]);
	}
	dt_buf_done(&t->log);
	dt_buf_done(&t->results);
}

static void answer_held(struct talk *t, size_t i, const char *text)
{
	struct dt_request *req = t->held[i];

	t->held[i] = NULL;
	dt_json_put_z(dt_request_begin(req), text);
	dt_request_end(req);
}

static void put(struct talk *t, const char *line)
{
	sockets_put_z(&t->s, line);
	sockets_put_z(&t->s, "\n");
}

static void expect(struct talk *t, const char *line)
{
	sockets_expect_z(&t->s, line);
	sockets_expect_z(&t->s, "\n");
}

/* An error with this id and code; the sentence is not looked at. */
static void expect_error(struct talk *t, const char *id, int code)
{
	char start[400];
	const char *lf;

	snprintf(start, sizeof(start),
	         "{\"jsonrpc\":\"2.0\",\"id\":%s,\"error\":{\"code\":%d,"
	         "\"message\":\"",
	         id, code);
	sockets_expect_z(&t->s, start);
	sockets_until(&t->s, (sockets_read(&t->s),
	                      memchr(t->s.got.ptr, '\n', t->s.got.len)));
	lf = memchr(t->s.got.ptr, '\n', t->s.got.len);
	dt_buf_consume(&t->s.got, (size_t)(lf - t->s.got.ptr) + 1);
}

static void expect_nothing(struct talk *t)
{
	sockets_turn(&t->s, 10);
	sockets_read(&t->s);
	assert_int_equal(t->s.got.len, 0);
}

/* their requests */

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

	begin(&t);
	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
		char line[200];

		snprintf(line, sizeof(line),
		         "{ \"id\" : %s , \"jsonrpc\": \"2.0\","
		         "\"method\": \"echo\", \"params\": [1.50] }",
		         ids[i]);
		put(&t, line);
		snprintf(line, sizeof(line),
		         "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":[1.50]}",
		         ids[i]);
		expect(&t, line);
	}
	end(&t);
}

test(a_failure_becomes_an_error_with_its_code)
{
	struct talk t;

	begin(&t);
	put(&t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"fail\"}");
	expect(&t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32011,"
	           "\"message\":\"there is no \\\"such\\\" thing\"}}");
	end(&t);
}

test(answers_may_come_later_and_in_any_order)
{
	struct talk t;

	begin(&t);
	put(&t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"hold\"}");
	put(&t, "{\"jsonrpc\":\"2.0\",\"id\":\"1\",\"method\":\"hold\"}");
	put(&t, "{\"jsonrpc\":\"2.0\",\"id\":1.0,\"method\":\"hold\"}");
	sockets_until(&t.s, t.held_count == 3);
	assert_int_equal(dt_peer_request_count(t.peer), 3);
	answer_held(&t, 2, "third");
	answer_held(&t, 1, "second");
	answer_held(&t, 0, "first");
	assert_int_equal(dt_peer_request_count(t.peer), 0);
	expect(&t, "{\"jsonrpc\":\"2.0\",\"id\":1.0,\"result\":\"third\"}");
	expect(&t, "{\"jsonrpc\":\"2.0\",\"id\":\"1\",\"result\":\"second\"}");
	expect(&t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"first\"}");
	end(&t);
}

test(an_id_under_way_is_not_taken_twice_but_may_come_again_later)
{
	struct talk t;

	begin(&t);
	put(&t, "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"hold\"}");
	put(&t, "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"hold\"}");
	expect_error(&t, "7", DT_RPC_INVALID_REQUEST);
	assert_int_equal(t.held_count, 1);
	answer_held(&t, 0, "ok");
	expect(&t, "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":\"ok\"}");
	put(&t, "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"hold\"}");
	sockets_until(&t.s, t.held_count == 2);
	answer_held(&t, 1, "again");
	expect(&t, "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":\"again\"}");
	end(&t);
}

test(equal_ids_on_two_peers_are_two_requests)
{
	const char *line = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"hold\"}";
	struct talk a;
	struct talk b;

	begin(&a);
	begin(&b);
	put(&a, line);
	put(&b, line);
	sockets_until(&a.s, a.held_count == 1);
	sockets_until(&b.s, b.held_count == 1);
	dt_peer_cancel(a.peer, DT_STR("1"));
	answer_held(&b, 0, "b");
	expect(&b, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"b\"}");
	expect_nothing(&a);
	end(&a);
	end(&b);
}

test(a_cancelled_request_is_told_once_and_not_answered)
{
	struct talk t;

	begin(&t);
	put(&t, "{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"method\":\"hold\"}");
	put(&t, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"hold\"}");
	sockets_until(&t.s, t.held_count == 2);
	dt_buf_clear(&t.log);
	put(&t, "{\"jsonrpc\":\"2.0\",\"method\":\"cancel\","
	        "\"params\":[\"x\"]}");
	put(&t, "{\"jsonrpc\":\"2.0\",\"method\":\"cancel\","
	        "\"params\":[\"x\"]}");
	put(&t, "{\"jsonrpc\":\"2.0\",\"method\":\"cancel\",\"params\":[99]}");
	put(&t, "{\"jsonrpc\":\"2.0\",\"method\":\"cancel\","
	        "\"params\":[\"2\"]}");
	sockets_until(&t.s, dt_peer_request_count(t.peer) == 1);
	expect_nothing(&t);
	assert_str(dt_buf_str(&t.log),
	           "notify cancel [\"x\"]|cancel hold \"x\"|"
	           "notify cancel [\"x\"]|notify cancel [99]|"
	           "notify cancel [\"2\"]|");
	answer_held(&t, 0, "nobody hears this");
	expect_nothing(&t);
	assert_int_equal(dt_peer_request_count(t.peer), 1);
	end(&t);
}

test(an_answer_that_is_too_large_becomes_an_error)
{
	struct talk t;

	begin(&t);
	put(&t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"large\"}");
	expect_error(&t, "1", DT_RPC_LIMIT);
	put(&t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"echo\","
	        "\"params\":[]}");
	expect(&t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":[]}");
	end(&t);
}

/* envelopes */

test(what_is_no_json_is_a_parse_error)
{
	static const char *const lines[] = { "{", "hello", "{\"id\":1", "{}{}",
		                             "\xff" };
	struct talk t;

	begin(&t);
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		put(&t, lines[i]);
		expect_error(&t, "null", DT_RPC_PARSE_ERROR);
	}
	assert_int_equal(t.log.len, 0);
	end(&t);
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

	begin(&t);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		put(&t, cases[i].line);
		expect_error(&t, cases[i].id, DT_RPC_INVALID_REQUEST);
	}
	assert_int_equal(t.log.len, 0);
	end(&t);
}

test(an_id_has_a_longest_length)
{
	char line[400];
	char id[300];
	struct talk t;

	begin(&t);
	for (int len = 256; len <= 257; len++) {
		memset(id, 'x', sizeof(id));
		id[0] = '"';
		id[len - 1] = '"';
		id[len] = '\0';
		snprintf(line, sizeof(line),
		         "{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"fail\"}",
		         id);
		put(&t, line);
		if (len == 256)
			expect_error(&t, id, DT_RPC_MISSING);
		else
			expect_error(&t, "null", DT_RPC_INVALID_REQUEST);
	}
	end(&t);
}

test(notifications_are_not_answered)
{
	struct talk t;

	begin(&t);
	put(&t, "{\"jsonrpc\":\"2.0\",\"method\":\"fail\"}");
	put(&t, "{\"jsonrpc\":\"2.0\",\"method\":\"a\\/b\","
	        "\"params\":{\"c\":1}}");
	put(&t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"echo\","
	        "\"params\":{}}");
	expect(&t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");
	assert_str(dt_buf_str(&t.log),
	           "notify fail |notify a/b {\"c\":1}|request echo {}|");
	end(&t);
}

/* our calls */

static void call(struct talk *t, uint64_t deadline_ms)
{
	dt_peer_call(t->peer, "ask", DT_STR("{\n\"a\": 1}"), deadline_ms,
	             on_reply, t);
}

test(calls_are_numbered_and_answered_in_any_order)
{
	struct talk t;

	begin(&t);
	call(&t, 0);
	call(&t, 10000);
	dt_peer_call(t.peer, "bare", (struct dt_str){ 0 }, 0, on_reply, &t);
	dt_peer_notify(t.peer, "told", DT_STR("[1]"));
	dt_peer_notify(t.peer, "bare", (struct dt_str){ 0 });
	/* One line each, whatever the parameters looked like. */
	expect(&t, "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"ask\","
	           "\"params\":{ \"a\": 1}}");
	expect(&t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ask\","
	           "\"params\":{ \"a\": 1}}");
	expect(&t, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"bare\"}");
	expect(&t, "{\"jsonrpc\":\"2.0\",\"method\":\"told\",\"params\":[1]}");
	expect(&t, "{\"jsonrpc\":\"2.0\",\"method\":\"bare\"}");
	put(&t, "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":null}");
	put(&t, "{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{\"x\":[]}}");
	put(&t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"one\"}");
	sockets_until(&t.s, t.replies == 3);
	assert_str(dt_buf_str(&t.results), "null|{\"x\":[]}|\"one\"|");
	end(&t);
	assert_int_equal(t.replies, 3);
}

test(an_answer_is_taken_once_and_only_for_what_was_asked)
{
	struct talk t;

	begin(&t);
	call(&t, 0);
	put(&t, "{\"jsonrpc\":\"2.0\",\"id\":\"0\",\"result\":1}");
	put(&t, "{\"jsonrpc\":\"2.0\",\"id\":0.0,\"result\":2}");
	put(&t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":3}");
	put(&t, "{\"jsonrpc\":\"2.0\",\"id\":null,\"result\":4}");
	put(&t, "{\"jsonrpc\":\"2.0\",\"result\":5}");
	sockets_turn(&t.s, 5);
	assert_int_equal(t.replies, 0);
	put(&t, "{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":6}");
	put(&t, "{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":7}");
	sockets_until(&t.s, t.replies == 1);
	sockets_turn(&t.s, 5);
	assert_str(dt_buf_str(&t.results), "6|");
	end(&t);
	assert_int_equal(t.replies, 1);
}

static void check_error(const char *error, enum dt_err code, const char *text)
{
	char line[200];
	struct talk t;

	begin(&t);
	call(&t, 0);
	snprintf(line, sizeof(line),
	         "{\"jsonrpc\":\"2.0\",\"id\":0,\"error\":%s}", error);
	put(&t, line);
	sockets_until(&t.s, t.replies == 1);
	assert_int_equal(t.fail.code, code);
	assert_string_equal(t.fail.msg, text);
	end(&t);
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

		begin(&t);
		call(&t, 0);
		expect(&t, "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"ask\","
		           "\"params\":{ \"a\": 1}}");
		put(&t, lines[i]);
		sockets_until(&t.s, t.replies == 1);
		assert_int_equal(t.fail.code, DT_E_PROTO);
		put(&t, lines[i]);
		expect_nothing(&t);
		end(&t);
		assert_int_equal(t.replies, 1);
	}
}

test(a_call_past_its_deadline_fails_once)
{
	struct talk t;

	begin(&t);
	call(&t, 5);
	sockets_until(&t.s, t.replies == 1);
	assert_int_equal(t.fail.code, DT_E_TIMEOUT);
	put(&t, "{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":\"late\"}");
	sockets_turn(&t.s, 10);
	end(&t);
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
	begin(&t);
	dt_peer_call(t.peer, "ask", params, 1000, on_reply, &t);
	assert_int_equal(t.replies, 1);
	assert_int_equal(t.fail.code, DT_E_LIMIT);
	dt_peer_notify(t.peer, "told", params);
	expect_nothing(&t);
	dt_peer_notify(t.peer, "told", (struct dt_str){ 0 });
	expect(&t, "{\"jsonrpc\":\"2.0\",\"method\":\"told\"}");
	free(text);
	end(&t);
	assert_int_equal(t.replies, 1);
}

/* later */

test(later_comes_once_and_may_be_asked_for_again)
{
	struct talk t;

	begin(&t);
	dt_peer_after(t.peer, 1, on_after, &t);
	sockets_until(&t.s, t.log.len == 18);
	usleep(3000);
	sockets_turn(&t.s, 5);
	assert_str(dt_buf_str(&t.log), "after|after|after|");
	end(&t);
}

test(later_never_comes_when_the_peer_is_gone)
{
	struct talk t;

	begin(&t);
	dt_peer_after(t.peer, 5, on_after, &t);
	dt_peer_after(t.peer, 6, on_after, &t);
	sockets_hang_up(&t.s);
	sockets_until(&t.s, t.closed);
	usleep(10000);
	sockets_turn(&t.s, 5);
	assert_str(dt_buf_str(&t.log), "closed CLOSED|");
	end(&t);
}

/* the end */

test(requests_and_calls_under_way_end_before_the_peer_does)
{
	struct talk t;

	begin(&t);
	put(&t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"hold\"}");
	put(&t, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"hold\"}");
	call(&t, 10000);
	call(&t, 0);
	sockets_until(&t.s, t.held_count == 2);
	sockets_read(&t.s); /* bytes left unread would reset it */
	sockets_hang_up(&t.s);
	sockets_until(&t.s, t.closed);
	assert_int_equal(t.replies, 2);
	assert_int_equal(t.fail.code, DT_E_CLOSED);
	assert_str(dt_buf_str(&t.log), "request hold |request hold |"
	                               "cancel hold 1|cancel hold 2|"
	                               "closed CLOSED|");
	end(&t);
	assert_int_equal(t.replies, 2);
}

test(closing_in_a_request_answers_it_and_hears_no_more)
{
	struct talk t;

	begin(&t);
	sockets_put_z(&t.s,
	              "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"close\"}\n"
	              "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"echo\"}\n");
	expect_error(&t, "1", 7);
	sockets_expect_end(&t.s);
	assert_str(dt_buf_str(&t.log), "request close |");
	end(&t);
}

/* Whoever hears of the end may try everything once more. */
static void cancel_and_use(struct dt_request *req, void *owner)
{
	struct talk *t = owner;

	dt_peer_notify(t->peer, "told", (struct dt_str){ 0 });
	dt_peer_after(t->peer, 1, on_after, t);
	call(t, 5);
	dt_request_fail(req, 1, "gone");
	/* The other one as well, although nobody has cancelled it yet. */
	dt_request_fail(t->held[1], 1, "gone");
	t->held[0] = NULL;
	t->held[1] = NULL;
}

test(a_peer_that_ends_can_be_used_to_the_last_callback)
{
	struct talk t;

	begin(&t);
	put(&t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"hold\"}");
	put(&t, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"hold\"}");
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
	end(&t);
}

test(closing_twice_is_closing_once)
{
	struct talk t;

	begin(&t);
	assert_ptr_equal(dt_peer_link(t.peer)->owner, t.peer);
	dt_peer_notify(t.peer, "bye", (struct dt_str){ 0 });
	dt_peer_close(t.peer, DT_LINK_DONE, "");
	dt_peer_close(t.peer, DT_LINK_AWAY, "");
	dt_peer_notify(t.peer, "lost", (struct dt_str){ 0 });
	expect(&t, "{\"jsonrpc\":\"2.0\",\"method\":\"bye\"}");
	sockets_expect_end(&t.s);
	end(&t);
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
		cmocka_unit_test(what_is_no_json_is_a_parse_error),
		cmocka_unit_test(what_is_no_message_is_an_invalid_request),
		cmocka_unit_test(an_id_has_a_longest_length),
		cmocka_unit_test(notifications_are_not_answered),
		cmocka_unit_test(calls_are_numbered_and_answered_in_any_order),
		cmocka_unit_test(
			an_answer_is_taken_once_and_only_for_what_was_asked),
		cmocka_unit_test(an_error_keeps_its_meaning_and_its_sentence),
		cmocka_unit_test(
			a_malformed_answer_ends_the_call_and_is_not_answered),
		cmocka_unit_test(a_call_past_its_deadline_fails_once),
		cmocka_unit_test(a_message_that_is_too_large_is_not_sent),
		cmocka_unit_test(later_comes_once_and_may_be_asked_for_again),
		cmocka_unit_test(later_never_comes_when_the_peer_is_gone),
		cmocka_unit_test(
			requests_and_calls_under_way_end_before_the_peer_does),
		cmocka_unit_test(
			closing_in_a_request_answers_it_and_hears_no_more),
		cmocka_unit_test(
			a_peer_that_ends_can_be_used_to_the_last_callback),
		cmocka_unit_test(closing_twice_is_closing_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
