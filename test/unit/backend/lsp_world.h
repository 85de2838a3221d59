/* test/unit/backend/lsp_world.h - a workspace with language servers, and what
 * the last question to them brought. */
#ifndef DT_TEST_LSP_WORLD_H
#define DT_TEST_LSP_WORLD_H

#include "backend/lsp.h"
#include "backend/lsp_state.h"
#include "backend/problems.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/path.h"
#include "base/tempdir.h"
#include "loop/spawn.h"
#include "unit.h"

#include <limits.h>
#include <signal.h>
#include <uv.h>

#define PATIENCE_MS 20000 /* on a machine that does other things, too */

struct lsp_world {
	struct dt_loop *loop;
	struct dt_documents docs;
	struct dt_problems *problems;
	struct dt_lsp *lsp;
	struct dt_arena arena;
	const char *dir;  /* the test's */
	const char *root; /* dir/w */
	/* For every program that is looked for, or NULL: by PATH. */
	const char *program;
	bool has_no_programs;
	char self[PATH_MAX];
	const char *mode; /* of the fake server */
	const char *virtual_env;
	const char *idle_minutes;
	int problem_changes;

	/* What came of questions. */
	int ended;
	struct dt_fail fail;
	char *result; /* raw JSON, in the arena; NULL: none */
	const char *server;
	bool is_early;
	int edits;
	bool takes_edits;
};

static inline char **lsp_world_env(void *owner, const char *asker,
                                   struct dt_arena *arena)
{
	struct lsp_world *w = owner;
	char **env = dt_arena_alloc(arena, 8 * sizeof(*env));
	size_t n = 0;

	(void)asker;
	env[n++] = dt_arena_printf(arena, "PATH=%s", getenv("PATH"));
	env[n++] = dt_arena_printf(arena, "HOME=%s", w->dir);
	if (w->mode)
		env[n++] = dt_arena_printf(arena, "FAKE_LSP=%s", w->mode);
	if (w->virtual_env)
		env[n++] = dt_arena_printf(arena, "VIRTUAL_ENV=%s",
		                           w->virtual_env);
	return env;
}

static inline const char *lsp_world_find(void *owner, const char *asker,
                                         struct dt_arena *arena,
                                         const char *program)
{
	struct lsp_world *w = owner;

	(void)asker;
	/* The fake is no git. */
	if (w->has_no_programs || (w->program && !strcmp(program, "git")))
		return NULL;
	return w->program ? w->program
	                  : dt_spawn_find(arena, program, getenv("PATH"));
}

static inline const char *lsp_world_setting(void *owner, const char *key)
{
	struct lsp_world *w = owner;

	return !strcmp(key, "lsp.idle_minutes") ? w->idle_minutes : NULL;
}

static inline void lsp_world_on_problems(const char *path, void *owner)
{
	struct lsp_world *w = owner;

	(void)path;
	w->problem_changes++;
}

static inline void lsp_world_begin(struct lsp_world *w, void **state)
{
	*w = (struct lsp_world){ .loop = dt_loop_new(), .dir = *state };
	signal(SIGPIPE, SIG_IGN); /* as main() does */
	tempdir_mkdir(w->dir, "w");
	w->root = dt_arena_printf(&w->arena, "%s/w", w->dir);
	dt_documents_init(&w->docs, (const char *[]){ w->root }, 1);
	w->problems = dt_problems_new(lsp_world_on_problems, w);
	w->lsp = dt_lsp_new(
		&(struct dt_world){
			.loop = w->loop,
			.docs = &w->docs,
			.owner = w,
			.env = lsp_world_env,
			.find = lsp_world_find,
			.setting = lsp_world_setting,
		},
		w->problems);
}

/* The test program as the server of every language; see lsp_fake.h. */
static inline void lsp_world_fake(struct lsp_world *w, const char *mode)
{
	w->program = realpath("/proc/self/exe", w->self);
	w->mode = mode;
	w->lsp->tells_sources = false;
	w->lsp->times = (struct dt_lsp_times){
		.start_ms = PATIENCE_MS,
		.stop_ms = 200,
		.pause_ms = 50,
		.silent_ms = 50,
		.minute_ms = 50,
		.news_ms = 100,
		.hush_ms = 300,
		.part_ms = 50,
		.begin_ms = 50,
	};
}

/* Nothing of a server may be left when the loop has run to its end. */
static inline void lsp_world_end(struct lsp_world *w)
{
	dt_lsp_free(w->lsp);
	dt_problems_free(w->problems);
	dt_documents_done(&w->docs);
	dt_loop_run(w->loop);
	dt_loop_free(w->loop);
	dt_arena_done(&w->arena);
}

#define lsp_world_until(w, condition)                                          \
	do {                                                                   \
		uint64_t until_ = dt_clock_ms() + PATIENCE_MS;                 \
                                                                               \
		while (!(condition)) {                                         \
			assert_true(dt_clock_ms() < until_);                   \
			uv_run(dt_loop_uv((w)->loop), UV_RUN_NOWAIT);          \
			if (!(condition))                                      \
				usleep(1000);                                  \
		}                                                              \
	} while (0)

static inline const char *lsp_world_path(struct lsp_world *w, const char *name)
{
	return dt_path_join(&w->arena, w->root, name);
}

static inline const char *lsp_world_put(struct lsp_world *w, const char *name,
                                        const char *text)
{
	tempdir_put(w->root, name, text);
	return lsp_world_path(w, name);
}

/* The file is another than before, or gone. */
static inline void lsp_world_changed(struct lsp_world *w, const char *path)
{
	struct dt_file_change change = {
		.path = path,
		.kind = access(path, F_OK) ? DT_FILE_DELETED : DT_FILE_CHANGED,
	};

	dt_lsp_changed(w->lsp, &(struct dt_file_changes){ &change, 1, false });
}

static inline void lsp_world_on_reply(const struct dt_lsp_reply *reply,
                                      const struct dt_fail *fail, void *owner)
{
	struct lsp_world *w = owner;

	w->ended++;
	w->fail = fail ? *fail : (struct dt_fail){ 0 };
	w->result = NULL;
	w->server = NULL;
	if (!reply)
		return;
	w->server = dt_arena_strdup(&w->arena, reply->server);
	w->is_early = reply->is_early;
	if (reply->result)
		w->result = dt_arena_strndup(&w->arena, reply->result->raw.ptr,
		                             reply->result->raw.len);
}

static inline bool lsp_world_on_edit(const struct dt_json *edit, void *owner)
{
	struct lsp_world *w = owner;

	assert_int_equal(edit->type, DT_JSON_OBJECT);
	w->edits++;
	return w->takes_edits;
}

/* "textDocument/hover" at a place, or another question of that shape. */
static inline struct dt_lsp_request *lsp_world_start(
	struct lsp_world *w, const char *path, const char *method,
	unsigned line, unsigned character, unsigned deadline_ms)
{
	char *params = dt_arena_printf(
		&w->arena,
		"{\"textDocument\":{\"uri\":\"%s\"},"
		"\"position\":{\"line\":%u,\"character\":%u}}",
		dt_path_to_uri(&w->arena, path), line, character);

	return dt_lsp_ask(w->lsp,
	                  &(struct dt_lsp_ask){ .path = path,
	                                        .method = method,
	                                        .params = dt_str(params),
	                                        .deadline_ms = deadline_ms,
	                                        .on_edit = lsp_world_on_edit },
	                  lsp_world_on_reply, w);
}

static inline void lsp_world_wait(struct lsp_world *w)
{
	int ended = w->ended;

	lsp_world_until(w, w->ended > ended);
	assert_int_equal(w->ended, ended + 1);
}

static inline void lsp_world_hover(struct lsp_world *w, const char *path,
                                   unsigned line, unsigned character)
{
	lsp_world_start(w, path, "textDocument/hover", line, character,
	                PATIENCE_MS);
	lsp_world_wait(w);
}

/* Another question, about the place 0:0. */
static inline void lsp_world_ask(struct lsp_world *w, const char *path,
                                 const char *method)
{
	lsp_world_start(w, path, method, 0, 0, PATIENCE_MS);
	lsp_world_wait(w);
}

static inline void lsp_world_refresh(struct lsp_world *w, const char *path)
{
	dt_lsp_refresh(w->lsp, path, PATIENCE_MS, lsp_world_on_reply, w);
	lsp_world_wait(w);
}

/* The only server there is. */
static inline struct dt_lsp_info lsp_world_info(struct lsp_world *w)
{
	struct dt_items items = dt_lsp_list(w->lsp, &w->arena);

	assert_int_equal(items.count, 1);
	return *(struct dt_lsp_info *)items.ptr;
}

#endif
