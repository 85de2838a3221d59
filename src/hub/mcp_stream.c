/*
 * hub/mcp_stream.c - messages of MCP as the answer to an HTTP request.
 *
 * Which session they belong to is mcp_http.c's.  An exchange of the peer ends
 * here exactly once; the stream lives on behind it only while somebody may come
 * back for what it keeps.
 */
#include "hub/mcp_stream.h"

#include "base/buf.h"
#include "base/limits.h"
#include "base/log.h"
#include "wire/sse.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define KEEP_EVENTS 100
#define KEEP_BYTES (1u * DT_MIB)

struct event {
	struct dt_list link;
	uint64_t id;
	size_t len;
	char text[];
};

/* what is kept */

static void drop_event(struct dt_mcp_stream *s, struct event *event)
{
	dt_list_remove(&event->link);
	s->bytes -= event->len;
	s->count--;
	free(event);
}

/* The newest are kept: as many as the limits allow, and one at least. */
static void keep(struct dt_mcp_stream *s, struct dt_str message)
{
	struct event *event = dt_alloc(sizeof(*event) + message.len);

	event->id = s->last_id;
	event->len = message.len;
	memcpy(event->text, message.ptr, message.len);
	dt_list_append(&s->events, &event->link);
	s->bytes += event->len;
	s->count++;
	dt_list_each(old, &s->events, struct event, link) {
		if (s->count <= KEEP_EVENTS &&
		    (s->bytes <= KEEP_BYTES || old == event))
			break;
		drop_event(s, old);
	}
}

/* writing */

static void write_event(struct dt_mcp_stream *s, uint64_t id,
                        struct dt_str message)
{
	char text[48];
	struct dt_buf out;

	snprintf(text, sizeof(text), "%" PRIu64 "-%" PRIu64, s->number, id);
	dt_buf_init(&out, DT_LIMIT_QUEUE);
	dt_sse_write(&out, NULL, s->number ? text : NULL, message);
	dt_http_conn_write(s->conn, dt_buf_str(&out));
	dt_buf_done(&out);
	s->sent_id = id > s->sent_id ? id : s->sent_id;
}

/* An event without data comes first where the client takes that: from its id
 * on, which is `last_id`, it can come back for what it missed. */
static void begin(struct dt_mcp_stream *s, uint64_t last_id)
{
	char extra[200];

	if (s->is_begun || !s->conn)
		return;
	s->is_begun = true;
	snprintf(extra, sizeof(extra), "X-Accel-Buffering: no%s%s",
	         s->extra ? "\r\n" : "", s->extra ? s->extra : "");
	dt_http_conn_begin(s->conn, 200, "text/event-stream", extra);
	if (s->is_primed)
		write_event(s, last_id, (struct dt_str){ 0 });
}

static void tap(struct dt_mcp_stream *s, struct dt_str message)
{
	struct dt_link *link = s->carrier;

	if (link->tap && message.ptr)
		link->tap(link, false, message, link->tap_owner);
}

/* The exchange, as the peer sees it. */

static struct dt_mcp_stream *of(struct dt_exchange *x)
{
	return DT_LIST_OF(x, struct dt_mcp_stream, x);
}

static struct dt_str get_header(struct dt_exchange *x, const char *name)
{
	struct dt_mcp_stream *s = of(x);

	return s->head && *s->head ? dt_http_get(*s->head, name)
	                           : (struct dt_str){ 0 };
}

static void put_event(struct dt_mcp_stream *s, struct dt_str message)
{
	begin(s, s->last_id);
	s->last_id++;
	if (s->number)
		keep(s, message);
	if (s->conn)
		write_event(s, s->last_id, message);
}

static void send_message(struct dt_exchange *x, struct dt_str message)
{
	struct dt_mcp_stream *s = of(x);

	tap(s, message);
	if (s->takes_events)
		put_event(s, message);
	else if (s->general)
		put_event(s->general, message);
	else
		dt_log(DT_LOG_DEBUG, "a client takes no events: one dropped");
}

static void close_conn(struct dt_mcp_stream *s)
{
	struct dt_http_conn *conn = s->conn;

	if (!conn)
		return;
	s->conn = NULL;
	if (s->is_begun)
		dt_http_conn_end(conn);
	else
		dt_http_conn_reply(conn, 202, NULL, (struct dt_str){ 0 },
		                   s->extra);
}

/* An answer that nobody waited for is kept, where somebody may come back. */
static void end_exchange(struct dt_exchange *x, struct dt_str answer)
{
	struct dt_mcp_stream *s = of(x);
	struct dt_http_conn *conn = s->conn;

	tap(s, answer);
	s->is_over = true;
	if (conn && !s->is_begun && answer.ptr) {
		s->conn = NULL;
		dt_http_conn_reply(conn, x->status, "application/json", answer,
		                   s->extra);
	} else if (answer.ptr) {
		put_event(s, answer);
	}
	if (conn || !s->number || !answer.ptr)
		dt_mcp_stream_free(s);
	else if (s->on_gone)
		s->on_gone(s);
}

static bool is_clogged(struct dt_exchange *x)
{
	struct dt_mcp_stream *s = of(x);

	return !s->conn || !s->takes_events || dt_http_conn_is_clogged(s->conn);
}

static const struct dt_exchange_carrier carrier = {
	.header = get_header,
	.send = send_message,
	.end = end_exchange,
	.is_clogged = is_clogged,
};

/* life */

struct dt_mcp_stream *dt_mcp_stream_new(struct dt_list *all,
                                        struct dt_link *link)
{
	struct dt_mcp_stream *s = dt_alloc(sizeof(*s));

	s->x.carrier = &carrier;
	s->x.status = 200;
	s->carrier = link;
	dt_list_init(&s->peers);
	dt_list_init(&s->events);
	dt_list_append(all, &s->link);
	return s;
}

static void on_gone(struct dt_http_conn *conn, void *owner)
{
	struct dt_mcp_stream *s = owner;

	(void)conn;
	s->conn = NULL;
	if (s->on_gone)
		s->on_gone(s);
}

void dt_mcp_stream_attach(struct dt_mcp_stream *s, struct dt_http_conn *conn)
{
	close_conn(s);
	s->conn = conn;
	s->is_begun = false;
	dt_http_conn_hold(conn, on_gone, s);
}

void dt_mcp_stream_resume(struct dt_mcp_stream *s, uint64_t last_id)
{
	s->takes_events = true;
	begin(s, last_id);
	dt_list_each(event, &s->events, struct event, link) {
		if (event->id > last_id)
			write_event(s, event->id,
			            (struct dt_str){ event->text, event->len });
	}
	if (s->is_over)
		dt_mcp_stream_free(s);
}

void dt_mcp_stream_beat(struct dt_mcp_stream *s)
{
	struct dt_buf out;

	if (!s->conn || !s->takes_events)
		return;
	begin(s, s->last_id);
	dt_buf_init(&out, DT_LIMIT_HTTP_HEAD);
	dt_sse_write_comment(&out, "still here");
	dt_http_conn_write(s->conn, dt_buf_str(&out));
	dt_buf_done(&out);
}

void dt_mcp_stream_free(struct dt_mcp_stream *s)
{
	close_conn(s);
	dt_list_each(event, &s->events, struct event, link)
		drop_event(s, event);
	dt_list_remove(&s->link);
	dt_list_remove(&s->peers);
	free(s);
}
