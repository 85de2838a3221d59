/*
 * test/unit/sockets.h - a real loop and a real socket: one end is the stream
 * under test, the other a plain descriptor that the test reads and writes.
 */
#ifndef DT_TEST_SOCKETS_H
#define DT_TEST_SOCKETS_H

#include "unit.h"

#include "base/buf.h"
#include "base/str.h"
#include "loop/stream.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <uv.h>

#define SOCKETS_PATIENCE 10000 /* turns, of a millisecond when idle */

struct sockets {
	struct dt_loop *loop;
	struct dt_listener *listener;
	struct dt_stream *stream; /* the end under test */
	int fd;                   /* the other end, non-blocking; -1: closed */
	bool is_ended;            /* the stream's end was read from fd */
	struct dt_buf got;        /* what was read from fd */
	char dir[32];
	char path[48];
};

/* Turn the loop until the condition holds. */
#define sockets_until(s, condition)                                            \
	do {                                                                   \
		int turn_ = 0;                                                 \
                                                                               \
		while (!(condition)) {                                         \
			assert_true(turn_++ < SOCKETS_PATIENCE);               \
			uv_run(dt_loop_uv((s)->loop), UV_RUN_NOWAIT);          \
			if (!(condition))                                      \
				usleep(1000);                                  \
		}                                                              \
	} while (0)

static inline void sockets_turn(struct sockets *s, int turns)
{
	while (turns-- > 0)
		uv_run(dt_loop_uv(s->loop), UV_RUN_NOWAIT);
}

/* A port of 127.0.0.1 that was free a moment ago. */
static inline unsigned sockets_free_port(void)
{
	struct sockaddr_in addr = { .sin_family = AF_INET };
	socklen_t size = sizeof(addr);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	addr.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	assert_int_equal(bind(fd, (struct sockaddr *)&addr, size), 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&addr, &size), 0);
	close(fd);
	return ntohs(addr.sin_port);
}

static inline int sockets_dial_tcp(unsigned port)
{
	struct sockaddr_in addr = { .sin_family = AF_INET };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	addr.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	addr.sin_port = htons((uint16_t)port);
	assert_int_equal(connect(fd, (struct sockaddr *)&addr, sizeof(addr)),
	                 0);
	/* What a test writes leaves at once. */
	assert_int_equal(setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &(int){ 1 },
	                            sizeof(int)),
	                 0);
	assert_int_equal(fcntl(fd, F_SETFL, O_NONBLOCK), 0);
	return fd;
}

static inline int sockets_dial_unix(const char *path)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	snprintf(addr.sun_path, sizeof(addr.sun_path), "%s", path);
	assert_int_equal(connect(fd, (struct sockaddr *)&addr, sizeof(addr)),
	                 0);
	assert_int_equal(fcntl(fd, F_SETFL, O_NONBLOCK), 0);
	return fd;
}

static inline void sockets_accepted(struct dt_listener *listener,
                                    struct dt_stream *stream, void *owner)
{
	struct sockets *s = owner;

	s->stream = stream;
	dt_listener_close(listener);
	s->listener = NULL;
}

/* A loop and a folder, and no socket yet. */
static inline void sockets_init(struct sockets *s)
{
	*s = (struct sockets){ .loop = dt_loop_new(), .fd = -1 };
	signal(SIGPIPE, SIG_IGN); /* as main() does */
	snprintf(s->dir, sizeof(s->dir), "/tmp/dovetail-test-XXXXXX");
	assert_non_null(mkdtemp(s->dir));
	snprintf(s->path, sizeof(s->path), "%s/socket", s->dir);
	dt_buf_init(&s->got, SIZE_MAX);
}

/* Unix sockets hold little in the kernel; TCP is what agents come by. */
static inline void sockets_open_unix(struct sockets *s)
{
	sockets_init(s);
	assert_ok(dt_listen_unix(s->loop, s->path, sockets_accepted, s,
	                         &s->listener, NULL));
	s->fd = sockets_dial_unix(s->path);
	sockets_until(s, s->stream);
}

static inline void sockets_open_tcp(struct sockets *s)
{
	unsigned port;

	sockets_init(s);
	do
		port = sockets_free_port();
	while (dt_listen_tcp(s->loop, port, sockets_accepted, s, &s->listener,
	                     NULL));
	s->fd = sockets_dial_tcp(port);
	sockets_until(s, s->stream);
}

/* Read what is there now; true when there was anything. */
static inline bool sockets_read(struct sockets *s)
{
	bool has_read = false;
	ssize_t n;

	do {
		char *at = dt_buf_reserve(&s->got, 65536);

		n = s->fd < 0 ? -1 : read(s->fd, at, 65536);
		if (n > 0) {
			dt_buf_grew(&s->got, (size_t)n);
			has_read = true;
		}
	} while (n > 0);
	if (n == 0)
		s->is_ended = true;
	return has_read;
}

/* Write all of it, turning the loop so that the stream can read. */
static inline void sockets_put(struct sockets *s, const void *ptr, size_t len)
{
	const char *bytes = ptr;

	for (int turn = 0; len > 0; turn++) {
		ssize_t n = write(s->fd, bytes, len);

		assert_true(n >= 0 || errno == EAGAIN);
		assert_true(turn < SOCKETS_PATIENCE);
		if (n > 0) {
			bytes += n;
			len -= (size_t)n;
		}
		sockets_turn(s, 1);
	}
}

#define sockets_put_z(s, z) sockets_put(s, z, strlen(z))

/* Read until `len` bytes are there. */
static inline void sockets_wait(struct sockets *s, size_t len)
{
	sockets_until(s, (sockets_read(s), s->got.len >= len));
}

/* Exactly these bytes come next, and are taken away. */
static inline void sockets_expect(struct sockets *s, const void *ptr,
                                  size_t len)
{
	sockets_wait(s, len);
	assert_memory_equal(s->got.ptr, ptr, len);
	dt_buf_consume(&s->got, len);
}

#define sockets_expect_z(s, z) sockets_expect(s, z, strlen(z))

/* Read to the end of the stream; nothing is left over. */
static inline void sockets_expect_end(struct sockets *s)
{
	sockets_until(s, (sockets_read(s), s->is_ended));
	assert_int_equal(s->got.len, 0);
}

static inline void sockets_hang_up(struct sockets *s)
{
	if (s->fd >= 0)
		close(s->fd);
	s->fd = -1;
}

/* The stream must be closed or closing by itself now. */
static inline void sockets_close(struct sockets *s)
{
	sockets_hang_up(s);
	dt_listener_close(s->listener);
	dt_loop_run(s->loop);
	assert_int_equal(uv_loop_alive(dt_loop_uv(s->loop)), 0);
	dt_loop_free(s->loop);
	dt_buf_done(&s->got);
	unlink(s->path);
	assert_int_equal(rmdir(s->dir), 0);
}

#endif
