/* client/dial.h - a WebSocket from the client's end. */
#ifndef DT_CLIENT_DIAL_H
#define DT_CLIENT_DIAL_H

#include "base/err.h"
#include "link/link.h"
#include "loop/loop.h"

/* Where to, and what the request holds.  Lent for the call alone. */
struct dt_dial_spec {
	unsigned port; /* of 127.0.0.1 */
	const char *protocol;
	const char *auth_header; /* the header that holds the token */
	const char *token;
};

/*
 * Connect, ask for the upgrade and check the answer.  `fn` comes exactly once
 * and never before this returns: with a link that wants to be started, or with
 * NULL and the reason.  DT_E_DENIED: the server answered, but with a refusal;
 * DT_E_TIMEOUT: not within DT_LIMIT_HEAD_MS.
 */
typedef void dt_dial_fn(struct dt_link *link, const struct dt_fail *fail,
                        void *owner);
void dt_dial(struct dt_loop *loop, const struct dt_dial_spec *spec,
             dt_dial_fn *fn, void *owner);

#endif
