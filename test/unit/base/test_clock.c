/* Time: it goes forward, and it is written one way. */
#include "unit.h"

#include "base/clock.h"

#include <string.h>
#include <time.h>

test(monotonic_time_never_goes_back)
{
	uint64_t last = dt_clock_ns();
	uint64_t ms = dt_clock_ms();

	for (int i = 0; i < 10000; i++) {
		uint64_t now = dt_clock_ns();

		assert_true(now >= last);
		last = now;
	}
	assert_true(dt_clock_ms() >= ms);
	/* Both read the same clock. */
	assert_true(dt_clock_ms() - last / 1000000 < 10000);
}

test(wall_time_is_that_of_the_system)
{
	int64_t before = (int64_t)time(NULL) * 1000;
	int64_t now = dt_clock_wall_ms();

	/* time() may lag behind by a tick. */
	assert_true(now >= before);
	assert_true(now - before < 60000);
}

static void assert_format(int64_t wall_ms, const char *expected)
{
	char out[DT_CLOCK_TEXT];

	memset(out, 'x', sizeof(out));
	dt_clock_format(wall_ms, out);
	assert_string_equal(out, expected);
}

test(times_are_written_in_utc_with_milliseconds)
{
	assert_format(0, "1970-01-01T00:00:00.000Z");
	assert_format(1, "1970-01-01T00:00:00.001Z");
	assert_format(951782400000, "2000-02-29T00:00:00.000Z");
	assert_format(1794708097123, "2026-11-15T02:01:37.123Z");
	assert_format(4102444799999, "2099-12-31T23:59:59.999Z");
}

test(times_before_1970_round_down)
{
	assert_format(-1, "1969-12-31T23:59:59.999Z");
	assert_format(-1000, "1969-12-31T23:59:59.000Z");
	assert_format(-1001, "1969-12-31T23:59:58.999Z");
}

test(years_that_do_not_fit_are_clamped)
{
	assert_format(INT64_MAX, "9999-12-31T23:59:59.999Z");
	assert_format(INT64_MIN, "1000-01-01T00:00:00.000Z");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(monotonic_time_never_goes_back),
		cmocka_unit_test(wall_time_is_that_of_the_system),
		cmocka_unit_test(times_are_written_in_utc_with_milliseconds),
		cmocka_unit_test(times_before_1970_round_down),
		cmocka_unit_test(years_that_do_not_fit_are_clamped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
