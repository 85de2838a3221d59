/*
 * loop/run.c - a child, two pipes and a timer, ended together.
 *
 * Which programs may be run, and with what environment, is decided above.  The
 * invariant: `open` counts the handles libuv still knows, and the memory goes
 * with the last of them.
 */
#include "loop/run.h"

#include "base/buf.h"
#include "loop/os.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <uv.h>

#define GRACE_MS 2000 /* from "please end" to the end */
#define DRAIN_MS 200  /* a pipe that somebody else holds open */

/* One of the two outputs. */
struct sink {
	uv_pipe_t pipe;
	struct dt_buf kept;
	struct dt_buf tail; /* of what came behind; up to twice what is told */
	uint64_t left;      /* bytes between the two that are gone */
	bool is_cut;
	bool has_ended;
};

struct dt_run {
	struct dt_loop *loop;
	uv_process_t process;
	struct sink out;
	struct sink err;
	uv_pipe_t in;
	uv_write_t writing;
	char *input;            /* or NULL */
	struct dt_timer *timer; /* deadline, then grace; at last the drain */
	dt_run_fn *fn;          /* NULL: stopped, or told */
	void *owner;
	void (*on_output)(struct dt_run *run, struct dt_str bytes, bool is_err,
	                  void *owner);
	size_t keep_tail;
	char *mark; /* or NULL */
	struct dt_run_end end;
	bool ends_group;
	bool has_exited;
	bool is_ending; /* the group was asked to end */
	unsigned open;
};

static void kill_group(const struct dt_run *run, int number)
{
	/* Zero would be our own group. */
	if (run->process.pid > 0)
		kill(-run->process.pid, number);
}

static void on_closed(uv_handle_t *handle)
{
	struct dt_run *run = handle->data;

	if (--run->open > 0)
		return;
	free(run->input);
	dt_buf_done(&run->out.kept);
	dt_buf_done(&run->err.kept);
	dt_buf_done(&run->out.tail);
	dt_buf_done(&run->err.tail);
	free(run->mark);
	free(run);
}

static void close_all(struct dt_run *run)
{
	dt_timer_free(run->timer);
	run->timer = NULL;
	uv_close((uv_handle_t *)&run->process, on_closed);
	uv_close((uv_handle_t *)&run->out.pipe, on_closed);
	uv_close((uv_handle_t *)&run->err.pipe, on_closed);
	if (run->input && !uv_is_closing((uv_handle_t *)&run->in))
		uv_close((uv_handle_t *)&run->in, on_closed);
}

/* The input is written, or the program does not want it: it ends there. */
static void on_written(uv_write_t *writing, int status)
{
	struct dt_run *run = writing->data;

	(void)status;
	if (!uv_is_closing((uv_handle_t *)&run->in))
		uv_close((uv_handle_t *)&run->in, on_closed);
}

static void write_input(struct dt_run *run, size_t len)
{
	uv_buf_t buf = uv_buf_init(run->input, (unsigned)len);

	run->writing.data = run;
	if (uv_write(&run->writing, (uv_stream_t *)&run->in, &buf, 1,
	             on_written) < 0)
		uv_close((uv_handle_t *)&run->in, on_closed);
}

/* No more of the end than was asked for. */
static struct dt_str cut_tail(const struct dt_run *run, struct sink *sink)
{
	if (sink->tail.len > run->keep_tail) {
		sink->left += sink->tail.len - run->keep_tail;
		dt_buf_consume(&sink->tail, sink->tail.len - run->keep_tail);
	}
	return dt_buf_str(&sink->tail);
}

static void tell(struct dt_run *run)
{
	dt_run_fn *fn = run->fn;

	run->fn = NULL;
	run->end.out = dt_buf_str(&run->out.kept);
	run->end.err = dt_buf_str(&run->err.kept);
	run->end.is_out_cut = run->out.is_cut;
	run->end.is_err_cut = run->err.is_cut;
	run->end.out_tail = cut_tail(run, &run->out);
	run->end.err_tail = cut_tail(run, &run->err);
	run->end.out_left = run->out.left;
	run->end.err_left = run->err.left;
	/* What was killed with the group may need a moment to be gone. */
	if (run->mark && run->is_ending)
		dt_os_signal_marked(run->mark, SIGKILL, 0);
	else if (run->mark)
		run->end.left_running = dt_os_signal_marked(
			run->mark, 0, run->ends_group ? run->process.pid : 0);
	close_all(run);
	if (fn)
		fn(run, &run->end, run->owner);
}

static void tell_when_over(struct dt_run *run)
{
	if (run->has_exited && run->out.has_ended && run->err.has_ended)
		tell(run);
}

static void on_timer(struct dt_timer *timer, void *owner)
{
	struct dt_run *run = owner;

	if (run->has_exited) {
		tell(run);
		return;
	}
	run->end.is_late = true;
	kill_group(run, run->is_ending ? SIGKILL : SIGTERM);
	run->is_ending = true;
	dt_timer_start(timer, GRACE_MS);
}

static void on_exit_of(uv_process_t *process, int64_t code, int number)
{
	struct dt_run *run = process->data;

	/* Whoever did not end when asked goes with the leader. */
	if (run->is_ending || run->ends_group)
		kill_group(run, SIGKILL);
	run->has_exited = true;
	run->end.code = number ? 128 + number : (int)code;
	run->end.signal = number;
	dt_timer_start(run->timer, DRAIN_MS);
	tell_when_over(run);
}

static void lend_buffer(uv_handle_t *handle, size_t size, uv_buf_t *out)
{
	struct dt_run *run = handle->data;

	(void)size;
	*out = uv_buf_init(dt_loop_scratch(run->loop), DT_LOOP_SCRATCH);
}

/* What comes behind all that is kept from the beginning. */
static void keep_end(struct dt_run *run, struct sink *sink, struct dt_str more)
{
	size_t most = sink->tail.limit;

	sink->is_cut |= more.len > 0;
	if (more.len > run->keep_tail) {
		sink->left += more.len - run->keep_tail;
		more.ptr += more.len - run->keep_tail;
		more.len = run->keep_tail;
	}
	if (sink->tail.len + more.len > most) {
		size_t gone = sink->tail.len + more.len - run->keep_tail;

		sink->left += gone;
		dt_buf_consume(&sink->tail, gone);
	}
	dt_buf_add_str(&sink->tail, more);
}

static void keep(struct dt_run *run, struct sink *sink, struct dt_str bytes)
{
	size_t room = sink->kept.limit - sink->kept.len;
	size_t len = bytes.len < room ? bytes.len : room;

	dt_buf_add(&sink->kept, bytes.ptr, len);
	keep_end(run, sink,
	         (struct dt_str){ bytes.ptr + len, bytes.len - len });
}

static void on_read(uv_stream_t *stream, ssize_t n, const uv_buf_t *buf)
{
	struct dt_run *run = stream->data;
	struct sink *sink =
		stream == (uv_stream_t *)&run->out.pipe ? &run->out : &run->err;
	struct dt_str bytes = { buf->base, n > 0 ? (size_t)n : 0 };

	if (n < 0) {
		uv_read_stop(stream);
		sink->has_ended = true;
		tell_when_over(run);
		return;
	}
	keep(run, sink, bytes);
	if (run->on_output && run->fn && bytes.len > 0)
		run->on_output(run, bytes, sink == &run->err, run->owner);
}

static void init_sink(struct dt_run *run, struct sink *sink, size_t limit)
{
	dt_buf_init(&sink->kept, limit);
	dt_buf_init(&sink->tail, 2 * run->keep_tail);
	/* Fails for no pipe that is local. */
	uv_pipe_init(dt_loop_uv(run->loop), &sink->pipe, 0);
	sink->pipe.data = run;
	run->open++;
}

static uv_stdio_container_t to_pipe(struct sink *sink)
{
	return (uv_stdio_container_t){
		.flags = UV_CREATE_PIPE | UV_WRITABLE_PIPE,
		.data.stream = (uv_stream_t *)&sink->pipe,
	};
}

static int start(struct dt_run *run, const struct dt_run_spec *spec)
{
	uv_stdio_container_t stdio[] = {
		{ .flags = UV_IGNORE },
		to_pipe(&run->out),
		to_pipe(&run->err),
	};
	uv_stdio_container_t from_us = {
		.flags = UV_CREATE_PIPE | UV_READABLE_PIPE,
		.data.stream = (uv_stream_t *)&run->in,
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

	if (run->input)
		stdio[0] = from_us;
	run->open++;
	return uv_spawn(dt_loop_uv(run->loop), &run->process, &options);
}

enum dt_err dt_run_start(struct dt_loop *loop, const struct dt_run_spec *spec,
                         dt_run_fn *fn, void *owner, struct dt_run **out,
                         struct dt_fail *fail)
{
	struct dt_run *run = dt_alloc(sizeof(*run));
	int rc;

	*run = (struct dt_run){
		.loop = loop,
		.fn = fn,
		.owner = owner,
		.on_output = spec->on_output,
		.keep_tail = spec->keep_tail,
		.mark = spec->mark ? dt_strdup(spec->mark) : NULL,
		.ends_group = spec->ends_group,
	};
	run->process.data = run;
	init_sink(run, &run->out, spec->keep_bytes);
	init_sink(run, &run->err, spec->keep_bytes);
	if (spec->input.ptr) {
		run->input = dt_strndup(spec->input.ptr, spec->input.len);
		uv_pipe_init(dt_loop_uv(loop), &run->in, 0);
		run->in.data = run;
		run->open++;
	}
	rc = start(run, spec);
	if (rc < 0) {
		close_all(run);
		return dt_fail(fail, rc == UV_ENOENT ? DT_E_MISSING : DT_E_SYS,
		               "cannot run %s in %s: %s", spec->argv[0],
		               spec->folder, uv_strerror(rc));
	}
	run->timer = dt_timer_new(loop, on_timer, run);
	if (spec->deadline_ms)
		dt_timer_start(run->timer, spec->deadline_ms);
	if (run->input)
		write_input(run, spec->input.len);
	uv_read_start((uv_stream_t *)&run->out.pipe, lend_buffer, on_read);
	uv_read_start((uv_stream_t *)&run->err.pipe, lend_buffer, on_read);
	*out = run;
	return DT_E_OK;
}

void dt_run_stop(struct dt_run *run)
{
	run->fn = NULL;
	run->is_ending = true;
	if (!run->has_exited)
		kill_group(run, SIGKILL);
	if (run->mark)
		dt_os_signal_marked(run->mark, SIGKILL, 0);
}

void dt_run_quit(struct dt_run *run)
{
	run->fn = NULL;
	on_timer(run->timer, run);
}
