/*
 * rpc/peer.c - messages taken in and sent, and the end of the conversation.
 *
 * What a message says is read by rpc/envelope.c; what is asked, either way, is
 * kept by rpc/request.c and rpc/call.c.  Faults of the other side are answered
 * as JSON-RPC 2.0 section 5.1 says; none ends the link.
 */
#include "base/limits.h"
#include "rpc/code.h"
#include "rpc/peer_state.h"

#include <stdio.h>
#include <stdlib.h>

/* The output buffer is kept between answers up to this size. */
#define KEEP_OUT (64u * DT_KIB)
#define STATUS_REFUSED 400

struct after {
	struct dt_list link;
	struct dt_peer *peer;
	struct dt_timer *timer;
	dt_after_fn *fn;
	void *owner;
};

struct dt_loop *dt_peer_loop(struct dt_peer *peer)
{
	return peer->link->loop;
}

/* sending */

struct dt_json_out *dt_peer_begin(struct dt_peer *peer)
{
	dt_buf_clear(&peer->out);
	peer->writer = dt_json_out(&peer->out);
	dt_json_begin_object(&peer->writer);
	dt_json_key(&peer->writer, "jsonrpc");
	dt_json_put_str(&peer->writer, DT_STR("2.0"));
	return &peer->writer;
}

static void shrink_out(struct dt_peer *peer)
{
	if (peer->out.cap > KEEP_OUT)
		dt_buf_done(&peer->out);
}

enum dt_err dt_peer_finish(struct dt_peer *peer, const struct dt_batch *batch,
                           struct dt_fail *fail)
{
	enum dt_err err;

	dt_json_end_object(&peer->writer);
	err = dt_buf_check(&peer->out, "the message", fail);
	if (!err && batch)
		err = dt_batch_check(batch, peer->out.len, fail);
	if (err)
		shrink_out(peer);
	return err;
}

void dt_peer_send(struct dt_peer *peer, struct dt_exchange *x)
{
	if (x)
		x->carrier->send(x, dt_buf_str(&peer->out));
	else
		dt_link_send(peer->link, dt_buf_str(&peer->out));
	shrink_out(peer);
}

void dt_peer_end_exchange(struct dt_peer *peer, struct dt_exchange *x,
                          struct dt_str answer)
{
	for (struct dt_taking *t = peer->taking; t; t = t->outer) {
		if (t->exchange == x)
			t->exchange = NULL;
	}
	x->carrier->end(x, answer);
}

void dt_peer_answer(struct dt_peer *peer, struct dt_way way)
{
	if (way.batch)
		dt_batch_add(way.batch, dt_buf_str(&peer->out));
	else if (way.exchange)
		dt_peer_end_exchange(peer, way.exchange,
		                     dt_buf_str(&peer->out));
	else
		dt_link_send(peer->link, dt_buf_str(&peer->out));
	shrink_out(peer);
}

static enum dt_err try_error(struct dt_peer *peer, const struct dt_batch *batch,
                             struct dt_str id, const struct dt_rpc_error *error)
{
	struct dt_json_out *out = dt_peer_begin(peer);

	if (id.ptr) {
		dt_json_key(out, "id");
		dt_json_put_raw(out, id);
	} else if (!peer->omits_null_id) {
		dt_json_key(out, "id");
		dt_json_put_null(out);
	}
	dt_json_key(out, "error");
	dt_json_begin_object(out);
	dt_json_key(out, "code");
	dt_json_put_int(out, error->code);
	dt_json_key(out, "message");
	dt_json_put_z(out, error->message);
	if (error->data.len) {
		dt_json_key(out, "data");
		dt_json_put_raw(out, error->data);
	}
	dt_json_end_object(out);
	return dt_peer_finish(peer, batch, NULL);
}

void dt_peer_write_error(struct dt_peer *peer, const struct dt_batch *batch,
                         struct dt_str id, const struct dt_rpc_error *error)
{
	struct dt_rpc_error less = { error->code, error->message, { 0 } };

	if (!try_error(peer, batch, id, error) ||
	    !try_error(peer, batch, id, &less))
		return;
	less.message = "the error is too large to be told";
	(void)try_error(peer, batch, id, &less); /* always fits */
}

/* taking */

static struct dt_way way_of(const struct dt_taking *t)
{
	return (struct dt_way){ t->exchange, t->batch };
}

static void refuse(struct dt_peer *peer, struct dt_taking *t, struct dt_str id,
                   int code, const char *why)
{
	const struct dt_rpc_error error = { code, why, { 0 } };

	if (t->what == DT_TAKEN_OTHER)
		t->what = DT_TAKEN_REFUSED;
	if (t->exchange && !t->batch)
		t->exchange->status = STATUS_REFUSED;
	dt_peer_write_error(peer, t->batch, id, &error);
	dt_peer_answer(peer, way_of(t));
}

static void take_notify(struct dt_peer *peer, const struct dt_envelope *env,
                        struct dt_arena *arena)
{
	struct dt_str method = dt_json_text(arena, env->method);
	const char *name = dt_arena_strndup(arena, method.ptr, method.len);

	peer->events->on_notify(peer, name, env->params, peer->owner);
}

/* An answer is not answered, since its id is one of ours.  But where it has an
 * exchange to itself a malformed one is refused: HTTP wants a status. */
static void take_answer(struct dt_peer *peer, struct dt_taking *t,
                        const struct dt_envelope *env, const char *wrong,
                        struct dt_arena *arena)
{
	dt_peer_take_answer(peer, env, wrong, arena);
	if (wrong && t->exchange && !t->batch)
		refuse(peer, t, (struct dt_str){ 0 }, DT_RPC_INVALID_REQUEST,
		       wrong);
}

/* The arena is the message's own; a request takes it over. */
static void take_message(struct dt_peer *peer, struct dt_taking *t,
                         const struct dt_json *json, struct dt_arena *arena)
{
	struct dt_envelope env = {
		.takes_null_params = peer->takes_null_params,
	};
	const char *wrong = dt_envelope_read(json, &env);

	if (dt_envelope_is_answer(&env)) {
		take_answer(peer, t, &env, wrong, arena);
		return;
	}
	if (!wrong && !env.id) {
		take_notify(peer, &env, arena);
		return;
	}
	if (!wrong)
		wrong = dt_request_take(peer, way_of(t), &env, arena);
	if (wrong)
		refuse(peer, t, dt_envelope_id(&env), DT_RPC_INVALID_REQUEST,
		       wrong);
	else
		t->what = DT_TAKEN_REQUEST;
}

/* Each member as if it had come alone, but for where its answer goes. */
static void take_batch(struct dt_peer *peer, struct dt_taking *t,
                       const struct dt_json *json)
{
	t->batch = dt_batch_new(peer, t->exchange, json->count);
	dt_json_each(member, json) {
		struct dt_arena arena = { 0 };

		if (peer->is_closing)
			break;
		take_message(peer, t, member, &arena);
		dt_arena_done(&arena);
	}
	if (t->what == DT_TAKEN_OTHER)
		dt_batch_release_exchange(t->batch);
	else if (t->what == DT_TAKEN_REFUSED && t->exchange)
		t->exchange->status = STATUS_REFUSED;
	dt_batch_leave(t->batch);
}

static void take_array(struct dt_peer *peer, struct dt_taking *t,
                       const struct dt_json *json)
{
	struct dt_fail fail = { 0 };

	if (!peer->takes_batches)
		dt_fail(&fail, DT_E_PROTO,
		        "batches are not part of this protocol version");
	else if (!json->count)
		dt_fail(&fail, DT_E_PROTO, "a batch holds a message at least");
	else if (json->count > DT_LIMIT_BATCH)
		dt_fail(&fail, DT_E_PROTO, "a batch holds %d messages at most",
		        DT_LIMIT_BATCH);
	if (fail.code)
		refuse(peer, t, (struct dt_str){ 0 }, dt_rpc_code(fail.code),
		       fail.msg);
	else
		take_batch(peer, t, json);
}

static enum dt_taken take(struct dt_peer *peer, struct dt_exchange *x,
                          struct dt_str message, bool is_utf8)
{
	struct dt_taking t = { .exchange = x, .outer = peer->taking };
	struct dt_arena arena = { 0 };
	const struct dt_json *json;
	struct dt_fail fail = { 0 };
	enum dt_err err;

	err = is_utf8 ? dt_json_read_utf8(&arena, message, &json, &fail)
	              : dt_json_read(&arena, message, &json, &fail);
	peer->taking = &t;
	if (err)
		refuse(peer, &t, (struct dt_str){ 0 }, DT_RPC_PARSE_ERROR,
		       fail.msg);
	else if (json->type == DT_JSON_ARRAY)
		take_array(peer, &t, json);
	else
		take_message(peer, &t, json, &arena);
	peer->taking = t.outer;
	dt_arena_done(&arena);
	return t.what;
}

/* A message is looked at twice only where the link did not look. */
static void on_message(struct dt_link *link, struct dt_str message, void *owner)
{
	(void)take(owner, NULL, message, link->carrier->is_utf8);
}

/* later */

static void free_after(struct after *after)
{
	dt_list_remove(&after->link);
	dt_timer_free(after->timer);
	free(after);
}

static void on_after(struct dt_timer *timer, void *owner)
{
	struct after *after = owner;
	struct after copy = *after;

	(void)timer;
	free_after(after);
	copy.fn(copy.peer, copy.owner);
}

/* the end */

/* Nobody waits for anything any more. */
static void end_all(struct dt_peer *peer, const struct dt_fail *why)
{
	peer->is_closing = true;
	peer->is_closed = true;
	dt_list_each(after, &peer->afters, struct after, link)
		free_after(after);
	dt_peer_cancel_all(peer);
	dt_peer_end_calls(peer, why);
}

static void free_peer(struct dt_peer *peer)
{
	dt_buf_done(&peer->out);
	free(peer);
}

static void on_closed(struct dt_link *link, const struct dt_fail *why,
                      void *owner)
{
	struct dt_peer *peer = owner;

	(void)link;
	end_all(peer, why);
	peer->events->on_closed(peer, why, peer->owner);
	free_peer(peer);
}

static void on_released(struct dt_timer *timer, void *owner)
{
	dt_timer_free(timer);
	free_peer(owner);
}

struct dt_link *dt_peer_release(struct dt_peer *peer)
{
	struct dt_timer *timer =
		dt_timer_new(dt_peer_loop(peer), on_released, peer);
	struct dt_fail why = { 0 };

	dt_fail(&why, DT_E_CLOSED, "the link is somebody else's now");
	end_all(peer, &why);
	/* The message that led here is still being handed up. */
	dt_timer_start(timer, 0);
	return peer->link;
}

static const struct dt_link_events link_events = {
	.on_message = on_message,
	.on_closed = on_closed,
};

struct dt_peer *dt_peer_new(struct dt_link *link,
                            const struct dt_peer_events *events, void *owner)
{
	struct dt_peer *peer = dt_alloc(sizeof(*peer));

	peer->link = link;
	peer->events = events;
	peer->owner = owner;
	dt_list_init(&peer->requests);
	dt_list_init(&peer->calls);
	dt_list_init(&peer->afters);
	dt_buf_init(&peer->out, DT_LIMIT_MESSAGE);
	return peer;
}

void dt_peer_start(struct dt_peer *peer)
{
	dt_link_start(peer->link, &link_events, peer);
}

struct dt_link *dt_peer_link(struct dt_peer *peer)
{
	return peer->link;
}

void dt_peer_close(struct dt_peer *peer, enum dt_link_end end,
                   const char *reason)
{
	peer->is_closing = true;
	dt_link_close(peer->link, end, reason);
}

bool dt_peer_is_over(const struct dt_peer *peer)
{
	return peer->is_closed;
}

void dt_peer_omit_null_id(struct dt_peer *peer)
{
	peer->omits_null_id = true;
}

void dt_peer_allow_null_params(struct dt_peer *peer)
{
	peer->takes_null_params = true;
}

void dt_peer_allow_batch(struct dt_peer *peer, bool is_allowed)
{
	peer->takes_batches = is_allowed;
}

void dt_peer_share(struct dt_peer *peer)
{
	peer->is_shared = true;
}

enum dt_taken dt_peer_take(struct dt_peer *peer, struct dt_exchange *x,
                           struct dt_str message)
{
	if (!peer->is_closing)
		return take(peer, x, message, false);
	x->carrier->end(x, (struct dt_str){ 0 });
	return DT_TAKEN_REFUSED;
}

struct dt_exchange *dt_peer_exchange(const struct dt_peer *peer)
{
	return peer->taking ? peer->taking->exchange : NULL;
}

void dt_peer_after(struct dt_peer *peer, uint64_t ms, dt_after_fn *fn,
                   void *owner)
{
	struct after *after;

	if (peer->is_closed)
		return;
	after = dt_alloc(sizeof(*after));
	after->peer = peer;
	after->fn = fn;
	after->owner = owner;
	after->timer = dt_timer_new(dt_peer_loop(peer), on_after, after);
	dt_list_append(&peer->afters, &after->link);
	dt_timer_start(after->timer, ms);
}
