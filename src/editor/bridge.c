/*
 * editor/bridge.c - the fields of what the bridge is asked and answers.  They
 * are also what agents are told of the tools that ask it.
 */
#include "editor/bridge.h"

static const struct dt_field status_session_fields[] = {
	DT_FIELD(struct dt_status_session, id, NAME, DT_REQ,
	         "How its id begins."),
	DT_FIELD(struct dt_status_session, agent, NAME, DT_REQ, "Who."),
	DT_FIELD(struct dt_status_session, version, NAME, DT_OMIT,
	         "The agent's version."),
	DT_FIELD_AS("connectedAt", struct dt_status_session, connected_at, NAME,
	            DT_REQ, "Since when."),
	DT_FIELD_AS("runningRequests", struct dt_status_session, running, U32,
	            DT_REQ, "What it asked and was not answered yet."),
	DT_FIELD_AS("reviewsWaiting", struct dt_status_session, waiting, U32,
	            DT_REQ, "What it proposed that waits for the person."),
	DT_FIELD_END,
};
static const struct dt_shape status_session =
	DT_SHAPE(struct dt_status_session, status_session_fields);

static const struct dt_field previous_fields[] = {
	DT_FIELD(struct dt_previous_session, id, NAME, DT_REQ,
	         "How its id began."),
	DT_FIELD(struct dt_previous_session, agent, NAME, DT_REQ, "Who."),
	DT_FIELD_END,
};
static const struct dt_shape previous_shape =
	DT_SHAPE(struct dt_previous_session, previous_fields);

static const struct dt_field status_editor_fields[] = {
	DT_FIELD(struct dt_status_editor, name, NAME, DT_REQ,
	         "\"headless\" is what there is without an editor."),
	DT_FIELD_AS("circuitBreaker", struct dt_status_editor, breaker, NAME,
	            DT_REQ, "\"closed\": it is asked; \"open\": spared."),
	DT_FIELD(struct dt_status_editor, unseen, NAME, DT_OMIT,
	         "Which changes of files are not seen at once, and why."),
	DT_FIELD_END,
};
static const struct dt_shape status_editor =
	DT_SHAPE(struct dt_status_editor, status_editor_fields);

const struct dt_field dt_status_result_fields[] = {
	DT_FIELD(struct dt_status_result, version, NAME, DT_REQ,
	         "Dovetail's version."),
	DT_FIELD_AS("uptimeSeconds", struct dt_status_result, uptime_seconds,
	            U32, DT_REQ, "How long it runs."),
	DT_FIELD(struct dt_status_result, workspace, NAME, DT_REQ,
	         "The id of the workspace."),
	DT_FIELD_AS("workspaceFolders", struct dt_status_result, folders, NAMES,
	            DT_REQ, "Its folders."),
	DT_FIELD_AS("extensionConnected", struct dt_status_result,
	            is_editor_attached, BOOL, DT_REQ,
	            "Whether a real editor is attached."),
	DT_FIELD(struct dt_status_result, tier, NAME, DT_REQ,
	         "\"full\" with an editor, else \"headless\"."),
	DT_FIELD_AS("activeSessions", struct dt_status_result, session_count,
	            U32, DT_REQ, "How many agents are connected."),
	DT_FIELD(struct dt_status_result, sessions, ITEMS, DT_REQ,
	         "The agents that are connected.", .shape = &status_session),
	DT_FIELD(struct dt_status_result, editors, ITEMS, DT_REQ,
	         "Who holds the documents.", .shape = &status_editor),
	DT_FIELD_AS("previousSessions", struct dt_status_result, previous,
	            ITEMS, DT_OMIT,
	            "Agents of the daemon's run before, which must begin anew.",
	            .shape = &previous_shape),
	DT_FIELD_AS("reviewsWaiting", struct dt_status_result, reviews_waiting,
	            U32, DT_REQ, "Proposals that wait for the person."),
	DT_FIELD_AS("lastConnectAt", struct dt_status_result, last_connect_at,
	            NAME, DT_OMIT, "When an agent last connected."),
	DT_FIELD_AS("lastDisconnectAt", struct dt_status_result,
	            last_disconnect_at, NAME, DT_OMIT,
	            "When an agent was last lost."),
	DT_FIELD_AS("lastDisconnectCode", struct dt_status_result,
	            last_disconnect_code, NAME, DT_OMIT,
	            "Why in a word: closed, timeout, proto, limit, sys."),
	DT_FIELD_AS("lastDisconnectReason", struct dt_status_result,
	            last_disconnect_reason, NAME, DT_OMIT, "Why, in words."),
	DT_FIELD_END,
};

const struct dt_field dt_list_activity_args_fields[] = {
	DT_FIELD(struct dt_list_activity_args, tool, NAME, DT_OMIT,
	         "Calls of this tool alone."),
	DT_FIELD(struct dt_list_activity_args, status, NAME, DT_OMIT,
	         "Calls that ended so alone."),
	DT_FIELD(struct dt_list_activity_args, session, NAME, DT_OMIT,
	         "One session alone, by how its id begins."),
	DT_FIELD(struct dt_list_activity_args, last, U32, 0,
	         "How many at most; the latest count."),
	DT_FIELD_AS("showStats", struct dt_list_activity_args, has_stats, BOOL,
	            0, "Add calls and times of each tool."),
	DT_FIELD_END,
};

const struct dt_field dt_wait_activity_args_fields[] = {
	DT_FIELD_AS("hasSince", struct dt_wait_activity_args, has_since, BOOL,
	            0, "Whether sinceId counts."),
	DT_FIELD_AS("sinceId", struct dt_wait_activity_args, since_id, I64, 0,
	            "What has a larger number."),
	DT_FIELD_AS("maxEntries", struct dt_wait_activity_args, max, U32, 0,
	            "How many at most."),
	DT_FIELD(struct dt_wait_activity_args, without, NAME, DT_OMIT,
	         "Not calls of this tool."),
	DT_FIELD_AS("timeoutMs", struct dt_wait_activity_args, timeout_ms, U32,
	            0, "How long to wait."),
	DT_FIELD_END,
};

static const struct dt_field activity_fields[] = {
	DT_FIELD(struct dt_activity_item, id, I64, DT_REQ,
	         "Its number; later ones are larger."),
	DT_FIELD(struct dt_activity_item, at, NAME, DT_REQ,
	         "When; of a call: when it ended."),
	DT_FIELD(struct dt_activity_item, kind, NAME, DT_REQ,
	         "call, session, review, workspace or daemon."),
	DT_FIELD(struct dt_activity_item, what, NAME, DT_REQ,
	         "Of a call the tool, else what happened."),
	DT_FIELD(struct dt_activity_item, status, NAME, DT_OMIT,
	         "How a call ended: done, failed, refused, late or dropped."),
	DT_FIELD(struct dt_activity_item, session, NAME, DT_OMIT,
	         "How the id of the session begins."),
	DT_FIELD(struct dt_activity_item, agent, NAME, DT_OMIT,
	         "The agent's name."),
	DT_FIELD_AS("tookUs", struct dt_activity_item, took_us, I64, DT_OMIT,
	            "How long a call took, in microseconds."),
	DT_FIELD(struct dt_activity_item, message, NAME, DT_OMIT,
	         "Why a call failed, or more of what happened."),
	DT_FIELD_END,
};
static const struct dt_shape activity =
	DT_SHAPE(struct dt_activity_item, activity_fields);

static const struct dt_field stat_fields[] = {
	DT_FIELD(struct dt_activity_stat, tool, NAME, DT_REQ, "The tool."),
	DT_FIELD(struct dt_activity_stat, calls, I64, DT_REQ,
	         "Calls since the daemon started."),
	DT_FIELD(struct dt_activity_stat, failed, I64, DT_REQ,
	         "How many of them did not end well."),
	DT_FIELD_AS("p50Us", struct dt_activity_stat, p50_us, I64, DT_REQ,
	            "What half of them did not exceed, in microseconds."),
	DT_FIELD_AS("p95Us", struct dt_activity_stat, p95_us, I64, DT_REQ,
	            "What 95 of 100 did not exceed."),
	DT_FIELD_END,
};
static const struct dt_shape stat_shape =
	DT_SHAPE(struct dt_activity_stat, stat_fields);

const struct dt_field dt_activity_result_fields[] = {
	DT_FIELD(struct dt_activity_result, entries, ITEMS, DT_REQ,
	         "What happened, by number.", .shape = &activity),
	DT_FIELD(struct dt_activity_result, count, U32, DT_REQ, "How many."),
	DT_FIELD_AS("lastId", struct dt_activity_result, last_id, I64, DT_REQ,
	            "The number to go on from."),
	DT_FIELD_AS("timedOut", struct dt_activity_result, is_late, BOOL,
	            DT_REQ, "Whether nothing happened in time."),
	DT_FIELD(struct dt_activity_result, stats, ITEMS, DT_OMIT,
	         "Calls by tool, where asked for.", .shape = &stat_shape),
	DT_FIELD_END,
};

static const struct dt_field capability_fields[] = {
	DT_FIELD(struct dt_capability, name, NAME, DT_REQ, "The tool."),
	DT_FIELD_AS("available", struct dt_capability, is_available, BOOL,
	            DT_REQ, "Whether it works now."),
	DT_FIELD(struct dt_capability, missing, NAME, DT_OMIT,
	         "What it misses, and how to get it."),
	DT_FIELD_END,
};
static const struct dt_shape capability =
	DT_SHAPE(struct dt_capability, capability_fields);

const struct dt_field dt_capabilities_result_fields[] = {
	DT_FIELD(struct dt_capabilities_result, editor, NAME, DT_REQ,
	         "Who holds the documents."),
	DT_FIELD_AS("extensionConnected", struct dt_capabilities_result,
	            is_editor_attached, BOOL, DT_REQ,
	            "Whether that is a real editor."),
	DT_FIELD(struct dt_capabilities_result, tier, NAME, DT_REQ,
	         "\"full\" with an editor, else \"headless\"."),
	DT_FIELD_AS("availableTools", struct dt_capabilities_result, available,
	            U32, DT_REQ, "How many tools work now."),
	DT_FIELD_AS("totalTools", struct dt_capabilities_result, total, U32,
	            DT_REQ, "How many there are."),
	DT_FIELD_AS("allowedPrograms", struct dt_capabilities_result, programs,
	            NAMES, DT_REQ, "What runs without asking the person."),
	DT_FIELD(struct dt_capabilities_result, asking, NAME, DT_REQ,
	         "What is done at once, and what waits for the person."),
	DT_FIELD(struct dt_capabilities_result, tools, ITEMS, DT_REQ,
	         "Tool by tool.", .shape = &capability),
	DT_FIELD_END,
};

const struct dt_field dt_search_tools_args_fields[] = {
	DT_FIELD(struct dt_search_tools_args, query, NAME, DT_OMIT,
	         "Words to look for."),
	DT_FIELD(struct dt_search_tools_args, categories, NAMES, DT_OMIT,
	         "Of these groups alone."),
	DT_FIELD(struct dt_search_tools_args, limit, U32, 0,
	         "How many at most."),
	DT_FIELD_AS("includeSchema", struct dt_search_tools_args, has_schemas,
	            BOOL, 0, "Add the schemas of the arguments."),
	DT_FIELD_END,
};

static const struct dt_field found_tool_fields[] = {
	DT_FIELD(struct dt_found_tool, name, NAME, DT_REQ, "Its name."),
	DT_FIELD(struct dt_found_tool, title, NAME, DT_OMIT, "For people."),
	DT_FIELD_AS("description", struct dt_found_tool, doc, NAME, DT_REQ,
	            "When to use it, and what comes back."),
	DT_FIELD(struct dt_found_tool, category, NAME, DT_REQ, "Its group."),
	DT_FIELD(struct dt_found_tool, effect, NAME, DT_REQ,
	         "reads, shows, asks, writes or runs."),
	DT_FIELD_AS("listed", struct dt_found_tool, is_listed, BOOL, DT_REQ,
	            "It is in the list of tools; else it is called by its "
	            "name all the same."),
	DT_FIELD_AS("inputSchema", struct dt_found_tool, schema, RAW, DT_OMIT,
	            "The schema of its arguments."),
	DT_FIELD_END,
};
static const struct dt_shape found_tool =
	DT_SHAPE(struct dt_found_tool, found_tool_fields);

const struct dt_field dt_search_tools_result_fields[] = {
	DT_FIELD(struct dt_search_tools_result, tools, ITEMS, DT_REQ,
	         "The best first.", .shape = &found_tool),
	DT_FIELD_AS("totalMatched", struct dt_search_tools_result, matched, U32,
	            DT_REQ, "How many fit, also beyond the limit."),
	DT_FIELD_END,
};
