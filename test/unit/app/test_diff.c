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

static void put(const char *name, const char *text)
{
	assert_ok(dt_file_write(
		dt_arena_printf(&arena, "%s/%s", diff.folder, name),
		dt_str(text), 0600, NULL));
}

/* git names the one side twice where there is no other. */
test(a_patch_names_both_sides_and_git_applies_it)
{
	struct dt_review_file files[] = {
		{ .kind = "create",
		  .path = "/w/new.c",
		  .proposed = DT_STR("n\n") },
		{ .kind = "delete", .path = "/w/b", .old = DT_STR("b\n") },
		{ .kind = "rename",
		  .path = "/w/c",
		  .new_path = "/w/d",
		  .old = DT_STR("c\n"),
		  .proposed = DT_STR("C\n") },
	};
	struct dt_review_info review = {
		.id = "abc",
		.root = "/w",
		.entries = { files, 3 },
	};
	struct dt_buf patch;

	dt_buf_init(&patch, DT_MIB);
	dt_diff_write(&review, &patch);
	assert_true(dt_str_starts(dt_buf_str(&patch),
	                          DT_STR("diff --git a/new.c b/new.c\n"
	                                 "new file mode 100644\n"
	                                 "--- /dev/null\n"
	                                 "+++ b/new.c\n")));
	assert_non_null(strstr(dt_buf_z(&patch), "diff --git a/b b/b\n"));
	diff.folder = dt_arena_printf(&arena, "%s/x", base);
	assert_ok(dt_file_make_dirs(diff.folder, NULL));
	put("b", "b\n");
	put("c", "c\n");
	put("p", dt_buf_z(&patch));
	dt_buf_done(&patch);
	/* Nobody else's repository is around it. */
	setenv("GIT_CEILING_DIRECTORIES", base, 1);
	assert_int_equal(system(dt_arena_printf(&arena, "cd %s && git apply p",
	                                        diff.folder)),
	                 0);
	assert_file("new.c", "n\n");
	assert_no_file("b");
	assert_no_file("c");
	assert_file("d", "C\n");
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
	assert_ok(dt_diff_edit_file(diff.edited, "sed -i s/2/two/", NULL));
	open_diff(&file, 1);
	dt_buf_init(&text, DT_LIMIT_FILE);
	assert_ok(dt_diff_read_file(diff.edited, &text, NULL));
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
	assert_ok(dt_diff_edit_file(diff.edited, "printf '\\377' | tee", NULL));
	dt_buf_init(&text, DT_LIMIT_FILE);
	assert_int_equal(dt_diff_read_file(diff.edited, &text, NULL),
	                 DT_E_ARGS);
	dt_buf_done(&text);
}

test(an_editor_that_fails_is_named)
{
	struct dt_review_file file = { .kind = "create",
		                       .path = "/w/a",
		                       .proposed = DT_STR("2") };
	struct dt_fail why = { 0 };

	open_diff(&file, 1);
	assert_int_equal(dt_diff_edit_file(diff.edited, "exit 3;", &why),
	                 DT_E_SYS);
	assert_string_equal(why.msg,
	                    "exit 3; ended with 3; set EDITOR to one you have");
}

int main(void)
{
#define DIFF_TEST(name) cmocka_unit_test_setup_teardown(name, start, end)
	const struct CMUnitTest tests[] = {
		DIFF_TEST(the_folder_is_closed_to_others),
		DIFF_TEST(both_sides_have_the_names_of_the_workspace),
		DIFF_TEST(a_patch_names_both_sides_and_git_applies_it),
		DIFF_TEST(a_decided_change_shows_its_final_text),
		DIFF_TEST(an_edit_survives_until_it_is_removed),
		DIFF_TEST(what_is_no_text_any_more_is_refused),
		DIFF_TEST(an_editor_that_fails_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
