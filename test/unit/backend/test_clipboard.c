/* test/unit/backend/test_clipboard.c - twin of src/backend/clipboard.c; what
 * stands in for xclip keeps the clipboard in a file. */
#include "backend/clipboard.h"

#include "base/tempdir.h"
#include "editor/project.h"
#include "unit.h"

struct fixture {
	struct dt_loop *loop;
	struct dt_documents docs;
	struct dt_editor *editor;
	struct dt_arena arena;
	char *dir;
	const char *setting;
	const char *display;

	struct dt_answer answer;
	int ended;
	struct dt_fail fail;
	char *text;
};

static char **env_of(void *owner, const char *asker, struct dt_arena *arena)
{
	struct fixture *f = owner;
	char **env = dt_arena_alloc(arena, 4 * sizeof(*env));

	(void)asker;
	env[0] = dt_arena_strdup(arena, "PATH=/usr/bin:/bin");
	env[1] = dt_arena_printf(arena, "BOARD=%s/board", f->dir);
	env[2] = dt_arena_strdup(arena, f->display);
	return env;
}

static const char *find_program(void *owner, const char *asker,
                                struct dt_arena *arena, const char *program)
{
	struct fixture *f = owner;

	(void)asker;
	if (strcmp(program, "xclip") != 0)
		return NULL;
	return dt_arena_printf(arena, "%s/xclip", f->dir);
}

static const char *setting_of(void *owner, const char *key)
{
	struct fixture *f = owner;

	assert_string_equal(key, "context.clipboard");
	return f->setting;
}

static void begin(struct fixture *f, void **state)
{
	const char *root = *state;

	*f = (struct fixture){
		.loop = dt_loop_new(),
		.dir = *state,
		.setting = "on",
		.display = "DISPLAY=:9",
	};
	tempdir_put(
		f->dir, "xclip",
		"#!/bin/sh\n[ \"$1 $2\" = '-selection clipboard' ] || exit 9\n"
		"if [ \"$3\" = -in ]; then cat >\"$BOARD\"\n"
		"elif [ -f \"$BOARD\" ]; then cat \"$BOARD\"\n"
		"else echo 'nothing there' >&2; exit 1; fi\n");
	assert_int_equal(
		chmod(dt_arena_printf(&f->arena, "%s/xclip", f->dir), 0755), 0);
	dt_documents_init(&f->docs, &root, 1);
	f->editor = dt_headless_new(&(struct dt_world){
		.loop = f->loop,
		.docs = &f->docs,
		.owner = f,
		.env = env_of,
		.find = find_program,
		.setting = setting_of,
	});
}

static void end(struct fixture *f)
{
	f->editor->backend->free(f->editor);
	dt_documents_done(&f->docs);
	dt_loop_run(f->loop);
	dt_loop_free(f->loop);
	dt_arena_done(&f->arena);
}

static void on_end(struct dt_answer *answer, const void *result,
                   const struct dt_fail *fail, void *owner)
{
	const struct dt_clipboard *found = result;
	struct fixture *f = owner;

	(void)answer;
	f->ended++;
	if (fail)
		f->fail = *fail;
	else if (found)
		f->text = dt_arena_strndup(&f->arena, found->text.ptr,
		                           found->text.len);
}

static void start(struct fixture *f, const struct dt_operation *op,
                  const char *text)
{
	struct dt_clipboard args = { .text = dt_str(text) };

	f->ended = 0;
	f->fail = (struct dt_fail){ 0 };
	f->text = NULL;
	dt_answer_init(&f->answer, on_end, f);
	f->editor->backend->perform(f->editor, op, &args, &f->answer);
}

static enum dt_err ask(struct fixture *f, const struct dt_operation *op,
                       const char *text)
{
	start(f, op, text);
	dt_loop_run(f->loop);
	assert_int_equal(f->ended, 1);
	return f->fail.code;
}

test(what_was_copied_is_read)
{
	struct fixture f;

	begin(&f, state);
	assert_int_equal(ask(&f, &dt_op_read_clipboard, NULL), DT_E_STATE);
	assert_string_equal(f.fail.msg, "the clipboard: nothing there");
	assert_ok(ask(&f, &dt_op_write_clipboard, "one\n\xc3\xa4"));
	assert_ok(ask(&f, &dt_op_read_clipboard, NULL));
	assert_string_equal(f.text, "one\n\xc3\xa4");
	assert_ok(ask(&f, &dt_op_write_clipboard, "\xff"));
	assert_int_equal(ask(&f, &dt_op_read_clipboard, NULL),
	                 DT_E_UNSUPPORTED);
	end(&f);
}

test(it_is_closed_until_the_person_opens_it)
{
	struct fixture f;

	begin(&f, state);
	f.setting = "off";
	assert_int_equal(ask(&f, &dt_op_read_clipboard, NULL), DT_E_DENIED);
	assert_int_equal(ask(&f, &dt_op_write_clipboard, "x"), DT_E_DENIED);
	f.setting = "on";
	assert_int_equal(ask(&f, &dt_op_read_clipboard, NULL), DT_E_STATE);
	end(&f);
}

test(without_a_display_there_is_none)
{
	struct fixture f;

	begin(&f, state);
	f.display = "DISPLAY=";
	assert_int_equal(ask(&f, &dt_op_read_clipboard, NULL), DT_E_MISSING);
	end(&f);
}

test(nobody_may_wait_any_more)
{
	struct fixture f;

	begin(&f, state);
	start(&f, &dt_op_write_clipboard, "x");
	dt_answer_drop(&f.answer);
	dt_loop_run(f.loop);
	assert_int_equal(f.ended, 0);
	end(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_tempdir(what_was_copied_is_read),
		test_in_tempdir(it_is_closed_until_the_person_opens_it),
		test_in_tempdir(without_a_display_there_is_none),
		test_in_tempdir(nobody_may_wait_any_more),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
