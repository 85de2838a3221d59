#include "unit.h"

#include "app/text.h"

#include <stdlib.h>

static struct dt_arena arena;

static int end(void **state)
{
	(void)state;
	dt_arena_done(&arena);
	return 0;
}

test(what_would_drive_a_terminal_is_shown_instead)
{
	assert_string_equal(dt_text_safe(&arena, "a\x1b[31mb"),
	                    "a<U+001B>[31mb");
	assert_string_equal(dt_text_safe(&arena, "a\r\n\tb\x7f"),
	                    "a<U+000D><U+000A><U+0009>b<U+007F>");
	/* U+009B is a control sequence introducer of its own. */
	assert_string_equal(dt_text_safe(&arena, "\xc2\x9b"
	                                         "31m"),
	                    "<U+009B>31m");
}

test(plain_text_stays)
{
	assert_string_equal(
		dt_text_safe(&arena, "gr\xc3\xbc\xc3\x9f \xe3\x80\x80"),
		"gr\xc3\xbc\xc3\x9f \xe3\x80\x80");
	assert_string_equal(dt_text_safe(&arena, ""), "");
	assert_string_equal(dt_text_safe(&arena, "\xc2"), "<0xC2>");
}

test(times_are_told_in_words)
{
	const int64_t minute = 60000;

	assert_string_equal(dt_text_ago(&arena, 0, 59999), "just now");
	assert_string_equal(dt_text_ago(&arena, 5000, 0), "just now");
	assert_string_equal(dt_text_ago(&arena, 0, 5 * minute), "5 min ago");
	assert_string_equal(dt_text_ago(&arena, 0, 150 * minute), "2 h ago");
	assert_string_equal(dt_text_ago(&arena, 0, 72 * 60 * minute),
	                    "3 days ago");
}

test(paths_are_relative_to_the_root_they_are_below)
{
	assert_string_equal(dt_text_path(&arena, "/w/src/a.c", "/w"),
	                    "src/a.c");
	assert_string_equal(dt_text_path(&arena, "/work/a.c", "/w"),
	                    "/work/a.c");
	assert_string_equal(dt_text_path(&arena, "/a.c", "/"), "a.c");
	assert_string_equal(dt_text_path(&arena, "/w", "/w"), "/w");
	assert_string_equal(dt_text_path(&arena, "/w/a.c", NULL), "/w/a.c");
	assert_string_equal(dt_text_path(&arena, "/w/\x1b.c", "/w"),
	                    "<U+001B>.c");
}

test(one_is_singular)
{
	assert_string_equal(dt_text_count(&arena, 1, "change"), "1 change");
	assert_string_equal(dt_text_count(&arena, 2, "change"), "2 changes");
	assert_string_equal(dt_text_count(&arena, 0, "change"), "0 changes");
}

test(a_line_of_code_keeps_its_tabs_and_nothing_else_odd)
{
	assert_string_equal(
		dt_text_code(&arena, DT_STR("\tgr\xc3\xbcn \x1b[m")),
		"\tgr\xc3\xbcn <U+001B>[m");
	assert_string_equal(dt_text_code(&arena, DT_STR("caf\xe9 \0.\r")),
	                    "caf<0xE9> <U+0000>.<U+000D>");
	/* A control character of Latin-1 takes two bytes. */
	assert_string_equal(dt_text_code(&arena, DT_STR("\xc2\x9b"
	                                                "1m\xe2\x82")),
	                    "<U+009B>1m<0xE2><0x82>");
	assert_string_equal(dt_text_code(&arena, (struct dt_str){ 0 }), "");
}

test(a_line_is_plain_when_a_terminal_obeys_nothing_in_it)
{
	static const struct dt_str odd[] = {
		DT_STR("\x1b[8mhidden\n"), DT_STR("a\rb\n"),
		DT_STR("a\0b\n"),          DT_STR("\x7f"),
		DT_STR("\r\r\n"),          DT_STR("a\nb\n"),
		DT_STR("\xc2\x9b"),        DT_STR("\xe2\x80\xae"),
	};

	for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++)
		assert_false(dt_text_is_plain(odd[i]));
	assert_true(dt_text_is_plain(DT_STR("\tgr\xc3\xbcn\r\n")));
	assert_false(dt_text_is_plain(DT_STR("\xc2\xa0")));
	assert_false(dt_text_is_plain(DT_STR("\xc2")));
	assert_true(dt_text_is_plain(DT_STR("\n")));
	assert_true(dt_text_is_plain((struct dt_str){ 0 }));
}

test(an_end_has_its_date_when_it_is_on_another_day)
{
	int64_t noon = 1794657600000; /* 2026-11-14, 12:00 UTC */

	setenv("TZ", "UTC", 1);
	assert_string_equal(dt_text_until(&arena, noon + 3600000, noon),
	                    "until 13:00");
	assert_string_equal(dt_text_until(&arena, noon + 86400000, noon),
	                    "until 2026-11-15 12:00");
	assert_string_equal(
		dt_text_until(&arena, noon + 365 * 86400000LL, noon),
		"until 2027-11-14 12:00");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(
			what_would_drive_a_terminal_is_shown_instead, end),
		cmocka_unit_test_teardown(plain_text_stays, end),
		cmocka_unit_test_teardown(times_are_told_in_words, end),
		cmocka_unit_test_teardown(
			paths_are_relative_to_the_root_they_are_below, end),
		cmocka_unit_test_teardown(one_is_singular, end),
		cmocka_unit_test_teardown(
			a_line_of_code_keeps_its_tabs_and_nothing_else_odd,
			end),
		cmocka_unit_test(
			a_line_is_plain_when_a_terminal_obeys_nothing_in_it),
		cmocka_unit_test_teardown(
			an_end_has_its_date_when_it_is_on_another_day, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
