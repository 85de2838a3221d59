/* Errors: the first record wins, and a message is always whole text. */
#include "unit.h"

#include "base/str.h"
#include "base/utf8.h"

#include <errno.h>

test(fail_records_code_and_sentence)
{
	struct dt_fail fail = { 0 };

	assert_int_equal(dt_fail(&fail, DT_E_ARGS, "line %u is bad", 7u),
	                 DT_E_ARGS);
	assert_int_equal(fail.code, DT_E_ARGS);
	assert_int_equal(fail.sys_errno, 0);
	assert_string_equal(fail.msg, "line 7 is bad");
}

test(fail_may_be_null)
{
	errno = ENOENT;
	assert_int_equal(dt_fail(NULL, DT_E_LIMIT, "x"), DT_E_LIMIT);
	assert_int_equal(dt_fail_sys(NULL, "x"), DT_E_SYS);
}

test(fail_keeps_the_first_record)
{
	struct dt_fail fail = { 0 };

	dt_fail(&fail, DT_E_DENIED, "first");
	assert_int_equal(dt_fail(&fail, DT_E_ARGS, "second"), DT_E_ARGS);
	errno = EIO;
	assert_int_equal(dt_fail_sys(&fail, "third"), DT_E_SYS);
	assert_int_equal(fail.code, DT_E_DENIED);
	assert_int_equal(fail.sys_errno, 0);
	assert_string_equal(fail.msg, "first");
}

test(fail_sys_appends_the_reason)
{
	struct dt_fail fail = { 0 };

	errno = ENOENT;
	assert_int_equal(dt_fail_sys(&fail, "cannot open %s", "/x"), DT_E_SYS);
	assert_int_equal(fail.sys_errno, ENOENT);
	assert_string_equal(fail.msg,
	                    "cannot open /x: No such file or directory");
}

/* `count` characters of three bytes behind `shift` ASCII ones. */
static const char *euros(char *out, size_t shift, size_t count)
{
	memset(out, 'x', shift);
	for (size_t i = 0; i < count; i++)
		memcpy(out + shift + 3 * i, "\xe2\x82\xac", 3);
	out[shift + 3 * count] = '\0';
	return out;
}

test(a_long_message_is_cut_between_characters)
{
	char text[512];

	for (size_t shift = 0; shift < 6; shift++) {
		struct dt_fail fail = { 0 };
		size_t len;

		dt_fail(&fail, DT_E_ARGS, "%s", euros(text, shift, 100));
		len = strlen(fail.msg);
		assert_true(len < sizeof(fail.msg));
		assert_true(len >= sizeof(fail.msg) - 3);
		assert_true(dt_utf8_is_valid(dt_str(fail.msg)));
		assert_memory_equal(fail.msg, text, len);
	}
}

test(a_message_that_just_fits_is_not_cut)
{
	struct dt_fail fail = { 0 };
	char text[512];

	/* 2 + 3 * 79 bytes and the NUL fill the storage. */
	assert_int_equal(sizeof(fail.msg), 240);
	dt_fail(&fail, DT_E_ARGS, "%s", euros(text, 2, 79));
	assert_string_equal(fail.msg, text);
}

test(a_long_path_does_not_push_out_the_reason)
{
	char text[512];

	for (size_t shift = 0; shift < 6; shift++) {
		struct dt_fail fail = { 0 };
		struct dt_str msg;
		struct dt_str reason = DT_STR(": No such file or directory");

		errno = ENOENT;
		dt_fail_sys(&fail, "%s", euros(text, shift, 75));
		msg = dt_str(fail.msg);
		assert_true(dt_utf8_is_valid(msg));
		assert_true(msg.len > reason.len);
		assert_string_equal(msg.ptr + msg.len - reason.len, reason.ptr);
	}
}

test(every_error_has_a_name_and_a_text)
{
	assert_string_equal(dt_err_name(DT_E_OK), "OK");
	assert_string_equal(dt_err_name(DT_E_SYS), "SYS");
	assert_string_equal(dt_err_text(DT_E_ARGS), "invalid arguments");
	for (enum dt_err err = DT_E_OK; err < DT_E_COUNT; err++) {
		assert_true(strlen(dt_err_name(err)) > 1);
		assert_true(strlen(dt_err_text(err)) > 1);
	}
	assert_string_equal(dt_err_name(DT_E_COUNT), "?");
	assert_string_equal(dt_err_text(DT_E_COUNT), "?");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fail_records_code_and_sentence),
		cmocka_unit_test(fail_may_be_null),
		cmocka_unit_test(fail_keeps_the_first_record),
		cmocka_unit_test(fail_sys_appends_the_reason),
		cmocka_unit_test(a_long_message_is_cut_between_characters),
		cmocka_unit_test(a_message_that_just_fits_is_not_cut),
		cmocka_unit_test(a_long_path_does_not_push_out_the_reason),
		cmocka_unit_test(every_error_has_a_name_and_a_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
