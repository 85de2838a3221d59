/* test/unit/hub/test_control_card.c - programs allowed from now on. */
#include "ask_op.h"

#include "editor/run.h"

static void run(struct asked *asked, struct world *w, struct dt_workspace *ws,
                const char *command)
{
	struct dt_run_command_args args = { .command = command };

	begin_op(asked, w, ws, &dt_op_run_command, &args);
}

world_test(a_program_is_allowed_with_the_verdict)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct client *person = connect_command(w);
	struct asked asked;

	connect_agent(ws, w);
	run(&asked, w, ws, "true");
	decide(person, last_review(w)->id,
	       "\"verdict\":\"accept\",\"isLasting\":true");
	wait_for(w, asked.ended);
	assert_string_equal(asked.fail.msg, "");
	assert_non_null(
		strstr(dt_config_get(ws->config, "run.allow"), "biome true"));
	run(&asked, w, ws, "true");
	assert_int_equal(w->hub.inbox.count, 0);
	wait_for(w, asked.ended);
	assert_string_equal(asked.fail.msg, "");
}

/* It would allow every other one. */
world_test(an_interpreter_is_never_allowed_in_passing)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct client *person = connect_command(w);
	const char *answer;
	struct asked asked;

	connect_agent(ws, w);
	run(&asked, w, ws, "sh");
	assert_null(last_review(w)->card.program);
	answer = decide(person, last_review(w)->id,
	                "\"verdict\":\"accept\",\"isLasting\":true");
	assert_non_null(strstr(answer, "can only be decided this once"));
	assert_int_equal(asked.ended, 0);
	answer = decide(person, last_review(w)->id,
	                "\"verdict\":\"reject\",\"isLasting\":true");
	assert_non_null(strstr(answer, "can only be decided this once"));
	decide(person, last_review(w)->id, "\"verdict\":\"reject\"");
	wait_for(w, asked.ended);
	assert_int_equal(asked.fail.code, DT_E_DENIED);
}

world_test(names_are_allowed_and_disallowed)
{
	struct world *w = *state;
	struct client *person = connect_command(w);
	const char *answer =
		ask(person, "policy/allow", "{\"names\":[\"ruff\",\"mypy\"]}");

	assert_non_null(strstr(at(w, answer, "result.allow"), "ruff mypy"));
	answer = ask(person, "policy/allow",
	             "{\"names\":[\"ruff\"],\"isRemoval\":true}");
	assert_null(strstr(at(w, answer, "result.allow"), "ruff"));
	request(person, "policy/allow",
	        "{\"names\":[\"ruff\"],\"isRemoval\":true}");
	expect_failure(person, person->id, -32011, "ruff is not allowed");
}

world_test(an_agent_does_not_say_what_agents_may_run)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct client *command = connect_command(w);
	struct asked asked;
	const char *answer;

	connect_agent(ws, w);
	run(&asked, w, ws, "true");
	last_review(w);
	/* The command is this process, which now is the agent's, too. */
	last_session(ws)->agent.pid = getpid();
	request(command, "policy/allow", "{\"names\":[\"true\"]}");
	expect_failure(command, command->id, -32010,
	               text_of(w,
	                       "an agent cannot say what agents may run, and "
	                       "process %d, which is an agent, asks for "
	                       "this: run it in a terminal of your own",
	                       (int)getpid()));
	answer = decide(command, last_review(w)->id,
	                "\"verdict\":\"accept\",\"isLasting\":true");
	assert_non_null(strstr(answer, "an agent cannot decide"));
	assert_null(strstr(dt_config_get(ws->config, "run.allow"), "true"));
	assert_int_equal(asked.ended, 0);
	dt_answer_drop(&asked.answer);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_world(a_program_is_allowed_with_the_verdict),
		test_in_world(an_interpreter_is_never_allowed_in_passing),
		test_in_world(names_are_allowed_and_disallowed),
		test_in_world(an_agent_does_not_say_what_agents_may_run),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
