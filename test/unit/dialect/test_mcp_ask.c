#include "hub/mcp.h"

#define FORM_TOOL "test_elicitation_sep1034_defaults"
#define IR "test_input_required_result_"

/* the legacy way */

/* The text of the result, which is the next message. */
static void expect_reply(struct client *c, const char *text)
{
	expect_at(c, "result.content.0.text", text);
}

world_test(a_form_comes_back_however_it_was_left)
{
	static const char *const answers[] = {
		"{\"action\":\"accept\",\"content\":{\"name\":\"x\"}}",
		"{\"action\":\"decline\"}",
		"{\"action\":\"cancel\"}",
	};
	struct world *w = *state;
	struct client *c = connect_fixtures(w, "2025-11-25", ELICITS);

	for (size_t i = 0; i < 3; i++) {
		const char *question;

		call_plain(c, FORM_TOOL);
		question = hear(c);
		assert_string_equal(at(w, question, "method"),
		                    "elicitation/create");
		assert_string_equal(at(w, question, "params.message"),
		                    "With defaults");
		answer(c, question, answers[i]);
		expect_reply(c, text_of(w, "User response: %s", answers[i]));
	}
}

/* As if the person had looked away. */
world_test(a_client_that_fails_to_ask_has_not_asked)
{
	struct world *w = *state;
	struct client *c = connect_fixtures(w, "2025-06-18", ELICITS);

	call_plain(c, FORM_TOOL);
	say(c, text_of(w,
	               "{\"jsonrpc\":\"2.0\",\"id\":%s,\"error\":{\"code\":"
	               "-32603,\"message\":\"no screen\"}}",
	               at(w, hear(c), "id")));
	expect_reply(c, "User response: {\"action\":\"cancel\"}");
}

world_test(several_questions_are_answered_in_any_order)
{
	struct world *w = *state;
	struct client *c = connect_fixtures(w, "2025-11-25", ALL_CAN);
	const char *asked[3];

	call_plain(c, IR "multiple_inputs");
	for (size_t i = 0; i < 3; i++)
		asked[i] = hear(c);
	answer(c, asked[2], "{\"roots\":[]}");
	answer(c, asked[0],
	       "{\"action\":\"accept\",\"content\":{\"name\":\"x\"}}");
	expect_nothing_but_pong(c);
	answer(c, asked[1], "{\"role\":\"assistant\"}");
	expect_reply(c, "All three were answered.");
}

world_test(a_tool_may_ask_again_and_keeps_its_state)
{
	struct world *w = *state;
	struct client *c = connect_fixtures(w, "2025-11-25", ELICITS);

	call_plain(c, IR "multi_round");
	answer(c, hear(c),
	       "{\"action\":\"accept\",\"content\":{\"name\":\"x\"}}");
	answer(c, hear(c),
	       "{\"action\":\"accept\",\"content\":{\"color\":\"red\"}}");
	expect_reply(c, "Both steps are done.");
}

/* The question is taken back, and what comes late is nobody's. */
world_test(a_call_cancelled_while_it_asks_takes_its_question_back)
{
	struct world *w = *state;
	struct client *c = connect_fixtures(w, "2025-11-25", ELICITS);
	struct dt_workspace *ws = serve(w);
	const char *question;
	const char *heard;

	call_plain(c, FORM_TOOL);
	question = hear(c);
	assert_int_equal(last_mcp(ws)->calls, 1);
	cancel(c, c->id);
	heard = hear(c);
	assert_string_equal(at(w, heard, "method"), "notifications/cancelled");
	assert_string_equal(at(w, heard, "params.requestId"),
	                    at(w, question, "id"));
	assert_int_equal(last_mcp(ws)->calls, 0);
	answer(c, question, "{\"action\":\"accept\",\"content\":{}}");
	expect_nothing_but_pong(c);
}

world_test(a_client_that_leaves_while_it_is_asked_leaves_nothing)
{
	struct world *w = *state;
	struct client *c = connect_fixtures(w, "2025-11-25", ELICITS);
	struct dt_workspace *ws = serve(w);

	call_plain(c, FORM_TOOL);
	hear(c);
	drop(c);
	wait_for(w, ws->session_count == 0);
}

/* The real tool: the terminal was faster than the form. */
world_test(a_call_decided_elsewhere_takes_its_question_back)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct client *c = connect_mcp(ws, w, "", NULL);
	struct client *command = connect_command(w);
	const char *question;
	const char *heard;

	begin_as(c, "2025-11-25", ELICITS);
	request(c, "tools/call",
	        text_of(w,
	                "{\"name\":\"proposeEdit\",\"arguments\":{\"changes\":[{"
	                "\"path\":%s,\"text\":\"2\\n\"}]}}",
	                quoted(w, make_file(w, "a", "1\n"))));
	question = hear(c);
	assert_string_equal(at(w, question, "method"), "elicitation/create");
	decide(command, last_review(w)->id, "\"verdict\":\"accept\"");
	heard = hear(c);
	assert_string_equal(at(w, heard, "method"), "notifications/cancelled");
	assert_string_equal(at(w, heard, "params.requestId"),
	                    at(w, question, "id"));
	heard = hear(c);
	assert_string_equal(at(w, heard, "id"), text_of(w, "%u", c->id));
	assert_string_equal(at(w, heard, "result.structuredContent.verdict"),
	                    "accepted");
	answer(c, question, "{\"action\":\"decline\"}");
	expect_nothing_but_pong(c);
}

world_test(what_a_client_did_not_declare_is_not_asked)
{
	struct world *w = *state;
	struct client *c = connect_fixtures(w, "2025-11-25", "");

	call_plain(c, IR "elicitation");
	expect_is_error(c, c->id,
	                IR "elicitation works only with an agent that declares "
	                   "elicitation");
	call_modern(c, IR "sampling", ELICITS, "");
	expect_at(c, "error.data.requiredCapabilities", "{\"sampling\":{}}");
}

/* the modern way */

world_test(a_modern_call_ends_with_its_question_and_comes_again)
{
	struct world *w = *state;
	struct client *c =
		connect_lines(serve_fixtures(w), w, &fixture_dialect);
	const char *heard;

	call_modern(c, IR "elicitation", ELICITS, "");
	heard = hear(c);
	assert_string_equal(at(w, heard, "result.resultType"),
	                    "input_required");
	assert_string_equal(
		at(w, heard, "result.inputRequests.user_name.method"),
		"elicitation/create");
	assert_null(at(w, heard, "result.requestState"));
	assert_null(at(w, heard, "result.ttlMs"));
	call_modern(c, IR "elicitation", ELICITS,
	            ",\"inputResponses\":{\"user_name\":{\"action\":\"accept\","
	            "\"content\":{\"name\":\"Ada\"}},\"other\":7}");
	expect_at(c, "result.content.0.text", "Hello, Ada!");
	/* Without the answer it asks again. */
	call_modern(c, IR "elicitation", ELICITS,
	            ",\"inputResponses\":{\"other\":7}");
	expect_at(c, "result.resultType", "input_required");
	call_modern(c, IR "elicitation", ELICITS, ",\"inputResponses\":[]");
	expect_failure(c, c->id, -32602, "inputResponses: expected object");
}

#define CONFIRMED ",\"inputResponses\":{\"confirm\":{\"action\":\"accept\"}}"

/* A call of this tool with a state that it, or another call, was given. */
static void come_again(struct client *c, const char *tool, const char *state,
                       const char *arguments)
{
	call_modern(c, tool, ELICITS,
	            text_of(c->w,
	                    CONFIRMED ",\"requestState\":%s,\"arguments\":%s",
	                    state, arguments));
}

static void expect_stale(struct client *c)
{
	expect_failure(c, c->id, -32602,
	               "requestState: not ours, too old, or of another "
	               "request");
}

world_test(a_state_fits_the_very_call_it_was_given_to)
{
	struct world *w = *state;
	struct client *c =
		connect_lines(serve_fixtures(w), w, &fixture_dialect);
	const char *given;

	call_modern(c, IR "request_state", ELICITS, ",\"arguments\":{\"a\":1}");
	given = quoted(w, at(w, hear(c), "result.requestState"));
	come_again(c, IR "request_state", given, "{\"a\":1}");
	expect_at(c, "result.content.0.text", "state-ok");
	come_again(c, IR "request_state", given, "{\"a\":2}");
	expect_stale(c);
	come_again(c, IR "tampered_state", given, "{\"a\":1}");
	expect_stale(c);
	come_again(c, IR "request_state", "\"1:9:x:y\"", "{\"a\":1}");
	expect_stale(c);
	come_again(c, IR "request_state", "7", "{\"a\":1}");
	expect_stale(c);
	come_again(c, IR "request_state",
	           text_of(w, "%.*s\\u0000x\"", (int)strlen(given) - 1, given),
	           "{\"a\":1}");
	expect_stale(c);
}

/* The same call, but where it would be carried out is another place. */
world_test(a_state_opens_in_no_other_workspace)
{
	struct world *w = *state;
	struct client *here =
		connect_lines(serve_fixtures(w), w, &fixture_dialect);
	struct client *there = connect_lines(serve_at(w, make_folder(w, "q")),
	                                     w, &fixture_dialect);
	const char *given;

	call_modern(here, IR "request_state", ELICITS, ",\"arguments\":{}");
	given = quoted(w, at(w, hear(here), "result.requestState"));
	come_again(there, IR "request_state", given, "{}");
	expect_stale(there);
	come_again(here, IR "request_state", given, "{}");
	expect_at(here, "result.content.0.text", "state-ok");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_world(a_form_comes_back_however_it_was_left),
		test_in_world(a_client_that_fails_to_ask_has_not_asked),
		test_in_world(several_questions_are_answered_in_any_order),
		test_in_world(a_tool_may_ask_again_and_keeps_its_state),
		test_in_world(
			a_call_cancelled_while_it_asks_takes_its_question_back),
		test_in_world(
			a_client_that_leaves_while_it_is_asked_leaves_nothing),
		test_in_world(a_call_decided_elsewhere_takes_its_question_back),
		test_in_world(what_a_client_did_not_declare_is_not_asked),
		test_in_world(
			a_modern_call_ends_with_its_question_and_comes_again),
		test_in_world(a_state_fits_the_very_call_it_was_given_to),
		test_in_world(a_state_opens_in_no_other_workspace),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
