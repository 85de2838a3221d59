/* test/unit/backend/code_scene.h - operations about code, performed with a server
 * whose answers a test wrote down; see the mode "canned" of lsp_fake.h. */
#ifndef DT_TEST_CODE_SCENE_H
#define DT_TEST_CODE_SCENE_H

#include "backend/headless_state.h"
#include "backend/lsp_fake.h"
#include "backend/lsp_state.h"
#include "base/tempdir.h"
#include "unit.h"

#include <limits.h>

struct code_scene {
	struct dt_loop *loop;
	struct dt_documents docs;
	struct dt_editor *editor;
	struct dt_arena arena;
	const char *root;
	const char *file; /* a.c there */
	const char *deny; /* context.deny, or NULL */
	const struct dt_operation *op;
	struct dt_answer answer;
	bool has_ended;
	char *told; /* the result as JSON without the root, or the failure */
};

static inline char **code_scene_env(void *owner, const char *asker,
                                    struct dt_arena *arena)
{
	char **env = dt_arena_alloc(arena, 2 * sizeof(*env));

	(void)asker;
	(void)owner;
	env[0] = dt_arena_strdup(arena, "FAKE_LSP=canned");
	return env;
}

static inline const char *code_scene_find(void *owner, const char *asker,
                                          struct dt_arena *arena,
                                          const char *program)
{
	char self[PATH_MAX];

	(void)asker;
	(void)owner;
	if (strcmp(program, "clangd") != 0)
		return NULL;
	return dt_arena_strdup(arena, realpath("/proc/self/exe", self));
}

static inline const char *code_scene_setting(void *owner, const char *key)
{
	struct code_scene *s = owner;

	return !strcmp(key, "context.deny") ? s->deny : NULL;
}

static inline void code_scene_begin(struct code_scene *s, void **state,
                                    const char *text)
{
	*s = (struct code_scene){ .loop = dt_loop_new(), .root = *state };
	tempdir_put(s->root, "a.c", text);
	s->file = dt_arena_printf(&s->arena, "%s/a.c", s->root);
	dt_documents_init(&s->docs, &s->root, 1);
	s->editor = dt_headless_new(&(struct dt_world){
		.loop = s->loop,
		.docs = &s->docs,
		.owner = s,
		.env = code_scene_env,
		.find = code_scene_find,
		.setting = code_scene_setting,
	});
	((struct dt_headless *)s->editor)->lsp->tells_sources = false;
}

static inline void code_scene_end(struct code_scene *s)
{
	s->editor->backend->free(s->editor);
	dt_loop_run(s->loop);
	dt_loop_free(s->loop);
	dt_documents_done(&s->docs);
	dt_arena_done(&s->arena);
}

/* What the server answers: an object by method, "$" for the URI of the root. */
static inline void code_scene_can(struct code_scene *s, const char *answers)
{
	struct dt_buf text;

	dt_buf_init(&text, DT_MIB);
	for (; *answers; answers++) {
		if (*answers == '$')
			dt_buf_addf(&text, "file://%s", s->root);
		else
			dt_buf_add_char(&text, *answers);
	}
	tempdir_put(s->root, "canned.json", dt_buf_z(&text));
	dt_buf_done(&text);
}

static inline void code_scene_on_end(struct dt_answer *answer,
                                     const void *result,
                                     const struct dt_fail *fail, void *owner)
{
	struct code_scene *s = owner;
	struct dt_json_out out;
	struct dt_buf text;
	char *at;

	(void)answer;
	dt_buf_init(&text, DT_MIB);
	out = dt_json_out(&text);
	if (fail)
		dt_buf_add_z(&text, fail->msg);
	else
		dt_shape_write(&s->op->result, result, &out);
	s->told = dt_arena_strdup(&s->arena, dt_buf_z(&text));
	while ((at = strstr(s->told, s->root)))
		memmove(at, at + strlen(s->root),
		        strlen(at + strlen(s->root)) + 1);
	dt_buf_done(&text);
	s->has_ended = true;
	dt_loop_stop(s->loop);
}

static inline const char *code_scene_perform(struct code_scene *s,
                                             const struct dt_operation *op,
                                             const void *args)
{
	s->op = op;
	s->has_ended = false;
	dt_answer_init(&s->answer, code_scene_on_end, s);
	s->editor->backend->perform(s->editor, op, args, &s->answer);
	while (!s->has_ended)
		dt_loop_run(s->loop);
	return s->told;
}

#endif
