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

struct dt_peer *dt_peer_new(struct dt_link *link,
                            const struct dt_peer_events *events, void *owner);
/* Begin to listen; requests may come before it returns. */
void dt_peer_start(struct dt_peer *peer);
struct dt_link *dt_peer_link(struct dt_peer *peer);
void dt_peer_close(struct dt_peer *peer, enum dt_link_end end,
                   const char *reason);

/*
 * A request from the other side.  Whoever takes it ends it, now or later, with
 * dt_request_end() or dt_request_fail(); both free it.  When the other side
 * cancels or is gone, on_cancel is called once; the request must still be ended,
 * and nothing is sent then.
 */
struct dt_request {
	struct dt_arena arena; /* lives as long as the request */
	const char *method;
	struct dt_str id;                                       /* as it came */
	void (*on_cancel)(struct dt_request *req, void *owner); /* or NULL */
	void *owner;
	/* rpc/peer.c's */
	struct dt_list link;
	struct dt_peer *peer; /* NULL: nobody waits for the answer any more */
};

/* Write the result: exactly one value into what begin returns, then end.
 * Nothing else may be sent to this peer between the two. */
struct dt_json_out *dt_request_begin(struct dt_request *req);
void dt_request_end(struct dt_request *req);
void dt_request_fail(struct dt_request *req, int code, const char *message);
/* The same from a recorded failure. */
void dt_request_fail_with(struct dt_request *req, const struct dt_fail *fail);

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
 * or the message too large.  `deadline_ms` 0: none.
 */
typedef void dt_reply_fn(struct dt_peer *peer, const struct dt_json *result,
                         const struct dt_fail *fail, void *owner);
void dt_peer_call(struct dt_peer *peer, const char *method,
                  struct dt_str params, uint64_t deadline_ms, dt_reply_fn *fn,
                  void *owner);
void dt_peer_notify(struct dt_peer *peer, const char *method,
                    struct dt_str params);

/* Later, unless the peer is gone by then. */
typedef void dt_after_fn(struct dt_peer *peer, void *owner);
void dt_peer_after(struct dt_peer *peer, uint64_t ms, dt_after_fn *fn,
                   void *owner);

#endif
