#include "backend/screen.h"

#include "base/limits.h"
#include "unit.h"

#include <stdio.h>

static struct dt_buf marks;

static void on_mark(struct dt_str mark, void *owner)
{
	struct dt_screen *screen = owner;

	dt_buf_add_str(&marks, mark);
	dt_buf_addf(&marks, "@%u:%zu ", (unsigned)dt_screen_here(screen).line,
	            dt_screen_here(screen).column);
}

static void check_in(unsigned columns, struct dt_str in, const char *expected)
{
	struct dt_screen screen;
	struct dt_buf out;

	for (size_t cut = 0; cut <= in.len; cut++) {
		dt_screen_init(&screen, columns, on_mark, &screen);
		dt_buf_init(&out, DT_MIB);
		dt_screen_feed(&screen, (struct dt_str){ in.ptr, cut });
		dt_screen_feed(&screen,
		               (struct dt_str){ in.ptr + cut, in.len - cut });
		dt_screen_text(&screen, (struct dt_screen_place){ 0 }, DT_MIB,
		               &out);
		assert_string_equal(dt_buf_z(&out), expected);
		dt_buf_done(&out);
		dt_screen_done(&screen);
	}
	dt_buf_done(&marks);
	dt_buf_init(&marks, DT_MIB);
}

static void check(struct dt_str in, const char *expected)
{
	check_in(80, in, expected);
}

test(lines_are_plain_text)
{
	check(DT_STR(""), "");
	check(DT_STR("a\r\nb"), "a\nb");
	check(DT_STR("\x1b[1;31mred\x1b[0m \x1b]0;t\x07 x   \r\n"), "red  x\n");
	check(DT_STR("a\tb\r\n\tc"), "a\tb\n\tc");
	check(DT_STR("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"),
	      "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
}

#define R "\xef\xbf\xbd"

test(what_is_not_utf_8_is_replaced)
{
	check(DT_STR("a\xff"
	             "b\x80\xc3"
	             "c\xe2\x82\r\n\xed\xa0\x80"),
	      "a" R "b" R R "c" R "\n" R);
}

test(what_is_written_over_is_gone)
{
	check(DT_STR("10%\r50%\r100%\r\n"), "100%\n");
	check(DT_STR("long line\rshort\x1b[K\r\n"), "short\n");
	check(DT_STR("abc\b\bX"), "aXc");
	check(DT_STR("abcdef\x1b[4D\x1b[2P"), "abef");
	check(DT_STR("abef\x1b[2D\x1b[2@cd"), "abcdef");
	check(DT_STR("abc\x1b[2GX\x1b[6GY"), "aXc  Y");
	check(DT_STR("abc\x1b[2K\rx"), "x");
	check(DT_STR("abc\x1b[1K"), "");
	check(DT_STR("abcd\x1b[3D\x1b[2Xe"), "ae d");
	check(DT_STR("abc\r\x1b[J"), "");
}

test(a_long_line_wraps_and_stays_one_line)
{
	/* As readline does at the last column: a blank, and back. */
	check_in(4, DT_STR("abcd \ref"), "abcdef");
	check_in(4, DT_STR("abcd\rX"), "Xbcd");
	check_in(4, DT_STR("abcdef\rX"), "abcdXf");
}

test(full_screen_programs_leave_nothing)
{
	check(DT_STR("a\r\n\x1b[?1049h\x1b[2Jvim\x1b[5;5Hx\r\n\x1b[?1049l"
	             "b"),
	      "a\nb");
	check(DT_STR("a\x1b[H\x1b[2Jb"), "a\nb");
}

test(marks_are_told_where_they_are)
{
	struct dt_screen screen;

	dt_buf_init(&marks, DT_MIB);
	dt_screen_init(&screen, 80, on_mark, &screen);
	dt_screen_feed(&screen, DT_STR("ab\x1b]133;C\x07"
	                               "c\r\n"
	                               "\x1b]133;D;1\x1b\\\x1b]7;x\x07"));
	assert_string_equal(dt_buf_z(&marks), "C@0:2 D;1@1:0 ");
	dt_screen_done(&screen);
	dt_buf_done(&marks);
}

test(text_is_read_from_a_place)
{
	struct dt_screen screen;
	struct dt_buf out;

	dt_screen_init(&screen, 80, on_mark, &screen);
	dt_buf_init(&out, DT_MIB);
	dt_screen_feed(&screen, DT_STR("\xc3\xa9"
	                               "bc\r\ndef\r\nghi"));
	dt_screen_text(&screen, (struct dt_screen_place){ 0, 1 }, DT_MIB, &out);
	assert_string_equal(dt_buf_z(&out), "bc\ndef\nghi");
	dt_buf_clear(&out);
	dt_screen_text(&screen, (struct dt_screen_place){ 2, 1 }, DT_MIB, &out);
	assert_string_equal(dt_buf_z(&out), "hi");
	dt_buf_clear(&out);
	assert_int_equal(dt_screen_text(&screen, (struct dt_screen_place){ 0 },
	                                16, &out),
	                 1);
	assert_string_equal(dt_buf_z(&out), "def\nghi");
	dt_buf_clear(&out);
	dt_screen_line(&screen, 1, &out);
	dt_screen_line(&screen, 7, &out);
	assert_string_equal(dt_buf_z(&out), "def");
	dt_buf_done(&out);
	dt_screen_done(&screen);
}

test(old_lines_are_forgotten)
{
	struct dt_screen screen;
	struct dt_buf out;

	dt_screen_init(&screen, 80, on_mark, &screen);
	dt_buf_init(&out, DT_MIB * 2);
	for (unsigned i = 0; i < 7000; i++) {
		char line[20];
		int len = snprintf(line, sizeof(line), "%u\r\n", i);

		dt_screen_feed(&screen, (struct dt_str){ line, (size_t)len });
	}
	assert_int_equal(dt_screen_first(&screen), 2000);
	assert_int_equal(dt_screen_last(&screen), 7000);
	dt_screen_line(&screen, 2000, &out);
	dt_screen_line(&screen, 1999, &out);
	assert_string_equal(dt_buf_z(&out), "2000");
	dt_buf_clear(&out);
	assert_int_equal(dt_screen_text(&screen, (struct dt_screen_place){ 5 },
	                                DT_MIB, &out),
	                 2000);
	assert_int_equal(out.len, 5000 * 5);
	dt_buf_done(&out);
	dt_screen_done(&screen);
}

test(memory_is_bounded_too)
{
	struct dt_screen screen;
	struct dt_buf out;
	char block[1000];

	memset(block, 'x', sizeof(block));
	dt_screen_init(&screen, 80, on_mark, &screen);
	dt_buf_init(&out, DT_MIB * 2);
	for (unsigned i = 0; i < 3000; i++)
		dt_screen_feed(&screen,
		               (struct dt_str){ block, sizeof(block) });
	dt_screen_text(&screen, (struct dt_screen_place){ 0 }, 2 * DT_MIB,
	               &out);
	assert_true(out.len <= DT_LIMIT_SCREEN + 2 * DT_LIMIT_SCREEN_LINE);
	assert_true(out.len > DT_LIMIT_SCREEN - DT_LIMIT_SCREEN_LINE);
	dt_buf_done(&out);
	dt_screen_done(&screen);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_plain_text),
		cmocka_unit_test(what_is_not_utf_8_is_replaced),
		cmocka_unit_test(what_is_written_over_is_gone),
		cmocka_unit_test(a_long_line_wraps_and_stays_one_line),
		cmocka_unit_test(full_screen_programs_leave_nothing),
		cmocka_unit_test(marks_are_told_where_they_are),
		cmocka_unit_test(text_is_read_from_a_place),
		cmocka_unit_test(old_lines_are_forgotten),
		cmocka_unit_test(memory_is_bounded_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
