/* test/unit/backend/watch_world.h - a workspace whose files change. */
#ifndef DT_TEST_WATCH_WORLD_H
#define DT_TEST_WATCH_WORLD_H

#include "backend/headless.h"
#include "base/clock.h"
#include "base/tempdir.h"
#include "loop/spawn.h"
#include "unit.h"

#include <signal.h>
#include <sys/wait.h>
#include <uv.h>

#define PATIENCE_MS 10000

struct watch_world {
	struct dt_loop *loop;
	struct dt_documents docs;
	struct dt_world world;
	struct dt_timer *alive; /* a loop that only watches would end */
	const char *dir;        /* the test's */
	char *root;             /* dir/w */
	bool has_no_git;
};

static inline char **watch_world_env(void *owner, const char *asker,
                                     struct dt_arena *arena)
{
	struct watch_world *w = owner;
	char **env = dt_arena_alloc(arena, 4 * sizeof(*env));

	(void)asker;
	env[0] = dt_arena_printf(arena, "PATH=%s", getenv("PATH"));
	env[1] = dt_arena_printf(arena, "HOME=%s", w->dir);
	/* Would lead git elsewhere. */
	env[2] = dt_arena_strdup(arena, "GIT_DIR=/nowhere");
	return env;
}

static inline const char *watch_world_find(void *owner, const char *asker,
                                           struct dt_arena *arena,
                                           const char *program)
{
	const struct watch_world *w = owner;

	(void)asker;
	return w->has_no_git ? NULL
	                     : dt_spawn_find(arena, program, getenv("PATH"));
}

static inline void watch_world_tick(struct dt_timer *timer, void *owner)
{
	(void)timer;
	(void)owner;
}

static inline void watch_world_begin(struct watch_world *w, void **state)
{
	*w = (struct watch_world){ .loop = dt_loop_new(), .dir = *state };
	signal(SIGPIPE, SIG_IGN); /* as main() does */
	w->alive = dt_timer_new(w->loop, watch_world_tick, NULL);
	dt_timer_repeat(w->alive, 1000);
	tempdir_mkdir(w->dir, "w");
	w->root = dt_asprintf("%s/w", w->dir);
	dt_documents_init(&w->docs, (const char *[]){ w->root }, 1);
	w->world = (struct dt_world){
		.loop = w->loop,
		.docs = &w->docs,
		.owner = w,
		.env = watch_world_env,
		.find = watch_world_find,
	};
}

static inline void watch_world_end(struct watch_world *w)
{
	dt_timer_free(w->alive);
	dt_loop_run(w->loop);
	dt_loop_free(w->loop);
	dt_documents_done(&w->docs);
	free(w->root);
}

/* One command of the shell, in the root. */
static inline void watch_world_sh(const struct watch_world *w, const char *line)
{
	char *command = dt_asprintf(
		"cd '%s' && HOME='%s' GIT_CONFIG_NOSYSTEM=1 && export HOME "
		"GIT_CONFIG_NOSYSTEM && %s",
		w->root, w->dir, line);
	int status = system(command); /* NOLINT(cert-env33-c) */

	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	free(command);
}

#define watch_world_until(w, condition)                                        \
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

#endif
