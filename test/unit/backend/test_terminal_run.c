/* test/unit/backend/test_terminal_run.c - commands in real shells. */
#include "backend/terminal_world.h"

#include <stdio.h>

static void check(struct world *w, const char *command, uint32_t code,
                  const char *output)
{
	const struct dt_execute_terminal_result *ran =
		world_execute(w, command);

	if (!ran) {
		fail_msg("%s: %s: %s", w->shell, command, w->fail.msg);
		return;
	}
	if (!ran->exit_code.is_set || ran->exit_code.value != code ||
	    !dt_str_is(ran->output, output))
		fail_msg("%s: %s: code %d, \"%.*s\"", w->shell, command,
		         ran->exit_code.is_set ? (int)ran->exit_code.value : -1,
		         DT_STR_ARG(ran->output));
	assert_false(ran->is_late);
	assert_false(ran->is_cut);
}

/* What every shell must do. */
static void check_shell(const char *dir, const char *shell)
{
	struct world w;
	const char *folder;

	if (access(shell, X_OK))
		skip();
	world_begin(&w, dir, shell);
	folder = dt_arena_printf(&w.arena, "%s/w", dir);
	check(&w, "pwd", 0, folder);
	check(&w, "sh -c 'exit 7'", 7, "");
	check(&w, "true", 0, "");
	check(&w, "printf 'no end'", 0, "no end");
	check(&w, "printf 'a\\n\\nb\\n'", 0, "a\n\nb");
	check(&w, "printf '\\033[31mred\\033[0m\\n'", 0, "red");
	check(&w, "echo 'caf\xc3\xa9'", 0, "caf\xc3\xa9");
	check(&w, "cd sub && pwd", 0,
	      dt_arena_printf(&w.arena, "%s/sub", folder));
	check(&w, "echo \"$DOVETAIL_SECRET$DOVETAIL_MARK.\"", 0, ".");
	/* A line that is wider than the terminal. */
	check(&w,
	      "echo aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa "
	      "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb "
	      "cccccccccccccccccccccccccccccccccccccccccccccccccccc",
	      0,
	      "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa "
	      "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb "
	      "cccccccccccccccccccccccccccccccccccccccccccccccccccc");
	world_end(&w);
}

test(bash_tells_the_truth)
{
	check_shell(*state, "/bin/bash");
}

test(zsh_tells_the_truth)
{
	check_shell(*state, "/usr/bin/zsh");
}

test(fish_tells_the_truth)
{
	check_shell(*state, "/usr/bin/fish");
}

test(dash_tells_the_truth)
{
	check_shell(*state, "/bin/dash");
}

/* Another person's prompt, and what it makes of exit codes. */
test(a_person_s_own_prompt_is_kept)
{
	struct world w;
	struct dt_terminal_output_args last = { .lines = { true, 1 } };
	const struct dt_terminal_output_result *out;
	int left = 250;

	world_begin(&w, *state, "/bin/bash");
	tempdir_put(*state, "home/.bashrc",
	            "PROMPT_COMMAND='false; PS1=\"mine> \"'\n"
	            "alias hi='echo hello'\n");
	check(&w, "sh -c 'exit 3'", 3, "");
	check(&w, "hi", 0, "hello");
	/* It is drawn after the command has ended. */
	do {
		world_run_for(&w, 20);
		out = world_do(&w, &dt_op_get_terminal_output, &last);
		assert_non_null(out);
	} while (!dt_str_starts(out->output, DT_STR("mine>")) && left--);
	assert_true(left > 0);
	world_end(&w);
}

test(a_prompt_without_our_mark_will_do)
{
	struct world w;

	if (access("/usr/bin/zsh", X_OK))
		skip();
	world_begin(&w, *state, "/usr/bin/zsh");
	tempdir_put(*state, "home/.zshrc",
	            "precmd() { PS1='z> '; false; }\n"
	            "zle-line-init() { PS1='y> '; }; zle -N zle-line-init\n");
	check(&w, "sh -c 'exit 3'", 3, "");
	check(&w, "echo $ZDOTDIR.", 0, ".");
	world_end(&w);
}

static void check_refused(struct world *w, const char *command,
                          enum dt_err code, const char *why)
{
	assert_null(world_execute(w, command));
	if (w->fail.code != code || !strstr(w->fail.msg, why))
		fail_msg("%s: %s", command, w->fail.msg);
}

test(a_command_that_has_no_end_is_given_back)
{
	struct world w;

	world_begin(&w, *state, "/bin/bash");
	check_refused(&w, "echo 'open", DT_E_ARGS, "rest of this command");
	check(&w, "echo next", 0, "next");
	check_refused(&w, "for i in 1 2; do", DT_E_ARGS, "rest");
	check(&w, "echo next", 0, "next");
	check_refused(&w, "", DT_E_ARGS, "empty");
	check_refused(&w, "a\nb", DT_E_ARGS, "one line");
	world_end(&w);
}

test(what_the_shell_does_not_understand_fails)
{
	const struct dt_execute_terminal_result *ran;
	struct world w;

	world_begin(&w, *state, "/bin/bash");
	ran = world_execute(&w, "if then )");
	assert_non_null(ran);
	assert_int_equal(ran->exit_code.value, 2);
	assert_non_null(strstr(ran->output.ptr, "syntax error"));
	world_end(&w);
}

test(a_shell_that_exits_ends_the_command)
{
	const struct dt_execute_terminal_result *ran;
	struct world w;

	world_begin(&w, *state, "/bin/bash");
	assert_non_null(world_create(&w, "mine"));
	ran = world_execute(&w, "echo bye; exit 9");
	assert_non_null(ran);
	assert_true(ran->has_ended);
	assert_int_equal(ran->exit_code.value, 9);
	assert_true(dt_str_starts(ran->output, DT_STR("bye")));
	/* Who names none gets a new one. */
	ran = world_execute(&w, "echo $((1 + 1))");
	assert_non_null(ran);
	assert_str(ran->output, "2");
	assert_int_equal(ran->index, 2);
	world_end(&w);
}

test(time_that_is_over_leaves_the_command_running)
{
	struct dt_execute_terminal_args args = {
		.command = "echo on; sleep 30; echo off",
		.timeout_ms = { true, 700 },
	};
	const struct dt_execute_terminal_result *ran;
	struct dt_send_terminal_args interrupt = { .text = "\003" };
	struct world w;

	world_begin(&w, *state, "/bin/bash");
	ran = world_do(&w, &dt_op_execute_in_terminal, &args);
	assert_non_null(ran);
	assert_true(ran->is_late);
	assert_false(ran->exit_code.is_set);
	assert_str(ran->output, "on");
	check_refused(&w, "echo no", DT_E_STATE, "still runs");
	assert_non_null(world_do(&w, &dt_op_send_terminal, &interrupt));
	world_run_for(&w, 500);
	check(&w, "echo yes", 0, "yes");
	world_end(&w);
}

static void drop(struct dt_timer *timer, void *owner)
{
	dt_answer_drop(owner);
	dt_timer_free(timer);
}

test(a_caller_that_is_gone_interrupts_it)
{
	struct dt_execute_terminal_args args = { .command = "sleep 30" };
	struct dt_answer answer;
	struct world w;

	world_begin(&w, *state, "/bin/bash");
	check(&w, "true", 0, "");
	world_start(&w, &dt_op_execute_in_terminal, &args, &answer);
	dt_timer_start(dt_timer_new(w.loop, drop, &answer), 300);
	world_run_for(&w, 900);
	assert_false(w.has_ended);
	check(&w, "echo $?", 0, "130");
	world_end(&w);
}

/* A few seconds.  A pty gives at most 4 KiB at a time, and a machine that is busy
 * lets us wait for each of them. */
test(a_hundred_megabytes_pass_and_the_end_is_kept)
{
	struct dt_execute_terminal_args args = {
		.command = "yes 'a line of text that is not very short' | "
			   "head -c 100000000; echo the end",
		.timeout_ms = { true, 300000 },
	};
	const struct dt_execute_terminal_result *ran;
	uint64_t began_ms = dt_clock_ms();
	struct world w;

	world_begin(&w, *state, "/bin/bash");
	ran = world_do(&w, &dt_op_execute_in_terminal, &args);
	assert_non_null(ran);
	assert_true(ran->is_cut);
	assert_false(ran->is_late);
	assert_true(ran->output.len <= DT_LIMIT_TERMINAL_TEXT);
	assert_non_null(memmem(ran->output.ptr, ran->output.len, "the end", 7));
	assert_true(w.progress > 0);
	print_message("100 MB took %u ms\n",
	              (unsigned)(dt_clock_ms() - began_ms));
	world_end(&w);
}

test(bytes_that_are_no_text_do_no_harm)
{
	const struct dt_execute_terminal_result *ran;
	struct world w;

	world_begin(&w, *state, "/bin/bash");
	check(&w, "printf 'a\\377b\\200\\n'", 0,
	      "a\xef\xbf\xbd"
	      "b\xef\xbf\xbd");
	ran = world_execute(&w, "head -c 300000 /dev/urandom; echo");
	assert_non_null(ran);
	assert_true(ran->exit_code.is_set);
	world_end(&w);
}

test(a_mark_that_is_not_ours_ends_nothing)
{
	struct world w;

	world_begin(&w, *state, "/bin/bash");
	check(&w, "printf '\\033]133;D;0\\007'; echo x; sh -c 'exit 4'", 4,
	      "x");
	world_end(&w);
}

test(a_shell_we_do_not_know_is_said_to_tell_nothing)
{
	struct world w;

	world_begin(&w, *state, "/bin/cat");
	check_refused(&w, "x", DT_E_UNSUPPORTED, "cat, does not tell");
	world_end(&w);
}

test(only_one_command_at_a_time)
{
	struct dt_execute_terminal_args args = { .command = "sleep 0.3" };
	struct dt_answer answer;
	struct world w;

	world_begin(&w, *state, "/bin/bash");
	assert_non_null(world_create(&w, NULL));
	world_start(&w, &dt_op_execute_in_terminal, &args, &answer);
	check_refused(&w, "x", DT_E_STATE, "another command waits");
	w.has_ended = false;
	world_run(&w);
	assert_true(w.has_ended);
	assert_int_equal(w.fail.code, DT_E_OK);
	world_end(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_tempdir(bash_tells_the_truth),
		test_in_tempdir(zsh_tells_the_truth),
		test_in_tempdir(fish_tells_the_truth),
		test_in_tempdir(dash_tells_the_truth),
		test_in_tempdir(a_person_s_own_prompt_is_kept),
		test_in_tempdir(a_prompt_without_our_mark_will_do),
		test_in_tempdir(a_command_that_has_no_end_is_given_back),
		test_in_tempdir(what_the_shell_does_not_understand_fails),
		test_in_tempdir(a_shell_that_exits_ends_the_command),
		test_in_tempdir(time_that_is_over_leaves_the_command_running),
		test_in_tempdir(a_caller_that_is_gone_interrupts_it),
		test_in_tempdir(a_hundred_megabytes_pass_and_the_end_is_kept),
		test_in_tempdir(bytes_that_are_no_text_do_no_harm),
		test_in_tempdir(a_mark_that_is_not_ours_ends_nothing),
		test_in_tempdir(a_shell_we_do_not_know_is_said_to_tell_nothing),
		test_in_tempdir(only_one_command_at_a_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
