/*
 * tool/watch_tools.c - files that change, told to who asks.
 *
 * A model cannot be woken up, so it asks: watchFiles begins a watch, and called
 * again it waits for what came since.
 */
#include "tool/watch_tools.h"

#include "base/limits.h"
#include "editor/watch.h"
#include "tool/call.h"

#define WAIT_MS 30000
#define LONG_MS (DT_LIMIT_WATCH_MS + 5000)
#define SHORT_MS 2000

struct watch_args {
	const char *id;
	const char *pattern;
	int64_t since;
	struct dt_maybe_u32 timeout_ms;
};
static const struct dt_field watch_args[] = {
	DT_FIELD(struct watch_args, pattern, NAME, 0,
	         "Glob of file names below the workspace's folders, \"src/**\" "
	         "or \"*.py\" (without a slash: anywhere). Needed to begin a "
	         "watch."),
	DT_FIELD(
		struct watch_args, id, NAME, 0,
		"The watch to ask about; with pattern: a name for the new one, "
		"else it gets one."),
	DT_FIELD(
		struct watch_args, since, I64, 0,
		"The cursor of an earlier answer: tell what changed behind it. "
		"Absent: behind the last answer.",
		.def = "-1"),
	DT_FIELD_AS("timeoutMs", struct watch_args, timeout_ms, MAYBE_U32, 0,
	            "How long to wait for the first change, up to 120000. "
	            "Absent: 30000, or not at all where the watch begins."),
	DT_FIELD_END,
};

struct change {
	const char *path;
	int kind;
};
static const struct dt_field change_fields[] = {
	DT_FIELD_AS("filePath", struct change, path, NAME, DT_REQ,
	            "Absolute path of the file, or of a folder that went."),
	DT_FIELD_AS("type", struct change, kind, ENUM, DT_REQ,
	            "What happened to it.", .names = dt_file_kind_names),
	DT_FIELD_END,
};
static const struct dt_shape change_shape =
	DT_SHAPE(struct change, change_fields);

struct watched {
	bool is_watching;
	const char *id;
	const char *pattern;
	bool is_changed;
	int64_t cursor;
	struct dt_items changes;
	bool is_cut;
	const char *note;
};
static const struct dt_field watched_fields[] = {
	DT_FIELD_AS("watching", struct watched, is_watching, BOOL, DT_REQ,
	            "The files are watched."),
	DT_FIELD(struct watched, id, NAME, DT_REQ,
	         "Give it to ask again, and to unwatchFiles."),
	DT_FIELD(struct watched, pattern, NAME, DT_REQ, "What is watched."),
	DT_FIELD_AS("changed", struct watched, is_changed, BOOL, DT_REQ,
	            "Something changed; false: the time is over, or the watch "
	            "has just begun."),
	DT_FIELD(struct watched, changes, ITEMS, DT_REQ,
	         "Each file once, the last change last.",
	         .shape = &change_shape),
	DT_FIELD(struct watched, cursor, I64, DT_REQ,
	         "Give it as since to hear what comes behind this answer."),
	DT_FIELD_AS("truncated", struct watched, is_cut, BOOL, DT_OMIT,
	            "More changed than is kept: look at the files themselves."),
	DT_FIELD(struct watched, note, NAME, DT_OMIT,
	         "What is not seen, and why."),
	DT_FIELD_END,
};

static void on_watched(struct dt_call *call, const void *result)
{
	const struct dt_watch_files_result *found = result;
	const struct dt_file_change *from = found->changes.ptr;
	struct change *list = dt_arena_alloc(
		call->arena, found->changes.count * sizeof(*list));
	struct watched watched = {
		.is_watching = true,
		.id = found->id,
		.pattern = found->pattern,
		.is_changed = found->changes.count > 0 || found->is_cut,
		.cursor = found->last,
		.changes = { list, found->changes.count },
		.is_cut = found->is_cut,
		.note = found->note,
	};

	for (size_t i = 0; i < found->changes.count; i++)
		list[i] = (struct change){ from[i].path, from[i].kind };
	dt_call_reply_result(call, &watched);
}

static void watch_files(struct dt_call *call, const void *args)
{
	const struct watch_args *wanted = args;
	struct dt_maybe_u32 timeout = wanted->timeout_ms;
	struct dt_watch_files_args watch = {
		.id = wanted->id,
		.pattern = wanted->pattern,
		.since = wanted->since,
		.wait_ms = wanted->pattern ? 0 : WAIT_MS,
	};

	if (timeout.is_set)
		watch.wait_ms = timeout.value;
	if (!wanted->pattern && !wanted->id)
		dt_call_failf(call, DT_E_ARGS,
		              "pattern: missing; give it to begin a watch, or "
		              "the id of one");
	else if (watch.wait_ms > DT_LIMIT_WATCH_MS)
		dt_call_failf(call, DT_E_ARGS, "timeoutMs: at most %d",
		              DT_LIMIT_WATCH_MS);
	else
		dt_call_perform(call, &dt_op_watch_files, &watch, on_watched);
}

/* unwatchFiles */

static const struct dt_field unwatch_args[] = {
	DT_FIELD(struct dt_unwatch_files_args, id, NAME, DT_REQ,
	         "The watch, as watchFiles named it."),
	DT_FIELD_END,
};

struct unwatched {
	bool is_unwatched;
	const char *id;
};
static const struct dt_field unwatched_fields[] = {
	DT_FIELD_AS("unwatched", struct unwatched, is_unwatched, BOOL, DT_REQ,
	            "It has ended."),
	DT_FIELD(struct unwatched, id, NAME, DT_REQ, "The watch."),
	DT_FIELD_END,
};

static void on_unwatched(struct dt_call *call, const void *result)
{
	const struct dt_unwatch_files_args *args = call->args;
	struct unwatched unwatched = { true, args->id };

	(void)result;
	dt_call_reply_result(call, &unwatched);
}

static void unwatch_files(struct dt_call *call, const void *args)
{
	dt_call_perform(call, &dt_op_unwatch_files, args, on_unwatched);
}

static const struct dt_tool tools[] = {
	{
		.name = "watchFiles",
		.title = "Watch files",
		.doc = "Hear which files are created, changed or deleted by "
		       "anybody: a build, the person, another agent. The first "
		       "call, with pattern, begins a watch and answers with its "
		       "id; called again with that id it waits until something "
		       "changes, and tells what. With pattern and timeoutMs "
		       "both at once. What git ignores is not told. A watch "
		       "ends with the session.",
		.args = DT_SHAPE(struct watch_args, watch_args),
		.result = DT_SHAPE(struct watched, watched_fields),
		.effect = DT_READS,
		.flags = DT_TOOL_EXTRA,
		.needs = &dt_op_watch_files,
		.deadline_ms = LONG_MS,
		.run = watch_files,
	},
	{
		.name = "unwatchFiles",
		.title = "Watch files no longer",
		.doc = "End a watch of watchFiles.",
		.args = DT_SHAPE(struct dt_unwatch_files_args, unwatch_args),
		.result = DT_SHAPE(struct unwatched, unwatched_fields),
		.effect = DT_READS,
		.flags = DT_TOOL_EXTRA,
		.needs = &dt_op_unwatch_files,
		.deadline_ms = SHORT_MS,
		.run = unwatch_files,
	},
};

const struct dt_tool_group dt_tools_watch = {
	.name = "watch",
	.doc = "Files that change while an agent works.",
	.tools = tools,
	.count = sizeof(tools) / sizeof(tools[0]),
};
