/*
 * test/unit/editor/test_text.c - positions held against counting by hand.
 *
 * The model here knows no lines: it steps over one character after the other
 * from the beginning, each time anew.
 */
#include "editor/text.h"

#include "unit.h"

#include <stdlib.h>

struct model {
	struct dt_str text;
	size_t at;
	struct dt_position here; /* of `at` */
	uint32_t person;         /* 0-based column in characters */
};

static bool is_line_end(const struct model *m)
{
	return m->at < m->text.len &&
	       (m->text.ptr[m->at] == '\n' || m->text.ptr[m->at] == '\r');
}

/* Bytes of what stands at `at`: a character, or a whole line end. */
static size_t step_bytes(const struct model *m)
{
	const char *p = m->text.ptr + m->at;
	unsigned char c = (unsigned char)*p;

	if (c == '\r')
		return m->at + 1 < m->text.len && p[1] == '\n' ? 2 : 1;
	if (c < 0x80)
		return 1;
	if (c < 0xe0)
		return 2;
	return c < 0xf0 ? 3 : 4;
}

static void step(struct model *m)
{
	size_t n = step_bytes(m);

	if (is_line_end(m)) {
		m->here = (struct dt_position){ m->here.line + 1, 0 };
		m->person = 0;
	} else {
		m->here.character += n == 4 ? 2 : 1;
		m->person++;
	}
	m->at += n;
}

static bool is_at_end(const struct model *m)
{
	return m->at == m->text.len;
}

static struct dt_position model_position(struct dt_str text, size_t byte)
{
	struct model m = { .text = text };

	while (!is_at_end(&m) && m.at + step_bytes(&m) <= byte)
		step(&m);
	return m.here;
}

static size_t model_byte(struct dt_str text, struct dt_position want)
{
	struct model m = { .text = text };

	while (!is_at_end(&m) && m.here.line < want.line)
		step(&m);
	if (m.here.line < want.line)
		return text.len;
	while (!is_at_end(&m) && !is_line_end(&m)) {
		uint32_t units = step_bytes(&m) == 4 ? 2 : 1;

		if (m.here.character + units > want.character)
			break;
		step(&m);
	}
	return m.at;
}

static struct dt_position model_person(struct dt_str text, uint32_t line,
                                       uint32_t column)
{
	struct model m = { .text = text };

	line = line ? line - 1 : 0;
	while (!is_at_end(&m) && m.here.line < line)
		step(&m);
	if (m.here.line < line)
		return m.here;
	while (!is_at_end(&m) && !is_line_end(&m) &&
	       (column == 0 || m.person < column - 1))
		step(&m);
	return m.here;
}

static uint32_t model_count(struct dt_str text)
{
	return model_position(text, text.len).line + 1;
}

static void assert_position(struct dt_position is, struct dt_position want)
{
	assert_int_equal(is.line, want.line);
	assert_int_equal(is.character, want.character);
}

static void check_bytes(struct dt_str text)
{
	for (size_t byte = 0; byte <= text.len + 2; byte++)
		assert_position(dt_text_to_position(text, byte),
		                model_position(text, byte));
}

static void check_positions(struct dt_str text, uint32_t lines)
{
	for (uint32_t line = 0; line <= lines + 1; line++) {
		for (uint32_t column = 0; column <= text.len + 2; column++) {
			struct dt_position at = { line, column };

			assert_int_equal(dt_text_to_byte(text, at),
			                 model_byte(text, at));
			assert_position(dt_text_from_person(text, line, column),
			                model_person(text, line, column));
		}
	}
}

static void check_lines(struct dt_str text, uint32_t lines)
{
	assert_int_equal(dt_text_line_count(text), lines);
	for (uint32_t line = 0; line < lines; line++) {
		struct dt_position begin = { line, 0 };
		struct dt_position end = { line, UINT32_MAX };
		size_t from = model_byte(text, begin);
		struct dt_str found = dt_text_line(text, line);

		assert_non_null(found.ptr);
		assert_int_equal(found.len, model_byte(text, end) - from);
		if (found.len)
			assert_ptr_equal(found.ptr, text.ptr + from);
	}
	assert_null(dt_text_line(text, lines).ptr);
	assert_null(dt_text_line(text, UINT32_MAX).ptr);
}

/* A copy of the exact size, so that a sanitizer sees a step too far. */
static void check(struct dt_str given)
{
	char *copy = malloc(given.len ? given.len : 1);
	struct dt_str text = { copy, given.len };
	uint32_t lines;

	assert_non_null(copy);
	if (given.len)
		memcpy(copy, given.ptr, given.len);
	lines = model_count(text);
	check_lines(text, lines);
	check_bytes(text);
	check_positions(text, lines);
	free(copy);
}

static const struct dt_str parts[] = {
	{ "a", 1 },  { "\xc3\xa4", 2 }, { "\xe2\x82\xac", 3 },
	{ "\r", 1 }, { "\n", 1 },       { "\xf0\x9f\x98\x80", 4 },
};

enum { PARTS = sizeof(parts) / sizeof(parts[0]), LENGTH = 5 };

/* The n-th text of so many parts. */
static void check_nth(size_t n, int length)
{
	char text[LENGTH * 4];
	size_t len = 0;

	for (int i = 0; i < length; i++) {
		struct dt_str part = parts[n % PARTS];

		memcpy(text + len, part.ptr, part.len);
		len += part.len;
		n /= PARTS;
	}
	check((struct dt_str){ text, len });
}

test(every_position_of_every_short_text_is_as_counted_by_hand)
{
	size_t texts = 1;

	for (int length = 0; length <= LENGTH; length++) {
		for (size_t n = 0; n < texts; n++)
			check_nth(n, length);
		texts *= PARTS;
	}
}

test(long_lines_are_counted_the_same)
{
	check(DT_STR("0123456789abcdefghijklmnopqrstuvwxyz0123456789abcdefghij"
	             "klmnop\xf0\x9f\x98\x80qrstuvwxyz0123456789\xc3\xa4"
	             "abcdefghijklmnopqrstuvwxyz\r\n"
	             "\xe2\x82\xac\xf0\x9f\x98\x80\xf0\x9f\x98\x80"
	             "\xf0\x9f\x98\x80\xf0\x9f\x98\x80\xf0\x9f\x98\x80\r"
	             "last line, without an end"));
}

test(a_text_may_hold_nul)
{
	check(DT_STR("a\0b\n\0\r\n\0"));
}

test(the_absent_text_is_one_empty_line)
{
	struct dt_str none = { 0 };
	struct dt_position far = { 7, 7 };
	struct dt_range range = { { 0, 0 }, far };

	assert_int_equal(dt_text_line_count(none), 1);
	assert_non_null(dt_text_line(none, 0).ptr);
	assert_null(dt_text_line(none, 1).ptr);
	assert_int_equal(dt_text_to_byte(none, far), 0);
	assert_position(dt_text_to_position(none, 7),
	                (struct dt_position){ 0, 0 });
	assert_str(dt_text_slice(none, range), "");
	assert_non_null(dt_text_slice(none, range).ptr);
	assert_position(dt_text_from_person(none, 0, 0),
	                (struct dt_position){ 0, 0 });
}

test(bytes_that_are_no_characters_do_no_harm)
{
	static const char bytes[4] = { '\xff', '\x80', '\n', '\xf0' };
	char *copy = malloc(sizeof(bytes));
	struct dt_str text = { copy, sizeof(bytes) };

	assert_non_null(copy);
	memcpy(copy, bytes, sizeof(bytes));
	for (size_t byte = 0; byte <= 5; byte++) {
		struct dt_position at = dt_text_to_position(text, byte);

		assert_true(at.line <= 1);
		assert_true(dt_text_to_byte(text, at) <= text.len);
	}
	free(copy);
}

static void check_slice(struct dt_str text, struct dt_range range)
{
	struct dt_str slice = dt_text_slice(text, range);
	size_t start = model_byte(text, range.start);
	size_t end = model_byte(text, range.end);

	assert_non_null(slice.ptr);
	assert_int_equal(slice.len, end > start ? end - start : 0);
	if (slice.len)
		assert_ptr_equal(slice.ptr, text.ptr + start);
}

test(a_slice_is_what_lies_between_any_two_positions)
{
	struct dt_str text = DT_STR("a\xf0\x9f\x98\x80"
	                            "b\r\n\xc3\xa4\rc\n");
	enum { LINES = 6, COLUMNS = 6, ALL = LINES * COLUMNS };

	for (uint32_t i = 0; i < ALL * ALL; i++) {
		uint32_t from = i / ALL;
		uint32_t to = i % ALL;

		check_slice(text, (struct dt_range){
					  { from / COLUMNS, from % COLUMNS },
					  { to / COLUMNS, to % COLUMNS } });
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			every_position_of_every_short_text_is_as_counted_by_hand),
		cmocka_unit_test(long_lines_are_counted_the_same),
		cmocka_unit_test(a_text_may_hold_nul),
		cmocka_unit_test(the_absent_text_is_one_empty_line),
		cmocka_unit_test(bytes_that_are_no_characters_do_no_harm),
		cmocka_unit_test(
			a_slice_is_what_lies_between_any_two_positions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
