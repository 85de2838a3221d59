/*
 * rpc/peer_state.h - what a peer is made of; for rpc/ alone.
 *
 * peer.c owns it and does the sending; request.c keeps what the other side
 * asked, call.c what we asked, batch.c what goes back as one array.
 */
#ifndef DT_RPC_PEER_STATE_H
#define DT_RPC_PEER_STATE_H

#include "base/buf.h"
#include "rpc/envelope.h"
#include "rpc/peer.h"

struct dt_batch;

/* One message that is being handed up.  Where ending an exchange lets the next
 * message in, there are several, each inside the one before. */
struct dt_taking {
	struct dt_exchange *exchange; /* NULL: the link's, or it has ended */
	struct dt_batch *batch;       /* NULL: it came alone */
	enum dt_taken what;
	struct dt_taking *outer;
};

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
	struct dt_taking *taking; /* the innermost, or NULL */
	bool omits_null_id;
	bool takes_null_params;
	bool takes_batches;
	bool is_shared;
	bool is_closing; /* nothing is handed up any more */
	bool is_closed;  /* on_closed is under way */
};

/* The way back of a request or of a message that is refused. */
struct dt_way {
	struct dt_exchange *exchange; /* NULL: the link */
	struct dt_batch *batch;       /* NULL: it came alone */
};

struct dt_rpc_error {
	int code;
	const char *message;
	struct dt_str data; /* raw JSON, or empty */
};

/* peer.c */

struct dt_loop *dt_peer_loop(struct dt_peer *peer);
/* Begin the one message; what is put in goes into its object. */
struct dt_json_out *dt_peer_begin(struct dt_peer *peer);
/* Complete it.  DT_E_LIMIT: it is too large, by itself or for its `batch`, and
 * must not be sent. */
enum dt_err dt_peer_finish(struct dt_peer *peer, const struct dt_batch *batch,
                           struct dt_fail *fail) DT_MUST_CHECK;
/* Send what was finished: over the link or by an exchange that goes on. */
void dt_peer_send(struct dt_peer *peer, struct dt_exchange *x);
/* Send it as the answer, the last that goes this way. */
void dt_peer_answer(struct dt_peer *peer, struct dt_way way);
/* Write and finish an error; id.ptr NULL: whose it is is not known. */
void dt_peer_write_error(struct dt_peer *peer, const struct dt_batch *batch,
                         struct dt_str id, const struct dt_rpc_error *error);
void dt_peer_end_exchange(struct dt_peer *peer, struct dt_exchange *x,
                          struct dt_str answer);

/* request.c */

/* Hand up a request, which takes the arena with it.  Not NULL: the sentence
 * that says why it is refused. */
const char *dt_request_take(struct dt_peer *peer, struct dt_way way,
                            const struct dt_envelope *env,
                            struct dt_arena *arena);
void dt_peer_cancel_all(struct dt_peer *peer);

/* call.c */

/* An answer to a call of ours; `wrong`: it is malformed, or NULL. */
void dt_peer_take_answer(struct dt_peer *peer, const struct dt_envelope *env,
                         const char *wrong, struct dt_arena *arena);
void dt_peer_end_calls(struct dt_peer *peer, const struct dt_fail *why);

/* batch.c */

/* For an array of so many messages; held until dt_batch_leave(). */
struct dt_batch *dt_batch_new(struct dt_peer *peer, struct dt_exchange *x,
                              size_t member_count);
/* One more request of it is under way. */
void dt_batch_join(struct dt_batch *batch);
/* It is answered or cancelled; the last one sends the array, or ends the
 * exchange without one, and frees the batch. */
void dt_batch_leave(struct dt_batch *batch);
/* Nothing in it wants an answer: the exchange is the caller's again. */
void dt_batch_release_exchange(struct dt_batch *batch);
/* Whoever sent it is gone: what was gathered is dropped. */
void dt_batch_forget(struct dt_batch *batch);
/* Whether an answer of this length has room beside those still to come. */
enum dt_err dt_batch_check(const struct dt_batch *batch, size_t len,
                           struct dt_fail *fail) DT_MUST_CHECK;
void dt_batch_add(struct dt_batch *batch, struct dt_str answer);

#endif
