#include "unit.h"

#include "dialect/claude_text.h"

#define MARK "\xef\xbb\xbf"

static struct dt_arena arena;

static int end(void **state)
{
	(void)state;
	dt_arena_done(&arena);
	return 0;
}

static struct dt_claude_form form_of(struct dt_str bytes)
{
	struct dt_claude_form form = { 0 };
	struct dt_fail fail = { 0 };

	assert_ok(dt_claude_form_of(bytes, &form, &fail));
	return form;
}

/* The text that makes these bytes in a file like `old`; NULL when none does. */
static const char *invert(struct dt_str old, struct dt_str bytes)
{
	struct dt_claude_form form = form_of(old);
	struct dt_fail fail = { 0 };
	struct dt_str text = { 0 };

	if (dt_claude_text_invert(&arena, &form, bytes, &text, &fail)) {
		assert_int_equal(fail.code, DT_E_UNSUPPORTED);
		assert_string_not_equal(fail.msg, "");
		return NULL;
	}
	return dt_arena_strndup(&arena, text.ptr, text.len);
}

test(a_file_without_lines_is_written_as_it_comes)
{
	struct dt_claude_form form = form_of((struct dt_str){ 0 });

	assert_false(form.has_mark || form.is_crlf);
	assert_str(dt_claude_text_write(&arena, &form, DT_STR("a\r\nb\n")),
	           "a\r\nb\n");
	assert_int_equal(dt_claude_text_read(&arena, (struct dt_str){ 0 }).len,
	                 0);
}

test(the_more_frequent_line_end_is_the_files)
{
	assert_true(form_of(DT_STR("a\r\nb\r\nc\n")).is_crlf);
	assert_false(form_of(DT_STR("a\r\nb\nc\n")).is_crlf);
	assert_false(form_of(DT_STR("a\r\nb\n")).is_crlf);
	assert_false(form_of(DT_STR("\na\rb")).is_crlf);
}

test(only_the_head_of_a_file_tells_its_line_ends)
{
	char bytes[3 * 4096];

	memset(bytes, '\n', sizeof(bytes));
	for (size_t i = 0; i < 4096; i += 2)
		bytes[i] = '\r';
	assert_true(form_of((struct dt_str){ bytes, sizeof(bytes) }).is_crlf);
}

test(what_is_no_utf_8_text_has_no_form)
{
	struct dt_claude_form form = { 0 };
	struct dt_fail fail = { 0 };

	assert_int_equal(dt_claude_form_of(DT_STR("caf\xe9"), &form, &fail),
	                 DT_E_UNSUPPORTED);
	assert_string_equal(fail.msg, "the file is not UTF-8");
	fail = (struct dt_fail){ 0 };
	assert_int_equal(dt_claude_form_of(DT_STR("a\0b"), &form, &fail),
	                 DT_E_UNSUPPORTED);
	assert_non_null(strstr(fail.msg, "NUL"));
}

test(mark_and_line_ends_are_put_back)
{
	struct dt_str old = DT_STR(MARK "a\r\nb\r\n");
	struct dt_claude_form form = form_of(old);

	assert_str(dt_claude_text_read(&arena, old), "a\nb\n");
	assert_str(dt_claude_text_write(&arena, &form, DT_STR("a\nb\r\nc\r")),
	           MARK "a\r\nb\r\nc\r");
	assert_str(dt_claude_text_write(&arena, &form, DT_STR("")), MARK);
	assert_str(dt_claude_text_write(&arena, &form, DT_STR(MARK "x")),
	           MARK "x");
}

test(a_lone_carriage_return_is_text)
{
	assert_str(dt_claude_text_read(&arena, DT_STR("a\rb\r\r\nc\r")),
	           "a\rb\r\nc\r");
}

test(bytes_are_inverted_to_the_text_that_makes_them)
{
	assert_string_equal(invert(DT_STR("a\n"), DT_STR("x\r\ny")), "x\r\ny");
	assert_string_equal(invert(DT_STR("a\r\n"), DT_STR("x\r\r\ny")),
	                    "x\r\r\ny");
	assert_string_equal(invert(DT_STR(MARK "a"), DT_STR(MARK "x")), "x");
	assert_string_equal(invert(DT_STR("a"), DT_STR(MARK "x")), MARK "x");
	assert_string_equal(invert(DT_STR("a"), DT_STR("")), "");
}

test(bytes_the_cli_cannot_write_are_refused)
{
	assert_null(invert(DT_STR("a\r\n"), DT_STR("x\ny\r\n")));
	assert_null(invert(DT_STR(MARK "a"), DT_STR("x")));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_without_lines_is_written_as_it_comes),
		cmocka_unit_test(the_more_frequent_line_end_is_the_files),
		cmocka_unit_test(only_the_head_of_a_file_tells_its_line_ends),
		cmocka_unit_test(what_is_no_utf_8_text_has_no_form),
		cmocka_unit_test(mark_and_line_ends_are_put_back),
		cmocka_unit_test(a_lone_carriage_return_is_text),
		cmocka_unit_test(
			bytes_are_inverted_to_the_text_that_makes_them),
		cmocka_unit_test(bytes_the_cli_cannot_write_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, end);
}
