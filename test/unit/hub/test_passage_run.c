/*
 * test/unit/hub/test_passage_run.c - what programs printed passes, and is in the
 * audit.
 */
#include "ask_op.h"

#include "editor/run.h"
#include "editor/terminal.h"

/* How often the one thing that left has done so. */
static const char *times_left(struct world *w, const char *path)
{
	const char *log =
		ask(connect_command(w), "log/list", "{\"what\":\"audit\"}");

	assert_string_equal(at(w, log, "result.items.0.kind"), "output");
	assert_non_null(strstr(at(w, log, "result.items.0.path"), path));
	assert_string_not_equal(at(w, log, "result.items.0.bytes"), "0");
	assert_null(at(w, log, "result.items.1"));
	return at(w, log, "result.items.0.times");
}

world_test(what_a_command_printed_is_in_the_audit)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	const char *words[] = { "--version" };
	struct dt_run_command_args args = {
		.command = "git",
		.args = { .ptr = words, .count = 1 },
	};
	const char *out;

	connect_agent(ws, w);
	out = ask_op(w, ws, &dt_op_run_command, &args);
	assert_memory_equal(at(w, out, "stdout"), "git version ", 12);
	assert_string_equal(times_left(w, "/git"), "1");
}

world_test(what_a_terminal_shows_is_in_the_audit)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct dt_execute_terminal_args run = { .command = "git --version" };
	struct dt_terminal_output_args output = { .lines = { true, 10 } };
	struct dt_wait_terminal_args wait = { .pattern = "git version" };
	const char *name;
	const char *out;

	connect_agent(ws, w);
	out = ask_op(w, ws, &dt_op_execute_in_terminal, &run);
	assert_memory_equal(at(w, out, "output"), "git version ", 12);
	name = text_of(w, "terminal %s", at(w, out, "name"));
	assert_string_equal(times_left(w, name), "1");
	ask_op(w, ws, &dt_op_get_terminal_output, &output);
	assert_string_equal(times_left(w, name), "2");
	ask_op(w, ws, &dt_op_wait_terminal_output, &wait);
	assert_string_equal(times_left(w, name), "3");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_world(what_a_command_printed_is_in_the_audit),
		test_in_world(what_a_terminal_shows_is_in_the_audit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
