/*
 * tool/resource_methods.c - resources: open documents, files of the workspace,
 * and what is known of them.
 *
 * A file is read by the operation that the hub guards; nothing is read here.
 * What changes is told by events, see editor/event.h; which resource an event
 * touches is the dialect's to say.
 */
#include "base/base64.h"
#include "base/buf.h"
#include "base/limits.h"
#include "base/path.h"
#include "editor/files.h"
#include "tool/methods.h"
#include "tool/mime.h"
#include "tool/views.h"

#define JSON "application/json"
#define TREE_DEPTH 5
#define TREE_MAX 2000
#define PROBLEMS_MAX 1000
/* A resource is what is known; who looks has this long. */
#define LOOK_MS 2000
#define PROBLEMS_OF_FILE "dovetail://diagnostics/"

const char *const dt_resource_templates[] = {
	"file:///{+path}",
	PROBLEMS_OF_FILE "{+path}",
	NULL,
};

/* reply with one text */

static void reply_resource(struct dt_call *call, enum dt_content_kind kind,
                           const char *mime, struct dt_str text)
{
	const struct dt_read_resource_args *args = call->args;
	struct dt_content piece = {
		.kind = kind,
		.uri = args->uri,
		.mime = mime,
		.text = text,
	};

	dt_call_add_content(call, &piece);
	dt_call_reply(call);
}

static void reply_text(struct dt_call *call, const char *mime,
                       struct dt_buf *text)
{
	reply_resource(call, DT_CONTENT_RESOURCE, mime,
	               (struct dt_str){ dt_buf_z(text), text->len });
	dt_buf_done(text);
}

static void reply_shape(struct dt_call *call, const struct dt_shape *shape,
                        const void *value)
{
	struct dt_fail fail = { 0 };
	struct dt_json_out out;
	struct dt_buf text;

	dt_buf_init(&text, DT_LIMIT_MESSAGE);
	out = dt_json_out(&text);
	dt_shape_write(shape, value, &out);
	if (!dt_buf_check(&text, "the resource", &fail)) {
		reply_text(call, JSON, &text);
		return;
	}
	dt_buf_done(&text);
	dt_call_fail(call, &fail);
}

static void fail_missing(struct dt_call *call)
{
	const struct dt_read_resource_args *args = call->args;

	dt_call_failf(call, DT_E_MISSING, "no such resource: %s", args->uri);
}

/* dovetail://selection */

static void on_selection(struct dt_call *call, const void *result)
{
	static const struct dt_shape nothing = DT_SHAPE_EMPTY;
	struct dt_selection_view view;

	dt_view_selection(result, &view);
	if (view.path)
		reply_shape(call, &dt_shape_selection_view, &view);
	else
		reply_shape(call, &nothing, NULL);
}

static void read_selection(struct dt_call *call)
{
	struct dt_get_selection_args latest = { .is_latest = true };

	dt_call_perform(call, &dt_op_get_selection, &latest, on_selection);
}

/* dovetail://diagnostics and of one file */

static void on_problems(struct dt_call *call, const void *result)
{
	static const struct dt_shape shape =
		DT_SHAPE(struct dt_problems_view, dt_problems_fields);
	struct dt_problems_view view;

	dt_view_problems(call->arena, result, DT_SEV_HINT, PROBLEMS_MAX, &view);
	reply_shape(call, &shape, &view);
}

static void read_problems(struct dt_call *call)
{
	struct dt_diagnostics_args all = { .wait_ms = LOOK_MS };

	dt_call_perform(call, &dt_op_get_diagnostics, &all, on_problems);
}

static void read_problems_of(struct dt_call *call, const char *path)
{
	const char *uri = dt_arena_printf(call->arena, "file:///%s", path);
	struct dt_diagnostics_args file = { .wait_ms = LOOK_MS };

	if (dt_path_from_uri(call->arena, uri, &file.path, NULL))
		fail_missing(call);
	else
		dt_call_perform(call, &dt_op_get_diagnostics, &file,
		                on_problems);
}

/* dovetail://tree */

static void on_tree(struct dt_call *call, const void *result)
{
	const struct dt_list_files_result *found = result;
	struct dt_buf text;

	dt_buf_init(&text, DT_LIMIT_MESSAGE);
	for (size_t i = 0; i < found->paths.count; i++)
		dt_buf_addf(&text, "%s\n", found->paths.ptr[i]);
	if (found->total > found->paths.count)
		dt_buf_addf(&text, "... and %zu more\n",
		            found->total - found->paths.count);
	reply_text(call, "text/plain", &text);
}

static void read_tree(struct dt_call *call)
{
	struct dt_list_files_args list = {
		.depth = TREE_DEPTH,
		.limit = { true, TREE_MAX },
	};

	dt_call_perform(call, &dt_op_list_files, &list, on_tree);
}

/* dovetail://workspace */

struct workspace {
	struct dt_items folders;
	struct dt_items documents;
};
static const struct dt_field workspace_fields[] = {
	DT_FIELD(struct workspace, folders, ITEMS, DT_REQ, "Its folders.",
	         .shape = &dt_shape_folder_view),
	DT_FIELD(struct workspace, documents, ITEMS, DT_REQ, "What is open.",
	         .shape = &dt_shape_tab_view),
	DT_FIELD_END,
};

static void on_workspace_documents(struct dt_call *call, const void *result)
{
	static const struct dt_shape shape =
		DT_SHAPE(struct workspace, workspace_fields);
	struct workspace *workspace = call->state;

	workspace->documents = dt_view_tabs(call->arena, result);
	reply_shape(call, &shape, workspace);
}

static void on_workspace_folders(struct dt_call *call, const void *result)
{
	const struct dt_folders_result *found = result;
	struct dt_folders_result kept = { { .count = found->folders.count } };
	struct workspace *workspace =
		dt_arena_alloc(call->arena, sizeof(*workspace));

	/* The result is lent, and another operation comes before the reply. */
	kept.folders.ptr = dt_arena_alloc(
		call->arena, kept.folders.count * sizeof(const char *));
	for (size_t i = 0; i < kept.folders.count; i++)
		kept.folders.ptr[i] =
			dt_arena_strdup(call->arena, found->folders.ptr[i]);
	workspace->folders = dt_view_folders(call->arena, &kept);
	call->state = workspace;
	dt_call_perform(call, &dt_op_list_documents, NULL,
	                on_workspace_documents);
}

static void read_workspace(struct dt_call *call)
{
	dt_call_perform(call, &dt_op_get_folders, NULL, on_workspace_folders);
}

/* file:// */

static void on_file(struct dt_call *call, const void *result)
{
	const struct dt_read_file_result *file = result;
	bool is_text = dt_mime_is_text(file->text);
	const char *mime = dt_mime_of(file->path, is_text);
	char *blob;

	if (is_text) {
		reply_resource(call, DT_CONTENT_RESOURCE, mime, file->text);
		return;
	}
	blob = dt_arena_bytes(call->arena, DT_BASE64_TEXT(file->text.len));
	dt_base64_write(file->text.ptr, file->text.len, blob);
	reply_resource(call, DT_CONTENT_BLOB, mime, dt_str(blob));
}

static void on_no_file(struct dt_call *call, const struct dt_fail *fail)
{
	if (fail->code == DT_E_MISSING)
		fail_missing(call);
	else
		dt_call_fail(call, fail);
}

static void read_file(struct dt_call *call, const char *uri)
{
	struct dt_read_file_args read = {
		.max_bytes = { true, DT_LIMIT_RESOURCE },
	};

	if (dt_path_from_uri(call->arena, uri, &read.path, NULL))
		fail_missing(call);
	else
		dt_call_perform_or(call, &dt_op_read_file, &read, on_file,
		                   on_no_file);
}

/* the list of those that are always there */

struct fixed {
	const char *uri;
	const char *name;
	const char *title;
	const char *doc;
	const char *mime;
	void (*read)(struct dt_call *call);
};

static const struct fixed fixed[] = {
	{ "dovetail://workspace", "workspace", "Workspace",
	  "The folders of the workspace and the documents that are open.", JSON,
	  read_workspace },
	{ "dovetail://selection", "selection", "Selection",
	  "What the person selected last, with its file and range.", JSON,
	  read_selection },
	{ "dovetail://diagnostics", "diagnostics", "Problems",
	  "Errors and warnings that are known, the worst first.", JSON,
	  read_problems },
	{ "dovetail://tree", "tree", "Files",
	  "The files of the workspace, but for those that git ignores.",
	  "text/plain", read_tree },
};

void dt_read_resource(struct dt_call *call, const void *args)
{
	const struct dt_read_resource_args *wanted = args;
	struct dt_str uri = dt_str(wanted->uri);

	for (size_t i = 0; i < sizeof(fixed) / sizeof(fixed[0]); i++) {
		if (dt_str_is(uri, fixed[i].uri)) {
			fixed[i].read(call);
			return;
		}
	}
	if (dt_str_starts(uri, DT_STR("file://")))
		read_file(call, wanted->uri);
	else if (dt_str_starts(uri, DT_STR(PROBLEMS_OF_FILE)))
		read_problems_of(call, wanted->uri + strlen(PROBLEMS_OF_FILE));
	else
		fail_missing(call);
}

static void add_document(struct dt_call *call, const struct dt_tab_view *tab)
{
	struct dt_content link = {
		.kind = DT_CONTENT_LINK,
		.uri = tab->uri,
		.name = tab->label,
		.title = tab->path,
		.doc = tab->is_dirty ? "An open document with unsaved text."
		                     : "An open document.",
		.mime = dt_mime_of(tab->path, true),
	};

	dt_call_add_content(call, &link);
}

static void on_documents(struct dt_call *call, const void *result)
{
	struct dt_items tabs = dt_view_tabs(call->arena, result);
	const struct dt_tab_view *tab = tabs.ptr;

	for (size_t i = 0; i < sizeof(fixed) / sizeof(fixed[0]); i++) {
		struct dt_content link = {
			.kind = DT_CONTENT_LINK,
			.uri = fixed[i].uri,
			.name = fixed[i].name,
			.title = fixed[i].title,
			.doc = fixed[i].doc,
			.mime = fixed[i].mime,
		};

		dt_call_add_content(call, &link);
	}
	for (size_t i = 0; i < tabs.count; i++)
		add_document(call, &tab[i]);
	dt_call_reply(call);
}

void dt_list_resources(struct dt_call *call, const void *args)
{
	(void)args;
	dt_call_perform(call, &dt_op_list_documents, NULL, on_documents);
}

void dt_list_templates(struct dt_call *call, const void *args)
{
	static const struct dt_content links[] = {
		{ .name = "file",
		  .title = "File",
		  .doc = "A file of the workspace by its absolute path, as it "
		         "is in the editor: unsaved text comes first." },
		{ .name = "diagnostics-of-file",
		  .title = "Problems of a file",
		  .doc = "Errors and warnings of one file by its absolute "
		         "path.",
		  .mime = JSON },
	};

	(void)args;
	for (size_t i = 0; dt_resource_templates[i]; i++) {
		struct dt_content link = links[i];

		link.kind = DT_CONTENT_LINK;
		link.uri = dt_resource_templates[i];
		dt_call_add_content(call, &link);
	}
	dt_call_reply(call);
}
