/* Buffers: nothing is added by halves, and nothing passes the limit. */
#include "unit.h"

#include "base/buf.h"

#include <stdlib.h>

test(an_empty_buffer_holds_no_memory_and_is_text)
{
	struct dt_buf buf;
	char *text;

	dt_buf_init(&buf, 10);
	assert_null(buf.ptr);
	assert_string_equal(dt_buf_z(&buf), "");
	assert_int_equal(dt_buf_str(&buf).len, 0);
	text = dt_buf_take(&buf);
	assert_string_equal(text, "");
	free(text);
	dt_buf_consume(&buf, 0);
	dt_buf_done(&buf);
}

test(everything_that_is_added_is_there_in_order)
{
	struct dt_buf buf;

	dt_buf_init(&buf, 100);
	dt_buf_add(&buf, "a\0b", 3);
	dt_buf_add(&buf, NULL, 0);
	dt_buf_add_str(&buf, DT_STR("cd"));
	dt_buf_add_z(&buf, "ef");
	dt_buf_add_char(&buf, 'g');
	dt_buf_addf(&buf, "%d%s", 12, "!");
	dt_buf_addf(&buf, "%s", "");
	assert_str(dt_buf_str(&buf), "a\0bcdefg12!");
	assert_ok(dt_buf_check(&buf, "it", NULL));
	dt_buf_done(&buf);
	assert_null(buf.ptr);
	assert_int_equal(buf.limit, 100);
}

test(a_buffer_fills_to_its_limit_exactly)
{
	struct dt_buf buf;

	for (size_t limit = 1; limit < 600; limit++) {
		dt_buf_init(&buf, limit);
		for (size_t i = 0; i < limit; i++)
			dt_buf_add_char(&buf, 'x');
		assert_int_equal(buf.len, limit);
		assert_false(buf.overflow);
		assert_int_equal(strlen(dt_buf_z(&buf)), limit);
		assert_true(buf.cap <= (limit < 256 ? 256 : limit + 1));
		dt_buf_add_char(&buf, 'y');
		assert_true(buf.overflow);
		assert_int_equal(buf.len, limit);
		dt_buf_done(&buf);
	}
}

test(what_passes_the_limit_is_left_out_whole_and_so_is_the_rest)
{
	struct dt_fail fail = { 0 };
	struct dt_buf buf;

	dt_buf_init(&buf, 5);
	dt_buf_add_z(&buf, "abc");
	dt_buf_add_z(&buf, "def");
	dt_buf_add_z(&buf, "g");
	dt_buf_addf(&buf, "%d", 1);
	assert_null(dt_buf_reserve(&buf, 1));
	assert_str(dt_buf_str(&buf), "abc");
	assert_int_equal(dt_buf_check(&buf, "the answer", &fail), DT_E_LIMIT);
	assert_string_equal(fail.msg, "the answer is larger than 5 bytes");
	dt_buf_clear(&buf);
	assert_ok(dt_buf_check(&buf, "the answer", NULL));
	dt_buf_addf(&buf, "%s", "hello");
	assert_str(dt_buf_str(&buf), "hello");
	dt_buf_addf(&buf, "%s", "!");
	assert_true(buf.overflow);
	dt_buf_done(&buf);
}

test(a_limit_of_nothing_takes_nothing)
{
	struct dt_buf buf;

	dt_buf_init(&buf, 0);
	dt_buf_add_z(&buf, "");
	assert_false(buf.overflow);
	dt_buf_add_char(&buf, 'x');
	assert_true(buf.overflow);
	dt_buf_done(&buf);
}

test(the_largest_limit_is_no_trap)
{
	struct dt_buf buf;

	dt_buf_init(&buf, SIZE_MAX);
	for (int i = 0; i < 1000; i++)
		dt_buf_add_z(&buf, "0123456789");
	assert_int_equal(buf.len, 10000);
	assert_false(buf.overflow);
	assert_null(dt_buf_reserve(&buf, SIZE_MAX));
	assert_true(buf.overflow);
	assert_int_equal(buf.len, 10000);
	dt_buf_done(&buf);
}

test(pieces_are_replaced_and_counted)
{
	static const struct {
		const char *text, *old, *fresh, *made;
		size_t count;
	} rows[] = {
		{ "a.a.a", "a", "bb", "bb.bb.bb", 3 },
		{ "aaa", "aa", "b", "ba", 1 },
		{ "aa", "a", "aa", "aaaa", 2 },
		{ "one", "two", "x", "one", 0 },
		{ "one", "one", "", "", 1 },
		{ "", "one", "x", "", 0 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct dt_buf buf;

		dt_buf_init(&buf, 100);
		assert_int_equal(dt_buf_add_replaced(&buf, dt_str(rows[i].text),
		                                     dt_str(rows[i].old),
		                                     dt_str(rows[i].fresh)),
		                 rows[i].count);
		assert_string_equal(dt_buf_z(&buf), rows[i].made);
		dt_buf_done(&buf);
	}
}

test(reserved_room_counts_only_when_it_grew)
{
	struct dt_buf buf;
	char *at;

	dt_buf_init(&buf, 1000);
	dt_buf_add_z(&buf, "ab");
	at = dt_buf_reserve(&buf, 998);
	assert_non_null(at);
	memset(at, 'x', 998);
	assert_int_equal(buf.len, 2);
	dt_buf_grew(&buf, 3);
	assert_str(dt_buf_str(&buf), "abxxx");
	dt_buf_done(&buf);
}

test(clear_keeps_the_memory)
{
	struct dt_buf buf;
	char *ptr;

	dt_buf_init(&buf, 1000);
	dt_buf_add_z(&buf, "abc");
	ptr = buf.ptr;
	dt_buf_clear(&buf);
	dt_buf_add_z(&buf, "d");
	assert_ptr_equal(buf.ptr, ptr);
	assert_str(dt_buf_str(&buf), "d");
	dt_buf_done(&buf);
}

test(consume_drops_from_the_front)
{
	struct dt_buf buf;

	dt_buf_init(&buf, 1000);
	dt_buf_add_z(&buf, "abcdef");
	dt_buf_consume(&buf, 0);
	assert_str(dt_buf_str(&buf), "abcdef");
	dt_buf_consume(&buf, 2);
	assert_str(dt_buf_str(&buf), "cdef");
	dt_buf_consume(&buf, 4);
	assert_int_equal(buf.len, 0);
	dt_buf_add_z(&buf, "x");
	assert_string_equal(dt_buf_z(&buf), "x");
	dt_buf_done(&buf);
}

test(take_hands_the_text_over)
{
	struct dt_buf buf;
	char *text;

	dt_buf_init(&buf, 3);
	dt_buf_add_z(&buf, "abc");
	dt_buf_add_z(&buf, "d");
	text = dt_buf_take(&buf);
	assert_string_equal(text, "abc");
	assert_null(buf.ptr);
	assert_false(buf.overflow);
	dt_buf_add_z(&buf, "xyz");
	assert_string_equal(dt_buf_z(&buf), "xyz");
	free(text);
	dt_buf_done(&buf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_buffer_holds_no_memory_and_is_text),
		cmocka_unit_test(everything_that_is_added_is_there_in_order),
		cmocka_unit_test(a_buffer_fills_to_its_limit_exactly),
		cmocka_unit_test(
			what_passes_the_limit_is_left_out_whole_and_so_is_the_rest),
		cmocka_unit_test(a_limit_of_nothing_takes_nothing),
		cmocka_unit_test(the_largest_limit_is_no_trap),
		cmocka_unit_test(pieces_are_replaced_and_counted),
		cmocka_unit_test(reserved_room_counts_only_when_it_grew),
		cmocka_unit_test(clear_keeps_the_memory),
		cmocka_unit_test(consume_drops_from_the_front),
		cmocka_unit_test(take_hands_the_text_over),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
