#include "unit.h"

#include "base/buf.h"
#include "base/clock.h"
#include "base/limits.h"
#include "base/linediff.h"

#include <stdio.h>
#include <stdlib.h>

static struct dt_arena arena;

static int end(void **state)
{
	(void)state;
	dt_arena_done(&arena);
	return 0;
}

static struct dt_edits diff(const char *old, const char *fresh)
{
	return dt_lines_diff(&arena, dt_lines_split(&arena, dt_str(old)),
	                     dt_lines_split(&arena, dt_str(fresh)), NULL);
}

static void assert_edit(struct dt_edit e, size_t old_first, size_t old_count,
                        size_t new_first, size_t new_count)
{
	assert_int_equal(e.old_first, old_first);
	assert_int_equal(e.old_count, old_count);
	assert_int_equal(e.new_first, new_first);
	assert_int_equal(e.new_count, new_count);
}

test(lines_keep_their_breaks)
{
	struct dt_lines lines =
		dt_lines_split(&arena, DT_STR("a\r\n\n\xff\0b\nend"));

	assert_int_equal(lines.count, 4);
	assert_str(lines.ptr[0], "a\r\n");
	assert_str(lines.ptr[1], "\n");
	assert_str(lines.ptr[2], "\xff\0b\n");
	assert_str(lines.ptr[3], "end");
	assert_int_equal(dt_lines_split(&arena, DT_STR("")).count, 0);
	assert_int_equal(dt_lines_split(&arena, (struct dt_str){ 0 }).count, 0);
}

test(equal_texts_have_no_edits)
{
	assert_int_equal(diff("", "").count, 0);
	assert_int_equal(diff("a\nb\n", "a\nb\n").count, 0);
}

test(a_changed_line_is_one_edit)
{
	struct dt_edits edits = diff("a\nb\nc\n", "a\nB\nc\n");

	assert_int_equal(edits.count, 1);
	assert_edit(edits.ptr[0], 1, 1, 1, 1);
}

test(what_both_begin_and_end_with_counts)
{
	struct dt_edits edits =
		diff("a\nb\nx\nc\ny\nd\ne\n", "a\nb\nc\nz\nd\ne\n");

	assert_int_equal(edits.count, 2);
	assert_edit(edits.ptr[0], 2, 1, 2, 0);
	assert_edit(edits.ptr[1], 4, 1, 3, 1);
	/* The beginning and the end would be the same lines. */
	edits = diff("a\na\n", "a\na\na\n");
	assert_int_equal(edits.count, 1);
	assert_edit(edits.ptr[0], 2, 0, 2, 1);
	edits = diff("a\na\na\n", "a\n");
	assert_int_equal(edits.count, 1);
	assert_edit(edits.ptr[0], 1, 2, 1, 0);
}

test(everything_comes_and_everything_goes)
{
	struct dt_edits edits = diff("", "a\nb\n");

	assert_int_equal(edits.count, 1);
	assert_edit(edits.ptr[0], 0, 0, 0, 2);
	edits = diff("a\nb\n", "");
	assert_int_equal(edits.count, 1);
	assert_edit(edits.ptr[0], 0, 2, 0, 0);
}

test(a_lost_last_break_is_a_change_of_that_line)
{
	struct dt_edits edits = diff("a\nb\n", "a\nb");

	assert_int_equal(edits.count, 1);
	assert_edit(edits.ptr[0], 1, 1, 1, 1);
}

test(what_could_be_anywhere_is_taken_last)
{
	struct dt_edits edits =
		diff("f {\n}\n\ng {\n}\n", "f {\n}\n\nh {\n}\n\ng {\n}\n");

	assert_int_equal(edits.count, 1);
	assert_edit(edits.ptr[0], 3, 0, 3, 3);
}

/* Random texts of few different lines, against the plain table. */

#define LINES_MAX 24

static unsigned seed = 7;

static unsigned random_below(unsigned n)
{
	seed = seed * 1103515245u + 12345u;
	return (seed >> 16) % n;
}

static struct dt_lines random_lines(unsigned kinds)
{
	size_t count = random_below(LINES_MAX);
	char *text = dt_arena_bytes(&arena, 2 * LINES_MAX);

	for (size_t i = 0; i < count; i++) {
		text[2 * i] = (char)('a' + random_below(kinds));
		text[2 * i + 1] = '\n';
	}
	return dt_lines_split(&arena, (struct dt_str){ text, 2 * count });
}

/* How many lines the longest common subsequence has. */
static size_t common_lines(struct dt_lines a, struct dt_lines b)
{
	size_t table[LINES_MAX + 1][LINES_MAX + 1] = { 0 };

	for (size_t i = 1; i <= a.count; i++) {
		for (size_t j = 1; j <= b.count; j++) {
			size_t best = table[i - 1][j] > table[i][j - 1]
			                      ? table[i - 1][j]
			                      : table[i][j - 1];

			table[i][j] = dt_str_eq(a.ptr[i - 1], b.ptr[j - 1])
			                      ? table[i - 1][j - 1] + 1
			                      : best;
		}
	}
	return table[a.count][b.count];
}

/* What is between edits is the same; returns how many lines that are. */
static size_t check_common(struct dt_lines a, struct dt_lines b,
                           struct dt_edits edits)
{
	size_t common = 0;
	size_t i = 0;
	size_t j = 0;

	for (size_t n = 0; n <= edits.count; n++) {
		size_t stop =
			n < edits.count ? edits.ptr[n].old_first : a.count;

		assert_true(n == 0 || n == edits.count || stop > i);
		for (; i < stop; i++, j++, common++)
			assert_true(dt_str_eq(a.ptr[i], b.ptr[j]));
		if (n == edits.count)
			break;
		assert_int_equal(edits.ptr[n].new_first, j);
		i += edits.ptr[n].old_count;
		j += edits.ptr[n].new_count;
	}
	assert_int_equal(j, b.count);
	return common;
}

test(random_texts_have_the_shortest_difference)
{
	for (int i = 0; i < 20000; i++) {
		unsigned kinds = 1 + random_below(8);
		struct dt_lines a = random_lines(kinds);
		struct dt_lines b = random_lines(kinds);
		struct dt_edits edits = dt_lines_diff(&arena, a, b, NULL);

		assert_int_equal(check_common(a, b, edits), common_lines(a, b));
		dt_arena_done(&arena);
	}
}

/* Two texts with nothing but lines they share, all in another order.  In time
 * this is nothing; the bound is for slow machines and sanitizers, where the same
 * without a budget takes minutes. */
test(a_search_without_hope_ends_soon_and_is_right)
{
	enum { COUNT = 1000000 };
	uint64_t began;
	struct dt_lines a;
	struct dt_lines b;
	struct dt_buf old;
	struct dt_buf fresh;

	dt_buf_init(&old, 8 * DT_MIB);
	dt_buf_init(&fresh, 8 * DT_MIB);
	for (uint64_t i = 0; i < COUNT; i++) {
		dt_buf_addf(&old, "%u\n", (unsigned)(i * 7919 % COUNT));
		dt_buf_addf(&fresh, "%u\n", (unsigned)(i * 104729 % COUNT));
	}
	a = dt_lines_split(&arena, dt_buf_str(&old));
	b = dt_lines_split(&arena, dt_buf_str(&fresh));
	began = dt_clock_ms();
	check_common(a, b, dt_lines_diff(&arena, a, b, NULL));
	/* Searching on would take hours. */
	assert_true(dt_clock_ms() - began < 60000);
	dt_buf_done(&old);
	dt_buf_done(&fresh);
}

test(work_is_shared_and_what_is_not_searched_has_changed)
{
	struct dt_lines a = dt_lines_split(&arena, DT_STR("0\na\nb\nc\n1\n"));
	struct dt_lines b = dt_lines_split(&arena, DT_STR("0\nc\nb\na\n1\n"));
	struct dt_edits edits;
	size_t work = 1000;

	edits = dt_lines_diff(&arena, a, b, &work);
	assert_int_equal(check_common(a, b, edits), 3);
	assert_in_range(work, 1, 999);
	for (work = 0; work < 20; work++) {
		size_t left = work;

		edits = dt_lines_diff(&arena, a, b, &left);
		assert_true(check_common(a, b, edits) >= 2);
		assert_true(left <= work);
	}
	work = 0;
	edits = dt_lines_diff(&arena, a, b, &work);
	assert_int_equal(edits.count, 1);
	assert_int_equal(edits.ptr[0].old_first, 1);
	assert_int_equal(edits.ptr[0].old_count, 3);
	assert_int_equal(edits.ptr[0].new_count, 3);
}

int main(void)
{
#define DIFF_TEST(name) cmocka_unit_test_teardown(name, end)
	const struct CMUnitTest tests[] = {
		DIFF_TEST(lines_keep_their_breaks),
		DIFF_TEST(equal_texts_have_no_edits),
		DIFF_TEST(a_changed_line_is_one_edit),
		DIFF_TEST(what_both_begin_and_end_with_counts),
		DIFF_TEST(everything_comes_and_everything_goes),
		DIFF_TEST(a_lost_last_break_is_a_change_of_that_line),
		DIFF_TEST(what_could_be_anywhere_is_taken_last),
		DIFF_TEST(random_texts_have_the_shortest_difference),
		DIFF_TEST(a_search_without_hope_ends_soon_and_is_right),
		DIFF_TEST(work_is_shared_and_what_is_not_searched_has_changed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
