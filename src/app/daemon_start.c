/*
 * app/daemon_start.c - the daemon brought up in the background, and down.
 *
 * The daemon is this program again: `dovetail serve --background`, with its
 * stdout a pipe to us.  One line on it says that it serves or why it does not;
 * then nothing ties it to us, nor to the agent that may have started us.
 */
#include "app/daemon_start.h"

#include "app/detach.h"
#include "app/reviews.h"
#include "base/buf.h"
#include "base/clock.h"
#include "hub/dirs.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#define READY_MAX 1024  /* bytes of the line */
#define COMING_MS 10000 /* a daemon that crashed is back before this */
#define GOING_MS 10000
#define POLL_MS 20
#define SCOPE_MS 10000 /* for systemd to make a scope, and the daemon to come */
#define MAX_STARTS 3

static const char *program = "dovetail";

void dt_daemon_set_program(const char *name)
{
	program = name;
}

static void nap(void)
{
	const struct timespec time = { .tv_nsec = POLL_MS * 1000000L };

	nanosleep(&time, NULL);
}

/* up */

/* Wait for what the daemon says first; false when it says nothing in time. */
static bool can_read(int fd, int timeout_ms)
{
	struct pollfd waiting = { .fd = fd, .events = POLLIN };
	int n;

	do {
		n = poll(&waiting, 1, timeout_ms);
	} while (n < 0 && errno == EINTR);
	return n > 0;
}

/* The line "ok" or "error SENTENCE"; DT_E_CLOSED when none came. */
static enum dt_err read_ready(int fd, int timeout_ms, struct dt_fail *fail)
{
	struct dt_buf line;
	enum dt_err err = DT_E_OK;
	char c;
	ssize_t n = 0;

	dt_buf_init(&line, READY_MAX);
	while (can_read(fd, timeout_ms) && (n = read(fd, &c, 1)) != 0 &&
	       c != '\n') {
		if (n > 0)
			dt_buf_add_char(&line, c);
		else if (errno != EINTR)
			break;
	}
	if (dt_str_starts(dt_buf_str(&line), DT_STR("error ")))
		err = dt_fail(fail, DT_E_STATE, "%s", dt_buf_z(&line) + 6);
	else if (!dt_str_is(dt_buf_str(&line), "ok"))
		err = dt_fail(fail, DT_E_CLOSED,
		              "the daemon did not start; `%s serve` shows why",
		              program);
	dt_buf_done(&line);
	return err;
}

static enum dt_err start_by(char *const *argv, int timeout_ms,
                            struct dt_fail *fail)
{
	int ready[2];
	enum dt_err err;

	if (pipe2(ready, O_CLOEXEC) < 0)
		return dt_fail_sys(fail, "cannot start the daemon");
	err = dt_detach(argv, ready[1], fail);
	close(ready[1]);
	if (!err)
		err = read_ready(ready[0], timeout_ms, fail);
	close(ready[0]);
	return err;
}

enum dt_err dt_daemon_start(struct dt_fail *fail)
{
	char *argv[] = { DT_DETACH_SCOPE, NULL, "serve", "--background", NULL };
	char **plain = &argv[sizeof(argv) / sizeof(argv[0]) - 4];
	struct dt_fail why = { 0 };
	enum dt_err err = DT_E_CLOSED;

	/* The daemon changes its folder; a relative name would be lost. */
	if (strchr(program, '/') && program[0] != '/') {
		char *real = realpath(program, NULL);

		if (!real)
			return dt_fail_sys(fail, "cannot start the daemon: %s",
			                   program);
		program = real;
	}
	*plain = (char *)(uintptr_t)program;
	if (dt_detach_has_systemd())
		err = start_by(argv, SCOPE_MS, &why);
	/* A manager that does not answer must not keep us from starting. */
	if (err == DT_E_CLOSED) {
		why = (struct dt_fail){ 0 };
		err = start_by(plain, -1, &why);
	}
	return err ? dt_fail(fail, DT_E_STATE, "%s", why.msg) : DT_E_OK;
}

/* The daemon holds this lock as long as it lives. */
static bool is_locked(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool is_held;

	if (fd < 0)
		return false;
	is_held = flock(fd, LOCK_SH | LOCK_NB) < 0;
	close(fd);
	return is_held;
}

static enum dt_err give_up(const struct dt_dirs *dirs,
                           const struct dt_fail *why, struct dt_fail *fail)
{
	if (why->code)
		return dt_fail(fail, why->code, "%s", why->msg);
	return dt_fail(fail, DT_E_STATE,
	               "a daemon runs and nobody answers at %s; its log is %s",
	               dirs->socket, dirs->log);
}

/* Who holds the lock is coming up or going down, or its parent is bringing it
 * back: that is waited for.  When nobody does, it is for us to start one.  Where
 * the lock is may change meanwhile: somebody with other variables may be first. */
static enum dt_err start_and_reach(struct dt_remote **out, struct dt_fail *fail)
{
	struct dt_arena arena = { 0 };
	uint64_t until = dt_clock_ms() + COMING_MS;
	struct dt_fail why = { 0 };
	struct dt_dirs dirs = { 0 };
	unsigned starts = 0;
	enum dt_err err;

	for (;;) {
		struct dt_fail shut = { 0 };
		bool is_there;

		err = dt_remote_open(out, &shut);
		if (err == DT_E_MISSING && dt_dirs_find(&arena, &dirs, &shut))
			err = shut.code;
		if (err != DT_E_MISSING) {
			dt_arena_done(&arena);
			return err ? dt_fail(fail, err, "%s", shut.msg)
			           : DT_E_OK;
		}
		is_there = is_locked(dirs.lock);
		if (dt_clock_ms() > until ||
		    (!is_there && starts == MAX_STARTS))
			break;
		if (!is_there) {
			why = (struct dt_fail){ 0 };
			starts++;
			if (!dt_daemon_start(&why))
				continue;
		}
		nap();
	}
	err = give_up(&dirs, &why, fail);
	dt_arena_done(&arena);
	return err;
}

enum dt_err dt_daemon_reach(struct dt_remote **out, struct dt_fail *fail)
{
	struct dt_fail why = { 0 };
	enum dt_err err = dt_remote_open(out, &why);

	if (err != DT_E_MISSING)
		return err ? dt_fail(fail, err, "%s", why.msg) : DT_E_OK;
	return start_and_reach(out, fail);
}

/* down */

enum dt_err dt_daemon_waiting(size_t *out, struct dt_fail *fail)
{
	struct dt_review_list list = { 0 };
	struct dt_arena arena = { 0 };
	struct dt_fail why = { 0 };
	struct dt_remote *remote = NULL;
	enum dt_err err = dt_remote_open(&remote, &why);

	if (!err)
		err = dt_reviews_waiting(remote, NULL, &arena, &list, &why);
	*out = list.reviews.count;
	dt_remote_free(remote);
	dt_arena_done(&arena);
	return err == DT_E_SYS ? dt_fail(fail, err, "%s", why.msg) : DT_E_OK;
}

struct stopping {
	uint32_t pid; /* 0: an older daemon did not say */
};
static const struct dt_field stopping_fields[] = {
	DT_FIELD(struct stopping, pid, U32, 0, ""),
	DT_FIELD_END,
};
static const struct dt_shape stopping_shape =
	DT_SHAPE(struct stopping, stopping_fields);

static enum dt_err ask_to_stop(bool is_restart, struct dt_arena *arena,
                               struct stopping *out, struct dt_fail *fail)
{
	struct dt_json_out *params;
	struct dt_remote *remote;
	enum dt_err err = dt_remote_open_any(&remote, fail);

	if (err)
		return err;
	params = dt_remote_begin(remote);
	dt_json_key(params, "isRestart");
	dt_json_put_bool(params, is_restart);
	err = dt_remote_fetch(remote, "stop", arena, &stopping_shape, out,
	                      fail);
	dt_remote_free(remote);
	return err;
}

enum dt_err dt_daemon_stop(bool is_restart, struct dt_fail *fail)
{
	uint64_t until = dt_clock_ms() + GOING_MS;
	struct dt_arena arena = { 0 };
	struct stopping stopping = { 0 };
	struct dt_dirs dirs;
	enum dt_err err = dt_dirs_find(&arena, &dirs, fail);

	if (!err)
		err = ask_to_stop(is_restart, &arena, &stopping, fail);
	/* A hook that waits may have started the next one already. */
	while (!err && is_locked(dirs.lock) &&
	       (!stopping.pid || !kill((pid_t)stopping.pid, 0))) {
		if (dt_clock_ms() > until)
			err = dt_fail(fail, DT_E_TIMEOUT,
			              "the daemon does not end; see %s",
			              dirs.log);
		nap();
	}
	dt_arena_done(&arena);
	return err;
}
