#include "agent.h"

static const char *open_folder(struct client *c, const char *folder,
                               const char *more)
{
	return ask(
		c, "workspace/open",
		text_of(c->w, "{\"folder\":%s%s}", quoted(c->w, folder), more));
}

world_test(status_tells_of_the_daemon)
{
	struct world *w = *state;
	const char *status = ask(connect_command(w), "status", "{}");

	assert_string_equal(at(w, status, "result.pid"),
	                    text_of(w, "%d", (int)getpid()));
	assert_string_equal(at(w, status, "result.version"), DT_VERSION);
	assert_string_equal(at(w, status, "result.log"),
	                    text_of(w, "%s/s/dovetail/dovetail.log", w->dir));
	assert_string_equal(at(w, status, "result.socket"),
	                    text_of(w, "%s/r/dovetail/control.sock", w->dir));
	assert_string_equal(at(w, status, "result.store"), "ok");
	assert_string_equal(at(w, status, "result.restarts"), "0");
	assert_string_equal(at(w, status, "result.warnings"), "[]");
	assert_string_equal(at(w, status, "result.workspaces"), "[]");
}

world_test(status_tells_of_workspaces_and_sessions)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct client *c = connect_agent(ws, w);
	const char *status;

	/* No process can have that id. */
	say(c, "{\"jsonrpc\":\"2.0\",\"method\":\"ide_connected\",\"params\":{"
	       "\"pid\":99999999}}");
	propose(c, make_file(w, "a", "1\n"), "2\n", "tab");
	status = ask(connect_command(w), "status", "{}");
	assert_string_equal(
		at(w, status, "result.workspaces.0"),
		text_of(w,
	                "{\"id\":\"%s\",\"root\":\"%s\",\"roots\":[\"%s\"],"
	                "\"port\":%u,\"lock\":\"%s/.claude/ide/%u.lock\","
	                "\"isMoved\":false,\"environment\":[],\"waiting\":1,"
	                "\"silentRules\":0,"
	                "\"sessions\":[{\"id\":\"%s\",\"agent\":"
	                "\"claude-code\",\"version\":\"2.1.325\",\"pid\":99999999,"
	                "\"connectedMs\":%lld,\"promptedMs\":0,"
	                "\"waiting\":1,\"isReviewed\":false,\"hook\":\"none\","
	                "\"why\":\"it has no hook; `dovetail hook install "
	                "claude` gives it one at once\",\"hookedMs\":0,"
	                "\"mode\":\"\",\"isMuted\":false,\"knownBy\":[\"word\"]}]}",
	                ws->record.id, w->project, w->project, ws->record.port,
	                w->home, ws->record.port, last_session(ws)->id,
	                (long long)last_session(ws)->connected_ms));
	/* Whoever asks does not need the token. */
	assert_null(strstr(status, ws->record.token));
}

world_test(a_workspace_is_opened_once)
{
	struct world *w = *state;
	struct client *c = connect_command(w);
	const char *answer = open_folder(c, w->project, "");
	const struct dt_workspace *ws = serve(w);

	assert_string_equal(
		at(w, answer, "result"),
		text_of(w,
	                "{\"id\":\"%s\",\"root\":\"%s\",\"port\":%u,"
	                "\"lock\":\"%s/.claude/ide/%u.lock\",\"isNew\":true}",
	                ws->record.id, w->project, ws->record.port, w->home,
	                ws->record.port));
	answer = open_folder(c, w->project, "");
	assert_string_equal(at(w, answer, "result.isNew"), "false");
	assert_string_equal(at(w, answer, "result.id"), ws->record.id);
}

world_test(a_named_folder_is_opened_as_it_is)
{
	struct world *w = *state;
	struct client *c = connect_command(w);

	open_folder(c, w->home, "");
	assert_int_equal(dt_hub_workspace_count(&w->hub), 0);
	open_folder(c, w->home, ",\"isNamed\":true");
	assert_int_equal(dt_hub_workspace_count(&w->hub), 1);
}

world_test(a_port_may_be_asked_for)
{
	struct world *w = *state;
	struct client *c = connect_command(w);
	unsigned port = serve(w)->record.port;
	char *other = make_folder(w, "q");

	open_folder(c, other, text_of(w, ",\"port\":%u", port));
	assert_int_equal(dt_hub_workspace_count(&w->hub), 1);
	assert_string_equal(
		at(w, open_folder(c, other, ",\"port\":70000"), "error.code"),
		"-32602");
}

world_test(an_environment_lasts_until_another_is_sent)
{
	struct world *w = *state;
	struct client *c = connect_command(w);
	const char *status;

	open_folder(c, w->project, ",\"env\":[\"PATH=/x\",\"EMPTY=\",\"ODD\"]");
	open_folder(c, w->project, "");
	status = ask(c, "status", "{}");
	assert_string_equal(at(w, status, "result.workspaces.0.environment"),
	                    "[\"PATH\",\"EMPTY\",\"ODD\"]");
	assert_null(strstr(status, "/x"));
	open_folder(c, w->project, ",\"env\":[\"LANG=C\"]");
	status = ask(c, "status", "{}");
	assert_string_equal(at(w, status, "result.workspaces.0.environment"),
	                    "[\"LANG\"]");
}

world_test(a_workspace_is_found_from_inside)
{
	struct world *w = *state;
	struct client *c = connect_command(w);
	char *sub = make_folder(w, "p/sub");
	const char *answer;

	request(c, "workspace/find",
	        text_of(w, "{\"folder\":\"%s\"}", w->project));
	expect_failure(c, c->id, -32011,
	               text_of(w,
	                       "%s is not served: run `dovetail start` there",
	                       w->project));
	serve(w);
	answer = ask(c, "workspace/find",
	             text_of(w, "{\"folder\":\"%s\"}", sub));
	assert_string_equal(at(w, answer, "result.root"), w->project);
	assert_string_equal(at(w, answer, "result.isNew"), "false");
}

world_test(reload_tells_what_is_wrong)
{
	struct world *w = *state;
	struct client *c = connect_command(w);
	const char *answer;

	serve(w);
	mkdir(text_of(w, "%s/c/dovetail", w->dir), 0700);
	put_file(text_of(w, "%s/c/dovetail/dovetail.conf", w->dir),
	         "[log]\nlevel = loud\n");
	make_file(w, ".dovetail.conf", "[log]\nlevel = debug\n");
	answer = ask(c, "reload", "{}");
	assert_non_null(strstr(at(w, answer, "result.warnings.0"),
	                       "dovetail.conf:2: "));
	assert_non_null(strstr(at(w, answer, "result.warnings.1"),
	                       "/p/.dovetail.conf:2: "));
	assert_null(at(w, answer, "result.warnings.2"));
}

world_test(a_ping_is_answered_while_something_else_waits)
{
	struct client *c = connect_command(*state);

	request(c, "review/wait", "{}");
	request(c, "ping", "{}");
	expect(c, "{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{}}");
}

world_test(a_restart_keeps_the_list_of_workspaces)
{
	struct world *w = *state;
	struct client *c = connect_command(w);

	serve(w);
	request(c, "stop", "{\"isRestart\":true}");
	expect(c,
	       "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{"
	       "\"pid\":%d}}",
	       (int)getpid());
	wait_for(w, c->is_closed);
	restart_hub(w);
	assert_int_equal(dt_hub_workspace_count(&w->hub), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_world(status_tells_of_the_daemon),
		test_in_world(status_tells_of_workspaces_and_sessions),
		test_in_world(a_workspace_is_opened_once),
		test_in_world(a_named_folder_is_opened_as_it_is),
		test_in_world(a_port_may_be_asked_for),
		test_in_world(an_environment_lasts_until_another_is_sent),
		test_in_world(a_workspace_is_found_from_inside),
		test_in_world(reload_tells_what_is_wrong),
		test_in_world(a_ping_is_answered_while_something_else_waits),
		test_in_world(a_restart_keeps_the_list_of_workspaces),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
