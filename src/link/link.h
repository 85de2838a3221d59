/*
 * link/link.h - whole messages in, whole messages out.
 *
 * A link is a codec married to a stream.  What is above (rpc/) sees messages
 * only; what is below (WebSocket, lines on a Unix socket) is one vtable, so that
 * other carriers can come.
 */
#ifndef DT_LINK_LINK_H
#define DT_LINK_LINK_H

#include "base/err.h"
#include "base/str.h"
#include "loop/stream.h"
#include "wire/ws.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dt_link;

/*
 * What a link tells its owner.  The message is lent until on_message returns.
 * on_closed comes exactly once and last, whoever closed; the link is freed
 * behind it.
 */
struct dt_link_events {
	void (*on_message)(struct dt_link *link, struct dt_str message,
	                   void *owner);
	void (*on_closed)(struct dt_link *link, const struct dt_fail *why,
	                  void *owner);
};

/* Why we end a link; each carrier says it in its own way. */
enum dt_link_end {
	DT_LINK_DONE,     /* nothing left to say */
	DT_LINK_AWAY,     /* the daemon stops */
	DT_LINK_REFUSED,  /* the peer may not be here */
	DT_LINK_CONFUSED, /* the peer broke the protocol */
};

/*
 * One carrier.  start() may be NULL; it delivers what came before the owner was
 * known.  send() queues one message.  close() is idempotent, says goodbye and
 * lets what is queued leave; on_closed follows.
 */
struct dt_link_carrier {
	const char *name;
	bool is_utf8; /* what it delivers was checked to be */
	void (*start)(struct dt_link *link);
	void (*send)(struct dt_link *link, struct dt_str message);
	void (*close)(struct dt_link *link, enum dt_link_end end,
	              const char *reason);
	/* The stream below; NULL for a carrier that has none of its own, and
	 * then is_clogged() must be there. */
	struct dt_stream *(*stream)(struct dt_link *link);
	bool (*is_clogged)(struct dt_link *link);
};

/* Sees every message, and last the end as one without bytes (its ptr is NULL);
 * for `serve --record`. */
typedef void dt_link_tap(struct dt_link *link, bool is_incoming,
                         struct dt_str message, void *owner);

/* The part all carriers share; each begins with it, and sets the first two. */
struct dt_link {
	const struct dt_link_carrier *carrier;
	struct dt_loop *loop;
	const struct dt_link_events *events;
	void *owner;
	dt_link_tap *tap;
	void *tap_owner;
};

/* Name the owner, once, before the loop turns.  Messages may come before it
 * returns. */
void dt_link_start(struct dt_link *link, const struct dt_link_events *events,
                   void *owner);
void dt_link_set_tap(struct dt_link *link, dt_link_tap *tap, void *owner);

void dt_link_send(struct dt_link *link, struct dt_str message);
void dt_link_close(struct dt_link *link, enum dt_link_end end,
                   const char *reason);

/* Above the high water mark: what may be dropped should be. */
bool dt_link_is_clogged(struct dt_link *link);

/* For carriers: pass a message or the end to the owner. */
void dt_link_deliver(struct dt_link *link, struct dt_str message);
void dt_link_deliver_end(struct dt_link *link, const struct dt_fail *why);

/* Carriers. */

/* One message per line on a stream that is connected or connecting. */
struct dt_link *dt_link_lines_new(struct dt_stream *stream);

/* Messages of at most `limit` bytes with a length before each, as LSP has it.
 * What is framed wrongly, or longer, ends the link. */
struct dt_link *dt_link_framed_new(struct dt_stream *stream, size_t limit);

/*
 * One end of a WebSocket, on a stream whose handshake is over.  A server pings
 * every DT_LIMIT_PING_MS and gives up after DT_LIMIT_PING_MISSED unanswered.
 * `early` is what came behind the handshake; it is read when the link is
 * started.  Messages of type binary end the link with 1003.
 */
struct dt_link *dt_link_ws_new(struct dt_stream *stream, enum dt_ws_role role,
                               struct dt_str early);
/* Another interval of pings than DT_LIMIT_PING_MS; before it is started. */
void dt_link_ws_set_ping(struct dt_link *link, uint64_t ms);
/* Another limit for one message than DT_LIMIT_MESSAGE. */
void dt_link_ws_set_limit(struct dt_link *link, size_t bytes);

/*
 * A link that outlives the one below it.  When `inner` is lost, messages that
 * are sent wait, up to DT_LIMIT_AWAY, or one that is larger; and it is clogged, so
 * that nothing droppable is added; dt_link_lasting_resume() goes on with another
 * inner link: what waits is sent there first.  An inner link that is replaced
 * while it still lives is closed, and nothing it says counts any more.  After
 * `grace_ms` without one, and at once beyond that limit, the end is delivered.
 * `on_lost` (or NULL) is told of each loss; it may resume or close.  The inner
 * links are this one's from the call on and must not have been started; resume
 * after the start, and before the end was delivered.
 */
typedef void dt_link_lost_fn(struct dt_link *link, const struct dt_fail *why,
                             void *owner);
struct dt_link *dt_link_lasting_new(struct dt_link *inner, uint64_t grace_ms,
                                    dt_link_lost_fn *on_lost, void *owner);
void dt_link_lasting_resume(struct dt_link *link, struct dt_link *inner);
bool dt_link_lasting_is_away(const struct dt_link *link);
/* The link below; NULL while it is away. */
struct dt_link *dt_link_lasting_peek(struct dt_link *link);

#endif
