/*
 * tool/import_tools.c - getImportTree: imports as a tree of files, and the cycles
 * among them.
 *
 * The tree is told file by file, since one file may stand at many places of it.
 */
#include "tool/import_tools.h"

#include "base/limits.h"
#include "editor/project.h"
#include "tool/call.h"

#define TREE_MS 30000
#define CYCLES_MAX 50

struct tree_args {
	const char *path;
	uint32_t depth;
	bool has_external;
};
static const struct dt_field tree_args[] = {
	DT_FIELD_AS("filePath", struct tree_args, path, PATH, DT_REQ,
	            "Absolute path or file:// URI of the file."),
	DT_FIELD_AS("maxDepth", struct tree_args, depth, U32, 0,
	            "How far to follow imports, 1 to 10.", .def = "5"),
	DT_FIELD_AS("includeExternal", struct tree_args, has_external, BOOL, 0,
	            "Also list what is not of the workspace.", .def = "false"),
	DT_FIELD_END,
};

struct line {
	const char *name;
	const char *path;
	uint32_t line;
};
static const struct dt_field line_fields[] = {
	DT_FIELD(struct line, name, NAME, DT_REQ, "As it is written."),
	DT_FIELD_AS("filePath", struct line, path, NAME, DT_OMIT,
	            "The file of the workspace; of Go the folder of the "
	            "package. Absent: it is external or was not found."),
	DT_FIELD(struct line, line, U32, DT_REQ, "1-based line."),
	DT_FIELD_END,
};
static const struct dt_shape line_shape = DT_SHAPE(struct line, line_fields);

struct file {
	const char *path;
	uint32_t depth;
	struct dt_items imports;
};
static const struct dt_field file_fields[] = {
	DT_FIELD_AS("filePath", struct file, path, NAME, DT_REQ,
	            "The file that imports."),
	DT_FIELD(struct file, depth, U32, DT_REQ,
	         "How far it is from the file that was asked about."),
	DT_FIELD(struct file, imports, ITEMS, DT_REQ, "What it imports.",
	         .shape = &line_shape),
	DT_FIELD_END,
};
static const struct dt_shape file_shape = DT_SHAPE(struct file, file_fields);

struct cycle {
	struct dt_names files;
};
static const struct dt_field cycle_fields[] = {
	DT_FIELD(struct cycle, files, NAMES, DT_REQ,
	         "Files of which each imports the next, and the last the "
	         "first."),
	DT_FIELD_END,
};
static const struct dt_shape cycle_shape = DT_SHAPE(struct cycle, cycle_fields);

struct tree {
	const char *path;
	const char *language;
	struct dt_items tree;
	struct dt_items cycles;
	uint32_t total;
	uint32_t depth;
	bool is_cut;
};
static const struct dt_field tree_fields[] = {
	DT_FIELD_AS("filePath", struct tree, path, NAME, DT_REQ,
	            "The file that was asked about."),
	DT_FIELD_AS("languageId", struct tree, language, NAME, DT_REQ,
	            "Its language."),
	DT_FIELD(struct tree, tree, ITEMS, DT_REQ,
	         "The files that import something, the nearest first.",
	         .shape = &file_shape),
	DT_FIELD(struct tree, cycles, ITEMS, DT_REQ,
	         "Cycles among them, one for each import that closes one.",
	         .shape = &cycle_shape),
	DT_FIELD_AS("totalFiles", struct tree, total, U32, DT_REQ,
	            "How many files were read."),
	DT_FIELD_AS("maxDepth", struct tree, depth, U32, DT_REQ,
	            "How far imports were followed."),
	DT_FIELD_AS("truncated", struct tree, is_cut, BOOL, DT_REQ,
	            "There are more than 500 files, or too many cycles."),
	DT_FIELD_END,
};

/* cycles: a search in depth, which meets a file that is still on its way */

struct walk {
	struct dt_arena *arena;
	const struct file *files;
	size_t count;
	unsigned char *state; /* 0: new, 1: on the way, 2: done */
	size_t *way;
	size_t *at; /* the import to look at next, on each step of the way */
	struct cycle *cycles;
	struct tree *tree;
};

static size_t index_of(const struct walk *w, const char *path)
{
	size_t i = 0;

	while (i < w->count && strcmp(w->files[i].path, path) != 0)
		i++;
	return i;
}

static void add_cycle(struct walk *w, size_t from, size_t to)
{
	struct cycle *cycle = &w->cycles[w->tree->cycles.count];

	if (w->tree->cycles.count == CYCLES_MAX) {
		w->tree->is_cut = true;
		return;
	}
	cycle->files.ptr = dt_arena_alloc(
		w->arena, (to - from + 1) * sizeof(*cycle->files.ptr));
	for (size_t i = from; i <= to; i++)
		cycle->files.ptr[cycle->files.count++] =
			w->files[w->way[i]].path;
	w->tree->cycles.count++;
}

/* One import of the file at the end of the way; its target, or `count`. */
static size_t follow(struct walk *w, size_t end, const struct line *line)
{
	size_t to = line->path ? index_of(w, line->path) : w->count;
	size_t begin = 0;

	if (to == w->count || w->state[to] == 2)
		return w->count;
	if (w->state[to] == 0)
		return to;
	while (w->way[begin] != to)
		begin++;
	add_cycle(w, begin, end);
	return w->count;
}

static void walk_from(struct walk *w, size_t first)
{
	size_t len = 1;

	w->way[0] = first;
	w->at[0] = 0;
	w->state[first] = 1;
	while (len > 0) {
		size_t here = w->way[len - 1];
		const struct dt_items *imports = &w->files[here].imports;
		const struct line *lines = imports->ptr;
		size_t next;

		if (w->at[len - 1] == imports->count) {
			w->state[here] = 2;
			len--;
			continue;
		}
		next = follow(w, len - 1, &lines[w->at[len - 1]++]);
		if (next < w->count) {
			w->state[next] = 1;
			w->way[len] = next;
			w->at[len++] = 0;
		}
	}
}

static void find_cycles(struct dt_call *call, struct tree *tree)
{
	size_t room = tree->tree.count + 1;
	struct walk w = {
		.arena = call->arena,
		.files = tree->tree.ptr,
		.count = tree->tree.count,
		.state = dt_arena_alloc(call->arena, room),
		.way = dt_arena_alloc(call->arena, room * sizeof(*w.way)),
		.at = dt_arena_alloc(call->arena, room * sizeof(*w.at)),
		.cycles = dt_arena_alloc(call->arena,
		                         CYCLES_MAX * sizeof(*w.cycles)),
		.tree = tree,
	};

	tree->cycles.ptr = w.cycles;
	for (size_t i = 0; i < w.count; i++) {
		if (w.state[i] == 0)
			walk_from(&w, i);
	}
}

/* the tree */

/* Imports of one file stand together. */
static void group(struct dt_call *call, const struct dt_items *imports,
                  struct tree *tree)
{
	const struct dt_import *import = imports->ptr;
	struct file *files = dt_arena_alloc(
		call->arena, (imports->count + 1) * sizeof(*files));
	struct line *lines = dt_arena_alloc(
		call->arena, (imports->count + 1) * sizeof(*lines));
	struct file *file = NULL;

	tree->tree.ptr = files;
	for (size_t i = 0; i < imports->count; i++) {
		if (!file || strcmp(file->path, import[i].from) != 0) {
			file = &files[tree->tree.count++];
			file->path = import[i].from;
			file->depth = import[i].depth;
			file->imports.ptr = &lines[i];
		}
		file->imports.count++;
		lines[i] = (struct line){ import[i].name, import[i].to,
			                  import[i].line + 1 };
	}
}

static void on_imports(struct dt_call *call, const void *result)
{
	const struct dt_imports_result *found = result;
	const struct tree_args *args = call->args;
	struct tree tree = {
		.path = found->path,
		.language = found->language,
		.total = found->file_count,
		.depth = args->depth,
		.is_cut = found->is_cut,
	};

	group(call, &found->imports, &tree);
	find_cycles(call, &tree);
	dt_call_reply_result(call, &tree);
}

static void get_tree(struct dt_call *call, const void *args)
{
	const struct tree_args *wanted = args;
	struct dt_imports_args imports = {
		.path = wanted->path,
		/* The last level is told and not read. */
		.depth = wanted->depth - 1,
		.has_external = wanted->has_external,
	};

	if (wanted->depth < 1 || wanted->depth > DT_LIMIT_IMPORT_DEPTH)
		dt_call_failf(call, DT_E_ARGS, "maxDepth: must be 1 to %u",
		              DT_LIMIT_IMPORT_DEPTH);
	else
		dt_call_perform(call, &dt_op_get_imports, &imports, on_imports);
}

static const struct dt_tool tools[] = {
	{
		.name = "getImportTree",
		.title = "Tree of imports",
		.doc = "Which files of the workspace a file imports, which those "
		       "import, and the cycles among them: C and C++ includes, "
		       "JavaScript and TypeScript, Python, Go packages, Rust "
		       "modules. It is found by the lines alone, no language "
		       "server is needed; path aliases are not resolved.",
		.args = DT_SHAPE(struct tree_args, tree_args),
		.result = DT_SHAPE(struct tree, tree_fields),
		.effect = DT_READS,
		.needs = &dt_op_get_imports,
		.flags = DT_TOOL_REPEATABLE | DT_TOOL_EXTRA,
		.deadline_ms = TREE_MS,
		.run = get_tree,
	},
};

const struct dt_tool_group dt_tools_imports = {
	.name = "imports",
	.doc = "Which files import which.",
	.tools = tools,
	.count = sizeof(tools) / sizeof(tools[0]),
};
