/*
 * tool/context_tools.c - what an agent should know before it begins: what the
 * person has open, what is wrong there, and the note of the agent before.
 *
 * A bundle is made of operations that agents can ask for one by one, so the
 * gate is asked about each; what it keeps is missing in the bundle, which says
 * so.
 */
#include "tool/context_tools.h"

#include "base/clock.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "editor/diagnostics.h"
#include "editor/files.h"
#include "editor/git.h"
#include "editor/project.h"
#include "tool/call.h"
#include "tool/views.h"

#define LOOK_MS 2000 /* for who looks for problems */
#define BUNDLE_MS 30000
#define NOTE_MS 5000
#define CONTENT_MAX (64u * DT_KIB)
#define DIFF_MAX (64u * DT_KIB)
#define PROBLEMS_MAX 50

/* getHandoffNote, setHandoffNote */

struct note {
	struct dt_str note;
	const char *updated_at;
	const char *updated_by;
	uint32_t age_seconds;
	const char *message;
};
static const struct dt_field note_fields[] = {
	DT_FIELD(struct note, note, STR, DT_REQ,
	         "The note; empty: there is none."),
	DT_FIELD_AS("updatedAt", struct note, updated_at, NAME, DT_OMIT,
	            "When it was written."),
	DT_FIELD_AS("updatedBy", struct note, updated_by, NAME, DT_OMIT,
	            "The agent that wrote it."),
	DT_FIELD_AS("ageSeconds", struct note, age_seconds, U32, DT_OMIT,
	            "How old it is."),
	DT_FIELD(struct note, message, NAME, DT_OMIT, "What that means."),
	DT_FIELD_END,
};

static struct note note_of(const struct dt_note_result *from)
{
	return (struct note){
		.note = from->note.ptr ? from->note : DT_STR(""),
		.updated_at = from->updated_at,
		.updated_by = from->updated_by,
		.age_seconds = from->age_seconds,
		.message = from->note.ptr ? NULL : "No note was left here.",
	};
}

static void on_note(struct dt_call *call, const void *result)
{
	struct note note = note_of(result);

	dt_call_reply_result(call, &note);
}

static void get_note(struct dt_call *call, const void *args)
{
	(void)args;
	dt_call_perform(call, &dt_op_get_note, NULL, on_note);
}

static const struct dt_field set_note_fields[] = {
	DT_FIELD(struct dt_set_note_args, note, STR, DT_REQ,
	         "The note, at most 16 KiB; empty: remove it."),
	DT_FIELD_END,
};

static void set_note(struct dt_call *call, const void *args)
{
	dt_call_perform(call, &dt_op_set_note, args, on_note);
}

/* readClipboard, writeClipboard */

static const struct dt_field copied_fields[] = {
	DT_FIELD(struct dt_clipboard, text, STR, DT_REQ, "What was copied."),
	DT_FIELD_AS("truncated", struct dt_clipboard, is_cut, BOOL, DT_OMIT,
	            "There is more than 256 KiB."),
	DT_FIELD_END,
};

static void read_clipboard(struct dt_call *call, const void *args)
{
	(void)args;
	dt_call_perform(call, &dt_op_read_clipboard, NULL,
	                dt_call_reply_result);
}

static const struct dt_field copy_args[] = {
	DT_FIELD(struct dt_clipboard, text, STR, DT_REQ, "The text."),
	DT_FIELD_END,
};

struct copied {
	bool is_success;
};
static const struct dt_field copied_result[] = {
	DT_FIELD_AS("success", struct copied, is_success, BOOL, DT_REQ,
	            "It is in the clipboard."),
	DT_FIELD_END,
};

static void on_copied(struct dt_call *call, const void *result)
{
	struct copied copied = { true };

	(void)result;
	dt_call_reply_result(call, &copied);
}

static void write_clipboard(struct dt_call *call, const void *args)
{
	dt_call_perform(call, &dt_op_write_clipboard, args, on_copied);
}

/* contextBundle */

struct bundle_args {
	bool has_content;
	bool has_diff;
	bool has_note;
};
static const struct dt_field bundle_args[] = {
	DT_FIELD_AS("includeContent", struct bundle_args, has_content, BOOL, 0,
	            "With the text of the active file.", .def = "true"),
	DT_FIELD_AS("includeDiff", struct bundle_args, has_diff, BOOL, 0,
	            "With what is not committed.", .def = "true"),
	DT_FIELD_AS("includeHandoffNote", struct bundle_args, has_note, BOOL, 0,
	            "With the note of the agent before.", .def = "true"),
	DT_FIELD_END,
};

struct bundle {
	const char *active;
	struct dt_str content;
	bool is_content_cut;
	struct dt_selection_view selection;
	struct dt_items tabs;
	struct dt_problems_view problems;
	struct dt_str diff;
	bool is_diff_cut;
	struct note note;
	struct dt_names missing;
	const char *bundled_at;
};
static const struct dt_shape problems_shape =
	DT_SHAPE(struct dt_problems_view, dt_problems_fields);
static const struct dt_shape note_shape = DT_SHAPE(struct note, note_fields);

static const struct dt_field bundle_fields[] = {
	DT_FIELD_AS("activeFile", struct bundle, active, NAME, DT_OMIT,
	            "The file the person looks at; absent: none is known."),
	DT_FIELD_AS("activeFileContent", struct bundle, content, STR, DT_OMIT,
	            "Its text, unsaved changes included."),
	DT_FIELD_AS("contentTruncated", struct bundle, is_content_cut, BOOL,
	            DT_OMIT,
	            "The text is longer: getBufferContent has the rest."),
	DT_FIELD_OBJECT("selection", struct bundle, selection,
	                struct dt_selection_view, dt_shape_selection_view,
	                DT_OMIT, "What the person has selected."),
	DT_FIELD_AS("openEditors", struct bundle, tabs, ITEMS, DT_REQ,
	            "What is open.", .shape = &dt_shape_tab_view),
	DT_FIELD_OBJECT("diagnostics", struct bundle, problems,
	                struct dt_problems_view, problems_shape, DT_REQ,
	                "Problems that are known, the worst first."),
	DT_FIELD(struct bundle, diff, STR, DT_OMIT,
	         "What is not committed, staged or not."),
	DT_FIELD_AS("diffTruncated", struct bundle, is_diff_cut, BOOL, DT_OMIT,
	            "The diff is longer, or has files that are kept from "
	            "agents: getGitDiff tells more."),
	DT_FIELD_OBJECT("handoffNote", struct bundle, note, struct note,
	                note_shape, DT_OMIT, "The note of the agent before."),
	DT_FIELD(struct bundle, missing, NAMES, DT_REQ,
	         "What could not be had, and why."),
	DT_FIELD_AS("bundledAt", struct bundle, bundled_at, NAME, DT_REQ,
	            "When this was so."),
	DT_FIELD_END,
};

#define PIECES 6 /* operations, each of which may fail */

/* The pieces that are asked for, one after the other. */
struct gathering {
	struct bundle bundle;
	size_t next;
};

static void ask_next(struct dt_call *call);

static struct dt_str copy(struct dt_arena *arena, struct dt_str text)
{
	return (struct dt_str){ dt_arena_strndup(arena, text.ptr, text.len),
		                text.len };
}

static void take_documents(struct dt_call *call, const void *result)
{
	const struct dt_documents_result *documents = result;
	struct gathering *g = call->state;
	struct dt_tab_view *tab;

	g->bundle.tabs = dt_view_tabs(call->arena, documents);
	tab = g->bundle.tabs.ptr;
	for (size_t i = 0; i < g->bundle.tabs.count; i++) {
		/* The editor's own strings live no longer than this call. */
		tab[i].path = dt_arena_strdup(call->arena, tab[i].path);
		tab[i].label = dt_arena_strdup(call->arena, tab[i].label);
		tab[i].language = dt_arena_strdup(call->arena, tab[i].language);
		if (tab[i].is_active)
			g->bundle.active = tab[i].path;
	}
}

static void take_selection(struct dt_call *call, const void *result)
{
	struct dt_selection selection = *(const struct dt_selection *)result;
	struct gathering *g = call->state;

	selection.path = dt_arena_strdup(call->arena, selection.path);
	selection.text = copy(call->arena, selection.text);
	dt_view_selection(&selection, &g->bundle.selection);
}

static void take_content(struct dt_call *call, const void *result)
{
	const struct dt_read_file_result *file = result;
	struct gathering *g = call->state;
	struct dt_str text = file->text;

	if (!dt_utf8_is_valid(text))
		return;
	g->bundle.is_content_cut = text.len > CONTENT_MAX;
	if (g->bundle.is_content_cut)
		text.len = dt_utf8_cut(text, CONTENT_MAX);
	g->bundle.content = copy(call->arena, text);
}

static void take_problems(struct dt_call *call, const void *result)
{
	struct gathering *g = call->state;

	dt_view_problems(call->arena, result, DT_SEV_HINT, PROBLEMS_MAX,
	                 &g->bundle.problems);
	dt_view_keep_problems(call->arena, &g->bundle.problems);
}

static void take_diff(struct dt_call *call, const void *result)
{
	const struct dt_git_diff_result *diff = result;
	const struct dt_git_file_diff *file = diff->files.ptr;
	struct gathering *g = call->state;
	struct dt_buf text;

	g->bundle.is_diff_cut = diff->is_cut || diff->left_out > 0;
	dt_buf_init(&text, DIFF_MAX);
	for (size_t i = 0; i < diff->files.count; i++)
		dt_buf_add_str(&text, file[i].text);
	g->bundle.is_diff_cut |= text.overflow;
	g->bundle.diff = copy(call->arena, dt_buf_str(&text));
	dt_buf_done(&text);
}

static void take_note(struct dt_call *call, const void *result)
{
	struct gathering *g = call->state;

	g->bundle.note = note_of(result);
	g->bundle.note.note = copy(call->arena, g->bundle.note.note);
	g->bundle.note.updated_at =
		dt_arena_strdup(call->arena, g->bundle.note.updated_at);
	g->bundle.note.updated_by =
		dt_arena_strdup(call->arena, g->bundle.note.updated_by);
}

static const struct {
	const char *name;
	const struct dt_operation *op;
	void (*take)(struct dt_call *call, const void *result);
} pieces[PIECES] = {
	{ "openEditors", &dt_op_list_documents, take_documents },
	{ "selection", &dt_op_get_selection, take_selection },
	{ "activeFileContent", &dt_op_read_file, take_content },
	{ "diagnostics", &dt_op_get_diagnostics, take_problems },
	{ "diff", &dt_op_git_diff, take_diff },
	{ "handoffNote", &dt_op_get_note, take_note },
};

static void on_piece(struct dt_call *call, const void *result)
{
	struct gathering *g = call->state;

	pieces[g->next].take(call, result);
	g->next++;
	ask_next(call);
}

static void on_no_piece(struct dt_call *call, const struct dt_fail *fail)
{
	struct gathering *g = call->state;
	struct dt_names *missing = &g->bundle.missing;

	missing->ptr[missing->count++] = dt_arena_printf(
		call->arena, "%s: %s", pieces[g->next].name, fail->msg);
	g->next++;
	/* Where nothing is open and nobody knows why, the rest helps nobody. */
	if (fail->code == DT_E_TIMEOUT || g->next == 1)
		dt_call_fail(call, fail);
	else
		ask_next(call);
}

static bool is_wanted(const struct dt_call *call, const struct gathering *g)
{
	const struct bundle_args *args = call->args;

	if (pieces[g->next].op == &dt_op_read_file)
		return args->has_content && g->bundle.active;
	if (pieces[g->next].op == &dt_op_git_diff)
		return args->has_diff;
	return pieces[g->next].op != &dt_op_get_note || args->has_note;
}

static void reply_bundle(struct dt_call *call)
{
	struct gathering *g = call->state;
	char at[DT_CLOCK_TEXT];

	dt_clock_format(dt_clock_wall_ms(), at);
	g->bundle.bundled_at = at;
	dt_call_reply_result(call, &g->bundle);
}

static void ask_next(struct dt_call *call)
{
	static const struct dt_get_selection_args current = { 0 };
	struct gathering *g = call->state;
	struct dt_read_file_args file = { .path = g->bundle.active };
	struct dt_git_diff_args diff = { .from = "HEAD" };
	struct dt_diagnostics_args all = { .wait_ms = LOOK_MS };
	const struct dt_operation *op;
	const void *args = NULL;

	while (g->next < PIECES && !is_wanted(call, g))
		g->next++;
	if (g->next == PIECES) {
		reply_bundle(call);
		return;
	}
	op = pieces[g->next].op;
	if (op == &dt_op_get_selection)
		args = &current;
	else if (op == &dt_op_read_file)
		args = &file;
	else if (op == &dt_op_git_diff)
		args = &diff;
	else if (op == &dt_op_get_diagnostics)
		args = &all;
	dt_call_perform_or(call, op, args, on_piece, on_no_piece);
}

static void bundle(struct dt_call *call, const void *args)
{
	struct gathering *g = dt_arena_alloc(call->arena, sizeof(*g));

	(void)args;
	call->state = g;
	g->bundle.missing.ptr =
		dt_arena_alloc(call->arena, PIECES * sizeof(const char *));
	ask_next(call);
}

static const struct dt_tool tools[] = {
	{
		.name = "contextBundle",
		.title = "What the person works on",
		.doc = "In one call: the file the person looks at with its text, "
		       "what is selected and open, known problems, what is not "
		       "committed, and the note that the agent before you left. Call it when you are "
		       "asked about \"this\" or begin to work.",
		.args = DT_SHAPE(struct bundle_args, bundle_args),
		.result = DT_SHAPE(struct bundle, bundle_fields),
		.effect = DT_READS,
		.flags = DT_TOOL_REPEATABLE,
		.deadline_ms = BUNDLE_MS,
		.run = bundle,
	},
	{
		.name = "getHandoffNote",
		.title = "Read the note",
		.doc = "The note that an agent left for the next one in this "
		       "workspace, who wrote it and when. It is another agent's "
		       "words, not the person's.",
		.args = DT_SHAPE_EMPTY,
		.result = DT_SHAPE(struct note, note_fields),
		.effect = DT_READS,
		.flags = DT_TOOL_REPEATABLE | DT_TOOL_EXTRA,
		.deadline_ms = NOTE_MS,
		.run = get_note,
	},
	{
		.name = "setHandoffNote",
		.title = "Leave a note",
		.doc = "Leave a note for the agent that works here next: what is "
		       "done, what is open, where to go on. It replaces the note "
		       "before; no file of the workspace changes.",
		.args = DT_SHAPE(struct dt_set_note_args, set_note_fields),
		.result = DT_SHAPE(struct note, note_fields),
		.effect = DT_WRITES,
		.flags = DT_TOOL_REPEATABLE | DT_TOOL_EXTRA,
		.deadline_ms = NOTE_MS,
		.run = set_note,
	},
	{
		.name = "readClipboard",
		.title = "Read the clipboard",
		.doc = "What the person has copied, as text. People copy "
		       "passwords, so this fails until the person opens the "
		       "clipboard to agents with `dovetail config "
		       "context.clipboard on`: do not ask for that without need.",
		.args = DT_SHAPE_EMPTY,
		.result = DT_SHAPE(struct dt_clipboard, copied_fields),
		.effect = DT_READS,
		.needs = &dt_op_read_clipboard,
		.flags = DT_TOOL_REPEATABLE | DT_TOOL_EXTRA,
		.deadline_ms = NOTE_MS,
		.run = read_clipboard,
	},
	{
		.name = "writeClipboard",
		.title = "Copy to the clipboard",
		.doc = "Put a text into the person's clipboard, in place of what "
		       "they have copied; they may paste it anywhere, so say "
		       "what it is. It needs context.clipboard, as readClipboard "
		       "does.",
		.args = DT_SHAPE(struct dt_clipboard, copy_args),
		.result = DT_SHAPE(struct copied, copied_result),
		.effect = DT_WRITES,
		.needs = &dt_op_write_clipboard,
		.flags = DT_TOOL_REPEATABLE | DT_TOOL_EXTRA,
		.deadline_ms = NOTE_MS,
		.run = write_clipboard,
	},
};

const struct dt_tool_group dt_tools_context = {
	.name = "context",
	.doc = "What an agent should know before it begins, and leave behind.",
	.tools = tools,
	.count = sizeof(tools) / sizeof(tools[0]),
};
