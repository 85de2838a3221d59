#include "backend/sieve.h"

#include "base/limits.h"
#include "unit.h"

#include <stdio.h>

static const char *const names[] = {
	"src/b.c",       "README.md", "src/a.c",        "src/deep/er/x.c",
	"src/deep/y.md", ".env",      ".github/w.yaml", "src/.hidden/z.c",
	"src-old/a.c",   "sub/",      "src/a.c",        NULL,
};

/* What of the names above comes through, one a line. */
static void assert_lists(struct dt_list_files_args args, const char *below,
                         const char *wanted)
{
	struct dt_list_files_result result = { 0 };
	struct dt_sieve sieve;
	struct dt_buf text;

	dt_buf_init(&text, 10000);
	dt_sieve_init(&sieve, &args, below);
	for (size_t i = 0; names[i]; i++) {
		if (dt_sieve_fits(&sieve, "/w", names[i]))
			dt_sieve_keep(&sieve, "/w", names[i]);
	}
	dt_sieve_list(&sieve, &result);
	for (size_t i = 0; i < result.paths.count; i++)
		dt_buf_addf(&text, "%s\n", result.paths.ptr[i]);
	if (result.is_cut)
		dt_buf_addf(&text, "of %u\n", result.total);
	else
		assert_int_equal(result.total, result.paths.count);
	assert_string_equal(dt_buf_z(&text), wanted);
	dt_buf_done(&text);
	dt_sieve_done(&sieve);
	assert_int_equal(sieve.count, 0);
}

test(all_are_sorted_and_there_once)
{
	assert_lists((struct dt_list_files_args){ 0 }, "",
	             "/w/README.md\n/w/src-old/a.c\n/w/src/a.c\n/w/src/b.c\n"
	             "/w/src/deep/er/x.c\n/w/src/deep/y.md\n/w/sub/\n");
}

test(hidden_ones_are_there_when_asked_for)
{
	assert_lists((struct dt_list_files_args){ .has_hidden = true,
	                                          .prefix = "." },
	             "", "/w/.env\n/w/.github/w.yaml\n");
}

test(a_directory_is_not_what_begins_like_it)
{
	assert_lists((struct dt_list_files_args){ 0 }, "src/",
	             "/w/src/a.c\n/w/src/b.c\n/w/src/deep/er/x.c\n"
	             "/w/src/deep/y.md\n");
	assert_lists((struct dt_list_files_args){ 0 }, "sub/", "");
}

test(what_is_deeper_is_one_folder)
{
	assert_lists((struct dt_list_files_args){ .depth = 1 }, "",
	             "/w/README.md\n/w/src-old/\n/w/src/\n/w/sub/\n");
	assert_lists((struct dt_list_files_args){ .depth = 2 }, "",
	             "/w/README.md\n/w/src-old/a.c\n/w/src/a.c\n/w/src/b.c\n"
	             "/w/src/deep/\n/w/sub/\n");
	assert_lists((struct dt_list_files_args){ .depth = 1 }, "src/",
	             "/w/src/a.c\n/w/src/b.c\n/w/src/deep/\n");
}

test(a_pattern_without_a_slash_is_for_the_last_part)
{
	assert_lists((struct dt_list_files_args){ .glob = "*.md" }, "",
	             "/w/README.md\n/w/src/deep/y.md\n");
	assert_lists((struct dt_list_files_args){ .glob = "src/*.c" }, "",
	             "/w/src/a.c\n/w/src/b.c\n");
	assert_lists((struct dt_list_files_args){ .glob = "**/x.c" }, "",
	             "/w/src/deep/er/x.c\n");
	assert_lists((struct dt_list_files_args){ .glob = "deep/**" }, "src/",
	             "/w/src/deep/er/x.c\n/w/src/deep/y.md\n");
	assert_lists((struct dt_list_files_args){ .glob = "sub" }, "",
	             "/w/sub/\n");
}

test(a_prefix_is_of_the_name_its_last_part_or_the_path)
{
	assert_lists((struct dt_list_files_args){ .prefix = "src/d" }, "",
	             "/w/src/deep/er/x.c\n/w/src/deep/y.md\n");
	assert_lists((struct dt_list_files_args){ .prefix = "a" }, "",
	             "/w/src-old/a.c\n/w/src/a.c\n");
	assert_lists((struct dt_list_files_args){ .prefix = "/w/READ" }, "",
	             "/w/README.md\n");
	assert_lists((struct dt_list_files_args){ .prefix = "/wo" }, "", "");
	assert_lists((struct dt_list_files_args){ .prefix = "/w", .depth = 1 },
	             "", "/w/README.md\n/w/src-old/\n/w/src/\n/w/sub/\n");
	assert_lists((struct dt_list_files_args){ .prefix = "zzz" }, "", "");
}

test(the_limit_says_how_many_there_are)
{
	assert_lists((struct dt_list_files_args){ .limit = { true, 2 } }, "",
	             "/w/README.md\n/w/src-old/a.c\nof 7\n");
	assert_lists((struct dt_list_files_args){ .limit = { true, 0 } }, "",
	             "of 7\n");
	assert_lists((struct dt_list_files_args){ .limit = { true, 1 },
	                                          .prefix = "READ" },
	             "", "/w/README.md\n");
}

test(an_answer_never_has_more_than_the_limit)
{
	struct dt_list_files_args args = { .limit = { true, UINT32_MAX } };
	struct dt_list_files_result result = { 0 };
	struct dt_sieve sieve;
	char name[16];

	dt_sieve_init(&sieve, &args, "");
	for (int i = 0; i <= DT_LIMIT_LISTED; i++) {
		snprintf(name, sizeof(name), "%05d", i);
		dt_sieve_keep(&sieve, "/w", name);
	}
	dt_sieve_list(&sieve, &result);
	assert_int_equal(result.paths.count, DT_LIMIT_LISTED);
	assert_int_equal(result.total, DT_LIMIT_LISTED + 1);
	assert_true(result.is_cut);
	dt_sieve_done(&sieve);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_are_sorted_and_there_once),
		cmocka_unit_test(hidden_ones_are_there_when_asked_for),
		cmocka_unit_test(a_directory_is_not_what_begins_like_it),
		cmocka_unit_test(what_is_deeper_is_one_folder),
		cmocka_unit_test(
			a_pattern_without_a_slash_is_for_the_last_part),
		cmocka_unit_test(
			a_prefix_is_of_the_name_its_last_part_or_the_path),
		cmocka_unit_test(the_limit_says_how_many_there_are),
		cmocka_unit_test(an_answer_never_has_more_than_the_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
