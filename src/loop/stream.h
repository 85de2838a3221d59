/* loop/stream.h - connected sockets and the listeners they come from. */
#ifndef DT_LOOP_STREAM_H
#define DT_LOOP_STREAM_H

#include "base/err.h"
#include "base/str.h"
#include "loop/budget.h"
#include "loop/loop.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct dt_stream;

/*
 * What a stream tells its owner.  on_read lends the bytes, which may be changed
 * in place, until it returns.  on_drained comes when dt_stream_may_take() said no
 * and may say yes now, and when the output queue fell to the low water mark
 * after having passed the high one; it never comes inside another call.
 * on_closed comes exactly
 * once and last, whoever closed; `why` is DT_E_CLOSED for an orderly end.
 */
struct dt_stream_events {
	void (*on_read)(struct dt_stream *stream, char *bytes, size_t len,
	                void *owner);
	void (*on_drained)(struct dt_stream *stream, void *owner); /* or NULL */
	void (*on_closed)(struct dt_stream *stream, const struct dt_fail *why,
	                  void *owner);
};

/* Name the owner and begin to read.  Once per stream, before the loop turns. */
void dt_stream_start(struct dt_stream *stream,
                     const struct dt_stream_events *events, void *owner);

/* Another owner takes over in the middle (an HTTP connection that upgrades). */
void dt_stream_hand_over(struct dt_stream *stream,
                         const struct dt_stream_events *events, void *owner);

/*
 * Send the parts one after the other.  What the socket does not take at once is
 * copied and queued; what is written inside on_read leaves together when it
 * returns.  A queue beyond DT_LIMIT_QUEUE closes the stream: that peer does not
 * read.  Nothing is sent on a stream that is closing.
 */
void dt_stream_write(struct dt_stream *stream, const struct dt_str *parts,
                     size_t count);
size_t dt_stream_queued(const struct dt_stream *stream);

/*
 * Whether its owner may take up another message of what was read: not while
 * more than the high water mark waits to be sent, nor while its budget has no
 * room, nor when this turn of the loop has lasted long.  False: pause;
 * on_drained follows.  To be asked before each message.
 */
bool dt_stream_may_take(struct dt_stream *stream);
/* Draw on this budget for what waits to be sent; at first it is one without a
 * limit.  The budget outlives the stream. */
void dt_stream_set_budget(struct dt_stream *stream, struct dt_budget *budget);

/* Stop and go on reading; the kernel then slows the peer down. */
void dt_stream_pause(struct dt_stream *stream);
void dt_stream_resume(struct dt_stream *stream);

/* Close now; what is queued is lost.  Idempotent. */
void dt_stream_close(struct dt_stream *stream);
/* Send what is queued and an end behind it; close when the other side has ended
 * too, or after two seconds.  Nothing more is handed up.  Idempotent. */
void dt_stream_finish(struct dt_stream *stream);

struct dt_loop *dt_stream_loop(const struct dt_stream *stream);

/* Who is at the other end of a Unix socket. */
enum dt_err dt_stream_credentials(struct dt_stream *stream, pid_t *out_pid,
                                  uid_t *out_uid,
                                  struct dt_fail *fail) DT_MUST_CHECK;

/* A descriptor that stands for that process: dt_os_peer_handle(). */
int dt_stream_peer_handle(struct dt_stream *stream);
/* Whose socket is at the other end of TCP: dt_os_tcp_peer(). */
enum dt_err dt_stream_tcp_peer(struct dt_stream *stream, uid_t *out_uid,
                               uint64_t *out_socket,
                               struct dt_fail *fail) DT_MUST_CHECK;

/* Connect.  The stream is usable at once, writes wait for the connection;
 * failing to connect is an on_closed with the reason. */
struct dt_stream *dt_stream_connect_tcp(struct dt_loop *loop, const char *ip,
                                        unsigned port);
struct dt_stream *dt_stream_connect_unix(struct dt_loop *loop,
                                         const char *path);

/* A Unix socket that is connected already, or the master of a terminal, which
 * cannot be finished, only closed.  `fd` is the stream's from now on, also on
 * failure. */
enum dt_err dt_stream_open(struct dt_loop *loop, int fd, struct dt_stream **out,
                           struct dt_fail *fail) DT_MUST_CHECK;

/* A listener owns nothing of what it accepted. */
struct dt_listener;
typedef void dt_accept_fn(struct dt_listener *listener,
                          struct dt_stream *stream, void *owner);

/* On 127.0.0.1.  DT_E_STATE when the port is taken. */
enum dt_err dt_listen_tcp(struct dt_loop *loop, unsigned port, dt_accept_fn *fn,
                          void *owner, struct dt_listener **out,
                          struct dt_fail *fail) DT_MUST_CHECK;
/* The socket file gets mode 0600; a stale one must be unlinked before.
 * DT_E_STATE when there is one, DT_E_LIMIT when the path is too long. */
enum dt_err dt_listen_unix(struct dt_loop *loop, const char *path,
                           dt_accept_fn *fn, void *owner,
                           struct dt_listener **out,
                           struct dt_fail *fail) DT_MUST_CHECK;
/* On a Unix socket that listens already; a copy of it is taken.  DT_E_ARGS when
 * it is something else. */
enum dt_err dt_listen_fd(struct dt_loop *loop, int fd, dt_accept_fn *fn,
                         void *owner, struct dt_listener **out,
                         struct dt_fail *fail) DT_MUST_CHECK;
void dt_listener_close(struct dt_listener *listener);

#endif
