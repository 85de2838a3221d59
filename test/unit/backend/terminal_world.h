/* test/unit/backend/terminal_world.h - a workspace with terminals, and one who
 * asks and waits. */
#ifndef DT_TEST_TERMINAL_WORLD_H
#define DT_TEST_TERMINAL_WORLD_H

#include "backend/headless.h"
#include "backend/terminals.h"
#include "base/clock.h"
#include "base/limits.h"
#include "base/tempdir.h"
#include "unit.h"

#include <stdlib.h>
#include <unistd.h>

struct world {
	struct dt_loop *loop;
	struct dt_documents docs;
	struct dt_editor *editor;
	struct dt_terminals *set;
	struct dt_arena arena;
	const char *dir;
	const char *shell;
	const char *asker;
	/* of the last operation, in the arena */
	bool is_running;
	bool has_ended;
	struct dt_fail fail;
	const struct dt_operation *op;
	void *result;
	unsigned progress;
};

static char **world_env(void *owner, const char *asker, struct dt_arena *arena)
{
	struct world *w = owner;
	char **env = dt_arena_alloc(arena, 8 * sizeof(*env));

	(void)asker;
	env[0] = "PATH=/usr/bin:/bin";
	env[1] = dt_arena_printf(arena, "HOME=%s/home", w->dir);
	env[2] = dt_arena_printf(arena, "SHELL=%s", w->shell);
	env[3] = "LANG=C.UTF-8";
	env[4] = "DOVETAIL_SECRET=1";
	return env;
}

static const char *world_find(void *owner, const char *asker,
                              struct dt_arena *arena, const char *program)
{
	(void)asker;
	(void)owner;
	return dt_arena_printf(arena, "/bin/%s", program);
}

static void world_begin(struct world *w, const char *dir, const char *shell)
{
	*w = (struct world){
		.loop = dt_loop_new(),
		.dir = dir,
		.shell = shell,
		.asker = "one",
	};
	tempdir_mkdir(dir, "w");
	tempdir_mkdir(dir, "w/sub");
	tempdir_mkdir(dir, "home");
	dt_documents_init(
		&w->docs,
		(const char *[]){ dt_arena_printf(&w->arena, "%s/w", dir) }, 1);
	w->editor = dt_headless_new(&(struct dt_world){
		.loop = w->loop,
		.docs = &w->docs,
		.owner = w,
		.env = world_env,
		.find = world_find,
		.run_folder = dt_arena_printf(&w->arena, "%s/run", dir),
	});
	w->set = dt_headless_terminals(w->editor);
}

static void world_end(struct world *w)
{
	if (w->editor)
		w->editor->backend->free(w->editor);
	dt_loop_run(w->loop);
	dt_loop_free(w->loop);
	dt_documents_done(&w->docs);
	dt_arena_done(&w->arena);
}

/* A result kept by its own shape. */
static void *world_keep(struct world *w, const struct dt_shape *shape,
                        const void *result)
{
	void *copy = dt_arena_alloc(&w->arena, shape->size + 1);
	const struct dt_json *json;
	struct dt_json_out out;
	struct dt_buf text;

	dt_buf_init(&text, DT_LIMIT_MESSAGE);
	out = dt_json_out(&text);
	dt_shape_write(shape, result, &out);
	assert_ok(dt_json_read(
		&w->arena,
		(struct dt_str){
			dt_arena_strndup(&w->arena, text.ptr, text.len),
			text.len },
		&json, NULL));
	assert_ok(dt_shape_read(shape, &w->arena, json, copy, NULL));
	dt_buf_done(&text);
	return copy;
}

static void world_on_end(struct dt_answer *answer, const void *result,
                         const struct dt_fail *fail, void *owner)
{
	struct world *w = owner;

	(void)answer;
	w->has_ended = true;
	w->fail = (struct dt_fail){ 0 };
	if (fail)
		w->fail = *fail;
	else
		w->result = world_keep(w, &w->op->result, result);
	if (w->is_running)
		dt_loop_stop(w->loop);
}

static void world_run(struct world *w)
{
	w->is_running = true;
	dt_loop_run(w->loop);
	w->is_running = false;
}

static void world_on_timer(struct dt_timer *timer, void *owner)
{
	dt_timer_free(timer);
	dt_loop_stop(owner);
}

/* Let things happen. */
static void world_run_for(struct world *w, unsigned ms)
{
	dt_timer_start(dt_timer_new(w->loop, world_on_timer, w->loop), ms);
	dt_loop_run(w->loop);
}

static void world_on_progress(struct dt_answer *answer,
                              const struct dt_progress *progress, void *owner)
{
	(void)answer;
	(void)progress;
	((struct world *)owner)->progress++;
}

static void world_start(struct world *w, const struct dt_operation *op,
                        const void *args, struct dt_answer *answer)
{
	w->op = op;
	w->has_ended = false;
	w->result = NULL;
	dt_answer_init(answer, world_on_end, w);
	answer->on_progress = world_on_progress;
	answer->asker = w->asker;
	w->editor->backend->perform(w->editor, op, args, answer);
}

/* The result, or NULL and w->fail. */
static const void *world_do(struct world *w, const struct dt_operation *op,
                            const void *args)
{
	struct dt_answer answer;

	world_start(w, op, args, &answer);
	if (!w->has_ended)
		world_run(w);
	assert_true(w->has_ended);
	return w->result;
}

static const struct dt_execute_terminal_result *world_execute(
	struct world *w, const char *command)
{
	struct dt_execute_terminal_args args = {
		.command = command,
		.timeout_ms = { true, 20000 },
	};

	return world_do(w, &dt_op_execute_in_terminal, &args);
}

static const struct dt_terminal_info *world_create(struct world *w,
                                                   const char *name)
{
	struct dt_create_terminal_args args = { .name = name };

	return world_do(w, &dt_op_create_terminal, &args);
}

#endif
