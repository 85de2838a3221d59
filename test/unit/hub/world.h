/*
 * test/unit/hub/world.h - a hub in a world of its own.
 *
 * A world has its own HOME and XDG folders.  Hub and clients share one loop, and
 * talk through real sockets.  Only the tick stops the loop, so wait_for() looks
 * at its condition every few milliseconds and nothing asserts in a callback.
 */
#ifndef DT_TEST_HUB_WORLD_H
#define DT_TEST_HUB_WORLD_H

#include "unit.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/limits.h"
#include "base/log.h"
#include "hub/hub.h"
#include "hub/workspace.h"
#include "link/link.h"
#include "loop/loop.h"
#include "loop/stream.h"

#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TICK_MS 2
#define PATIENCE_MS 15000

struct world {
	struct dt_arena arena; /* what tests look at lives here */
	char *dir;             /* holds everything */
	char *home;
	char *project; /* a folder to serve */
	struct dt_loop *loop;
	struct dt_timer *tick;
	struct dt_hub hub;
	bool has_hub;
	struct client *clients;
	int log;
};

/* Something connected: raw bytes first, messages once it has a link. */
struct client {
	struct client *next;
	struct world *w;
	struct dt_stream *stream;
	struct dt_link *link;
	struct dt_buf in;
	char **heard;
	uint64_t *heard_ms;
	size_t count;
	size_t taken;
	bool is_closed;
	struct dt_fail why;
	unsigned id; /* of the last request */
};

/* Run the loop until the condition holds; fail when it never does. */
#define wait_for(w, condition)                                                 \
	do {                                                                   \
		uint64_t until_ms = dt_clock_ms() + PATIENCE_MS;               \
		while (!(condition)) {                                         \
			if (dt_clock_ms() > until_ms)                          \
				fail_msg("never: %s", #condition);             \
			dt_loop_run((w)->loop);                                \
		}                                                              \
	} while (0)

/* printf into the world's arena. */
#define text_of(w, ...) dt_arena_printf(&(w)->arena, __VA_ARGS__)

static inline void run_for(struct world *w, uint64_t ms)
{
	uint64_t until = dt_clock_ms() + ms;

	while (dt_clock_ms() < until)
		dt_loop_run(w->loop);
}

/*
 * Verdicts of what an agent started are refused, and an agent may well run these
 * tests: start again without the variable that tells.
 */
__attribute__((constructor)) static void forget_agent(int argc, char **argv)
{
	(void)argc;
	if (!getenv("CLAUDECODE"))
		return;
	unsetenv("CLAUDECODE");
	execv("/proc/self/exe", argv);
}

/* files */

static inline void put_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

/* The text of a file, or NULL. */
static inline char *file_text(struct world *w, const char *path)
{
	struct dt_buf text;
	char *copy = NULL;

	dt_buf_init(&text, DT_MIB);
	if (!dt_file_read(path, &text, NULL))
		copy = dt_arena_strndup(&w->arena, text.ptr, text.len);
	dt_buf_done(&text);
	return copy;
}

static inline bool is_there(const char *path)
{
	return access(path, F_OK) == 0;
}

static inline unsigned mode_of(const char *path)
{
	struct stat st;

	assert_int_equal(stat(path, &st), 0);
	return st.st_mode & 07777;
}

/* A folder below the world's; its parents are there. */
static inline char *make_folder(struct world *w, const char *name)
{
	char *path = text_of(w, "%s/%s", w->dir, name);

	assert_int_equal(mkdir(path, 0700), 0);
	return path;
}

/* A file in the project. */
static inline char *make_file(struct world *w, const char *name,
                              const char *text)
{
	char *path = text_of(w, "%s/%s", w->project, name);

	put_file(path, text);
	return path;
}

/* the world */

static inline void on_tick(struct dt_timer *timer, void *owner)
{
	struct world *w = owner;

	(void)timer;
	dt_loop_stop(w->loop);
}

static inline void start_loop(struct world *w)
{
	w->loop = dt_loop_new();
	w->tick = dt_timer_new(w->loop, on_tick, w);
	dt_timer_repeat(w->tick, TICK_MS);
}

static inline void start_hub(struct world *w)
{
	struct dt_hub_options options = { 0 };
	struct dt_fail fail = { 0 };

	if (dt_hub_init(&w->hub, w->loop, &options, &fail))
		fail_msg("%s", fail.msg);
	w->has_hub = true;
	dt_log_set_level(DT_LOG_DEBUG);
}

/* Folders and a loop, no hub. */
static inline struct world *make_world(void)
{
	char name[] = "/tmp/dovetail-hub-XXXXXX";
	struct world *w = dt_alloc(sizeof(*w));

	signal(SIGPIPE, SIG_IGN); /* as the daemon does */
	assert_non_null(mkdtemp(name));
	w->dir = realpath(name, NULL);
	w->home = make_folder(w, "home");
	w->project = make_folder(w, "p");
	setenv("HOME", w->home, 1);
	setenv("XDG_RUNTIME_DIR", make_folder(w, "r"), 1);
	setenv("XDG_STATE_HOME", make_folder(w, "s"), 1);
	setenv("XDG_CONFIG_HOME", make_folder(w, "c"), 1);
	unsetenv("CLAUDE_CONFIG_DIR");
	make_folder(w, "r/dovetail");
	w->log = open(text_of(w, "%s/log", w->dir),
	              O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	dt_log_set(DT_LOG_DEBUG, w->log);
	start_loop(w);
	return w;
}

static inline bool log_has(struct world *w, const char *part)
{
	return strstr(file_text(w, text_of(w, "%s/log", w->dir)), part);
}

/* A client's end, as if its process had died. */
static inline void drop(struct client *c)
{
	if (!c->is_closed)
		dt_stream_close(c->stream);
	wait_for(c->w, c->is_closed);
}

static inline void free_clients(struct world *w)
{
	while (w->clients) {
		struct client *c = w->clients;

		w->clients = c->next;
		for (size_t i = 0; i < c->count; i++)
			free(c->heard[i]);
		free(c->heard);
		free(c->heard_ms);
		dt_buf_done(&c->in);
		free(c);
	}
}

/* As the daemon does: say goodbye, let the loop run out, free. */
static inline void stop_hub(struct world *w)
{
	for (struct client *c = w->clients; c && !w->has_hub; c = c->next)
		drop(c);
	if (w->has_hub)
		dt_hub_stop(&w->hub);
	dt_timer_free(w->tick);
	dt_loop_run(w->loop);
	if (w->has_hub)
		dt_hub_done(&w->hub);
	w->has_hub = false;
	dt_loop_free(w->loop);
	w->loop = NULL;
	free_clients(w);
}

/* Another run in the same world. */
static inline void restart_hub(struct world *w)
{
	stop_hub(w);
	start_loop(w);
	start_hub(w);
}

static inline int remove_one(const char *path, const struct stat *st, int type,
                             struct FTW *where)
{
	(void)st;
	(void)type;
	(void)where;
	return remove(path);
}

static inline void free_world(struct world *w)
{
	if (w->loop)
		stop_hub(w);
	dt_log_set(DT_LOG_WARN, STDERR_FILENO);
	close(w->log);
	nftw(w->dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	free(w->dir);
	dt_arena_done(&w->arena);
	free(w);
}

/* Setup and teardown for cmocka: `*state` is the world. */
static inline int open_world(void **state)
{
	struct world *w = make_world();

	start_hub(w);
	*state = w;
	return 0;
}

static inline int open_empty_world(void **state)
{
	*state = make_world();
	return 0;
}

static inline int close_world(void **state)
{
	free_world(*state);
	return 0;
}

#define test_in_world(name)                                                    \
	cmocka_unit_test_setup_teardown(name, open_world, close_world)
#define test_in_empty_world(name)                                              \
	cmocka_unit_test_setup_teardown(name, open_empty_world, close_world)

/* A test whose first line is `struct world *w = *state;`. */
#define world_test(name) static void name(void **state)

static inline struct dt_workspace *serve_at(struct world *w, const char *folder)
{
	struct dt_workspace *ws = NULL;
	struct dt_fail fail = { 0 };

	if (dt_hub_serve(&w->hub, folder, true, 0, &ws, &fail))
		fail_msg("%s", fail.msg);
	return ws;
}

/* The project's workspace. */
static inline struct dt_workspace *serve(struct world *w)
{
	return serve_at(w, w->project);
}

#endif
