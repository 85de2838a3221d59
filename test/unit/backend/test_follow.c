/* test/unit/backend/test_follow.c - who hears of files that change. */
#include "backend/follow.h"

#include "base/limits.h"
#include "editor/change.h"
#include "watch_world.h"

struct trial {
	struct watch_world w;
	struct dt_editor *editor;
	struct dt_buf events; /* "changed a.c|", "unselected|" ... */
	char *path;           /* of a.c */
	int ended;
	struct dt_fail fail;
	bool is_overtaken;
};

static bool may_leave(void *owner, const char *path)
{
	(void)owner;
	return !strstr(path, "secret");
}

static void on_event(struct dt_editor *editor, struct dt_event *event,
                     void *owner)
{
	static const char *const names[] = { "opened", "closed", "changed" };
	struct trial *t = owner;

	assert_ptr_equal(editor, t->editor);
	if (event->type == DT_EVENT_DOCUMENTS)
		dt_buf_addf(&t->events, "%s %s|", names[event->change],
		            event->path + strlen(t->w.root) + 1);
	else if (event->type == DT_EVENT_SELECTION && !event->selection.path)
		dt_buf_add_z(&t->events, "unselected|");
}

static void on_end(struct dt_answer *answer, const void *result,
                   const struct dt_fail *fail, void *owner)
{
	struct trial *t = owner;

	(void)answer;
	(void)result;
	t->ended++;
	t->fail = fail ? *fail : (struct dt_fail){ 0 };
}

static void on_dirty(struct dt_answer *answer, const void *result,
                     const struct dt_fail *fail, void *owner)
{
	const struct dt_found_result *found = result;

	((struct trial *)owner)->is_overtaken = !fail && found->is_overtaken;
	on_end(answer, NULL, fail, owner);
}

static enum dt_err perform(struct trial *t, const struct dt_operation *op,
                           const void *args)
{
	struct dt_answer answer;

	dt_answer_init(&answer, op == &dt_op_check_dirty ? on_dirty : on_end,
	               t);
	t->ended = 0;
	t->editor->backend->perform(t->editor, op, args, &answer);
	assert_int_equal(t->ended, 1);
	return t->fail.code;
}

static struct dt_follow *follow_of(const struct trial *t)
{
	return ((struct dt_headless *)t->editor)->follow;
}

static void begin(struct trial *t, void **state)
{
	*t = (struct trial){ 0 };
	watch_world_begin(&t->w, state);
	t->w.world.may_leave = may_leave;
	dt_buf_init(&t->events, DT_MIB);
	t->path = dt_asprintf("%s/a.c", t->w.root);
	tempdir_put(t->w.root, "a.c", "one\n");
	t->editor = dt_headless_new(&t->w.world);
	t->editor->on_event = on_event;
	t->editor->owner = t;
}

static void end(struct trial *t)
{
	t->editor->backend->stop(t->editor);
	t->editor->backend->free(t->editor);
	watch_world_end(&t->w);
	dt_buf_done(&t->events);
	free(t->path);
}

/* a.c is open, and all is watched. */
static void open_file(struct trial *t)
{
	struct dt_open_args args = { .path = t->path, .is_frontmost = true };

	assert_ok(perform(t, &dt_op_open_file, &args));
	watch_world_until(&t->w, dt_follow_is_settled(follow_of(t)));
	dt_buf_clear(&t->events);
}

static void turn(struct trial *t, int times)
{
	while (times-- > 0)
		uv_run(dt_loop_uv(t->w.loop), UV_RUN_NOWAIT);
}

test(nothing_is_watched_while_nobody_needs_it)
{
	struct trial t;

	begin(&t, state);
	turn(&t, 5);
	assert_false(dt_follow_is_settled(follow_of(&t)));
	assert_ok(perform(&t, &dt_op_list_documents, NULL));
	turn(&t, 5);
	watch_world_sh(&t.w, "echo >b.c");
	assert_ok(perform(&t, &dt_op_list_documents, NULL));
	turn(&t, 5);
	assert_string_equal(dt_buf_z(&t.events), "");
	open_file(&t);
	assert_null(dt_follow_problem(follow_of(&t)));
	assert_null(dt_headless_unseen(t.editor));
	end(&t);
}

test(subscribers_hear_of_every_file_they_may_know)
{
	struct trial t;

	begin(&t, state);
	open_file(&t);
	watch_world_sh(&t.w, "echo >b.c; echo >secret; echo >>a.c");
	watch_world_until(&t.w, strstr(dt_buf_z(&t.events), "a.c|"));
	assert_string_equal(dt_buf_z(&t.events), "changed b.c|changed a.c|");
	end(&t);
}

static bool is_listened(void *owner)
{
	(void)owner;
	return true;
}

test(a_subscription_is_enough)
{
	struct trial t;

	begin(&t, state);
	((struct dt_headless *)t.editor)->world.is_listened = is_listened;
	turn(&t, 5);
	assert_false(dt_follow_is_settled(follow_of(&t)));
	dt_headless_listen(t.editor);
	watch_world_until(&t.w, dt_follow_is_settled(follow_of(&t)));
	watch_world_sh(&t.w, "echo >b.c");
	watch_world_until(&t.w, strstr(dt_buf_z(&t.events), "changed b.c|"));
	end(&t);
}

test(an_operation_sees_what_was_written_before_it)
{
	struct trial t;

	begin(&t, state);
	open_file(&t);
	watch_world_sh(&t.w, "echo >>a.c");
	assert_ok(perform(&t, &dt_op_list_documents, NULL));
	assert_string_equal(dt_buf_z(&t.events), "changed a.c|");
	end(&t);
}

test(a_document_whose_file_went_is_closed)
{
	struct trial t;

	begin(&t, state);
	open_file(&t);
	watch_world_sh(&t.w, "rm a.c");
	watch_world_until(&t.w, t.w.docs.count == 0);
	assert_non_null(strstr(dt_buf_z(&t.events), "closed a.c|unselected|"));
	end(&t);
}

test(a_document_in_a_folder_that_went_is_closed)
{
	struct dt_open_args args = { 0 };
	struct trial t;
	char *path;

	begin(&t, state);
	watch_world_sh(&t.w, "mkdir -p d/e && echo >d/e/f.c");
	path = dt_asprintf("%s/d/e/f.c", t.w.root);
	args.path = path;
	assert_ok(perform(&t, &dt_op_open_file, &args));
	watch_world_until(&t.w, dt_follow_is_settled(follow_of(&t)));
	watch_world_sh(&t.w, "mv d ../d");
	watch_world_until(&t.w, t.w.docs.count == 0);
	free(path);
	end(&t);
}

test(unsaved_text_is_not_written_over_what_others_wrote)
{
	struct dt_path_args file;
	struct dt_set_buffer_args edit = { .text = DT_STR("mine\n") };
	struct trial t;

	begin(&t, state);
	open_file(&t);
	file.path = edit.path = t.path;
	assert_ok(perform(&t, &dt_op_set_buffer, &edit));
	assert_ok(perform(&t, &dt_op_check_dirty, &file));
	assert_false(t.is_overtaken);
	watch_world_sh(&t.w, "echo theirs >a.c");
	assert_ok(perform(&t, &dt_op_check_dirty, &file));
	assert_true(t.is_overtaken);
	assert_int_equal(perform(&t, &dt_op_save_document, &file), DT_E_STATE);
	assert_non_null(strstr(t.fail.msg, "by somebody else"));
	watch_world_sh(&t.w, "grep -q theirs a.c");
	/* Theirs is taken back: nothing stands in the way. */
	watch_world_sh(&t.w, "echo one >a.c");
	assert_ok(perform(&t, &dt_op_save_document, &file));
	watch_world_sh(&t.w, "grep -q mine a.c");
	end(&t);
}

test(it_can_end_while_folders_are_gone_through)
{
	struct dt_open_args args = { 0 };
	struct trial t;

	begin(&t, state);
	args.path = t.path;
	assert_ok(perform(&t, &dt_op_open_file, &args));
	turn(&t, 3);
	end(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_tempdir(nothing_is_watched_while_nobody_needs_it),
		test_in_tempdir(subscribers_hear_of_every_file_they_may_know),
		test_in_tempdir(a_subscription_is_enough),
		test_in_tempdir(an_operation_sees_what_was_written_before_it),
		test_in_tempdir(a_document_whose_file_went_is_closed),
		test_in_tempdir(a_document_in_a_folder_that_went_is_closed),
		test_in_tempdir(
			unsaved_text_is_not_written_over_what_others_wrote),
		test_in_tempdir(it_can_end_while_folders_are_gone_through),
	};

	return cmocka_run_group_tests_name("follow", tests, NULL, NULL);
}
