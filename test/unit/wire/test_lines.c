/* test/unit/wire/test_lines.c - bytes cut into lines, however they come. */
#include "unit.h"

#include "base/limits.h"
#include "wire/lines.h"

#include <stdlib.h>
#include <string.h>

/* Give the reader one piece, in memory of its size; tell lines as "[line]". */
static bool feed(struct dt_lines *lines, const char *bytes, size_t len,
                 struct dt_buf *story)
{
	char *piece = malloc(len ? len : 1);
	struct dt_str line;
	struct dt_str rest = { piece, len };
	bool is_good = true;

	memcpy(piece, bytes, len);
	do {
		struct dt_fail fail = { 0 };
		size_t used;
		enum dt_err err =
			dt_lines_read(lines, rest, &used, &line, &fail);

		if (err) {
			assert_int_equal(err, DT_E_LIMIT);
			dt_buf_add_z(story, "!");
			is_good = false;
			break;
		}
		rest.ptr += used;
		rest.len -= used;
		if (line.ptr)
			dt_buf_addf(story, "[%.*s]", DT_STR_ARG(line));
	} while (line.ptr);
	if (is_good)
		assert_int_equal(rest.len, 0);
	free(piece);
	return is_good;
}

static void check_cut(struct dt_str input, size_t limit, size_t first,
                      size_t step, const char *want)
{
	struct dt_lines lines;
	struct dt_buf story;
	size_t n = first;
	bool goes_on = true;

	dt_lines_init(&lines, limit);
	dt_buf_init(&story, DT_MIB);
	while (goes_on && input.len) {
		if (n > input.len)
			n = input.len;
		goes_on = feed(&lines, input.ptr, n, &story);
		input.ptr += n;
		input.len -= n;
		n = step;
	}
	assert_string_equal(dt_buf_z(&story), want);
	dt_buf_done(&story);
	dt_lines_done(&lines);
}

/* Whole, byte by byte, in pieces of two and in two pieces cut anywhere. */
static void tells(const char *text, size_t limit, const char *want)
{
	struct dt_str input = dt_str(text);

	check_cut(input, limit, input.len, 1, want);
	check_cut(input, limit, 1, 1, want);
	check_cut(input, limit, 2, 2, want);
	for (size_t cut = 1; cut < input.len; cut++)
		check_cut(input, limit, cut, input.len, want);
}

test(lines_end_in_lf_or_crlf)
{
	tells("one\ntwo\r\nthree\n", 100, "[one][two][three]");
}

test(a_line_without_an_end_waits)
{
	tells("one\ntwo", 100, "[one]");
	tells("one\ntwo\r", 100, "[one]");
}

test(empty_lines_are_skipped)
{
	tells("\n\r\none\n\n\r\n\r\ntwo\n\n", 100, "[one][two]");
}

test(a_cr_inside_a_line_is_kept)
{
	tells("a\rb\n\r\r\nc\r\r\n", 100, "[a\rb][\r][c\r]");
}

test(a_line_of_exactly_the_limit_is_read)
{
	tells("abc\nabc\r\nabc\n", 3, "[abc][abc][abc]");
}

test(a_line_beyond_the_limit_is_refused)
{
	tells("abc\nabcd\nabc\n", 3, "[abc]!");
	tells("abc\nabcd\r\n", 3, "[abc]!");
	tells("abc\nabcd", 3, "[abc]!");
	tells("abc\r\r\n", 3, "!");
	tells("abc\rd\n", 3, "!");
	tells("abcdefghijklmnopqrstuvwxyz", 3, "!");
}

test(a_zero_byte_is_a_byte)
{
	struct dt_lines lines;
	struct dt_str line;
	size_t used;

	dt_lines_init(&lines, 100);
	assert_ok(dt_lines_read(&lines, DT_STR("a\0b\nc"), &used, &line, NULL));
	assert_int_equal(used, 4);
	assert_str(line, "a\0b");
	dt_lines_done(&lines);
}

test(a_line_that_lies_whole_in_the_input_is_not_copied)
{
	static const char text[] = "one\ntwo\n";
	struct dt_lines lines;
	struct dt_str line;
	size_t used;

	dt_lines_init(&lines, 100);
	assert_ok(dt_lines_read(&lines, dt_str(text), &used, &line, NULL));
	assert_int_equal(used, 4);
	assert_ptr_equal(line.ptr, text);
	assert_null(lines.partial.ptr);
	dt_lines_done(&lines);
}

test(the_memory_of_a_line_goes_with_it)
{
	struct dt_lines lines;
	struct dt_str line;
	size_t used;

	dt_lines_init(&lines, 100);
	assert_ok(dt_lines_read(&lines, DT_STR("on"), &used, &line, NULL));
	assert_null(line.ptr);
	assert_ok(dt_lines_read(&lines, DT_STR("e\n"), &used, &line, NULL));
	assert_str(line, "one");
	assert_ok(dt_lines_read(&lines, DT_STR(""), &used, &line, NULL));
	assert_null(line.ptr);
	assert_null(lines.partial.ptr);
	dt_lines_done(&lines);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_end_in_lf_or_crlf),
		cmocka_unit_test(a_line_without_an_end_waits),
		cmocka_unit_test(empty_lines_are_skipped),
		cmocka_unit_test(a_cr_inside_a_line_is_kept),
		cmocka_unit_test(a_line_of_exactly_the_limit_is_read),
		cmocka_unit_test(a_line_beyond_the_limit_is_refused),
		cmocka_unit_test(a_zero_byte_is_a_byte),
		cmocka_unit_test(
			a_line_that_lies_whole_in_the_input_is_not_copied),
		cmocka_unit_test(the_memory_of_a_line_goes_with_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
