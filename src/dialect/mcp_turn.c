/*
 * dialect/mcp_turn.c - one request of MCP answered, as its revision has it.
 *
 * What a result holds is the other files'; here is what every result and every
 * error has.
 */
#include "dialect/mcp.h"

#include "base/buf.h"
#include "base/clock.h"
#include "base/utf8.h"

#include <stdarg.h>
#include <stdio.h>

/* A list may be kept this long; those who listen are told of changes. */
#define LASTING_MS 300000

const char *const dt_mcp_revisions[DT_MCP_REVISIONS] = {
	[DT_MCP_NONE] = "none",          [DT_MCP_2024_11] = "2024-11-05",
	[DT_MCP_2025_03] = "2025-03-26", [DT_MCP_2025_06] = "2025-06-18",
	[DT_MCP_2025_11] = "2025-11-25", [DT_MCP_2026_07] = "2026-07-28",
};

enum dt_mcp_revision dt_mcp_find_revision(struct dt_str name)
{
	for (int i = DT_MCP_2024_11; i < DT_MCP_REVISIONS; i++) {
		if (dt_str_is(name, dt_mcp_revisions[i]))
			return (enum dt_mcp_revision)i;
	}
	return DT_MCP_NONE;
}

unsigned dt_mcp_read_client(const struct dt_json *capabilities)
{
	const struct dt_json *elicitation =
		dt_json_get(capabilities, "elicitation");
	unsigned client = 0;

	/* An empty object means forms; one that names url alone does not. */
	if (elicitation && (!dt_json_get(elicitation, "url") ||
	                    dt_json_get(elicitation, "form")))
		client |= DT_MCP_ELICITS;
	if (dt_json_get(capabilities, "sampling"))
		client |= DT_MCP_SAMPLES;
	if (dt_json_get(capabilities, "roots"))
		client |= DT_MCP_ROOTS;
	return client;
}

static void keep_text(char *out, size_t size, struct dt_str text)
{
	size_t len = dt_utf8_cut(text, size - 1);

	if (!text.ptr)
		return;
	memcpy(out, text.ptr, len);
	out[len] = '\0';
}

void dt_mcp_name_client(struct dt_agent *agent, struct dt_str name,
                        struct dt_str version)
{
	keep_text(agent->name, sizeof(agent->name), name);
	keep_text(agent->version, sizeof(agent->version), version);
}

const char *const dt_mcp_levels[] = { "debug",   "info",      "notice",
	                              "warning", "error",     "critical",
	                              "alert",   "emergency", NULL };

int dt_mcp_find_level(const struct dt_json *name)
{
	if (!name || name->type != DT_JSON_STRING || name->has_escapes)
		return -1;
	for (int i = 0; dt_mcp_levels[i]; i++) {
		struct dt_str text = { name->raw.ptr + 1, name->raw.len - 2 };

		if (dt_str_is(text, dt_mcp_levels[i]))
			return i;
	}
	return -1;
}

void dt_mcp_put_pair(struct dt_json_out *out, const char *key,
                     const char *value)
{
	if (!value)
		return;
	dt_json_key(out, key);
	dt_json_put_z(out, value);
}

void dt_mcp_put_server(struct dt_json_out *out)
{
	dt_json_begin_object(out);
	dt_mcp_put_pair(out, "name", "dovetail");
	dt_mcp_put_pair(out, "version", DT_VERSION);
	dt_json_end_object(out);
}

struct dt_json_out *dt_mcp_begin(struct dt_mcp_turn *turn)
{
	struct dt_json_out *out = dt_request_begin(turn->req);

	dt_json_begin_object(out);
	if (turn->revision >= DT_MCP_2026_07)
		dt_mcp_put_pair(out, "resultType", "complete");
	return out;
}

/* Only the modern era wants to be told who answers. */
static void put_meta(struct dt_json_out *out)
{
	dt_json_key(out, "_meta");
	dt_json_begin_object(out);
	dt_json_key(out, "io.modelcontextprotocol/serverInfo");
	dt_mcp_put_server(out);
	dt_json_end_object(out);
}

void dt_mcp_end(struct dt_mcp_turn *turn, struct dt_json_out *out)
{
	if (turn->revision >= DT_MCP_2026_07)
		put_meta(out);
	dt_json_end_object(out);
	dt_request_end(turn->req);
}

void dt_mcp_end_empty(struct dt_mcp_turn *turn)
{
	dt_mcp_end(turn, dt_mcp_begin(turn));
}

void dt_mcp_put_cache(struct dt_mcp_turn *turn, struct dt_json_out *out,
                      bool is_lasting)
{
	if (turn->revision < DT_MCP_2026_07)
		return;
	dt_json_key(out, "ttlMs");
	dt_json_put_int(out, is_lasting ? LASTING_MS : 0);
	dt_mcp_put_pair(out, "cacheScope", "private");
}

void dt_mcp_fail(struct dt_mcp_turn *turn, int code, unsigned status,
                 struct dt_str data, const char *fmt, ...)
{
	struct dt_request *req = turn->req;
	struct dt_fail text = { 0 };
	va_list args;

	va_start(args, fmt);
	vsnprintf(text.msg, sizeof(text.msg), fmt, args);
	va_end(args);
	text.msg[dt_utf8_cut(dt_str(text.msg), sizeof(text.msg))] = '\0';
	if (req->exchange && !req->batch)
		req->exchange->status = status;
	dt_request_fail_data(req, code, text.msg, data);
}

/* limits */

bool dt_mcp_rate_take(struct dt_mcp_rate *rate, unsigned limit)
{
	uint64_t minute = dt_clock_ms() / 60000;

	if (rate->minute != minute) {
		rate->minute = minute;
		rate->count = 0;
	}
	return ++rate->count <= limit || limit == 0;
}

bool dt_mcp_is_over_rate(struct dt_mcp_turn *turn)
{
	unsigned limit = turn->agent->limits.requests_a_minute;

	if (dt_mcp_rate_take(&turn->mcp->requests, limit))
		return false;
	dt_agent_hit(turn->agent, "limits.requests_a_minute");
	dt_mcp_fail(turn,
	            turn->revision < DT_MCP_2026_07 ? DT_MCP_BUSY
	                                            : DT_MCP_BUSY_MODERN,
	            200, (struct dt_str){ 0 },
	            "more than %u requests in a minute "
	            "(limits.requests_a_minute): wait",
	            limit);
	return true;
}
