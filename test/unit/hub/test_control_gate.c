/* test/unit/hub/test_control_gate.c - twin of src/hub/control_gate.c */
#include "agent.h"

#include "hub/gate.h"
#include "hub/mute.h"

world_test(mute_says_until_when_and_whom_it_meets)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct client *command = connect_command(w);
	const char *answer;
	int64_t now;

	connect_agent(ws, w);
	answer = ask(command, "mute", "{\"agent\":\"claude\"}");
	assert_string_equal(at(w, answer, "result.untilMs"), "0");
	assert_string_equal(at(w, answer, "result.agents"), "1");
	answer = ask(command, "mute", "{\"agent\":\"nobody\"}");
	assert_string_equal(at(w, answer, "result.agents"), "0");
	now = dt_clock_wall_ms();
	ask(command, "mute", "{\"seconds\":60}");
	answer = ask(command, "status", "{}");
	assert_string_equal(at(w, answer, "result.mutes.0.agent"), "claude");
	assert_string_equal(at(w, answer, "result.mutes.1.agent"), "nobody");
	assert_string_equal(at(w, answer, "result.mutes.2.agent"), "");
	assert_true(strtoll(at(w, answer, "result.mutes.2.untilMs"), NULL,
	                    10) >= now + 60000);
	assert_string_equal(
		at(w, answer, "result.workspaces.0.sessions.0.isMuted"),
		"true");
}

world_test(unmute_says_what_it_ended_and_who_is_muted_still)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct client *command = connect_command(w);
	const char *answer;

	connect_agent(ws, w);
	ask(command, "mute", "{\"agent\":\"claude\"}");
	ask(command, "mute", "{}");
	answer = ask(command, "unmute", "{\"agent\":\"claude\"}");
	assert_string_equal(at(w, answer, "result.ended"), "1");
	assert_string_equal(at(w, answer, "result.agents"), "1");
	answer = ask(command, "unmute", "{}");
	assert_string_equal(at(w, answer, "result.ended"), "1");
	assert_string_equal(at(w, answer, "result.agents"), "0");
	answer = ask(command, "unmute", "{}");
	assert_string_equal(at(w, answer, "result.ended"), "0");
}

world_test(a_name_that_is_no_pattern_is_refused)
{
	struct world *w = *state;
	const char *answer =
		ask(connect_command(w), "mute", "{\"agent\":\"{\"}");

	assert_string_equal(at(w, answer, "error.code"), "-32602");
	assert_int_equal(w->hub.mute_count, 0);
}

world_test(an_agent_does_not_decide_what_it_hears)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct client *command = connect_command(w);

	connect_agent(ws, w);
	ask(command, "mute", "{}");
	/* The command is this process, which now is the agent's, too. */
	last_session(ws)->agent.pid = getpid();
	request(command, "unmute", "{}");
	expect_failure(command, command->id, -32010,
	               text_of(w,
	                       "an agent cannot decide what it hears, and "
	                       "process %d, which is an agent, asks for "
	                       "this: run it in a terminal of your own",
	                       (int)getpid()));
	request(command, "mute", "{\"agent\":\"other\"}");
	expect_failure(command, command->id, -32010,
	               text_of(w,
	                       "an agent cannot decide what it hears, and "
	                       "process %d, which is an agent, asks for "
	                       "this: run it in a terminal of your own",
	                       (int)getpid()));
	assert_int_equal(w->hub.mute_count, 1);
	assert_true(dt_mute_has_all(&w->hub));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_world(mute_says_until_when_and_whom_it_meets),
		test_in_world(unmute_says_what_it_ended_and_who_is_muted_still),
		test_in_world(a_name_that_is_no_pattern_is_refused),
		test_in_world(an_agent_does_not_decide_what_it_hears),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
