/* test/unit/backend/headless_world.h - an editor without a window, and what it
 * said last. */
#ifndef DT_TEST_HEADLESS_WORLD_H
#define DT_TEST_HEADLESS_WORLD_H

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

static inline struct dt_selection copy_selection(
	struct fixture *f, const struct dt_selection *from)
{
	struct dt_selection copy = *from;

	copy.path = dt_arena_strdup(&f->arena, from->path);
	if (from->text.len)
		copy.text.ptr = dt_arena_strndup(&f->arena, from->text.ptr,
		                                 from->text.len);
	return copy;
}

static inline void on_event(struct dt_editor *editor, struct dt_event *event,
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

static inline char **no_env(void *owner, const char *asker,
                            struct dt_arena *arena)
{
	(void)asker;
	(void)owner;
	return dt_arena_alloc(arena, sizeof(char *));
}

static inline const char *no_program(void *owner, const char *asker,
                                     struct dt_arena *arena,
                                     const char *program)
{
	(void)asker;
	(void)owner;
	(void)arena;
	(void)program;
	return NULL;
}

static inline const char *no_setting(void *owner, const char *key)
{
	(void)owner;
	(void)key;
	return "";
}

static inline void begin(struct fixture *f, void **state)
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

static inline void end(struct fixture *f)
{
	f->editor->backend->free(f->editor);
	dt_loop_run(f->loop);
	dt_loop_free(f->loop);
	dt_documents_done(&f->docs);
	dt_arena_done(&f->arena);
}

static inline void copy_documents(struct fixture *f,
                                  const struct dt_documents_result *result)
{
	f->count = result->items.count;
	assert_true(f->count <= 2);
	if (f->count)
		memcpy(f->infos, result->items.ptr,
		       f->count * sizeof(f->infos[0]));
}

static inline void copy_file(struct fixture *f,
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

static inline void on_end(struct dt_answer *answer, const void *result,
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

static inline enum dt_err perform(struct fixture *f,
                                  const struct dt_operation *op,
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

static inline enum dt_err with_path(struct fixture *f,
                                    const struct dt_operation *op,
                                    const char *path)
{
	struct dt_path_args args = { path };

	return perform(f, op, &args);
}

static inline enum dt_err open_file(struct fixture *f, const char *path)
{
	struct dt_open_args args = { .path = path, .is_frontmost = true };

	return perform(f, &dt_op_open_file, &args);
}

static inline enum dt_err select_range(struct fixture *f, const char *path,
                                       struct dt_range range)
{
	struct dt_selection args = { .path = path, .range = range };

	return perform(f, &dt_op_select, &args);
}

static inline void get_selection(struct fixture *f, bool is_latest)
{
	struct dt_get_selection_args args = { is_latest };

	assert_ok(perform(f, &dt_op_get_selection, &args));
}

static inline void assert_range(struct dt_range range, struct dt_range want)
{
	assert_int_equal(range.start.line, want.start.line);
	assert_int_equal(range.start.character, want.start.character);
	assert_int_equal(range.end.line, want.end.line);
	assert_int_equal(range.end.character, want.end.character);
}

#define RANGE(a, b, c, d) ((struct dt_range){ { a, b }, { c, d } })

#endif
