#include "agent.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>

world_test(hello_comes_first)
{
	struct world *w = *state;
	struct client *c = connect_control(w);

	request(c, "status", "{}");
	expect_failure(c, 1, -32012, "say hello first");
	request(c, "none", "{}");
	expect_failure(c, 2, -32012, "say hello first");
	request(c, "hello", "{\"protocol\":1}");
	expect(c,
	       "{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{\"protocol\":1,"
	       "\"version\":\"" DT_VERSION "\",\"pid\":%d}}",
	       (int)getpid());
	assert_non_null(at(w, ask(c, "status", "{}"), "result.pid"));
}

world_test(another_protocol_is_told_to_restart)
{
	struct client *c = connect_control(*state);

	request(c, "hello", "{\"protocol\":2}");
	expect_failure(c, 1, -32012,
	               "the daemon is of another version: run `dovetail "
	               "restart`, which keeps ports and tokens");
	request(c, "status", "{}");
	expect_failure(c, 2, -32012, "say hello first");
	request(c, "hello", "{}");
	expect_failure(c, 3, -32602, "protocol: missing");
}

world_test(a_daemon_of_any_age_can_be_stopped)
{
	struct world *w = *state;
	struct client *c = connect_control(w);

	request(c, "stop", "{}");
	expect(c,
	       "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{"
	       "\"pid\":%d}}",
	       (int)getpid());
	wait_for(w, c->is_closed);
	assert_true(w->hub.is_stopping);
	assert_false(w->hub.is_restarting);
}

world_test(unknown_methods_and_bad_arguments_are_refused)
{
	struct client *c = connect_command(*state);

	request(c, "none", "{}");
	expect_failure(c, 2, -32601,
	               "the daemon does not know this: run `dovetail restart`");
	request(c, "workspace/open", "{\"folder\":7}");
	expect_failure(c, 3, -32602, "folder: expected string");
	request(c, "workspace/find", "{}");
	expect_failure(c, 4, -32602, "folder: missing");
	request(c, "review/decide", "{\"id\":\"0000\",\"verdict\":\"maybe\"}");
	expect_failure(c, 5, -32602, "verdict: expected one of accept, reject");
	say(c, "{\"jsonrpc\":\"2.0\",\"method\":\"note\"}");
	say(c, "nonsense");
	assert_string_equal(at(c->w, hear(c), "error.code"), "-32700");
}

world_test(the_socket_is_closed_to_others_and_goes_with_the_daemon)
{
	struct world *w = *state;
	char *path = text_of(w, "%s/r/dovetail/control.sock", w->dir);

	assert_int_equal(mode_of(path), 0600);
	stop_hub(w);
	assert_false(is_there(path));
}

world_test(a_socket_left_by_a_dead_daemon_is_replaced)
{
	struct world *w = *state;

	put_file(text_of(w, "%s/r/dovetail/control.sock", w->dir), "");
	start_hub(w);
	connect_command(w);
}

world_test(commands_do_not_disturb_each_other)
{
	struct world *w = *state;
	struct client *a = connect_command(w);
	struct client *b = connect_command(w);

	request(a, "review/wait", "{}");
	drop(a);
	assert_non_null(at(w, ask(b, "status", "{}"), "result.pid"));
	wait_for(w, dt_list_is_empty(&w->hub.waits));
}

/* It says what it wants and is gone before we read it. */
static void say_and_vanish(struct world *w, const char *line)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	pid_t pid;

	snprintf(at.sun_path, sizeof(at.sun_path), "%s", w->hub.dirs.socket);
	fflush(NULL);
	pid = fork();
	if (pid == 0) {
		int fd = socket(AF_UNIX, SOCK_STREAM, 0);

		if (connect(fd, (struct sockaddr *)&at, sizeof(at)) == 0 &&
		    write(fd, line, strlen(line)) > 0)
			_exit(0);
		_exit(1);
	}
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

world_test(a_command_that_has_ended_is_nobody_s)
{
	struct world *w = *state;

	say_and_vanish(w, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":"
	                  "\"stop\",\"params\":{}}\n");
	wait_for(w, log_has(w, "was refused: only you can stop or restart the "
	                       "daemon, and process"));
	assert_false(w->hub.is_stopping);
}

/* One list, one check. */
world_test(what_only_the_person_may_do_is_refused_to_agents)
{
	static const char *const methods[] = {
		"review/decide",   "review/keep",
		"review/apply",    "stop",
		"reload",          "mute",
		"unmute",          "policy/allow",
		"select",          "mention",
		"terminals",       "terminal.attach",
		"activity/import",
	};
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct client *c = connect_command(w);

	connect_agent(ws, w);
	assert_non_null(
		at(w, ask(c, "person", "{\"what\":\"fly\"}"), "result"));
	/* The command is this process, which now is the agent's, too. */
	last_session(ws)->agent.pid = getpid();
	for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]); i++)
		assert_string_equal(
			at(w, ask(c, methods[i], "{}"), "error.code"),
			"-32010");
	assert_string_equal(
		at(w, ask(c, "person", "{\"what\":\"fly\"}"), "error.message"),
		text_of(w,
	                "an agent cannot fly, and process %d, "
	                "which is an agent, asks for this: run it "
	                "in a terminal of your own",
	                (int)getpid()));
	assert_false(w->hub.is_stopping);
	assert_non_null(at(w, ask(c, "status", "{}"), "result.pid"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_world(hello_comes_first),
		test_in_world(another_protocol_is_told_to_restart),
		test_in_world(a_daemon_of_any_age_can_be_stopped),
		test_in_world(unknown_methods_and_bad_arguments_are_refused),
		test_in_world(
			the_socket_is_closed_to_others_and_goes_with_the_daemon),
		test_in_empty_world(a_socket_left_by_a_dead_daemon_is_replaced),
		test_in_world(commands_do_not_disturb_each_other),
		test_in_world(a_command_that_has_ended_is_nobody_s),
		test_in_world(what_only_the_person_may_do_is_refused_to_agents),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
