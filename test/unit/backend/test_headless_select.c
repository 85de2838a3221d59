/* test/unit/backend/test_headless_select.c - what is selected in an editor without a
 * window. */
#include "backend/headless_world.h"

test(a_selection_holds_the_text_of_its_range)
{
	struct fixture f;

	begin(&f, state);
	assert_ok(select_range(&f, f.a, RANGE(2, 14, 3, 1)));
	assert_int_equal(f.events, 1);
	assert_string_equal(f.event.path, f.a);
	assert_str(f.event.text, "\xf0\x9f\x98\x80 */\n}");
	assert_false(f.event.is_lasting);
	get_selection(&f, true);
	assert_str(f.selection.text, "\xf0\x9f\x98\x80 */\n}");
	assert_range(f.selection.range, RANGE(2, 14, 3, 1));
	end(&f);
}

test(a_selection_past_the_end_becomes_the_end)
{
	struct fixture f;

	begin(&f, state);
	assert_ok(select_range(&f, f.a, RANGE(3, 0, 99, 99)));
	assert_range(f.event.range, RANGE(3, 0, 4, 0));
	assert_str(f.event.text, "}\n");
	assert_ok(select_range(&f, f.a, RANGE(1, 50, 1, 60)));
	assert_range(f.event.range, RANGE(1, 1, 1, 1));
	assert_int_equal(f.event.text.len, 0);
	end(&f);
}

test(a_person_may_select_outside)
{
	struct fixture f;

	begin(&f, state);
	assert_ok(select_range(&f,
	                       dt_arena_printf(&f.arena, "%s/outside", f.dir),
	                       RANGE(0, 0, 0, 3)));
	assert_str(f.event.text, "far");
	end(&f);
}

test(a_selection_can_be_cleared)
{
	struct fixture f;

	begin(&f, state);
	assert_ok(select_range(&f, f.a, RANGE(0, 0, 1, 0)));
	assert_ok(select_range(&f, NULL, RANGE(5, 5, 5, 5)));
	assert_int_equal(f.events, 2);
	assert_null(f.event.path);
	assert_int_equal(f.event.text.len, 0);
	assert_range(f.event.range, RANGE(0, 0, 0, 0));
	end(&f);
}

test(what_cannot_be_selected_leaves_the_selection)
{
	struct fixture f;

	begin(&f, state);
	assert_ok(select_range(&f, f.a, RANGE(0, 0, 0, 3)));
	assert_int_equal(select_range(&f, "/no/such/file", RANGE(0, 0, 0, 1)),
	                 DT_E_MISSING);
	assert_int_equal(f.events, 1);
	get_selection(&f, true);
	assert_str(f.selection.text, "int");
	end(&f);
}

static void select_again(struct dt_answer *answer, const void *result,
                         const struct dt_fail *fail, void *owner)
{
	const struct dt_selection *selection = result;
	struct fixture *f = owner;

	(void)answer;
	assert_null(fail);
	assert_ok(select_range(f, selection->path, RANGE(0, 4, 0, 8)));
}

test(a_selection_may_be_set_from_itself)
{
	struct dt_get_selection_args latest = { true };
	struct dt_answer answer;
	struct fixture f;

	begin(&f, state);
	assert_ok(select_range(&f, f.a, RANGE(0, 0, 0, 3)));
	dt_answer_init(&answer, select_again, &f);
	f.editor->backend->perform(f.editor, &dt_op_get_selection, &latest,
	                           &answer);
	assert_string_equal(f.event.path, f.a);
	assert_str(f.event.text, "main");
	end(&f);
}

test(the_current_selection_is_in_the_active_document)
{
	struct fixture f;

	begin(&f, state);
	get_selection(&f, false);
	assert_null(f.selection.path);
	assert_ok(open_file(&f, f.a));
	assert_ok(select_range(&f, f.a, RANGE(0, 0, 0, 3)));
	get_selection(&f, false);
	assert_string_equal(f.selection.path, f.a);
	assert_str(f.selection.text, "int");

	/* One elsewhere is the latest, not the current. */
	assert_ok(select_range(&f, f.b, RANGE(0, 0, 0, 1)));
	get_selection(&f, false);
	assert_string_equal(f.selection.path, f.a);
	assert_int_equal(f.selection.text.len, 0);
	get_selection(&f, true);
	assert_string_equal(f.selection.path, f.b);
	assert_str(f.selection.text, "b");
	end(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_tempdir(a_selection_holds_the_text_of_its_range),
		test_in_tempdir(a_selection_past_the_end_becomes_the_end),
		test_in_tempdir(a_person_may_select_outside),
		test_in_tempdir(a_selection_can_be_cleared),
		test_in_tempdir(what_cannot_be_selected_leaves_the_selection),
		test_in_tempdir(a_selection_may_be_set_from_itself),
		test_in_tempdir(
			the_current_selection_is_in_the_active_document),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
