/*
 * rpc/peer.h - one JSON-RPC 2.0 conversation over one link.
 *
 * Ids are kept byte for byte and per peer, so two agents with equal ids are
 * never mixed up.  Every request, either way, ends exactly once.
 */
#ifndef DT_RPC_PEER_H
#define DT_RPC_PEER_H

#include "base/arena.h"
#include "base/err.h"
#include "base/list.h"
#include "base/str.h"
#include "data/json.h"
#include "link/link.h"
#include "rpc/exchange.h"

#include <stdbool.h>
#include <stdint.h>

struct dt_peer;
struct dt_request;

/*
 * What a peer tells its owner.  `params` (NULL when absent) and the bytes behind
 * it are lent until the callback returns: what is kept is decoded into an arena.
 * on_closed comes exactly once and last; requests under way were cancelled
 * before it, and the peer is freed behind it.
 */
struct dt_peer_events {
	void (*on_request)(struct dt_peer *peer, struct dt_request *req,
	                   const struct dt_json *params, void *owner);
	void (*on_notify)(struct dt_peer *peer, const char *method,
	                  const struct dt_json *params, void *owner);
	void (*on_closed)(struct dt_peer *peer, const struct dt_fail *why,
	                  void *owner);
};

/* What came of a call of ours; see dt_peer_call(). */
typedef void dt_reply_fn(struct dt_peer *peer, const struct dt_json *result,
                         const struct dt_fail *fail, void *owner);

struct dt_peer *dt_peer_new(struct dt_link *link,
                            const struct dt_peer_events *events, void *owner);
/* Begin to listen; requests may come before it returns. */
void dt_peer_start(struct dt_peer *peer);
struct dt_link *dt_peer_link(struct dt_peer *peer);
void dt_peer_close(struct dt_peer *peer, enum dt_link_end end,
                   const char *reason);

/*
 * Let go of the link, for another owner to start: what comes next on it is not
 * ours.  What was under way is cancelled, on_closed does not come, and the peer
 * is gone at the end of the turn.
 */
struct dt_link *dt_peer_release(struct dt_peer *peer);

/*
 * What MCP wants otherwise than JSON-RPC: an error whose id is not known has no
 * "id" at all instead of null.
 */
void dt_peer_omit_null_id(struct dt_peer *peer);
/* What language servers write although JSON-RPC does not know it: "params" that
 * are null. */
void dt_peer_allow_null_params(struct dt_peer *peer);
/*
 * Arrays of messages are taken apart from now on, or not (the default: -32600
 * for the whole).  Their answers go back as one array when the last is there; an
 * array of notifications and answers alone is not answered.
 */
void dt_peer_allow_batch(struct dt_peer *peer, bool is_allowed);
/* Many who know nothing of each other talk to this peer by exchanges: equal ids
 * of two exchanges are two requests, and none of them is cancelled by id. */
void dt_peer_share(struct dt_peer *peer);

/* What a message that came by an exchange was. */
enum dt_taken {
	DT_TAKEN_OTHER,   /* a notification or an answer of theirs: the exchange
	                   * was not ended, and is the caller's again */
	DT_TAKEN_REFUSED, /* ended with an error; with no answer where the peer
	                   * is closing */
	DT_TAKEN_REQUEST, /* the exchange ends with its answer, or has already */
};
/* A message that did not come over the link.  A batch is a request when it
 * holds one. */
enum dt_taken dt_peer_take(struct dt_peer *peer, struct dt_exchange *x,
                           struct dt_str message);
/* Whoever sent it is gone: its requests are cancelled. */
void dt_peer_cancel_exchange(struct dt_peer *peer, struct dt_exchange *x);
/* The exchange whose message is being handed up right now; NULL for the
 * link's, and when it has ended. */
struct dt_exchange *dt_peer_exchange(const struct dt_peer *peer);

/*
 * A request from the other side.  Whoever takes it ends it, now or later, with
 * dt_request_end() or dt_request_fail(); both free it.  When the other side
 * cancels or is gone, on_cancel is called once, and its exchange ends behind
 * that; the request must still be ended, and nothing is sent then.
 */
struct dt_request {
	struct dt_arena arena; /* lives as long as the request */
	const char *method;
	struct dt_str id;                                       /* as it came */
	void (*on_cancel)(struct dt_request *req, void *owner); /* or NULL */
	void *owner;
	/* rpc/request.c's */
	struct dt_list link;
	struct dt_peer *peer; /* NULL: nobody waits for the answer any more */
	struct dt_exchange *exchange; /* NULL: it came over the link */
	struct dt_batch *batch;       /* NULL: it came alone */
};

/* Write the result: exactly one value into what begin returns, then end.
 * Nothing else may be sent to this peer between the two. */
struct dt_json_out *dt_request_begin(struct dt_request *req);
void dt_request_end(struct dt_request *req);
void dt_request_fail(struct dt_request *req, int code, const char *message);
/* The same with a `data` member: raw JSON, left out when it is too large. */
void dt_request_fail_data(struct dt_request *req, int code, const char *message,
                          struct dt_str data);
/* The same from a recorded failure. */
void dt_request_fail_with(struct dt_request *req, const struct dt_fail *fail);

/*
 * While a request is under way: what belongs to it, on its own way back.
 * Nothing is sent for one that was cancelled.  dt_request_call() is as
 * dt_peer_call(); the call outlives the request, and its `fn` comes whatever
 * becomes of that: for one that was cancelled at once, with DT_E_CANCELLED and
 * no peer.  Returns the call's id as it was sent, or DT_CALL_OVER when `fn` has
 * come already.
 */
#define DT_CALL_OVER UINT64_MAX
void dt_request_notify(struct dt_request *req, const char *method,
                       struct dt_str params);
uint64_t dt_request_call(struct dt_request *req, const char *method,
                         struct dt_str params, uint64_t deadline_ms,
                         dt_reply_fn *fn, void *owner);
/* Above the high water mark, or cancelled: progress should be dropped. */
bool dt_request_is_clogged(const struct dt_request *req);

/*
 * The other side cancels by id: the request's on_cancel is called and nothing
 * will be sent.  Unknown ids are ignored, as they may have been answered.
 */
void dt_peer_cancel(struct dt_peer *peer, struct dt_str id);
size_t dt_peer_request_count(const struct dt_peer *peer);

/*
 * Call the other side.  `params` is raw JSON or empty.  `fn` comes exactly once,
 * with a result or a failure (DT_E_TIMEOUT, DT_E_CLOSED, the peer's own); both
 * are lent.  It may come before dt_peer_call() returns: where the peer is gone
 * or the message too large.  `deadline_ms` 0: none.  Returns the call's id as it
 * was sent, or DT_CALL_OVER when `fn` has come already.
 */
uint64_t dt_peer_call(struct dt_peer *peer, const char *method,
                      struct dt_str params, uint64_t deadline_ms,
                      dt_reply_fn *fn, void *owner);
/* The conversation is over: a call that fails now fails because of that, with
 * the reason of the link. */
bool dt_peer_is_over(const struct dt_peer *peer);
/* Nobody waits for the answer to a call of ours any more: its `fn` does not
 * come.  The other side is not told; unknown ids are ignored. */
void dt_peer_forget(struct dt_peer *peer, uint64_t id);
/* Nothing is sent once the link is gone. */
void dt_peer_notify(struct dt_peer *peer, const char *method,
                    struct dt_str params);

/* Later, unless the peer is gone by then. */
typedef void dt_after_fn(struct dt_peer *peer, void *owner);
void dt_peer_after(struct dt_peer *peer, uint64_t ms, dt_after_fn *fn,
                   void *owner);

#endif
