/* test/unit/tool/test_search.c - twin of src/tool/search.c */
#include "tool/search.h"

#include "unit.h"

static const struct dt_tool open_file = {
	.name = "openFile",
	.title = "Open a file",
	.doc = "Show a document to the person.",
};
static const struct dt_tool save = {
	.name = "saveDocument",
	.title = "Save",
	.doc = "Write a file that was edited.",
};

static unsigned score(const struct dt_tool *tool, const char *query)
{
	return dt_tool_score(tool, "editor", dt_str(query));
}

test(a_name_counts_more_than_a_title_and_that_more_than_a_doc)
{
	assert_true(score(&open_file, "openfile") > score(&open_file, "open"));
	assert_true(score(&open_file, "open") > score(&open_file, "file"));
	assert_true(score(&open_file, "file") > score(&save, "file"));
	assert_true(score(&open_file, "editor") > score(&open_file, "person"));
	assert_int_equal(score(&open_file, "debugger"), 0);
}

test(more_words_are_ahead_of_better_ones)
{
	assert_true(score(&save, "write edited") >
	            score(&open_file, "openFile edited"));
	assert_true(score(&open_file, "openFile nothing") > 0);
}

test(a_slip_is_told_from_another_name)
{
	assert_int_equal(dt_tool_slip("getHover", DT_STR("getHover")), 0);
	assert_int_equal(dt_tool_slip("getHover", DT_STR("getHovr")), 1);
	assert_int_equal(dt_tool_slip("getHover", DT_STR("GETHOVERS")), 1);
	assert_int_equal(dt_tool_slip("getHover", DT_STR("getOhver")), 2);
	assert_true(dt_tool_slip("getHover", DT_STR("getReview")) == SIZE_MAX);
	assert_true(dt_tool_slip("getHover", DT_STR("")) == SIZE_MAX);
	assert_true(dt_tool_slip("getHover", DT_STR("gggggggggggggggggggggggggg"
	                                            "gggggggggggggggggggggggggg"
	                                            "ggggggggggggggggg")) ==
	            SIZE_MAX);
}

test(case_and_blanks_do_not_matter)
{
	assert_int_equal(score(&save, "  SAVE  "), score(&save, "save"));
}

test(an_empty_query_fits_everything_alike)
{
	assert_int_equal(score(&save, ""), 1);
	assert_int_equal(score(&open_file, "  "), 1);
	assert_int_equal(dt_tool_score(&save, "g", (struct dt_str){ 0 }), 1);
}

test(a_tool_without_a_title_is_found_all_the_same)
{
	static const struct dt_tool plain = { .name = "x", .doc = "y" };

	assert_int_equal(score(&plain, "z"), 0);
	assert_true(score(&plain, "y"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			a_name_counts_more_than_a_title_and_that_more_than_a_doc),
		cmocka_unit_test(more_words_are_ahead_of_better_ones),
		cmocka_unit_test(a_slip_is_told_from_another_name),
		cmocka_unit_test(case_and_blanks_do_not_matter),
		cmocka_unit_test(an_empty_query_fits_everything_alike),
		cmocka_unit_test(a_tool_without_a_title_is_found_all_the_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
