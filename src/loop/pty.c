/*
 * loop/pty.c - a child, the master of its terminal and two ways to end.
 *
 * The child is made by posix_spawn(), which in a daemon with threads is the only
 * fork that cannot go wrong half way: a new session, and in it the first open of
 * the slave, which makes that its controlling terminal.  We hold the slave open
 * until the child has ended, so that reading ends with the child and not when a
 * program happens to close its terminal for a moment.
 *
 * The invariant: `stream` is NULL once it is closed, `has_exited` says that the
 * child is reaped, and on_closed comes when both are so.
 */
#include "loop/pty.h"

#include "base/limits.h"
#include "loop/os.h"
#include "loop/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#define GRACE_MS 500 /* from hanging up to the end */
#define DRAIN_MS 200 /* a terminal that somebody else holds open */
#define SLAVE_NAME 64

struct dt_pty {
	struct dt_stream *stream;  /* of the master; NULL: closed */
	struct dt_signal *signal;  /* SIGCHLD */
	struct dt_timer *deadline; /* grace, or the drain */
	const struct dt_pty_events *events;
	void *owner;
	char *mark; /* or NULL */
	pid_t pid;
	int master; /* the stream's; -1: closed */
	int slave;  /* -1: closed */
	struct dt_pty_end end;
	bool is_closing;
	bool has_exited;
};

/* the end */

static void kill_all(const struct dt_pty *pty, int number)
{
	pid_t front = pty->master >= 0 ? tcgetpgrp(pty->master) : -1;

	if (!pty->has_exited)
		kill(-pty->pid, number);
	if (front > 0 && front != pty->pid)
		kill(-front, number);
	if (pty->mark)
		dt_os_signal_marked(pty->mark, number, 0);
}

static void close_slave(struct dt_pty *pty)
{
	if (pty->slave >= 0)
		close(pty->slave);
	pty->slave = -1;
}

static void free_pty(struct dt_pty *pty)
{
	dt_signal_free(pty->signal);
	dt_timer_free(pty->deadline);
	free(pty->mark);
	free(pty);
}

static void end_when_over(struct dt_pty *pty)
{
	if (!pty->has_exited || pty->stream)
		return;
	/* Who left the terminal does not outlive it. */
	if (pty->mark)
		dt_os_signal_marked(pty->mark, SIGKILL, 0);
	pty->events->on_closed(pty, &pty->end, pty->owner);
	free_pty(pty);
}

static void close_stream(struct dt_pty *pty)
{
	pty->master = -1;
	if (pty->stream)
		dt_stream_close(pty->stream);
}

static void on_deadline(struct dt_timer *timer, void *owner)
{
	struct dt_pty *pty = owner;

	if (pty->is_closing)
		kill_all(pty, SIGKILL);
	close_stream(pty);
	/* A signal alone does not keep the loop from ending. */
	if (!pty->has_exited)
		dt_timer_start(timer, GRACE_MS);
}

/* Every child of ours that ends is told to everybody: is it this one? */
static void on_child(struct dt_signal *sig, int number, void *owner)
{
	struct dt_pty *pty = owner;
	int status;

	(void)sig;
	(void)number;
	if (pty->has_exited || waitpid(pty->pid, &status, WNOHANG) != pty->pid)
		return;
	pty->has_exited = true;
	pty->end.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	pty->end.code =
		pty->end.signal ? 128 + pty->end.signal : WEXITSTATUS(status);
	close_slave(pty);
	dt_timer_start(pty->deadline, DRAIN_MS);
	end_when_over(pty);
}

void dt_pty_close(struct dt_pty *pty, bool is_at_once)
{
	bool was_closing = pty->is_closing;

	pty->is_closing = true;
	if (is_at_once) {
		on_deadline(pty->deadline, pty);
	} else if (!was_closing) {
		/* One that is stopped could not obey. */
		kill_all(pty, SIGHUP);
		kill_all(pty, SIGCONT);
		dt_timer_start(pty->deadline, GRACE_MS);
	}
}

/* the stream */

/* NOLINTNEXTLINE(readability-non-const-parameter): its type is given */
static void on_read(struct dt_stream *stream, char *bytes, size_t len,
                    void *owner)
{
	struct dt_pty *pty = owner;

	(void)stream;
	pty->events->on_read(pty, (struct dt_str){ bytes, len }, pty->owner);
}

static void on_closed(struct dt_stream *stream, const struct dt_fail *why,
                      void *owner)
{
	struct dt_pty *pty = owner;

	(void)stream;
	(void)why;
	pty->stream = NULL;
	pty->master = -1;
	end_when_over(pty);
}

static const struct dt_stream_events stream_events = {
	.on_read = on_read,
	.on_closed = on_closed,
};

enum dt_err dt_pty_write(struct dt_pty *pty, struct dt_str bytes,
                         struct dt_fail *fail)
{
	if (pty->has_exited || pty->master < 0)
		return dt_fail(fail, DT_E_CLOSED,
		               "the program in the terminal has ended");
	if (dt_stream_queued(pty->stream) + bytes.len > DT_LIMIT_TYPED)
		return dt_fail(fail, DT_E_LIMIT,
		               "the program in the terminal does not read "
		               "what is typed: %zu bytes wait",
		               dt_stream_queued(pty->stream));
	dt_stream_write(pty->stream, &bytes, 1);
	return DT_E_OK;
}

void dt_pty_resize(struct dt_pty *pty, struct dt_pty_size size)
{
	struct winsize old = { 0 };
	struct winsize new = {
		.ws_row = (unsigned short)size.rows,
		.ws_col = (unsigned short)size.columns,
	};
	pid_t front;

	if (pty->master < 0)
		return;
	ioctl(pty->master, TIOCGWINSZ, &old);
	ioctl(pty->master, TIOCSWINSZ, &new);
	front = tcgetpgrp(pty->master);
	if (front > 0 && old.ws_row == new.ws_row && old.ws_col == new.ws_col)
		kill(-front, SIGWINCH);
}

pid_t dt_pty_pid(const struct dt_pty *pty)
{
	return pty->pid;
}

bool dt_pty_is_in_front(const struct dt_pty *pty)
{
	return pty->master >= 0 && tcgetpgrp(pty->master) == pty->pid;
}

/* birth */

static enum dt_err open_master(struct dt_pty *pty, char name[SLAVE_NAME],
                               struct dt_pty_size size, struct dt_fail *fail)
{
	struct winsize window = {
		.ws_row = (unsigned short)size.rows,
		.ws_col = (unsigned short)size.columns,
	};
	struct termios mode;

	pty->master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (pty->master < 0 || grantpt(pty->master) || unlockpt(pty->master) ||
	    ptsname_r(pty->master, name, SLAVE_NAME))
		return dt_fail_sys(fail, "no terminal could be had");
	pty->slave = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (pty->slave < 0 || tcgetattr(pty->slave, &mode))
		return dt_fail_sys(fail, "%s", name);
	/* Erasing removes characters, not bytes. */
	mode.c_iflag |= IUTF8;
	/* What was printed is not thrown away by a key that interrupts. */
	mode.c_lflag |= NOFLSH;
	tcsetattr(pty->slave, TCSANOW, &mode);
	ioctl(pty->master, TIOCSWINSZ, &window);
	return DT_E_OK;
}

/* What the daemon ignores or blocks the child does not. */
static void set_attributes(posix_spawnattr_t *attributes)
{
	sigset_t all;
	sigset_t none;

	sigfillset(&all);
	sigemptyset(&none);
	posix_spawnattr_init(attributes);
	posix_spawnattr_setsigdefault(attributes, &all);
	posix_spawnattr_setsigmask(attributes, &none);
	posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSID |
	                                             POSIX_SPAWN_SETSIGDEF |
	                                             POSIX_SPAWN_SETSIGMASK);
}

static enum dt_err spawn(struct dt_pty *pty, const struct dt_pty_spec *spec,
                         const char *slave, struct dt_fail *fail)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	int rc;

	set_attributes(&attributes);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addchdir_np(&actions, spec->folder);
	posix_spawn_file_actions_addopen(&actions, 0, slave, O_RDWR, 0);
	posix_spawn_file_actions_adddup2(&actions, 0, 1);
	posix_spawn_file_actions_adddup2(&actions, 0, 2);
	rc = posix_spawn(&pty->pid, spec->argv[0], &actions, &attributes,
	                 spec->argv, spec->env);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attributes);
	if (!rc)
		return DT_E_OK;
	errno = rc;
	return rc == ENOENT ? dt_fail(fail, DT_E_MISSING,
	                              "cannot run %s in %s: there is no such "
	                              "program or folder",
	                              spec->argv[0], spec->folder)
	                    : dt_fail_sys(fail, "cannot run %s in %s",
	                                  spec->argv[0], spec->folder);
}

enum dt_err dt_pty_open(struct dt_loop *loop, const struct dt_pty_spec *spec,
                        const struct dt_pty_events *events, void *owner,
                        struct dt_pty **out, struct dt_fail *fail)
{
	struct dt_pty *pty = dt_alloc(sizeof(*pty));
	char name[SLAVE_NAME];
	enum dt_err err;

	*pty = (struct dt_pty){
		.events = events, .owner = owner, .master = -1, .slave = -1
	};
	/* Before there is a child, whose end could be missed. */
	pty->signal = dt_signal_new(loop, SIGCHLD, on_child, pty);
	pty->deadline = dt_timer_new(loop, on_deadline, pty);
	err = open_master(pty, name, spec->size, fail);
	if (err && pty->master >= 0)
		close(pty->master);
	if (!err)
		err = dt_stream_open(loop, pty->master, &pty->stream, fail);
	if (!err)
		err = spawn(pty, spec, name, fail);
	if (err) {
		close_slave(pty);
		if (pty->stream)
			dt_stream_close(pty->stream);
		free_pty(pty);
		return err;
	}
	pty->mark = spec->mark ? dt_strdup(spec->mark) : NULL;
	dt_stream_start(pty->stream, &stream_events, pty);
	*out = pty;
	return DT_E_OK;
}
