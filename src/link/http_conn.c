/*
 * link/http_conn.c - requests read one after the other from a stream.
 *
 * Bytes gather in `input` until a request is whole; then it is handled and
 * dropped.  One request is handled at a time, in the callback, so pipelined ones
 * are answered in order; behind a held one they wait in `input`, and beyond a
 * head's worth in the kernel.  The bytes of a body count against
 * DT_LIMIT_HTTP_BODY before they are kept.  The answers are http_reply.c's.
 *
 * Invariant: on_request is never called inside a call of the owner's, so who
 * answers a held request is not asked the next one meanwhile.
 */
#include "link/http_conn.h"

#include "base/limits.h"
#include "link/http_conn_impl.h"

#include <assert.h>
#include <stdlib.h>

static void finish(struct dt_http_conn *c)
{
	c->is_closing = true;
	dt_stream_finish(c->stream);
}

void dt_http_conn_close(struct dt_http_conn *c)
{
	c->is_closing = true;
	dt_stream_close(c->stream);
}

/* A fault in the bytes: answer it and end, nothing behind it can be trusted. */
static void refuse(struct dt_http_conn *c, unsigned status, const char *why)
{
	struct dt_buf text;

	dt_buf_init(&text, DT_LIMIT_HTTP_HEAD);
	dt_buf_addf(&text, "%s\n", why);
	c->wants_close = true;
	c->is_head = false;
	c->is_answered = false;
	dt_http_conn_reply(c, status, "text/plain; charset=utf-8",
	                   dt_buf_str(&text), NULL);
	dt_buf_done(&text);
	finish(c);
}

static void free_conn(struct dt_http_conn *c)
{
	if (c->is_held)
		c->on_gone(c, c->gone_owner);
	c->events->on_end(c, c->owner);
	dt_timer_free(c->deadline);
	dt_timer_free(c->next);
	dt_buf_done(&c->input);
	dt_buf_done(&c->body);
	free(c);
}

/* Whether the body that comes is wanted at all; if not, that was the answer. */
static bool wants_body(struct dt_http_conn *c, const struct dt_http_head *head)
{
	if (c->reader.is_done || !c->events->on_body)
		return true;
	c->wants_close = true;
	c->is_head = dt_str_is(head->method, "HEAD");
	c->is_answered = false;
	if (c->events->on_body(c, head, c->owner))
		return true;
	assert(c->is_answered);
	finish(c);
	return false;
}

/*
 * Read the head, and start the body behind it.  True when there is one; it is
 * read again, from the same bytes, when the body is whole: slices into `input`
 * do not survive its growth.
 */
static bool read_head(struct dt_http_conn *c, struct dt_http_head *head)
{
	struct dt_fail fail = { 0 };
	unsigned status = 400;
	size_t used;

	if (dt_http_read_request(dt_buf_str(&c->input), head, &used, &status,
	                         &fail)) {
		refuse(c, status, fail.msg);
		return false;
	}
	if (used == 0)
		return false;
	if (c->head_len)
		return true;
	c->head_len = used;
	if (dt_http_body_start(&c->reader, head, DT_LIMIT_HTTP_BODY, &fail)) {
		refuse(c, 413, fail.msg);
		return false;
	}
	if (!wants_body(c, head))
		return false;
	if (head->wants_continue && !c->reader.is_done) {
		struct dt_str go = DT_STR("HTTP/1.1 100 Continue\r\n\r\n");

		dt_stream_write(c->stream, &go, 1);
	}
	return true;
}

/* Move body bytes out of `input`.  True when the body is whole. */
static bool read_body(struct dt_http_conn *c)
{
	struct dt_fail fail = { 0 };
	size_t at = c->head_len;

	while (!c->reader.is_done && at < c->input.len) {
		struct dt_str rest = { c->input.ptr + at, c->input.len - at };
		struct dt_str piece;
		size_t used;

		if (dt_http_body_read(&c->reader, rest, &used, &piece, &fail)) {
			refuse(c, fail.code == DT_E_LIMIT ? 413 : 400,
			       fail.msg);
			return false;
		}
		dt_buf_add_str(&c->body, piece);
		at += used;
	}
	/* Keep the head, drop what became body. */
	if (at > c->head_len) {
		memmove(c->input.ptr + c->head_len, c->input.ptr + at,
		        c->input.len - at);
		c->input.len -= at - c->head_len;
	}
	return c->reader.is_done;
}

/* Handle one request if it is whole.  False: nothing more to do now. */
static bool handle_one(struct dt_http_conn *c)
{
	struct dt_http_head head;

	if (c->input.len == 0 || !read_head(c, &head) || !read_body(c))
		return false;
	c->wants_close = head.wants_close;
	c->is_head = dt_str_is(head.method, "HEAD");
	c->minor = head.minor;
	c->is_answered = false;
	c->is_handling = true;
	c->events->on_request(c, &head, dt_buf_str(&c->body), c->owner);
	c->is_handling = false;
	assert(c->is_answered || c->is_held || c->is_closing);
	if (c->is_upgraded)
		return false;
	dt_buf_consume(&c->input, c->head_len);
	dt_buf_done(&c->body);
	c->head_len = 0;
	if (c->is_held)
		return false;
	if (c->wants_close)
		finish(c);
	return !c->is_closing;
}

/* Who does not read our answers is not worked for, nor read from, nor who asks
 * on and on before an answer. */
static void pace(struct dt_http_conn *c)
{
	if (c->is_waiting || dt_http_conn_is_clogged(c) ||
	    c->input.len > DT_LIMIT_HTTP_HEAD)
		dt_stream_pause(c->stream);
	else
		dt_stream_resume(c->stream);
}

/* Whether what is there may be handled now; if not, on_drained() follows. */
static bool may_handle(struct dt_http_conn *c)
{
	if (c->is_closing || c->is_held || c->input.len == 0)
		return false;
	c->is_waiting = !dt_stream_may_take(c->stream);
	return !c->is_waiting;
}

/* Handle what is there; `is_new`: it begins a request. */
static void serve(struct dt_http_conn *c, bool is_new)
{
	c->is_waiting = false;
	while (may_handle(c) && handle_one(c))
		is_new = true;
	if (c->is_upgraded) {
		free_conn(c);
		return;
	}
	if (c->is_closing)
		return;
	if (c->input.len == 0)
		dt_buf_done(&c->input);
	if (c->is_held || c->is_waiting) /* for us */
		dt_timer_stop(c->deadline);
	else if (c->input.len == 0)
		dt_timer_start(c->deadline, c->idle_ms);
	else if (is_new)
		/* One deadline for the whole request: no slow drip. */
		dt_timer_start(c->deadline, c->head_ms);
	pace(c);
}

static void on_read(struct dt_stream *stream, char *bytes, size_t len,
                    void *owner)
{
	struct dt_http_conn *c = owner;
	bool is_new = c->input.len == 0; /* a request begins with these bytes */

	(void)stream;
	if (c->is_closing)
		return;
	dt_buf_add(&c->input, bytes, len);
	if (c->input.overflow) {
		refuse(c, 431, "too much at once");
		return;
	}
	serve(c, is_new);
}

static void on_drained(struct dt_stream *stream, void *owner)
{
	struct dt_http_conn *c = owner;

	(void)stream;
	if (c->is_waiting)
		serve(c, true);
	else
		pace(c);
}

static void on_closed(struct dt_stream *stream, const struct dt_fail *why,
                      void *owner)
{
	(void)stream;
	(void)why;
	free_conn(owner);
}

static const struct dt_stream_events stream_events = {
	.on_read = on_read,
	.on_drained = on_drained,
	.on_closed = on_closed,
};

static void on_deadline(struct dt_timer *timer, void *owner)
{
	struct dt_http_conn *c = owner;

	(void)timer;
	if (c->is_closing)
		return;
	if (c->input.len == 0)
		finish(c);
	else
		refuse(c, 408, "the request took too long");
}

static void on_next(struct dt_timer *timer, void *owner)
{
	struct dt_http_conn *c = owner;

	(void)timer;
	if (!c->is_closing)
		serve(c, true);
}

void dt_http_conn_settle(struct dt_http_conn *c)
{
	bool was_held = c->is_held;

	c->is_answered = true;
	c->is_held = false;
	/* In on_request, handle_one() goes on as if it had not been held. */
	if (!was_held || c->is_handling || c->is_closing)
		return;
	if (c->wants_close)
		finish(c);
	else
		dt_timer_start(c->next, 0);
}

struct dt_http_conn *dt_http_conn_new(struct dt_stream *stream,
                                      const struct dt_http_conn_events *events,
                                      void *owner)
{
	struct dt_http_conn *c = dt_alloc(sizeof(*c));

	c->stream = stream;
	c->events = events;
	c->owner = owner;
	dt_buf_init(&c->input, DT_LIMIT_HTTP_HEAD + DT_LOOP_SCRATCH);
	dt_buf_init(&c->body, DT_LIMIT_HTTP_BODY);
	c->deadline = dt_timer_new(dt_stream_loop(stream), on_deadline, c);
	dt_http_conn_set_patience(c, DT_LIMIT_HEAD_MS, DT_LIMIT_IDLE_HTTP_MS);
	dt_stream_start(stream, &stream_events, c);
	return c;
}

void dt_http_conn_set_patience(struct dt_http_conn *c, uint64_t head_ms,
                               uint64_t idle_ms)
{
	c->head_ms = head_ms;
	c->idle_ms = idle_ms;
	dt_timer_start(c->deadline, head_ms);
}

void dt_http_conn_hold(struct dt_http_conn *c, dt_http_conn_end_fn *on_gone,
                       void *owner)
{
	assert(c->is_handling && !c->is_held && !c->is_answered);
	c->is_held = true;
	c->on_gone = on_gone;
	c->gone_owner = owner;
	if (!c->next)
		c->next = dt_timer_new(dt_stream_loop(c->stream), on_next, c);
}
