/*
 * tool/editor_tools.c - documents and the selection.
 *
 * The same operations have other names and shapes for Claude Code, in
 * dialect/claude_tools.c.  What a tool cannot do is a failure here, never a
 * result that a model could take for success.
 */
#include "tool/editor_tools.h"

#include "tool/call.h"
#include "tool/views.h"

#define SHORT_MS 5000

static const struct dt_field path_args[] = {
	DT_FIELD_AS("filePath", struct dt_path_args, path, PATH, DT_REQ,
	            "Absolute path or file:// URI of the file."),
	DT_FIELD_END,
};

/* openFile */

struct open_args {
	const char *path;
	struct dt_maybe_u32 line;
	struct dt_str text;
};
static const struct dt_field open_args[] = {
	DT_FIELD_AS("filePath", struct open_args, path, PATH, DT_REQ,
	            "Absolute path or file:// URI of the file."),
	DT_FIELD_AS("startLine", struct open_args, line, MAYBE_U32, 0,
	            "1-based line for the cursor."),
	DT_FIELD_AS("startText", struct open_args, text, STR, 0,
	            "Select the first occurrence of this text instead."),
	DT_FIELD_END,
};

struct opened {
	bool is_success;
	const char *path;
	const char *language;
	uint32_t line_count;
};
static const struct dt_field opened_fields[] = {
	DT_FIELD_AS("success", struct opened, is_success, BOOL, DT_REQ,
	            "The person sees it."),
	DT_FIELD_AS("filePath", struct opened, path, NAME, DT_REQ,
	            "Absolute path of the file."),
	DT_FIELD_AS("languageId", struct opened, language, NAME, DT_REQ,
	            "Its language."),
	DT_FIELD_AS("lineCount", struct opened, line_count, U32, DT_REQ,
	            "Its lines."),
	DT_FIELD_END,
};

static void on_opened(struct dt_call *call, const void *result)
{
	const struct dt_open_result *open = result;
	struct opened opened = { true, open->path, open->language,
		                 open->line_count };

	dt_call_reply_result(call, &opened);
}

static void open_file(struct dt_call *call, const void *args)
{
	const struct open_args *wanted = args;
	struct dt_open_args open = {
		.path = wanted->path,
		.start_text = wanted->text,
		.is_frontmost = true,
		.line = wanted->line,
	};

	if (open.line.is_set && open.line.value-- == 0)
		dt_call_failf(call, DT_E_ARGS, "startLine: counts from 1");
	else
		dt_call_perform(call, &dt_op_open_file, &open, on_opened);
}

/* closeTab */

struct closed {
	bool is_success;
	const char *path;
	bool is_closed;
	bool was_dirty;
};
static const struct dt_field closed_fields[] = {
	DT_FIELD_AS("success", struct closed, is_success, BOOL, DT_REQ,
	            "It is not open any more."),
	DT_FIELD_AS("filePath", struct closed, path, NAME, DT_REQ,
	            "Absolute path of the file."),
	DT_FIELD_AS("closed", struct closed, is_closed, BOOL, DT_REQ,
	            "It was open."),
	DT_FIELD_AS("wasDirty", struct closed, was_dirty, BOOL, DT_REQ,
	            "Unsaved text was given up."),
	DT_FIELD_END,
};

static void on_closed(struct dt_call *call, const void *result)
{
	const struct dt_path_args *args = call->args;
	const struct dt_found_result *found = result;
	struct closed closed = { true, args->path, found->is_found,
		                 found->is_dirty };

	dt_call_reply_result(call, &closed);
}

static void close_tab(struct dt_call *call, const void *args)
{
	dt_call_perform(call, &dt_op_close_document, args, on_closed);
}

/* checkDocumentDirty */

static void fail_not_open(struct dt_call *call)
{
	const struct dt_path_args *args = call->args;

	dt_call_failf(call, DT_E_STATE, "%s is not open", args->path);
}

struct dirty {
	bool is_success;
	const char *path;
	bool is_dirty;
	bool is_overtaken;
};
static const struct dt_field dirty_fields[] = {
	DT_FIELD_AS("success", struct dirty, is_success, BOOL, DT_REQ,
	            "It is known."),
	DT_FIELD_AS("filePath", struct dirty, path, NAME, DT_REQ,
	            "Absolute path of the file."),
	DT_FIELD_AS("isDirty", struct dirty, is_dirty, BOOL, DT_REQ,
	            "It has unsaved text."),
	DT_FIELD_AS("changedOnDisk", struct dirty, is_overtaken, BOOL, DT_OMIT,
	            "Somebody else changed the file since that text began."),
	DT_FIELD_END,
};

static void on_dirty(struct dt_call *call, const void *result)
{
	const struct dt_path_args *args = call->args;
	const struct dt_found_result *found = result;
	struct dirty dirty = { true, args->path, found->is_dirty,
		               found->is_overtaken };

	if (found->is_found)
		dt_call_reply_result(call, &dirty);
	else
		fail_not_open(call);
}

static void check_dirty(struct dt_call *call, const void *args)
{
	dt_call_perform(call, &dt_op_check_dirty, args, on_dirty);
}

/* getOpenEditors */

struct tabs {
	struct dt_items items;
};
static const struct dt_field tabs_fields[] = {
	DT_FIELD_AS("tabs", struct tabs, items, ITEMS, DT_REQ,
	            "The open documents.", .shape = &dt_shape_tab_view),
	DT_FIELD_END,
};

static void on_documents(struct dt_call *call, const void *result)
{
	struct tabs tabs = { dt_view_tabs(call->arena, result) };

	dt_call_reply_result(call, &tabs);
}

static void get_open_editors(struct dt_call *call, const void *args)
{
	(void)args;
	dt_call_perform(call, &dt_op_list_documents, NULL, on_documents);
}

/* getCurrentSelection, getLatestSelection */

struct selected {
	bool is_success;
	struct dt_selection_view selection;
	const char *message;
};
static const struct dt_field selected_fields[] = {
	DT_FIELD_AS("success", struct selected, is_success, BOOL, DT_REQ,
	            "There is a selection or a cursor."),
	DT_FIELD_OBJECT("selection", struct selected, selection,
	                struct dt_selection_view, dt_shape_selection_view,
	                DT_OMIT, "What is selected, and where."),
	DT_FIELD(struct selected, message, NAME, DT_OMIT, "Why there is none."),
	DT_FIELD_END,
};

static void on_selection(struct dt_call *call, const void *result)
{
	struct selected selected = { 0 };

	dt_view_selection(result, &selected.selection);
	selected.is_success = selected.selection.path != NULL;
	if (!selected.is_success)
		selected.message = "Nothing is selected, and no document is "
				   "active.";
	dt_call_reply_result(call, &selected);
}

static void get_current_selection(struct dt_call *call, const void *args)
{
	struct dt_get_selection_args wanted = { .is_latest = false };

	(void)args;
	dt_call_perform(call, &dt_op_get_selection, &wanted, on_selection);
}

static void get_latest_selection(struct dt_call *call, const void *args)
{
	struct dt_get_selection_args wanted = { .is_latest = true };

	(void)args;
	dt_call_perform(call, &dt_op_get_selection, &wanted, on_selection);
}

/* getWorkspaceFolders */

struct folders {
	bool is_success;
	struct dt_items items;
	const char *root;
};
static const struct dt_field folders_fields[] = {
	DT_FIELD_AS("success", struct folders, is_success, BOOL, DT_REQ,
	            "There is a folder."),
	DT_FIELD_AS("folders", struct folders, items, ITEMS, DT_REQ,
	            "The folders, the main one first.",
	            .shape = &dt_shape_folder_view),
	DT_FIELD_AS("rootPath", struct folders, root, NAME, DT_OMIT,
	            "Absolute path of the main one."),
	DT_FIELD_END,
};

static void on_folders(struct dt_call *call, const void *result)
{
	const struct dt_folders_result *found = result;
	struct folders folders = {
		.is_success = found->folders.count > 0,
		.items = dt_view_folders(call->arena, found),
	};

	if (folders.is_success)
		folders.root = found->folders.ptr[0];
	dt_call_reply_result(call, &folders);
}

static void get_folders(struct dt_call *call, const void *args)
{
	(void)args;
	dt_call_perform(call, &dt_op_get_folders, NULL, on_folders);
}

static const struct dt_tool tools[] = {
	{
		.name = "getCurrentSelection",
		.title = "Current selection",
		.doc = "What the person has selected in the document they are "
		       "looking at, with its file and range; a cursor when no "
		       "text is selected. Use it when they say \"this\" or "
		       "\"here\".",
		.args = DT_SHAPE_EMPTY,
		.result = DT_SHAPE(struct selected, selected_fields),
		.effect = DT_READS,
		.flags = DT_TOOL_REPEATABLE,
		.deadline_ms = SHORT_MS,
		.run = get_current_selection,
	},
	{
		.name = "getLatestSelection",
		.title = "Latest selection",
		.doc = "What the person selected last, also in a document they "
		       "are not looking at any more.",
		.args = DT_SHAPE_EMPTY,
		.result = DT_SHAPE(struct selected, selected_fields),
		.effect = DT_READS,
		.flags = DT_TOOL_REPEATABLE | DT_TOOL_EXTRA,
		.deadline_ms = SHORT_MS,
		.run = get_latest_selection,
	},
	{
		.name = "getOpenEditors",
		.title = "Open documents",
		.doc = "The documents that are open, which one the person is "
		       "looking at, and which have unsaved text.",
		.args = DT_SHAPE_EMPTY,
		.result = DT_SHAPE(struct tabs, tabs_fields),
		.effect = DT_READS,
		.flags = DT_TOOL_REPEATABLE,
		.deadline_ms = SHORT_MS,
		.run = get_open_editors,
	},
	{
		.name = "getWorkspaceFolders",
		.title = "Folders of the workspace",
		.doc = "The folders of the workspace, the main one first. Files "
		       "outside of them are not read.",
		.args = DT_SHAPE_EMPTY,
		.result = DT_SHAPE(struct folders, folders_fields),
		.effect = DT_READS,
		.flags = DT_TOOL_REPEATABLE,
		.deadline_ms = SHORT_MS,
		.run = get_folders,
	},
	{
		.name = "openFile",
		.title = "Show a file",
		.doc = "Show a file to the person, at a line or with a text "
		       "selected. It moves their view: use it when they should "
		       "look, and getBufferContent when you only want to read.",
		.args = DT_SHAPE(struct open_args, open_args),
		.result = DT_SHAPE(struct opened, opened_fields),
		.effect = DT_SHOWS,
		.flags = DT_TOOL_REPEATABLE | DT_TOOL_ADDS,
		.deadline_ms = SHORT_MS,
		.run = open_file,
	},
	{
		.name = "closeTab",
		.title = "Close a document",
		.doc = "Close a document; unsaved text is given up, so ask "
		       "checkDocumentDirty first.",
		.args = DT_SHAPE(struct dt_path_args, path_args),
		.result = DT_SHAPE(struct closed, closed_fields),
		.effect = DT_SHOWS,
		.flags = DT_TOOL_REPEATABLE | DT_TOOL_EXTRA,
		.deadline_ms = SHORT_MS,
		.run = close_tab,
	},
	{
		.name = "checkDocumentDirty",
		.title = "Is it saved",
		.doc = "Whether an open document has unsaved text. Fails when "
		       "it is not open.",
		.args = DT_SHAPE(struct dt_path_args, path_args),
		.result = DT_SHAPE(struct dirty, dirty_fields),
		.effect = DT_READS,
		.flags = DT_TOOL_REPEATABLE | DT_TOOL_EXTRA,
		.deadline_ms = SHORT_MS,
		.run = check_dirty,
	},
};

const struct dt_tool_group dt_tools_editor = {
	.name = "editor",
	.doc = "What the person sees, and what is known of it.",
	.tools = tools,
	.count = sizeof(tools) / sizeof(tools[0]),
};
