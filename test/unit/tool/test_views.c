#include "tool/views.h"

#include "unit.h"

test(a_selection_counts_from_one)
{
	struct dt_selection from = {
		.path = "/w/a",
		.text = DT_STR("x"),
		.range = { { 0, 4 }, { 2, 0 } },
	};
	struct dt_selection_view view;

	dt_view_selection(&from, &view);
	assert_string_equal(view.path, "/w/a");
	assert_str(view.text, "x");
	assert_int_equal(view.start_line, 1);
	assert_int_equal(view.start_column, 5);
	assert_int_equal(view.end_line, 3);
	assert_int_equal(view.end_column, 1);
	assert_false(view.is_empty);
}

test(a_cursor_is_an_empty_selection)
{
	struct dt_selection from = { .path = "/w/a" };
	struct dt_selection_view view;

	dt_view_selection(&from, &view);
	assert_true(view.is_empty);
	assert_non_null(view.text.ptr);
	from.path = NULL;
	dt_view_selection(&from, &view);
	assert_null(view.path);
	assert_int_equal(view.start_line, 0);
}

test(documents_and_folders_get_uris)
{
	struct dt_document_info info = { "/w/a b", "a b", "c", true, false };
	struct dt_documents_result documents = { { &info, 1 } };
	const char *roots[] = { "/w", "/v" };
	struct dt_folders_result folders = { { roots, 2 } };
	struct dt_arena arena = { 0 };
	struct dt_items items = dt_view_tabs(&arena, &documents);
	const struct dt_tab_view *tab = items.ptr;
	const struct dt_folder_view *folder;

	assert_int_equal(items.count, 1);
	assert_string_equal(tab->uri, "file:///w/a%20b");
	assert_string_equal(tab->label, "a b");
	assert_true(tab->is_active);
	items = dt_view_folders(&arena, &folders);
	folder = items.ptr;
	assert_int_equal(items.count, 2);
	assert_string_equal(folder[1].name, "v");
	assert_string_equal(folder[1].uri, "file:///v");
	dt_arena_done(&arena);
}

static struct dt_diagnostic make(int severity, const char *message)
{
	return (struct dt_diagnostic){
		.severity = severity,
		.message = dt_str(message),
		.range = { { 1, 2 }, { 3, 4 } },
		.source = "lint",
	};
}

/* The messages in order, and how many there are of each. */
static void assert_problems(int severity, uint32_t max, const char *wanted)
{
	struct dt_diagnostic a[] = { make(DT_SEV_HINT, "h"),
		                     make(DT_SEV_ERROR, "e1"),
		                     make(DT_SEV_INFO, "i") };
	struct dt_diagnostic b[] = { make(DT_SEV_WARNING, "w"),
		                     make(DT_SEV_ERROR, "e2") };
	struct dt_file_diagnostics files[] = { { "/w/a", { a, 3 } },
		                               { "/w/b", { b, 2 } } };
	struct dt_diagnostics_result from = { { files, 2 }, true };
	struct dt_arena arena = { 0 };
	struct dt_problems_view view;
	const struct dt_problem_view *problem;
	struct dt_buf text;

	dt_buf_init(&text, 1000);
	dt_view_problems(&arena, &from, severity, max, &view);
	problem = view.items.ptr;
	for (size_t i = 0; i < view.items.count; i++)
		dt_buf_addf(&text, "%s %.*s, ", problem[i].path,
		            DT_STR_ARG(problem[i].message));
	dt_buf_addf(&text, "%u %u %u %u%s", view.counts.errors,
	            view.counts.warnings, view.counts.infos, view.counts.hints,
	            view.is_cut ? " cut" : "");
	assert_string_equal(dt_buf_z(&text), wanted);
	assert_true(view.is_available);
	assert_null(view.message);
	dt_buf_done(&text);
	dt_arena_done(&arena);
}

test(the_worst_problems_come_first)
{
	assert_problems(DT_SEV_HINT, 10,
	                "/w/a e1, /w/b e2, /w/b w, /w/a i, /w/a h, 2 1 1 1");
}

test(what_is_less_severe_is_left_out)
{
	assert_problems(DT_SEV_WARNING, 10,
	                "/w/a e1, /w/b e2, /w/b w, 2 1 0 0");
	assert_problems(DT_SEV_ERROR, 10, "/w/a e1, /w/b e2, 2 0 0 0");
}

test(what_is_not_listed_is_counted)
{
	assert_problems(DT_SEV_HINT, 1, "/w/a e1, 2 1 1 1 cut");
	assert_problems(DT_SEV_ERROR, 2, "/w/a e1, /w/b e2, 2 0 0 0");
}

test(a_problem_counts_from_one)
{
	struct dt_diagnostic d = make(DT_SEV_ERROR, "e");
	struct dt_file_diagnostics file = { "/w/a", { &d, 1 } };
	struct dt_diagnostics_result from = { { &file, 1 }, false };
	struct dt_arena arena = { 0 };
	struct dt_problems_view view;
	const struct dt_problem_view *problem;

	dt_view_problems(&arena, &from, DT_SEV_HINT, 9, &view);
	problem = view.items.ptr;
	assert_int_equal(problem->line, 2);
	assert_int_equal(problem->column, 3);
	assert_int_equal(problem->end_line, 4);
	assert_int_equal(problem->end_column, 5);
	assert_string_equal(problem->source, "lint");
	/* Who tells of a problem has looked. */
	assert_true(view.is_available);
	dt_arena_done(&arena);
}

test(that_nobody_looks_is_said)
{
	struct dt_diagnostics_result none = { .is_watched = false };
	struct dt_arena arena = { 0 };
	struct dt_problems_view view;

	dt_view_problems(&arena, &none, DT_SEV_HINT, 9, &view);
	assert_false(view.is_available);
	assert_non_null(view.message);
	none.is_watched = true;
	dt_view_problems(&arena, &none, DT_SEV_HINT, 9, &view);
	assert_true(view.is_available);
	assert_null(view.message);
	dt_arena_done(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_selection_counts_from_one),
		cmocka_unit_test(a_cursor_is_an_empty_selection),
		cmocka_unit_test(documents_and_folders_get_uris),
		cmocka_unit_test(the_worst_problems_come_first),
		cmocka_unit_test(what_is_less_severe_is_left_out),
		cmocka_unit_test(what_is_not_listed_is_counted),
		cmocka_unit_test(a_problem_counts_from_one),
		cmocka_unit_test(that_nobody_looks_is_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
