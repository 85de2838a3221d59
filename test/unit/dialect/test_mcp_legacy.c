#include "hub/agent.h"

#include "dialect/mcp.h"

static struct client *connect(struct world *w)
{
	const struct dt_workspace *ws = serve(w);

	return connect_ws(w, ws->record.port, ws->record.token);
}

static void initialize(struct client *c, const char *version)
{
	request(c, "initialize",
	        text_of(c->w, "{\"protocolVersion\":\"%s\"}", version));
}

static void expect_version(struct client *c, const char *version)
{
	expect(c,
	       "{\"jsonrpc\":\"2.0\",\"id\":%u,\"result\":{"
	       "\"protocolVersion\":\"%s\",\"capabilities\":{\"tools\":{"
	       "\"listChanged\":false}},\"serverInfo\":{\"name\":\"dovetail\","
	       "\"version\":\"" DT_VERSION "\"}}}",
	       c->id, version);
}

world_test(every_version_it_speaks_is_agreed_to)
{
	static const char *const versions[] = { "2024-11-05", "2025-03-26",
		                                "2025-06-18", "2025-11-25" };
	struct client *c = connect(*state);

	for (size_t i = 0; i < 4; i++) {
		initialize(c, versions[i]);
		expect_version(c, versions[i]);
	}
}

world_test(an_unknown_version_is_answered_with_the_newest)
{
	struct client *c = connect(*state);

	initialize(c, "1999-01-01");
	expect_version(c, "2025-11-25");
	initialize(c, "2099-01-01");
	expect_version(c, "2025-11-25");
}

world_test(initialize_without_a_version_is_refused)
{
	struct client *c = connect(*state);

	request(c, "initialize", "{}");
	expect_failure(c, c->id, -32602, "protocolVersion: missing");
	request(c, "initialize", "{\"protocolVersion\":7}");
	expect_failure(c, c->id, -32602, "protocolVersion: expected string");
}

world_test(the_client_is_remembered_by_its_name)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);

	connect_agent(ws, w);
	assert_string_equal(last_session(ws)->agent.name, "claude-code");
	assert_string_equal(last_session(ws)->agent.version, "2.1.325");
}

world_test(a_name_that_is_too_long_is_cut)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	char name[200];

	memset(name, 'n', sizeof(name));
	name[sizeof(name) - 1] = '\0';
	connect_agent_as(ws, w, name, name);
	assert_int_equal(strlen(last_session(ws)->agent.name), 63);
	assert_int_equal(strlen(last_session(ws)->agent.version), 31);
}

world_test(ids_come_back_byte_for_byte)
{
	static const char *const ids[] = {
		"0",  "1",    "\"a\"",      "\"\"", "18446744073709551616",
		"-1", "1.50", "\"\\u00e4\""
	};
	struct world *w = *state;
	struct client *c = connect(w);

	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
		say(c, text_of(w,
		               "{\"jsonrpc\":\"2.0\",\"method\":\"ping\","
		               "\"id\":%s}",
		               ids[i]));
		expect(c, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{}}",
		       ids[i]);
	}
}

world_test(before_initialize_only_ping_is_answered)
{
	struct client *c = connect(*state);

	request(c, "tools/list", "{}");
	expect_failure(c, c->id, -32600,
	               "not initialized: send initialize first");
	call(c, "getOpenEditors", "{}");
	expect_failure(c, c->id, -32600,
	               "not initialized: send initialize first");
	request(c, "ping", "{}");
	expect(c, "{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{}}");
}

world_test(resources_and_prompts_are_empty)
{
	struct world *w = *state;
	struct client *c = connect_agent(serve(w), w);

	request(c, "resources/list", "{}");
	expect(c, "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{"
	          "\"resources\":[]}}");
	request(c, "prompts/list", "{}");
	expect(c, "{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{"
	          "\"prompts\":[]}}");
}

world_test(other_methods_are_not_known)
{
	struct world *w = *state;
	struct client *c = connect_agent(serve(w), w);

	request(c, "tools/none", "{}");
	expect_failure(c, c->id, -32601, "no method is named tools/none");
}

world_test(the_list_of_tools_is_complete_and_in_order)
{
	static const char *const names[] = {
		"openFile",
		"openDiff",
		"getCurrentSelection",
		"getLatestSelection",
		"getOpenEditors",
		"getWorkspaceFolders",
		"getDiagnostics",
		"checkDocumentDirty",
		"saveDocument",
		"close_tab",
		"closeAllDiffTabs",
		"executeCode",
		"open_files",
		"get_all_opened_file_paths",
		"reformat_file",
	};
	struct world *w = *state;
	struct client *c = connect_agent(serve(w), w);
	const char *list = ask(c, "tools/list", "{}");

	for (size_t i = 0; i < 15; i++) {
		assert_string_equal(
			at(w, list, text_of(w, "result.tools.%zu.name", i)),
			names[i]);
		assert_string_equal(
			at(w, list,
		           text_of(w, "result.tools.%zu.inputSchema.type", i)),
			"object");
	}
	assert_null(at(w, list, "result.tools.15"));
	assert_string_equal(
		at(w, list, "result.tools.1.inputSchema.required"),
		"[\"old_file_path\",\"new_file_contents\",\"tab_name\"]");
}

world_test(a_call_needs_the_name_of_a_tool)
{
	struct world *w = *state;
	struct client *c = connect_agent(serve(w), w);

	request(c, "tools/call", "{}");
	expect_failure(c, c->id, -32602, "name: missing");
	request(c, "tools/call", "{\"name\":7}");
	expect_failure(c, c->id, -32602, "name: missing");
	request(c, "tools/call", "[]");
	expect_failure(c, c->id, -32602, "name: missing");
	say(c, "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"tools/call\"}");
	expect_failure(c, 9, -32602, "name: missing");
	request(c, "tools/call", "{\"name\":\"open\\u0000File\"}");
	assert_string_equal(at(w, hear(c), "error.code"), "-32602");
	call(c, "rm", "{}");
	expect_failure(c, c->id, -32602, "no tool is named rm");
}

world_test(absent_arguments_are_no_arguments)
{
	struct world *w = *state;
	struct client *c = connect_agent(serve(w), w);

	request(c, "tools/call", "{\"name\":\"getOpenEditors\"}");
	expect_text(c, c->id, "{\"tabs\":[]}");
}

/* The model reads what it did wrong; before, the client did. */
world_test(bad_arguments_are_told_as_the_version_wants)
{
	static const char *const old[] = { "2024-11-05", "2025-03-26",
		                           "2025-06-18" };
	struct world *w = *state;
	struct client *c = connect_agent(serve(w), w);

	call(c, "openFile", "{}");
	expect_is_error(c, c->id, "filePath: missing");
	call(c, "openFile", "7");
	expect_is_error(c, c->id, "arguments: expected object");
	for (size_t i = 0; i < 3; i++) {
		initialize(c, old[i]);
		hear(c);
		call(c, "openFile", "{}");
		expect_failure(c, c->id, -32602, "filePath: missing");
	}
}

world_test(a_cancelled_call_is_not_answered_and_its_review_orphaned)
{
	struct world *w = *state;
	struct client *c = connect_agent(serve(w), w);

	propose(c, make_file(w, "a", "1\n"), "2\n", "tab");
	say(c, text_of(w,
	               "{\"jsonrpc\":\"2.0\",\"method\":"
	               "\"notifications/cancelled\",\"params\":{"
	               "\"requestId\":%u}}",
	               c->id));
	wait_for(w, w->hub.inbox.count == 0);
	request(c, "ping", "{}");
	expect(c, "{\"jsonrpc\":\"2.0\",\"id\":%u,\"result\":{}}", c->id);
	assert_true(log_has(w, "waiting -> orphaned"));
}

world_test(notifications_that_make_no_sense_are_ignored)
{
	static const char *const odd[] = {
		"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\"}",
		"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\","
		"\"params\":{\"requestId\":null}}",
		"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\","
		"\"params\":{\"requestId\":99}}",
		"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\","
		"\"params\":[1]}",
		"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/other\"}",
		"{\"jsonrpc\":\"2.0\",\"method\":\"other\"}",
	};
	struct client *c = connect(*state);

	for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++)
		say(c, odd[i]);
	request(c, "ping", "{}");
	expect(c, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_world(every_version_it_speaks_is_agreed_to),
		test_in_world(an_unknown_version_is_answered_with_the_newest),
		test_in_world(initialize_without_a_version_is_refused),
		test_in_world(the_client_is_remembered_by_its_name),
		test_in_world(a_name_that_is_too_long_is_cut),
		test_in_world(ids_come_back_byte_for_byte),
		test_in_world(before_initialize_only_ping_is_answered),
		test_in_world(resources_and_prompts_are_empty),
		test_in_world(other_methods_are_not_known),
		test_in_world(the_list_of_tools_is_complete_and_in_order),
		test_in_world(a_call_needs_the_name_of_a_tool),
		test_in_world(absent_arguments_are_no_arguments),
		test_in_world(bad_arguments_are_told_as_the_version_wants),
		test_in_world(
			a_cancelled_call_is_not_answered_and_its_review_orphaned),
		test_in_world(notifications_that_make_no_sense_are_ignored),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
