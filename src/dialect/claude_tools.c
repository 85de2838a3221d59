/*
 * dialect/claude_tools.c - Claude Code's names bound to our operations.
 *
 * Twelve tools as the VS Code extension has them and three that only the
 * JetBrains plugin has.  What each answers, byte for byte, is written down in
 * docs/protocol/claude-code.md.  Diffs are in claude_diff.c.
 */
#include "dialect/claude_tools.h"

#include "base/buf.h"
#include "base/limits.h"
#include "base/path.h"
#include "dialect/claude_diff.h"
#include "editor/diagnostics.h"

#define ONE_FILE_MS 350
#define ALL_FILES_MS 1500

/* {"success":false,"message":...}: the protocol's way to say no. */
struct refusal {
	bool is_success;
	const char *message;
};
static const struct dt_field refusal_fields[] = {
	DT_FIELD_AS("success", struct refusal, is_success, BOOL, 0, ""),
	DT_FIELD(struct refusal, message, NAME, 0, ""),
	DT_FIELD_END,
};
static const struct dt_shape refusal_shape =
	DT_SHAPE(struct refusal, refusal_fields);

static void reply_refusal(struct dt_call *call, const char *message)
{
	struct refusal refusal = { .message = message };

	dt_call_add_shape(call, &refusal_shape, &refusal);
	dt_call_reply(call);
}

static void reply_shape(struct dt_call *call, const struct dt_shape *shape,
                        const void *value)
{
	dt_call_add_shape(call, shape, value);
	dt_call_reply(call);
}

/* openFile */

static const struct dt_field open_file_args[] = {
	DT_FIELD_AS("filePath", struct dt_open_args, path, PATH, DT_REQ,
	            "Absolute path or file:// URI of the file."),
	DT_FIELD_AS("preview", struct dt_open_args, is_preview, BOOL, 0,
	            "Open as a preview that the next open may replace.",
	            .def = "false"),
	DT_FIELD_AS("startText", struct dt_open_args, start_text, STR, 0,
	            "Select from the first occurrence of this text."),
	DT_FIELD_AS("endText", struct dt_open_args, end_text, STR, 0,
	            "Select up to the end of the first occurrence of this "
	            "text after startText."),
	DT_FIELD_AS("selectToEndOfLine", struct dt_open_args, to_line_end, BOOL,
	            0, "Extend the selection to the end of its last line.",
	            .def = "false"),
	DT_FIELD_AS("makeFrontmost", struct dt_open_args, is_frontmost, BOOL, 0,
	            "Make it the active document.", .def = "true"),
	DT_FIELD_END,
};

struct opened {
	bool is_success;
	const char *path;
	const char *language;
	uint32_t line_count;
};
static const struct dt_field opened_fields[] = {
	DT_FIELD_AS("success", struct opened, is_success, BOOL, 0, ""),
	DT_FIELD_AS("filePath", struct opened, path, NAME, 0, ""),
	DT_FIELD_AS("languageId", struct opened, language, NAME, 0, ""),
	DT_FIELD_AS("lineCount", struct opened, line_count, U32, 0, ""),
	DT_FIELD_END,
};
static const struct dt_shape opened_shape =
	DT_SHAPE(struct opened, opened_fields);

static void on_opened(struct dt_call *call, const void *result)
{
	const struct dt_open_args *args = call->args;
	const struct dt_open_result *open = result;
	struct opened opened = { true, open->path, open->language,
		                 open->line_count };

	if (args->is_frontmost)
		dt_call_reply_text(call, dt_arena_printf(call->arena,
		                                         "Opened file: %s",
		                                         open->path));
	else
		reply_shape(call, &opened_shape, &opened);
}

static void open_file(struct dt_call *call, const void *args)
{
	dt_call_perform(call, &dt_op_open_file, args, on_opened);
}

/* getCurrentSelection, getLatestSelection */

struct selected {
	bool is_success;
	struct dt_str text;
	const char *path;
	struct dt_range range;
};
static const struct dt_field selected_fields[] = {
	DT_FIELD_AS("success", struct selected, is_success, BOOL, 0, ""),
	DT_FIELD(struct selected, text, STR, 0, ""),
	DT_FIELD_AS("filePath", struct selected, path, NAME, 0, ""),
	DT_FIELD_OBJECT("selection", struct selected, range, struct dt_range,
	                dt_shape_range, 0, ""),
	DT_FIELD_END,
};
static const struct dt_shape selected_shape =
	DT_SHAPE(struct selected, selected_fields);

static void on_selection(struct dt_call *call, const void *result)
{
	const struct dt_selection *selection = result;
	struct selected selected = { true, selection->text, selection->path,
		                     selection->range };
	bool is_latest = !strcmp(call->tool->name, "getLatestSelection");

	if (!selected.text.ptr)
		selected.text = DT_STR(""); /* a cursor; null is no text */
	if (selection->path)
		reply_shape(call, &selected_shape, &selected);
	else
		reply_refusal(call, is_latest ? "No selection available"
		                              : "No active editor found");
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

/* getOpenEditors, get_all_opened_file_paths */

struct tab {
	const char *uri;
	bool is_active;
	const char *label;
	const char *language;
	bool is_dirty;
};
static const struct dt_field tab_fields[] = {
	DT_FIELD(struct tab, uri, NAME, 0, ""),
	DT_FIELD_AS("isActive", struct tab, is_active, BOOL, 0, ""),
	DT_FIELD(struct tab, label, NAME, 0, ""),
	DT_FIELD_AS("languageId", struct tab, language, NAME, 0, ""),
	DT_FIELD_AS("isDirty", struct tab, is_dirty, BOOL, 0, ""),
	DT_FIELD_END,
};
static const struct dt_shape tab_shape = DT_SHAPE(struct tab, tab_fields);

struct tabs {
	struct dt_items items;
};
static const struct dt_field tabs_fields[] = {
	DT_FIELD_AS("tabs", struct tabs, items, ITEMS, 0, "",
	            .shape = &tab_shape),
	DT_FIELD_END,
};
static const struct dt_shape tabs_shape = DT_SHAPE(struct tabs, tabs_fields);

static void on_open_editors(struct dt_call *call, const void *result)
{
	const struct dt_documents_result *documents = result;
	const struct dt_document_info *info = documents->items.ptr;
	size_t count = documents->items.count;
	struct tab *tab = dt_arena_alloc(call->arena, count * sizeof(*tab));
	struct tabs tabs = { { tab, count } };

	for (size_t i = 0; i < count; i++) {
		tab[i] = (struct tab){
			.uri = dt_path_to_uri(call->arena, info[i].path),
			.is_active = info[i].is_active,
			.label = info[i].label,
			.language = info[i].language,
			.is_dirty = info[i].is_dirty,
		};
	}
	reply_shape(call, &tabs_shape, &tabs);
}

static void get_open_editors(struct dt_call *call, const void *args)
{
	(void)args;
	dt_call_perform(call, &dt_op_list_documents, NULL, on_open_editors);
}

static void on_opened_paths(struct dt_call *call, const void *result)
{
	const struct dt_documents_result *documents = result;
	const struct dt_document_info *info = documents->items.ptr;
	struct dt_buf text;

	dt_buf_init(&text, DT_LIMIT_MESSAGE);
	for (size_t i = 0; i < documents->items.count; i++)
		dt_buf_addf(&text, "%s%s", i ? "\n" : "", info[i].path);
	dt_call_add(call,
	            dt_str(dt_arena_strdup(call->arena, dt_buf_z(&text))));
	dt_buf_done(&text);
	dt_call_reply(call);
}

static void get_opened_paths(struct dt_call *call, const void *args)
{
	(void)args;
	dt_call_perform(call, &dt_op_list_documents, NULL, on_opened_paths);
}

/* getWorkspaceFolders */

struct folder {
	const char *name;
	const char *uri;
	const char *path;
};
static const struct dt_field folder_fields[] = {
	DT_FIELD(struct folder, name, NAME, 0, ""),
	DT_FIELD(struct folder, uri, NAME, 0, ""),
	DT_FIELD(struct folder, path, NAME, 0, ""),
	DT_FIELD_END,
};
static const struct dt_shape folder_shape =
	DT_SHAPE(struct folder, folder_fields);

struct folders {
	bool is_success;
	struct dt_items items;
	const char *root;
};
static const struct dt_field folders_fields[] = {
	DT_FIELD_AS("success", struct folders, is_success, BOOL, 0, ""),
	DT_FIELD_AS("folders", struct folders, items, ITEMS, 0, "",
	            .shape = &folder_shape),
	DT_FIELD_AS("rootPath", struct folders, root, NAME, 0, ""),
	DT_FIELD_END,
};
static const struct dt_shape folders_shape =
	DT_SHAPE(struct folders, folders_fields);

static void on_folders(struct dt_call *call, const void *result)
{
	const struct dt_folders_result *found = result;
	size_t count = found->folders.count;
	struct folder *folder =
		dt_arena_alloc(call->arena, count * sizeof(*folder));
	struct folders folders = { true,
		                   { folder, count },
		                   found->folders.ptr[0] };

	for (size_t i = 0; i < count; i++) {
		const char *path = found->folders.ptr[i];

		folder[i] = (struct folder){
			.name = dt_path_base(path),
			.uri = dt_path_to_uri(call->arena, path),
			.path = path,
		};
	}
	reply_shape(call, &folders_shape, &folders);
}

static void get_workspace_folders(struct dt_call *call, const void *args)
{
	(void)args;
	dt_call_perform(call, &dt_op_get_folders, NULL, on_folders);
}

/* getDiagnostics */

static const struct dt_field diagnostics_args[] = {
	DT_FIELD_AS("uri", struct dt_path_args, path, PATH, 0,
	            "file:// URI or path of one file; all files when absent."),
	DT_FIELD_END,
};

static const char *const severities[] = {
	[DT_SEV_ERROR] = "Error",
	[DT_SEV_WARNING] = "Warning",
	[DT_SEV_INFO] = "Info",
	[DT_SEV_HINT] = "Hint",
};

static void write_diagnostic(struct dt_json_out *out,
                             const struct dt_diagnostic *d)
{
	dt_json_begin_object(out);
	dt_json_key(out, "message");
	dt_json_put_str(out, d->message);
	dt_json_key(out, "severity");
	dt_json_put_z(out, severities[d->severity]);
	dt_json_key(out, "range");
	dt_shape_write(&dt_shape_range, &d->range, out);
	if (d->source) {
		dt_json_key(out, "source");
		dt_json_put_z(out, d->source);
	}
	if (d->code) {
		dt_json_key(out, "code");
		dt_json_put_z(out, d->code);
	}
	dt_json_end_object(out);
}

/* An array at the top, and raw paths behind file://: the CLI reads no other. */
static void on_diagnostics(struct dt_call *call, const void *result)
{
	const struct dt_diagnostics_result *found = result;
	const struct dt_file_diagnostics *file = found->items.ptr;
	struct dt_json_out out;
	struct dt_buf text;

	dt_buf_init(&text, DT_LIMIT_MESSAGE);
	out = dt_json_out(&text);
	dt_json_begin_array(&out);
	for (size_t i = 0; i < found->items.count; i++) {
		const struct dt_diagnostic *d = file[i].items.ptr;

		dt_json_begin_object(&out);
		dt_json_key(&out, "uri");
		dt_json_put_z(&out, dt_arena_printf(call->arena, "file://%s",
		                                    file[i].path));
		dt_json_key(&out, "diagnostics");
		dt_json_begin_array(&out);
		for (size_t k = 0; k < file[i].items.count; k++)
			write_diagnostic(&out, &d[k]);
		dt_json_end_array(&out);
		dt_json_end_object(&out);
	}
	dt_json_end_array(&out);
	dt_call_add(call,
	            dt_str(dt_arena_strdup(call->arena, dt_buf_z(&text))));
	dt_buf_done(&text);
	dt_call_reply(call);
}

/* An editor that cannot tell knows of nothing: the CLI waits for us before it
 * writes a file, and an error would help nobody. */
static void on_no_diagnostics(struct dt_call *call, const struct dt_fail *fail)
{
	(void)fail;
	dt_call_reply_text(call, "[]");
}

/* Before a file is written the CLI waits for 500 ms, behind it for 2 s: who
 * looks has less, and goes on when the time is over. */
static void get_diagnostics(struct dt_call *call, const void *args)
{
	const struct dt_path_args *about = args;
	struct dt_diagnostics_args wanted = {
		.path = about->path,
		.wait_ms = about->path ? ONE_FILE_MS : ALL_FILES_MS,
	};

	dt_call_perform_or(call, &dt_op_get_diagnostics, &wanted,
	                   on_diagnostics, on_no_diagnostics);
}

/* checkDocumentDirty, saveDocument */

static const struct dt_field file_args[] = {
	DT_FIELD_AS("filePath", struct dt_path_args, path, PATH, DT_REQ,
	            "Absolute path or file:// URI of the file."),
	DT_FIELD_END,
};

static void reply_not_open(struct dt_call *call)
{
	const struct dt_path_args *args = call->args;

	reply_refusal(call,
	              dt_arena_printf(call->arena, "Document not open: %s",
	                              args->path));
}

struct dirty {
	bool is_success;
	const char *path;
	bool is_dirty;
	bool is_untitled;
};
static const struct dt_field dirty_fields[] = {
	DT_FIELD_AS("success", struct dirty, is_success, BOOL, 0, ""),
	DT_FIELD_AS("filePath", struct dirty, path, NAME, 0, ""),
	DT_FIELD_AS("isDirty", struct dirty, is_dirty, BOOL, 0, ""),
	DT_FIELD_AS("isUntitled", struct dirty, is_untitled, BOOL, 0, ""),
	DT_FIELD_END,
};
static const struct dt_shape dirty_shape = DT_SHAPE(struct dirty, dirty_fields);

static void on_dirty(struct dt_call *call, const void *result)
{
	const struct dt_path_args *args = call->args;
	const struct dt_found_result *found = result;
	struct dirty dirty = { true, args->path, found->is_dirty, false };

	if (found->is_found)
		reply_shape(call, &dirty_shape, &dirty);
	else
		reply_not_open(call);
}

static void check_document_dirty(struct dt_call *call, const void *args)
{
	dt_call_perform(call, &dt_op_check_dirty, args, on_dirty);
}

struct saved {
	bool is_success;
	const char *path;
	bool is_saved;
	const char *message;
};
static const struct dt_field saved_fields[] = {
	DT_FIELD_AS("success", struct saved, is_success, BOOL, 0, ""),
	DT_FIELD_AS("filePath", struct saved, path, NAME, 0, ""),
	DT_FIELD_AS("saved", struct saved, is_saved, BOOL, 0, ""),
	DT_FIELD(struct saved, message, NAME, 0, ""),
	DT_FIELD_END,
};
static const struct dt_shape saved_shape = DT_SHAPE(struct saved, saved_fields);

static void on_saved(struct dt_call *call, const void *result)
{
	const struct dt_path_args *args = call->args;
	const struct dt_found_result *found = result;
	struct saved saved = { true, args->path, true,
		               "Document saved successfully" };

	if (found->is_found)
		reply_shape(call, &saved_shape, &saved);
	else
		reply_not_open(call);
}

static void save_document(struct dt_call *call, const void *args)
{
	dt_call_perform(call, &dt_op_save_document, args, on_saved);
}

/* executeCode */

static const struct dt_field execute_code_args[] = {
	DT_FIELD(struct dt_run_code_args, code, STR, DT_REQ,
	         "Python code to run in the notebook's kernel."),
	DT_FIELD_END,
};

static void on_output(struct dt_call *call, const void *result)
{
	const struct dt_run_code_result *run = result;

	dt_call_add(call, run->output);
	dt_call_reply(call);
}

static void on_no_kernel(struct dt_call *call, const struct dt_fail *fail)
{
	if (fail->code == DT_E_UNSUPPORTED)
		dt_call_failf(call, fail->code,
		              "No kernel is attached: code runs only in a "
		              "notebook that is open in an attached editor.");
	else
		dt_call_fail(call, fail);
}

static void execute_code(struct dt_call *call, const void *args)
{
	dt_call_perform_or(call, &dt_op_run_code, args, on_output,
	                   on_no_kernel);
}

/* open_files */

struct open_files {
	struct dt_names paths;
};
static const struct dt_field open_files_args[] = {
	DT_FIELD_AS("file_paths", struct open_files, paths, PATHS, DT_REQ,
	            "Absolute paths of the files to open."),
	DT_FIELD_END,
};

#define MAX_OPEN_FILES 100

/* Where the tool is in its list, and what could be opened so far. */
struct opening {
	const struct open_files *args;
	size_t next;
	struct dt_names opened;
};
static const struct dt_field opening_fields[] = {
	DT_FIELD_AS("opened_files", struct opening, opened, NAMES, 0, ""),
	DT_FIELD_END,
};
static const struct dt_shape opening_shape =
	DT_SHAPE(struct opening, opening_fields);

static void open_next(struct dt_call *call);

static void on_one_opened(struct dt_call *call, const void *result)
{
	struct opening *opening = call->state;

	(void)result;
	opening->opened.ptr[opening->opened.count++] =
		opening->args->paths.ptr[opening->next - 1];
	open_next(call);
}

/* A file that cannot be opened is left out of the answer. */
static void on_one_failed(struct dt_call *call, const struct dt_fail *fail)
{
	(void)fail;
	open_next(call);
}

static void open_next(struct dt_call *call)
{
	struct opening *opening = call->state;
	struct dt_open_args open = { .is_frontmost = true };

	if (opening->next == opening->args->paths.count) {
		reply_shape(call, &opening_shape, opening);
		return;
	}
	open.path = opening->args->paths.ptr[opening->next++];
	dt_call_perform_or(call, &dt_op_open_file, &open, on_one_opened,
	                   on_one_failed);
}

static void open_files(struct dt_call *call, const void *args)
{
	const struct open_files *files = args;
	struct opening *opening = dt_arena_alloc(call->arena, sizeof(*opening));

	if (files->paths.count > MAX_OPEN_FILES) {
		dt_call_failf(call, DT_E_LIMIT, "at most %d files at a time",
		              MAX_OPEN_FILES);
		return;
	}
	opening->args = files;
	opening->opened.ptr = dt_arena_alloc(
		call->arena, files->paths.count * sizeof(const char *));
	call->state = opening;
	open_next(call);
}

/* reformat_file */

static const struct dt_field reformat_args[] = {
	DT_FIELD_AS("file_path", struct dt_path_args, path, PATH, DT_REQ,
	            "Absolute path of the file to format."),
	DT_FIELD_END,
};

static void on_reformatted(struct dt_call *call, const void *result)
{
	(void)result;
	dt_call_reply_text(call, "OK");
}

static void reformat_file(struct dt_call *call, const void *args)
{
	dt_call_perform(call, &dt_op_format_document, args, on_reformatted);
}

static const struct dt_tool tools[] = {
	{
		.name = "openFile",
		.doc = "Open a file in the editor and optionally select a "
		       "range of text.",
		.args = DT_SHAPE(struct dt_open_args, open_file_args),
		.effect = DT_SHOWS,
		.deadline_ms = 5000,
		.run = open_file,
	},
	{
		.name = "openDiff",
		.doc = "Show a proposed change to the person and wait for the "
		       "verdict: FILE_SAVED with the final text, or "
		       "DIFF_REJECTED.",
		.args = DT_SHAPE(struct dt_claude_open_diff,
	                         dt_claude_open_diff_fields),
		.effect = DT_ASKS,
		.run = dt_claude_open_diff,
	},
	{
		.name = "getCurrentSelection",
		.doc = "The text selected in the active editor.",
		.args = DT_SHAPE_EMPTY,
		.effect = DT_READS,
		.deadline_ms = 2000,
		.run = get_current_selection,
	},
	{
		.name = "getLatestSelection",
		.doc = "The most recent selection, even if its editor is not "
		       "active any more.",
		.args = DT_SHAPE_EMPTY,
		.effect = DT_READS,
		.deadline_ms = 2000,
		.run = get_latest_selection,
	},
	{
		.name = "getOpenEditors",
		.doc = "The open documents.",
		.args = DT_SHAPE_EMPTY,
		.effect = DT_READS,
		.deadline_ms = 2000,
		.run = get_open_editors,
	},
	{
		.name = "getWorkspaceFolders",
		.doc = "The folders of the workspace.",
		.args = DT_SHAPE_EMPTY,
		.effect = DT_READS,
		.deadline_ms = 2000,
		.run = get_workspace_folders,
	},
	{
		.name = "getDiagnostics",
		.doc = "Problems that language servers and linters report, of "
		       "one file or of all.",
		.args = DT_SHAPE(struct dt_path_args, diagnostics_args),
		.effect = DT_READS,
		.deadline_ms = 1900,
		.run = get_diagnostics,
	},
	{
		.name = "checkDocumentDirty",
		.doc = "Whether a document has unsaved changes.",
		.args = DT_SHAPE(struct dt_path_args, file_args),
		.effect = DT_READS,
		.deadline_ms = 2000,
		.run = check_document_dirty,
	},
	{
		.name = "saveDocument",
		.doc = "Save a document with unsaved changes.",
		.args = DT_SHAPE(struct dt_path_args, file_args),
		.effect = DT_ASKS,
		.run = save_document,
	},
	{
		.name = "close_tab",
		.doc = "Close a tab: a diff by its name, or a file by its "
		       "absolute path.",
		.args = DT_SHAPE(struct dt_claude_close_tab,
	                         dt_claude_close_tab_fields),
		.effect = DT_SHOWS,
		.deadline_ms = 2000,
		.run = dt_claude_close_tab,
	},
	{
		.name = "closeAllDiffTabs",
		.doc = "Close all diffs that you opened.",
		.args = DT_SHAPE_EMPTY,
		.effect = DT_SHOWS,
		.deadline_ms = 2000,
		.run = dt_claude_close_all_diff_tabs,
	},
	{
		.name = "executeCode",
		.doc = "Run Python code in the kernel of the current notebook.",
		.args = DT_SHAPE(struct dt_run_code_args, execute_code_args),
		.effect = DT_RUNS,
		.deadline_ms = 60000,
		.run = execute_code,
	},
	{
		.name = "open_files",
		.doc = "Open several files in the editor.",
		.args = DT_SHAPE(struct open_files, open_files_args),
		.effect = DT_SHOWS,
		.deadline_ms = 5000,
		.run = open_files,
	},
	{
		.name = "get_all_opened_file_paths",
		.doc = "The paths of all open files, one per line.",
		.args = DT_SHAPE_EMPTY,
		.effect = DT_READS,
		.deadline_ms = 2000,
		.run = get_opened_paths,
	},
	{
		.name = "reformat_file",
		.doc = "Format a file with the editor's formatter.",
		.args = DT_SHAPE(struct dt_path_args, reformat_args),
		.effect = DT_WRITES,
		.deadline_ms = 10000,
		.run = reformat_file,
	},
};

const struct dt_tool_group dt_claude_tools = {
	.name = "claude-code",
	.doc = "The tools of Claude Code's IDE protocol.",
	.tools = tools,
	.count = sizeof(tools) / sizeof(tools[0]),
};
