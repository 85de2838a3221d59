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

/* Host and Origin: 403 when the request did not come from this machine, or came
 * from a page in a browser. */
enum dt_err dt_door_check_place(const struct dt_door *door,
                                const struct dt_http_head *head,
                                unsigned *out_status,
                                struct dt_fail *fail) DT_MUST_CHECK;
/* The token where the dialect wants it, or where any does (NULL); compared in
 * constant time.  401, or 429 when there were too many wrong ones. */
enum dt_err dt_door_check_token(struct dt_door *door,
                                const struct dt_http_head *head,
                                const struct dt_dialect *dialect,
                                unsigned *out_status,
                                struct dt_fail *fail) DT_MUST_CHECK;

/* Whether it brings the token, wherever agents put it; nothing is counted. */
bool dt_door_has_token(const struct dt_door *door,
                       const struct dt_http_head *head);

/*
 * Look at a request of an agent.  DT_E_OK: *out_dialect is whose agent may come
 * in, over a WebSocket if it asked for that.  Otherwise *out_status says how to
 * refuse: as the two above, 404 for a path nobody serves, 400 or 426 for a bad
 * handshake.
 */
enum dt_err dt_door_check(struct dt_door *door, const struct dt_http_head *head,
                          const struct dt_dialect **out_dialect,
                          unsigned *out_status,
                          struct dt_fail *fail) DT_MUST_CHECK;

#endif
