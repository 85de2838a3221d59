/* wire/handshake.h - how HTTP becomes a WebSocket (RFC 6455 section 4). */
#ifndef DT_WIRE_HANDSHAKE_H
#define DT_WIRE_HANDSHAKE_H

#include "base/buf.h"
#include "base/err.h"
#include "wire/http1.h"

/* True when the request asks for a WebSocket at all, well or badly. */
bool dt_handshake_is_wanted(const struct dt_http_head *head);

/*
 * Check a request for an upgrade.  *out_status is what to refuse it with: 400,
 * or 426 when it speaks another version than 13.
 */
enum dt_err dt_handshake_check(const struct dt_http_head *head,
                               unsigned *out_status,
                               struct dt_fail *fail) DT_MUST_CHECK;

/* The 101 for a request that was checked, but for the end of its head.
 * `protocol` NULL: none is named. */
void dt_handshake_write_accept(struct dt_buf *out,
                               const struct dt_http_head *head,
                               const char *protocol);

#define DT_HANDSHAKE_KEY 25
/* A fresh Sec-WebSocket-Key for a client. */
void dt_handshake_make_key(char out[DT_HANDSHAKE_KEY]);

/* The client's side: is this response the acceptance of our key?  `protocol` is
 * what we offered, or NULL; a server may choose none. */
enum dt_err dt_handshake_check_accept(const struct dt_http_head *head,
                                      const char *key, const char *protocol,
                                      struct dt_fail *fail) DT_MUST_CHECK;

#endif
