/* test/unit/rpc/test_envelope.c - what a message says it is. */
#include "unit.h"

#include "rpc/envelope.h"

#include <stdio.h>

/* "request", "notification", "answer" or what is wrong; `id` as it may be
 * repeated, "-" where it may not. */
static void check(const char *text, const char *expected, const char *id)
{
	struct dt_arena arena = { 0 };
	struct dt_envelope env = { 0 };
	const struct dt_json *json;
	const char *got;
	struct dt_str got_id;

	assert_ok(dt_json_read(&arena, dt_str(text), &json, NULL));
	got = dt_envelope_read(json, &env);
	if (!got && dt_envelope_is_answer(&env))
		got = "answer";
	else if (!got)
		got = env.id ? "request" : "notification";
	assert_string_equal(got, expected);
	got_id = dt_envelope_id(&env);
	assert_true(dt_str_is(got_id.ptr ? got_id : DT_STR("-"), id));
	dt_arena_done(&arena);
}

test(a_message_is_a_request_a_notification_or_an_answer)
{
	check("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\"}", "request",
	      "1");
	check("{\"params\":{},\"method\":\"m\",\"id\":\"\",\"jsonrpc\":\"2.0\"}",
	      "request", "\"\"");
	check("{\"jsonrpc\":\"2.0\",\"i\\u0064\":-1,\"method\":\"m\",\"x\":1}",
	      "request", "-1");
	check("{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":[]}",
	      "notification", "-");
	check("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":null}", "answer", "1");
	check("{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{}}", "answer", "-");
	check("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",\"result\":1}",
	      "request", "1");
}

test(what_is_wrong_is_said_in_a_sentence)
{
	check("[]", "a message is an object", "-");
	check("null", "a message is an object", "-");
	check("{}", "jsonrpc must be \"2.0\"", "-");
	check("{\"id\":7}", "jsonrpc must be \"2.0\"", "7");
	check("{\"jsonrpc\":2.0,\"method\":\"m\"}", "jsonrpc must be \"2.0\"",
	      "-");
	check("{\"jsonrpc\":\"2.0\",\"id\":1,\"id\":2,\"method\":\"m\"}",
	      "a member is there twice", "1");
	check("{\"jsonrpc\":\"2.0\",\"x\":1,\"\\u0078\":2,\"method\":\"m\"}",
	      "a member is there twice", "-");
	check("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":null}",
	      "method must be a string", "1");
	check("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\\u0000b\"}",
	      "method must hold no NUL", "1");
	check("{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"m\"}",
	      "id must be a string or a number, and short", "-");
	check("{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"m\"}",
	      "id must be a string or a number, and short", "-");
	check("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",\"params\":null}",
	      "params must be an object or an array", "1");
	check("{\"jsonrpc\":\"2.0\",\"id\":1}",
	      "neither a request nor an answer", "1");
}

test(null_params_are_absent_where_that_is_wanted)
{
	struct dt_envelope env = { .takes_null_params = true };
	struct dt_arena arena = { 0 };
	const struct dt_json *json;

	assert_ok(dt_json_read(&arena,
	                       DT_STR("{\"jsonrpc\":\"2.0\",\"method\":\"m\","
	                              "\"params\":null}"),
	                       &json, NULL));
	assert_null(dt_envelope_read(json, &env));
	assert_null(env.params);
	dt_arena_done(&arena);
}

test(a_long_id_is_no_id)
{
	char text[400];
	char id[300];

	for (int len = 256; len <= 257; len++) {
		snprintf(id, sizeof(id), "\"%0*d\"", len - 2, 0);
		snprintf(text, sizeof(text),
		         "{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"m\"}",
		         id);
		if (len == 256)
			check(text, "request", id);
		else
			check(text,
			      "id must be a string or a number, and short",
			      "-");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			a_message_is_a_request_a_notification_or_an_answer),
		cmocka_unit_test(what_is_wrong_is_said_in_a_sentence),
		cmocka_unit_test(null_params_are_absent_where_that_is_wanted),
		cmocka_unit_test(a_long_id_is_no_id),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
