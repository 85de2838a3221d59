/* test/unit/hub/test_cut.c - what is left of texts that are too large. */
#include "hub/cut.h"

#include "base/buf.h"
#include "base/file.h"
#include "base/limits.h"
#include "base/tempdir.h"
#include "unit.h"

static void assert_text(struct dt_str text, const char *wanted)
{
	assert_int_equal(text.len, strlen(wanted));
	assert_memory_equal(text.ptr, wanted, text.len);
}

test(lines_before_the_first_difference_are_left_out)
{
	struct dt_cut_texts texts = {
		.old = DT_STR("1\n2\n3\n4\n5\n6\n7\n"),
		.proposed = DT_STR("1\n2\n3\n4\n5\nsix\n7\n8\n"),
	};
	struct dt_cut cut;

	dt_cut_apply(&texts, 100, &cut);
	assert_text(texts.old, "3\n4\n5\n6\n7\n");
	assert_text(texts.proposed, "3\n4\n5\nsix\n7\n8\n");
	assert_null(texts.final.ptr);
	assert_int_equal(cut.before, 2);
	assert_int_equal(cut.all, 15);
	assert_int_equal(cut.shown, 11);
}

test(whole_lines_are_left_as_far_as_there_is_room)
{
	struct dt_cut_texts texts = {
		.old = DT_STR("one\ntwo\n"),
		.proposed = DT_STR("ONE\nTWO\nTHREE\n"),
		.final = DT_STR("eins\nzwei\n"),
	};
	struct dt_cut cut;

	dt_cut_apply(&texts, 9, &cut);
	assert_text(texts.old, "one\ntwo\n");
	assert_text(texts.proposed, "ONE\nTWO\n");
	assert_text(texts.final, "eins\n");
	assert_int_equal(cut.before, 0);
	assert_int_equal(cut.all, 4);
	assert_int_equal(cut.shown, 3);
}

test(a_long_line_is_cut_between_characters)
{
	struct dt_cut_texts texts = {
		.proposed = DT_STR("a\xc3\xa4\xc3\xa4\xc3\xa4"),
	};
	struct dt_cut cut;

	dt_cut_apply(&texts, 4, &cut);
	assert_text(texts.proposed, "a\xc3\xa4");
	assert_null(texts.old.ptr);
	assert_int_equal(cut.shown, 1);
}

test(what_is_escaped_takes_more)
{
	struct dt_cut_texts texts = {
		.old = DT_STR("a\n\"\x01"),
		.proposed = DT_STR("\xff"),
	};

	assert_int_equal(dt_cut_size(&texts),
	                 (2 + 1 + 2 + 2 + 6) + (2 + 3) + 2);
}

test(only_what_does_not_fit_is_cut)
{
	char *large = dt_alloc(DT_LIMIT_MESSAGE / 2);
	struct dt_cut_texts texts[2] = { { .proposed = DT_STR("x") } };

	assert_false(dt_cut_is_needed(texts, 2));
	memset(large, 'x', DT_LIMIT_MESSAGE / 2);
	texts[1].old = (struct dt_str){ large, DT_LIMIT_MESSAGE / 2 };
	assert_false(dt_cut_is_needed(texts, 2));
	texts[1].proposed = texts[1].old;
	assert_true(dt_cut_is_needed(texts, 2));
	free(large);
}

test(a_whole_text_is_kept_for_the_person_alone)
{
	char *path = dt_cut_keep(*state, "id", 1, DT_STR("text"));
	char *again = dt_cut_keep(*state, "id", 1, DT_STR("other"));
	struct dt_buf text;
	struct stat st;

	assert_non_null(path);
	assert_string_equal(path, again);
	dt_buf_init(&text, DT_MIB);
	assert_ok(dt_file_read(path, &text, NULL));
	assert_string_equal(dt_buf_z(&text), "text");
	dt_buf_done(&text);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	dt_cut_forget(*state, "id", 1);
	assert_int_equal(stat(path, &st), -1);
	free(again);
	again = dt_cut_keep(*state, "id", 2, DT_STR("text"));
	dt_cut_forget_all(*state);
	assert_int_equal(stat(again, &st), -1);
	free(again);
	free(path);
	/* Where it cannot be, it is not. */
	tempdir_put(*state, "whole", "no folder");
	assert_null(dt_cut_keep(*state, "id", 1, DT_STR("text")));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			lines_before_the_first_difference_are_left_out),
		cmocka_unit_test(whole_lines_are_left_as_far_as_there_is_room),
		cmocka_unit_test(a_long_line_is_cut_between_characters),
		cmocka_unit_test(what_is_escaped_takes_more),
		cmocka_unit_test(only_what_does_not_fit_is_cut),
		test_in_tempdir(a_whole_text_is_kept_for_the_person_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
