#include "agent.h"

#include "hub/place.h"

/* A command that asks for a session; from then on it is an agent. */
static struct client *attach(struct world *w, const char *params,
                             const char **out_answer)
{
	struct client *c = connect_command(w);

	*out_answer = ask(c, "mcp.attach", params);
	return c;
}

static struct client *attach_project(struct world *w, const char **out_id)
{
	const char *answer;
	struct client *c = attach(
		w, text_of(w, "{\"workspace\":\"%s\"}", w->project), &answer);

	*out_id = at(w, answer, "result.session");
	assert_non_null(*out_id);
	return c;
}

static const char *resume(struct world *w, const char *id, struct client **out)
{
	const char *answer;

	*out = attach(w,
	              text_of(w, "{\"workspace\":\"%s\",\"session\":\"%s\"}",
	                      w->project, id),
	              &answer);
	return answer;
}

static void assert_speaks_mcp(struct client *c)
{
	const char *answer =
		ask(c, "initialize",
	            "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},"
	            "\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}");

	assert_string_equal(at(c->w, answer, "result.serverInfo.name"),
	                    "dovetail");
}

world_test(a_connection_becomes_a_session)
{
	struct world *w = *state;
	const char *id;
	struct client *c = attach_project(w, &id);
	struct dt_workspace *ws = dt_workspace_by_root(&w->hub, w->project);

	assert_non_null(ws);
	assert_string_equal(last_session(ws)->id, id);
	assert_false(last_session(ws)->agent.wants_roots);
	assert_int_equal(last_session(ws)->agent.pid, getpid());
	assert_speaks_mcp(c);
	assert_string_equal(dt_session_name(last_session(ws)), "t");
	/* It is a command no longer. */
	assert_non_null(at(w, ask(c, "status", "{}"), "error"));
}

world_test(what_comes_with_the_request_is_for_the_session)
{
	struct world *w = *state;
	struct client *c = connect_command(w);

	request(c, "mcp.attach",
	        text_of(w, "{\"workspace\":\"%s\"}", w->project));
	request(c, "ping", "{}");
	assert_non_null(at(w, hear(c), "result.session"));
	assert_string_equal(at(w, hear(c), "result"), "{}");
}

world_test(what_it_has_not_read_is_counted)
{
	struct world *w = *state;
	const char *id;
	struct client *c = attach_project(w, &id);
	struct dt_session *s =
		last_session(dt_workspace_by_root(&w->hub, w->project));
	size_t size = 16u * DT_MIB;
	char *text = dt_alloc(size);

	memset(text, ' ', size);
	dt_link_send(dt_peer_link(s->agent.peer),
	             (struct dt_str){ text, size });
	free(text);
	assert_true(dt_session_queued(s) > 0);
	wait_for(w, dt_session_queued(s) == 0);
	drop(c);
	wait_for(w, dt_link_lasting_is_away(s->lasting));
	assert_false(dt_session_has_socket(s));
	assert_int_equal(dt_session_queued(s), 0);
}

world_test(a_lost_session_is_taken_up_again)
{
	struct world *w = *state;
	const char *id;
	struct client *c = attach_project(w, &id);
	struct dt_session *s =
		last_session(dt_workspace_by_root(&w->hub, w->project));
	struct client *again;
	const char *answer;

	assert_speaks_mcp(c);
	drop(c);
	wait_for(w, dt_link_lasting_is_away(s->lasting));
	answer = resume(w, id, &again);
	assert_string_equal(at(w, answer, "result.session"), id);
	assert_string_equal(at(w, answer, "result.resumed"), "true");
	assert_string_equal(at(w, ask(again, "ping", "{}"), "result"), "{}");
	assert_string_equal(dt_session_name(s), "t");
}

world_test(a_session_nobody_knows_is_a_new_one)
{
	struct world *w = *state;
	struct client *c;
	const char *answer = resume(w, "0123", &c);

	assert_string_equal(at(w, answer, "result.resumed"), "false");
	assert_string_not_equal(at(w, answer, "result.session"), "0123");
}

world_test(a_session_that_is_left_ends_at_once)
{
	struct world *w = *state;
	const char *id;
	struct client *c = attach_project(w, &id);
	struct dt_workspace *ws = dt_workspace_by_root(&w->hub, w->project);
	struct client *command = connect_command(w);

	ask(command, "mcp.detach", text_of(w, "{\"session\":\"%s\"}", id));
	wait_for(w, ws->session_count == 0 && c->is_closed);
	/* Once more does no harm. */
	assert_non_null(at(w,
	                   ask(command, "mcp.detach",
	                       text_of(w, "{\"session\":\"%s\"}", id)),
	                   "result"));
}

world_test(a_brief_session_ends_with_its_connection)
{
	struct world *w = *state;
	const char *answer;
	struct client *c = attach(
		w,
		text_of(w,
	                "{\"workspace\":\"%s\",\"brief\":true,\"client\":%d}",
	                w->project, (int)getppid()),
		&answer);
	struct dt_workspace *ws = dt_workspace_by_root(&w->hub, w->project);

	assert_int_equal(last_session(ws)->agent.pid, getppid());
	assert_true(last_session(ws)->is_person);
	assert_null(last_session(ws)->lasting);
	assert_speaks_mcp(c);
	drop(c);
	wait_for(w, ws->session_count == 0);
}

/* Else a process of an agent's would be a person by naming another one, and one
 * that names init would make agents of all persons. */
world_test(a_pid_that_is_not_above_the_command_is_not_believed)
{
	static const int pids[] = { 1, 7, -1 };
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct client *agent = connect_agent(ws, w);

	last_session(ws)->agent.pid = getpid();
	for (size_t i = 0; i < sizeof(pids) / sizeof(pids[0]); i++) {
		const char *answer;
		struct client *c =
			attach(w,
		               text_of(w,
		                       "{\"workspace\":\"%s\",\"brief\":true,"
		                       "\"client\":%d}",
		                       w->project, pids[i]),
		               &answer);

		assert_int_equal(last_session(ws)->agent.pid, getpid());
		assert_false(last_session(ws)->is_person);
		drop(c);
		wait_for(w, ws->session_count == 1);
	}
	drop(agent);
}

/* which workspace */

static const char *root_for(struct world *w, const char *folder)
{
	const char *answer;

	attach(w, text_of(w, "{\"folder\":\"%s\"}", folder), &answer);
	return at(w, answer, "result.workspace");
}

world_test(the_project_the_client_is_in_is_meant)
{
	struct world *w = *state;
	char *sub = make_folder(w, "plain");
	char *top = make_folder(w, "repo");

	make_folder(w, "repo/.git");
	make_folder(w, "repo/src");
	serve(w);
	assert_string_equal(root_for(w, text_of(w, "%s/src", top)), top);
	/* Else the one that was used last. */
	assert_string_equal(root_for(w, sub), top);
	assert_true(last_session(dt_workspace_by_root(&w->hub, top))
	                    ->agent.wants_roots);
	make_file(w, "Makefile", "");
	assert_string_equal(root_for(w, w->project), w->project);
	assert_string_equal(root_for(w, sub), w->project);
}

world_test(without_any_project_there_is_a_sentence)
{
	struct world *w = *state;
	const char *answer;

	attach(w, text_of(w, "{\"folder\":\"%s\"}", w->home), &answer);
	assert_non_null(
		strstr(at(w, answer, "error.message"), "--workspace DIR"));
}

world_test(a_folder_that_is_not_there_is_refused)
{
	struct world *w = *state;
	struct client *c = connect_command(w);

	assert_non_null(at(w, ask(c, "mcp.attach", "{\"workspace\":\"/none\"}"),
	                   "error"));
	/* It is a command still. */
	assert_non_null(at(w, ask(c, "status", "{}"), "result"));
}

world_test(one_agent_too_many_is_refused_and_counted)
{
	struct world *w = *state;
	struct dt_workspace *ws;
	const char *answer;
	const char *id;

	make_folder(w, "c/dovetail");
	put_file(text_of(w, "%s/c/dovetail/dovetail.conf", w->dir),
	         "[limits]\nsessions = 1\n");
	ws = serve(w);
	attach_project(w, &id);
	attach(w, text_of(w, "{\"workspace\":\"%s\"}", w->project), &answer);
	assert_string_equal(at(w, answer, "error.message"),
	                    "too many agents are connected (limits.sessions)");
	assert_int_equal(ws->metrics.hits[DT_HIT_SESSIONS], 1);
}

world_test(a_hub_that_stops_ends_its_sessions)
{
	struct world *w = *state;
	const char *id;

	attach_project(w, &id);
	drop(attach_project(w, &id));
	stop_hub(w); /* and nothing is left on the loop */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_world(a_connection_becomes_a_session),
		test_in_world(what_comes_with_the_request_is_for_the_session),
		test_in_world(what_it_has_not_read_is_counted),
		test_in_world(a_lost_session_is_taken_up_again),
		test_in_world(a_session_nobody_knows_is_a_new_one),
		test_in_world(a_session_that_is_left_ends_at_once),
		test_in_world(a_brief_session_ends_with_its_connection),
		test_in_world(
			a_pid_that_is_not_above_the_command_is_not_believed),
		test_in_world(the_project_the_client_is_in_is_meant),
		test_in_world(without_any_project_there_is_a_sentence),
		test_in_world(a_folder_that_is_not_there_is_refused),
		test_in_world(one_agent_too_many_is_refused_and_counted),
		test_in_world(a_hub_that_stops_ends_its_sessions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
