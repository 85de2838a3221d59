/*
 * link/http_reply.c - answers written: at once, in pieces, or as an upgrade.
 *
 * Which request they belong to, and what follows them, is http_conn.c's.
 */
#include "link/http_conn_impl.h"

#include "base/limits.h"
#include "wire/handshake.h"

#include <assert.h>

#define CHUNK_FRAME 32 /* bytes around those of a chunk, at most */

static void begin_head(struct dt_buf *out, unsigned status, const char *type)
{
	dt_buf_init(out, DT_LIMIT_HTTP_HEAD);
	dt_http_write_status(out, status);
	if (type)
		dt_http_write_header(out, "Content-Type", dt_str(type));
	dt_http_write_header(out, "Cache-Control", DT_STR("no-store"));
}

static void end_head(struct dt_buf *out, const char *extra)
{
	if (extra) {
		dt_buf_add_z(out, extra);
		dt_buf_add_z(out, "\r\n");
	}
	dt_http_write_end(out);
	assert(!out->overflow);
}

/* Send the head, and the body behind it, and let go of the head. */
static void send_head(struct dt_http_conn *c, struct dt_buf *head,
                      struct dt_str body)
{
	struct dt_str parts[2] = { dt_buf_str(head), body };

	dt_stream_write(c->stream, parts, body.len ? 2 : 1);
	dt_buf_done(head);
}

void dt_http_conn_reply(struct dt_http_conn *c, unsigned status,
                        const char *type, struct dt_str body, const char *extra)
{
	/* RFC 9110 8.6, 15.4.5: such an answer has no length, not even 0. */
	bool has_length = status != 204 && status != 304;
	struct dt_str none = { 0 };
	struct dt_buf out;

	assert(!c->is_answered && !c->is_begun);
	assert(has_length || !type);
	if (!type)
		body = none;
	begin_head(&out, status, type);
	if (has_length)
		dt_http_write_length(&out, body.len);
	if (c->wants_close)
		dt_http_write_header(&out, "Connection", DT_STR("close"));
	end_head(&out, extra);
	send_head(c, &out, c->is_head ? none : body);
	dt_http_conn_settle(c);
}

void dt_http_conn_begin(struct dt_http_conn *c, unsigned status,
                        const char *type, const char *extra)
{
	struct dt_buf out;

	assert(c->is_held && !c->is_begun);
	c->is_begun = true;
	/* Who knows no chunks knows the end by the end of the connection. */
	c->is_chunked = c->minor > 0;
	c->wants_close = c->wants_close || !c->is_chunked;
	begin_head(&out, status, type);
	if (c->is_chunked)
		dt_http_write_header(&out, "Transfer-Encoding",
		                     DT_STR("chunked"));
	if (c->wants_close)
		dt_http_write_header(&out, "Connection", DT_STR("close"));
	end_head(&out, extra);
	send_head(c, &out, (struct dt_str){ 0 });
}

void dt_http_conn_write(struct dt_http_conn *c, struct dt_str bytes)
{
	struct dt_buf chunk;
	struct dt_str out = bytes;

	assert(c->is_begun);
	if (c->is_head)
		return;
	dt_buf_init(&chunk, bytes.len + CHUNK_FRAME);
	if (c->is_chunked) {
		dt_http_write_chunk(&chunk, bytes);
		out = dt_buf_str(&chunk);
	}
	dt_stream_write(c->stream, &out, 1);
	dt_buf_done(&chunk);
}

void dt_http_conn_end(struct dt_http_conn *c)
{
	struct dt_buf last;
	struct dt_str out;

	assert(c->is_begun);
	dt_buf_init(&last, CHUNK_FRAME);
	dt_http_write_last_chunk(&last);
	out = dt_buf_str(&last);
	if (c->is_chunked && !c->is_head)
		dt_stream_write(c->stream, &out, 1);
	dt_buf_done(&last);
	c->is_begun = false;
	dt_http_conn_settle(c);
}

bool dt_http_conn_is_clogged(const struct dt_http_conn *c)
{
	return dt_stream_queued(c->stream) > DT_LIMIT_QUEUE_HIGH;
}

struct dt_link *dt_http_conn_upgrade(struct dt_http_conn *c,
                                     const struct dt_http_head *head,
                                     const char *protocol, const char *extra)
{
	struct dt_str early = { c->input.ptr + c->head_len,
		                c->input.len - c->head_len };
	struct dt_buf out;

	assert(!c->is_answered && !c->is_held);
	c->is_answered = true;
	c->is_upgraded = true;
	dt_buf_init(&out, DT_LIMIT_HTTP_HEAD);
	dt_handshake_write_accept(&out, head, protocol);
	end_head(&out, extra);
	send_head(c, &out, (struct dt_str){ 0 });
	/* It may have been asked behind a held request, and not be read from. */
	dt_stream_resume(c->stream);
	return dt_link_ws_new(c->stream, DT_WS_SERVER, early);
}
