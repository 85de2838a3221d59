/*
 * tool/ops_tools.c - tools that tell of the bridge itself: how it is, what was
 * called, and which tools there are.
 *
 * Everything is the hub's to say; here are the names, the arguments as agents
 * know them, and what models read about them.
 */
#include "tool/ops_tools.h"

#include "editor/bridge.h"
#include "editor/operation.h"
#include "tool/call.h"

#define DEADLINE_MS 10000
#define WATCH_MAX_MS 55000
#define WATCH_DEADLINE_MS 60000
#define ENTRIES_MAX 500
#define FOUND_MAX 50

static bool is_beyond(struct dt_call *call, const char *name, uint32_t value,
                      uint32_t max)
{
	if (value <= max)
		return false;
	dt_call_failf(call, DT_E_ARGS, "%s: at most %u", name, max);
	return true;
}

/* getBridgeStatus */

static void get_status(struct dt_call *call, const void *args)
{
	(void)args;
	dt_call_perform(call, &dt_op_get_status, NULL, dt_call_reply_result);
}

/* getActivityLog */

/* The first is for all; the others are those of dt_call_statuses. */
static const char *const statuses[] = { "any",  "done",    "failed", "refused",
	                                "late", "dropped", "asked",  NULL };

struct log_args {
	const char *tool;
	int status;
	const char *session;
	uint32_t last;
	bool has_stats;
};
static const struct dt_field log_fields[] = {
	DT_FIELD(struct log_args, tool, NAME, 0,
	         "Only calls of the tool with this name."),
	DT_FIELD(struct log_args, status, ENUM, 0,
	         "Only calls that ended this way.", .names = statuses,
	         .def = "\"any\""),
	DT_FIELD(struct log_args, session, NAME, 0,
	         "Only one session: its id, or how it begins."),
	DT_FIELD(struct log_args, last, U32, 0,
	         "How many entries at most, 1 to 500.", .def = "50"),
	DT_FIELD_AS("showStats", struct log_args, has_stats, BOOL, 0,
	            "Add the number of calls and the median and 95th "
	            "percentile of their time, tool by tool.",
	            .def = "false"),
	DT_FIELD_END,
};

static void get_log(struct dt_call *call, const void *args)
{
	const struct log_args *wanted = args;
	struct dt_list_activity_args list = {
		.tool = wanted->tool,
		.status = wanted->status ? statuses[wanted->status] : NULL,
		.session = wanted->session,
		.last = wanted->last,
		.has_stats = wanted->has_stats,
	};

	if (!is_beyond(call, "last", list.last, ENTRIES_MAX))
		dt_call_perform(call, &dt_op_list_activity, &list,
		                dt_call_reply_result);
}

/* watchActivityLog */

struct watch_args {
	int64_t since_id;
	uint32_t max;
	uint32_t timeout_ms;
};
static const struct dt_field watch_fields[] = {
	DT_FIELD_AS(
		"sinceId", struct watch_args, since_id, I64, 0,
		"Entries with a larger id: the lastId of the answer before. "
		"Absent: what happens from now on.",
		.def = "-1"),
	DT_FIELD_AS("maxEntries", struct watch_args, max, U32, 0,
	            "How many entries at most, 1 to 500.", .def = "50"),
	DT_FIELD_AS("timeoutMs", struct watch_args, timeout_ms, U32, 0,
	            "How long to wait for the first entry, up to 55000 ms.",
	            .def = "30000"),
	DT_FIELD_END,
};

static void watch_log(struct dt_call *call, const void *args)
{
	const struct watch_args *wanted = args;
	struct dt_wait_activity_args wait = {
		.has_since = wanted->since_id >= 0,
		.since_id = wanted->since_id,
		.max = wanted->max,
		/* Else each wait would end with the one before it. */
		.without = call->tool->name,
		.timeout_ms = wanted->timeout_ms,
	};

	if (!is_beyond(call, "maxEntries", wait.max, ENTRIES_MAX) &&
	    !is_beyond(call, "timeoutMs", wait.timeout_ms, WATCH_MAX_MS))
		dt_call_perform(call, &dt_op_wait_activity, &wait,
		                dt_call_reply_result);
}

/* getToolCapabilities */

struct capabilities_args {
	bool is_verbose;
};
static const struct dt_field capabilities_fields[] = {
	DT_FIELD_AS("verbose", struct capabilities_args, is_verbose, BOOL, 0,
	            "List the tools that work as well.", .def = "false"),
	DT_FIELD_END,
};

static void on_capabilities(struct dt_call *call, const void *result)
{
	const struct capabilities_args *wanted = call->args;
	struct dt_capabilities_result shown =
		*(const struct dt_capabilities_result *)result;
	const struct dt_capability *tools = shown.tools.ptr;
	struct dt_capability *missing = dt_arena_alloc(
		call->arena, (shown.tools.count + 1) * sizeof(*missing));
	size_t count = 0;

	for (size_t i = 0; i < shown.tools.count; i++) {
		if (!tools[i].is_available)
			missing[count++] = tools[i];
	}
	if (!wanted->is_verbose)
		shown.tools = (struct dt_items){ missing, count };
	dt_call_reply_result(call, &shown);
}

static void get_capabilities(struct dt_call *call, const void *args)
{
	(void)args;
	dt_call_perform(call, &dt_op_get_capabilities, NULL, on_capabilities);
}

/* searchTools */

static const struct dt_field search_fields[] = {
	DT_FIELD(struct dt_search_tools_args, query, NAME, 0,
	         "Words that stand in the name, the title or the description; "
	         "absent: every tool."),
	DT_FIELD(struct dt_search_tools_args, categories, NAMES, 0,
	         "Only tools of these groups."),
	DT_FIELD(struct dt_search_tools_args, limit, U32, 0,
	         "How many tools at most, 1 to 50.", .def = "20"),
	DT_FIELD_AS("includeSchema", struct dt_search_tools_args, has_schemas,
	            BOOL, 0, "Add the JSON Schema of the arguments.",
	            .def = "false"),
	DT_FIELD_END,
};

static void search(struct dt_call *call, const void *args)
{
	const struct dt_search_tools_args *wanted = args;

	if (!is_beyond(call, "limit", wanted->limit, FOUND_MAX))
		dt_call_perform(call, &dt_op_search_tools, args,
		                dt_call_reply_result);
}

/* clang-format off */
#define RESULT(name) DT_SHAPE(struct name, name##_fields)
/* clang-format on */

static const struct dt_tool tools[] = {
	{
		.name = "getBridgeStatus",
		.title = "Status of the bridge",
		.doc = "How Dovetail is: whether an editor is attached, which "
		       "agents are connected, how many proposals wait for the "
		       "person, when an agent was last lost and why. Use it when "
		       "tools fail or seem slow.",
		.args = DT_SHAPE_EMPTY,
		.result = RESULT(dt_status_result),
		.effect = DT_READS,
		.flags = DT_TOOL_REPEATABLE,
		.deadline_ms = DEADLINE_MS,
		.run = get_status,
	},
	{
		.name = "getActivityLog",
		.title = "Activity log",
		.doc = "What happened in this workspace, the latest last: calls "
		       "of tools with their status and time, agents that came "
		       "and went, reviews. Use it to find out what was called "
		       "before, what failed, and why.",
		.args = DT_SHAPE(struct log_args, log_fields),
		.result = RESULT(dt_activity_result),
		.effect = DT_READS,
		.flags = DT_TOOL_REPEATABLE | DT_TOOL_EXTRA,
		.deadline_ms = DEADLINE_MS,
		.run = get_log,
	},
	{
		.name = "watchActivityLog",
		.title = "Wait for activity",
		.doc = "Wait until something happens in this workspace, and return "
		       "it. Pass lastId of the answer as sinceId of the next call, "
		       "and nothing is missed. timedOut says that nothing "
		       "happened.",
		.args = DT_SHAPE(struct watch_args, watch_fields),
		.result = RESULT(dt_activity_result),
		.effect = DT_READS,
		.flags = DT_TOOL_REPEATABLE | DT_TOOL_EXTRA,
		.deadline_ms = WATCH_DEADLINE_MS,
		.run = watch_log,
	},
	{
		.name = "getToolCapabilities",
		.title = "What works now",
		.doc = "Which tools work right now, and what the others miss, such "
		       "as an editor; and what is done at once and what waits "
		       "for the person. Use it before a plan that depends on "
		       "either.",
		.args = DT_SHAPE(struct capabilities_args, capabilities_fields),
		.result = RESULT(dt_capabilities_result),
		.effect = DT_READS,
		.flags = DT_TOOL_REPEATABLE,
		.deadline_ms = DEADLINE_MS,
		.run = get_capabilities,
	},
	{
		.name = "searchTools",
		.title = "Search tools",
		.doc = "Find tools of this server by words, the best first, with "
		       "their descriptions and, where asked for, the schemas of "
		       "their arguments. It knows more tools than the list has: "
		       "those with listed false can be called by their name.",
		.args = DT_SHAPE(struct dt_search_tools_args, search_fields),
		.result = RESULT(dt_search_tools_result),
		.effect = DT_READS,
		.flags = DT_TOOL_REPEATABLE,
		.deadline_ms = DEADLINE_MS,
		.run = search,
	},
};

const struct dt_tool_group dt_tools_bridge = {
	.name = "bridge",
	.doc = "What Dovetail says of itself, and finding the right tool.",
	.tools = tools,
	.count = sizeof(tools) / sizeof(tools[0]),
};
