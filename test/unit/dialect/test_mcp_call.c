#include "hub/mcp.h"

#define WAITS "test_elicitation_sep1034_defaults" /* for its form */

world_test(an_unknown_tool_is_told_by_its_code_in_both_eras)
{
	struct world *w = *state;
	struct client *c = connect_fixtures(w, "2025-11-25", "");

	call_plain(c, "rm");
	expect_failure(c, c->id, -32602, "no tool is named rm");
	call_modern(c, "rm", "", "");
	expect_failure(c, c->id, -32602, "no tool is named rm");
}

world_test(a_hidden_tool_is_not_there)
{
	struct world *w = *state;
	struct client *c;

	configure(w, "[mcp]\nhide = test_simple_*\n");
	c = connect_fixtures(w, "2025-11-25", "");
	call_plain(c, "test_simple_text");
	expect_failure(c, c->id, -32602, "no tool is named test_simple_text");
	call_plain(c, "test_streaming_elicitation");
	expect_text(c, c->id, "All is well.");
}

/* The model reads what it did wrong; before 2025-11-25 its client did. */
world_test(a_workspace_that_is_none_is_refused_as_the_revision_wants)
{
	static const char *const params =
		"{\"name\":\"test_simple_text\",\"arguments\":{"
		"\"workspace\":7}}";
	struct world *w = *state;
	struct client *c = connect_fixtures(w, "2025-11-25", "");

	request(c, "tools/call", params);
	expect_is_error(c, c->id, "workspace: expected string");
	begin_as(c, "2025-06-18", "");
	request(c, "tools/call", params);
	expect_failure(c, c->id, -32602, "workspace: expected string");
	request(c, "tools/call",
	        "{\"name\":\"test_simple_text\",\"arguments\":{"
	        "\"workspace\":null}}");
	expect_text(c, c->id, "This is a simple text response for testing.");
}

world_test(members_of_meta_that_nobody_knows_do_no_harm)
{
	struct world *w = *state;
	struct client *c = connect_fixtures(w, "2025-11-25", "");

	request(c, "tools/call",
	        "{\"name\":\"test_streaming_elicitation\",\"_meta\":{\"a\":1,"
	        "\"com.example/b\":{\"c\":[]},\"traceparent\":\"00-0-0-00\"}}");
	expect_text(c, c->id, "All is well.");
	request(c, "tools/call",
	        "{\"name\":\"test_streaming_elicitation\",\"_meta\":7}");
	expect_text(c, c->id, "All is well.");
	request(c, "tools/call",
	        "{\"name\":\"test_streaming_elicitation\",\"_meta\":{"
	        "\"com.example/b\":{}," VERSION_KEY
	        ":\"2026-07-28\"," CLIENT_KEY ":{\"unknown\":{}}}}");
	expect_at(c, "result.content.0.text", "All is well.");
}

world_test(progress_grows_and_comes_only_where_it_is_wanted)
{
	struct world *w = *state;
	struct client *c = connect_fixtures(w, "2025-11-25", "");

	call_plain(c, "test_tool_with_progress");
	expect_text(c, c->id, "Progress was reported.");
	request(c, "tools/call",
	        "{\"name\":\"test_tool_with_progress\",\"_meta\":{"
	        "\"progressToken\":\"t\"}}");
	for (int done = 0; done <= 100; done += 50)
		expect(c,
		       "{\"jsonrpc\":\"2.0\",\"method\":"
		       "\"notifications/progress\",\"params\":{"
		       "\"progressToken\":\"t\",\"progress\":%d,"
		       "\"total\":100}}",
		       done);
	expect_text(c, c->id, "Progress was reported.");
}

world_test(a_legacy_client_sets_the_level_it_wants_to_hear)
{
	struct world *w = *state;
	struct client *c = connect_fixtures(w, "2025-11-25", "");

	call_plain(c, "test_tool_with_logging");
	for (int i = 0; i < 3; i++)
		expect_at(c, "params.level", "info");
	expect_text(c, c->id, "Logs were sent.");
	request(c, "logging/setLevel", "{\"level\":\"notice\"}");
	expect(c, "{\"jsonrpc\":\"2.0\",\"id\":%u,\"result\":{}}", c->id);
	call_plain(c, "test_tool_with_logging");
	expect_text(c, c->id, "Logs were sent.");
	request(c, "logging/setLevel", "{\"level\":\"loud\"}");
	expect_at(c, "error.code", "-32602");
}

world_test(an_id_that_is_under_way_cannot_be_used_again)
{
	struct world *w = *state;
	struct client *c = connect_fixtures(w, "2025-11-25", ELICITS);
	const char *question;

	call_plain(c, WAITS);
	question = hear(c);
	c->id--;
	call_plain(c, "test_simple_text");
	expect_failure(c, c->id, -32600,
	               "a request with this id is still under way");
	answer(c, question, "{\"action\":\"decline\"}");
	expect_text(c, c->id, "User response: {\"action\":\"decline\"}");
	c->id--;
	call_plain(c, "test_streaming_elicitation");
	expect_text(c, c->id, "All is well.");
}

/* Before, after, and twice: a cancellation never does harm. */
world_test(cancellations_race_with_answers)
{
	struct world *w = *state;
	struct client *c = connect_fixtures(w, "2025-11-25", ELICITS);

	cancel(c, c->id + 1);
	call_plain(c, "test_streaming_elicitation");
	expect_text(c, c->id, "All is well.");
	cancel(c, c->id);
	call_plain(c, WAITS);
	cancel(c, c->id);
	cancel(c, c->id);
	expect_at(c, "method", "elicitation/create");
	expect_at(c, "method", "notifications/cancelled");
	expect_nothing_but_pong(c);
	/* The id is free again. */
	c->id -= 2;
	call_plain(c, "test_streaming_elicitation");
	expect_text(c, c->id, "All is well.");
}

world_test(so_many_calls_run_and_no_more)
{
	struct world *w = *state;
	struct client *c;
	const char *question;

	configure(w, "[limits]\ncalls = 1\n");
	c = connect_fixtures(w, "2025-11-25", ELICITS);
	call_plain(c, WAITS);
	question = hear(c);
	call_plain(c, "test_streaming_elicitation");
	expect_is_error(c, c->id,
	                "1 calls are under way already (limits.calls): wait "
	                "for one to end");
	assert_true(log_has(w, "hit limits.calls"));
	answer(c, question, "{\"action\":\"decline\"}");
	hear(c);
	call_plain(c, "test_streaming_elicitation");
	expect_text(c, c->id, "All is well.");
}

/* A resource that is read by somebody who takes their time. */
static struct dt_call *reading;

static void read_later(struct dt_call *call, const void *args)
{
	(void)args;
	reading = call;
}

static const struct dt_tool slow_methods[] = {
	{
		.name = "resources/read",
		.args = DT_SHAPE_EMPTY,
		.effect = DT_READS,
		.run = read_later,
	},
	{ .name = NULL },
};

/* The message is lent: by now its bytes are another's. */
world_test(a_resource_found_missing_later_is_still_named)
{
	static struct dt_dialect slow;
	struct world *w = *state;
	struct client *c;
	const char *heard;

	slow = fixture_dialect;
	slow.methods = slow_methods;
	c = connect_lines(serve_fixtures(w), w, &slow);
	begin_as(c, "2025-11-25", "");
	request(c, "resources/read", "{\"uri\":\"file:///a\"}");
	wait_for(w, reading);
	heard = ask(c, "ping", text_of(w, "{\"_meta\":{\"a\":\"%0200d\"}}", 0));
	assert_non_null(at(w, heard, "result"));
	dt_call_failf(reading, DT_E_MISSING, "no such resource");
	heard = hear(c);
	assert_string_equal(at(w, heard, "error.code"), "-32002");
	assert_string_equal(at(w, heard, "error.data.uri"), "file:///a");
}

static void reply_large(struct dt_call *call, const void *args)
{
	char *text = dt_arena_bytes(call->arena, DT_LIMIT_MESSAGE);

	(void)args;
	memset(text, 'x', DT_LIMIT_MESSAGE);
	dt_call_add(call, (struct dt_str){ text, DT_LIMIT_MESSAGE });
	dt_call_reply(call);
}

/* Codes of ours in JSON-RPC's own range end with 2025-11-25. */
world_test(a_reply_that_fits_no_message_is_told_to_the_model)
{
	static const struct dt_tool tool = {
		.name = "large",
		.args = DT_SHAPE_EMPTY,
		.effect = DT_READS,
		.run = reply_large,
	};
	static const struct dt_tool_group group = {
		.name = "large",
		.tools = &tool,
		.count = 1,
	};
	static const struct dt_tool_group *const groups[] = { &group, NULL };
	static struct dt_dialect large;
	struct world *w = *state;
	const char *heard;
	struct client *c;

	large = fixture_dialect;
	large.groups = groups;
	c = connect_lines(serve_fixtures(w), w, &large);
	begin_as(c, "2025-11-25", "");
	call_plain(c, "large");
	expect_is_error(c, c->id,
	                "large: the reply is larger than 67108864 bytes");
	call_modern(c, "large", "", "");
	heard = hear(c);
	assert_string_equal(at(w, heard, "result.isError"), "true");
	assert_string_equal(at(w, heard, "result.resultType"), "complete");
}

#define MANY 1000

/* All wait at once, are answered in reverse, and none gets another's answer. */
world_test(a_thousand_calls_run_side_by_side)
{
	struct world *w = *state;
	struct client *c;
	static const char *asked[MANY];
	unsigned first;

	configure(w, "[limits]\ncalls = 5000\nrequests_a_minute = 0\n");
	c = connect_fixtures(w, "2025-11-25", ELICITS);
	first = c->id + 1;
	for (int i = 0; i < MANY; i++)
		call_plain(c, "test_input_required_result_elicitation");
	for (int i = 0; i < MANY; i++)
		asked[i] = hear(c);
	assert_int_equal(last_mcp(serve(w))->calls, MANY);
	for (unsigned i = MANY; i-- > 0;)
		answer(c, asked[i],
		       text_of(w,
		               "{\"action\":\"accept\",\"content\":{"
		               "\"name\":\"%u\"}}",
		               i));
	for (unsigned i = MANY; i-- > 0;)
		expect_text(c, first + i, text_of(w, "Hello, %u!", i));
	assert_int_equal(last_mcp(serve(w))->calls, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_world(an_unknown_tool_is_told_by_its_code_in_both_eras),
		test_in_world(a_hidden_tool_is_not_there),
		test_in_world(
			a_workspace_that_is_none_is_refused_as_the_revision_wants),
		test_in_world(members_of_meta_that_nobody_knows_do_no_harm),
		test_in_world(progress_grows_and_comes_only_where_it_is_wanted),
		test_in_world(a_legacy_client_sets_the_level_it_wants_to_hear),
		test_in_world(an_id_that_is_under_way_cannot_be_used_again),
		test_in_world(cancellations_race_with_answers),
		test_in_world(so_many_calls_run_and_no_more),
		test_in_world(a_resource_found_missing_later_is_still_named),
		test_in_world(
			a_reply_that_fits_no_message_is_told_to_the_model),
		test_in_world(a_thousand_calls_run_side_by_side),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
