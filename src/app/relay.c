/*
 * app/relay.c - which request waits for what, and who answers it when the daemon
 * cannot.
 *
 * Every request of the client gets exactly one answer: the daemon's or, when it
 * went down with the request, an error of ours.  What was not sent yet is never
 * answered so, but waits for the next daemon.  Of a message only the envelope is
 * looked at; whether it is sound is for the daemon to say.
 */
#include "app/relay.h"

#include "app/message.h"
#include "base/limits.h"
#include "base/log.h"
#include "data/json.h"
#include "rpc/code.h"

#include <stdio.h>
#include <stdlib.h>

#define REPLAY_ID "\"dovetail-relay\""
#define MAX_ID 256              /* bytes; the daemon refuses longer ones */
#define KEEP (64u * DT_KIB)     /* memory an empty queue may hold */
#define HANDSHAKE (1u * DT_MIB) /* the client's */

#define RESTARTED "the daemon was restarted while this ran; call again"
#define FULL "the daemon is away, and no more can wait for it; call again later"

/* A request that has no answer yet. */
struct open {
	struct dt_list link;
	uint64_t end; /* of its line, counted as dt_relay.taken */
	bool is_initialize;
	bool is_stale; /* asked by a daemon that is gone */
	struct dt_str id;
	char bytes[]; /* of the id */
};

void dt_relay_init(struct dt_relay *r)
{
	*r = (struct dt_relay){ 0 };
	dt_list_init(&r->open);
	dt_list_init(&r->asked);
	dt_buf_init(&r->to_client, SIZE_MAX);
	dt_buf_init(&r->first, SIZE_MAX);
	/* One message of any size, and some beside it. */
	dt_buf_init(&r->to_daemon, DT_LIMIT_MESSAGE + DT_MIB);
	dt_buf_init(&r->initialize, HANDSHAKE);
	dt_buf_init(&r->initialized, HANDSHAKE);
}

static void forget(struct open *open)
{
	dt_list_remove(&open->link);
	free(open);
}

void dt_relay_done(struct dt_relay *r)
{
	dt_list_each(open, &r->open, struct open, link)
		forget(open);
	dt_list_each(open, &r->asked, struct open, link)
		forget(open);
	dt_buf_done(&r->to_client);
	dt_buf_done(&r->first);
	dt_buf_done(&r->to_daemon);
	dt_buf_done(&r->initialize);
	dt_buf_done(&r->initialized);
}

/* requests that wait */

static struct open *remember(struct dt_list *list, struct dt_str id)
{
	struct open *open;

	if (id.len > MAX_ID)
		return NULL;
	open = dt_alloc(sizeof(*open) + id.len);
	memcpy(open->bytes, id.ptr, id.len);
	open->id = (struct dt_str){ open->bytes, id.len };
	dt_list_append(list, &open->link);
	return open;
}

static struct open *find(struct dt_list *list, struct dt_str id)
{
	dt_list_each(open, list, struct open, link) {
		if (dt_str_eq(open->id, id))
			return open;
	}
	return NULL;
}

/* The request is over; a handshake that came to nothing is not said again. */
static void settle(struct dt_relay *r, struct open *open, bool is_failed)
{
	if (open->is_initialize) {
		r->is_initialize_open = false;
		if (is_failed)
			dt_buf_clear(&r->initialize);
	}
	forget(open);
}

bool dt_relay_is_busy(const struct dt_relay *r)
{
	return !dt_list_is_empty(&r->open);
}

/* our own words */

static void answer_error(struct dt_relay *r, struct dt_str id, int code,
                         const char *message)
{
	struct dt_json_out out = dt_json_out(&r->to_client);

	dt_json_begin_object(&out);
	dt_json_key(&out, "jsonrpc");
	dt_json_put_z(&out, "2.0");
	/* Without an id where it is not known: null is no id in MCP. */
	if (id.ptr) {
		dt_json_key(&out, "id");
		dt_json_put_raw(&out, id);
	}
	dt_json_key(&out, "error");
	dt_json_begin_object(&out);
	dt_json_key(&out, "code");
	dt_json_put_int(&out, code);
	dt_json_key(&out, "message");
	dt_json_put_z(&out, message);
	dt_json_end_object(&out);
	dt_json_end_object(&out);
	dt_buf_add_char(&r->to_client, '\n');
}

void dt_relay_take_too_long(struct dt_relay *r)
{
	answer_error(r, (struct dt_str){ 0 }, DT_RPC_INVALID_REQUEST,
	             "a message is longer than 64 MiB");
}

/* The client need not go on with what a daemon asked that is gone. */
static void cancel_asked(struct dt_relay *r, const struct open *open)
{
	struct dt_json_out out = dt_json_out(&r->to_client);

	dt_json_begin_object(&out);
	dt_json_key(&out, "jsonrpc");
	dt_json_put_z(&out, "2.0");
	dt_json_key(&out, "method");
	dt_json_put_z(&out, "notifications/cancelled");
	dt_json_key(&out, "params");
	dt_json_begin_object(&out);
	dt_json_key(&out, "requestId");
	dt_json_put_raw(&out, open->id);
	dt_json_key(&out, "reason");
	dt_json_put_z(&out, "the daemon was restarted");
	dt_json_end_object(&out);
	dt_json_end_object(&out);
	dt_buf_add_char(&r->to_client, '\n');
}

static void say_initialize(struct dt_relay *r, struct dt_str id)
{
	struct dt_json_out out = dt_json_out(&r->first);

	dt_json_begin_object(&out);
	dt_json_key(&out, "jsonrpc");
	dt_json_put_z(&out, "2.0");
	dt_json_key(&out, "id");
	dt_json_put_raw(&out, id);
	dt_json_key(&out, "method");
	dt_json_put_z(&out, "initialize");
	dt_json_key(&out, "params");
	dt_json_put_raw(&out, dt_buf_str(&r->initialize));
	dt_json_end_object(&out);
	dt_buf_add_char(&r->first, '\n');
}

/* from the client */

/* A line on its way in, while its messages are looked at. */
struct taking {
	struct dt_relay *relay;
	struct dt_str line;
	const char *refusal; /* what requests are answered; NULL: sent */
	int code;
	bool is_swallowed; /* not for the daemon that is there now */
};

static void keep_handshake(struct dt_relay *r, const struct taking *t,
                           const struct dt_message *e, struct open *open)
{
	if (dt_str_is(e->method, "notifications/initialized")) {
		dt_buf_clear(&r->initialized);
		dt_buf_add_str(&r->initialized, t->line);
	}
	if (!open || !dt_str_is(e->method, "initialize") ||
	    dt_message_is_modern(e))
		return;
	open->is_initialize = true;
	r->is_initialize_open = true;
	dt_buf_clear(&r->initialize);
	dt_buf_clear(&r->initialized);
	dt_buf_add_str(&r->initialize,
	               e->params.ptr ? e->params : DT_STR("{}"));
}

static void take_request(struct taking *t, const struct dt_message *e)
{
	struct dt_relay *r = t->relay;
	struct open *open;

	if (t->refusal) {
		answer_error(r, e->id, t->code, t->refusal);
		return;
	}
	open = remember(&r->open, e->id);
	if (open)
		open->end = r->taken + t->line.len + 1;
	keep_handshake(r, t, e, open);
}

static void take_notification(struct taking *t, const struct dt_message *e)
{
	struct dt_str cancelled = dt_message_cancels(e);
	struct open *open =
		cancelled.ptr ? find(&t->relay->open, cancelled) : NULL;

	/* Nothing is sent for what is cancelled. */
	if (open)
		settle(t->relay, open, true);
	keep_handshake(t->relay, t, e, NULL);
}

static void take_answer(struct taking *t, const struct dt_message *e)
{
	struct open *open = find(&t->relay->asked, e->id);

	if (!open)
		return;
	t->is_swallowed = open->is_stale;
	forget(open);
}

static void take_message(const struct dt_message *e, void *owner)
{
	struct taking *t = owner;

	switch (e->kind) {
	case DT_MESSAGE_REQUEST:
		take_request(t, e);
		break;
	case DT_MESSAGE_NOTIFICATION:
		take_notification(t, e);
		break;
	case DT_MESSAGE_ANSWER:
		take_answer(t, e);
		break;
	case DT_MESSAGE_OTHER:
		if (t->refusal)
			answer_error(t->relay, (struct dt_str){ 0 }, t->code,
			             t->refusal);
		break;
	}
}

void dt_relay_take(struct dt_relay *r, struct dt_str line)
{
	struct taking t = { .relay = r, .line = line };

	if (r->why[0]) {
		t.refusal = r->why;
		t.code = DT_RPC_INTERNAL;
	} else if (r->to_daemon.len + line.len + 1 > r->to_daemon.limit) {
		t.refusal = FULL;
		t.code = DT_RPC_LIMIT;
	}
	dt_message_each(line, take_message, &t);
	if (t.refusal || t.is_swallowed)
		return;
	dt_buf_add_str(&r->to_daemon, line);
	dt_buf_add_char(&r->to_daemon, '\n');
	r->taken += line.len + 1;
}

/* to the daemon */

struct dt_str dt_relay_next(const struct dt_relay *r)
{
	if (r->first.len)
		return dt_buf_str(&r->first);
	if (!r->is_ready || r->sent == r->to_daemon.len)
		return (struct dt_str){ 0 };
	return (struct dt_str){ r->to_daemon.ptr + r->sent,
		                r->to_daemon.len - r->sent };
}

/* Take bytes off a queue; one that is empty gives its memory back. */
static void consume(struct dt_buf *buf, size_t len)
{
	dt_buf_consume(buf, len);
	if (!buf->len && buf->cap > KEEP)
		dt_buf_done(buf);
}

void dt_relay_wrote(struct dt_relay *r, size_t len)
{
	const char *lf;

	if (r->first.len || !len) {
		consume(&r->first, len);
		return;
	}
	lf = memrchr(r->to_daemon.ptr + r->sent, '\n', len);
	r->sent += len;
	if (lf) {
		size_t whole = (size_t)(lf + 1 - r->to_daemon.ptr);

		consume(&r->to_daemon, whole);
		r->sent -= whole;
		r->gone += whole;
	}
}

/* from the daemon */

/* What the daemon said to us and not to the client. */
static bool is_for_us(const struct dt_relay *r, const struct dt_message *e)
{
	return r->is_replaying && e->kind == DT_MESSAGE_ANSWER &&
	       dt_str_is(e->id, REPLAY_ID);
}

static void hear_message(const struct dt_message *e, void *owner)
{
	struct dt_relay *r = owner;
	struct open *open;

	if (e->kind == DT_MESSAGE_REQUEST)
		remember(&r->asked, e->id);
	if (e->kind != DT_MESSAGE_ANSWER)
		return;
	open = find(&r->open, e->id);
	if (open)
		settle(r, open, e->is_error);
}

/* What went down with the last daemon, answered; nothing is sent again, since
 * it may have been done. */
static void answer_lost(struct dt_relay *r)
{
	dt_list_each(open, &r->open, struct open, link) {
		if (open->end > r->gone || open->is_initialize)
			continue;
		answer_error(r, open->id, DT_RPC_INTERNAL, RESTARTED);
		forget(open);
	}
	dt_list_each(open, &r->asked, struct open, link) {
		if (!open->is_stale)
			cancel_asked(r, open);
		open->is_stale = true;
	}
}

static void end_replay(struct dt_relay *r, const struct dt_message *e)
{
	if (e->is_error)
		dt_log(DT_LOG_WARN, "the new daemon refused the handshake");
	r->is_replaying = false;
	r->is_ready = true;
	if (r->initialized.len) {
		dt_buf_add_str(&r->first, dt_buf_str(&r->initialized));
		dt_buf_add_char(&r->first, '\n');
	}
	answer_lost(r);
}

void dt_relay_hear(struct dt_relay *r, struct dt_str line)
{
	struct dt_message e = { 0 };

	if (r->is_replaying)
		e = dt_message_read(line);
	if (is_for_us(r, &e)) {
		end_replay(r, &e);
		return;
	}
	dt_message_each(line, hear_message, r);
	dt_buf_add_str(&r->to_client, line);
	dt_buf_add_char(&r->to_client, '\n');
}

/* daemons come and go */

void dt_relay_lost(struct dt_relay *r)
{
	dt_buf_clear(&r->first);
	r->sent = 0;
	r->is_ready = false;
	r->is_replaying = false;
}

/* The client still waits for its own handshake, which the last daemon had: ask
 * again in its name. */
static bool ask_again(struct dt_relay *r)
{
	if (!r->is_initialize_open)
		return false;
	dt_list_each(open, &r->open, struct open, link) {
		if (open->is_initialize && open->end <= r->gone)
			say_initialize(r, open->id);
	}
	return true;
}

void dt_relay_attached(struct dt_relay *r, bool is_resumed)
{
	dt_relay_hope(r);
	if (!is_resumed && !ask_again(r) && r->initialize.len) {
		r->is_replaying = true;
		say_initialize(r, DT_STR(REPLAY_ID));
		return;
	}
	r->is_ready = true;
	if (!is_resumed)
		answer_lost(r);
}

void dt_relay_give_up(struct dt_relay *r, const char *why)
{
	dt_relay_lost(r);
	snprintf(r->why, sizeof(r->why), "%s", why);
	r->gone = r->taken;
	dt_buf_done(&r->to_daemon);
	dt_list_each(open, &r->open, struct open, link) {
		answer_error(r, open->id, DT_RPC_INTERNAL, why);
		settle(r, open, true);
	}
}

void dt_relay_hope(struct dt_relay *r)
{
	r->why[0] = '\0';
}
