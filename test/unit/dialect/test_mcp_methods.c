#include "hub/mcp.h"

static const char *capabilities(struct client *c, const char *version)
{
	return at(c->w,
	          ask(c, "initialize",
	              text_of(c->w, "{\"protocolVersion\":\"%s\"}", version)),
	          "result.capabilities");
}

world_test(what_a_dialect_has_is_declared)
{
	struct world *w = *state;
	struct client *c =
		connect_lines(serve_fixtures(w), w, &fixture_dialect);

	assert_string_equal(
		capabilities(c, "2025-11-25"),
		"{\"tools\":{\"listChanged\":true},"
		"\"prompts\":{\"listChanged\":true},"
		"\"resources\":{\"subscribe\":true,\"listChanged\":true},"
		"\"completions\":{},\"logging\":{}}");
	/* There was no such capability, though the method was there. */
	assert_null(at(w, capabilities(c, "2024-11-05"), "completions"));
}

world_test(resources_are_read_or_missing)
{
	struct world *w = *state;
	struct client *c = connect_fixtures(w, "2025-11-25", "");
	const char *heard;

	request(c, "resources/read", "{\"uri\":\"test://static-text\"}");
	expect_at(c, "result.contents.0.text",
	          "This is the content of the static text resource.");
	request(c, "resources/read", "{\"uri\":\"test://template/7/data\"}");
	expect_at(c, "result.contents.0.mimeType", "application/json");
	/* The code is another one since 2026-07-28. */
	heard = ask(c, "resources/read", "{\"uri\":\"test://none\"}");
	assert_string_equal(at(w, heard, "error.code"), "-32002");
	assert_string_equal(at(w, heard, "error.data"),
	                    "{\"uri\":\"test://none\"}");
	heard = ask(c, "resources/read",
	            "{\"uri\":\"test://none\"," META("") "}");
	assert_string_equal(at(w, heard, "error.code"), "-32602");
	assert_string_equal(at(w, heard, "error.data"),
	                    "{\"uri\":\"test://none\"}");
	request(c, "resources/read", "{}");
	expect_failure(c, c->id, -32602, "uri: missing");
	request(c, "resources/read", "{\"uri\":7}");
	expect_failure(c, c->id, -32602, "uri: expected string");
}

/* Methods have no isError: it is an error in every revision. */
world_test(prompts_are_made_or_refused)
{
	struct world *w = *state;
	struct client *c = connect_fixtures(w, "2025-11-25", "");

	request(c, "prompts/get", "{\"name\":\"test_simple_prompt\"}");
	expect_at(c, "result.messages.0.content.text",
	          "This is a simple prompt for testing.");
	request(c, "prompts/get", "{\"name\":\"none\"}");
	expect_failure(c, c->id, -32602, "no prompt is named none");
	request(c, "prompts/get",
	        "{\"name\":\"test_prompt_with_arguments\",\"arguments\":{"
	        "\"arg1\":\"x\"}}");
	expect_failure(c, c->id, -32602, "arg1 and arg2 are wanted");
	request(c, "prompts/get", "{}");
	expect_failure(c, c->id, -32602, "name: missing");
	request(c, "prompts/get", "{\"name\":\"none\"," META("") "}");
	expect_failure(c, c->id, -32602, "no prompt is named none");
}

world_test(completions_are_told)
{
	struct world *w = *state;
	struct client *c = connect_fixtures(w, "2025-11-25", "");

	request(c, "completion/complete",
	        "{\"ref\":{\"type\":\"ref/prompt\",\"name\":\"x\"},"
	        "\"argument\":{\"name\":\"a\",\"value\":\"t\"}}");
	expect(c,
	       "{\"jsonrpc\":\"2.0\",\"id\":%u,\"result\":{\"completion\":{"
	       "\"values\":[\"test\",\"testing\"],\"hasMore\":false}}}",
	       c->id);
}

world_test(a_model_is_told_where_it_works)
{
	struct world *w = *state;
	struct client *c =
		connect_lines(serve_fixtures(w), w, &fixture_dialect);
	const char *heard =
		ask(c, "initialize", "{\"protocolVersion\":\"2025-11-25\"}");

	assert_non_null(
		strstr(at(w, heard, "result.instructions"), w->project));
	heard = ask(c, "server/discover", "{" META("") "}");
	assert_non_null(
		strstr(at(w, heard, "result.instructions"), w->project));
}

world_test(what_nobody_has_is_told_by_its_name)
{
	struct world *w = *state;
	struct client *c = connect_fixtures(w, "2025-11-25", "");

	request(c, "tools/none", "{}");
	expect_failure(c, c->id, -32601, "no method is named tools/none");
	request(c, "server/discover", "{}");
	expect_failure(c, c->id, -32601, "no method is named server/discover");
	request(c, "subscriptions/listen", "{}");
	expect_failure(c, c->id, -32601,
	               "no method is named subscriptions/listen");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_world(what_a_dialect_has_is_declared),
		test_in_world(resources_are_read_or_missing),
		test_in_world(prompts_are_made_or_refused),
		test_in_world(completions_are_told),
		test_in_world(a_model_is_told_where_it_works),
		test_in_world(what_nobody_has_is_told_by_its_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
