/*
 * loop/child.c - a process, a socket pair and its standard error.
 *
 * The socket pair is both standard input and standard output of the program, as
 * a terminal would be, so one stream is all there is to talk with it.  Which
 * programs are started is decided above.  The invariant: `open` counts the
 * handles libuv still knows, and the memory goes with the last of them.
 */
#include "loop/child.h"

#include "base/buf.h"
#include "base/limits.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>
#include <uv.h>

#define GRACE_MS 2000 /* from "please end" to the end */
#define DRAIN_MS 200  /* a standard error that somebody else holds open */

struct dt_child {
	struct dt_loop *loop;
	uv_process_t process;
	uv_pipe_t errors;
	struct dt_stream *stream; /* NULL: it was taken */
	struct dt_buf kept;       /* of the errors; the newest at the end */
	struct dt_timer *timer;   /* grace, then the drain */
	dt_child_fn *fn;          /* NULL: stopped, or told */
	void *owner;
	struct dt_child_end end;
	bool has_exited;
	bool has_read_errors; /* to their end */
	unsigned open;
};

static void kill_group(const struct dt_child *child, int number)
{
	/* Zero would be our own group. */
	if (child->process.pid > 0)
		kill(-child->process.pid, number);
}

static void on_closed(uv_handle_t *handle)
{
	struct dt_child *child = handle->data;

	if (--child->open > 0)
		return;
	dt_buf_done(&child->kept);
	free(child);
}

static void close_all(struct dt_child *child)
{
	dt_timer_free(child->timer);
	child->timer = NULL;
	uv_close((uv_handle_t *)&child->process, on_closed);
	uv_close((uv_handle_t *)&child->errors, on_closed);
}

static void tell(struct dt_child *child)
{
	dt_child_fn *fn = child->fn;

	child->fn = NULL;
	child->end.errors = dt_buf_str(&child->kept);
	close_all(child);
	if (fn)
		fn(child, &child->end, child->owner);
}

static void on_timer(struct dt_timer *timer, void *owner)
{
	struct dt_child *child = owner;

	(void)timer;
	if (child->has_exited)
		tell(child);
	else
		kill_group(child, SIGKILL);
}

static void on_exit_of(uv_process_t *process, int64_t code, int number)
{
	struct dt_child *child = process->data;

	/* Helpers of the program are nothing without it. */
	kill_group(child, SIGKILL);
	child->has_exited = true;
	child->end.code = number ? 128 + number : (int)code;
	child->end.signal = number;
	if (child->has_read_errors)
		tell(child);
	else
		dt_timer_start(child->timer, DRAIN_MS);
}

static void lend_buffer(uv_handle_t *handle, size_t size, uv_buf_t *out)
{
	struct dt_child *child = handle->data;

	(void)size;
	*out = uv_buf_init(dt_loop_scratch(child->loop), DT_LOOP_SCRATCH);
}

/* Keep the last of it, from the beginning of a line on. */
static void keep(struct dt_child *child, struct dt_str text)
{
	size_t limit = child->kept.limit;
	const char *lf;

	if (text.len > limit) {
		text.ptr += text.len - limit;
		text.len = limit;
	}
	if (child->kept.len + text.len > limit) {
		dt_buf_consume(&child->kept,
		               child->kept.len + text.len - limit);
		lf = child->kept.len
		             ? memchr(child->kept.ptr, '\n', child->kept.len)
		             : NULL;
		if (lf)
			dt_buf_consume(&child->kept,
			               (size_t)(lf - child->kept.ptr) + 1);
	}
	dt_buf_add_str(&child->kept, text);
}

static void on_read(uv_stream_t *stream, ssize_t n, const uv_buf_t *buf)
{
	struct dt_child *child = stream->data;

	if (n >= 0) {
		keep(child, (struct dt_str){ buf->base, (size_t)n });
		return;
	}
	uv_read_stop(stream);
	child->has_read_errors = true;
	if (child->has_exited)
		tell(child);
}

static int spawn(struct dt_child *child, const struct dt_child_spec *spec,
                 int fd)
{
	uv_stdio_container_t stdio[] = {
		{ .flags = UV_INHERIT_FD, .data.fd = fd },
		{ .flags = UV_INHERIT_FD, .data.fd = fd },
		{ .flags = UV_CREATE_PIPE | UV_WRITABLE_PIPE,
		  .data.stream = (uv_stream_t *)&child->errors },
	};
	uv_process_options_t options = {
		.exit_cb = on_exit_of,
		.file = spec->argv[0],
		.args = (char **)(uintptr_t)spec->argv,
		.env = (char **)(uintptr_t)spec->env,
		.cwd = spec->folder,
		.flags = UV_PROCESS_DETACHED, /* a group of its own */
		.stdio_count = 3,
		.stdio = stdio,
	};

	return uv_spawn(dt_loop_uv(child->loop), &child->process, &options);
}

static struct dt_child *new_child(struct dt_loop *loop, dt_child_fn *fn,
                                  void *owner)
{
	struct dt_child *child = dt_alloc(sizeof(*child));

	*child = (struct dt_child){
		.loop = loop,
		.fn = fn,
		.owner = owner,
		.open = 2,
	};
	dt_buf_init(&child->kept, DT_LIMIT_CHILD_ERRORS);
	child->process.data = child;
	/* Fails for no pipe that is local. */
	uv_pipe_init(dt_loop_uv(loop), &child->errors, 0);
	child->errors.data = child;
	return child;
}

enum dt_err dt_child_start(struct dt_loop *loop,
                           const struct dt_child_spec *spec, dt_child_fn *fn,
                           void *owner, struct dt_child **out,
                           struct dt_fail *fail)
{
	struct dt_stream *stream = NULL;
	struct dt_child *child;
	enum dt_err err;
	int fds[2];
	int rc;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds))
		return dt_fail_sys(fail, "a pair of sockets");
	err = dt_stream_open(loop, fds[0], &stream, fail);
	if (err) {
		close(fds[1]);
		return err;
	}
	child = new_child(loop, fn, owner);
	rc = spawn(child, spec, fds[1]);
	close(fds[1]);
	if (rc < 0) {
		close_all(child);
		dt_stream_close(stream);
		return dt_fail(fail, rc == UV_ENOENT ? DT_E_MISSING : DT_E_SYS,
		               "cannot run %s in %s: %s", spec->argv[0],
		               spec->folder, uv_strerror(rc));
	}
	child->stream = stream;
	child->timer = dt_timer_new(loop, on_timer, child);
	uv_read_start((uv_stream_t *)&child->errors, lend_buffer, on_read);
	*out = child;
	return DT_E_OK;
}

struct dt_stream *dt_child_stream(struct dt_child *child)
{
	struct dt_stream *stream = child->stream;

	child->stream = NULL;
	return stream;
}

pid_t dt_child_pid(const struct dt_child *child)
{
	return child->process.pid;
}

void dt_child_end(struct dt_child *child)
{
	if (child->has_exited || dt_timer_is_running(child->timer))
		return;
	kill_group(child, SIGTERM);
	dt_timer_start(child->timer, GRACE_MS);
}

void dt_child_stop(struct dt_child *child)
{
	child->fn = NULL;
	dt_child_end(child);
}
