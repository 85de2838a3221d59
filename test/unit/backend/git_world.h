/*
 * test/unit/backend/git_world.h - a headless editor over a real repository.
 *
 * The folder w is the root and, after git_init(), a repository with one commit.
 * Nothing of whoever runs the tests counts: git has a home of its own, and its
 * environment is full of traps.  Results are JSON in which the temporary folder
 * is left out, so that paths begin with "/w".
 */
#ifndef DT_TEST_BACKEND_GIT_WORLD_H
#define DT_TEST_BACKEND_GIT_WORLD_H

#include "backend/headless.h"
#include "base/buf.h"
#include "base/limits.h"
#include "base/tempdir.h"
#include "editor/backend.h"
#include "editor/git.h"
#include "editor/git_write.h"
#include "loop/spawn.h"
#include "unit.h"

struct git_world {
	struct dt_loop *loop;
	struct dt_arena arena;
	struct dt_documents docs;
	struct dt_editor *editor;
	const char *dir;
	const char *root;
	const char *path; /* $PATH, of git and of the tests' commands */

	struct dt_answer answer;
	const struct dt_operation *op;
	int ended;
	struct dt_fail fail;
	const char *json;
};

static char **git_world_env(void *owner, const char *asker,
                            struct dt_arena *arena)
{
	const struct git_world *w = owner;
	char **env = dt_arena_alloc(arena, 12 * sizeof(*env));
	size_t n = 0;

	(void)asker;
	env[n++] = dt_arena_printf(arena, "PATH=%s", w->path);
	env[n++] = dt_arena_printf(arena, "HOME=%s/home", w->dir);
	env[n++] = "GIT_CONFIG_NOSYSTEM=1";
	env[n++] = "LC_ALL=de_DE.UTF-8";
	/* Traps. */
	env[n++] = "GIT_DIR=/nonexistent";
	env[n++] = "GIT_WORK_TREE=/nonexistent";
	env[n++] = "GIT_EXTERNAL_DIFF=false";
	env[n++] = "GIT_TRACE=1";
	return env;
}

static const char *git_world_find(void *owner, const char *asker,
                                  struct dt_arena *arena, const char *program)
{
	const struct git_world *w = owner;

	(void)asker;
	return dt_spawn_find(arena, program, w->path);
}

static inline void git_begin(struct git_world *w, void **state)
{
	const char *roots[1];

	*w = (struct git_world){ .loop = dt_loop_new(), .dir = *state };
	tempdir_mkdir(w->dir, "w");
	tempdir_mkdir(w->dir, "home");
	w->root = dt_arena_printf(&w->arena, "%s/w", w->dir);
	w->path = "/usr/local/bin:/usr/bin:/bin";
	roots[0] = w->root;
	dt_documents_init(&w->docs, roots, 1);
	w->editor = dt_headless_new(&(struct dt_world){
		.loop = w->loop,
		.docs = &w->docs,
		.owner = w,
		.env = git_world_env,
		.find = git_world_find,
	});
	if (!dt_spawn_find(&w->arena, "git", w->path)) {
		print_message("git is not installed\n");
		skip();
	}
}

static inline void git_end(struct git_world *w)
{
	dt_loop_run(w->loop);
	w->editor->backend->free(w->editor);
	dt_documents_done(&w->docs);
	dt_loop_free(w->loop);
	dt_arena_done(&w->arena);
}

/* A command of a shell, in the root. */
static inline void git_sh(struct git_world *w, const char *command)
{
	char *line = dt_arena_printf(
		&w->arena,
		"cd %s && export HOME=%s/home GIT_CONFIG_NOSYSTEM=1 "
		"LC_ALL=C.UTF-8 PATH=%s && { %s; } >%s/log 2>&1 || "
		"{ cat %s/log; exit 1; }",
		w->root, w->dir, w->path, command, w->dir, w->dir);

	/* NOLINTNEXTLINE(cert-env33-c): a test of git needs a repository */
	if (system(line) != 0)
		fail_msg("%s", command);
}

static inline void git_init(struct git_world *w)
{
	git_sh(w, "git init -q -b main . && git config user.name Ada && "
	          "git config user.email ada@example.org && "
	          "printf 'one\\ntwo\\n' >a.c && git add a.c && "
	          "git commit -q -m 'first thing' -m 'because'");
}

static inline const char *git_path(struct git_world *w, const char *name)
{
	return dt_arena_printf(&w->arena, "%s/%s", w->root, name);
}

static void git_on_end(struct dt_answer *answer, const void *result,
                       const struct dt_fail *fail, void *owner)
{
	struct git_world *w = owner;
	struct dt_json_out out;
	struct dt_buf text;
	char *at;

	(void)answer;
	w->ended++;
	if (fail) {
		w->fail = *fail;
		return;
	}
	dt_buf_init(&text, DT_LIMIT_MESSAGE);
	out = dt_json_out(&text);
	dt_shape_write(&w->op->result, result, &out);
	at = dt_arena_strdup(&w->arena, dt_buf_z(&text));
	dt_buf_done(&text);
	w->json = at;
	while ((at = strstr(at, w->dir)))
		memmove(at, at + strlen(w->dir),
		        strlen(at + strlen(w->dir)) + 1);
}

static inline void git_start(struct git_world *w, const struct dt_operation *op,
                             const void *args)
{
	w->op = op;
	w->ended = 0;
	w->json = NULL;
	w->fail = (struct dt_fail){ 0 };
	dt_answer_init(&w->answer, git_on_end, w);
	w->editor->backend->perform(w->editor, op, args, &w->answer);
}

static inline enum dt_err git_do(struct git_world *w,
                                 const struct dt_operation *op,
                                 const void *args)
{
	git_start(w, op, args);
	dt_loop_run(w->loop);
	assert_int_equal(w->ended, 1);
	return w->fail.code;
}

/* It works, and this is in the result. */
#define assert_git(w, op, args, text)                                          \
	do {                                                                   \
		if (git_do(w, op, args))                                       \
			fail_msg("%s: %s", (op)->name, (w)->fail.msg);         \
		assert_has((w)->json, text);                                   \
	} while (0)
/* It fails, and this is in the sentence. */
#define assert_no_git(w, op, args, code, text)                                 \
	do {                                                                   \
		assert_int_equal(git_do(w, op, args), code);                   \
		assert_has((w)->fail.msg, text);                               \
	} while (0)
#define assert_has(whole, part)                                                \
	do {                                                                   \
		if (!strstr(whole, part))                                      \
			fail_msg("\"%s\" is not in %s", part, whole);          \
	} while (0)
#define assert_lacks(whole, part)                                              \
	do {                                                                   \
		if (strstr(whole, part))                                       \
			fail_msg("\"%s\" is in %s", part, whole);              \
	} while (0)

#endif
