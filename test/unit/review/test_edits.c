/* test/unit/review/test_edits.c - pieces replaced, or refused by a sentence. */
#include "review/edits.h"

#include "base/limits.h"
#include "unit.h"

#include <stdlib.h>

static struct dt_fail fail;

static enum dt_err apply(struct dt_text_edit *edits, size_t count,
                         const char *text, struct dt_str *out)
{
	size_t room = DT_LIMIT_EDIT_TEXT;
	struct dt_items items = { edits, count };

	fail = (struct dt_fail){ 0 };
	return dt_edits_apply(&items, dt_str(text), &room, out, &fail);
}

static void makes(const char *text, const char *old, const char *fresh,
                  bool is_all, const char *expected)
{
	struct dt_text_edit edit = { dt_str(old), dt_str(fresh), is_all };
	struct dt_str out = { 0 };

	if (apply(&edit, 1, text, &out))
		fail_msg("%s", fail.msg);
	assert_string_equal(out.ptr, expected);
	assert_int_equal(out.len, strlen(expected));
	free((char *)(uintptr_t)out.ptr);
}

static void refuses(const char *text, const char *old, const char *part)
{
	struct dt_text_edit edit = { dt_str(old), DT_STR("x"), false };
	struct dt_str out = { 0 };

	assert_int_equal(apply(&edit, 1, text, &out), DT_E_ARGS);
	assert_null(out.ptr);
	assert_non_null(strstr(fail.msg, part));
}

test(a_piece_is_replaced)
{
	makes("one two three", "two", "2", false, "one 2 three");
	makes("one two three", "one", "1", false, "1 two three");
	makes("one two three", "three", "", false, "one two ");
	makes("one", "one", "", false, "");
}

test(all_of_them_are_replaced_when_they_are_meant)
{
	makes("a.a.a", "a", "bb", true, "bb.bb.bb");
	makes("aaa", "aa", "b", true, "ba");
	makes("a.a", "a", "a", true, "a.a");
}

test(what_is_not_there_once_is_refused)
{
	refuses("one", "two", "edits[0]: oldText is not in the file");
	refuses("", "two", "is not in the file");
	refuses("a.a.a", "a", "is in the file 3 times");
	refuses("one", "", "oldText is empty");
}

test(the_old_text_is_called_what_the_caller_calls_it)
{
	static const struct {
		const char *text;
		const char *says;
	} cases[] = {
		{ "one", "oldContent is not in the file" },
		{ "a.a", "oldContent is in the file 2 times" },
	};
	struct dt_text_edit edit = { .old_text = DT_STR("a"),
		                     .new_text = DT_STR("b"),
		                     .alias = "oldContent" };
	struct dt_items items = { &edit, 1 };

	for (size_t i = 0; i < 2; i++) {
		size_t room = DT_LIMIT_EDIT_TEXT;
		struct dt_str out = { 0 };
		struct dt_fail why = { 0 };

		assert_int_equal(dt_edits_apply(&items, dt_str(cases[i].text),
		                                &room, &out, &why),
		                 DT_E_ARGS);
		assert_ptr_equal(strstr(why.msg, cases[i].says), why.msg);
		assert_null(strstr(why.msg, "replaceAll"));
	}
}

test(edits_follow_each_other)
{
	struct dt_text_edit edits[] = {
		{ DT_STR("a"), DT_STR("b b"), false },
		{ DT_STR("b"), DT_STR("c"), true },
		{ DT_STR("none"), DT_STR("x"), false },
	};
	struct dt_str out = { 0 };

	assert_ok(apply(edits, 2, "<a>", &out));
	assert_str(out, "<c c>");
	free((char *)(uintptr_t)out.ptr);
	assert_int_equal(apply(edits, 3, "<a>", &out), DT_E_ARGS);
	assert_non_null(strstr(fail.msg, "edits[2]: "));
}

test(lines_of_a_file_with_crlf_are_found_by_lf)
{
	makes("a\r\nb\r\nc\r\n", "a\nb\n", "x\ny\n", false, "x\r\ny\r\nc\r\n");
	makes("a\r\nb\r\n", "b\r\n", "x\n", false, "a\r\nx\n");
	makes("a\r\nb\nc\n", "b\nc", "x\ny", false, "a\r\nx\ny\n");
	refuses("a\r\nb\r\n", "a\nc\n", "is not in the file");
}

test(no_edits_change_nothing)
{
	struct dt_str out = { 0 };

	assert_ok(apply(NULL, 0, "text", &out));
	assert_str(out, "text");
	free((char *)(uintptr_t)out.ptr);
}

test(there_are_only_so_many_edits)
{
	static struct dt_text_edit edits[DT_LIMIT_EDITS + 1];
	struct dt_str out = { 0 };

	for (size_t i = 0; i <= DT_LIMIT_EDITS; i++)
		edits[i] = (struct dt_text_edit){ DT_STR("a"), DT_STR("a"),
			                          false };
	assert_int_equal(apply(edits, DT_LIMIT_EDITS + 1, "a", &out),
	                 DT_E_LIMIT);
	assert_non_null(strstr(fail.msg, "more than 1000 edits"));
	assert_ok(apply(edits, DT_LIMIT_EDITS, "a", &out));
	assert_str(out, "a");
	free((char *)(uintptr_t)out.ptr);
}

test(edits_of_large_files_share_their_room)
{
	struct dt_text_edit edits[3] = {
		{ DT_STR("a"), DT_STR("aa"), false },
		{ DT_STR("aa"), DT_STR("b"), false },
		{ DT_STR("b"), DT_STR("a"), false },
	};
	struct dt_items items = { edits, 3 };
	struct dt_str out = { 0 };
	size_t room = 7;

	assert_ok(dt_edits_apply(&items, DT_STR("a"), &room, &out, NULL));
	free((char *)(uintptr_t)out.ptr);
	assert_int_equal(room, 3);
	assert_int_equal(
		dt_edits_apply(&items, DT_STR("a"), &room, &out, &fail),
		DT_E_LIMIT);
	assert_non_null(strstr(fail.msg, "edits[2]: these are too many"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(there_are_only_so_many_edits),
		cmocka_unit_test(edits_of_large_files_share_their_room),
		cmocka_unit_test(a_piece_is_replaced),
		cmocka_unit_test(all_of_them_are_replaced_when_they_are_meant),
		cmocka_unit_test(what_is_not_there_once_is_refused),
		cmocka_unit_test(
			the_old_text_is_called_what_the_caller_calls_it),
		cmocka_unit_test(edits_follow_each_other),
		cmocka_unit_test(lines_of_a_file_with_crlf_are_found_by_lf),
		cmocka_unit_test(no_edits_change_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
