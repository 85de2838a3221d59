/*
 * rpc/exchange.h - a message that came by a way of its own, and the way back.
 *
 * On a WebSocket or a pipe every message goes over the link.  Over HTTP each
 * request of the agent is one HTTP request, and what belongs to it (progress,
 * questions, the answer) goes back in that one's response.  The peer keeps the
 * exchange with the request and sends there; who carries it is the hub's.
 */
#ifndef DT_RPC_EXCHANGE_H
#define DT_RPC_EXCHANGE_H

#include "base/str.h"

#include <stdbool.h>

struct dt_exchange;

struct dt_exchange_carrier {
	/* A header of what came in, by its name in any case; ptr NULL: absent.
	 * To be asked while on_request or on_notify is under way only. */
	struct dt_str (*header)(struct dt_exchange *x, const char *name);
	/* One more message before the answer. */
	void (*send)(struct dt_exchange *x, struct dt_str message);
	/* Exactly once and last: the answer, or ptr NULL when there is none
	 * (cancelled, or nothing was asked).  The exchange is not touched
	 * behind it. */
	void (*end)(struct dt_exchange *x, struct dt_str answer);
	/* Above the high water mark, or nobody reads any more: what may be
	 * dropped should be. */
	bool (*is_clogged)(struct dt_exchange *x);
};

/* Carriers begin their own struct with it. */
struct dt_exchange {
	const struct dt_exchange_carrier *carrier;
	/* The HTTP status of the answer, where it is the first thing sent; the
	 * peer sets 400 for what it refuses itself, dialects may set others. */
	unsigned status;
	/* Whatever else is sent by it reaches nobody. */
	bool has_answer_only;
};

#endif
