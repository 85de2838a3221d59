/*
 * dialect/mcp_list.c - tools/list and prompts/list.
 *
 * The bytes of a list are made once for each dialect, revision, length and set
 * of hidden tools, and copied from then on: it depends on nothing else.
 */
#include "dialect/mcp.h"

#include "base/buf.h"
#include "base/limits.h"
#include "rpc/code.h"

#include <stdlib.h>

bool dt_mcp_has_cursor(struct dt_mcp_turn *turn)
{
	if (!dt_json_get(turn->params, "cursor"))
		return false;
	dt_mcp_fail(turn, DT_RPC_INVALID_PARAMS, 200, (struct dt_str){ 0 },
	            "cursor: not one of ours");
	return true;
}

/* tools */

struct list {
	struct dt_list link;
	const struct dt_dialect *dialect;
	enum dt_mcp_revision revision;
	char *hidden;
	bool is_full;
	struct dt_buf json; /* the array */
};

static void put_hints(struct dt_json_out *out, const struct dt_tool *tool)
{
	bool is_reading = tool->effect == DT_READS || tool->effect == DT_SHOWS;

	dt_json_key(out, "annotations");
	dt_json_begin_object(out);
	dt_mcp_put_pair(out, "title", tool->title);
	dt_json_key(out, "readOnlyHint");
	dt_json_put_bool(out, tool->effect == DT_READS);
	dt_json_key(out, "destructiveHint");
	dt_json_put_bool(out, !is_reading && tool->effect != DT_ASKS &&
	                              !(tool->flags & DT_TOOL_ADDS));
	dt_json_key(out, "idempotentHint");
	dt_json_put_bool(out, is_reading || tool->flags & DT_TOOL_REPEATABLE);
	dt_json_key(out, "openWorldHint");
	dt_json_put_bool(out, tool->flags & DT_TOOL_ABROAD);
	dt_json_end_object(out);
}

static void put_schema(struct dt_json_out *out,
                       const struct dt_dialect *dialect,
                       const struct dt_tool *tool)
{
	static const struct dt_field workspace = {
		.name = "workspace",
		.type = DT_T_NAME,
		.doc = "The workspace to work in: a folder, or the start of an "
		       "id. Left out: the one in use.",
	};

	dt_json_key(out, "inputSchema");
	if (tool->schema)
		dt_json_put_raw(out, dt_str(tool->schema));
	else
		dt_shape_write_schema_and(
			&tool->args,
			dialect->takes_workspace ? &workspace : NULL, out);
}

static void put_tool(struct dt_json_out *out, const struct dt_dialect *dialect,
                     const struct dt_tool *tool, enum dt_mcp_revision revision)
{
	dt_json_begin_object(out);
	dt_mcp_put_pair(out, "name", tool->name);
	if (revision >= DT_MCP_2025_06)
		dt_mcp_put_pair(out, "title", tool->title);
	dt_mcp_put_pair(out, "description", tool->doc);
	put_schema(out, dialect, tool);
	if (revision >= DT_MCP_2025_06 && tool->result.fields) {
		dt_json_key(out, "outputSchema");
		dt_shape_write_schema(&tool->result, out);
	}
	/* The Claude face says no more than the CLI reads. */
	if (revision >= DT_MCP_2025_03 && tool->title)
		put_hints(out, tool);
	dt_json_end_object(out);
}

static void write_list(struct list *list)
{
	struct dt_json_out out = dt_json_out(&list->json);
	const struct dt_tool *tool;

	dt_json_begin_array(&out);
	for (size_t i = 0; (tool = dt_dialect_tool(list->dialect, i)); i++) {
		if (!list->is_full && tool->flags & DT_TOOL_EXTRA)
			continue;
		if (!dt_tool_is_hidden(list->hidden, tool->name))
			put_tool(&out, list->dialect, tool, list->revision);
	}
	dt_json_end_array(&out);
}

static struct dt_str tools_of(struct dt_agent *agent,
                              enum dt_mcp_revision revision)
{
	const char *hidden = dt_agent_hidden(agent);
	bool is_full = dt_agent_lists_all(agent);
	static struct dt_list lists = { &lists, &lists };
	struct list *made;

	dt_list_each(list, &lists, struct list, link) {
		if (list->dialect == agent->dialect &&
		    list->revision == revision && list->is_full == is_full &&
		    !strcmp(list->hidden, hidden))
			return dt_buf_str(&list->json);
	}
	made = dt_alloc(sizeof(*made));
	made->dialect = agent->dialect;
	made->revision = revision;
	made->hidden = dt_strdup(hidden);
	made->is_full = is_full;
	dt_buf_init(&made->json, DT_LIMIT_MESSAGE);
	write_list(made);
	dt_list_append(&lists, &made->link);
	return dt_buf_str(&made->json);
}

void dt_mcp_list_tools(struct dt_mcp_turn *turn)
{
	struct dt_json_out *out;

	if (dt_mcp_has_cursor(turn))
		return;
	out = dt_mcp_begin(turn);
	dt_json_key(out, "tools");
	dt_json_put_written(out, tools_of(turn->agent, turn->revision));
	dt_mcp_put_cache(turn, out, true);
	dt_mcp_end(turn, out);
}

/* prompts */

static void put_prompt(struct dt_json_out *out, const struct dt_prompt *prompt,
                       enum dt_mcp_revision revision)
{
	const struct dt_prompt_arg *arg = prompt->args;

	dt_json_begin_object(out);
	dt_mcp_put_pair(out, "name", prompt->name);
	if (revision >= DT_MCP_2025_06)
		dt_mcp_put_pair(out, "title", prompt->title);
	dt_mcp_put_pair(out, "description", prompt->doc);
	if (arg) {
		dt_json_key(out, "arguments");
		dt_json_begin_array(out);
		for (; arg->name; arg++) {
			dt_json_begin_object(out);
			dt_mcp_put_pair(out, "name", arg->name);
			dt_mcp_put_pair(out, "description", arg->doc);
			dt_json_key(out, "required");
			dt_json_put_bool(out, arg->is_required);
			dt_json_end_object(out);
		}
		dt_json_end_array(out);
	}
	dt_json_end_object(out);
}

void dt_mcp_list_prompts(struct dt_mcp_turn *turn)
{
	const struct dt_prompt *prompt = turn->agent->dialect->prompts;
	struct dt_json_out *out;

	if (dt_mcp_has_cursor(turn))
		return;
	out = dt_mcp_begin(turn);
	dt_json_key(out, "prompts");
	dt_json_begin_array(out);
	for (; prompt && prompt->name; prompt++)
		put_prompt(out, prompt, turn->revision);
	dt_json_end_array(out);
	dt_mcp_put_cache(turn, out, true);
	dt_mcp_end(turn, out);
}
