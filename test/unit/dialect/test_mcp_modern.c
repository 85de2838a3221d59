#include "hub/mcp.h"

static struct client *connect(struct world *w)
{
	return connect_lines(serve_fixtures(w), w, &fixture_dialect);
}

/* A request with this _meta. */
static void ask_with(struct client *c, const char *method, const char *meta)
{
	request(c, method, text_of(c->w, "{\"_meta\":{%s}}", meta));
}

world_test(a_server_is_discovered)
{
	struct world *w = *state;
	struct client *c = connect(w);
	const char *heard = ask(c, "server/discover", "{" META("") "}");

	assert_string_equal(at(w, heard, "result.supportedVersions"),
	                    "[\"2026-07-28\"]");
	assert_string_equal(at(w, heard, "result.resultType"), "complete");
	assert_string_equal(at(w, heard, "result.capabilities.logging"), "{}");
	assert_string_equal(at(w, heard, "result.cacheScope"), "private");
	assert_non_null(strstr(heard, SERVER_META));
}

world_test(a_version_we_do_not_speak_is_refused_with_those_we_do)
{
	struct world *w = *state;
	struct client *c = connect(w);
	const char *heard;

	ask_with(c, "tools/list",
	         VERSION_KEY ":\"2099-01-01\"," CLIENT_KEY ":{}");
	heard = hear(c);
	assert_string_equal(at(w, heard, "error.code"), "-32022");
	assert_string_equal(at(w, heard, "error.data"),
	                    "{\"supported\":[\"2026-07-28\"],"
	                    "\"requested\":\"2099-01-01\"}");
	/* The revisions with sessions are not asked for in this way. */
	ask_with(c, "tools/list",
	         VERSION_KEY ":\"2025-11-25\"," CLIENT_KEY ":{}");
	expect_at(c, "error.code", "-32022");
	ask_with(c, "tools/list", VERSION_KEY ":7," CLIENT_KEY ":{}");
	expect_at(c, "error.code", "-32602");
}

world_test(each_request_says_what_its_client_can_do)
{
	struct world *w = *state;
	struct client *c = connect(w);

	ask_with(c, "tools/list", VERSION_KEY ":\"2026-07-28\"");
	expect_failure(c, c->id, -32602,
	               "_meta: io.modelcontextprotocol/clientCapabilities is "
	               "missing");
	ask_with(c, "tools/list",
	         VERSION_KEY ":\"2026-07-28\"," CLIENT_KEY ":[]");
	expect_at(c, "error.code", "-32602");
	/* Nothing is kept from one request to the next. */
	call_modern(c, "test_missing_capability", "\"sampling\":{}", "");
	expect_at(c, "result.content.0.text", "It can be sampled.");
	call_modern(c, "test_missing_capability", "", "");
	expect_at(c, "error.code", "-32021");
}

world_test(tokens_and_levels_that_are_none_are_refused)
{
	static const char *const odd[] = {
		"\"progressToken\":{}",
		"\"progressToken\":true",
		"\"io.modelcontextprotocol/logLevel\":\"loud\"",
		"\"io.modelcontextprotocol/logLevel\":7",
	};
	struct world *w = *state;
	struct client *c = connect(w);

	for (size_t i = 0; i < 4; i++) {
		ask_with(c, "tools/list",
		         text_of(w,
		                 VERSION_KEY ":\"2026-07-28\"," CLIENT_KEY
		                             ":{},%s",
		                 odd[i]));
		expect_at(c, "error.code", "-32602");
	}
}

world_test(what_belonged_to_sessions_is_gone)
{
	static const char *const gone[] = {
		"initialize",
		"ping",
		"logging/setLevel",
		"resources/subscribe",
		"resources/unsubscribe",
	};
	struct world *w = *state;
	struct client *c = connect_fixtures(w, "2025-11-25", "");

	for (size_t i = 0; i < 5; i++) {
		request(c, gone[i], "{" META("") "}");
		expect_failure(c, c->id, -32601,
		               text_of(w, "no method is named %s", gone[i]));
	}
}

world_test(logs_come_to_those_who_ask_with_the_request)
{
	struct world *w = *state;
	struct client *c = connect(w);

	call_modern(c, "test_logging_tool", "", "");
	expect_at(c, "result.resultType", "complete");
	request(c, "tools/call",
	        "{\"name\":\"test_logging_tool\",\"_meta\":{" VERSION_KEY
	        ":\"2026-07-28\"," CLIENT_KEY
	        ":{},\"io.modelcontextprotocol/logLevel\":\"info\"}}");
	for (int i = 0; i < 3; i++)
		expect_at(c, "params.level", "info");
	expect_at(c, "result.resultType", "complete");
	request(c, "tools/call",
	        "{\"name\":\"test_logging_tool\",\"_meta\":{" VERSION_KEY
	        ":\"2026-07-28\"," CLIENT_KEY
	        ":{},\"io.modelcontextprotocol/logLevel\":\"error\"}}");
	expect_at(c, "result.resultType", "complete");
}

world_test(a_client_is_known_by_the_name_it_gives)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve_fixtures(w);
	struct client *c = connect_lines(ws, w, &fixture_dialect);

	ask_with(c, "tools/list",
	         VERSION_KEY ":\"2026-07-28\"," CLIENT_KEY
	                     ":{},\"io.modelcontextprotocol/clientInfo\":{"
	                     "\"name\":\"modern\",\"version\":\"9\"}");
	hear(c);
	assert_string_equal(last_session(ws)->agent.name, "modern");
	assert_string_equal(last_session(ws)->agent.version, "9");
	ask_with(c, "tools/list",
	         VERSION_KEY ":\"2026-07-28\"," CLIENT_KEY
	                     ":{},\"io.modelcontextprotocol/clientInfo\":7");
	expect_at(c, "result.resultType", "complete");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_world(a_server_is_discovered),
		test_in_world(
			a_version_we_do_not_speak_is_refused_with_those_we_do),
		test_in_world(each_request_says_what_its_client_can_do),
		test_in_world(tokens_and_levels_that_are_none_are_refused),
		test_in_world(what_belonged_to_sessions_is_gone),
		test_in_world(logs_come_to_those_who_ask_with_the_request),
		test_in_world(a_client_is_known_by_the_name_it_gives),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
