/*
 * dialect/mcp_modern.c - MCP without sessions, since 2026-07-28.
 *
 * Each request says in _meta which revision it is of and what its client can
 * do; nothing is kept from one to the next.  What the era shares with those
 * before is in mcp_methods.c.
 */
#include "dialect/mcp.h"

#include "base/limits.h"
#include "rpc/code.h"

#define VERSION_KEY "io.modelcontextprotocol/protocolVersion"
#define CLIENT_KEY "io.modelcontextprotocol/clientCapabilities"
#define INFO_KEY "io.modelcontextprotocol/clientInfo"
#define LEVEL_KEY "io.modelcontextprotocol/logLevel"

bool dt_mcp_is_modern(const struct dt_json *params)
{
	return dt_json_get(dt_json_get(params, "_meta"), VERSION_KEY);
}

/* _meta */

static void refuse(struct dt_mcp_turn *turn, const char *why)
{
	dt_mcp_fail(turn, DT_RPC_INVALID_PARAMS, 400, (struct dt_str){ 0 },
	            "%s", why);
}

static bool is_kind(const struct dt_json *value, enum dt_json_type type)
{
	return value && value->type == type;
}

/* A text of clientInfo; ptr NULL: it is not there. */
static struct dt_str read_text(struct dt_mcp_turn *turn,
                               const struct dt_json *info, const char *member)
{
	const struct dt_json *value = dt_json_get(info, member);

	if (!is_kind(value, DT_JSON_STRING))
		return (struct dt_str){ 0 };
	return dt_json_text(&turn->req->arena, value);
}

static bool read_progress(struct dt_mcp_turn *turn, const struct dt_json *token)
{
	if (!token)
		return true;
	if (token->type != DT_JSON_STRING && token->type != DT_JSON_NUMBER) {
		refuse(turn, "_meta.progressToken: expected string or integer");
		return false;
	}
	turn->progress.ptr = dt_arena_strndup(&turn->req->arena, token->raw.ptr,
	                                      token->raw.len);
	turn->progress.len = token->raw.len;
	return true;
}

static bool read_meta(struct dt_mcp_turn *turn, const struct dt_json *meta)
{
	const struct dt_json *client = dt_json_get(meta, CLIENT_KEY);
	const struct dt_json *level = dt_json_get(meta, LEVEL_KEY);
	const struct dt_json *info = dt_json_get(meta, INFO_KEY);

	if (!is_kind(client, DT_JSON_OBJECT)) {
		refuse(turn, "_meta: " CLIENT_KEY " is missing");
		return false;
	}
	turn->client = dt_mcp_read_client(client);
	turn->level = level ? dt_mcp_find_level(level) : DT_MCP_SILENT;
	if (turn->level < 0) {
		refuse(turn, "_meta: " LEVEL_KEY " names no level");
		return false;
	}
	dt_mcp_name_client(turn->agent, read_text(turn, info, "name"),
	                   read_text(turn, info, "version"));
	return read_progress(turn, dt_json_get(meta, "progressToken"));
}

static void refuse_version(struct dt_mcp_turn *turn, struct dt_str version)
{
	struct dt_buf data;
	struct dt_json_out out;

	dt_buf_init(&data, DT_LIMIT_MESSAGE);
	out = dt_json_out(&data);
	dt_json_begin_object(&out);
	dt_json_key(&out, "supported");
	dt_json_begin_array(&out);
	dt_json_put_z(&out, dt_mcp_revisions[DT_MCP_2026_07]);
	dt_json_end_array(&out);
	dt_json_key(&out, "requested");
	dt_json_put_str(&out, version);
	dt_json_end_object(&out);
	dt_mcp_fail(turn, DT_MCP_VERSION, 400, dt_buf_str(&data),
	            "the protocol version is not supported: try %s",
	            dt_mcp_revisions[DT_MCP_2026_07]);
	dt_buf_done(&data);
}

/* True when the request may go on. */
static bool check(struct dt_mcp_turn *turn)
{
	const struct dt_json *meta = dt_json_get(turn->params, "_meta");
	const struct dt_json *named = dt_json_get(meta, VERSION_KEY);
	struct dt_fail fail = { 0 };
	struct dt_str version;

	if (!is_kind(named, DT_JSON_STRING)) {
		refuse(turn, "_meta: " VERSION_KEY " is not a string");
		return false;
	}
	version = dt_json_text(&turn->req->arena, named);
	if (dt_mcp_check_headers(turn, version, &fail)) {
		dt_mcp_fail(turn, DT_MCP_HEADERS, 400, (struct dt_str){ 0 },
		            "%s", fail.msg);
		return false;
	}
	if (dt_mcp_find_revision(version) != DT_MCP_2026_07) {
		refuse_version(turn, version);
		return false;
	}
	return read_meta(turn, meta);
}

/* server/discover */

static void discover(struct dt_mcp_turn *turn)
{
	struct dt_json_out *out = dt_mcp_begin(turn);

	dt_json_key(out, "supportedVersions");
	dt_json_begin_array(out);
	dt_json_put_z(out, dt_mcp_revisions[DT_MCP_2026_07]);
	dt_json_end_array(out);
	dt_mcp_put_capabilities(turn, out);
	dt_mcp_put_instructions(turn, out);
	dt_mcp_put_cache(turn, out, true);
	dt_mcp_end(turn, out);
}

/* dispatch */

void dt_mcp_modern_request(struct dt_agent *agent, struct dt_mcp *mcp,
                           struct dt_request *req, const struct dt_json *params)
{
	struct dt_mcp_turn turn = {
		.agent = agent,
		.mcp = mcp,
		.req = req,
		.params = params,
		.revision = DT_MCP_2026_07,
	};

	if (!check(&turn) || dt_mcp_is_over_rate(&turn))
		return;
	if (!strcmp(req->method, "server/discover"))
		discover(&turn);
	else if (!strcmp(req->method, "subscriptions/listen"))
		dt_mcp_listen(&turn);
	else if (!dt_mcp_run(&turn))
		dt_mcp_fail(&turn, DT_RPC_NO_METHOD, 404, (struct dt_str){ 0 },
		            "no method is named %.100s", req->method);
}
