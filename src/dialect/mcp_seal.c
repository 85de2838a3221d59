/*
 * dialect/mcp_seal.c - state handed to a client that must come back unchanged.
 *
 * The client sees it and can replay it, but not alter it, use it for another
 * request or in another workspace, nor keep it for ever:
 *	1 : when it ends : HMAC of all of it : the state
 */
#include "dialect/mcp.h"

#include "base/clock.h"
#include "base/hmac.h"

#define LIFE_MS ((int64_t)24 * 60 * 60 * 1000)

static void sign(struct dt_mcp_turn *turn, struct dt_str about, int64_t end,
                 struct dt_str state, char out[2 * DT_HMAC_BYTES + 1])
{
	uint8_t mac[DT_HMAC_BYTES];
	char *text = dt_arena_printf(&turn->req->arena, "%.*s\n%lld\n%.*s",
	                             DT_STR_ARG(about), (long long)end,
	                             DT_STR_ARG(state));

	dt_hmac_sha256(turn->agent->secret, dt_str(text), mac);
	dt_str_hex(mac, sizeof(mac), out);
}

char *dt_mcp_seal(struct dt_mcp_turn *turn, struct dt_str about,
                  struct dt_str state)
{
	int64_t end = dt_clock_wall_ms() + LIFE_MS;
	char mac[2 * DT_HMAC_BYTES + 1];

	sign(turn, about, end, state, mac);
	return dt_arena_printf(&turn->req->arena, "1:%lld:%s:%.*s",
	                       (long long)end, mac, DT_STR_ARG(state));
}

/* Decimal, 1 to 15 digits; -1 when it is not. */
static int64_t read_time(struct dt_str text)
{
	int64_t value = 0;

	if (text.len == 0 || text.len > 15)
		return -1;
	for (size_t i = 0; i < text.len; i++) {
		if (text.ptr[i] < '0' || text.ptr[i] > '9')
			return -1;
		value = value * 10 + (text.ptr[i] - '0');
	}
	return value;
}

bool dt_mcp_unseal(struct dt_mcp_turn *turn, struct dt_str about,
                   struct dt_str sealed, struct dt_str *out_state)
{
	struct dt_str rest = sealed;
	struct dt_str version = dt_str_cut(&rest, ':');
	int64_t end = read_time(dt_str_cut(&rest, ':'));
	struct dt_str mac = dt_str_cut(&rest, ':');
	char wanted[2 * DT_HMAC_BYTES + 1];

	/* Behind a NUL nothing would be signed. */
	if (!dt_str_is(version, "1") || end < dt_clock_wall_ms() ||
	    (rest.len && memchr(rest.ptr, '\0', rest.len)))
		return false;
	sign(turn, about, end, rest, wanted);
	if (!dt_str_eq_secret(dt_str(wanted), mac))
		return false;
	*out_state = rest;
	return true;
}
