#include "agent.h"

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
	expect(c, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");
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
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
