#include "unit.h"

#include "base/buf.h"
#include "base/limits.h"
#include "review/lines.h"

#include <stdio.h>

static uint32_t changed(const char *before, const char *after)
{
	uint32_t there = dt_lines_changed(dt_str(before), dt_str(after));

	/* The way back is as long. */
	assert_int_equal(dt_lines_changed(dt_str(after), dt_str(before)),
	                 there);
	return there;
}

test(lines_removed_and_lines_added_are_counted)
{
	assert_int_equal(changed("a\nb\nc\n", "a\nb\nc\n"), 0);
	assert_int_equal(changed("a\nb\nc\n", "a\nB\nc\n"), 2);
	assert_int_equal(changed("a\nb\nc\n", "a\nc\n"), 1);
	assert_int_equal(changed("a\nb\nc\n", "x\na\nb\nc\ny\n"), 2);
	assert_int_equal(changed("a\nb\nc\n", "c\nb\na\n"), 4);
	assert_int_equal(changed("a\nb\nc\n", "b\nc\na\n"), 2);
	assert_int_equal(changed("a\na\n", "a\na\na\n"), 1);
	assert_int_equal(changed("ab\nb\n", "b\nb\n"), 2);
	assert_int_equal(changed("x\nb\n", "yx\nb\n"), 2);
	assert_int_equal(changed("\n\n", "\n"), 1);
}

test(a_missing_newline_at_the_end_is_a_change)
{
	assert_int_equal(changed("a\nb\n", "a\nb"), 2);
	assert_int_equal(changed("a", "a\n"), 2);
	assert_int_equal(changed("a\r\nb\r\n", "a\nb\n"), 4);
}

test(a_file_that_comes_or_goes_counts_whole)
{
	assert_int_equal(
		dt_lines_changed((struct dt_str){ 0 }, DT_STR("a\nb\nc")), 3);
	assert_int_equal(
		dt_lines_changed(DT_STR("a\nb\n"), (struct dt_str){ 0 }), 2);
	assert_int_equal(changed("", ""), 0);
	assert_int_equal(changed("", "\n"), 1);
}

/* Lines removed and added where the most lines stay, by the book. */
static uint32_t by_the_book(const char *a, const char *b)
{
	size_t kept[16][16] = { 0 };
	size_t n = strlen(a);
	size_t m = strlen(b);

	for (size_t i = 2; i <= n; i += 2) {
		for (size_t j = 2; j <= m; j += 2) {
			size_t *k = &kept[i / 2][j / 2];
			size_t left = kept[i / 2 - 1][j / 2];
			size_t up = kept[i / 2][j / 2 - 1];

			*k = left > up ? left : up;
			if (a[i - 2] == b[j - 2])
				*k = kept[i / 2 - 1][j / 2 - 1] + 1;
		}
	}
	return (uint32_t)(n / 2 + m / 2 - 2 * kept[n / 2][m / 2]);
}

/* Up to 15 lines of one letter out of three. */
static void shuffle(uint32_t *seed, char out[32])
{
	size_t len = 0;

	*seed = *seed * 1664525u + 1013904223u;
	for (size_t count = *seed >> 28; count > 0; count--) {
		*seed = *seed * 1664525u + 1013904223u;
		out[len++] = (char)('a' + (*seed >> 16) % 3);
		out[len++] = '\n';
	}
	out[len] = '\0';
}

test(no_shorter_way_is_missed)
{
	uint32_t seed = 1;

	for (int i = 0; i < 5000; i++) {
		char a[32];
		char b[32];

		shuffle(&seed, a);
		shuffle(&seed, b);
		assert_int_equal(changed(a, b), by_the_book(a, b));
	}
}

static void fill(struct dt_buf *buf, int from, int to, int step)
{
	dt_buf_init(buf, 64u * DT_MIB);
	for (int i = from; i < to; i += step)
		dt_buf_addf(buf, "line %d\n", i);
}

test(moved_lines_are_not_lost)
{
	struct dt_buf forth;
	struct dt_buf back;

	fill(&forth, 0, 1000, 1);
	dt_buf_init(&back, DT_MIB);
	for (int i = 999; i >= 0; i--)
		dt_buf_addf(&back, "line %d\n", i);
	assert_int_equal(
		dt_lines_changed(dt_buf_str(&forth), dt_buf_str(&back)), 1998);
	dt_buf_done(&forth);
	dt_buf_done(&back);
}

test(scattered_changes_of_a_large_file_are_counted_exactly)
{
	struct dt_buf all;
	struct dt_buf odd;

	fill(&all, 0, 3000, 1);
	fill(&odd, 1, 3000, 2);
	assert_int_equal(dt_lines_changed(dt_buf_str(&all), dt_buf_str(&odd)),
	                 1500);
	dt_buf_done(&all);
	dt_buf_done(&odd);
}

test(what_takes_too_long_counts_too_high_and_never_too_low)
{
	struct dt_buf all;
	struct dt_buf odd;

	fill(&all, 0, 90000, 1);
	fill(&odd, 1, 90000, 2);
	assert_in_range(dt_lines_changed(dt_buf_str(&all), dt_buf_str(&odd)),
	                45000, 90000 + 45000);
	dt_buf_done(&all);
	dt_buf_done(&odd);
	fill(&all, 0, 2000000, 1);
	fill(&odd, 1, 2000000, 2);
	assert_in_range(dt_lines_changed(dt_buf_str(&all), dt_buf_str(&odd)),
	                1000000, 3000000);
	dt_buf_done(&all);
	dt_buf_done(&odd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_removed_and_lines_added_are_counted),
		cmocka_unit_test(a_missing_newline_at_the_end_is_a_change),
		cmocka_unit_test(a_file_that_comes_or_goes_counts_whole),
		cmocka_unit_test(no_shorter_way_is_missed),
		cmocka_unit_test(moved_lines_are_not_lost),
		cmocka_unit_test(
			scattered_changes_of_a_large_file_are_counted_exactly),
		cmocka_unit_test(
			what_takes_too_long_counts_too_high_and_never_too_low),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
