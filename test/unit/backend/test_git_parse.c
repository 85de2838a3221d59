/* test/unit/backend/test_git_parse.c - git's formats, whole and broken. */
#include "backend/git_parse.h"

#include "base/limits.h"
#include "unit.h"

#include <stdlib.h>

#define PATCH(s) ((struct dt_str){ s, sizeof(s) - 1 })

static const struct dt_git_file_diff *parse(struct dt_arena *arena,
                                            struct dt_str text,
                                            struct dt_git_diff_result *out)
{
	*out = (struct dt_git_diff_result){ 0 };
	dt_git_parse_patch(arena, "/t", text, out);
	return out->files.ptr;
}

test(names_in_a_patch_are_told_from_their_quotes)
{
	struct dt_arena arena = { 0 };
	struct dt_git_diff_result diff;
	const struct dt_git_file_diff *file = parse(
		&arena,
		PATCH("diff --git a/x b/y b/x b/y\n"
	              "old mode 100644\nnew mode 100755\n"
	              "diff --git \"a/q\\\"\\\\\\n\\303\\274\" "
	              "\"b/q\\\"\\\\\\n\\303\\274\"\n"
	              "--- \"a/q\"\n+++ \"b/q\"\n@@ -1 +1,2 @@\n--- x\n+++ y\n"
	              "+diff --git a/no b/no\n"
	              "diff --cc merged\nindex 1,2..3\n"),
		&diff);

	assert_int_equal(diff.files.count, 3);
	assert_string_equal(file[0].path, "/t/x b/y");
	assert_string_equal(file[1].path, "/t/q\"\\\n\xc3\xbc");
	assert_int_equal(file[1].added, 2);
	assert_int_equal(file[1].deleted, 1);
	assert_string_equal(file[2].path, "/t/merged");
	assert_int_equal(diff.left_out, 0);
	dt_arena_done(&arena);
}

test(a_rename_has_two_names_even_if_its_halves_look_alike)
{
	struct dt_arena arena = { 0 };
	struct dt_git_diff_result diff;
	/* From "x" to "x b/x b/x": both halves of the line are "?/x b/x". */
	const struct dt_git_file_diff *file =
		parse(&arena,
	              PATCH("diff --git a/x b/x b/x b/x\n"
	                    "similarity index 100%\nrename from x\n"
	                    "rename to x b/x b/x\n"
	                    "diff --git a/o b/n\nsimilarity index 50%\n"
	                    "copy from o\ncopy to n\n--- a/o\n+++ b/n\n"
	                    "@@ -1 +1 @@\n-rename to evil\n+rename from e\n"),
	              &diff);

	assert_int_equal(diff.files.count, 2);
	assert_string_equal(file[0].path, "/t/x b/x b/x");
	assert_string_equal(file[0].old_path, "/t/x");
	assert_string_equal(file[1].path, "/t/n");
	assert_string_equal(file[1].old_path, "/t/o");
	dt_arena_done(&arena);
}

test(a_file_whose_name_cannot_be_told_is_left_out)
{
	struct dt_arena arena = { 0 };
	struct dt_git_diff_result diff;

	parse(&arena,
	      PATCH("diff --git a/x b/yy\n@@ -1 +1 @@\n-secret\n"
	            "diff --git \"a/x b/x\n+s\n"
	            "diff --git c/x d/x\n+s\ndiff --what x\n"),
	      &diff);
	assert_int_equal(diff.files.count, 0);
	assert_int_equal(diff.left_out, 4);
	dt_arena_done(&arena);
}

test(a_patch_may_be_cut_anywhere)
{
	static const char text[] =
		"diff --git \"a/\\303\\274\" \"b/\\303\\274\"\n"
		"--- \"a/\\303\\274\"\n+++ \"b/\\303\\274\"\n@@ -1 +1 @@\n"
		"-a\n+b\ndiff --git a/n b/n\nsimilarity index 1%\n"
		"rename from o\nrename to n\n";

	for (size_t len = 0; len < sizeof(text); len++) {
		struct dt_arena arena = { 0 };
		struct dt_git_diff_result diff = { .is_cut = true };
		char *copy = malloc(len ? len : 1);

		memcpy(copy, text, len);
		dt_git_parse_patch(&arena, "/t", (struct dt_str){ copy, len },
		                   &diff);
		assert_true(diff.files.count <= 2);
		free(copy);
		dt_arena_done(&arena);
	}
}

test(numbers_of_lines_go_with_their_names)
{
	struct dt_arena arena = { 0 };
	struct dt_git_diff_result diff = { 0 };
	const struct dt_git_file_diff *file;

	dt_git_parse_numstat(&arena, "/t",
	                     PATCH("1\t2\ta\tb\0-\t-\tbin\0"
	                           "3\t4\t\0old\0new\0"
	                           "5\t6\tcut"),
	                     &diff);
	file = diff.files.ptr;
	assert_int_equal(diff.files.count, 3);
	assert_string_equal(file[0].path, "/t/a\tb");
	assert_int_equal(file[0].deleted, 2);
	assert_int_equal(file[1].added, 0);
	assert_string_equal(file[2].path, "/t/new");
	assert_string_equal(file[2].old_path, "/t/old");
	dt_arena_done(&arena);
}

#define HASH "1111111111111111111111111111111111111111"
#define MODES "N... 100644 100644 100644 " HASH " " HASH " "

test(a_status_may_be_cut_anywhere)
{
	static const char text[] =
		"# branch.oid " HASH "\0# branch.head main\0"
		"# branch.ab +1 -2\0# stash 3\0"
		"1 M. " MODES "a b\0"
		"2 RD " MODES "R100 new\0old\0"
		"u AA N... 100644 100644 100644 100644 " HASH " " HASH " " HASH
		" both\0? new\nname\0! ignored";
	struct dt_git_status_result status;
	struct dt_arena arena = { 0 };
	const struct dt_git_change *change;

	for (size_t len = 0; len <= sizeof(text); len++) {
		char *copy = malloc(len ? len : 1);

		dt_arena_done(&arena);
		status = (struct dt_git_status_result){ 0 };
		memcpy(copy, text, len);
		dt_git_parse_status(&arena, "/t", (struct dt_str){ copy, len },
		                    &status);
		free(copy);
	}
	assert_string_equal(status.head, HASH);
	assert_string_equal(status.branch, "main");
	assert_int_equal(status.ahead.value, 1);
	assert_int_equal(status.behind.value, 2);
	assert_int_equal(status.stashes, 3);
	assert_int_equal(status.staged.count, 2);
	change = status.staged.ptr;
	assert_string_equal(change[0].path, "/t/a b");
	assert_string_equal(change[1].path, "/t/new");
	assert_string_equal(change[1].old_path, "/t/old");
	change = status.unstaged.ptr;
	assert_string_equal(change[0].state, "deleted");
	change = status.conflicts.ptr;
	assert_string_equal(change[0].path, "/t/both");
	assert_string_equal(change[0].state, "both added");
	assert_int_equal(status.untracked.count, 1);
	assert_string_equal(status.untracked.ptr[0], "/t/new\nname");
	dt_arena_done(&arena);
}

test(too_many_files_are_cut_and_it_is_said)
{
	struct dt_git_status_result status = { 0 };
	struct dt_arena arena = { 0 };
	size_t size = (DT_LIMIT_GIT_ENTRIES + 1) * 4;
	char *text = calloc(1, size);

	for (size_t i = 0; i <= DT_LIMIT_GIT_ENTRIES; i++)
		memcpy(text + 4 * i, "? x", 4);
	dt_git_parse_status(&arena, "/t", (struct dt_str){ text, size },
	                    &status);
	assert_int_equal(status.untracked.count, DT_LIMIT_GIT_ENTRIES);
	assert_true(status.is_cut);
	free(text);
	dt_arena_done(&arena);
}

test(what_others_wrote_loses_controls_and_tricks_of_direction)
{
	struct dt_arena arena = { 0 };

	assert_str(dt_git_plain(&arena,
	                        PATCH("a\x1b[1m\xe2\x80\xae\xe2\x81\xa6"
	                              "\xc2\x9b\xd8\x9c\xe2\x80\x8f\tb\n"
	                              "\xc3\xbc\x7f"),
	                        99, false),
	           "a[1mb\xc3\xbc");
	assert_str(dt_git_plain(&arena, PATCH("a\n\tb"), 99, true), "a\n\tb");
	assert_str(dt_git_plain(&arena, PATCH("ab\xc3\xbc"), 3, true), "ab");
	dt_arena_done(&arena);
}

test(commits_and_lines_that_are_cut_are_dropped)
{
	struct dt_arena arena = { 0 };
	struct dt_items items = dt_git_parse_commits(
		&arena, PATCH("h\0a\0e\0d\0p q\0s\0b\n\0h2\0a\0e\0d\0\0s"));
	const struct dt_git_commit_info *commit = items.ptr;
	const struct dt_git_blame_line *line;

	assert_int_equal(items.count, 1);
	assert_int_equal(commit->parents.count, 2);
	assert_str(commit->body, "b");
	items = dt_git_parse_blame(
		&arena, PATCH("00ab 1 7 1\nauthor x\nauthor-time 0\nsummary s\n"
	                      "\t\ttext\n0000 1 8 1\nauthor y\n\t\nabc 1 9"));
	line = items.ptr;
	assert_int_equal(items.count, 2);
	assert_int_equal(line[0].line, 6);
	assert_string_equal(line[0].date, "1970-01-01T00:00:00Z");
	assert_str(line[0].text, "\ttext");
	assert_null(line[1].hash);
	assert_int_equal(line[1].text.len, 0);
	dt_arena_done(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_in_a_patch_are_told_from_their_quotes),
		cmocka_unit_test(
			a_rename_has_two_names_even_if_its_halves_look_alike),
		cmocka_unit_test(a_file_whose_name_cannot_be_told_is_left_out),
		cmocka_unit_test(a_patch_may_be_cut_anywhere),
		cmocka_unit_test(numbers_of_lines_go_with_their_names),
		cmocka_unit_test(a_status_may_be_cut_anywhere),
		cmocka_unit_test(too_many_files_are_cut_and_it_is_said),
		cmocka_unit_test(
			what_others_wrote_loses_controls_and_tricks_of_direction),
		cmocka_unit_test(commits_and_lines_that_are_cut_are_dropped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
