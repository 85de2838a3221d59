#include "base/ansi.h"

#include "base/limits.h"
#include "unit.h"

/* Tokens written down: T(ext) C(ontrol) S(equence) O(sc) X (other). */
static void note(const struct dt_ansi_token *token, void *owner)
{
	struct dt_buf *out = owner;
	static const char letters[] = "TCSOX";

	if (token->type == DT_ANSI_CONTROL) {
		dt_buf_addf(out, "C%02x ", (unsigned char)token->final);
		return;
	}
	dt_buf_addf(out, "%c", letters[token->type]);
	if (token->type == DT_ANSI_TEXT)
		dt_buf_add_str(out, token->bytes);
	else if (token->type == DT_ANSI_CSI || token->type == DT_ANSI_OSC)
		dt_buf_add_str(out, token->params);
	if (token->type == DT_ANSI_CSI || token->type == DT_ANSI_OTHER)
		dt_buf_addf(out, "%c", token->final);
	dt_buf_add_char(out, ' ');
}

/* Text comes in more pieces when the input does: only sequences are compared
 * for each way to cut it. */
static void check_parts(struct dt_str in, size_t cut, const char *expected)
{
	struct dt_ansi ansi;
	struct dt_buf out;

	dt_ansi_init(&ansi);
	dt_buf_init(&out, DT_MIB);
	dt_ansi_feed(&ansi, (struct dt_str){ in.ptr, cut }, note, &out);
	dt_ansi_feed(&ansi, (struct dt_str){ in.ptr + cut, in.len - cut }, note,
	             &out);
	assert_string_equal(dt_buf_z(&out), expected);
	dt_buf_done(&out);
	dt_ansi_done(&ansi);
}

static void check_all(struct dt_str in, const char *expected)
{
	for (size_t i = 0; i <= in.len; i++)
		check_parts(in, i, expected);
}

test(text_and_controls_are_told_apart)
{
	check_parts(DT_STR("ab\r\n\xc3\xa9\x7f"), 0,
	            "Tab C0d C0a T\xc3\xa9 C7f ");
}

test(sequences_come_whole_however_they_are_cut)
{
	check_all(DT_STR("\x1b[1;31m"), "S1;31m ");
	check_all(DT_STR("\x1b[?1049h"), "S?1049h ");
	check_all(DT_STR("\x1b]0;title\x07"), "O0;title ");
	check_all(DT_STR("\x1b]133;D;0\x1b\\"), "O133;D;0 ");
	check_all(DT_STR("\x1b]a\x1b"
	                 "b\x07"),
	          "Oa\x1b"
	          "b ");
	check_all(DT_STR("\x1bP1$r\x1b\\"), "X\\ ");
	check_all(DT_STR("\x1b(B\x1b=\x1bM"), "XB X= XM ");
}

test(what_is_broken_off_does_not_swallow_the_rest)
{
	check_all(DT_STR("\x1b[12\x18\n"), "C0a ");
	check_all(DT_STR("\x1b[12\x1b[3m"), "S3m ");
	check_all(DT_STR("\x1b[1\nm"), "C0a S1m ");
	check_all(DT_STR("\x1b]x\x1a\n"), "C0a ");
}

test(a_string_without_end_is_text_again)
{
	struct dt_ansi ansi;
	struct dt_buf out;

	dt_ansi_init(&ansi);
	dt_buf_init(&out, DT_MIB);
	dt_ansi_feed(&ansi, DT_STR("\x1b]"), note, &out);
	for (size_t i = 0; i < DT_LIMIT_SEQUENCE; i++)
		dt_ansi_feed(&ansi, DT_STR("x"), note, &out);
	dt_buf_clear(&out);
	dt_ansi_feed(&ansi, DT_STR("y"), note, &out);
	assert_string_equal(dt_buf_z(&out), "Ty ");
	dt_buf_done(&out);
	dt_ansi_done(&ansi);
}

static void read_numbers(const struct dt_ansi_token *token, void *owner)
{
	unsigned *numbers = owner;

	for (size_t i = 0; i < 4; i++)
		numbers[i] = dt_ansi_number(token, i, 7);
}

test(numbers_are_read_and_bounded)
{
	struct dt_ansi ansi;
	unsigned numbers[4];

	dt_ansi_init(&ansi);
	dt_ansi_feed(&ansi, DT_STR("\x1b[?12;;99999999999m"), read_numbers,
	             numbers);
	assert_int_equal(numbers[0], 12);
	assert_int_equal(numbers[1], 7);
	assert_int_equal(numbers[2], 7);
	assert_int_equal(numbers[3], 7);
	dt_ansi_feed(&ansi, DT_STR("\x1b[100000m"), read_numbers, numbers);
	assert_int_equal(numbers[0], 9999);
	dt_ansi_done(&ansi);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_and_controls_are_told_apart),
		cmocka_unit_test(sequences_come_whole_however_they_are_cut),
		cmocka_unit_test(what_is_broken_off_does_not_swallow_the_rest),
		cmocka_unit_test(a_string_without_end_is_text_again),
		cmocka_unit_test(numbers_are_read_and_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
