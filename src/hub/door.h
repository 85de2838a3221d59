/* hub/door.h - who may come in over TCP. */
#ifndef DT_HUB_DOOR_H
#define DT_HUB_DOOR_H

#include "base/err.h"
#include "dialect/dialect.h"
#include "wire/http1.h"

#include <stdint.h>

/* One per workspace; counts failures so that guessing is slow. */
struct dt_door {
	unsigned port;
	const char *token;
	uint64_t second; /* the one being counted */
	unsigned failures;
};

/*
 * Look at a request for a WebSocket.  DT_E_OK: *out_dialect is whose agent may
 * come in.  Otherwise *out_status says how to refuse: 403 for a Host that is not
 * loopback or a browser's Origin, 404 for a path nobody serves, 401 for a wrong
 * token, 429 for one too many of them in a second, 400 or 426 for a bad
 * handshake.  The token is compared in constant time.
 */
enum dt_err dt_door_check(struct dt_door *door, const struct dt_http_head *head,
                          const struct dt_dialect **out_dialect,
                          unsigned *out_status,
                          struct dt_fail *fail) DT_MUST_CHECK;

#endif
