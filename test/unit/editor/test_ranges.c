/*
 * test/unit/editor/test_ranges.c - edits by place held against doing them one by
 * one from the end, and each way to be refused.
 */
#include "editor/ranges.h"

#include "base/limits.h"
#include "editor/text.h"
#include "unit.h"

#include <stdlib.h>

#define AT(l, c, l2, c2, what)                                                 \
	{                                                                      \
		.range = { { (l), (c) }, { (l2), (c2) } },                     \
		.text = DT_STR(what)                                           \
	}

static void becomes(struct dt_str text, struct dt_range_edit *edits,
                    size_t count, struct dt_str expected)
{
	struct dt_items items = { edits, count };
	struct dt_fail fail = { 0 };
	struct dt_buf out;

	dt_buf_init(&out, DT_MIB);
	if (dt_ranges_apply(&items, text, &out, &fail))
		fail_msg("%s", fail.msg);
	assert_int_equal(out.len, expected.len);
	assert_memory_equal(dt_buf_z(&out), expected.ptr, expected.len);
	dt_buf_done(&out);
}

static void refuses(const char *text, struct dt_range_edit *edits, size_t count,
                    const char *sentence)
{
	struct dt_items items = { edits, count };
	struct dt_fail fail = { 0 };
	struct dt_buf out;

	dt_buf_init(&out, DT_MIB);
	assert_int_equal(dt_ranges_apply(&items, dt_str(text), &out, &fail),
	                 DT_E_ARGS);
	assert_string_equal(fail.msg, sentence);
	dt_buf_done(&out);
}

test(text_is_inserted_replaced_and_deleted_in_any_order)
{
	struct dt_range_edit edits[] = {
		AT(2, 0, 2, 5, "3"),
		AT(0, 0, 0, 0, "zero\n"),
		AT(0, 3, 1, 3, ""),
	};

	becomes(DT_STR("one\ntwo\nthree\n"), edits, 3,
	        DT_STR("zero\none\n3\n"));
}

test(what_stands_at_one_place_comes_in_the_order_of_the_list)
{
	struct dt_range_edit edits[] = {
		AT(0, 1, 0, 2, "R"),
		AT(0, 1, 0, 1, "1"),
		AT(0, 1, 0, 1, "2"),
		AT(0, 2, 0, 2, "E"),
	};

	becomes(DT_STR("abc"), edits, 4, DT_STR("a12REc"));
}

test(columns_are_utf_16_units)
{
	/* U+1F600 has two units and four bytes, a umlaut one and two. */
	struct dt_range_edit edits[] = {
		AT(0, 2, 0, 3, "A"),
		AT(0, 4, 0, 4, "!"),
	};

	becomes(DT_STR("\xf0\x9f\x98\x80\xc3\xa4x"), edits, 2,
	        DT_STR("\xf0\x9f\x98\x80"
	               "Ax!"));
}

test(a_column_inside_a_character_is_its_beginning)
{
	struct dt_range_edit edits[] = { AT(0, 1, 0, 1, "!") };

	becomes(DT_STR("\xf0\x9f\x98\x80"), edits, 1,
	        DT_STR("!\xf0\x9f\x98\x80"));
}

test(line_ends_are_kept)
{
	struct dt_range_edit edits[] = {
		AT(1, 0, 1, 0, "new\nlines\n"),
		AT(1, 3, 2, 0, ""),
		AT(3, 0, 3, 0, "own\r\nends\n"),
	};

	becomes(DT_STR("one\r\ntwo\r\nthree\r\nfour"), edits, 3,
	        DT_STR("one\r\nnew\r\nlines\r\ntwothree\r\n"
	               "own\r\nends\nfour"));
	becomes(DT_STR("one\ntwo\nthree\nfour"), edits, 2,
	        DT_STR("one\nnew\nlines\ntwothree\nfour"));
}

test(a_byte_order_mark_is_no_column)
{
	struct dt_range_edit edits[] = { AT(0, 0, 0, 3, "1") };

	becomes(DT_STR("\xef\xbb\xbfone\n"), edits, 1,
	        DT_STR("\xef\xbb\xbf"
	               "1\n"));
}

test(an_empty_text_has_one_place)
{
	struct dt_range_edit edits[] = { AT(0, 0, 0, 0, "all") };

	becomes((struct dt_str){ 0 }, edits, 1, DT_STR("all"));
}

test(what_overlaps_is_refused)
{
	struct dt_range_edit edits[] = {
		AT(0, 2, 0, 4, "x"),
		AT(0, 0, 0, 3, "y"),
	};
	struct dt_range_edit twice[] = {
		AT(0, 0, 0, 3, "y"),
		AT(0, 0, 0, 3, "y"),
	};

	refuses("abcdef", edits, 2, "edits[1] and edits[0] overlap");
	refuses("abcdef", twice, 2, "edits[0] and edits[1] overlap");
}

test(what_is_not_there_is_refused)
{
	struct dt_range_edit line[] = { AT(2, 0, 2, 0, "x") };
	struct dt_range_edit column[] = { AT(1, 3, 1, 3, "x") };
	struct dt_range_edit backwards[] = { AT(1, 1, 0, 1, "x") };

	refuses("a\n\xc3\xa4\xc3\xa4", line, 1,
	        "the file has 2 lines, and no line 3");
	refuses("a\n\xc3\xa4\xc3\xa4", column, 1,
	        "line 2 has 3 columns, and no column 4");
	refuses("a\nb", backwards, 1, "edits[0] ends before it begins");
}

test(what_is_loose_ends_where_the_text_ends)
{
	struct dt_range_edit edits[] = {
		AT(0, 0, 0, 99, "A"),
		AT(1, 0, 99, 0, "B"),
	};

	edits[0].is_loose = edits[1].is_loose = true;
	becomes(DT_STR("a\nb\nc\n"), edits, 2, DT_STR("A\nB"));
}

static void lines_become(const char *text, uint32_t first, uint32_t end,
                         const char *fresh, const char *expected)
{
	struct dt_range_edit edit = {
		.range = { { first, 0 }, { end, 0 } },
		.text = dt_str(fresh),
		.is_lines = true,
	};

	becomes(dt_str(text), &edit, 1, dt_str(expected));
}

test(whole_lines_may_be_the_last)
{
	struct dt_range_edit past = {
		.range = { { 3, 0 }, { 4, 0 } },
		.is_lines = true,
	};

	lines_become("a\nb\n", 1, 2, "c\n", "a\nc\n");
	lines_become("a\nb", 1, 2, "c\n", "a\nc");
	lines_become("a\nb", 2, 2, "c\nd\n", "a\nb\nc\nd");
	lines_become("a\r\nb", 2, 2, "c\n", "a\r\nb\r\nc");
	lines_become("a\nb\n", 2, 2, "c\n", "a\nb\nc\n");
	lines_become("a\nb", 0, 1, "c\n", "c\nb");
	lines_become("a\nb", 1, 2, "", "a\n");
	refuses("a\nb", &past, 1, "the file has 2 lines, and no line 4");
}

test(a_thousand_edits_are_one_walk)
{
	static struct dt_range_edit edits[DT_LIMIT_EDITS + 1];
	struct dt_items items = { edits, DT_LIMIT_EDITS };
	struct dt_fail fail = { 0 };
	struct dt_buf text;
	struct dt_buf out;

	/* One line of 8 MiB: a walk per edit would be 16 GiB. */
	dt_buf_init(&text, 16 * DT_MIB);
	dt_buf_init(&out, 16 * DT_MIB);
	for (unsigned i = 0; i < DT_MIB; i++)
		dt_buf_add_z(&text, "\xc3\xa4 words");
	for (uint32_t i = 0; i < DT_LIMIT_EDITS; i++) {
		/* From the end; each takes one character away. */
		uint32_t at = (DT_LIMIT_EDITS - 1 - i) * 7000;

		edits[i].range = (struct dt_range){ { 0, at }, { 0, at + 1 } };
		edits[i].text = DT_STR("");
	}
	assert_ok(dt_ranges_apply(&items, dt_buf_str(&text), &out, &fail));
	assert_int_equal(out.len, text.len - 2 * DT_LIMIT_EDITS);
	assert_memory_equal(out.ptr, " words\xc3\xa4", 8);
	items.count++;
	assert_int_equal(
		dt_ranges_apply(&items, dt_buf_str(&text), &out, &fail),
		DT_E_LIMIT);
	dt_buf_done(&text);
	dt_buf_done(&out);
}

/* The same by the slow and plain way, on texts and edits made of chance. */
static void compare_by_chance(unsigned seed)
{
	static const char *const pieces[] = { "a", "\xc3\xa4", "\r\n", "\n",
		                              "\xf0\x9f\x98\x80" };
	struct dt_range_edit edits[8] = { 0 };
	struct dt_items items = { edits, 0 };
	struct dt_buf text;
	struct dt_buf out;
	struct dt_buf slow;
	size_t at;

	srandom(seed);
	dt_buf_init(&text, DT_KIB);
	dt_buf_init(&out, DT_KIB);
	dt_buf_init(&slow, DT_KIB);
	dt_buf_add_z(&text, "first\n"); /* so that LF stays LF */
	for (unsigned i = 0; i < 30; i++)
		dt_buf_add_z(&text, pieces[random() % 5]);
	at = 0;
	while (items.count < 8) {
		struct dt_range_edit *e = &edits[items.count];
		size_t from = at + random() % 4;
		size_t to = from + random() % 4;

		if (to > text.len)
			break;
		e->range.start = dt_text_to_position(dt_buf_str(&text), from);
		e->range.end = dt_text_to_position(dt_buf_str(&text), to);
		e->text = DT_STR("<>");
		/* Where that really is: no place is inside a character. */
		from = dt_text_to_byte(dt_buf_str(&text), e->range.start);
		to = dt_text_to_byte(dt_buf_str(&text), e->range.end);
		if (from < at || to < from) {
			at++;
			continue;
		}
		dt_buf_add(&slow, text.ptr + at, from - at);
		dt_buf_add_z(&slow, "<>");
		at = to;
		items.count++;
	}
	dt_buf_add(&slow, text.ptr + at, text.len - at);
	assert_ok(dt_ranges_apply(&items, dt_buf_str(&text), &out, NULL));
	assert_string_equal(dt_buf_z(&out), dt_buf_z(&slow));
	dt_buf_done(&text);
	dt_buf_done(&out);
	dt_buf_done(&slow);
}

test(it_is_what_doing_them_one_by_one_makes)
{
	for (unsigned seed = 0; seed < 2000; seed++)
		compare_by_chance(seed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			text_is_inserted_replaced_and_deleted_in_any_order),
		cmocka_unit_test(
			what_stands_at_one_place_comes_in_the_order_of_the_list),
		cmocka_unit_test(columns_are_utf_16_units),
		cmocka_unit_test(a_column_inside_a_character_is_its_beginning),
		cmocka_unit_test(line_ends_are_kept),
		cmocka_unit_test(a_byte_order_mark_is_no_column),
		cmocka_unit_test(an_empty_text_has_one_place),
		cmocka_unit_test(what_overlaps_is_refused),
		cmocka_unit_test(what_is_not_there_is_refused),
		cmocka_unit_test(what_is_loose_ends_where_the_text_ends),
		cmocka_unit_test(whole_lines_may_be_the_last),
		cmocka_unit_test(a_thousand_edits_are_one_walk),
		cmocka_unit_test(it_is_what_doing_them_one_by_one_makes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
