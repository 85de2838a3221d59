#include "unit.h"

#include "base/hunk.h"
#include "base/limits.h"

#include <stdio.h>

static struct dt_hunks hunks;
static struct dt_buf out;

static int start(void **state)
{
	(void)state;
	dt_buf_init(&out, DT_MIB);
	return 0;
}

static int end(void **state)
{
	(void)state;
	dt_hunks_done(&hunks);
	dt_buf_done(&out);
	return 0;
}

static void open_hunks(const char *old, const char *fresh, size_t count)
{
	dt_hunks_done(&hunks);
	dt_hunks_init(&hunks, dt_str(old), dt_str(fresh), NULL);
	assert_int_equal(hunks.count, count);
}

/* What comes out when those whose bit is set are taken. */
static const char *taken(unsigned bits)
{
	for (size_t i = 0; i < hunks.count; i++)
		hunks.ptr[i].is_taken = bits >> i & 1;
	dt_buf_clear(&out);
	dt_hunks_apply(&hunks, &out);
	return dt_buf_z(&out);
}

static void add_line(char mark, struct dt_str line, void *owner)
{
	dt_buf_addf(owner, "%c%.*s", mark, DT_STR_ARG(line));
}

static const char *shown(size_t n, struct dt_edit *range)
{
	dt_buf_clear(&out);
	dt_hunks_show(&hunks, n, range, add_line, &out);
	return dt_buf_z(&out);
}

#define OLD "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n"
#define NEW "1\nII\n3\n4\n5\n6\n7\n8\n9\nX\n11\n"

test(each_hunk_is_taken_or_left)
{
	open_hunks(OLD, NEW, 2);
	assert_string_equal(taken(0), OLD);
	assert_string_equal(taken(3), NEW);
	assert_string_equal(taken(1), "1\nII\n3\n4\n5\n6\n7\n8\n9\n10\n");
	assert_string_equal(taken(2), "1\n2\n3\n4\n5\n6\n7\n8\n9\nX\n11\n");
}

test(near_edits_are_one_hunk_until_it_is_split)
{
	open_hunks("a\nb\nc\nd\n", "A\nb\nC\nd\n", 1);
	assert_string_equal(shown(0, NULL), "-a\n+A\n b\n-c\n+C\n d\n");
	assert_true(dt_hunks_split(&hunks, 0));
	assert_int_equal(hunks.count, 2);
	assert_false(dt_hunks_split(&hunks, 0));
	assert_string_equal(taken(1), "A\nb\nc\nd\n");
	assert_string_equal(taken(2), "a\nb\nC\nd\n");
	/* What the other one does is not shown as common. */
	assert_string_equal(shown(0, NULL), "-a\n+A\n b\n");
	assert_string_equal(shown(1, NULL), " b\n-c\n+C\n d\n");
}

test(splitting_keeps_the_hunks_behind)
{
	open_hunks("a\nb\nc\n1\n2\n3\n4\n5\n6\n7\nz\n",
	           "A\nb\nC\n1\n2\n3\n4\n5\n6\n7\nZ\n", 2);
	hunks.ptr[1].is_taken = true;
	assert_true(dt_hunks_split(&hunks, 0));
	assert_int_equal(hunks.count, 3);
	assert_true(hunks.ptr[2].is_taken);
	assert_string_equal(shown(2, NULL), " 5\n 6\n 7\n-z\n+Z\n");
}

test(a_hunk_is_shown_with_three_lines_around)
{
	struct dt_edit range;

	open_hunks(OLD, NEW, 2);
	assert_string_equal(shown(0, &range), " 1\n-2\n+II\n 3\n 4\n 5\n");
	assert_int_equal(range.old_first, 0);
	assert_int_equal(range.old_count, 5);
	assert_int_equal(range.new_count, 5);
	assert_string_equal(shown(1, &range), " 7\n 8\n 9\n-10\n+X\n+11\n");
	assert_int_equal(range.old_first, 6);
	assert_int_equal(range.old_count, 4);
	assert_int_equal(range.new_first, 6);
	assert_int_equal(range.new_count, 5);
}

test(bytes_stay_as_they_are)
{
	open_hunks("a\r\nb\nc\r\nlast", "a\r\nB\nc\r\nlast", 1);
	assert_string_equal(taken(0), "a\r\nb\nc\r\nlast");
	assert_string_equal(taken(1), "a\r\nB\nc\r\nlast");
	open_hunks("x\xff\n1\n2\n3\n4\n5\n6\n7\ny\n",
	           "x\xff\n1\n2\n3\n4\n5\n6\n7\nY\xfe", 1);
	assert_string_equal(taken(1), "x\xff\n1\n2\n3\n4\n5\n6\n7\nY\xfe");
	/* A line with CR is another line. */
	open_hunks("a\r\n", "a\n", 1);
	assert_string_equal(taken(1), "a\n");
}

test(a_new_file_is_one_hunk)
{
	dt_hunks_init(&hunks, (struct dt_str){ 0 }, DT_STR("a\nb"), NULL);
	assert_int_equal(hunks.count, 1);
	assert_string_equal(taken(0), "");
	assert_string_equal(taken(1), "a\nb");
}

test(equal_texts_have_no_hunk)
{
	open_hunks(OLD, OLD, 0);
	assert_string_equal(taken(0), OLD);
}

test(a_text_of_its_own_replaces_the_new_lines)
{
	open_hunks(OLD, NEW, 2);
	dt_hunks_text(&hunks, 1, &out);
	assert_string_equal(dt_buf_z(&out), "X\n11\n");
	hunks.ptr[0].text = DT_STR("zwei"); /* the break was lost */
	assert_string_equal(taken(1), "1\nzwei\n3\n4\n5\n6\n7\n8\n9\n10\n");
	hunks.ptr[0].text = DT_STR("");
	assert_string_equal(taken(1), "1\n3\n4\n5\n6\n7\n8\n9\n10\n");
	hunks.ptr[1].text = DT_STR("end"); /* the last line may have none */
	assert_string_equal(taken(2), "1\n2\n3\n4\n5\n6\n7\n8\n9\nend");
	open_hunks("a\r\nb\r\n", "A\r\nb\r\n", 1);
	hunks.ptr[0].text = DT_STR("x");
	assert_string_equal(taken(1), "x\r\nb\r\n");
}

/* Each of the hunks taken or left, split or not: no line is lost or glued. */
test(every_choice_is_made_of_whole_lines)
{
	static const char *const texts[] = {
		"",
		"a",
		"a\n",
		"a\nb",
		"b\na\n",
		"a\nb\nc\nd\ne\nf\ng\nh\ni",
		"a\nB\nc\nd\ne\nf\ng\nh\ni\n",
		"i\nh\ng\na\nb\nc\nd",
	};
	const size_t count = sizeof(texts) / sizeof(texts[0]);

	for (size_t i = 0; i < count * count; i++) {
		struct dt_arena arena = { 0 };
		struct dt_lines lines;

		dt_hunks_done(&hunks);
		dt_hunks_init(&hunks, dt_str(texts[i / count]),
		              dt_str(texts[i % count]), NULL);
		for (size_t n = 0; n < hunks.count; n++)
			dt_hunks_split(&hunks, n);
		assert_string_equal(taken(0), texts[i / count]);
		assert_string_equal(taken(~0u), texts[i % count]);
		for (unsigned bits = 0; bits < 1u << hunks.count; bits++) {
			lines = dt_lines_split(&arena, dt_str(taken(bits)));
			for (size_t n = 0; n < lines.count; n++)
				assert_true(lines.ptr[n].len <= 2);
		}
		dt_arena_done(&arena);
	}
}

int main(void)
{
#define HUNK_TEST(name) cmocka_unit_test_setup_teardown(name, start, end)
	const struct CMUnitTest tests[] = {
		HUNK_TEST(each_hunk_is_taken_or_left),
		HUNK_TEST(near_edits_are_one_hunk_until_it_is_split),
		HUNK_TEST(splitting_keeps_the_hunks_behind),
		HUNK_TEST(a_hunk_is_shown_with_three_lines_around),
		HUNK_TEST(bytes_stay_as_they_are),
		HUNK_TEST(a_new_file_is_one_hunk),
		HUNK_TEST(equal_texts_have_no_hunk),
		HUNK_TEST(a_text_of_its_own_replaces_the_new_lines),
		HUNK_TEST(every_choice_is_made_of_whole_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
