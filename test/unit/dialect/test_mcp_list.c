#include "hub/mcp.h"

/* Pages are larger than our lists: every cursor is somebody else's. */
world_test(no_list_takes_a_cursor)
{
	static const char *const lists[] = { "tools/list", "prompts/list",
		                             "resources/list",
		                             "resources/templates/list" };
	static const char *const cursors[] = { "\"x\"", "\"\"", "7" };
	struct world *w = *state;
	struct client *c = connect_fixtures(w, "2025-11-25", "");

	for (size_t i = 0; i < 4; i++) {
		for (size_t k = 0; k < 3; k++) {
			request(c, lists[i],
			        text_of(w, "{\"cursor\":%s}", cursors[k]));
			expect_failure(c, c->id, -32602,
			               "cursor: not one of ours");
		}
		request(c, lists[i],
		        text_of(w, "{\"cursor\":\"x\"," META("") "}"));
		expect_failure(c, c->id, -32602, "cursor: not one of ours");
	}
}

/* A member of the first tool that is shipped, as a revision has it. */
static const char *first_tool(struct client *c, const char *version,
                              const char *member)
{
	begin_as(c, version, "");
	return at(c->w, ask(c, "tools/list", "{}"),
	          text_of(c->w, "result.tools.0.%s", member));
}

world_test(each_revision_sees_what_it_knows)
{
	struct world *w = *state;
	struct client *c = connect_lines(serve(w), w, dt_dialect_find("mcp"));

	assert_null(first_tool(c, "2024-11-05", "annotations"));
	assert_null(first_tool(c, "2024-11-05", "title"));
	assert_null(first_tool(c, "2024-11-05", "outputSchema"));
	assert_non_null(first_tool(c, "2025-03-26", "annotations.title"));
	assert_null(first_tool(c, "2025-03-26", "title"));
	assert_non_null(first_tool(c, "2025-06-18", "title"));
	assert_string_equal(first_tool(c, "2025-06-18", "outputSchema.type"),
	                    "object");
	assert_string_equal(
		first_tool(c, "2025-11-25", "annotations.readOnlyHint"),
		"false");
	assert_string_equal(
		first_tool(c, "2025-11-25", "annotations.openWorldHint"),
		"false");
}

world_test(the_list_is_the_same_bytes_every_time)
{
	struct world *w = *state;
	struct client *c = connect_fixtures(w, "2025-11-25", "");
	const char *first = at(w, ask(c, "tools/list", "{}"), "result.tools");

	assert_string_equal(at(w, ask(c, "tools/list", "{}"), "result.tools"),
	                    first);
	assert_string_equal(at(w, first, "0.name"), "test_simple_text");
}

static bool has_tool(struct client *c, const char *name)
{
	const char *list = at(c->w, ask(c, "tools/list", "{}"), "result.tools");

	return strstr(list, text_of(c->w, "\"name\":\"%s\"", name)) != NULL;
}

world_test(the_list_has_the_everyday_tools_or_all)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct client *c = connect_lines(ws, w, dt_dialect_find("mcp"));
	const char *called;

	begin_as(c, "2025-11-25", "");
	assert_true(has_tool(c, "searchTools"));
	assert_false(has_tool(c, "watchActivityLog"));
	/* It can be called all the same. */
	called = ask(c, "tools/call",
	             "{\"name\":\"watchActivityLog\",\"arguments\":{"
	             "\"sinceId\":0,\"timeoutMs\":0}}");
	assert_non_null(at(w, called, "result.structuredContent.lastId"));
	last_session(ws)->agent.wants_all_tools = true;
	assert_true(has_tool(c, "watchActivityLog"));
	last_session(ws)->agent.wants_all_tools = false;
	assert_false(has_tool(c, "watchActivityLog"));
	configure(w, "[mcp]\ntools = full\n");
	dt_hub_reload(&w->hub);
	expect_at(c, "method", "notifications/tools/list_changed");
	assert_true(has_tool(c, "watchActivityLog"));
}

world_test(hidden_tools_are_left_out)
{
	struct world *w = *state;
	struct client *c;
	const char *list;

	configure(w, "[mcp]\nhide = test_*,nothing\n");
	c = connect_fixtures(w, "2025-11-25", "");
	list = ask(c, "tools/list", "{}");
	assert_string_equal(at(w, list, "result.tools.0.name"),
	                    "json_schema_2020_12_tool");
	assert_null(at(w, list, "result.tools.1"));
}

world_test(modern_lists_say_how_long_they_may_be_kept)
{
	struct world *w = *state;
	struct client *c = connect_fixtures(w, "2025-11-25", "");
	const char *list = ask(c, "tools/list", "{" META("") "}");

	assert_string_equal(at(w, list, "result.ttlMs"), "300000");
	assert_string_equal(at(w, list, "result.cacheScope"), "private");
	list = ask(c, "tools/list", "{}");
	assert_null(at(w, list, "result.ttlMs"));
}

world_test(prompts_are_listed_with_their_arguments)
{
	struct world *w = *state;
	struct client *c = connect_fixtures(w, "2025-11-25", "");
	const char *list = ask(c, "prompts/list", "{}");

	assert_string_equal(at(w, list, "result.prompts.0"),
	                    "{\"name\":\"test_simple_prompt\","
	                    "\"description\":\"A text.\"}");
	assert_string_equal(at(w, list, "result.prompts.1.arguments.1"),
	                    "{\"name\":\"arg2\",\"description\":"
	                    "\"The second.\",\"required\":true}");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_world(no_list_takes_a_cursor),
		test_in_world(each_revision_sees_what_it_knows),
		test_in_world(the_list_is_the_same_bytes_every_time),
		test_in_world(the_list_has_the_everyday_tools_or_all),
		test_in_world(hidden_tools_are_left_out),
		test_in_world(modern_lists_say_how_long_they_may_be_kept),
		test_in_world(prompts_are_listed_with_their_arguments),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
