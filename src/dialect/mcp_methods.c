/*
 * dialect/mcp_methods.c - what both eras of MCP have, found by name.
 */
#include "dialect/mcp.h"

#include "base/buf.h"
#include "base/limits.h"

static const struct dt_tool *find_method(const struct dt_dialect *dialect,
                                         const char *name)
{
	const struct dt_tool *method = dialect->methods;

	for (; method && method->name; method++) {
		if (!strcmp(method->name, name))
			return method;
	}
	return NULL;
}

static bool has_resources(const struct dt_dialect *dialect)
{
	return find_method(dialect, "resources/read");
}

/* A client may ask for a list of what we have none of. */
static void list_nothing(struct dt_mcp_turn *turn, const char *member)
{
	struct dt_json_out *out = dt_mcp_begin(turn);

	dt_json_key(out, member);
	dt_json_begin_array(out);
	dt_json_end_array(out);
	dt_mcp_put_cache(turn, out, true);
	dt_mcp_end(turn, out);
}

static bool is_list(const char *name)
{
	return !strcmp(name, "resources/list") ||
	       !strcmp(name, "resources/templates/list");
}

bool dt_mcp_run(struct dt_mcp_turn *turn)
{
	const char *name = turn->req->method;
	const struct dt_tool *method = find_method(turn->agent->dialect, name);

	if (!strcmp(name, "tools/call"))
		dt_mcp_call_tool(turn);
	else if (!strcmp(name, "tools/list"))
		dt_mcp_list_tools(turn);
	else if (!strcmp(name, "prompts/list"))
		dt_mcp_list_prompts(turn);
	else if (is_list(name) && dt_mcp_has_cursor(turn))
		return true;
	else if (method)
		dt_mcp_call_method(turn, method);
	else if (!strcmp(name, "resources/list"))
		list_nothing(turn, "resources");
	else
		return false;
	return true;
}

static void put_flag(struct dt_json_out *out, const char *key, bool value)
{
	dt_json_key(out, key);
	dt_json_put_bool(out, value);
}

static void put_empty(struct dt_json_out *out, const char *key)
{
	dt_json_key(out, key);
	dt_json_begin_object(out);
	dt_json_end_object(out);
}

void dt_mcp_put_capabilities(const struct dt_mcp_turn *turn,
                             struct dt_json_out *out)
{
	const struct dt_dialect *dialect = turn->agent->dialect;

	dt_json_key(out, "capabilities");
	dt_json_begin_object(out);
	dt_json_key(out, "tools");
	dt_json_begin_object(out);
	put_flag(out, "listChanged", dialect->changes & DT_CHANGES_TOOLS);
	dt_json_end_object(out);
	if (dialect->prompts) {
		dt_json_key(out, "prompts");
		dt_json_begin_object(out);
		put_flag(out, "listChanged",
		         dialect->changes & DT_CHANGES_PROMPTS);
		dt_json_end_object(out);
	}
	if (has_resources(dialect)) {
		dt_json_key(out, "resources");
		dt_json_begin_object(out);
		put_flag(out, "subscribe", true);
		put_flag(out, "listChanged", true);
		dt_json_end_object(out);
	}
	if (find_method(dialect, "completion/complete") &&
	    turn->revision >= DT_MCP_2025_03)
		put_empty(out, "completions");
	if (dialect->methods)
		put_empty(out, "logging");
	dt_json_end_object(out);
}

void dt_mcp_put_instructions(struct dt_mcp_turn *turn, struct dt_json_out *out)
{
	const struct dt_agent_host *host = turn->agent->host;
	struct dt_buf text;

	if (!host || !host->instruct || !turn->agent->dialect->takes_workspace)
		return;
	dt_buf_init(&text, DT_LIMIT_MESSAGE);
	host->instruct(turn->agent, &text);
	dt_mcp_put_pair(out, "instructions", dt_buf_z(&text));
	dt_buf_done(&text);
}
