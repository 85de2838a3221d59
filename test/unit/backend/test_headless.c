/* test/unit/backend/test_headless.c - an editor without a window. */
#include "backend/headless_world.h"

/* the suite */

/* This world has no programs. */

test(it_leaves_to_others_what_needs_a_person_or_a_window)
{
	struct fixture f;

	begin(&f, state);
	assert_false(f.editor->can[DT_OP_propose]);
	assert_false(f.editor->can[DT_OP_withdraw]);
	assert_false(f.editor->can[DT_OP_run_code]);
	assert_false(f.editor->can[DT_OP_format_document]);
	assert_false(f.editor->can[DT_OP_get_folders]);
	assert_string_equal(f.editor->backend->name, "headless");
	end(&f);
}

/* opening */

test(an_opened_file_is_active_and_the_cursor_at_its_beginning)
{
	struct fixture f;

	begin(&f, state);
	assert_ok(open_file(&f, f.a));
	assert_string_equal(f.opened.path, f.a);
	assert_string_equal(f.opened.language, "c");
	assert_int_equal(f.opened.line_count, 5);
	assert_string_equal(f.docs.active->path, f.a);
	assert_int_equal(f.events, 1);
	assert_string_equal(f.event.path, f.a);
	assert_int_equal(f.event.text.len, 0);
	assert_range(f.event.range, RANGE(0, 0, 0, 0));
	end(&f);
}

test(a_file_may_be_opened_behind_the_active_one)
{
	struct dt_open_args args = { .is_frontmost = false };
	struct fixture f;

	begin(&f, state);
	assert_ok(open_file(&f, f.a));
	args.path = f.b;
	assert_ok(perform(&f, &dt_op_open_file, &args));
	assert_int_equal(f.opened.line_count, 2);
	assert_string_equal(f.docs.active->path, f.a);
	assert_int_equal(f.events, 1);
	assert_int_equal(f.docs.count, 2);
	end(&f);
}

static void assert_shows(struct fixture *f, struct dt_open_args args,
                         struct dt_range want, const char *text)
{
	args.path = f->a;
	args.is_frontmost = true;
	assert_ok(perform(f, &dt_op_open_file, &args));
	assert_range(f->event.range, want);
	assert_int_equal(f->event.text.len, strlen(text));
	if (f->event.text.len)
		assert_memory_equal(f->event.text.ptr, text, strlen(text));
}

test(text_is_selected_from_its_beginning_to_its_end)
{
	struct fixture f;

	begin(&f, state);
	assert_shows(&f, (struct dt_open_args){ .start_text = DT_STR("main") },
	             RANGE(0, 4, 0, 8), "main");
	assert_shows(&f,
	             (struct dt_open_args){ .start_text = DT_STR("main"),
	                                    .end_text = DT_STR("{") },
	             RANGE(0, 4, 1, 1), "main(void)\n{");
	/* Columns count as UTF-16 does. */
	assert_shows(&f, (struct dt_open_args){ .start_text = DT_STR("*/") },
	             RANGE(2, 17, 2, 19), "*/");
	assert_shows(&f,
	             (struct dt_open_args){ .start_text = DT_STR("return"),
	                                    .to_line_end = true },
	             RANGE(2, 1, 2, 19), "return 0; /* \xf0\x9f\x98\x80 */");
	end(&f);
}

test(text_that_is_not_there_selects_nothing)
{
	struct fixture f;

	begin(&f, state);
	assert_shows(&f,
	             (struct dt_open_args){ .start_text = DT_STR("nowhere") },
	             RANGE(0, 0, 0, 0), "");
	/* The end is looked for behind the beginning alone. */
	assert_shows(&f,
	             (struct dt_open_args){ .start_text = DT_STR("return"),
	                                    .end_text = DT_STR("main") },
	             RANGE(2, 1, 2, 7), "return");
	assert_shows(&f, (struct dt_open_args){ .end_text = DT_STR("main") },
	             RANGE(0, 0, 0, 0), "");
	assert_shows(&f, (struct dt_open_args){ .start_text = DT_STR("") },
	             RANGE(0, 0, 0, 0), "");
	end(&f);
}

test(the_cursor_goes_to_a_line_and_column_that_are_there)
{
	struct fixture f;

	begin(&f, state);
	assert_shows(
		&f,
		(struct dt_open_args){ .line = { true, 2 }, .character = 3 },
		RANGE(2, 3, 2, 3), "");
	assert_shows(
		&f,
		(struct dt_open_args){ .line = { true, 1 }, .character = 99 },
		RANGE(1, 1, 1, 1), "");
	assert_shows(&f, (struct dt_open_args){ .line = { true, 99 } },
	             RANGE(4, 0, 4, 0), "");
	assert_shows(&f, (struct dt_open_args){ .character = 4 },
	             RANGE(0, 4, 0, 4), "");
	end(&f);
}

test(an_empty_file_can_be_opened)
{
	struct dt_open_args args = { .start_text = DT_STR("x"),
		                     .is_frontmost = true };
	struct fixture f;

	begin(&f, state);
	tempdir_put(f.dir, "w/b.c", "");
	args.path = f.b;
	assert_ok(perform(&f, &dt_op_open_file, &args));
	assert_int_equal(f.opened.line_count, 1);
	assert_range(f.event.range, RANGE(0, 0, 0, 0));
	end(&f);
}

test(what_is_outside_or_missing_does_not_open)
{
	struct fixture f;

	begin(&f, state);
	assert_int_equal(
		open_file(&f, dt_arena_printf(&f.arena, "%s/outside", f.dir)),
		DT_E_DENIED);
	assert_int_equal(
		open_file(&f, dt_arena_printf(&f.arena, "%s/w/none", f.dir)),
		DT_E_MISSING);
	assert_true(f.fail.msg[0]);
	assert_int_equal(f.docs.count, 0);
	assert_null(f.docs.active);
	assert_int_equal(f.events, 0);
	end(&f);
}

/* the list */

test(open_documents_are_listed)
{
	struct fixture f;

	begin(&f, state);
	assert_ok(perform(&f, &dt_op_list_documents, NULL));
	assert_int_equal(f.count, 0);
	assert_ok(open_file(&f, f.b));
	assert_ok(open_file(&f, f.a));
	dt_document_set_overlay(&f.docs, dt_documents_find(&f.docs, f.b),
	                        DT_STR("x"));
	assert_ok(perform(&f, &dt_op_list_documents, NULL));
	assert_int_equal(f.count, 2);
	assert_string_equal(f.infos[0].path, f.b);
	assert_string_equal(f.infos[0].label, "b.c");
	assert_string_equal(f.infos[0].language, "c");
	assert_false(f.infos[0].is_active);
	assert_true(f.infos[0].is_dirty);
	assert_string_equal(f.infos[1].path, f.a);
	assert_true(f.infos[1].is_active);
	assert_false(f.infos[1].is_dirty);
	end(&f);
}

test(closing_a_document_ends_its_selection)
{
	struct fixture f;

	begin(&f, state);
	assert_ok(open_file(&f, f.b));
	assert_ok(open_file(&f, f.a));
	assert_ok(with_path(&f, &dt_op_close_document, f.b));
	assert_true(f.found.is_found);
	assert_false(f.found.is_dirty);
	assert_int_equal(f.events, 2);
	assert_ok(with_path(&f, &dt_op_close_document, f.a));
	assert_int_equal(f.events, 3);
	assert_null(f.event.path);
	assert_null(f.docs.active);
	assert_ok(with_path(&f, &dt_op_close_document, f.a));
	assert_false(f.found.is_found);
	assert_int_equal(f.events, 3);
	get_selection(&f, true);
	assert_null(f.selection.path);
	end(&f);
}

test(closing_says_what_was_not_saved)
{
	struct fixture f;

	begin(&f, state);
	assert_ok(open_file(&f, f.a));
	dt_document_set_overlay(&f.docs, f.docs.active, DT_STR("x"));
	assert_ok(with_path(&f, &dt_op_close_document, f.a));
	assert_true(f.found.is_dirty);
	end(&f);
}

test(a_path_from_the_list_can_be_closed)
{
	struct fixture f;

	begin(&f, state);
	assert_ok(open_file(&f, f.a));
	assert_ok(perform(&f, &dt_op_list_documents, NULL));
	assert_ok(with_path(&f, &dt_op_close_document, f.infos[0].path));
	assert_null(f.event.path);
	end(&f);
}

test(who_listens_is_told_of_documents)
{
	struct fixture f;

	begin(&f, state);
	assert_ok(open_file(&f, f.a));
	assert_int_equal(f.document_events, 1);
	assert_string_equal(f.changed, f.a);
	assert_int_equal(f.change, DT_DOCUMENT_OPENED);
	assert_ok(open_file(&f, f.a));
	assert_ok(with_path(&f, &dt_op_save_document, f.a));
	assert_int_equal(f.document_events, 1);

	dt_document_set_overlay(&f.docs, f.docs.active, DT_STR("x"));
	assert_ok(with_path(&f, &dt_op_save_document, f.a));
	assert_int_equal(f.document_events, 2);
	assert_int_equal(f.change, DT_DOCUMENT_CHANGED);

	assert_ok(with_path(&f, &dt_op_close_document, f.docs.active->path));
	assert_int_equal(f.document_events, 3);
	assert_string_equal(f.changed, f.a);
	assert_int_equal(f.change, DT_DOCUMENT_CLOSED);
	assert_ok(with_path(&f, &dt_op_close_document, f.a));
	assert_int_equal(f.document_events, 3);

	f.editor->on_event = NULL;
	assert_ok(open_file(&f, f.a));
	assert_int_equal(f.document_events, 3);
	end(&f);
}

/* texts */

static enum dt_err read_file(struct fixture *f, const char *name)
{
	struct dt_read_file_args args = {
		.path = dt_arena_printf(&f->arena, "%s/%s", f->dir, name),
		.max_bytes = { true, 100 },
	};

	return perform(f, &dt_op_read_file, &args);
}

test(a_file_is_read_open_or_not)
{
	struct fixture f;

	begin(&f, state);
	assert_ok(read_file(&f, "w/a.c"));
	assert_str(f.file.text, A_TEXT);
	assert_string_equal(f.file.path, f.a);
	assert_string_equal(f.file.language, "c");
	assert_false(f.file.is_dirty);
	assert_int_equal(f.docs.count, 0);
	assert_ok(read_file(&f, "w/./x/../a.c"));
	assert_string_equal(f.file.path, f.a);
	end(&f);
}

test(unsaved_text_is_read_before_what_is_on_disk)
{
	struct fixture f;

	begin(&f, state);
	assert_int_equal(
		symlinkat("a.c", AT_FDCWD,
	                  dt_arena_printf(&f.arena, "%s/w/link", f.dir)),
		0);
	assert_ok(open_file(&f, f.a));
	dt_document_set_overlay(&f.docs, f.docs.active, DT_STR("un\0saved"));
	assert_ok(read_file(&f, "w/a.c"));
	assert_str(f.file.text, "un\0saved");
	assert_true(f.file.is_dirty);
	assert_ok(read_file(&f, "w/link"));
	assert_str(f.file.text, "un\0saved");
	assert_string_equal(f.file.path, f.a);
	end(&f);
}

test(what_is_outside_missing_or_too_large_is_not_read)
{
	char large[102] = { 0 };
	struct fixture f;

	begin(&f, state);
	assert_int_equal(
		symlinkat("../outside", AT_FDCWD,
	                  dt_arena_printf(&f.arena, "%s/w/link", f.dir)),
		0);
	assert_int_equal(read_file(&f, "outside"), DT_E_DENIED);
	assert_int_equal(read_file(&f, "w/../outside"), DT_E_DENIED);
	assert_int_equal(read_file(&f, "w/link"), DT_E_DENIED);
	assert_non_null(strstr(f.fail.msg, "/w/link is outside the workspace"));
	assert_int_equal(read_file(&f, "w/none"), DT_E_MISSING);
	assert_int_equal(read_file(&f, "w/no/ne"), DT_E_MISSING);
	memset(large, 'x', sizeof(large) - 1);
	tempdir_put(f.dir, "w/b.c", large);
	assert_int_equal(read_file(&f, "w/b.c"), DT_E_LIMIT);
	assert_non_null(strstr(f.fail.msg, "larger than 100 bytes"));
	end(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_tempdir(
			it_leaves_to_others_what_needs_a_person_or_a_window),
		test_in_tempdir(
			an_opened_file_is_active_and_the_cursor_at_its_beginning),
		test_in_tempdir(a_file_may_be_opened_behind_the_active_one),
		test_in_tempdir(text_is_selected_from_its_beginning_to_its_end),
		test_in_tempdir(text_that_is_not_there_selects_nothing),
		test_in_tempdir(
			the_cursor_goes_to_a_line_and_column_that_are_there),
		test_in_tempdir(an_empty_file_can_be_opened),
		test_in_tempdir(what_is_outside_or_missing_does_not_open),
		test_in_tempdir(open_documents_are_listed),
		test_in_tempdir(closing_a_document_ends_its_selection),
		test_in_tempdir(closing_says_what_was_not_saved),
		test_in_tempdir(a_path_from_the_list_can_be_closed),
		test_in_tempdir(who_listens_is_told_of_documents),
		test_in_tempdir(a_file_is_read_open_or_not),
		test_in_tempdir(unsaved_text_is_read_before_what_is_on_disk),
		test_in_tempdir(
			what_is_outside_missing_or_too_large_is_not_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
