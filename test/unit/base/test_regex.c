/* test/unit/base/test_regex.c - what is found and replaced, and that nothing
 * runs for ever. */
#include "base/regex.h"

#include "base/limits.h"
#include "unit.h"

static void replaces(const char *pattern, unsigned flags, const char *text,
                     const char *by, const char *expected, uint32_t count)
{
	struct dt_regex *regex;
	struct dt_fail fail = { 0 };
	struct dt_buf out;
	uint32_t found;

	dt_buf_init(&out, DT_MIB);
	assert_ok(dt_regex_new(dt_str(pattern), flags, &regex, NULL));
	if (dt_regex_replace(regex, dt_str(text), dt_str(by), &out, &found,
	                     &fail))
		fail_msg("%s", fail.msg);
	assert_string_equal(dt_buf_z(&out), expected);
	assert_int_equal(found, count);
	dt_regex_free(regex);
	dt_buf_done(&out);
}

test(every_match_is_replaced)
{
	replaces("(o)(n)", 0, "one on\n", "$2$1", "noe no\n", 2);
	replaces("^a$", 0, "a\r\nb\na", "x", "x\r\nb\nx", 2);
	replaces("(?<w>\\w+)!", 0, "\xc3\xa4h! oh!", "${w}.", "\xc3\xa4h. oh.",
	         2);
	replaces("x*", 0, "ab", "-", "-a-b-", 3);
	replaces("a", 0, "bbb", "x", "bbb", 0);
}

test(a_literal_means_itself)
{
	replaces("a.b(", DT_REGEX_LITERAL, "a.b( axb(", "$1", "$1 axb(", 1);
	replaces("\xc3\xa4", DT_REGEX_LITERAL | DT_REGEX_NOCASE,
	         "\xc3\x84 \xc3\xa4", "a", "a a", 2);
}

test(what_grows_finds_room)
{
	struct dt_buf expected;

	dt_buf_init(&expected, DT_MIB);
	for (unsigned i = 0; i < 100; i++)
		dt_buf_add_z(&expected, "0123456789012345678901234567890123456"
		                        "78901234567890123456789012345678901234"
		                        "567890123456789");
	replaces(
		"a", 0,
		"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
		"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
		"01234567890123456789012345678901234567890123456789012345678901"
		"2345678901234567890123456789",
		dt_buf_z(&expected), 100);
	dt_buf_done(&expected);
}

static void refuses(const char *pattern, const char *sentence)
{
	struct dt_regex *regex;
	struct dt_fail fail = { 0 };

	assert_int_equal(dt_regex_new(dt_str(pattern), 0, &regex, &fail),
	                 DT_E_ARGS);
	assert_non_null(strstr(fail.msg, sentence));
}

test(what_is_no_pattern_is_refused_with_its_place)
{
	refuses("", "1 to 8192 bytes");
	refuses("a(b", "wrong at character 4: missing closing parenthesis");
	refuses("\\C", "wrong at character");
}

test(a_replacement_that_names_nothing_is_refused)
{
	struct dt_regex *regex;
	struct dt_fail fail = { 0 };
	struct dt_buf out;
	uint32_t count;

	dt_buf_init(&out, DT_KIB);
	assert_ok(dt_regex_new(DT_STR("a"), 0, &regex, NULL));
	assert_int_equal(dt_regex_replace(regex, DT_STR("a"), DT_STR("$7"),
	                                  &out, &count, &fail),
	                 DT_E_ARGS);
	dt_regex_free(regex);
	dt_buf_done(&out);
}

test(no_search_runs_for_ever)
{
	struct dt_regex_match match;
	struct dt_regex *regex;
	struct dt_fail fail = { 0 };

	assert_ok(dt_regex_new(DT_STR("(a+)+b\\1"), 0, &regex, NULL));
	assert_int_equal(
		dt_regex_find(regex,
	                      DT_STR("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	                             "bc"),
	                      0, &match, &fail),
		DT_E_LIMIT);
	dt_regex_free(regex);
}

test(matches_are_found_one_after_the_other)
{
	struct dt_regex_match match;
	struct dt_regex *regex;

	assert_ok(dt_regex_new(DT_STR("b+"), 0, &regex, NULL));
	assert_ok(dt_regex_find(regex, DT_STR("abba b"), 0, &match, NULL));
	assert_int_equal(match.start, 1);
	assert_int_equal(match.end, 3);
	assert_ok(dt_regex_find(regex, DT_STR("abba b"), 3, &match, NULL));
	assert_int_equal(match.start, 5);
	assert_int_equal(
		dt_regex_find(regex, DT_STR("abba b"), 6, &match, NULL),
		DT_E_MISSING);
	dt_regex_free(regex);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_match_is_replaced),
		cmocka_unit_test(a_literal_means_itself),
		cmocka_unit_test(what_grows_finds_room),
		cmocka_unit_test(what_is_no_pattern_is_refused_with_its_place),
		cmocka_unit_test(a_replacement_that_names_nothing_is_refused),
		cmocka_unit_test(no_search_runs_for_ever),
		cmocka_unit_test(matches_are_found_one_after_the_other),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
