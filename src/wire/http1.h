/*
 * wire/http1.h - HTTP/1.1 (RFC 9112) as bytes, both ends, no I/O.
 *
 * Strict on purpose: whatever two readers could take differently is refused, so
 * that nothing can be smuggled past us.  CRLF only, no folded headers, one
 * Host, one length, "chunked" alone and last, no bytes a token may not hold.
 */
#ifndef DT_WIRE_HTTP1_H
#define DT_WIRE_HTTP1_H

#include "base/buf.h"
#include "base/err.h"
#include "base/limits.h"
#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dt_http_header {
	struct dt_str name;  /* as sent; compare with dt_str_eq_nocase() */
	struct dt_str value; /* blanks trimmed */
};

/* A head.  All slices borrow from the bytes it was read from. */
struct dt_http_head {
	struct dt_str method; /* requests */
	struct dt_str target;
	unsigned status; /* responses */
	unsigned minor;  /* 0 or 1 */
	struct dt_http_header headers[DT_LIMIT_HTTP_HEADERS];
	size_t header_count;
	/* what the headers mean */
	bool is_chunked;
	bool has_length;
	bool wants_close;    /* the connection ends after this message */
	bool wants_upgrade;  /* Connection names "upgrade" */
	bool wants_continue; /* Expect: 100-continue */
	uint64_t length;     /* of the body, when has_length */
};

/*
 * Read a head.  *out_used is 0 while it is not complete (DT_E_OK, read on) and
 * its size once it is.  DT_E_LIMIT: larger than DT_LIMIT_HTTP_HEAD or more
 * headers than DT_LIMIT_HTTP_HEADERS.  DT_E_PROTO: refused.  *out_status is the
 * status a server answers a fault with (400, 414, 417, 431, 501, 505).
 */
enum dt_err dt_http_read_request(struct dt_str bytes, struct dt_http_head *out,
                                 size_t *out_used, unsigned *out_status,
                                 struct dt_fail *fail) DT_MUST_CHECK;
/* `is_head`: the answer to HEAD has no body whatever its headers say. */
enum dt_err dt_http_read_response(struct dt_str bytes, bool is_head,
                                  struct dt_http_head *out, size_t *out_used,
                                  struct dt_fail *fail) DT_MUST_CHECK;

/* The value of a header, by its name in any case; ptr NULL when absent.  One
 * that came several times is found by its first. */
struct dt_str dt_http_get(const struct dt_http_head *head, const char *name);
size_t dt_http_count(const struct dt_http_head *head, const char *name);

/* True when the comma-separated header holds `token`, in any case. */
bool dt_http_has_token(const struct dt_http_head *head, const char *name,
                       const char *token);

/* The media type of the body, without its parameters, in any case. */
bool dt_http_is_type(const struct dt_http_head *head, const char *type);
/* True when Accept names the type or a range around it; weights are not
 * looked at.  False without the header. */
bool dt_http_accepts(const struct dt_http_head *head, const char *type);

/* A body, read piece by piece.  Start it from the head. */
struct dt_http_body {
	uint64_t left;  /* of the body or of the chunk */
	uint64_t total; /* handed out so far */
	uint64_t limit;
	unsigned state; /* wire/http1_body.c's */
	unsigned line;  /* bytes of the chunk line or trailer so far */
	bool is_done;
};

/*
 * DT_E_LIMIT at once when the announced length is beyond `limit`.  A response
 * that announces none runs until the connection closes: is_done stays false.
 */
enum dt_err dt_http_body_start(struct dt_http_body *body,
                               const struct dt_http_head *head, uint64_t limit,
                               struct dt_fail *fail) DT_MUST_CHECK;
/*
 * Take bytes; *out_piece is a run of body bytes inside them (may be empty).
 * Call until body->is_done or all input is used; the rest is the next message.
 */
enum dt_err dt_http_body_read(struct dt_http_body *body, struct dt_str bytes,
                              size_t *out_used, struct dt_str *out_piece,
                              struct dt_fail *fail) DT_MUST_CHECK;

/*
 * Write: a start line, headers, the end of the head.  Values must hold no
 * control characters; an assert watches.  An empty chunk is left out, since it
 * would end the body.
 */
void dt_http_write_status(struct dt_buf *out, unsigned status);
void dt_http_write_request(struct dt_buf *out, const char *method,
                           const char *target);
void dt_http_write_header(struct dt_buf *out, const char *name,
                          struct dt_str value);
void dt_http_write_length(struct dt_buf *out, size_t length);
void dt_http_write_end(struct dt_buf *out);
void dt_http_write_chunk(struct dt_buf *out, struct dt_str bytes);
void dt_http_write_last_chunk(struct dt_buf *out);

const char *dt_http_reason(unsigned status); /* "Not Found", or "Unknown" */

#endif
