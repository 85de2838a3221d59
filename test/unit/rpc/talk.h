/*
 * test/unit/rpc/talk.h - one peer on a real socket, in lines, and exchanges that
 * only write down what they are told.
 */
#ifndef DT_TEST_TALK_H
#define DT_TEST_TALK_H

#include "base/limits.h"
#include "rpc/code.h"
#include "rpc/peer.h"
#include "sockets.h"

#define MANY 8

#define MESSAGE(id, method)                                                    \
	"{\"jsonrpc\":\"2.0\",\"id\":" id ",\"method\":\"" method              \
	"\",\"params\":[]}"
#define TO_ECHO(id) MESSAGE(id, "echo")
#define TO_HOLD(id) "{\"jsonrpc\":\"2.0\",\"id\":" id ",\"method\":\"hold\"}"

/* One peer, and what its owner saw. */
struct talk {
	struct sockets s;
	struct dt_peer *peer; /* NULL: it has ended */
	struct dt_request *held[MANY];
	size_t held_count;
	struct dt_buf log; /* "request x|notify y|cancel z|" */
	bool is_stubborn;  /* talks in on_closed */
	int closed;
	int replies;
	struct dt_buf results;              /* raw results, each with a "|" */
	struct dt_fail fail;                /* of the last reply that failed */
	struct dt_exchange *exchange;       /* of the last message handed up */
	struct dt_exchange *exchange_after; /* when it was taken care of */
};

/* An exchange, and what was sent by it: "send {}|end {}|", or "end|" where there
 * was no answer. */
struct fake {
	struct dt_exchange x;
	struct dt_buf log;
	bool is_clogged;
	/* A message that comes by `next` in the moment this one ends. */
	struct talk *t;
	struct fake *next;
	const char *next_message;
};

static inline void talk_on_cancel(struct dt_request *req, void *owner)
{
	struct talk *t = owner;

	assert_null(req->peer);
	assert_null(req->exchange);
	dt_buf_addf(&t->log, "cancel %s %.*s|", req->method,
	            DT_STR_ARG(req->id));
}

/* Held requests are ended by the test; one of these ends itself. */
static inline void talk_on_request(struct dt_peer *peer, struct dt_request *req,
                                   const struct dt_json *params, void *owner)
{
	struct talk *t = owner;
	struct dt_fail fail = { 0 };

	t->exchange = dt_peer_exchange(peer);
	dt_buf_addf(&t->log, "request %s %.*s|", req->method,
	            params ? (int)params->raw.len : 0,
	            params ? params->raw.ptr : "");
	if (!strcmp(req->method, "echo")) {
		dt_json_put_raw(dt_request_begin(req), params->raw);
		dt_request_end(req);
	} else if (!strcmp(req->method, "fail")) {
		dt_fail(&fail, DT_E_MISSING, "there is no \"such\" thing");
		dt_request_fail_with(req, &fail);
	} else if (!strcmp(req->method, "close")) {
		dt_request_fail(req, 7, "bye");
		dt_peer_close(peer, DT_LINK_DONE, "");
	} else if (!strcmp(req->method, "large")) {
		struct dt_json_out *out = dt_request_begin(req);
		char *text = dt_alloc(DT_LIMIT_MESSAGE);

		memset(text, 'x', DT_LIMIT_MESSAGE);
		dt_json_put_str(out, (struct dt_str){ text, DT_LIMIT_MESSAGE });
		free(text);
		dt_request_end(req);
	} else {
		assert_true(t->held_count < MANY);
		req->on_cancel = talk_on_cancel;
		req->owner = t;
		t->held[t->held_count++] = req;
	}
	t->exchange_after = dt_peer_exchange(peer);
}

static inline void talk_on_notify(struct dt_peer *peer, const char *method,
                                  const struct dt_json *params, void *owner)
{
	struct talk *t = owner;

	t->exchange = dt_peer_exchange(peer);
	dt_buf_addf(&t->log, "notify %s %.*s|", method,
	            params ? (int)params->raw.len : 0,
	            params ? params->raw.ptr : "");
	if (!strcmp(method, "cancel"))
		dt_peer_cancel(peer, dt_json_first(params)->raw);
}

static inline void talk_on_reply(struct dt_peer *peer,
                                 const struct dt_json *result,
                                 const struct dt_fail *fail, void *owner)
{
	struct talk *t = owner;

	assert_ptr_equal(peer, t->peer);
	assert_true(!result != !fail);
	t->replies++;
	if (result) {
		dt_buf_add_str(&t->results, result->raw);
		dt_buf_add_char(&t->results, '|');
	} else {
		t->fail = *fail;
	}
}

static inline void talk_on_after(struct dt_peer *peer, void *owner)
{
	struct talk *t = owner;

	assert_ptr_equal(peer, t->peer);
	dt_buf_add_z(&t->log, "after|");
	if (t->log.len < 14)
		dt_peer_after(peer, 1, talk_on_after, t);
}

static inline void talk_on_closed(struct dt_peer *peer,
                                  const struct dt_fail *why, void *owner)
{
	struct talk *t = owner;

	assert_ptr_equal(peer, t->peer);
	assert_int_equal(dt_peer_request_count(peer), 0);
	if (t->is_stubborn) {
		dt_peer_notify(peer, "told", (struct dt_str){ 0 });
		dt_peer_after(peer, 1, talk_on_after, t);
		dt_peer_call(peer, "ask", DT_STR("[]"), 5, talk_on_reply, t);
	}
	t->closed++;
	t->peer = NULL;
	dt_buf_addf(&t->log, "closed %s|", dt_err_name(why->code));
}

static const struct dt_peer_events events = {
	.on_request = talk_on_request,
	.on_notify = talk_on_notify,
	.on_closed = talk_on_closed,
};

static inline void talk_begin(struct talk *t)
{
	*t = (struct talk){ 0 };
	dt_buf_init(&t->log, SIZE_MAX);
	dt_buf_init(&t->results, SIZE_MAX);
	sockets_open_unix(&t->s);
	t->peer = dt_peer_new(dt_link_lines_new(t->s.stream), &events, t);
	dt_peer_start(t->peer);
}

static inline void talk_end(struct talk *t)
{
	sockets_close(&t->s);
	assert_int_equal(t->closed, 1);
	for (size_t i = 0; i < t->held_count; i++) {
		if (!t->held[i])
			continue;
		/* Nobody waits any more; it must be ended all the same. */
		dt_json_put_bool(dt_request_begin(t->held[i]), true);
		dt_request_end(t->held[i]);
	}
	dt_buf_done(&t->log);
	dt_buf_done(&t->results);
}

static inline void talk_answer(struct talk *t, size_t i, const char *text)
{
	struct dt_request *req = t->held[i];

	t->held[i] = NULL;
	dt_json_put_z(dt_request_begin(req), text);
	dt_request_end(req);
}

static inline void talk_put(struct talk *t, const char *line)
{
	sockets_put_z(&t->s, line);
	sockets_put_z(&t->s, "\n");
}

static inline void talk_expect(struct talk *t, const char *line)
{
	sockets_expect_z(&t->s, line);
	sockets_expect_z(&t->s, "\n");
}

/* An error with this id and code; the sentence is not looked at. */
static inline void talk_expect_error(struct talk *t, const char *id, int code)
{
	char start[400];
	const char *lf;

	snprintf(start, sizeof(start),
	         "{\"jsonrpc\":\"2.0\",\"id\":%s,\"error\":{\"code\":%d,"
	         "\"message\":\"",
	         id, code);
	sockets_expect_z(&t->s, start);
	sockets_until(&t->s, (sockets_read(&t->s),
	                      memchr(t->s.got.ptr, '\n', t->s.got.len)));
	lf = memchr(t->s.got.ptr, '\n', t->s.got.len);
	dt_buf_consume(&t->s.got, (size_t)(lf - t->s.got.ptr) + 1);
}

static inline void talk_expect_nothing(struct talk *t)
{
	sockets_turn(&t->s, 10);
	sockets_read(&t->s);
	assert_int_equal(t->s.got.len, 0);
}

static inline void talk_call(struct talk *t, uint64_t deadline_ms)
{
	dt_peer_call(t->peer, "ask", DT_STR("{\n\"a\": 1}"), deadline_ms,
	             talk_on_reply, t);
}

/* exchanges */

static inline void fake_send(struct dt_exchange *x, struct dt_str message)
{
	struct fake *f = (struct fake *)x;

	dt_buf_addf(&f->log, "send %.*s|", DT_STR_ARG(message));
}

static inline void fake_end(struct dt_exchange *x, struct dt_str answer)
{
	struct fake *f = (struct fake *)x;

	if (answer.ptr)
		dt_buf_addf(&f->log, "end %.*s|", DT_STR_ARG(answer));
	else
		dt_buf_add_z(&f->log, "end|");
	if (f->next)
		(void)dt_peer_take(f->t->peer, &f->next->x,
		                   dt_str(f->next_message));
}

static inline bool fake_is_clogged(struct dt_exchange *x)
{
	return ((struct fake *)x)->is_clogged;
}

static const struct dt_exchange_carrier fake_carrier = {
	.send = fake_send,
	.end = fake_end,
	.is_clogged = fake_is_clogged,
};

static inline void fake_init(struct fake *f)
{
	*f = (struct fake){ .x = { &fake_carrier, 200 } };
	dt_buf_init(&f->log, SIZE_MAX);
}

static inline void fake_done(struct fake *f)
{
	dt_buf_done(&f->log);
}

static inline enum dt_taken talk_take(struct talk *t, struct fake *f,
                                      const char *message)
{
	return dt_peer_take(t->peer, &f->x, dt_str(message));
}

/* What was sent by it begins so; the sentence of an error is not looked at. */
static inline void fake_expect_start(const struct fake *f, const char *start)
{
	assert_true(f->log.len > strlen(start));
	assert_memory_equal(f->log.ptr, start, strlen(start));
}

/* All that was sent by it since the last look. */
#define fake_expect(f, literal)                                                \
	do {                                                                   \
		assert_str(dt_buf_str(&(f)->log), literal);                    \
		dt_buf_clear(&(f)->log);                                       \
	} while (0)

#endif
