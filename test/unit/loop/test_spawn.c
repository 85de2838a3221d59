#include "unit.h"

#include "base/clock.h"
#include "loop/spawn.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static struct dt_arena arena;
static char folder[] = "/tmp/dovetail-spawn-XXXXXX";

static int end(void **state)
{
	(void)state;
	dt_arena_done(&arena);
	return 0;
}

/* Wait until a file has a text, and take it away. */
static void assert_said(const char *wanted)
{
	const struct timespec nap = { .tv_nsec = 5000000 };
	const char *path = dt_arena_printf(&arena, "%s/said", folder);
	uint64_t until = dt_clock_ms() + 10000;
	char text[200] = "";

	while (dt_clock_ms() < until && strcmp(text, wanted) != 0) {
		FILE *file = fopen(path, "r");

		nanosleep(&nap, NULL);
		if (!file)
			continue;
		text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
		fclose(file);
	}
	assert_string_equal(text, wanted);
	unlink(path);
}

test(a_program_runs_in_its_folder_with_its_environment)
{
	char *argv[] = { "/bin/sh", "-c",  "echo \"$1 $GREETING $PWD\" >said",
		         "sh",      "a b", NULL };
	char *env[] = { "GREETING=hello", "PATH=/usr/bin:/bin", NULL };

	assert_ok(dt_spawn(argv, env, folder, NULL));
	assert_said(dt_arena_printf(&arena, "a b hello %s\n", folder));
}

test(nobody_is_left_to_be_waited_for)
{
	char *argv[] = { "/bin/sh", "-c", "echo done >said", NULL };
	char *missing[] = { "/no/such/program", NULL };
	char *env[] = { "PATH=/usr/bin:/bin", NULL };

	assert_ok(dt_spawn(missing, env, folder, NULL));
	assert_ok(dt_spawn(argv, env, folder, NULL));
	assert_said("done\n");
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

test(programs_are_found_in_the_list_of_folders)
{
	const char *file = dt_arena_printf(&arena, "%s/tool", folder);
	const char *list =
		dt_arena_printf(&arena, "/no::relative:%s:/bin", folder);
	FILE *made = fopen(file, "w");

	assert_non_null(made);
	fclose(made);
	assert_null(dt_spawn_find(&arena, "tool", list));
	assert_int_equal(chmod(file, 0700), 0);
	assert_string_equal(dt_spawn_find(&arena, "tool", list), file);
	assert_string_equal(dt_spawn_find(&arena, file, NULL), file);
	assert_null(dt_spawn_find(&arena, "tool", NULL));
	assert_null(dt_spawn_find(&arena, "", list));
	assert_null(dt_spawn_find(&arena, folder, list));
	assert_int_equal(unlink(file), 0);
}

static int make_folder(void **state)
{
	(void)state;
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	(void)state;
	return rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(
			a_program_runs_in_its_folder_with_its_environment, end),
		cmocka_unit_test_teardown(nobody_is_left_to_be_waited_for, end),
		cmocka_unit_test_teardown(
			programs_are_found_in_the_list_of_folders, end),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
