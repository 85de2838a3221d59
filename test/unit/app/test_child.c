#include "unit.h"

#include "app/child.h"

#include <signal.h>
#include <unistd.h>

static int run_shell(char *script, const char *folder, const char *const *env)
{
	char *argv[] = { "sh", "-c", script, NULL };
	int code = -1;

	assert_ok(dt_child_run(argv, folder, env, &code, NULL));
	return code;
}

test(the_exit_code_comes_back)
{
	assert_int_equal(run_shell("exit 0", NULL, NULL), 0);
	assert_int_equal(run_shell("exit 42", NULL, NULL), 42);
	assert_int_equal(run_shell("kill -TERM $$", NULL, NULL), 128 + SIGTERM);
}

test(a_program_that_is_not_there_is_told_apart)
{
	char *argv[] = { "/nonexistent/program", NULL };
	int code = -1;

	assert_ok(dt_child_run(argv, NULL, NULL, &code, NULL));
	assert_int_equal(code, DT_CHILD_MISSING);
}

test(folder_and_environment_are_those_asked_for)
{
	const char *env[] = { "DT_ONE", "1", "DT_TWO", "two words", NULL };

	assert_int_equal(run_shell("[ \"$(pwd)\" = / ]", "/", NULL), 0);
	assert_int_equal(run_shell("[ $DT_ONE = 1 ] && "
	                           "[ \"$DT_TWO\" = 'two words' ]",
	                           NULL, env),
	                 0);
}

test(signals_are_usual_in_the_child_and_ours_are_put_back)
{
	struct sigaction action;

	signal(SIGPIPE, SIG_IGN);
	signal(SIGINT, SIG_DFL);
	assert_int_equal(run_shell("kill -PIPE $$", NULL, NULL), 128 + SIGPIPE);
	assert_int_equal(run_shell("kill -INT $$", NULL, NULL), 128 + SIGINT);
	sigaction(SIGINT, NULL, &action);
	assert_ptr_equal(action.sa_handler, SIG_DFL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_exit_code_comes_back),
		cmocka_unit_test(a_program_that_is_not_there_is_told_apart),
		cmocka_unit_test(folder_and_environment_are_those_asked_for),
		cmocka_unit_test(
			signals_are_usual_in_the_child_and_ours_are_put_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
