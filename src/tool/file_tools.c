/*
 * tool/file_tools.c - files read and listed, without showing them to anybody.
 *
 * Unsaved text comes before what is on disk.  Which files may be read is decided
 * where the operation is performed.
 */
#include "tool/file_tools.h"

#include "base/limits.h"
#include "base/utf8.h"
#include "editor/files.h"
#include "editor/text.h"
#include "tool/call.h"

#define READ_MS 15000
#define LIST_MS 60000
#define DEPTH_MAX 10
#define ENTRIES_MAX 2000
#define FOUND_MAX 500

/* getBufferContent */

struct content_args {
	const char *path;
	struct dt_maybe_u32 start_line;
	struct dt_maybe_u32 end_line;
};
static const struct dt_field content_args[] = {
	DT_FIELD_AS("filePath", struct content_args, path, PATH, DT_REQ,
	            "Absolute path or file:// URI of the file."),
	DT_FIELD_AS("startLine", struct content_args, start_line, MAYBE_U32, 0,
	            "1-based line to begin with; absent: the first."),
	DT_FIELD_AS("endLine", struct content_args, end_line, MAYBE_U32, 0,
	            "1-based line to end with; absent: the last."),
	DT_FIELD_END,
};

struct content {
	struct dt_str text;
	const char *path;
	uint32_t start_line;
	uint32_t end_line;
	uint32_t total_lines;
	bool is_dirty;
	const char *language;
	const char *source;
};
static const struct dt_field content_fields[] = {
	DT_FIELD_AS("content", struct content, text, STR, DT_REQ,
	            "The lines, with their ends."),
	DT_FIELD_AS("filePath", struct content, path, NAME, DT_REQ,
	            "Absolute path of the file, links resolved."),
	DT_FIELD_AS("startLine", struct content, start_line, U32, DT_REQ,
	            "1-based line it begins with."),
	DT_FIELD_AS("endLine", struct content, end_line, U32, DT_REQ,
	            "1-based line it ends with."),
	DT_FIELD_AS("totalLines", struct content, total_lines, U32, DT_REQ,
	            "Lines of the file; the last may lack its end."),
	DT_FIELD_AS("isDirty", struct content, is_dirty, BOOL, DT_REQ,
	            "It is unsaved text."),
	DT_FIELD_AS("languageId", struct content, language, NAME, DT_REQ,
	            "Its language."),
	DT_FIELD(struct content, source, NAME, DT_REQ,
	         "\"buffer\" for unsaved text, else \"disk\"."),
	DT_FIELD_END,
};

static uint32_t line_or(struct dt_maybe_u32 line, uint32_t otherwise)
{
	return line.is_set ? line.value : otherwise;
}

/* As wc -l counts, and a last line without its end. */
static uint32_t count_lines(struct dt_str text)
{
	uint32_t count = dt_text_line_count(text);

	return text.len == 0 || text.ptr[text.len - 1] == '\n' ? count - 1
	                                                       : count;
}

/* The lines that were asked for; false: there are none such, and it is said. */
static bool cut_lines(struct dt_call *call, struct dt_str text,
                      struct content *content)
{
	const struct content_args *args = call->args;
	struct dt_range range = { 0 };
	uint32_t last;

	content->total_lines = count_lines(text);
	/* An empty text has an empty line to be asked for. */
	last = content->total_lines ? content->total_lines : 1;
	content->start_line = line_or(args->start_line, 1);
	content->end_line = line_or(args->end_line, last);
	if (content->end_line > last)
		content->end_line = last;
	if (content->start_line == 0 ||
	    content->start_line > content->end_line) {
		dt_call_failf(call, DT_E_ARGS,
		              "startLine: %u is not a line from 1 to %u",
		              content->start_line, content->end_line);
		return false;
	}
	range.start.line = content->start_line - 1;
	range.end.line = content->end_line;
	content->text = dt_text_slice(text, range);
	return true;
}

static void on_content(struct dt_call *call, const void *result)
{
	const struct dt_read_file_result *file = result;
	struct content content = {
		.path = file->path,
		.is_dirty = file->is_dirty,
		.language = file->language,
		.source = file->is_dirty ? "buffer" : "disk",
	};

	if (!dt_utf8_is_valid(file->text))
		dt_call_failf(call, DT_E_UNSUPPORTED, "%s is not text",
		              file->path);
	else if (!cut_lines(call, file->text, &content))
		return;
	else if (content.text.len > DT_LIMIT_RESOURCE)
		dt_call_failf(call, DT_E_LIMIT,
		              "these lines are larger than %u bytes; ask for "
		              "fewer with startLine and endLine",
		              DT_LIMIT_RESOURCE);
	else
		dt_call_reply_result(call, &content);
}

static void get_content(struct dt_call *call, const void *args)
{
	const struct content_args *wanted = args;
	struct dt_read_file_args read = { .path = wanted->path };

	dt_call_perform(call, &dt_op_read_file, &read, on_content);
}

/* getFileTree */

struct tree_args {
	const char *directory;
	uint32_t depth;
	bool has_hidden;
	uint32_t max;
};
static const struct dt_field tree_args[] = {
	DT_FIELD(struct tree_args, directory, PATH, 0,
	         "Absolute path of a folder; absent: the whole workspace."),
	DT_FIELD_AS("maxDepth", struct tree_args, depth, U32, 0,
	            "Levels to show, 1 to 10; what is deeper is one entry.",
	            .def = "3"),
	DT_FIELD_AS("includeHidden", struct tree_args, has_hidden, BOOL, 0,
	            "Also names that begin with a dot.", .def = "false"),
	DT_FIELD_AS("maxEntries", struct tree_args, max, U32, 0,
	            "List at most so many, 1 to 2000.", .def = "500"),
	DT_FIELD_END,
};

struct tree {
	const char *root;
	struct dt_names entries;
	uint32_t total;
	bool is_cut;
	const char *tool;
};
static const struct dt_field tree_fields[] = {
	DT_FIELD(struct tree, root, NAME, DT_REQ,
	         "Absolute path that the entries are relative to."),
	DT_FIELD(struct tree, entries, NAMES, DT_REQ,
	         "Files, and with a slash at the end folders that are not "
	         "opened here."),
	DT_FIELD(struct tree, total, U32, DT_REQ, "How many there are."),
	DT_FIELD_AS("truncated", struct tree, is_cut, BOOL, DT_REQ,
	            "Not all are listed."),
	DT_FIELD(struct tree, tool, NAME, DT_REQ,
	         "Who found them: git, or a walk that knows no ignore rules."),
	DT_FIELD_END,
};

static void on_tree(struct dt_call *call, const void *result)
{
	const struct dt_list_files_result *found = result;
	struct tree tree = {
		.root = call->state,
		.total = found->total,
		.is_cut = found->is_cut,
		.tool = found->source,
	};
	size_t len = strlen(tree.root);

	tree.entries.ptr = dt_arena_alloc(
		call->arena, found->paths.count * sizeof(const char *));
	for (size_t i = 0; i < found->paths.count; i++) {
		const char *path = found->paths.ptr[i];
		bool is_below =
			!strncmp(path, tree.root, len) && path[len] == '/';

		tree.entries.ptr[tree.entries.count++] =
			is_below ? path + len + 1 : path;
	}
	dt_call_reply_result(call, &tree);
}

static void on_root(struct dt_call *call, const void *result)
{
	const struct dt_folders_result *found = result;
	const struct tree_args *args = call->args;
	struct dt_list_files_args list = {
		.directory = args->directory,
		.depth = args->depth,
		.has_hidden = args->has_hidden,
		.limit = { true, args->max },
	};

	call->state = dt_arena_strdup(
		call->arena,
		found->folders.count ? found->folders.ptr[0] : "/");
	dt_call_perform(call, &dt_op_list_files, &list, on_tree);
}

static void get_tree(struct dt_call *call, const void *args)
{
	const struct tree_args *wanted = args;

	if (wanted->depth < 1 || wanted->depth > DEPTH_MAX)
		dt_call_failf(call, DT_E_ARGS, "maxDepth: must be 1 to %u",
		              DEPTH_MAX);
	else if (wanted->max < 1 || wanted->max > ENTRIES_MAX)
		dt_call_failf(call, DT_E_ARGS, "maxEntries: must be 1 to %u",
		              ENTRIES_MAX);
	else
		dt_call_perform(call, &dt_op_get_folders, NULL, on_root);
}

/* findFiles */

struct find_args {
	const char *pattern;
	const char *directory;
};
static const struct dt_field find_args[] = {
	DT_FIELD(struct find_args, pattern, NAME, DT_REQ,
	         "A pattern of names: * within a part, ** across folders, ? "
	         "one character, {a,b} either. Without a slash it is for the "
	         "last part, as *.c; with one for the path below the folder, "
	         "as src/**/*.c."),
	DT_FIELD(struct find_args, directory, PATH, 0,
	         "Absolute path of a folder; absent: the whole workspace."),
	DT_FIELD_END,
};

struct found {
	struct dt_names files;
	uint32_t count;
	uint32_t total;
	bool is_cut;
	const char *tool;
};
static const struct dt_field found_fields[] = {
	DT_FIELD(struct found, files, NAMES, DT_REQ, "Absolute paths."),
	DT_FIELD(struct found, count, U32, DT_REQ, "How many are listed."),
	DT_FIELD_AS("totalMatches", struct found, total, U32, DT_REQ,
	            "How many there are."),
	DT_FIELD_AS("truncated", struct found, is_cut, BOOL, DT_REQ,
	            "Not all are listed."),
	DT_FIELD(struct found, tool, NAME, DT_REQ,
	         "Who found them: git, or a walk that knows no ignore rules."),
	DT_FIELD_END,
};

static void on_found(struct dt_call *call, const void *result)
{
	const struct dt_list_files_result *list = result;
	struct found found = {
		.files = list->paths,
		.count = (uint32_t)list->paths.count,
		.total = list->total,
		.is_cut = list->is_cut,
		.tool = list->source,
	};

	dt_call_reply_result(call, &found);
}

static void find_files(struct dt_call *call, const void *args)
{
	const struct find_args *wanted = args;
	struct dt_list_files_args list = {
		.directory = wanted->directory,
		.glob = wanted->pattern,
		.has_hidden = true,
		.limit = { true, FOUND_MAX },
	};

	dt_call_perform(call, &dt_op_list_files, &list, on_found);
}

static const struct dt_tool tools[] = {
	{
		.name = "getBufferContent",
		.title = "Read a file",
		.doc = "The text of a file of the workspace, all of it or some "
		       "lines. Text that is open and not saved comes before "
		       "what is on disk, so this is what the person sees.",
		.args = DT_SHAPE(struct content_args, content_args),
		.result = DT_SHAPE(struct content, content_fields),
		.effect = DT_READS,
		.flags = DT_TOOL_REPEATABLE,
		.deadline_ms = READ_MS,
		.run = get_content,
	},
	{
		.name = "getFileTree",
		.title = "Tree of files",
		.doc = "The files of the workspace or of a folder, but for "
		       "those that git ignores; folders below the depth are one "
		       "entry. Use it to get an overview, and findFiles when "
		       "you know a name.",
		.args = DT_SHAPE(struct tree_args, tree_args),
		.result = DT_SHAPE(struct tree, tree_fields),
		.effect = DT_READS,
		.flags = DT_TOOL_REPEATABLE,
		.deadline_ms = LIST_MS,
		.run = get_tree,
	},
	{
		.name = "findFiles",
		.title = "Find files by name",
		.doc = "Files of the workspace whose name fits a pattern, but "
		       "for those that git ignores.",
		.args = DT_SHAPE(struct find_args, find_args),
		.result = DT_SHAPE(struct found, found_fields),
		.effect = DT_READS,
		.flags = DT_TOOL_REPEATABLE,
		.deadline_ms = LIST_MS,
		.run = find_files,
	},
};

const struct dt_tool_group dt_tools_files = {
	.name = "files",
	.doc = "The files of the workspace and what they hold.",
	.tools = tools,
	.count = sizeof(tools) / sizeof(tools[0]),
};
