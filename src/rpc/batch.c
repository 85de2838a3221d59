/*
 * rpc/batch.c - the answers to an array of messages, gathered into one.
 *
 * Taking the array apart is rpc/peer.c's.  A batch is held by that while it
 * lasts and by each request of it; whoever leaves last sends.  There is always
 * room for an error to each message that has no answer yet.
 */
#include "base/limits.h"
#include "rpc/peer_state.h"

#include <stdlib.h>

/* An error with the longest id and the longest sentence, all of it escaped. */
#define ERROR_ROOM (4u * DT_KIB)

struct dt_batch {
	struct dt_peer *peer;
	struct dt_exchange *exchange; /* NULL: the array came over the link */
	size_t holders;
	size_t unanswered; /* messages; notifications never cease to be */
	struct dt_buf answers;
};

struct dt_batch *dt_batch_new(struct dt_peer *peer, struct dt_exchange *x,
                              size_t member_count)
{
	struct dt_batch *batch = dt_alloc(sizeof(*batch));

	batch->peer = peer;
	batch->exchange = x;
	batch->holders = 1;
	batch->unanswered = member_count;
	dt_buf_init(&batch->answers, DT_LIMIT_BATCH_ANSWERS);
	return batch;
}

void dt_batch_join(struct dt_batch *batch)
{
	batch->holders++;
}

static void send_all(struct dt_batch *batch)
{
	if (batch->answers.len)
		dt_buf_add_char(&batch->answers, ']');
	if (batch->exchange)
		dt_peer_end_exchange(batch->peer, batch->exchange,
		                     dt_buf_str(&batch->answers));
	else if (batch->answers.len)
		dt_link_send(batch->peer->link, dt_buf_str(&batch->answers));
}

void dt_batch_leave(struct dt_batch *batch)
{
	if (--batch->holders)
		return;
	send_all(batch);
	dt_buf_done(&batch->answers);
	free(batch);
}

void dt_batch_release_exchange(struct dt_batch *batch)
{
	batch->exchange = NULL;
}

void dt_batch_forget(struct dt_batch *batch)
{
	dt_buf_done(&batch->answers);
}

enum dt_err dt_batch_check(const struct dt_batch *batch, size_t len,
                           struct dt_fail *fail)
{
	size_t others = (batch->unanswered - 1) * ERROR_ROOM;

	/* A bracket or a comma before it, and a bracket at the end. */
	if (batch->answers.len + len + 2 + others > batch->answers.limit)
		return dt_fail(fail, DT_E_LIMIT,
		               "the answers of the batch are larger than %zu "
		               "bytes together",
		               batch->answers.limit);
	return DT_E_OK;
}

void dt_batch_add(struct dt_batch *batch, struct dt_str answer)
{
	dt_buf_add_char(&batch->answers, batch->answers.len ? ',' : '[');
	dt_buf_add_str(&batch->answers, answer);
	batch->unanswered--;
}
