#include "unit.h"

#include "base/glob.h"

#include <assert.h>
#include <stdio.h>

static void assert_fits(const char *glob, const char *path, bool fits)
{
	assert(glob && path);
	if (dt_glob_matches(dt_str(glob), dt_str(path)) != fits)
		fail_msg("%s %s %s", glob, fits ? "misses" : "fits", path);
}

struct row {
	const char *glob;
	const char *yes[6];
	const char *no[6];
};

static const struct row rows[] = {
	{ "a.c", { "a.c" }, { "a.cc", "b/a.c", "a", "", "aXc" } },
	{ "*", { "a", ".env", "", "a b" }, { "a/b", "/" } },
	{ "*.c", { "a.c", ".c" }, { "a.h", "x/a.c", "a.c/" } },
	{ "a*b*c", { "abc", "axbyc", "abbcc" }, { "abcd", "a/b/c", "ab" } },
	{ "?", { "a", "\xc3\xbc", "\xf0\x9f\x98\x80" }, { "", "ab", "/" } },
	{ "a?c",
	  { "abc", "a\xc3\xbc"
	           "c" },
	  { "ac", "a/c", "abbc" } },
	{ "**", { "a", "a/b", "/a/b/c", "" }, { NULL } },
	{ "**/a", { "a", "x/a", "x/y/a", "/a" }, { "xa", "x/ya", "a/x" } },
	{ "a/**", { "a/b", "a/b/c", "a/.x" }, { "a", "b/a/c", "ab/c" } },
	{ "a/**/b", { "a/b", "a/x/b", "a/x/y/b" }, { "ab", "a/xb", "a/b/x" } },
	{ "**/a/**", { "a/b", "x/a/b", "/x/a/b/c" }, { "a", "xa/b", "x/a" } },
	{ "**/{.s,.a/c}/**",
	  { ".s/a", "/h/.s/a/b", "x/.a/c/y", "/x/y/.a/c/" },
	  { ".s", "/x/.s", "x.s/a", "/a/s/b", "/x/.a/d/c", "/.a/x/c/y" } },
	{ "a/**/b/**/c",
	  { "a/b/c", "a/x/b/c", "a/x/y/b/z/c", "a/b/b/c/c" },
	  { "a/c/b", "a/xb/c", "a/b/xc", "a/b/c/x" } },
	{ "a**b", { "ab", "axb", "a/x/b" }, { "a", "ba" } },
	{ "***/a", { "x/a", "/a", "xy/z/a" }, { "a" } },
	{ "{a,b}", { "a", "b" }, { "c", "a,b", "{a,b}", "ab", "" } },
	{ "x{,y}z", { "xz", "xyz" }, { "xyyz" } },
	{ "{a,b{c,d}}e", { "ae", "bce", "bde" }, { "be", "ace", "abce" } },
	{ "*.{c,h}", { "a.c", "b.h" }, { "a.d", "a.ch" } },
	{ "{**/a,b/*}", { "a", "x/a", "b/c" }, { "b", "b/c/d" } },
	{ "{a*,*b}{1,2}", { "ax1", "xb2", "a1", "b2" }, { "xx1", "a3" } },
	{ "a,b", { "a,b" }, { "a", "b" } },
	{ "[id].tsx", { "[id].tsx" }, { "i.tsx" } },
	{ "a\\*", { "a\\", "a\\x" }, { "a*" } },
	{ "{a}", { "a" }, { "{a}" } },
};

test(patterns_fit_what_they_say_and_nothing_else)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_ok(dt_glob_check(dt_str(rows[i].glob), NULL));
		for (int j = 0; j < 6 && rows[i].yes[j]; j++)
			assert_fits(rows[i].glob, rows[i].yes[j], true);
		for (int j = 0; j < 6 && rows[i].no[j]; j++)
			assert_fits(rows[i].glob, rows[i].no[j], false);
	}
}

test(what_is_no_pattern_is_refused_and_fits_nothing)
{
	static const char *const wrong[] = { "", "{a", "a}", "{a,{b}", "}{" };
	char longest[DT_GLOB_MAX + 2];
	struct dt_str text = { longest, DT_GLOB_MAX };

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct dt_fail fail = { 0 };

		assert_int_equal(dt_glob_check(dt_str(wrong[i]), &fail),
		                 DT_E_ARGS);
		assert_string_not_equal(fail.msg, "");
		assert_fits(wrong[i], wrong[i], false);
	}
	memset(longest, 'a', sizeof(longest));
	assert_true(dt_glob_matches(text, text));
	text.len++;
	assert_int_equal(dt_glob_check(text, NULL), DT_E_ARGS);
	assert_false(dt_glob_matches(text, text));
}

test(patterns_of_every_length_fit)
{
	char glob[DT_GLOB_MAX + 1];
	char path[DT_GLOB_MAX + 1];

	memset(glob, 'a', sizeof(glob));
	memset(path, 'a', sizeof(path));
	for (size_t n = 0; n + 5 <= DT_GLOB_MAX; n++) {
		(void)snprintf(glob + n, sizeof(glob) - n, "{*b}c");
		(void)snprintf(path + n, sizeof(path) - n, "xbc");
		assert_fits(glob, path, true);
		(void)snprintf(path + n, sizeof(path) - n, "x/bc");
		assert_fits(glob, path, false);
		(void)snprintf(path + n, sizeof(path) - n, "xc");
		assert_fits(glob, path, false);
		memset(glob + n, 'a', sizeof(glob) - n);
		memset(path + n, 'a', sizeof(path) - n);
	}
}

/* One that goes back to try again would not end within a life. */
test(no_pattern_takes_long)
{
	char glob[DT_GLOB_MAX];
	char path[4096];
	size_t len = 0;

	while (len + 9 < sizeof(glob))
		len += (size_t)snprintf(glob + len, sizeof(glob) - len,
		                        "**/*a{*,}");
	memset(path, 'a', sizeof(path));
	for (size_t i = 7; i < sizeof(path); i += 8)
		path[i] = '/';
	path[sizeof(path) - 1] = '/';
	assert_false(dt_glob_matches((struct dt_str){ glob, len },
	                             (struct dt_str){ path, sizeof(path) }));
}

test(a_pattern_that_fits_no_file_is_refused_where_files_are_meant)
{
	static const char *const wrong[] = { "a/", "./a", "../a", "~/a", "~",
		                             "",   "{",   "/",    "a**/" };
	static const char *const right[] = { "a",    "a/b", "/a/b", "**/a",
		                             ".a/b", "a~",  "..a/b" };

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		if (!dt_glob_check_path(dt_str(wrong[i]), NULL))
			fail_msg("%s passed", wrong[i]);
	}
	for (size_t i = 0; i < sizeof(right) / sizeof(right[0]); i++)
		assert_ok(dt_glob_check_path(dt_str(right[i]), NULL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(patterns_fit_what_they_say_and_nothing_else),
		cmocka_unit_test(
			what_is_no_pattern_is_refused_and_fits_nothing),
		cmocka_unit_test(patterns_of_every_length_fit),
		cmocka_unit_test(no_pattern_takes_long),
		cmocka_unit_test(
			a_pattern_that_fits_no_file_is_refused_where_files_are_meant),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
