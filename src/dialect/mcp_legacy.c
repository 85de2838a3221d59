/*
 * dialect/mcp_legacy.c - MCP with sessions, 2024-11-05 to 2025-11-25.
 *
 * initialize agrees on a revision and on what the client can do; both hold for
 * all that follows.  What the era shares with the next is in mcp_methods.c.
 */
#include "dialect/mcp.h"

#include "base/limits.h"
#include "base/path.h"
#include "rpc/code.h"

/* initialize */

struct client_info {
	const char *name;
	const char *version;
};
static const struct dt_field client_fields[] = {
	DT_FIELD(struct client_info, name, NAME, 0, "The client."),
	DT_FIELD(struct client_info, version, NAME, 0, "Its version."),
	DT_FIELD_END,
};
static const struct dt_shape client_shape =
	DT_SHAPE(struct client_info, client_fields);

struct initialize {
	const char *version;
	struct client_info client;
};
static const struct dt_field initialize_fields[] = {
	DT_FIELD_AS("protocolVersion", struct initialize, version, NAME, DT_REQ,
	            "The newest version the client speaks."),
	DT_FIELD_OBJECT("clientInfo", struct initialize, client,
	                struct client_info, client_shape, 0, "Who it is."),
	DT_FIELD_END,
};
static const struct dt_shape initialize_shape =
	DT_SHAPE(struct initialize, initialize_fields);

/* The client's revision when it is one with sessions, else our newest such. */
static enum dt_mcp_revision agree(const char *wanted)
{
	enum dt_mcp_revision found = dt_mcp_find_revision(dt_str(wanted));

	return found == DT_MCP_NONE || found > DT_MCP_2025_11 ? DT_MCP_2025_11
	                                                      : found;
}

static void initialize(struct dt_mcp_turn *turn)
{
	struct dt_mcp *mcp = turn->mcp;
	struct dt_agent *agent = turn->agent;
	struct initialize args = { 0 };
	struct dt_fail fail = { 0 };
	struct dt_json_out *out;

	if (dt_shape_read(&initialize_shape, &turn->req->arena, turn->params,
	                  &args, &fail)) {
		dt_request_fail_with(turn->req, &fail);
		return;
	}
	turn->revision = mcp->revision = agree(args.version);
	mcp->client =
		dt_mcp_read_client(dt_json_get(turn->params, "capabilities"));
	agent->has_begun = true;
	dt_peer_allow_batch(agent->peer, mcp->revision == DT_MCP_2025_03);
	dt_mcp_name_client(agent, dt_str(args.client.name),
	                   dt_str(args.client.version));
	out = dt_mcp_begin(turn);
	dt_mcp_put_pair(out, "protocolVersion",
	                dt_mcp_revisions[mcp->revision]);
	dt_mcp_put_capabilities(turn, out);
	dt_json_key(out, "serverInfo");
	dt_mcp_put_server(out);
	dt_mcp_put_instructions(turn, out);
	dt_mcp_end(turn, out);
}

/* logging/setLevel */

static void set_level(struct dt_mcp_turn *turn)
{
	int level = dt_mcp_find_level(dt_json_get(turn->params, "level"));

	if (level < 0) {
		dt_mcp_fail(
			turn, DT_RPC_INVALID_PARAMS, 200, (struct dt_str){ 0 },
			"level: one of debug, info, notice, warning, error, "
			"critical, alert, emergency");
		return;
	}
	turn->mcp->level = level;
	dt_mcp_end_empty(turn);
}

/* roots */

/* The path of a root, or NULL: a client may have others than folders. */
static const char *read_root(struct dt_arena *arena, const struct dt_json *root)
{
	const struct dt_json *uri = dt_json_get(root, "uri");
	const char *path = NULL;
	struct dt_str text;

	if (!uri || uri->type != DT_JSON_STRING)
		return NULL;
	text = dt_json_text(arena, uri);
	if (dt_path_from_uri(arena, dt_arena_strndup(arena, text.ptr, text.len),
	                     &path, NULL))
		return NULL;
	return path;
}

static void ask_roots(struct dt_agent *agent, struct dt_mcp *mcp);

static void on_roots(struct dt_peer *peer, const struct dt_json *result,
                     const struct dt_fail *fail, void *owner)
{
	const struct dt_json *roots =
		result ? dt_json_get(result, "roots") : NULL;
	struct dt_agent *agent = owner;
	struct dt_mcp *mcp = agent->state;
	struct dt_arena arena = { 0 };
	struct dt_names paths = { 0 };

	(void)peer;
	(void)fail;
	mcp->is_asking_roots = false;
	if (result && mcp->has_other_roots) {
		ask_roots(agent, mcp);
		return;
	}
	if (!roots || roots->type != DT_JSON_ARRAY || roots->count == 0)
		return;
	paths.ptr = dt_arena_alloc(&arena, roots->count * sizeof(char *));
	dt_json_each(root, roots) {
		const char *path = read_root(&arena, root);

		if (path)
			paths.ptr[paths.count++] = path;
	}
	if (paths.count)
		agent->host->on_roots(agent, &paths);
	dt_arena_done(&arena);
}

/* One question at a time, however often they change. */
static void ask_roots(struct dt_agent *agent, struct dt_mcp *mcp)
{
	if (!agent->wants_roots || !(mcp->client & DT_MCP_ROOTS))
		return;
	mcp->has_other_roots = mcp->is_asking_roots;
	if (mcp->is_asking_roots)
		return;
	mcp->is_asking_roots = true;
	dt_peer_call(agent->peer, "roots/list", (struct dt_str){ 0 }, 0,
	             on_roots, agent);
}

/* dispatch */

/* What the modern era has not; the Claude face has none of it. */
static bool run_legacy(struct dt_mcp_turn *turn)
{
	const char *name = turn->req->method;

	if (!turn->agent->dialect->methods)
		return false;
	if (!strcmp(name, "logging/setLevel"))
		set_level(turn);
	else if (!strcmp(name, "resources/subscribe"))
		dt_mcp_subscribe(turn, true);
	else if (!strcmp(name, "resources/unsubscribe"))
		dt_mcp_subscribe(turn, false);
	else
		return false;
	return true;
}

static void run(struct dt_mcp_turn *turn)
{
	const char *name = turn->req->method;

	if (!strcmp(name, "initialize"))
		initialize(turn);
	else if (!strcmp(name, "ping"))
		dt_mcp_end_empty(turn);
	else if (turn->revision == DT_MCP_NONE && turn->agent->is_stateless)
		dt_mcp_fail(turn, DT_RPC_INVALID_PARAMS, 400,
		            (struct dt_str){ 0 },
		            "_meta: missing, and there is no session: send "
		            "initialize, or _meta with each request");
	else if (turn->revision == DT_MCP_NONE)
		dt_request_fail(turn->req, DT_RPC_INVALID_REQUEST,
		                "not initialized: send initialize first");
	else if (!dt_mcp_run(turn) && !run_legacy(turn))
		dt_mcp_fail(turn, DT_RPC_NO_METHOD, 200, (struct dt_str){ 0 },
		            "no method is named %.100s", name);
}

static void read_meta(struct dt_mcp_turn *turn)
{
	const struct dt_json *meta = dt_json_get(turn->params, "_meta");
	const struct dt_json *token = dt_json_get(meta, "progressToken");

	if (token &&
	    (token->type == DT_JSON_STRING || token->type == DT_JSON_NUMBER)) {
		turn->progress.ptr = dt_arena_strndup(
			&turn->req->arena, token->raw.ptr, token->raw.len);
		turn->progress.len = token->raw.len;
	}
}

void dt_mcp_legacy_request(struct dt_agent *agent, struct dt_mcp *mcp,
                           struct dt_request *req, const struct dt_json *params,
                           void (*on_listed)(struct dt_agent *agent))
{
	bool is_list = !strcmp(req->method, "tools/list");
	struct dt_mcp_turn turn = {
		.agent = agent,
		.mcp = mcp,
		.req = req,
		.params = params,
		.revision = mcp->revision,
		.client = mcp->client,
		.level = mcp->level,
	};

	read_meta(&turn);
	if (dt_mcp_is_over_rate(&turn))
		return;
	run(&turn);
	if (is_list && on_listed && mcp->revision != DT_MCP_NONE)
		on_listed(agent);
}

bool dt_mcp_legacy_notify(struct dt_agent *agent, struct dt_mcp *mcp,
                          const char *method, const struct dt_json *params)
{
	const struct dt_json *id;

	if (strncmp(method, "notifications/", 14) != 0)
		return false;
	if (!dt_mcp_rate_take(&mcp->notes, agent->limits.notes_a_minute)) {
		dt_agent_hit(agent, "limits.notes_a_minute");
		return true;
	}
	id = dt_json_get(params, "requestId");
	if (!strcmp(method, "notifications/cancelled") && id)
		dt_peer_cancel(agent->peer, id->raw);
	else if (!strcmp(method, "notifications/initialized") ||
	         !strcmp(method, "notifications/roots/list_changed"))
		ask_roots(agent, mcp);
	return true;
}
