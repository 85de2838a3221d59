/*
 * hub/http_events.c - a stream of events for each subscriber.
 *
 * A subscriber is a number: what is behind it is read from the store and sent
 * whenever something was kept.  So nothing waits in memory for who reads slowly,
 * and one that comes back misses nothing that was not forgotten.  While its
 * connection is full it is not asked for; two beats in a row, and it is cut.
 */
#include "hub/http_events.h"

#include "base/limits.h"
#include "base/log.h"
#include "hub/activity.h"
#include "wire/sse.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define PAGE 200 /* events that are read at once */
#define RETRY_MS 2000

struct subscriber {
	struct dt_list link;
	struct dt_workspace *ws;
	struct dt_http_conn *conn; /* NULL: it is gone */
	struct dt_activity_watch watch;
	struct dt_timer *beat;
	int64_t last_id;
	bool has_last; /* false: it begins with what happens next */
	bool is_asking;
	unsigned full_beats; /* in a row */
};

static void ask(struct subscriber *sub);

static void leave(struct subscriber *sub)
{
	sub->conn = NULL;
	dt_list_remove(&sub->link);
	sub->ws->subscriber_count--;
	dt_activity_unwatch(&sub->watch);
	dt_timer_free(sub->beat);
	if (!sub->is_asking)
		free(sub);
}

static void on_gone(struct dt_http_conn *conn, void *owner)
{
	(void)conn;
	leave(owner);
}

static void write_event(struct dt_buf *out, const struct dt_activity_record *r)
{
	struct dt_json_out json;
	struct dt_buf data;
	char id[24];

	snprintf(id, sizeof(id), "%" PRId64, r->id);
	dt_buf_init(&data, DT_MIB);
	json = dt_json_out(&data);
	dt_shape_write(&dt_shape_activity, r, &json);
	dt_sse_write(out, dt_activity_kinds[r->kind], id, dt_buf_str(&data));
	dt_buf_done(&data);
}

static void send(struct subscriber *sub, const struct dt_activity_list *list)
{
	struct dt_buf text;

	dt_buf_init(&text, DT_LIMIT_MESSAGE);
	for (size_t i = 0; i < list->count; i++)
		write_event(&text, &list->records[i]);
	sub->last_id = list->records[list->count - 1].id;
	dt_http_conn_write(sub->conn, dt_buf_str(&text));
	dt_buf_done(&text);
}

static void on_list(struct dt_store *store, const struct dt_activity_list *list,
                    const struct dt_fail *fail, void *owner)
{
	struct subscriber *sub = owner;
	bool is_another;

	(void)store;
	sub->is_asking = false;
	if (!sub->conn) {
		free(sub);
		return;
	}
	if (fail->code) {
		dt_log(DT_LOG_WARN, "/events ends: %s", fail->msg);
		dt_http_conn_end(sub->conn);
		leave(sub);
		return;
	}
	if (!sub->has_last) {
		sub->has_last = true;
		sub->last_id = list->last_id;
	} else if (list->count) {
		send(sub, list);
	}
	/* It followed a history that was moved aside since. */
	is_another = sub->last_id > list->last_id;
	if (is_another)
		sub->last_id = 0;
	if (is_another || list->count == PAGE ||
	    dt_activity_last(sub->ws->hub) > list->last_id)
		ask(sub);
}

static void ask(struct subscriber *sub)
{
	struct dt_activity_filter filter = {
		.after_id = sub->last_id,
		.workspace = sub->ws->record.id,
		.is_latest = !sub->has_last,
		.limit = sub->has_last ? PAGE : 1,
	};

	if (sub->is_asking || dt_http_conn_is_clogged(sub->conn))
		return;
	sub->is_asking = true;
	dt_activity_list(sub->ws->hub, &filter, on_list, sub);
}

static void on_more(struct dt_activity_watch *watch)
{
	ask(DT_LIST_OF(watch, struct subscriber, watch));
}

/* A comment keeps what lies between us from closing an idle connection. */
static void on_beat(struct dt_timer *timer, void *owner)
{
	struct subscriber *sub = owner;
	struct dt_buf text;

	(void)timer;
	if (dt_http_conn_is_clogged(sub->conn)) {
		if (++sub->full_beats < 2)
			return;
		dt_log(DT_LOG_INFO, "a reader of /events is too slow: cut");
		sub->ws->metrics.hits[DT_HIT_SLOW_READERS]++;
		dt_http_conn_close(sub->conn); /* on_gone() follows */
		return;
	}
	sub->full_beats = 0;
	dt_buf_init(&text, DT_KIB);
	dt_sse_write_comment(&text, "alive");
	dt_http_conn_write(sub->conn, dt_buf_str(&text));
	dt_buf_done(&text);
	/* It may have been full when something happened. */
	ask(sub);
}

/* The number in Last-Event-ID; false when there is none, or none of ours. */
static bool read_last(const struct dt_http_head *head, int64_t *out)
{
	struct dt_str text = dt_http_get(head, "last-event-id");
	int64_t value = 0;

	if (text.len == 0 || text.len > 18)
		return false;
	for (size_t i = 0; i < text.len; i++) {
		if (text.ptr[i] < '0' || text.ptr[i] > '9')
			return false;
		value = value * 10 + (text.ptr[i] - '0');
	}
	*out = value;
	return true;
}

static void begin(struct subscriber *sub)
{
	struct dt_buf text;

	dt_http_conn_begin(sub->conn, 200, "text/event-stream",
	                   "Cache-Control: no-store");
	dt_buf_init(&text, DT_KIB);
	dt_sse_write_retry(&text, RETRY_MS);
	dt_http_conn_write(sub->conn, dt_buf_str(&text));
	dt_buf_done(&text);
}

void dt_http_events_serve(struct dt_workspace *ws, struct dt_http_conn *conn,
                          const struct dt_http_head *head)
{
	struct subscriber *sub;

	if (dt_str_is(head->method, "HEAD")) {
		dt_http_conn_reply(conn, 200, "text/event-stream",
		                   (struct dt_str){ 0 }, NULL);
		return;
	}
	if (ws->subscriber_count >= DT_LIMIT_SUBSCRIBERS) {
		ws->metrics.hits[DT_HIT_SUBSCRIBERS]++;
		dt_http_conn_reply(conn, 503, "text/plain; charset=utf-8",
		                   DT_STR("too many follow /events already\n"),
		                   "Retry-After: 10");
		return;
	}
	sub = dt_alloc(sizeof(*sub));
	sub->ws = ws;
	sub->conn = conn;
	sub->has_last = read_last(head, &sub->last_id);
	sub->watch.on_more = on_more;
	sub->beat = dt_timer_new(ws->hub->loop, on_beat, sub);
	dt_timer_repeat(sub->beat, DT_LIMIT_EVENTS_BEAT_MS);
	dt_list_append(&ws->subscribers, &sub->link);
	ws->subscriber_count++;
	dt_activity_watch(ws->hub, &sub->watch);
	dt_http_conn_hold(conn, on_gone, sub);
	begin(sub);
	ask(sub);
}
