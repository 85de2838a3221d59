/* test/unit/hub/test_bridge.c - twin of src/hub/bridge.c */
#include "ask_op.h"

#include "editor/bridge.h"

world_test(a_status_tells_of_agents_editors_and_reviews)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct client *c = connect_agent(ws, w);
	const char *status;

	propose(c, make_file(w, "a", "1\n"), "2", "t");
	status = ask_op(w, ws, &dt_op_get_status, NULL);
	assert_string_equal(at(w, status, "version"), DT_VERSION);
	assert_string_equal(at(w, status, "workspace"), ws->record.id);
	assert_string_equal(at(w, status, "workspaceFolders.0"), w->project);
	assert_string_equal(at(w, status, "extensionConnected"), "false");
	assert_string_equal(at(w, status, "tier"), "headless");
	assert_string_equal(at(w, status, "activeSessions"), "1");
	assert_string_equal(at(w, status, "sessions.0.agent"), "claude-code");
	/* With all of it another agent could go on as this one. */
	assert_string_equal(at(w, status, "sessions.0.id"),
	                    text_of(w, "%.8s", last_session(ws)->id));
	assert_string_equal(at(w, status, "sessions.0.runningRequests"), "1");
	assert_string_equal(at(w, status, "sessions.0.reviewsWaiting"), "1");
	assert_string_equal(at(w, status, "editors.0.name"), "headless");
	assert_string_equal(at(w, status, "editors.0.circuitBreaker"),
	                    "closed");
	assert_string_equal(at(w, status, "reviewsWaiting"), "1");
	assert_non_null(at(w, status, "lastConnectAt"));
	assert_null(at(w, status, "lastDisconnectAt"));
}

world_test(how_an_agent_was_lost_is_told)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct client *c = connect_agent(ws, w);
	const char *status;

	drop(c);
	wait_for(w, ws->session_count == 0);
	connect_agent(ws, w);
	status = ask_op(w, ws, &dt_op_get_status, NULL);
	assert_non_null(at(w, status, "lastDisconnectAt"));
	assert_string_equal(at(w, status, "lastDisconnectCode"), "closed");
	assert_true(at(w, status, "lastDisconnectReason")[0]);
}

world_test(the_sessions_of_the_run_before_are_told)
{
	struct world *w = *state;
	const char *status;
	char *id;

	connect_agent(serve(w), w);
	id = text_of(w, "%.8s", last_session(serve(w))->id);
	restart_hub(w);
	connect_agent(serve(w), w);
	status = ask_op(w, serve(w), &dt_op_get_status, NULL);
	assert_string_equal(at(w, status, "previousSessions.0.id"), id);
	assert_string_equal(at(w, status, "previousSessions.0.agent"),
	                    "claude-code");
	assert_string_not_equal(at(w, status, "sessions.0.id"), id);
}

static const struct dt_tool needy[] = {
	{ .name = "formatIt",
	  .args = DT_SHAPE_EMPTY,
	  .title = "Format",
	  .doc = "Formats.",
	  .needs = &dt_op_format_document },
	{ .name = "openIt",
	  .args = DT_SHAPE_EMPTY,
	  .doc = "Opens.",
	  .needs = &dt_op_open_file },
	{ .name = "plain", .args = DT_SHAPE_EMPTY, .doc = "Formats nothing." },
};
static const struct dt_tool_group needy_group = {
	.name = "needy",
	.tools = needy,
	.count = 3,
};
static const struct dt_tool others[] = {
	{ .name = "formatAll",
	  .args = DT_SHAPE_EMPTY,
	  .doc = "All.",
	  .schema = "{\"x\":1}" },
};
static const struct dt_tool_group other_group = {
	.name = "others",
	.tools = others,
	.count = 1,
};

/* The session's dialect, with other tools. */
static void use_tools(struct dt_workspace *ws, struct dt_dialect *dialect)
{
	static const struct dt_tool_group *const groups[] = { &needy_group,
		                                              &other_group,
		                                              NULL };
	struct dt_agent *agent = &last_session(ws)->agent;

	*dialect = *agent->dialect;
	dialect->groups = groups;
	agent->dialect = dialect;
}

world_test(what_a_tool_misses_is_told)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct dt_dialect dialect;
	const char *result;

	connect_agent(ws, w);
	use_tools(ws, &dialect);
	result = ask_op(w, ws, &dt_op_get_capabilities, NULL);
	assert_string_equal(at(w, result, "editor"), "headless");
	assert_string_equal(at(w, result, "totalTools"), "4");
	assert_string_equal(at(w, result, "availableTools"), "3");
	assert_string_equal(at(w, result, "tools.0.name"), "formatIt");
	assert_string_equal(at(w, result, "tools.0.available"), "false");
	assert_string_equal(at(w, result, "tools.0.missing"),
	                    "It needs an editor that can do formatDocument, "
	                    "and none is attached.");
	assert_string_equal(at(w, result, "tools.1.available"), "true");
	assert_null(at(w, result, "tools.1.missing"));
	assert_string_equal(at(w, result, "tools.2.available"), "true");
	last_session(ws)->agent.dialect = dt_dialects[0];
}

world_test(tools_are_found_by_words_the_best_first)
{
	struct dt_search_tools_args args = { .query = "format",
		                             .has_schemas = true };
	const char *category = "OTHERS";
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct dt_dialect dialect;
	const char *found;

	connect_agent(ws, w);
	use_tools(ws, &dialect);
	found = ask_op(w, ws, &dt_op_search_tools, &args);
	assert_string_equal(at(w, found, "totalMatched"), "3");
	assert_string_equal(at(w, found, "tools.0.name"), "formatIt");
	assert_string_equal(at(w, found, "tools.0.category"), "needy");
	assert_string_equal(at(w, found, "tools.0.effect"), "reads");
	assert_string_equal(at(w, found, "tools.1.name"), "formatAll");
	assert_string_equal(at(w, found, "tools.1.inputSchema.x"), "1");
	assert_string_equal(at(w, found, "tools.2.name"), "plain");
	args.limit = 1;
	args.has_schemas = false;
	found = ask_op(w, ws, &dt_op_search_tools, &args);
	assert_string_equal(at(w, found, "totalMatched"), "3");
	assert_null(at(w, found, "tools.1.name"));
	assert_null(at(w, found, "tools.0.inputSchema"));
	args.categories = (struct dt_names){ &category, 1 };
	found = ask_op(w, ws, &dt_op_search_tools, &args);
	assert_string_equal(at(w, found, "tools.0.name"), "formatAll");
	last_session(ws)->agent.dialect = dt_dialects[0];
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_world(a_status_tells_of_agents_editors_and_reviews),
		test_in_world(how_an_agent_was_lost_is_told),
		test_in_world(the_sessions_of_the_run_before_are_told),
		test_in_world(what_a_tool_misses_is_told),
		test_in_world(tools_are_found_by_words_the_best_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
