/* test/unit/app/test_demo_world.c - twin of src/app/demo_world.c */
#include "app/demo_world.h"

#include "unit.h"

#include "app/demo_agent.h"
#include "base/buf.h"
#include "base/file.h"
#include "base/limits.h"
#include "base/path.h"
#include "base/str.h"
#include "hub/dirs.h"

#include <stdlib.h>
#include <unistd.h>

test(the_project_is_as_the_script_begins)
{
	struct dt_demo_world world = { 0 };
	struct dt_arena arena = { 0 };
	struct dt_buf text;

	assert_ok(dt_demo_world_open(&world, NULL));
	dt_buf_init(&text, DT_LIMIT_FILE);
	for (size_t i = 0; i < DT_DEMO_STEPS; i++) {
		const struct dt_demo_step *step = &dt_demo_steps[i];
		const char *path =
			dt_path_join(&arena, world.project, step->file);

		dt_buf_clear(&text);
		assert_int_equal(dt_file_read(path, &text, NULL),
		                 step->before ? DT_E_OK : DT_E_MISSING);
		if (step->before)
			assert_true(dt_str_is(dt_buf_str(&text), step->before));
	}
	dt_buf_done(&text);
	dt_demo_world_close(&world);
	dt_arena_done(&arena);
}

test(the_script_has_a_change_a_new_file_and_a_deletion)
{
	assert_non_null(dt_demo_steps[0].before);
	assert_string_not_equal(dt_demo_steps[0].after,
	                        dt_demo_steps[0].before);
	assert_null(dt_demo_steps[1].before);
	assert_non_null(dt_demo_steps[2].before);
	assert_string_equal(dt_demo_steps[2].after, "");
}

test(inside_all_that_is_kept_is_kept_in_the_folder)
{
	struct dt_demo_world world = { 0 };
	struct dt_arena arena = { 0 };
	struct dt_dirs dirs;

	setenv("HOME", "/theirs", 1);
	unsetenv("XDG_STATE_HOME");
	assert_ok(dt_demo_world_open(&world, NULL));
	dt_demo_world_enter(&world);
	assert_ok(dt_dirs_find(&arena, &dirs, NULL));
	assert_true(dt_path_is_beneath(dirs.home, world.folder));
	assert_true(dt_path_is_beneath(dirs.socket, world.folder));
	assert_true(dt_path_is_beneath(dirs.database, world.folder));
	assert_true(dt_path_is_beneath(dirs.conf, world.folder));
	dt_demo_world_leave(&world);
	assert_string_equal(getenv("HOME"), "/theirs");
	assert_null(getenv("XDG_STATE_HOME"));
	dt_demo_world_close(&world);
	dt_arena_done(&arena);
}

test(closing_removes_everything)
{
	struct dt_demo_world world = { 0 };
	struct dt_arena arena = { 0 };
	const char *folder;

	setenv("TMPDIR", "relative", 1);
	assert_ok(dt_demo_world_open(&world, NULL));
	unsetenv("TMPDIR");
	folder = dt_arena_strdup(&arena, world.folder);
	assert_true(dt_file_is_dir(folder));
	dt_demo_world_close(&world);
	assert_int_equal(access(folder, F_OK), -1);
	dt_demo_world_close(&world);
	dt_arena_done(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_project_is_as_the_script_begins),
		cmocka_unit_test(
			the_script_has_a_change_a_new_file_and_a_deletion),
		cmocka_unit_test(inside_all_that_is_kept_is_kept_in_the_folder),
		cmocka_unit_test(closing_removes_everything),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
