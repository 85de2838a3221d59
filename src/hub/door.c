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

/* A page that came from this very port is ours; any other is a stranger's, also
 * one of another server on this machine. */
static bool is_our_page(const struct dt_door *door,
                        const struct dt_http_head *head)
{
	static const struct dt_str scheme = DT_STR("http://");
	struct dt_str origin = dt_http_get(head, "origin");

	if (dt_http_count(head, "origin") != 1 ||
	    !dt_str_starts(origin, scheme))
		return false;
	origin.ptr += scheme.len;
	origin.len -= scheme.len;
	/* Without a port it is the one of another server: 80. */
	return is_our_host(door, origin) && origin.ptr[origin.len - 1] != ']' &&
	       memchr(origin.ptr, ':', origin.len);
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

static bool is_token(const struct dt_door *door, struct dt_str text)
{
	return dt_str_eq_secret(text, dt_str(door->token));
}

/* "Bearer TOKEN"; the scheme in any case (RFC 9110 11.1). */
static bool has_bearer(const struct dt_door *door,
                       const struct dt_http_head *head)
{
	static const struct dt_str scheme = DT_STR("bearer ");
	struct dt_str value = dt_http_get(head, "authorization");
	struct dt_str start = { value.ptr, scheme.len };

	if (dt_http_count(head, "authorization") != 1 ||
	    value.len <= scheme.len || !dt_str_eq_nocase(start, scheme))
		return false;
	value.ptr += scheme.len;
	value.len -= scheme.len;
	return is_token(door, dt_str_trim(value));
}

/* Whether the token is where this dialect's agents put it. */
static bool is_let_in(const struct dt_door *door,
                      const struct dt_dialect *dialect,
                      const struct dt_http_head *head)
{
	const char *name = dialect->auth_header;

	if (name && dt_http_count(head, name) == 1 &&
	    is_token(door, dt_http_get(head, name)))
		return true;
	return dialect->takes_bearer && has_bearer(door, head);
}

bool dt_door_has_token(const struct dt_door *door,
                       const struct dt_http_head *head)
{
	for (size_t i = 0; i < dt_dialect_count; i++) {
		if (is_let_in(door, dt_dialects[i], head))
			return true;
	}
	return false;
}

static const struct dt_dialect *find_dialect(struct dt_str path)
{
	for (size_t i = 0; i < dt_dialect_count; i++) {
		if (dt_str_is(path, dt_dialects[i]->path))
			return dt_dialects[i];
	}
	return NULL;
}

enum dt_err dt_door_check_place(const struct dt_door *door,
                                const struct dt_http_head *head,
                                unsigned *out_status, struct dt_fail *fail)
{
	*out_status = 403;
	if (!is_our_host(door, dt_http_get(head, "host")))
		return dt_fail(fail, DT_E_DENIED,
		               "Host is not this machine: connect to "
		               "127.0.0.1:%u",
		               door->port);
	if (dt_http_count(head, "origin") && !is_our_page(door, head))
		return dt_fail(fail, DT_E_DENIED,
		               "pages in a browser are not served here");
	return DT_E_OK;
}

enum dt_err dt_door_check_token(struct dt_door *door,
                                const struct dt_http_head *head,
                                const struct dt_dialect *dialect,
                                unsigned *out_status, struct dt_fail *fail)
{
	if (dialect ? is_let_in(door, dialect, head)
	            : dt_door_has_token(door, head))
		return DT_E_OK;
	*out_status = count_failure(door);
	return dt_fail(fail, DT_E_DENIED,
	               *out_status == 429
	                       ? "too many wrong tokens: wait a second"
	                       : "the token is missing or wrong: it is in the "
	                         "lock file of this port");
}

enum dt_err dt_door_check(struct dt_door *door, const struct dt_http_head *head,
                          const struct dt_dialect **out_dialect,
                          unsigned *out_status, struct dt_fail *fail)
{
	const struct dt_dialect *dialect = find_dialect(head->target);
	enum dt_err err;

	err = dt_door_check_place(door, head, out_status, fail);
	if (!err)
		err = dt_door_check_token(door, head, dialect, out_status,
		                          fail);
	if (err)
		return err;
	*out_dialect = dialect;
	*out_status = 404;
	if (!dialect)
		return dt_fail(fail, DT_E_MISSING,
		               "nothing is served here but / and /mcp");
	if (dt_handshake_is_wanted(head))
		return dt_handshake_check(head, out_status, fail);
	*out_status = 426;
	if (!(dialect->reach & DT_REACH_HTTP))
		return dt_fail(fail, DT_E_PROTO,
		               "this is a WebSocket: ask for an upgrade");
	return DT_E_OK;
}
