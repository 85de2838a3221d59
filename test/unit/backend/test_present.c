/* test/unit/backend/test_present.c - twin of src/backend/present.c */
#include "backend/present.h"

#include "base/tempdir.h"
#include "unit.h"

#include <dirent.h>

test(names_are_found_with_what_they_are)
{
	struct dt_present present = { 0 };

	tempdir_mkdir(*state, "w");
	tempdir_mkdir(*state, "w/in");
	tempdir_put(*state, "w/a", "a");
	assert_null(dt_present_find(&present, "a"));
	assert_true(dt_present_read(&present, *state, "w/"));
	assert_int_equal(dt_present_find(&present, "a")->type, DT_REG);
	assert_int_equal(dt_present_find(&present, "in")->type, DT_DIR);
	assert_null(dt_present_find(&present, "w"));
	/* Another folder takes the place of the first. */
	assert_true(dt_present_read(&present, *state, ""));
	assert_null(dt_present_find(&present, "a"));
	assert_non_null(dt_present_find(&present, "w"));
	dt_present_done(&present);
}

test(a_folder_may_have_many_names)
{
	struct dt_present present = { 0 };
	char name[32];

	for (int i = 0; i < 1000; i++) {
		snprintf(name, sizeof(name), "f%d", i);
		tempdir_put(*state, name, "");
	}
	assert_true(dt_present_read(&present, *state, ""));
	for (int i = 0; i < 1000; i++) {
		snprintf(name, sizeof(name), "f%d", i);
		assert_non_null(dt_present_find(&present, name));
	}
	assert_null(dt_present_find(&present, "f1000"));
	dt_present_done(&present);
}

test(nothing_outside_is_read)
{
	struct dt_present present = { 0 };
	char *root = dt_asprintf("%s/w", (char *)*state);
	char *link = dt_asprintf("%s/w/out", (char *)*state);

	tempdir_mkdir(*state, "w");
	tempdir_put(*state, "secret", "");
	assert_int_equal(symlink("..", link), 0);
	assert_false(dt_present_read(&present, root, "out/"));
	assert_false(dt_present_read(&present, root, "../"));
	assert_false(dt_present_read(&present, root, "none/"));
	assert_null(dt_present_find(&present, "secret"));
	dt_present_done(&present);
	free(root);
	free(link);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_tempdir(names_are_found_with_what_they_are),
		test_in_tempdir(a_folder_may_have_many_names),
		test_in_tempdir(nothing_outside_is_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
