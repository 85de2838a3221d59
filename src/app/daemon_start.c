/*
 * app/daemon_start.c - the daemon brought up in the background, and down.
 *
 * The daemon is this program again: `dovetail serve --background`, in a session
 * of its own, with its stdout a pipe to us.  One line on it says that it serves
 * or why it does not; then nothing ties it to us.
 */
#include "app/daemon_start.h"

#include "app/child.h"
#include "base/buf.h"
#include "base/clock.h"
#include "hub/dirs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#define READY_MAX 1024  /* bytes of the line */
#define COMING_MS 10000 /* a daemon that crashed is back before this */
#define GOING_MS 10000
#define POLL_MS 20

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

static void become_daemon(int ready)
{
	char *argv[] = { (char *)(uintptr_t)program, "serve", "--background",
		         NULL };
	int null = open("/dev/null", O_RDWR);

	setsid();
	/* It outlives this folder, and must not keep a disk busy. */
	if (null < 0 || chdir("/") < 0)
		_exit(1);
	dup2(null, STDIN_FILENO);
	dup2(ready, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
	if (null > STDERR_FILENO)
		close(null);
	dt_child_become(argv);
	_exit(DT_CHILD_MISSING);
}

/* The line "ok" or "error SENTENCE"; nothing when it died before. */
static enum dt_err read_ready(int fd, struct dt_fail *fail)
{
	struct dt_buf line;
	enum dt_err err = DT_E_OK;
	char c;
	ssize_t n;

	dt_buf_init(&line, READY_MAX);
	while ((n = read(fd, &c, 1)) != 0 && c != '\n') {
		if (n > 0)
			dt_buf_add_char(&line, c);
		else if (errno != EINTR)
			break;
	}
	if (dt_str_starts(dt_buf_str(&line), DT_STR("error ")))
		err = dt_fail(fail, DT_E_STATE, "%s", dt_buf_z(&line) + 6);
	else if (!dt_str_is(dt_buf_str(&line), "ok"))
		err = dt_fail(fail, DT_E_STATE,
		              "the daemon did not start; `%s serve` shows why",
		              program);
	dt_buf_done(&line);
	return err;
}

enum dt_err dt_daemon_start(struct dt_fail *fail)
{
	int ready[2];
	enum dt_err err;
	pid_t pid;

	/* The daemon changes its folder; a relative name would be lost. */
	if (strchr(program, '/') && program[0] != '/')
		program = realpath(program, NULL);
	if (!program || pipe2(ready, O_CLOEXEC) < 0)
		return dt_fail_sys(fail, "cannot start the daemon");
	pid = fork();
	if (pid == 0)
		become_daemon(ready[1]);
	close(ready[1]);
	if (pid < 0)
		err = dt_fail_sys(fail, "cannot start the daemon");
	else
		err = read_ready(ready[0], fail);
	close(ready[0]);
	return err;
}

enum dt_err dt_daemon_reach(struct dt_remote **out, struct dt_fail *fail)
{
	uint64_t until = dt_clock_ms() + COMING_MS;
	struct dt_fail why = { 0 };
	enum dt_err err = dt_remote_open(out, &why);
	enum dt_err started;

	if (err != DT_E_MISSING)
		return err ? dt_fail(fail, err, "%s", why.msg) : DT_E_OK;
	why = (struct dt_fail){ 0 };
	started = dt_daemon_start(&why);
	/* Somebody else may be starting it, or its parent is bringing it back;
	 * then ours has failed and theirs is about to answer. */
	do {
		err = dt_remote_open(out, NULL);
		if (err == DT_E_MISSING)
			nap();
	} while (err == DT_E_MISSING && dt_clock_ms() < until);
	if (!err)
		return DT_E_OK;
	if (started)
		return dt_fail(fail, started, "%s", why.msg);
	return dt_fail(fail, err, "the daemon started but does not answer");
}

/* down */

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

static enum dt_err ask_to_stop(bool is_restart, struct dt_arena *arena,
                               struct dt_fail *fail)
{
	struct dt_json_out *params;
	struct dt_remote *remote;
	enum dt_err err = dt_remote_open_any(&remote, fail);

	if (err)
		return err;
	params = dt_remote_begin(remote);
	dt_json_key(params, "isRestart");
	dt_json_put_bool(params, is_restart);
	err = dt_remote_call(remote, "stop", arena, NULL, fail);
	dt_remote_free(remote);
	return err;
}

enum dt_err dt_daemon_stop(bool is_restart, struct dt_fail *fail)
{
	uint64_t until = dt_clock_ms() + GOING_MS;
	struct dt_arena arena = { 0 };
	struct dt_dirs dirs;
	enum dt_err err = dt_dirs_find(&arena, &dirs, fail);

	if (!err)
		err = ask_to_stop(is_restart, &arena, fail);
	while (!err && is_locked(dirs.lock)) {
		if (dt_clock_ms() > until)
			err = dt_fail(fail, DT_E_TIMEOUT,
			              "the daemon does not end; see %s",
			              dirs.log);
		nap();
	}
	dt_arena_done(&arena);
	return err;
}
