#include "wire/tty.h"

#include "base/limits.h"
#include "unit.h"

test(any_bytes_come_back)
{
	struct dt_buf line;
	struct dt_buf back;
	enum dt_tty_type type;
	char all[256];

	for (size_t i = 0; i < sizeof(all); i++)
		all[i] = (char)i;
	dt_buf_init(&line, DT_MIB);
	dt_buf_init(&back, DT_MIB);
	dt_tty_write(&line, DT_TTY_INPUT, (struct dt_str){ all, sizeof(all) });
	assert_null(memchr(line.ptr, '\n', line.len));
	assert_null(memchr(line.ptr, '\r', line.len));
	assert_ok(dt_tty_read(dt_buf_str(&line), &type, &back, NULL));
	assert_int_equal(type, DT_TTY_INPUT);
	assert_int_equal(back.len, sizeof(all));
	assert_memory_equal(back.ptr, all, sizeof(all));
	dt_buf_done(&line);
	dt_buf_done(&back);
}

static void check_bad(struct dt_str line)
{
	enum dt_tty_type type;
	struct dt_buf back;

	dt_buf_init(&back, DT_MIB);
	assert_int_equal(dt_tty_read(line, &type, &back, NULL), DT_E_PROTO);
	dt_buf_done(&back);
}

test(what_is_no_line_is_refused)
{
	check_bad(DT_STR(""));
	check_bad(DT_STR("x"));
	check_bad(DT_STR("\0"));
	check_bad(DT_STR("o\\"));
	check_bad(DT_STR("o\\x"));
}

test(more_than_there_is_room_for_is_refused)
{
	enum dt_tty_type type;
	struct dt_buf back;

	dt_buf_init(&back, 2);
	assert_int_equal(dt_tty_read(DT_STR("oabc"), &type, &back, NULL),
	                 DT_E_LIMIT);
	dt_buf_done(&back);
}

test(a_size_is_two_numbers)
{
	unsigned rows;
	unsigned columns;

	assert_ok(dt_tty_read_size(DT_STR("24 80"), &rows, &columns, NULL));
	assert_int_equal(rows, 24);
	assert_int_equal(columns, 80);
	assert_int_equal(dt_tty_read_size(DT_STR("24"), &rows, &columns, NULL),
	                 DT_E_PROTO);
	assert_int_equal(dt_tty_read_size(DT_STR("a b"), &rows, &columns, NULL),
	                 DT_E_PROTO);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_bytes_come_back),
		cmocka_unit_test(what_is_no_line_is_refused),
		cmocka_unit_test(more_than_there_is_room_for_is_refused),
		cmocka_unit_test(a_size_is_two_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
