/*
 * hub/door.c - Host, Origin, token, path and handshake, in this order.
 *
 * A page in a browser can make the browser connect to us.  It cannot forge Host
 * (DNS rebinding shows there) nor leave out Origin, and it has no token.
 */
#include "hub/door.h"

#include "base/clock.h"
#include "base/limits.h"
#include "wire/handshake.h"

/* "127.0.0.1", "localhost" or "[::1]", alone or with our port. */
static bool is_our_host(const struct dt_door *door, struct dt_str host)
{
	static const struct dt_str names[] = {
		DT_STR("127.0.0.1"),
		DT_STR("localhost"),
		DT_STR("[::1]"),
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct dt_str name = { host.ptr, names[i].len };
		struct dt_str rest;
		uint32_t port;

		if (host.len < name.len || !dt_str_eq_nocase(name, names[i]))
			continue;
		rest = (struct dt_str){ host.ptr + name.len,
			                host.len - name.len };
		if (rest.len == 0)
			return true;
		if (rest.ptr[0] != ':')
			continue;
		rest.ptr++;
		rest.len--;
		return !dt_str_to_u32(rest, &port, NULL) && port == door->port;
	}
	return false;
}

/* A wrong token: 401, or 429 when there were too many in this second. */
static unsigned count_failure(struct dt_door *door)
{
	uint64_t second = dt_clock_ms() / 1000;

	if (door->second != second) {
		door->second = second;
		door->failures = 0;
	}
	return ++door->failures > DT_LIMIT_FAILED_HANDSHAKES ? 429 : 401;
}

/* The dialect whose header holds the token. */
static const struct dt_dialect *find_dialect(const struct dt_door *door,
                                             const struct dt_http_head *head)
{
	for (size_t i = 0; i < dt_dialect_count; i++) {
		const struct dt_dialect *dialect = dt_dialects[i];

		if (!(dialect->reach & DT_REACH_WEBSOCKET) ||
		    !dialect->auth_header ||
		    dt_http_count(head, dialect->auth_header) != 1)
			continue;
		if (dt_str_eq_secret(dt_http_get(head, dialect->auth_header),
		                     dt_str(door->token)))
			return dialect;
	}
	return NULL;
}

enum dt_err dt_door_check(struct dt_door *door, const struct dt_http_head *head,
                          const struct dt_dialect **out_dialect,
                          unsigned *out_status, struct dt_fail *fail)
{
	const struct dt_dialect *dialect;

	*out_status = 403;
	if (!is_our_host(door, dt_http_get(head, "host")))
		return dt_fail(fail, DT_E_DENIED,
		               "Host is not this machine: connect to "
		               "127.0.0.1:%u",
		               door->port);
	if (dt_http_count(head, "origin"))
		return dt_fail(fail, DT_E_DENIED,
		               "pages in a browser are not served here");
	dialect = find_dialect(door, head);
	if (!dialect) {
		*out_status = count_failure(door);
		return dt_fail(fail, DT_E_DENIED,
		               *out_status == 429
		                       ? "too many wrong tokens: wait a second"
		                       : "the token is missing or wrong: it is "
		                         "in the lock file of this port");
	}
	*out_status = 404;
	if (!dt_str_is(head->target, "/") && !dt_str_is(head->target, "/mcp"))
		return dt_fail(fail, DT_E_MISSING,
		               "nothing is served here but / and /mcp");
	*out_status = 426;
	if (!dt_handshake_is_wanted(head))
		return dt_fail(fail, DT_E_PROTO,
		               "this is a WebSocket: ask for an upgrade");
	*out_dialect = dialect;
	return dt_handshake_check(head, out_status, fail);
}
