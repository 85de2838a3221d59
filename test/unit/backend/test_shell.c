/* test/unit/backend/test_shell.c - what a shell is given at its start; what it
 * makes of it is in test_terminal_run.c. */
#include "backend/shell.h"

#include "base/tempdir.h"
#include "unit.h"

static struct dt_shell prepare(struct dt_arena *arena, const char *dir,
                               const char *file, struct dt_names more)
{
	static char *env[] = { "PATH=/bin",
		               "TERM=dumb",
		               "DOVETAIL_X=1",
		               "LISTEN_FDS=1",
		               "ZDOTDIR=/mine",
		               "COLOUR=red",
		               NULL };
	struct dt_shell_spec spec = {
		.file = file,
		.folder = dt_arena_printf(arena, "%s/shell", dir),
		.env = env,
		.more = more,
		.id = "an-id",
		.secret = "a-secret",
	};
	struct dt_shell shell;

	assert_ok(dt_shell_prepare(arena, &spec, &shell, NULL));
	return shell;
}

static bool has(char *const *env, const char *pair)
{
	for (; *env; env++) {
		if (!strcmp(*env, pair))
			return true;
	}
	return false;
}

test(the_environment_is_the_workspace_s_and_not_ours)
{
	const char *more[] = { "COLOUR=blue", "NEW=1" };
	struct dt_arena arena = { 0 };
	struct dt_shell shell = prepare(&arena, *state, "/bin/bash",
	                                (struct dt_names){ more, 2 });

	assert_true(has(shell.env, "PATH=/bin"));
	assert_true(has(shell.env, "COLOUR=blue"));
	assert_false(has(shell.env, "COLOUR=red"));
	assert_true(has(shell.env, "NEW=1"));
	assert_true(has(shell.env, "TERM=xterm-256color"));
	assert_false(has(shell.env, "TERM=dumb"));
	assert_false(has(shell.env, "DOVETAIL_X=1"));
	assert_false(has(shell.env, "LISTEN_FDS=1"));
	assert_true(has(shell.env, "DOVETAIL_TERMINAL=an-id"));
	assert_string_equal(shell.mark, "DOVETAIL_TERMINAL=an-id");
	dt_arena_done(&arena);
}

test(a_person_s_own_folder_of_zsh_is_handed_on)
{
	struct dt_arena arena = { 0 };
	struct dt_shell shell =
		prepare(&arena, *state, "/bin/zsh", (struct dt_names){ 0 });

	assert_true(has(shell.env, "DOVETAIL_ZDOTDIR=/mine"));
	assert_false(has(shell.env, "ZDOTDIR=/mine"));
	assert_true(shell.has_marks);
	assert_int_equal(access(dt_arena_printf(&arena, "%s/shell/.zshenv",
	                                        (char *)*state),
	                        R_OK),
	                 0);
	dt_arena_done(&arena);
}

test(a_shell_we_do_not_know_is_started_as_it_is)
{
	struct dt_arena arena = { 0 };
	struct dt_shell shell =
		prepare(&arena, *state, "/bin/nu", (struct dt_names){ 0 });

	assert_false(shell.has_marks);
	assert_string_equal(shell.name, "nu");
	assert_string_equal(shell.argv[0], "/bin/nu");
	assert_null(shell.argv[1]);
	dt_arena_done(&arena);
}

test(variables_that_decide_what_runs_are_refused)
{
	static const char *const bad[] = {
		"PATH=x",
		"LD_PRELOAD=x",
		"LD_=x",
		"DYLD_X=x",
		"PYTHONPATH=x",
		"PYTHONSTARTUP=x",
		"NODE_OPTIONS=x",
		"RUBYOPT=x",
		"PERL5LIB=x",
		"CLASSPATH=x",
		"BASH_ENV=x",
		"ENV=x",
		"ZDOTDIR=x",
		"EDITOR=x",
		"VISUAL=x",
		"SHELL=x",
		"HOME=x",
		"XDG_CONFIG_HOME=x",
		"GIT_SSH_COMMAND=x",
		"GIT_EXEC_PATH=x",
		"npm_config_script_shell=x",
		"CARGO_HOME=x",
		"DOVETAIL_MARK=x",
		"PROMPT_COMMAND=x",
		"INPUTRC=x",
		"SSH_ASKPASS=x",
		"GOFLAGS=x",
		"RUSTFLAGS=x",
		"RUSTC_WRAPPER=x",
		"LESS=x",
		"LESSOPEN=x",
		NULL,
	};

	for (size_t i = 0; bad[i]; i++)
		assert_int_equal(dt_shell_check_variable(bad[i], NULL),
		                 DT_E_DENIED);
	assert_ok(dt_shell_check_variable("FOO=bar", NULL));
	assert_ok(dt_shell_check_variable("PATHS=bar", NULL));
	assert_int_equal(dt_shell_check_variable("=x", NULL), DT_E_ARGS);
	assert_int_equal(dt_shell_check_variable("A B=x", NULL), DT_E_ARGS);
	assert_int_equal(dt_shell_check_variable("1A=x", NULL), DT_E_ARGS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_tempdir(
			the_environment_is_the_workspace_s_and_not_ours),
		test_in_tempdir(a_person_s_own_folder_of_zsh_is_handed_on),
		test_in_tempdir(a_shell_we_do_not_know_is_started_as_it_is),
		test_in_tempdir(variables_that_decide_what_runs_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
