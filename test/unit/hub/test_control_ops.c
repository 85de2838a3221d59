/* test/unit/hub/test_control_ops.c - twin of src/hub/control_ops.c */
#include "agent.h"

static void call_once(struct client *c)
{
	call(c, "getWorkspaceFolders", "{}");
	hear(c);
}

world_test(metrics_are_of_every_workspace)
{
	struct world *w = *state;
	const char *text;

	serve(w);
	serve_at(w, make_folder(w, "q"));
	text = at(w, ask(connect_command(w), "metrics", "{}"), "result.text");
	assert_non_null(strstr(text, text_of(w, "\"%s\"", w->project)));
	assert_non_null(strstr(text, text_of(w, "\"%s/q\"", w->dir)));
}

world_test(top_tells_of_agents_and_tools)
{
	struct world *w = *state;
	struct client *c = connect_agent(serve(w), w);
	const char *top;

	call_once(c);
	top = ask(connect_command(w), "top", "{}");
	assert_string_equal(at(w, top, "result.version"), DT_VERSION);
	assert_string_equal(at(w, top, "result.workspaces.0.root"), w->project);
	assert_string_equal(at(w, top, "result.workspaces.0.waiting"), "0");
	assert_string_equal(at(w, top, "result.workspaces.0.sessions.0.agent"),
	                    "claude-code");
	assert_string_equal(
		at(w, top, "result.workspaces.0.sessions.0.queueBytes"), "0");
	assert_string_equal(at(w, top, "result.workspaces.0.tools.0.name"),
	                    "getWorkspaceFolders");
	assert_string_equal(at(w, top, "result.workspaces.0.tools.0.calls"),
	                    "1");
	assert_string_equal(at(w, top, "result.workspaces.0.tools.0.failed"),
	                    "0");
	assert_non_null(at(w, top, "result.workspaces.0.tools.0.p95Us"));
}

world_test(activity_is_listed_by_page)
{
	struct world *w = *state;
	struct client *command;
	const char *list;

	call_once(connect_agent(serve(w), w));
	command = connect_command(w);
	list = ask(command, "activity/list", "{\"limit\":2}");
	assert_string_equal(at(w, list, "result.items.0.id"), "1");
	assert_string_equal(at(w, list, "result.items.1.id"), "2");
	assert_null(at(w, list, "result.items.2"));
	assert_string_equal(at(w, list, "result.lastId"), "5");
	list = ask(command, "activity/list", "{\"limit\":1,\"isLatest\":true}");
	assert_string_equal(at(w, list, "result.items.0.id"), "5");
	list = ask(command, "activity/list",
	           "{\"hasCallsOnly\":true,\"afterId\":0}");
	assert_string_equal(at(w, list, "result.items.0.what"),
	                    "getWorkspaceFolders");
	assert_null(at(w, list, "result.items.1"));
}

world_test(a_wait_ends_with_more_or_with_its_time)
{
	struct world *w = *state;
	struct client *command = connect_command(w);
	struct client *agent;

	assert_non_null(at(w,
	                   ask(command, "activity/wait",
	                       "{\"afterId\":1,\"timeoutMs\":20}"),
	                   "result"));
	request(command, "activity/wait", "{\"afterId\":1}");
	run_for(w, 300);
	assert_int_equal(command->count, command->taken);
	agent = connect_agent(serve(w), w);
	hear(command);
	call_once(agent);
	assert_non_null(at(w, ask(command, "activity/wait", "{\"afterId\":0}"),
	                   "result"));
	/* One that goes away in the middle of it. */
	request(command, "activity/wait", "{\"afterId\":900}");
	run_for(w, 20);
	drop(command);
	call_once(agent);
	run_for(w, 300);
}

world_test(what_was_exported_is_taken_back_and_bad_lines_are_counted)
{
	struct world *w = *state;
	struct client *command = connect_command(w);
	const char *result =
		ask(command, "activity/import",
	            "{\"lines\":[\"{\\\"id\\\":70,\\\"atMs\\\":1,\\\"kind\\\":"
	            "\\\"daemon\\\",\\\"what\\\":\\\"old\\\"}\",\"x\"]}");

	assert_string_equal(at(w, result, "result.taken"), "1");
	assert_string_equal(at(w, result, "result.known"), "0");
	assert_string_equal(at(w, result, "result.bad"), "1");
	assert_string_equal(at(w, result, "result.badLine"), "1");
	assert_true(at(w, result, "result.why")[0]);
	result = ask(command, "activity/list", "{\"afterId\":69}");
	assert_string_equal(at(w, result, "result.items.0.what"), "old");
}

world_test(an_agent_does_not_write_the_history)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct client *command = connect_command(w);

	connect_agent(ws, w);
	/* The command is this process, which now is the agent's, too. */
	last_session(ws)->agent.pid = getpid();
	request(command, "activity/import",
	        "{\"lines\":[\"{\\\"id\\\":70,\\\"atMs\\\":1,\\\"kind\\\":"
	        "\\\"daemon\\\",\\\"what\\\":\\\"old\\\"}\"]}");
	expect_failure(command, command->id, -32010,
	               text_of(w,
	                       "an agent cannot write the history, and "
	                       "process %d, which is an agent, asks for "
	                       "this: run it in a terminal of your own",
	                       (int)getpid()));
	assert_null(at(w, ask(command, "activity/list", "{\"afterId\":69}"),
	               "result.items.0.what"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_world(metrics_are_of_every_workspace),
		test_in_world(top_tells_of_agents_and_tools),
		test_in_world(activity_is_listed_by_page),
		test_in_world(a_wait_ends_with_more_or_with_its_time),
		test_in_world(
			what_was_exported_is_taken_back_and_bad_lines_are_counted),
		test_in_world(an_agent_does_not_write_the_history),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
