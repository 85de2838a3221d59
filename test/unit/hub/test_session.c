#include "agent.h"

#include <sys/wait.h>

world_test(a_session_lasts_as_long_as_its_link)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct client *a = connect_agent(ws, w);
	struct client *b = connect_agent(ws, w);

	assert_int_equal(ws->session_count, 2);
	assert_int_equal(strlen(last_session(ws)->id), 32);
	assert_true(dt_clock_wall_ms() - last_session(ws)->connected_ms < 9000);
	hang_up(a);
	wait_for(w, ws->session_count == 1);
	drop(b);
	wait_for(w, ws->session_count == 0);
	assert_true(dt_list_is_empty(&ws->sessions));
}

world_test(a_session_is_named_by_its_dialect_until_it_says_its_own)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct client *c = connect_ws(w, ws->record.port, ws->record.token);

	wait_for(w, ws->session_count == 1);
	assert_string_equal(dt_session_name(last_session(ws)), "claude-code");
	ask(c, "initialize",
	    "{\"protocolVersion\":\"2025-11-25\",\"clientInfo\":{\"name\":"
	    "\"other\"}}");
	assert_string_equal(dt_session_name(last_session(ws)), "other");
	assert_string_equal(last_session(ws)->agent.version, "");
}

/* What comes in one packet with the handshake is read, too. */
world_test(messages_right_behind_the_handshake_are_heard)
{
	struct world *w = *state;
	const struct dt_workspace *ws = serve(w);
	struct client *c = connect_raw(w, ws->record.port);
	char *head = upgrade_request(w, ws->record.port, ws->record.token,
	                             "dGhlIHNhbXBsZSBub25jZQ==");
	/* {"jsonrpc":"2.0","id":0,"method":"ping"} under a mask of zeroes */
	static const char frame[] = "\x81\xa8\0\0\0\0{\"jsonrpc\":\"2.0\","
				    "\"id\":0,\"method\":\"ping\"}";
	struct dt_str parts[2] = { dt_str(head), { frame, sizeof(frame) - 1 } };
	static const char answer[] = "\x81\x24{\"jsonrpc\":\"2.0\",\"id\":0,"
				     "\"result\":{}}";

	dt_stream_write(c->stream, parts, 2);
	wait_for(w, c->in.len > 2 && memmem(c->in.ptr, c->in.len, answer,
	                                    sizeof(answer) - 1));
}

world_test(two_sessions_with_equal_ids_are_not_mixed_up)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct client *a = connect_agent(ws, w);
	struct client *b = connect_agent(ws, w);
	struct client *command = connect_command(w);
	char *path = make_file(w, "a", "1\n");
	char *first = text_of(w, "%s", propose(a, path, "A", "tab")->id);
	char *second = text_of(w, "%s", propose(b, path, "B", "tab")->id);

	assert_int_equal(a->id, b->id);
	decide(command, second, "\"verdict\":\"accept\"");
	expect_texts(b, b->id, "FILE_SAVED", "B");
	decide(command, first, "\"verdict\":\"reject\"");
	expect_texts(a, a->id, "DIFF_REJECTED", "tab");
	assert_false(has_heard(a) || has_heard(b));
}

world_test(waiting_reviews_are_counted_by_session)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct client *a = connect_agent(ws, w);
	struct dt_session *of_a = last_session(ws);
	struct client *b = connect_agent(ws, w);
	char *path = make_file(w, "a", "1\n");

	propose(a, path, "1", "t1");
	propose(a, path, "2", "t2");
	propose(b, path, "3", "t3");
	assert_int_equal(dt_session_waiting(of_a), 2);
	assert_int_equal(dt_session_waiting(last_session(ws)), 1);
	call(a, "closeAllDiffTabs", "{}");
	wait_for(w, dt_session_waiting(of_a) == 0);
	assert_int_equal(dt_session_waiting(last_session(ws)), 1);
}

world_test(an_agent_and_what_it_started_are_agents)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);

	connect_agent(ws, w);
	assert_false(dt_session_is_agent(&w->hub, getpid()));
	last_session(ws)->agent.pid = getpid();
	assert_true(dt_session_is_agent(&w->hub, getpid()));
	last_session(ws)->agent.pid = getppid();
	assert_true(dt_session_is_agent(&w->hub, getpid()));
}

/* A process that ends with its standard input. */
static pid_t start(const char *variable, const int ends[2])
{
	const char *const args[] = { "cat", NULL };
	pid_t pid;

	fflush(NULL);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		dup2(ends[0], STDIN_FILENO);
		if (variable)
			setenv(variable, "1", 1);
		execvp("cat", (char *const *)(uintptr_t)args);
		_exit(127);
	}
	return pid;
}

/* The same, put into the background: its parent is gone. */
static pid_t start_orphan(const char *variable, const int ends[2])
{
	int told[2];
	pid_t parent;
	pid_t pid = 0;

	assert_int_equal(pipe2(told, O_CLOEXEC), 0);
	fflush(NULL);
	parent = fork();
	assert_true(parent >= 0);
	if (parent == 0) {
		pid = start(variable, ends);
		_exit(write(told[1], &pid, sizeof(pid)) != sizeof(pid));
	}
	assert_int_equal(waitpid(parent, NULL, 0), parent);
	assert_int_equal(read(told[0], &pid, sizeof(pid)), sizeof(pid));
	close(told[0]);
	close(told[1]);
	return pid;
}

/* Put into the background it has other parents, but its environment stays. */
world_test(what_an_agent_started_is_known_by_its_environment)
{
	static const char *const variables[] = { "CLAUDECODE", "DOVETAIL_RUN",
		                                 "DOVETAIL_TERMINAL" };
	struct world *w = *state;

	for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++) {
		int ends[2];
		pid_t pid;

		assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
		pid = start_orphan(variables[i], ends);
		wait_for(w, dt_session_is_agent(&w->hub, pid));
		close(ends[0]);
		close(ends[1]);
	}
	assert_false(dt_session_is_agent(&w->hub, getpid()));
}

/* Whatever its environment: nobody but agents has us run something. */
world_test(what_we_run_ourselves_is_no_person)
{
	struct world *w = *state;
	int ends[2];
	pid_t orphan;
	pid_t child;

	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	child = start(NULL, ends);
	orphan = start_orphan(NULL, ends);
	assert_true(dt_session_is_agent(&w->hub, child));
	assert_false(dt_session_is_agent(&w->hub, orphan));
	close(ends[0]);
	close(ends[1]);
	assert_int_equal(waitpid(child, NULL, 0), child);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_world(a_session_lasts_as_long_as_its_link),
		test_in_world(
			a_session_is_named_by_its_dialect_until_it_says_its_own),
		test_in_world(messages_right_behind_the_handshake_are_heard),
		test_in_world(two_sessions_with_equal_ids_are_not_mixed_up),
		test_in_world(waiting_reviews_are_counted_by_session),
		test_in_world(an_agent_and_what_it_started_are_agents),
		test_in_world(
			what_an_agent_started_is_known_by_its_environment),
		test_in_world(what_we_run_ourselves_is_no_person),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
