/*
 * rpc/peer.c - envelopes scanned, requests tracked, answers written.
 *
 * What is in `params` is left to dialects and to hub/control.c.  Faults of the
 * other side are answered as JSON-RPC 2.0 section 5.1 says; none ends the link.
 */
#include "rpc/peer.h"

#include "base/buf.h"
#include "base/limits.h"
#include "base/log.h"
#include "rpc/code.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

/* The output buffer is kept between answers up to this size. */
#define KEEP_OUT (64u * DT_KIB)
#define MAX_ID 256 /* bytes; longer ids are refused */

struct dt_peer {
	struct dt_link *link;
	const struct dt_peer_events *events;
	void *owner;
	struct dt_list requests; /* theirs, not ended yet */
	size_t request_count;
	struct dt_list calls; /* ours, not answered yet */
	struct dt_list afters;
	uint64_t next_id;
	struct dt_buf out; /* one message at a time is written here */
	struct dt_json_out writer;
	bool is_closed; /* on_closed is under way */
};

/* One call of ours under way. */
struct call {
	struct dt_list link;
	struct dt_peer *peer;
	uint64_t id;
	dt_reply_fn *fn;
	void *owner;
	struct dt_timer *deadline;
};

struct after {
	struct dt_list link;
	struct dt_peer *peer;
	struct dt_timer *timer;
	dt_after_fn *fn;
	void *owner;
};

/* The envelope of one message. */
struct envelope {
	const struct dt_json *version;
	const struct dt_json *id;
	const struct dt_json *method;
	const struct dt_json *params;
	const struct dt_json *result;
	const struct dt_json *error;
};

static struct dt_loop *loop_of(const struct dt_peer *peer)
{
	return peer->link->loop;
}

/* sending */

static struct dt_json_out *begin_message(struct dt_peer *peer)
{
	dt_buf_clear(&peer->out);
	peer->writer = dt_json_out(&peer->out);
	dt_json_begin_object(&peer->writer);
	dt_json_key(&peer->writer, "jsonrpc");
	dt_json_put_str(&peer->writer, DT_STR("2.0"));
	return &peer->writer;
}

/* DT_E_LIMIT: it did not fit, and nothing was sent. */
static enum dt_err send_message(struct dt_peer *peer, struct dt_fail *fail)
{
	enum dt_err err;

	dt_json_end_object(&peer->writer);
	err = dt_buf_check(&peer->out, "the message", fail);
	if (!err)
		dt_link_send(peer->link, dt_buf_str(&peer->out));
	if (peer->out.cap > KEEP_OUT)
		dt_buf_done(&peer->out);
	return err;
}

static void send_error(struct dt_peer *peer, struct dt_str id, int code,
                       const char *message)
{
	struct dt_json_out *out = begin_message(peer);

	dt_json_key(out, "id");
	if (id.ptr)
		dt_json_put_raw(out, id);
	else
		dt_json_put_null(out);
	dt_json_key(out, "error");
	dt_json_begin_object(out);
	dt_json_key(out, "code");
	dt_json_put_int(out, code);
	dt_json_key(out, "message");
	dt_json_put_z(out, message);
	dt_json_end_object(out);
	(void)send_message(peer, NULL); /* always fits */
}

/* their requests */

static void free_request(struct dt_request *req)
{
	struct dt_arena arena = req->arena;

	if (req->peer)
		req->peer->request_count--;
	dt_list_remove(&req->link);
	dt_arena_done(&arena); /* the request itself lives in it */
}

struct dt_json_out *dt_request_begin(struct dt_request *req)
{
	static struct dt_buf nowhere; /* limit 0: everything is left out */
	static struct dt_json_out discard = { .buf = &nowhere };
	struct dt_json_out *out;

	if (!req->peer)
		return &discard;
	out = begin_message(req->peer);
	dt_json_key(out, "id");
	dt_json_put_raw(out, req->id);
	dt_json_key(out, "result");
	return out;
}

void dt_request_end(struct dt_request *req)
{
	struct dt_peer *peer = req->peer;
	struct dt_fail fail = { 0 };

	if (peer && send_message(peer, &fail))
		dt_request_fail_with(req, &fail);
	else
		free_request(req);
}

void dt_request_fail(struct dt_request *req, int code, const char *message)
{
	if (req->peer)
		send_error(req->peer, req->id, code, message);
	free_request(req);
}

void dt_request_fail_with(struct dt_request *req, const struct dt_fail *fail)
{
	dt_request_fail(req, dt_rpc_code(fail->code), fail->msg);
}

static void cancel(struct dt_request *req)
{
	assert(req->peer);
	req->peer->request_count--;
	req->peer = NULL;
	dt_list_remove(&req->link);
	if (req->on_cancel)
		req->on_cancel(req, req->owner);
}

static struct dt_request *find_request(struct dt_peer *peer, struct dt_str id)
{
	dt_list_each(req, &peer->requests, struct dt_request, link) {
		if (dt_str_eq(req->id, id))
			return req;
	}
	return NULL;
}

void dt_peer_cancel(struct dt_peer *peer, struct dt_str id)
{
	struct dt_request *req = find_request(peer, id);

	if (req)
		cancel(req);
}

size_t dt_peer_request_count(const struct dt_peer *peer)
{
	return peer->request_count;
}

static void take_request(struct dt_peer *peer, const struct envelope *env,
                         struct dt_arena *arena)
{
	struct dt_str id = env->id->raw;
	struct dt_str method = dt_json_text(arena, env->method);
	struct dt_request *req;

	if (find_request(peer, id)) {
		send_error(peer, id, DT_RPC_INVALID_REQUEST,
		           "a request with this id is still under way");
		return;
	}
	req = dt_arena_alloc(arena, sizeof(*req));
	req->method = dt_arena_strndup(arena, method.ptr, method.len);
	req->id.ptr = dt_arena_strndup(arena, id.ptr, id.len);
	req->id.len = id.len;
	req->peer = peer;
	dt_list_append(&peer->requests, &req->link);
	peer->request_count++;
	req->arena = *arena; /* from here on the arena is the request's */
	*arena = (struct dt_arena){ 0 };
	peer->events->on_request(peer, req, env->params, peer->owner);
}

/* our calls */

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

void dt_peer_call(struct dt_peer *peer, const char *method,
                  struct dt_str params, uint64_t deadline_ms, dt_reply_fn *fn,
                  void *owner)
{
	struct call *call = dt_alloc(sizeof(*call));
	struct dt_json_out *out = begin_message(peer);
	struct dt_fail fail = { 0 };

	call->peer = peer;
	call->id = peer->next_id++;
	call->fn = fn;
	call->owner = owner;
	dt_list_append(&peer->calls, &call->link);
	if (deadline_ms) {
		call->deadline =
			dt_timer_new(loop_of(peer), on_call_deadline, call);
		dt_timer_start(call->deadline, deadline_ms);
	}
	dt_json_key(out, "id");
	dt_json_put_int(out, (int64_t)call->id);
	dt_json_key(out, "method");
	dt_json_put_z(out, method);
	if (params.len) {
		dt_json_key(out, "params");
		dt_json_put_raw(out, params);
	}
	if (peer->is_closed)
		dt_fail(&fail, DT_E_CLOSED, "the peer is gone");
	if (fail.code || send_message(peer, &fail))
		end_call(call, NULL, &fail);
}

void dt_peer_notify(struct dt_peer *peer, const char *method,
                    struct dt_str params)
{
	struct dt_json_out *out = begin_message(peer);
	struct dt_fail fail = { 0 };

	dt_json_key(out, "method");
	dt_json_put_z(out, method);
	if (params.len) {
		dt_json_key(out, "params");
		dt_json_put_raw(out, params);
	}
	if (send_message(peer, &fail))
		dt_log(DT_LOG_ERROR, "%s: %s", method, fail.msg);
}

static struct call *find_call(struct dt_peer *peer, const struct dt_json *id)
{
	int64_t number;

	if (!id || !dt_json_to_i64(id, &number))
		return NULL;
	dt_list_each(call, &peer->calls, struct call, link) {
		if (call->id == (uint64_t)number)
			return call;
	}
	return NULL;
}

static void take_response(struct dt_peer *peer, const struct envelope *env,
                          struct dt_arena *arena)
{
	struct call *call = find_call(peer, env->id);
	const struct dt_json *code;
	const struct dt_json *message;
	struct dt_fail fail = { 0 };
	int64_t number = DT_RPC_INTERNAL;
	enum dt_err err;

	if (!call) {
		dt_log(DT_LOG_DEBUG, "an answer to nothing we asked");
		return;
	}
	if (env->result) {
		end_call(call, env->result, NULL);
		return;
	}
	code = dt_json_get(env->error, "code");
	message = dt_json_get(env->error, "message");
	if (code)
		(void)dt_json_to_i64(code, &number);
	err = number == (int)number ? dt_rpc_err((int)number) : DT_E_SYS;
	if (message && message->type == DT_JSON_STRING) {
		struct dt_str text = dt_json_text(arena, message);

		dt_fail(&fail, err, "%.*s", DT_STR_ARG(text));
	} else {
		dt_fail(&fail, err, "error %lld", (long long)number);
	}
	end_call(call, NULL, &fail);
}

/* envelopes */

static bool id_is_valid(const struct dt_json *id)
{
	return (id->type == DT_JSON_STRING || id->type == DT_JSON_NUMBER) &&
	       id->raw.len <= MAX_ID;
}

/* True for a key with this name, however it is written. */
static bool is_named(const struct dt_json *key, struct dt_str name)
{
	struct dt_str raw = { key->raw.ptr + 1, key->raw.len - 2 };

	return key->has_escapes ? dt_json_key_is(key, name.ptr)
	                        : dt_str_eq(raw, name);
}

/* Sort the members into the envelope, the first of each name.  False when that
 * does not tell whether one is there twice: a name came again, or is not ours. */
static bool read_members(const struct dt_json *json, struct envelope *env)
{
	const struct {
		struct dt_str name;
		const struct dt_json **value;
	} members[] = {
		{ DT_STR("jsonrpc"), &env->version },
		{ DT_STR("id"), &env->id },
		{ DT_STR("method"), &env->method },
		{ DT_STR("params"), &env->params },
		{ DT_STR("result"), &env->result },
		{ DT_STR("error"), &env->error },
	};
	const size_t count = sizeof(members) / sizeof(members[0]);
	bool is_sure = true;

	dt_json_each(key, json) {
		size_t i = 0;

		while (i < count && !is_named(key, members[i].name))
			i++;
		if (i < count && !*members[i].value)
			*members[i].value = dt_json_value(key);
		else
			is_sure = false;
	}
	return is_sure;
}

/* The sentence that says what is wrong with a message, or NULL. */
static const char *read_envelope(const struct dt_json *json,
                                 struct envelope *env)
{
	bool has_twice = false;

	if (json->type == DT_JSON_ARRAY)
		return "batches are not part of this protocol version";
	if (json->type != DT_JSON_OBJECT)
		return "a message is an object";
	if (!read_members(json, env))
		has_twice = dt_json_find_duplicate(json);
	if (!env->version || !dt_str_is(env->version->raw, "\"2.0\""))
		return "jsonrpc must be \"2.0\"";
	if (has_twice)
		return "a member is there twice";
	if (env->method && env->method->type != DT_JSON_STRING)
		return "method must be a string";
	/* Behind a NUL a name would be cut, and mean another. */
	if (env->method && env->method->has_escapes &&
	    memmem(env->method->raw.ptr, env->method->raw.len, "\\u0000", 6))
		return "method must hold no NUL";
	if (env->id && env->method && !id_is_valid(env->id))
		return "id must be a string or a number, and short";
	if (env->params && env->params->type != DT_JSON_OBJECT &&
	    env->params->type != DT_JSON_ARRAY)
		return "params must be an object or an array";
	if (!env->method && !env->result && !env->error)
		return "neither a request nor an answer";
	return NULL;
}

static void take_notify(struct dt_peer *peer, const struct envelope *env,
                        struct dt_arena *arena)
{
	struct dt_str method = dt_json_text(arena, env->method);
	const char *name = dt_arena_strndup(arena, method.ptr, method.len);

	peer->events->on_notify(peer, name, env->params, peer->owner);
}

/* An answer is not answered, since its id is one of ours; but a call that it
 * answers is over. */
static void refuse(struct dt_peer *peer, const struct envelope *env,
                   const char *wrong)
{
	bool has_id = env->id && id_is_valid(env->id);
	bool is_answer = !env->method && (env->result || env->error);
	struct call *call = is_answer ? find_call(peer, env->id) : NULL;
	struct dt_fail fail = { 0 };

	if (!is_answer)
		send_error(peer, has_id ? env->id->raw : (struct dt_str){ 0 },
		           DT_RPC_INVALID_REQUEST, wrong);
	if (!call)
		return;
	dt_fail(&fail, DT_E_PROTO, "%s", wrong);
	end_call(call, NULL, &fail);
}

/* A message is looked at twice only where the link did not look. */
static enum dt_err read_message(const struct dt_link *link,
                                struct dt_arena *arena, struct dt_str message,
                                const struct dt_json **out,
                                struct dt_fail *fail)
{
	return link->carrier->is_utf8
	               ? dt_json_read_utf8(arena, message, out, fail)
	               : dt_json_read(arena, message, out, fail);
}

static void on_message(struct dt_link *link, struct dt_str message, void *owner)
{
	struct dt_peer *peer = owner;
	struct dt_arena arena = { 0 };
	struct envelope env = { 0 };
	const struct dt_json *json;
	struct dt_fail fail = { 0 };
	const char *wrong;

	if (read_message(link, &arena, message, &json, &fail)) {
		send_error(peer, (struct dt_str){ 0 }, DT_RPC_PARSE_ERROR,
		           fail.msg);
		dt_arena_done(&arena);
		return;
	}
	wrong = read_envelope(json, &env);
	if (wrong) {
		refuse(peer, &env, wrong);
	} else if (env.method && env.id) {
		take_request(peer, &env, &arena);
	} else if (env.method) {
		take_notify(peer, &env, &arena);
	} else {
		take_response(peer, &env, &arena);
	}
	dt_arena_done(&arena);
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
	after->timer = dt_timer_new(loop_of(peer), on_after, after);
	dt_list_append(&peer->afters, &after->link);
	dt_timer_start(after->timer, ms);
}

/* the end */

static void on_closed(struct dt_link *link, const struct dt_fail *why,
                      void *owner)
{
	struct dt_peer *peer = owner;

	(void)link;
	peer->is_closed = true;
	dt_list_each(after, &peer->afters, struct after, link)
		free_after(after);
	while (!dt_list_is_empty(&peer->requests))
		cancel(DT_LIST_OF(peer->requests.next, struct dt_request,
		                  link));
	while (!dt_list_is_empty(&peer->calls))
		end_call(DT_LIST_OF(peer->calls.next, struct call, link), NULL,
		         why);
	peer->events->on_closed(peer, why, peer->owner);
	dt_buf_done(&peer->out);
	free(peer);
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
	dt_link_close(peer->link, end, reason);
}
