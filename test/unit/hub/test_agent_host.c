#include "mcp.h"

/* The workspace that an agent gets when it names one; NULL: none. */
static const void *choose(struct dt_workspace *ws, const char *name,
                          struct dt_fail *fail)
{
	struct dt_agent *agent = &last_session(ws)->agent;
	struct dt_caller *caller =
		agent->host->choose(agent, dt_str(name), fail);

	return caller ? caller->place : NULL;
}

world_test(a_workspace_is_named_by_its_folder_or_its_id)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve_fixtures(w);
	struct dt_workspace *other = serve_at(w, make_folder(w, "other"));

	connect_lines(ws, w, &fixture_dialect);
	assert_ptr_equal(choose(ws, "other", NULL), other);
	assert_ptr_equal(choose(ws, text_of(w, "%s/other", w->dir), NULL),
	                 other);
	assert_ptr_equal(
		choose(ws, text_of(w, "%s/other/deep/x", w->dir), NULL), other);
	assert_ptr_equal(choose(ws, text_of(w, "%.6s", other->record.id), NULL),
	                 other);
	assert_ptr_equal(choose(ws, "p", NULL), ws);
}

world_test(what_is_not_known_is_refused_with_a_sentence)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve_fixtures(w);
	struct dt_fail fail = { 0 };

	connect_lines(ws, w, &fixture_dialect);
	assert_null(choose(ws, "nothing", &fail));
	assert_string_equal(
		fail.msg, "workspace: nothing is not one that Dovetail knows; "
			  "run `dovetail start` there, or name one of "
			  "getBridgeStatus");
	assert_null(choose(ws, "", NULL));
	assert_null(choose(ws, "/", NULL));
	assert_null(choose(ws, text_of(w, "%.3s", ws->record.id), NULL));
	assert_null(choose(ws, make_folder(w, "unserved"), NULL));
}

world_test(a_name_that_fits_two_fits_none)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve_fixtures(w);

	make_folder(w, "a");
	make_folder(w, "b");
	serve_at(w, make_folder(w, "a/same"));
	serve_at(w, make_folder(w, "b/same"));
	connect_lines(ws, w, &fixture_dialect);
	assert_null(choose(ws, "same", NULL));
	assert_non_null(choose(ws, text_of(w, "%s/b/same", w->dir), NULL));
}

/* The person has served it before: that was a choice. */
world_test(a_workspace_that_was_served_is_served_again)
{
	struct world *w = *state;
	char *folder = make_folder(w, "earlier");
	struct dt_workspace *ws;

	serve_at(w, folder);
	restart_hub(w);
	ws = serve_fixtures(w);
	assert_int_equal(dt_hub_workspace_count(&w->hub), 1);
	connect_lines(ws, w, &fixture_dialect);
	assert_non_null(choose(ws, folder, NULL));
	assert_int_equal(dt_hub_workspace_count(&w->hub), 2);
	/* A daemon that comes back has it, too: the agent does. */
	w->hub.is_restarting = true;
	restart_hub(w);
	assert_non_null(dt_workspace_by_root(&w->hub, folder));
}

world_test(the_caller_of_another_workspace_is_made_once)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve_fixtures(w);
	struct dt_agent *agent;

	serve_at(w, make_folder(w, "other"));
	connect_lines(ws, w, &fixture_dialect);
	agent = &last_session(ws)->agent;
	assert_ptr_equal(agent->host->choose(agent, DT_STR("other"), NULL),
	                 agent->host->choose(agent, DT_STR("other"), NULL));
	assert_ptr_equal(agent->host->choose(agent, DT_STR("p"), NULL),
	                 &agent->caller);
}

world_test(a_tool_is_carried_out_where_the_agent_says)
{
	struct world *w = *state;
	struct client *c = connect_fixtures(w, "2025-11-25", "");

	request(c, "tools/call",
	        "{\"name\":\"test_simple_text\",\"arguments\":{"
	        "\"workspace\":\"p\"}}");
	expect_text(c, c->id, "This is a simple text response for testing.");
	request(c, "tools/call",
	        "{\"name\":\"test_simple_text\",\"arguments\":{"
	        "\"workspace\":\"none\"}}");
	expect_is_error(c, c->id,
	                "workspace: none is not one that Dovetail knows; run "
	                "`dovetail start` there, or name one of "
	                "getBridgeStatus");
}

static const char *instructions(struct client *c)
{
	return at(c->w,
	          ask(c, "initialize", "{\"protocolVersion\":\"2025-11-25\"}"),
	          "result.instructions");
}

world_test(a_model_hears_of_other_workspaces_where_there_are_any)
{
	struct world *w = *state;
	struct client *c =
		connect_lines(serve_fixtures(w), w, &fixture_dialect);
	const char *text = instructions(c);

	assert_non_null(strstr(text, text_of(w, "in use is %s. ", w->project)));
	assert_null(strstr(text, "Other workspaces"));
	serve_at(w, make_folder(w, "other"));
	assert_non_null(strstr(instructions(c), "Other workspaces"));
}

/* roots */

static void answer_roots(struct client *c, const char *uris)
{
	const char *question = hear(c);

	assert_string_equal(at(c->w, question, "method"), "roots/list");
	answer(c, question, text_of(c->w, "{\"roots\":[%s]}", uris));
}

world_test(an_agent_without_a_workspace_goes_where_its_client_is)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve_fixtures(w);
	struct client *c = connect_lines(ws, w, &fixture_dialect);
	struct dt_session *s = last_session(ws);
	char *folder = make_folder(w, "root");

	s->agent.wants_roots = true;
	begin_as(c, "2025-11-25", "\"roots\":{}");
	answer_roots(c, text_of(w,
	                        "{\"uri\":\"https://x\"},{\"uri\":7},7,"
	                        "{\"uri\":\"file://%s\"}",
	                        folder));
	wait_for(w, s->ws != ws);
	assert_string_equal(dt_workspace_root(s->ws), folder);
	assert_int_equal(ws->session_count, 0);
	assert_int_equal(s->ws->session_count, 1);
	assert_ptr_equal(s->agent.caller.place, s->ws);
	/* It has decided; what comes later is not asked for. */
	say(c, "{\"jsonrpc\":\"2.0\",\"method\":"
	       "\"notifications/roots/list_changed\"}");
	expect_nothing_but_pong(c);
	assert_string_equal(dt_workspace_root(s->ws), folder);
}

world_test(an_agent_with_a_workspace_stays_there)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve_fixtures(w);
	struct client *c = connect_lines(ws, w, &fixture_dialect);

	begin_as(c, "2025-11-25", "\"roots\":{}");
	expect_nothing_but_pong(c);
	assert_ptr_equal(last_session(ws)->ws, ws);
}

/* A client that tells of changes and does not answer is not asked on and on. */
world_test(the_roots_are_asked_for_once_at_a_time)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve_fixtures(w);
	struct client *c = connect_lines(ws, w, &fixture_dialect);
	struct dt_session *s = last_session(ws);
	char *folder = make_folder(w, "root");
	const char *question;

	s->agent.wants_roots = true;
	begin_as(c, "2025-11-25", "\"roots\":{}");
	question = hear(c);
	for (int i = 0; i < 5; i++)
		say(c, "{\"jsonrpc\":\"2.0\",\"method\":"
		       "\"notifications/roots/list_changed\"}");
	expect_nothing_but_pong(c);
	/* What it answers now is from before the changes. */
	answer(c, question, "{\"roots\":[{\"uri\":\"file:///tmp\"}]}");
	answer_roots(c, text_of(w, "{\"uri\":\"file://%s\"}", folder));
	wait_for(w, s->ws != ws);
	assert_string_equal(dt_workspace_root(s->ws), folder);
}

world_test(roots_that_lead_nowhere_change_nothing)
{
	static const char *const odd[] = {
		"",
		"{\"uri\":\"https://x\"}",
		"{\"uri\":\"file:///nonexistent/folder\"}",
	};
	struct world *w = *state;
	struct dt_workspace *ws = serve_fixtures(w);
	struct client *c = connect_lines(ws, w, &fixture_dialect);

	begin_as(c, "2025-11-25", "\"roots\":{}");
	expect_nothing_but_pong(c);
	for (size_t i = 0; i < 3; i++) {
		last_session(ws)->agent.wants_roots = true;
		say(c, "{\"jsonrpc\":\"2.0\",\"method\":"
		       "\"notifications/roots/list_changed\"}");
		answer_roots(c, odd[i]);
		expect_nothing_but_pong(c);
		assert_ptr_equal(last_session(ws)->ws, ws);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_world(a_workspace_is_named_by_its_folder_or_its_id),
		test_in_world(what_is_not_known_is_refused_with_a_sentence),
		test_in_world(a_name_that_fits_two_fits_none),
		test_in_world(a_workspace_that_was_served_is_served_again),
		test_in_world(the_caller_of_another_workspace_is_made_once),
		test_in_world(a_tool_is_carried_out_where_the_agent_says),
		test_in_world(
			a_model_hears_of_other_workspaces_where_there_are_any),
		test_in_world(
			an_agent_without_a_workspace_goes_where_its_client_is),
		test_in_world(an_agent_with_a_workspace_stays_there),
		test_in_world(the_roots_are_asked_for_once_at_a_time),
		test_in_world(roots_that_lead_nowhere_change_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
