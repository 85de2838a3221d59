/*
 * rpc/request.c - what the other side asked, until it is answered.
 *
 * A request knows its way back.  It leaves the peer's list before its answer is
 * sent and before on_cancel is called, because either may let in what looks for
 * it there; so each ends once.
 */
#include "rpc/code.h"
#include "rpc/peer_state.h"

#include <assert.h>

/* From here on nobody waits for it.  Returns the way back that it had. */
static struct dt_way detach(struct dt_request *req)
{
	struct dt_way way = { req->exchange, req->batch };

	req->peer->request_count--;
	req->peer = NULL;
	req->exchange = NULL;
	req->batch = NULL;
	dt_list_remove(&req->link);
	return way;
}

static void free_request(struct dt_request *req)
{
	struct dt_arena arena = req->arena;

	dt_arena_done(&arena); /* the request itself lives in it */
}

/* Send what was written as the answer. */
static void answer(struct dt_request *req)
{
	struct dt_peer *peer = req->peer;
	struct dt_way way = detach(req);

	free_request(req);
	dt_peer_answer(peer, way);
	if (way.batch)
		dt_batch_leave(way.batch);
}

struct dt_json_out *dt_request_begin(struct dt_request *req)
{
	static struct dt_buf nowhere; /* limit 0: everything is left out */
	static struct dt_json_out discard = { .buf = &nowhere };
	struct dt_json_out *out;

	if (!req->peer)
		return &discard;
	out = dt_peer_begin(req->peer);
	dt_json_key(out, "id");
	dt_json_put_raw(out, req->id);
	dt_json_key(out, "result");
	return out;
}

void dt_request_end(struct dt_request *req)
{
	struct dt_fail fail = { 0 };

	if (!req->peer)
		free_request(req);
	else if (dt_peer_finish(req->peer, req->batch, &fail))
		dt_request_fail_with(req, &fail);
	else
		answer(req);
}

void dt_request_fail(struct dt_request *req, int code, const char *message)
{
	dt_request_fail_data(req, code, message, (struct dt_str){ 0 });
}

void dt_request_fail_data(struct dt_request *req, int code, const char *message,
                          struct dt_str data)
{
	const struct dt_rpc_error error = { code, message, data };

	if (!req->peer) {
		free_request(req);
		return;
	}
	dt_peer_write_error(req->peer, req->batch, req->id, &error);
	answer(req);
}

void dt_request_fail_with(struct dt_request *req, const struct dt_fail *fail)
{
	dt_request_fail(req, dt_rpc_code(fail->code), fail->msg);
}

bool dt_request_is_clogged(const struct dt_request *req)
{
	struct dt_exchange *x = req->exchange;

	if (!req->peer)
		return true;
	return x ? x->carrier->is_clogged(x)
	         : dt_link_is_clogged(req->peer->link);
}

/* The exchange ends last: on_cancel may free the request, and ending may let in
 * somebody who would end it first. */
static void cancel(struct dt_request *req)
{
	struct dt_peer *peer = req->peer;
	struct dt_way way;

	assert(peer);
	way = detach(req);
	if (req->on_cancel)
		req->on_cancel(req, req->owner);
	if (way.batch)
		dt_batch_leave(way.batch);
	else if (way.exchange)
		dt_peer_end_exchange(peer, way.exchange, (struct dt_str){ 0 });
}

/* `x` counts only where the peer is shared. */
static struct dt_request *find_request(struct dt_peer *peer, struct dt_str id,
                                       const struct dt_exchange *x)
{
	dt_list_each(req, &peer->requests, struct dt_request, link) {
		if (peer->is_shared && req->exchange != x)
			continue;
		if (dt_str_eq(req->id, id))
			return req;
	}
	return NULL;
}

void dt_peer_cancel(struct dt_peer *peer, struct dt_str id)
{
	struct dt_request *req = find_request(peer, id, NULL);

	if (req)
		cancel(req);
}

static struct dt_request *find_by_exchange(struct dt_peer *peer,
                                           const struct dt_exchange *x)
{
	dt_list_each(req, &peer->requests, struct dt_request, link) {
		if (req->exchange == x)
			return req;
	}
	return NULL;
}

void dt_peer_cancel_exchange(struct dt_peer *peer, struct dt_exchange *x)
{
	struct dt_request *req = find_by_exchange(peer, x);

	if (req && req->batch)
		dt_batch_forget(req->batch);
	for (; req; req = find_by_exchange(peer, x))
		cancel(req);
}

void dt_peer_cancel_all(struct dt_peer *peer)
{
	while (!dt_list_is_empty(&peer->requests))
		cancel(DT_LIST_OF(peer->requests.next, struct dt_request,
		                  link));
}

size_t dt_peer_request_count(const struct dt_peer *peer)
{
	return peer->request_count;
}

const char *dt_request_take(struct dt_peer *peer, struct dt_way way,
                            const struct dt_envelope *env,
                            struct dt_arena *arena)
{
	struct dt_str id = env->id->raw;
	struct dt_str method = dt_json_text(arena, env->method);
	struct dt_request *req;

	if (find_request(peer, id, way.exchange))
		return "a request with this id is still under way";
	req = dt_arena_alloc(arena, sizeof(*req));
	req->method = dt_arena_strndup(arena, method.ptr, method.len);
	req->id.ptr = dt_arena_strndup(arena, id.ptr, id.len);
	req->id.len = id.len;
	req->peer = peer;
	req->exchange = way.exchange;
	req->batch = way.batch;
	if (way.batch)
		dt_batch_join(way.batch);
	dt_list_append(&peer->requests, &req->link);
	peer->request_count++;
	req->arena = *arena; /* from here on the arena is the request's */
	*arena = (struct dt_arena){ 0 };
	peer->events->on_request(peer, req, env->params, peer->owner);
	return NULL;
}
