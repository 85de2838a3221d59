#include "hub/mcp.h"

/* One link, and each message says for itself of which era it is. */
world_test(the_era_is_decided_message_by_message)
{
	struct world *w = *state;
	struct client *c =
		connect_lines(serve_fixtures(w), w, &fixture_dialect);
	const char *heard;

	heard = ask(c, "prompts/list", "{" META("") "}");
	assert_string_equal(at(w, heard, "result.resultType"), "complete");
	request(c, "prompts/list", "{}");
	expect_failure(c, c->id, -32600,
	               "not initialized: send initialize first");
	begin_as(c, "2025-11-25", "");
	heard = ask(c, "prompts/list", "{}");
	assert_null(at(w, heard, "result.resultType"));
	assert_non_null(at(w, heard, "result.prompts.0"));
	heard = ask(c, "prompts/list", "{" META("") "}");
	assert_string_equal(at(w, heard, "result.resultType"), "complete");
	/* What the session has agreed on is not touched by it. */
	heard = ask(c, "prompts/list", "{}");
	assert_null(at(w, heard, "result.resultType"));
}

world_test(a_session_is_ready_when_both_sides_have_agreed)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve_fixtures(w);
	struct client *c = connect_lines(ws, w, &fixture_dialect);

	say(c,
	    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
	expect_nothing_but_pong(c);
	assert_false(last_session(ws)->agent.is_ready);
	begin_as(c, "2025-06-18", "");
	expect_nothing_but_pong(c);
	assert_true(last_session(ws)->agent.is_ready);
}

world_test(what_cannot_be_read_is_answered_without_an_id)
{
	static const char *const odd[] = {
		"{", "nothing", "{\"jsonrpc\":\"2.0\",\"id\":1,}", "\"", "[",
	};
	struct world *w = *state;
	struct client *c = connect_fixtures(w, "2025-11-25", "");

	for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
		const char *heard;

		say(c, odd[i]);
		heard = hear(c);
		assert_string_equal(at(w, heard, "error.code"), "-32700");
		assert_null(at(w, heard, "id"));
	}
	expect_nothing_but_pong(c);
}

world_test(what_is_no_request_is_refused_and_the_session_goes_on)
{
	static const char *const odd[] = {
		"{}",
		"7",
		"{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"ping\"}",
		"{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}",
		"{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"ping\"}",
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":7}",
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":7}",
	};
	struct world *w = *state;
	struct client *c = connect_fixtures(w, "2025-11-25", "");

	for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
		say(c, odd[i]);
		expect_at(c, "error.code", "-32600");
	}
	expect_nothing_but_pong(c);
}

#define PING(id) "{\"jsonrpc\":\"2.0\",\"id\":" id ",\"method\":\"ping\"}"

world_test(an_array_is_taken_apart_in_one_revision_alone)
{
	static const char *const others[] = { "2024-11-05", "2025-06-18",
		                              "2025-11-25" };
	struct world *w = *state;
	struct client *c =
		connect_lines(serve_fixtures(w), w, &fixture_dialect);

	for (size_t i = 0; i < 3; i++) {
		begin_as(c, others[i], "");
		say(c, "[" PING("8") "," PING("9") "]");
		expect_at(c, "error.code", "-32600");
	}
	begin_as(c, "2025-03-26", "");
	say(c, "[" PING("8") ",{\"jsonrpc\":\"2.0\",\"method\":"
	                     "\"notifications/x\"}," PING("9") "]");
	expect(c, "[{\"jsonrpc\":\"2.0\",\"id\":8,\"result\":{}},"
	          "{\"jsonrpc\":\"2.0\",\"id\":9,\"result\":{}}]");
	say(c, "[]");
	expect_at(c, "error.code", "-32600");
}

/* What we ship at /mcp. */
world_test(the_real_one_offers_its_tools)
{
	struct world *w = *state;
	struct client *c = connect_mcp(serve(w), w, "", NULL);
	const char *heard;

	begin_as(c, "2025-11-25", "");
	heard = ask(c, "tools/list", "{}");
	assert_string_equal(at(w, heard, "result.tools.0.name"), "proposeEdit");
	assert_string_equal(
		at(w, heard,
	           "result.tools.0.inputSchema.properties.workspace.type"),
		"string");
	request(c, "tools/call", "{\"name\":\"test_simple_text\"}");
	expect_failure(c, c->id, -32602, "no tool is named test_simple_text");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_world(the_era_is_decided_message_by_message),
		test_in_world(a_session_is_ready_when_both_sides_have_agreed),
		test_in_world(what_cannot_be_read_is_answered_without_an_id),
		test_in_world(
			what_is_no_request_is_refused_and_the_session_goes_on),
		test_in_world(an_array_is_taken_apart_in_one_revision_alone),
		test_in_world(the_real_one_offers_its_tools),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
