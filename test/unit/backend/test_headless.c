/* test/unit/backend/test_headless.c - an editor without a window. */
#include "backend/headless.h"

#include "base/tempdir.h"
#include "editor/files.h"
#include "unit.h"

/* A root with a.c and b.c; what the last operation and event said. */
struct fixture {
	struct dt_loop *loop;
	struct dt_documents docs;
	struct dt_editor *editor;
	struct dt_arena arena;
	const char *dir;
	const char *a;
	const char *b;

	struct dt_fail fail; /* code DT_E_OK: there is a result */
	int ended;
	struct dt_open_result opened;
	struct dt_found_result found;
	struct dt_selection selection; /* of a result, in the arena */
	size_t count;
	struct dt_document_info infos[2];

	int events;
	struct dt_selection event; /* in the arena */
	int document_events;
	const char *changed; /* of the last one, in the arena */
	enum dt_document_change change;

	struct dt_read_file_result file; /* in the arena */
};

#define A_TEXT "int main(void)\n{\n\treturn 0; /* \xf0\x9f\x98\x80 */\n}\n"

static struct dt_selection copy_selection(struct fixture *f,
                                          const struct dt_selection *from)
{
	struct dt_selection copy = *from;

	copy.path = dt_arena_strdup(&f->arena, from->path);
	if (from->text.len)
		copy.text.ptr = dt_arena_strndup(&f->arena, from->text.ptr,
		                                 from->text.len);
	return copy;
}

static void on_event(struct dt_editor *editor, struct dt_event *event,
                     void *owner)
{
	struct fixture *f = owner;

	assert_ptr_equal(editor, f->editor);
	if (event->type == DT_EVENT_DOCUMENTS) {
		f->document_events++;
		f->changed = dt_arena_strdup(&f->arena, event->path);
		f->change = event->change;
		return;
	}
	assert_int_equal(event->type, DT_EVENT_SELECTION);
	f->events++;
	f->event = copy_selection(f, &event->selection);
}

/* A world without programs. */

static char **no_env(void *owner, struct dt_arena *arena)
{
	(void)owner;
	return dt_arena_alloc(arena, sizeof(char *));
}

static const char *no_program(void *owner, struct dt_arena *arena,
                              const char *program)
{
	(void)owner;
	(void)arena;
	(void)program;
	return NULL;
}

static const char *no_setting(void *owner, const char *key)
{
	(void)owner;
	(void)key;
	return "";
}

static void begin(struct fixture *f, void **state)
{
	*f = (struct fixture){ .dir = *state };
	tempdir_mkdir(f->dir, "w");
	tempdir_put(f->dir, "w/a.c", A_TEXT);
	tempdir_put(f->dir, "w/b.c", "b\n");
	tempdir_put(f->dir, "outside", "far away\n");
	f->a = dt_arena_printf(&f->arena, "%s/w/a.c", f->dir);
	f->b = dt_arena_printf(&f->arena, "%s/w/b.c", f->dir);
	dt_documents_init(
		&f->docs,
		(const char *[]){ dt_arena_printf(&f->arena, "%s/w", f->dir) },
		1);
	f->loop = dt_loop_new();
	f->editor = dt_headless_new(&(struct dt_world){
		.docs = &f->docs,
		.loop = f->loop,
		.owner = f,
		.env = no_env,
		.find = no_program,
		.setting = no_setting,
	});
	f->editor->on_event = on_event;
	f->editor->owner = f;
}

static void end(struct fixture *f)
{
	f->editor->backend->free(f->editor);
	dt_loop_run(f->loop);
	dt_loop_free(f->loop);
	dt_documents_done(&f->docs);
	dt_arena_done(&f->arena);
}

static void copy_documents(struct fixture *f,
                           const struct dt_documents_result *result)
{
	f->count = result->items.count;
	assert_true(f->count <= 2);
	if (f->count)
		memcpy(f->infos, result->items.ptr,
		       f->count * sizeof(f->infos[0]));
}

static void copy_file(struct fixture *f,
                      const struct dt_read_file_result *result)
{
	f->file = *result;
	f->file.path = dt_arena_strdup(&f->arena, result->path);
	f->file.text.ptr =
		dt_arena_strndup(&f->arena, result->text.ptr, result->text.len);
}

struct performing {
	struct fixture *f;
	const struct dt_operation *op;
};

static void on_end(struct dt_answer *answer, const void *result,
                   const struct dt_fail *fail, void *owner)
{
	struct performing *p = owner;
	struct fixture *f = p->f;

	(void)answer;
	f->ended++;
	if (fail)
		f->fail = *fail;
	else if (p->op == &dt_op_open_file)
		f->opened = *(const struct dt_open_result *)result;
	else if (p->op == &dt_op_get_selection)
		f->selection = copy_selection(f, result);
	else if (p->op == &dt_op_list_documents)
		copy_documents(f, result);
	else if (p->op == &dt_op_read_file)
		copy_file(f, result);
	else if (p->op->result.size == sizeof(struct dt_found_result))
		f->found = *(const struct dt_found_result *)result;
}

static enum dt_err perform(struct fixture *f, const struct dt_operation *op,
                           const void *args)
{
	struct performing performing = { f, op };
	struct dt_answer answer;

	f->ended = 0;
	f->fail = (struct dt_fail){ 0 };
	assert_true(f->editor->can[op->index]);
	dt_answer_init(&answer, on_end, &performing);
	f->editor->backend->perform(f->editor, op, args, &answer);
	assert_int_equal(f->ended, 1);
	return f->fail.code;
}

static enum dt_err with_path(struct fixture *f, const struct dt_operation *op,
                             const char *path)
{
	struct dt_path_args args = { path };

	return perform(f, op, &args);
}

static enum dt_err open_file(struct fixture *f, const char *path)
{
	struct dt_open_args args = { .path = path, .is_frontmost = true };

	return perform(f, &dt_op_open_file, &args);
}

static enum dt_err select_range(struct fixture *f, const char *path,
                                struct dt_range range)
{
	struct dt_selection args = { .path = path, .range = range };

	return perform(f, &dt_op_select, &args);
}

static void get_selection(struct fixture *f, bool is_latest)
{
	struct dt_get_selection_args args = { is_latest };

	assert_ok(perform(f, &dt_op_get_selection, &args));
}

static void assert_range(struct dt_range range, struct dt_range want)
{
	assert_int_equal(range.start.line, want.start.line);
	assert_int_equal(range.start.character, want.start.character);
	assert_int_equal(range.end.line, want.end.line);
	assert_int_equal(range.end.character, want.end.character);
}

#define RANGE(a, b, c, d) ((struct dt_range){ { a, b }, { c, d } })

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

/* selections */

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

/* unsaved text */

test(unsaved_text_is_dirty_until_it_is_saved)
{
	struct fixture f;
	struct stat st;

	begin(&f, state);
	assert_int_equal(chmod(f.a, 0751), 0);
	assert_ok(with_path(&f, &dt_op_check_dirty, f.a));
	assert_false(f.found.is_found);
	assert_ok(open_file(&f, f.a));
	assert_ok(with_path(&f, &dt_op_check_dirty, f.a));
	assert_true(f.found.is_found);
	assert_false(f.found.is_dirty);

	dt_document_set_overlay(&f.docs, f.docs.active, DT_STR("un\0saved"));
	assert_ok(with_path(&f, &dt_op_check_dirty, f.a));
	assert_true(f.found.is_dirty);
	assert_ok(with_path(&f, &dt_op_save_document, f.a));
	assert_true(f.found.is_dirty);
	assert_ok(with_path(&f, &dt_op_check_dirty, f.a));
	assert_false(f.found.is_dirty);

	assert_int_equal(stat(f.a, &st), 0);
	assert_int_equal(st.st_size, 8);
	assert_int_equal(st.st_mode & 07777, 0751);
	end(&f);
}

test(saving_what_is_not_dirty_writes_nothing)
{
	struct fixture f;

	begin(&f, state);
	assert_ok(open_file(&f, f.a));
	assert_int_equal(unlink(f.a), 0);
	assert_ok(with_path(&f, &dt_op_save_document, f.a));
	assert_true(f.found.is_found);
	assert_false(f.found.is_dirty);
	assert_int_not_equal(access(f.a, F_OK), 0);
	assert_ok(with_path(&f, &dt_op_save_document, f.b));
	assert_false(f.found.is_found);
	end(&f);
}

test(a_file_that_went_is_written_anew)
{
	struct fixture f;

	begin(&f, state);
	assert_ok(open_file(&f, f.a));
	dt_document_set_overlay(&f.docs, f.docs.active, DT_STR(""));
	assert_int_equal(unlink(f.a), 0);
	assert_ok(with_path(&f, &dt_op_save_document, f.a));
	assert_int_equal(access(f.a, F_OK), 0);
	end(&f);
}

test(text_that_cannot_be_saved_is_not_lost)
{
	struct fixture f;

	begin(&f, state);
	assert_ok(open_file(&f, f.a));
	dt_document_set_overlay(&f.docs, f.docs.active, DT_STR("unsaved"));
	assert_int_equal(unlink(f.a), 0);
	assert_int_equal(mkdir(f.a, 0700), 0);
	assert_int_equal(with_path(&f, &dt_op_save_document, f.a), DT_E_SYS);
	assert_true(f.fail.msg[0]);
	assert_ok(with_path(&f, &dt_op_check_dirty, f.a));
	assert_true(f.found.is_dirty);
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
		test_in_tempdir(a_selection_holds_the_text_of_its_range),
		test_in_tempdir(a_selection_past_the_end_becomes_the_end),
		test_in_tempdir(a_person_may_select_outside),
		test_in_tempdir(a_selection_can_be_cleared),
		test_in_tempdir(what_cannot_be_selected_leaves_the_selection),
		test_in_tempdir(a_selection_may_be_set_from_itself),
		test_in_tempdir(
			the_current_selection_is_in_the_active_document),
		test_in_tempdir(unsaved_text_is_dirty_until_it_is_saved),
		test_in_tempdir(saving_what_is_not_dirty_writes_nothing),
		test_in_tempdir(a_file_that_went_is_written_anew),
		test_in_tempdir(text_that_cannot_be_saved_is_not_lost),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
