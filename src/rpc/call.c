/*
 * rpc/call.c - what we ask and tell the other side.
 *
 * Ids of ours are numbers that are never used again, so an answer may come by
 * any way and however late.  Every call ends once: with the answer, its
 * deadline or the peer.
 */
#include "base/log.h"
#include "rpc/code.h"
#include "rpc/peer_state.h"

#include <stdlib.h>

/* One call of ours under way. */
struct call {
	struct dt_list link;
	struct dt_peer *peer;
	uint64_t id;
	dt_reply_fn *fn;
	void *owner;
	struct dt_timer *deadline;
};

static void free_call(struct call *call)
{
	dt_list_remove(&call->link);
	dt_timer_free(call->deadline);
	free(call);
}

static void end_call(struct call *call, const struct dt_json *result,
                     const struct dt_fail *fail)
{
	struct call copy = *call;

	free_call(call);
	copy.fn(copy.peer, result, fail, copy.owner);
}

static void on_call_deadline(struct dt_timer *timer, void *owner)
{
	struct dt_fail fail = { 0 };

	(void)timer;
	dt_fail(&fail, DT_E_TIMEOUT, "no answer in time");
	end_call(owner, NULL, &fail);
}

static struct call *find_call(struct dt_peer *peer, uint64_t id)
{
	dt_list_each(call, &peer->calls, struct call, link) {
		if (call->id == id)
			return call;
	}
	return NULL;
}

static struct call *new_call(struct dt_peer *peer, uint64_t deadline_ms,
                             dt_reply_fn *fn, void *owner)
{
	struct call *call = dt_alloc(sizeof(*call));

	call->peer = peer;
	call->id = peer->next_id++;
	call->fn = fn;
	call->owner = owner;
	dt_list_append(&peer->calls, &call->link);
	if (deadline_ms) {
		call->deadline = dt_timer_new(dt_peer_loop(peer),
		                              on_call_deadline, call);
		dt_timer_start(call->deadline, deadline_ms);
	}
	return call;
}

static void put_method(struct dt_json_out *out, const char *method,
                       struct dt_str params)
{
	dt_json_key(out, "method");
	dt_json_put_z(out, method);
	if (params.len) {
		dt_json_key(out, "params");
		dt_json_put_raw(out, params);
	}
}

/* Its id, or DT_CALL_OVER. */
static uint64_t send_call(struct call *call, struct dt_exchange *x,
                          const char *method, struct dt_str params)
{
	struct dt_peer *peer = call->peer;
	uint64_t id = call->id;
	struct dt_json_out *out = dt_peer_begin(peer);
	struct dt_fail fail = { 0 };

	dt_json_key(out, "id");
	dt_json_put_int(out, (int64_t)call->id);
	put_method(out, method, params);
	if (peer->is_closed)
		dt_fail(&fail, DT_E_CLOSED, "the peer is gone");
	if (fail.code || dt_peer_finish(peer, NULL, &fail)) {
		end_call(call, NULL, &fail);
		return DT_CALL_OVER;
	}
	dt_peer_send(peer, x);
	return id;
}

uint64_t dt_request_call(struct dt_request *req, const char *method,
                         struct dt_str params, uint64_t deadline_ms,
                         dt_reply_fn *fn, void *owner)
{
	struct dt_fail fail = { 0 };

	if (req->peer)
		return send_call(new_call(req->peer, deadline_ms, fn, owner),
		                 req->exchange, method, params);
	dt_fail(&fail, DT_E_CANCELLED, "the request was cancelled");
	fn(NULL, NULL, &fail, owner);
	return DT_CALL_OVER;
}

uint64_t dt_peer_call(struct dt_peer *peer, const char *method,
                      struct dt_str params, uint64_t deadline_ms,
                      dt_reply_fn *fn, void *owner)
{
	return send_call(new_call(peer, deadline_ms, fn, owner), NULL, method,
	                 params);
}

void dt_peer_forget(struct dt_peer *peer, uint64_t id)
{
	struct call *call = find_call(peer, id);

	if (call)
		free_call(call);
}

static void notify(struct dt_peer *peer, struct dt_exchange *x,
                   const char *method, struct dt_str params)
{
	struct dt_fail fail = { 0 };

	if (peer->is_closed)
		return;
	put_method(dt_peer_begin(peer), method, params);
	if (dt_peer_finish(peer, NULL, &fail))
		dt_log(DT_LOG_ERROR, "%s: %s", method, fail.msg);
	else
		dt_peer_send(peer, x);
}

void dt_request_notify(struct dt_request *req, const char *method,
                       struct dt_str params)
{
	if (req->peer)
		notify(req->peer, req->exchange, method, params);
}

void dt_peer_notify(struct dt_peer *peer, const char *method,
                    struct dt_str params)
{
	notify(peer, NULL, method, params);
}

/* What an error of theirs says. */
static void read_error(const struct dt_json *error, struct dt_arena *arena,
                       struct dt_fail *fail)
{
	const struct dt_json *code = dt_json_get(error, "code");
	const struct dt_json *message = dt_json_get(error, "message");
	int64_t number = DT_RPC_INTERNAL;
	enum dt_err err;

	if (code)
		(void)dt_json_to_i64(code, &number);
	err = number == (int)number ? dt_rpc_err((int)number) : DT_E_SYS;
	if (message && message->type == DT_JSON_STRING) {
		struct dt_str text = dt_json_text(arena, message);

		dt_fail(fail, err, "%.*s", DT_STR_ARG(text));
	} else {
		dt_fail(fail, err, "error %lld", (long long)number);
	}
}

void dt_peer_take_answer(struct dt_peer *peer, const struct dt_envelope *env,
                         const char *wrong, struct dt_arena *arena)
{
	struct call *call = NULL;
	struct dt_fail fail = { 0 };
	int64_t id;

	if (env->id && dt_json_to_i64(env->id, &id))
		call = find_call(peer, (uint64_t)id);
	if (!call) {
		dt_log(DT_LOG_DEBUG, "an answer to nothing we asked");
		return;
	}
	if (!wrong && env->result) {
		end_call(call, env->result, NULL);
		return;
	}
	if (wrong)
		dt_fail(&fail, DT_E_PROTO, "%s", wrong);
	else
		read_error(env->error, arena, &fail);
	end_call(call, NULL, &fail);
}

void dt_peer_end_calls(struct dt_peer *peer, const struct dt_fail *why)
{
	while (!dt_list_is_empty(&peer->calls))
		end_call(DT_LIST_OF(peer->calls.next, struct call, link), NULL,
		         why);
}
