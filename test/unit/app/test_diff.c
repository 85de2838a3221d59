#include "unit.h"

#include "app/diff.h"
#include "base/file.h"
#include "base/limits.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static struct dt_arena arena;
static const char *base;
static struct dt_diff diff;

static int start(void **state)
{
	(void)state;
	diff = (struct dt_diff){ 0 };
	return dt_diff_make_folder(&arena, &base, NULL);
}

static int end(void **state)
{
	int rc;

	(void)state;
	dt_diff_remove(&diff);
	rc = rmdir(base); /* fails when something is left */
	dt_arena_done(&arena);
	return rc;
}

static void open_diff(struct dt_review_file *files, size_t count)
{
	struct dt_review_info review = {
		.id = "abc",
		.root = "/w",
		.entries = { files, count },
	};
	struct dt_fail why = { 0 };

	if (dt_diff_open(&arena, base, &review, &diff, &why))
		fail_msg("%s", why.msg);
}

static void assert_file(const char *name, const char *wanted)
{
	const char *path = dt_arena_printf(&arena, "%s/%s", diff.folder, name);
	struct dt_buf text;

	dt_buf_init(&text, DT_LIMIT_FILE);
	assert_ok(dt_file_read(path, &text, NULL));
	assert_string_equal(dt_buf_z(&text), wanted);
	dt_buf_done(&text);
}

static void assert_no_file(const char *name)
{
	const char *path = dt_arena_printf(&arena, "%s/%s", diff.folder, name);

	assert_int_equal(access(path, F_OK), -1);
}

test(the_folder_is_closed_to_others)
{
	struct dt_review_file file = { .kind = "change",
		                       .path = "/w/a",
		                       .old = DT_STR("1"),
		                       .proposed = DT_STR("2") };
	struct stat st;

	open_diff(&file, 1);
	assert_int_equal(stat(base, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0700);
	assert_int_equal(stat(diff.edited, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
}

test(both_sides_have_the_names_of_the_workspace)
{
	struct dt_review_file files[] = {
		{ .kind = "change",
		  .path = "/w/src/a.c",
		  .old = DT_STR("old\n"),
		  .proposed = DT_STR("new\n") },
		{ .kind = "create", .path = "/etc/x", .proposed = DT_STR("x") },
		{ .kind = "delete", .path = "/w/b", .old = DT_STR("b") },
		{ .kind = "rename",
		  .path = "/w/c",
		  .new_path = "/w/d/e",
		  .old = DT_STR("c"),
		  .proposed = DT_STR("c") },
	};

	open_diff(files, 4);
	assert_file("a/src/a.c", "old\n");
	assert_file("b/src/a.c", "new\n");
	assert_no_file("a/etc/x");
	assert_file("b/etc/x", "x");
	assert_file("a/b", "b");
	assert_no_file("b/b");
	assert_file("a/c", "c");
	assert_no_file("b/c");
	assert_file("b/d/e", "c");
}

test(a_decided_change_shows_its_final_text)
{
	struct dt_review_file file = { .kind = "change",
		                       .path = "/w/a",
		                       .old = DT_STR("1"),
		                       .proposed = DT_STR("2"),
		                       .final = DT_STR("3") };

	open_diff(&file, 1);
	assert_file("b/a", "3");
}

test(an_edit_survives_until_it_is_removed)
{
	struct dt_review_file file = { .kind = "change",
		                       .path = "/w/a",
		                       .old = DT_STR("1"),
		                       .proposed = DT_STR("2") };
	struct dt_buf text;

	open_diff(&file, 1);
	assert_ok(dt_diff_edit(&diff, "sed -i s/2/two/", NULL));
	open_diff(&file, 1);
	dt_buf_init(&text, DT_LIMIT_FILE);
	assert_ok(dt_diff_read(&diff, &text, NULL));
	assert_string_equal(dt_buf_z(&text), "two");
	dt_buf_done(&text);
	dt_diff_remove(&diff);
	open_diff(&file, 1);
	assert_file("b/a", "2");
}

test(what_is_no_text_any_more_is_refused)
{
	struct dt_review_file file = { .kind = "create",
		                       .path = "/w/a",
		                       .proposed = DT_STR("2") };
	struct dt_buf text;

	open_diff(&file, 1);
	assert_ok(dt_diff_edit(&diff, "printf '\\377' | tee", NULL));
	dt_buf_init(&text, DT_LIMIT_FILE);
	assert_int_equal(dt_diff_read(&diff, &text, NULL), DT_E_ARGS);
	dt_buf_done(&text);
}

test(an_editor_that_fails_is_named)
{
	struct dt_review_file file = { .kind = "create",
		                       .path = "/w/a",
		                       .proposed = DT_STR("2") };
	struct dt_fail why = { 0 };

	open_diff(&file, 1);
	assert_int_equal(dt_diff_edit(&diff, "exit 3;", &why), DT_E_SYS);
	assert_string_equal(why.msg,
	                    "exit 3; ended with 3; set EDITOR to one you have");
}

int main(void)
{
#define DIFF_TEST(name) cmocka_unit_test_setup_teardown(name, start, end)
	const struct CMUnitTest tests[] = {
		DIFF_TEST(the_folder_is_closed_to_others),
		DIFF_TEST(both_sides_have_the_names_of_the_workspace),
		DIFF_TEST(a_decided_change_shows_its_final_text),
		DIFF_TEST(an_edit_survives_until_it_is_removed),
		DIFF_TEST(what_is_no_text_any_more_is_refused),
		DIFF_TEST(an_editor_that_fails_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
