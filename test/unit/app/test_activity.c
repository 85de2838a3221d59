/* test/unit/app/test_activity.c - twin of src/app/activity.c; asking for it is
 * in test/suites/cli.py */
#include "app/activity.h"

#include "unit.h"

#include <stdlib.h>
#include <time.h>

static int use_utc(void **state)
{
	(void)state;
	setenv("TZ", "UTC", 1);
	tzset();
	return 0;
}

test(a_time_has_a_unit_people_read)
{
	struct dt_arena arena = { 0 };

	assert_string_equal(dt_activity_took(&arena, 0), "0 us");
	assert_string_equal(dt_activity_took(&arena, 999), "999 us");
	assert_string_equal(dt_activity_took(&arena, 1250), "1.2 ms");
	assert_string_equal(dt_activity_took(&arena, 3400000), "3.4 s");
	dt_arena_done(&arena);
}

test(a_call_is_one_line)
{
	struct dt_activity_line line = {
		.at_ms = 1794721981773,
		.kind = "call",
		.what = "openFile",
		.status = "failed",
		.agent = "claude-code",
		.took_us = 1250,
		.message = "no\nsuch \033file",
	};
	struct dt_arena arena = { 0 };

	assert_string_equal(
		dt_activity_text(&arena, &line, false),
		"05:53:01  failed     openFile              claude-code  "
		"1.2 ms  no<U+000A>such <U+001B>file");
	assert_string_equal(
		dt_activity_text(&arena, &line, true) + 0,
		dt_arena_printf(&arena, "2026-11-15 %s",
	                        dt_activity_text(&arena, &line, false)));
	dt_arena_done(&arena);
}

test(another_event_is_shorter)
{
	struct dt_activity_line line = {
		.at_ms = 1794721981773,
		.kind = "daemon",
		.what = "started",
	};
	struct dt_arena arena = { 0 };

	assert_string_equal(dt_activity_text(&arena, &line, false),
	                    "05:53:01  daemon     started             ");
	dt_arena_done(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_time_has_a_unit_people_read),
		cmocka_unit_test(a_call_is_one_line),
		cmocka_unit_test(another_event_is_shorter),
	};

	return cmocka_run_group_tests(tests, use_utc, NULL);
}
