/* link/http_conn.h - the server's end of an HTTP/1.1 connection. */
#ifndef DT_LINK_HTTP_CONN_H
#define DT_LINK_HTTP_CONN_H

#include "base/err.h"
#include "base/str.h"
#include "link/link.h"
#include "loop/stream.h"
#include "wire/http1.h"

#include <stdbool.h>
#include <stdint.h>

struct dt_http_conn;

/*
 * Called with each whole request, body included.  Everything is lent until it
 * returns; before that it must call dt_http_conn_reply(), dt_http_conn_hold(),
 * dt_http_conn_upgrade() or dt_http_conn_close(), exactly one of them, once.
 */
typedef void dt_http_conn_fn(struct dt_http_conn *conn,
                             const struct dt_http_head *head,
                             struct dt_str body, void *owner);
/*
 * Called before the body of a request is read; may be NULL.  False: it is not
 * wanted; dt_http_conn_reply() has said why, and the connection ends.
 */
typedef bool dt_http_conn_body_fn(struct dt_http_conn *conn,
                                  const struct dt_http_head *head, void *owner);
/* Called when the connection is over or has become a link. */
typedef void dt_http_conn_end_fn(struct dt_http_conn *conn, void *owner);

struct dt_http_conn_events {
	dt_http_conn_fn *on_request;
	dt_http_conn_body_fn *on_body;
	dt_http_conn_end_fn *on_end;
};

/*
 * Serve requests on a stream.  Keep-alive and pipelining as in RFC 9112; a
 * head that takes longer than DT_LIMIT_HEAD_MS and a connection idle for
 * DT_LIMIT_IDLE_HTTP_MS are closed.
 */
struct dt_http_conn *dt_http_conn_new(struct dt_stream *stream,
                                      const struct dt_http_conn_events *events,
                                      void *owner);

/* Other times than these two; before the loop turns. */
void dt_http_conn_set_patience(struct dt_http_conn *conn, uint64_t head_ms,
                               uint64_t idle_ms);

/* Answer with a status and a text, which is left out where the request was
 * HEAD, or where `type` is NULL, as it must be for 204 and 304; `extra` is
 * ready header lines with CRLF between them, or NULL. */
void dt_http_conn_reply(struct dt_http_conn *conn, unsigned status,
                        const char *type, struct dt_str body,
                        const char *extra);

/*
 * Answer later, with dt_http_conn_reply() or with a stream; no other request
 * is handled before, nor inside the call that answers.  `on_gone` comes once if
 * the connection ends first, whoever ended it, and then it is not touched any
 * more; it does not come for an answer that is over.  The times of patience do
 * not run while it is held.  Of what the client sends meanwhile little more
 * than DT_LIMIT_HTTP_HEAD is read; the hang-up of one that sent more is seen
 * only when something is written.
 */
void dt_http_conn_hold(struct dt_http_conn *conn, dt_http_conn_end_fn *on_gone,
                       void *owner);
/* An answer in pieces to a held request: head, any number of writes, end.
 * Chunked, or up to the end of the connection for HTTP/1.0; for HEAD the writes
 * are left out. */
void dt_http_conn_begin(struct dt_http_conn *conn, unsigned status,
                        const char *type, const char *extra);
void dt_http_conn_write(struct dt_http_conn *conn, struct dt_str bytes);
void dt_http_conn_end(struct dt_http_conn *conn);
bool dt_http_conn_is_clogged(const struct dt_http_conn *conn);

/*
 * Answer 101 and go on as a WebSocket link; `head` must have passed
 * dt_handshake_check().  The connection itself is gone when on_request returns.
 */
struct dt_link *dt_http_conn_upgrade(struct dt_http_conn *conn,
                                     const struct dt_http_head *head,
                                     const char *protocol, const char *extra);

/* Close without an answer; idempotent. */
void dt_http_conn_close(struct dt_http_conn *conn);

#endif
