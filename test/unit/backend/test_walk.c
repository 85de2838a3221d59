#include "backend/walk.h"

#include "base/buf.h"
#include "base/limits.h"
#include "base/tempdir.h"
#include "unit.h"

static void on_file(const char *name, void *owner)
{
	dt_buf_addf(owner, "%s\n", name);
}

/* The files in the order they are found: one in each folder. */
static void assert_walks(const char *root, const char *from, const char *wanted)
{
	struct dt_buf text;

	dt_buf_init(&text, DT_MIB);
	assert_true(dt_walk(root, from, on_file, &text));
	assert_string_equal(dt_buf_z(&text), wanted);
	dt_buf_done(&text);
}

test(near_files_come_before_far_ones)
{
	const char *dir = *state;

	tempdir_mkdir(dir, "a");
	tempdir_mkdir(dir, "a/b");
	tempdir_put(dir, "a/b/deep", "");
	tempdir_put(dir, "a/.hidden", "");
	tempdir_put(dir, "top", "");
	assert_walks(dir, "", "top\na/.hidden\na/b/deep\n");
	assert_walks(dir, "a/b/", "a/b/deep\n");
	assert_walks(dir, "none/", "");
}

test(what_others_put_there_is_left_out)
{
	const char *dir = *state;

	tempdir_mkdir(dir, ".git");
	tempdir_put(dir, ".git/config", "");
	tempdir_mkdir(dir, "node_modules");
	tempdir_put(dir, "node_modules/x.js", "");
	tempdir_put(dir, ".gitignore", "");
	assert_walks(dir, "", ".gitignore\n");
}

test(links_are_named_and_not_followed)
{
	const char *dir = *state;
	char *path = dt_asprintf("%s/w/link", dir);

	tempdir_mkdir(dir, "w");
	tempdir_mkdir(dir, "secret");
	tempdir_put(dir, "secret/key", "");
	assert_int_equal(symlink("../secret", path), 0);
	free(path);
	path = dt_asprintf("%s/w", dir);
	assert_walks(path, "", "link\n");
	assert_walks(path, "link/", "");
	assert_walks(path, "../secret/", "");
	free(path);
}

test(only_files_are_listed)
{
	const char *dir = *state;
	char *path = dt_asprintf("%s/fifo", dir);

	assert_int_equal(mkfifo(path, 0600), 0);
	free(path);
	assert_walks(dir, "", "");
}

test(a_folder_too_deep_is_said)
{
	const char *dir = *state;
	struct dt_buf name;
	struct dt_buf text;

	dt_buf_init(&name, 1000);
	dt_buf_init(&text, DT_MIB);
	for (int i = 0; i < DT_LIMIT_LIST_DEPTH; i++) {
		dt_buf_add_z(&name, i ? "/d" : "d");
		tempdir_mkdir(dir, dt_buf_z(&name));
	}
	assert_true(dt_walk(dir, "", on_file, &text));
	dt_buf_add_z(&name, "/d");
	tempdir_mkdir(dir, dt_buf_z(&name));
	assert_false(dt_walk(dir, "", on_file, &text));
	dt_buf_done(&name);
	dt_buf_done(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_tempdir(near_files_come_before_far_ones),
		test_in_tempdir(what_others_put_there_is_left_out),
		test_in_tempdir(links_are_named_and_not_followed),
		test_in_tempdir(only_files_are_listed),
		test_in_tempdir(a_folder_too_deep_is_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
