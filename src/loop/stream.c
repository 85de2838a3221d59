/*
 * loop/stream.c - bytes in, bytes out, over libuv.
 *
 * Output goes to the socket directly as long as it takes everything.  The rest
 * is copied into `queue`, which libuv writes as one request; what is added
 * meanwhile gathers in `next`.  Inside on_read everything gathers first, so that
 * the answers to a batch of requests leave in one system call.
 *
 * A stream that finishes sends its queue, then an end of its own, and reads on
 * to the end of the other side without handing anything up: a TCP socket closed
 * over unread bytes resets the connection, and the peer might lose our last
 * words (RFC 9112 9.6).
 *
 * Invariant: after dt_stream_close() nothing but on_closed is called, and the
 * stream is freed behind it.
 */
#include "loop/stream.h"

#include "base/buf.h"
#include "base/limits.h"
#include "base/log.h"
#include "loop/os.h"

#include <assert.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/un.h>
#include <unistd.h>
#include <uv.h>

#define FINISH_MS 2000
#define GATHER (16u * DT_KIB) /* larger writes are not worth gathering */
#define MAX_PARTS 4

struct dt_stream {
	union {
		uv_stream_t stream;
		uv_tcp_t tcp;
		uv_pipe_t pipe;
	} uv;
	struct dt_loop *loop;
	const struct dt_stream_events *events;
	void *owner;
	struct dt_buf queue; /* being written by libuv */
	struct dt_buf next;  /* waits its turn */
	struct dt_draw draw; /* what both of them hold */
	uint64_t sent;       /* all that was ever given to be sent */
	uv_write_t write;
	uv_connect_t connect;
	uv_shutdown_t shutdown;
	struct dt_timer *deadline; /* of dt_stream_finish() */
	struct dt_fail why;
	bool is_connecting;
	bool is_writing;
	bool is_reading;
	bool is_paused; /* wanted by the owner */
	bool is_in_read;
	bool is_above_high;
	bool is_finishing;
	bool is_shut;  /* our end follows the queue */
	bool is_ended; /* the other side's end came */
	bool is_closing;
};

static void flush(struct dt_stream *s);
static void read_on(struct dt_stream *s);

/* the end */

static void on_uv_closed(uv_handle_t *uv)
{
	struct dt_stream *s = uv->data;

	if (s->why.code == DT_E_OK)
		dt_fail(&s->why, DT_E_CLOSED, "closed");
	if (s->events)
		s->events->on_closed(s, &s->why, s->owner);
	dt_timer_free(s->deadline);
	dt_buf_done(&s->queue);
	dt_buf_done(&s->next);
	free(s);
}

void dt_stream_close(struct dt_stream *s)
{
	if (s->is_closing)
		return;
	s->is_closing = true;
	dt_draw_leave(&s->draw);
	uv_close((uv_handle_t *)&s->uv.stream, on_uv_closed);
}

static void close_because(struct dt_stream *s, int rc)
{
	if (rc == UV_EOF)
		dt_fail(&s->why, DT_E_CLOSED, "the other side hung up");
	else
		dt_fail(&s->why, DT_E_SYS, "%s", uv_strerror(rc));
	s->why.sys_errno = rc == UV_EOF ? 0 : -rc;
	dt_stream_close(s);
}

static void on_finish_deadline(struct dt_timer *timer, void *owner)
{
	(void)timer;
	dt_stream_close(owner);
}

void dt_stream_finish(struct dt_stream *s)
{
	if (s->is_closing || s->is_finishing)
		return;
	s->is_finishing = true;
	s->deadline = dt_timer_new(s->loop, on_finish_deadline, s);
	dt_timer_start(s->deadline, FINISH_MS);
	read_on(s);
	if (!s->is_in_read)
		flush(s);
}

static void on_shut(uv_shutdown_t *req, int rc)
{
	if (rc)
		dt_stream_close(req->data);
}

/* All is sent: say so, and wait for the other side to do the same. */
static void shut(struct dt_stream *s)
{
	if (s->is_shut)
		return;
	s->is_shut = true;
	s->shutdown.data = s;
	if (s->is_ended || uv_shutdown(&s->shutdown, &s->uv.stream, on_shut))
		dt_stream_close(s);
}

/* the budget */

static struct dt_stream *of_draw(const struct dt_draw *draw)
{
	return DT_LIST_OF(draw, struct dt_stream, draw);
}

static uint64_t taken_of(const struct dt_draw *draw)
{
	const struct dt_stream *s = of_draw(draw);

	return s->sent - dt_stream_queued(s);
}

static void go_on(struct dt_draw *draw)
{
	struct dt_stream *s = of_draw(draw);

	if (s->is_closing || s->is_finishing || !s->events->on_drained)
		return;
	/* More may have been queued meanwhile; then it comes again. */
	if (dt_stream_queued(s) > DT_LIMIT_QUEUE_HIGH)
		s->is_above_high = true;
	else
		s->events->on_drained(s, s->owner);
}

static void cut(struct dt_draw *draw, const char *why)
{
	struct dt_stream *s = of_draw(draw);

	dt_fail(&s->why, DT_E_LIMIT, "%s", why);
	dt_stream_close(s);
}

static const struct dt_draw_events draw_events = {
	.taken = taken_of,
	.go = go_on,
	.cut = cut,
};

/* A queue that is written in part still holds all of its memory; what gathers in
 * on_read leaves in a moment. */
static void count_held(struct dt_stream *s)
{
	bool is_gathering = s->is_in_read && s->next.len <= GATHER;

	if (!s->is_closing)
		dt_draw_hold(&s->draw,
		             s->queue.cap + (is_gathering ? 0 : s->next.cap));
}

bool dt_stream_may_take(struct dt_stream *s)
{
	if (s->is_closing || s->is_finishing)
		return false;
	if (dt_stream_queued(s) > DT_LIMIT_QUEUE_HIGH) {
		s->is_above_high = true;
		return false;
	}
	return dt_draw_may(&s->draw);
}

void dt_stream_set_budget(struct dt_stream *s, struct dt_budget *budget)
{
	if (!s->is_closing)
		dt_draw_move(&s->draw, budget);
}

/* writing */

static void after_write(struct dt_stream *s)
{
	size_t queued = dt_stream_queued(s);

	count_held(s);
	if (s->is_finishing) {
		if (queued == 0)
			shut(s);
		return;
	}
	if (!s->is_above_high || queued > DT_LIMIT_QUEUE_LOW)
		return;
	s->is_above_high = false;
	dt_draw_wait(&s->draw);
}

static void on_written(uv_write_t *req, int rc)
{
	struct dt_stream *s = req->data;

	s->is_writing = false;
	dt_buf_done(&s->queue);
	if (s->is_closing)
		return;
	if (rc) {
		close_because(s, rc);
		return;
	}
	flush(s);
}

/* Send what gathered; what the socket does not take, libuv writes later. */
static void flush(struct dt_stream *s)
{
	uv_buf_t buf;
	int rc;

	if (s->is_closing || s->is_writing || s->is_connecting)
		return;
	if (s->next.len > 0) {
		buf = uv_buf_init(s->next.ptr, (unsigned)s->next.len);
		rc = uv_try_write(&s->uv.stream, &buf, 1);
		if (rc < 0 && rc != UV_EAGAIN) {
			close_because(s, rc);
			return;
		}
		if (rc > 0)
			dt_buf_consume(&s->next, (size_t)rc);
	}
	if (s->next.len > 0) {
		s->queue = s->next;
		dt_buf_init(&s->next, DT_LIMIT_QUEUE);
		buf = uv_buf_init(s->queue.ptr, (unsigned)s->queue.len);
		s->is_writing = true;
		s->write.data = s;
		rc = uv_write(&s->write, &s->uv.stream, &buf, 1, on_written);
		if (rc) {
			s->is_writing = false;
			close_because(s, rc);
			return;
		}
	} else {
		dt_buf_done(&s->next); /* an idle stream holds no memory */
	}
	after_write(s);
}

/* Straight to the socket; returns how many bytes it took. */
static size_t try_parts(struct dt_stream *s, const struct dt_str *parts,
                        size_t count)
{
	uv_buf_t bufs[MAX_PARTS];
	int rc;

	for (size_t i = 0; i < count; i++)
		bufs[i] = uv_buf_init((char *)(uintptr_t)parts[i].ptr,
		                      (unsigned)parts[i].len);
	rc = uv_try_write(&s->uv.stream, bufs, (unsigned)count);
	if (rc < 0 && rc != UV_EAGAIN)
		close_because(s, rc);
	return rc > 0 ? (size_t)rc : 0;
}

void dt_stream_write(struct dt_stream *s, const struct dt_str *parts,
                     size_t count)
{
	size_t total = 0;
	size_t sent = 0;

	assert(count <= MAX_PARTS);
	for (size_t i = 0; i < count; i++)
		total += parts[i].len;
	if (s->is_in_read && total > GATHER)
		flush(s); /* keeps the order, makes room for a direct write */
	if (s->is_closing || s->is_finishing || total == 0)
		return;
	if (s->next.len == 0 && !s->is_writing && !s->is_connecting &&
	    (!s->is_in_read || total > GATHER))
		sent = try_parts(s, parts, count);
	for (size_t i = 0; i < count; i++) {
		size_t skip = sent < parts[i].len ? sent : parts[i].len;

		dt_buf_add(&s->next, parts[i].ptr + skip, parts[i].len - skip);
		sent -= skip;
	}
	if (s->is_closing)
		return;
	s->sent += total;
	count_held(s);
	if (s->next.overflow || dt_stream_queued(s) > DT_LIMIT_QUEUE) {
		dt_fail(&s->why, DT_E_LIMIT,
		        "%u MiB of output wait and the peer does not read",
		        DT_LIMIT_QUEUE / DT_MIB);
		dt_stream_close(s);
		return;
	}
	if (dt_stream_queued(s) > DT_LIMIT_QUEUE_HIGH)
		s->is_above_high = true;
	if (!s->is_in_read && s->next.len > 0)
		flush(s);
}

size_t dt_stream_queued(const struct dt_stream *s)
{
	return uv_stream_get_write_queue_size(&s->uv.stream) + s->next.len;
}

/* reading */

static void on_alloc(uv_handle_t *uv, size_t suggested, uv_buf_t *buf)
{
	struct dt_stream *s = uv->data;

	(void)suggested;
	*buf = uv_buf_init(dt_loop_scratch(s->loop), DT_LOOP_SCRATCH);
}

static void on_end(struct dt_stream *s, int rc)
{
	if (!s->is_finishing) {
		close_because(s, rc);
		return;
	}
	s->is_ended = true;
	uv_read_stop(&s->uv.stream);
	if (rc != UV_EOF || s->is_shut)
		dt_stream_close(s);
}

static void on_uv_read(uv_stream_t *uv, ssize_t n, const uv_buf_t *buf)
{
	struct dt_stream *s = uv->data;

	if (n < 0) {
		on_end(s, (int)n);
		return;
	}
	if (n == 0 || s->is_closing || s->is_finishing)
		return;
	s->is_in_read = true;
	s->events->on_read(s, buf->base, (size_t)n, s->owner);
	s->is_in_read = false;
	if (s->next.len > 0 || s->is_finishing)
		flush(s);
}

static void read_on(struct dt_stream *s)
{
	int rc;

	if (s->is_reading || s->is_closing || s->is_connecting)
		return;
	s->is_reading = true;
	rc = uv_read_start(&s->uv.stream, on_alloc, on_uv_read);
	if (rc)
		close_because(s, rc);
}

void dt_stream_pause(struct dt_stream *s)
{
	if (s->is_closing || s->is_finishing)
		return;
	s->is_paused = true;
	s->is_reading = false;
	uv_read_stop(&s->uv.stream);
}

void dt_stream_resume(struct dt_stream *s)
{
	s->is_paused = false;
	read_on(s);
}

void dt_stream_start(struct dt_stream *s, const struct dt_stream_events *events,
                     void *owner)
{
	dt_stream_hand_over(s, events, owner);
	dt_stream_resume(s);
}

void dt_stream_hand_over(struct dt_stream *s,
                         const struct dt_stream_events *events, void *owner)
{
	s->events = events;
	s->owner = owner;
}

struct dt_loop *dt_stream_loop(const struct dt_stream *s)
{
	return s->loop;
}

enum dt_err dt_stream_credentials(struct dt_stream *s, pid_t *out_pid,
                                  uid_t *out_uid, struct dt_fail *fail)
{
	uv_os_fd_t fd;

	if (uv_fileno((uv_handle_t *)&s->uv.stream, &fd))
		return dt_fail(fail, DT_E_CLOSED, "the socket is closed");
	return dt_os_peer(fd, out_pid, out_uid, fail);
}

int dt_stream_peer_handle(struct dt_stream *s)
{
	uv_os_fd_t fd;

	if (uv_fileno((uv_handle_t *)&s->uv.stream, &fd))
		return -1;
	return dt_os_peer_handle(fd);
}

enum dt_err dt_stream_tcp_peer(struct dt_stream *s, uid_t *out_uid,
                               uint64_t *out_socket, struct dt_fail *fail)
{
	uv_os_fd_t fd;

	if (uv_fileno((uv_handle_t *)&s->uv.stream, &fd))
		return dt_fail(fail, DT_E_CLOSED, "the socket is closed");
	return dt_os_tcp_peer(fd, out_uid, out_socket, fail);
}

/* birth */

static struct dt_stream *new_stream(struct dt_loop *loop)
{
	struct dt_stream *s = dt_alloc(sizeof(*s));

	s->loop = loop;
	s->uv.stream.data = s;
	dt_buf_init(&s->queue, DT_LIMIT_QUEUE);
	dt_buf_init(&s->next, DT_LIMIT_QUEUE);
	dt_draw_init(&s->draw, dt_loop_budget(loop), &draw_events);
	return s;
}

static struct dt_stream *new_tcp(struct dt_loop *loop)
{
	struct dt_stream *s = new_stream(loop);

	uv_tcp_init(dt_loop_uv(loop), &s->uv.tcp);
	return s;
}

static struct dt_stream *new_pipe(struct dt_loop *loop)
{
	struct dt_stream *s = new_stream(loop);

	uv_pipe_init(dt_loop_uv(loop), &s->uv.pipe, 0);
	return s;
}

static void on_connected(uv_connect_t *req, int rc)
{
	struct dt_stream *s = req->data;

	s->is_connecting = false;
	if (s->is_closing)
		return;
	if (rc) {
		close_because(s, rc);
		return;
	}
	if (!s->is_paused || s->is_finishing)
		read_on(s);
	flush(s);
}

struct dt_stream *dt_stream_connect_tcp(struct dt_loop *loop, const char *ip,
                                        unsigned port)
{
	struct dt_stream *s = new_tcp(loop);
	struct sockaddr_in addr;
	int rc = uv_ip4_addr(ip, (int)port, &addr);

	s->connect.data = s;
	s->is_connecting = true;
	uv_tcp_nodelay(&s->uv.tcp, 1);
	if (!rc)
		rc = uv_tcp_connect(&s->connect, &s->uv.tcp,
		                    (const struct sockaddr *)&addr,
		                    on_connected);
	if (rc)
		close_because(s, rc);
	return s;
}

/* libuv would cut a longer one and talk to whoever is there. */
static enum dt_err check_path(const char *path, struct dt_fail *fail)
{
	size_t room = sizeof(((struct sockaddr_un *)NULL)->sun_path);

	if (strlen(path) < room)
		return DT_E_OK;
	return dt_fail(fail, DT_E_LIMIT,
	               "the path of a socket ends at %zu bytes: %s", room - 1,
	               path);
}

struct dt_stream *dt_stream_connect_unix(struct dt_loop *loop, const char *path)
{
	struct dt_stream *s = new_pipe(loop);

	if (check_path(path, &s->why)) {
		dt_stream_close(s);
		return s;
	}
	s->connect.data = s;
	s->is_connecting = true;
	uv_pipe_connect(&s->connect, &s->uv.pipe, path, on_connected);
	return s;
}

enum dt_err dt_stream_open(struct dt_loop *loop, int fd, struct dt_stream **out,
                           struct dt_fail *fail)
{
	struct dt_stream *s = new_pipe(loop);
	int rc = uv_pipe_open(&s->uv.pipe, fd);

	if (rc) {
		close(fd);
		dt_stream_close(s);
		return dt_fail(fail, DT_E_SYS, "descriptor %d: %s", fd,
		               uv_strerror(rc));
	}
	*out = s;
	return DT_E_OK;
}

/* listeners */

struct dt_listener {
	union {
		uv_stream_t stream;
		uv_tcp_t tcp;
		uv_pipe_t pipe;
	} uv;
	struct dt_loop *loop;
	dt_accept_fn *fn;
	void *owner;
	bool is_unix;
};

static void on_connection(uv_stream_t *uv, int status)
{
	struct dt_listener *listener = uv->data;
	struct dt_stream *s;

	if (status < 0) {
		dt_log(DT_LOG_WARN, "accept: %s", uv_strerror(status));
		return;
	}
	s = listener->is_unix ? new_pipe(listener->loop)
	                      : new_tcp(listener->loop);
	if (uv_accept(uv, &s->uv.stream)) {
		dt_stream_close(s);
		return;
	}
	if (!listener->is_unix)
		uv_tcp_nodelay(&s->uv.tcp, 1);
	listener->fn(listener, s, listener->owner);
}

static struct dt_listener *new_listener(struct dt_loop *loop, dt_accept_fn *fn,
                                        void *owner, bool is_unix)
{
	struct dt_listener *listener = dt_alloc(sizeof(*listener));

	if (is_unix)
		uv_pipe_init(dt_loop_uv(loop), &listener->uv.pipe, 0);
	else
		uv_tcp_init(dt_loop_uv(loop), &listener->uv.tcp);
	listener->uv.stream.data = listener;
	listener->loop = loop;
	listener->fn = fn;
	listener->owner = owner;
	listener->is_unix = is_unix;
	return listener;
}

static void free_listener(uv_handle_t *uv)
{
	free(uv->data);
}

void dt_listener_close(struct dt_listener *listener)
{
	if (listener)
		uv_close((uv_handle_t *)&listener->uv.stream, free_listener);
}

enum dt_err dt_listen_tcp(struct dt_loop *loop, unsigned port, dt_accept_fn *fn,
                          void *owner, struct dt_listener **out,
                          struct dt_fail *fail)
{
	struct dt_listener *listener = new_listener(loop, fn, owner, false);
	struct sockaddr_in addr;
	int rc = uv_ip4_addr("127.0.0.1", (int)port, &addr);

	if (!rc)
		rc = uv_tcp_bind(&listener->uv.tcp,
		                 (const struct sockaddr *)&addr, 0);
	if (!rc)
		rc = uv_listen(&listener->uv.stream, 128, on_connection);
	if (rc) {
		dt_listener_close(listener);
		return dt_fail(fail,
		               rc == UV_EADDRINUSE ? DT_E_STATE : DT_E_SYS,
		               "port %u: %s", port, uv_strerror(rc));
	}
	*out = listener;
	return DT_E_OK;
}

enum dt_err dt_listen_unix(struct dt_loop *loop, const char *path,
                           dt_accept_fn *fn, void *owner,
                           struct dt_listener **out, struct dt_fail *fail)
{
	struct dt_listener *listener;
	enum dt_err err = check_path(path, fail);
	mode_t before;
	int rc;

	if (err)
		return err;
	listener = new_listener(loop, fn, owner, true);
	before = umask(0177);
	rc = uv_pipe_bind(&listener->uv.pipe, path);
	umask(before);
	if (!rc)
		rc = uv_listen(&listener->uv.stream, 128, on_connection);
	if (rc) {
		dt_listener_close(listener);
		return dt_fail(fail,
		               rc == UV_EADDRINUSE ? DT_E_STATE : DT_E_SYS,
		               "%s: %s", path, uv_strerror(rc));
	}
	*out = listener;
	return DT_E_OK;
}

enum dt_err dt_listen_fd(struct dt_loop *loop, int fd, dt_accept_fn *fn,
                         void *owner, struct dt_listener **out,
                         struct dt_fail *fail)
{
	struct dt_listener *listener;
	int rc;
	int copy;

	if (!dt_os_is_listening(fd))
		return dt_fail(fail, DT_E_ARGS,
		               "descriptor %d is no Unix socket that listens",
		               fd);
	copy = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	if (copy < 0)
		return dt_fail_sys(fail, "descriptor %d", fd);
	listener = new_listener(loop, fn, owner, true);
	rc = uv_pipe_open(&listener->uv.pipe, copy);
	if (!rc)
		rc = uv_listen(&listener->uv.stream, 128, on_connection);
	if (rc) {
		dt_listener_close(listener);
		return dt_fail(fail, DT_E_SYS, "descriptor %d: %s", fd,
		               uv_strerror(rc));
	}
	*out = listener;
	return DT_E_OK;
}
