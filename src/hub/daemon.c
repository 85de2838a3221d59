/*
 * hub/daemon.c - one daemon per user, kept alive.
 *
 * The parent holds two locks, forks the daemon and waits: that of the run
 * directory, and the record in the home folder (hub/daemon_record.h), by which
 * clients find it that know of no run directory.  The locks are shared with the
 * child (they belong to the open file), so a daemon whose parent was killed is
 * still the only one.  Nothing of libuv, SQLite or
 * the hub exists in the parent: it cannot crash of what the child crashed of.
 *
 * The umask is left as the person has it, for projects are written and programs
 * run with it.  What is ours alone is closed to others where it is made.
 */
#include "hub/daemon.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/log.h"
#include "base/str.h"
#include "hub/daemon_record.h"
#include "hub/dirs.h"
#include "hub/env.h"
#include "hub/hub.h"
#include "hub/workspace.h"
#include "loop/mark.h"
#include "loop/os.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MAX_CRASHES 5 /* in CRASH_WINDOW_MS */
#define CRASH_WINDOW_MS 60000
#define MAX_LOG (4 * 1024 * 1024) /* then it becomes the old one */

/* the child */

/* Tell whoever started us, once; nobody waits after a restart. */
static void say_ready(int fd, const char *text)
{
	char *line;

	if (fd < 0)
		return;
	line = dt_asprintf("%s\n", text);
	if (write(fd, line, strlen(line)) < 0)
		dt_log(DT_LOG_DEBUG, "nobody waits for us to be ready");
	free(line);
}

static void say_failed(const struct dt_daemon_options *options,
                       const struct dt_fail *fail)
{
	char *text = dt_asprintf("error %s", fail->msg);

	if (options->is_background)
		dt_log(DT_LOG_ERROR, "%s", fail->msg);
	else
		fprintf(stderr, "dovetail: %s\n", fail->msg);
	say_ready(options->ready_fd, text);
	free(text);
}

static void on_stop_signal(struct dt_signal *sig, int number, void *owner)
{
	(void)sig;
	(void)number;
	dt_hub_stop(owner);
}

static void on_reload_signal(struct dt_signal *sig, int number, void *owner)
{
	(void)sig;
	(void)number;
	dt_hub_reload(owner);
}

static enum dt_err serve_first(struct dt_hub *hub,
                               const struct dt_daemon_options *options,
                               struct dt_fail *fail)
{
	struct dt_workspace *ws;
	enum dt_err err;

	if (!options->workspace)
		return DT_E_OK;
	err = dt_hub_serve(hub, options->workspace, options->is_named,
	                   options->port, &ws, fail);
	if (!err && !options->is_background && hub->restarts == 0) {
		printf("dovetail: serving %s on 127.0.0.1:%u\n",
		       dt_workspace_root(ws), ws->record.port);
		printf("dovetail: next, in another terminal there: %s\n",
		       options->next);
		fflush(stdout);
	}
	return err;
}

static int run_child(const struct dt_daemon_options *options, unsigned restarts,
                     int control_fd)
{
	struct dt_hub_options hub_options = { .record = options->record,
		                              .restarts = restarts,
		                              .control_fd = control_fd };
	struct dt_loop *loop = dt_loop_new();
	struct dt_signal *signals[3];
	struct dt_fail fail = { 0 };
	struct dt_hub hub;
	int code = 0;

	signal(SIGPIPE, SIG_IGN);
	dt_os_keep_memory_small();
	dt_mark_clear();
	if (dt_hub_init(&hub, loop, &hub_options, &fail)) {
		say_failed(options, &fail);
		dt_loop_free(loop);
		return 1;
	}
	signals[0] = dt_signal_new(loop, SIGINT, on_stop_signal, &hub);
	signals[1] = dt_signal_new(loop, SIGTERM, on_stop_signal, &hub);
	signals[2] = dt_signal_new(loop, SIGHUP, on_reload_signal, &hub);
	if (serve_first(&hub, options, &fail)) {
		say_failed(options, &fail);
		code = 1;
		dt_hub_stop(&hub);
	} else {
		say_ready(options->ready_fd, "ok");
	}
	if (options->ready_fd >= 0)
		close(options->ready_fd);
	dt_loop_run(loop);
	dt_hub_done(&hub);
	for (int i = 0; i < 3; i++)
		dt_signal_free(signals[i]);
	dt_loop_free(loop);
	return code;
}

/* the parent */

static const int watched[] = { SIGCHLD, SIGINT, SIGTERM, SIGHUP };

static void watched_set(sigset_t *set)
{
	sigemptyset(set);
	for (size_t i = 0; i < sizeof(watched) / sizeof(watched[0]); i++)
		sigaddset(set, watched[i]);
}

/* Wait for the child, passing signals on to it.  Returns its wait status. */
static int watch_child(pid_t child, bool *is_stopping)
{
	sigset_t set;
	int status;

	watched_set(&set);
	for (;;) {
		int number = sigwaitinfo(&set, NULL);

		if (number == SIGINT || number == SIGTERM)
			*is_stopping = true;
		if (number > 0 && number != SIGCHLD)
			kill(child, number);
		if (waitpid(child, &status, WNOHANG) == child)
			return status;
	}
}

/* The crashes of the last minute, the oldest first. */
struct crashes {
	uint64_t times[MAX_CRASHES];
	unsigned count;
};

/* Count one more; false when that is one too many. */
static bool count_crash(struct crashes *crashes)
{
	uint64_t now = dt_clock_ms();
	unsigned kept = 0;

	for (unsigned i = 0; i < crashes->count; i++) {
		if (now - crashes->times[i] < CRASH_WINDOW_MS)
			crashes->times[kept++] = crashes->times[i];
	}
	crashes->count = kept;
	if (kept == MAX_CRASHES)
		return false;
	crashes->times[crashes->count++] = now;
	return true;
}

/* At once after the first crash, then after 1, 2, 4 ... s.  A signal to stop
 * ends the wait; false then. */
static bool wait_before_restart(const struct crashes *crashes)
{
	struct timespec delay = { 0 };
	sigset_t set;
	int number;

	if (crashes->count > 1)
		delay.tv_sec = 1L << (crashes->count - 2);
	watched_set(&set);
	number = sigtimedwait(&set, NULL, &delay);
	return number != SIGINT && number != SIGTERM;
}

static int supervise(struct dt_daemon_options *options, const char *log,
                     int control_fd)
{
	struct crashes crashes = { 0 };
	unsigned restarts = 0;
	bool is_stopping = false;
	sigset_t set;

	/* Ignored by whoever started us, it would never tell of a child's end. */
	signal(SIGCHLD, SIG_DFL);
	watched_set(&set);
	sigprocmask(SIG_BLOCK, &set, NULL);
	for (;;) {
		pid_t child = fork();
		int status;

		if (child < 0) {
			dt_log(DT_LOG_ERROR, "fork: %s", strerror(errno));
			return 1;
		}
		if (child == 0) {
			sigprocmask(SIG_UNBLOCK, &set, NULL);
			return run_child(options, restarts, control_fd);
		}
		restarts++;
		if (options->ready_fd >= 0)
			close(options->ready_fd);
		options->ready_fd = -1; /* only the first run is waited for */
		status = watch_child(child, &is_stopping);
		if (WIFEXITED(status))
			return WEXITSTATUS(status);
		if (is_stopping)
			return 0;
		dt_log(DT_LOG_ERROR, "the daemon died of signal %d",
		       WTERMSIG(status));
		if (!count_crash(&crashes)) {
			dt_log(DT_LOG_ERROR,
			       "more than %d crashes in a minute: giving up; "
			       "the log is %s",
			       MAX_CRASHES, log);
			return 1;
		}
		if (!wait_before_restart(&crashes))
			return 0;
	}
}

/* the run directory and the log */

/* What keeps a second daemon away; -1 where it is not held. */
struct locks {
	int record;            /* of the home folder */
	int run;               /* of the run directory */
	struct dt_fail unkept; /* why there is no record */
};

/* A second daemon would hide the first, so the person has to end that. */
static enum dt_err explain_held(const struct dt_dirs *dirs,
                                const struct dt_fail *why, struct dt_fail *fail)
{
	struct dt_daemon_record record = { 0 };
	struct dt_arena arena = { 0 };
	bool is_read = dt_daemon_record_read(&arena, dirs->home, &record);
	int64_t pid = record.pid;

	dt_arena_done(&arena);
	if (is_read && record.is_alive && access(dirs->socket, F_OK))
		return dt_fail(fail, DT_E_STATE,
		               "a daemon runs already, but its socket %s is "
		               "gone: end it with `kill %" PRId64 "`",
		               dirs->socket, pid);
	return dt_fail(fail, why->code, "%s", why->msg);
}

/* A home that cannot be written keeps no record; the run directory's lock is
 * all there is then. */
static enum dt_err take_record(const struct dt_dirs *dirs, struct locks *locks,
                               struct dt_fail *fail)
{
	const struct dt_daemon_record record = {
		.run = dirs->run,
		.state = dirs->state,
		.config = dirs->config,
		.pid = getpid(),
	};
	enum dt_err err = dt_daemon_record_take(dirs->home, &record,
	                                        &locks->record, &locks->unkept);

	return err == DT_E_STATE ? explain_held(dirs, &locks->unkept, fail)
	                         : DT_E_OK;
}

static enum dt_err take_run_lock(const struct dt_dirs *dirs,
                                 struct locks *locks, struct dt_fail *fail)
{
	enum dt_err err = dt_file_private_dir(dirs->run, fail);
	int fd;

	if (err)
		return err;
	fd = open(dirs->lock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0)
		return dt_fail_sys(fail, "%s", dirs->lock);
	if (flock(fd, LOCK_EX | LOCK_NB) < 0) {
		close(fd);
		return dt_fail(fail, DT_E_STATE,
		               "a daemon runs already: see `dovetail status`, "
		               "or end it with `dovetail stop`");
	}
	locks->run = fd;
	return DT_E_OK;
}

/* The record first: `dovetail stop` waits until the run directory's lock is
 * free, and the next daemon must find both so. */
static void drop_locks(struct locks *locks)
{
	if (locks->record >= 0)
		close(locks->record);
	if (locks->run >= 0)
		close(locks->run);
}

static void log_to_file(const struct dt_dirs *dirs)
{
	char *old = dt_asprintf("%s.old", dirs->log);
	struct stat st;
	int fd;

	if (!dt_file_make_dirs(dirs->state, NULL) && !stat(dirs->log, &st) &&
	    st.st_size > MAX_LOG)
		rename(dirs->log, old);
	free(old);
	fd = open(dirs->log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	if (fd >= 0)
		dt_log_set(dt_log_level(), fd);
}

int dt_daemon_run(const struct dt_daemon_options *options)
{
	struct dt_daemon_options ours = *options;
	struct dt_arena arena = { 0 };
	struct dt_fail fail = { 0 };
	struct dt_dirs dirs;
	int control_fd = dt_os_listen_fd();
	struct locks locks = { .record = -1, .run = -1 };
	enum dt_err err = dt_dirs_find(&arena, &dirs, &fail);
	int code = 1;

	if (options->is_background)
		dt_env_clean();
	/* The record first, and at the end of a process it goes first too. */
	if (!err)
		err = take_record(&dirs, &locks, &fail);
	if (!err)
		err = take_run_lock(&dirs, &locks, &fail);
	if (err) {
		say_failed(options, &fail);
		drop_locks(&locks);
		dt_arena_done(&arena);
		return 1;
	}
	if (options->is_background)
		log_to_file(&dirs);
	if (locks.unkept.code)
		dt_log(DT_LOG_WARN,
		       "clients without XDG_RUNTIME_DIR may not find us: %s",
		       locks.unkept.msg);
	/* The parent keeps it, so that it outlives a crash of the child. */
	dt_os_forget_listen_fd();
	code = supervise(&ours, dirs.log, control_fd);
	drop_locks(&locks);
	dt_arena_done(&arena);
	return code;
}
