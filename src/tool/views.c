/*
 * tool/views.c - from what operations answer to what MCP clients read.
 *
 * Claude Code has shapes of its own; see dialect/claude_tools.c.
 */
#include "tool/views.h"

#include "base/path.h"

/* selections */

static const struct dt_field selection_fields[] = {
	DT_FIELD_AS("filePath", struct dt_selection_view, path, NAME, DT_REQ,
	            "Absolute path of the file."),
	DT_FIELD(struct dt_selection_view, text, STR, DT_REQ,
	         "The selected text."),
	DT_FIELD_AS("startLine", struct dt_selection_view, start_line, U32,
	            DT_REQ, "1-based line where it begins."),
	DT_FIELD_AS("startColumn", struct dt_selection_view, start_column, U32,
	            DT_REQ, "1-based column where it begins."),
	DT_FIELD_AS("endLine", struct dt_selection_view, end_line, U32, DT_REQ,
	            "1-based line where it ends."),
	DT_FIELD_AS("endColumn", struct dt_selection_view, end_column, U32,
	            DT_REQ, "1-based column behind its end."),
	DT_FIELD_AS("isEmpty", struct dt_selection_view, is_empty, BOOL, DT_REQ,
	            "It is a cursor, and no text is selected."),
	DT_FIELD_END,
};
const struct dt_shape dt_shape_selection_view =
	DT_SHAPE(struct dt_selection_view, selection_fields);

void dt_view_selection(const struct dt_selection *from,
                       struct dt_selection_view *out)
{
	*out = (struct dt_selection_view){ 0 };
	if (!from->path)
		return;
	*out = (struct dt_selection_view){
		.path = from->path,
		.text = from->text.ptr ? from->text : DT_STR(""),
		.start_line = from->range.start.line + 1,
		.start_column = from->range.start.character + 1,
		.end_line = from->range.end.line + 1,
		.end_column = from->range.end.character + 1,
		.is_empty = from->text.len == 0,
	};
}

/* documents */

static const struct dt_field tab_fields[] = {
	DT_FIELD_AS("filePath", struct dt_tab_view, path, NAME, DT_REQ,
	            "Absolute path of the file."),
	DT_FIELD(struct dt_tab_view, uri, NAME, DT_REQ, "Its file:// URI."),
	DT_FIELD(struct dt_tab_view, label, NAME, DT_REQ, "Its name."),
	DT_FIELD_AS("languageId", struct dt_tab_view, language, NAME, DT_REQ,
	            "Its language."),
	DT_FIELD_AS("isActive", struct dt_tab_view, is_active, BOOL, DT_REQ,
	            "The person is looking at it."),
	DT_FIELD_AS("isDirty", struct dt_tab_view, is_dirty, BOOL, DT_REQ,
	            "It has unsaved text."),
	DT_FIELD_AS("changedOnDisk", struct dt_tab_view, is_overtaken, BOOL,
	            DT_OMIT,
	            "Somebody else changed the file since that text began."),
	DT_FIELD_END,
};
const struct dt_shape dt_shape_tab_view =
	DT_SHAPE(struct dt_tab_view, tab_fields);

struct dt_items dt_view_tabs(struct dt_arena *arena,
                             const struct dt_documents_result *from)
{
	const struct dt_document_info *info = from->items.ptr;
	size_t count = from->items.count;
	struct dt_tab_view *tab = dt_arena_alloc(arena, count * sizeof(*tab));

	for (size_t i = 0; i < count; i++) {
		tab[i] = (struct dt_tab_view){
			.path = info[i].path,
			.uri = dt_path_to_uri(arena, info[i].path),
			.label = info[i].label,
			.language = info[i].language,
			.is_active = info[i].is_active,
			.is_dirty = info[i].is_dirty,
			.is_overtaken = info[i].is_overtaken,
		};
	}
	return (struct dt_items){ tab, count };
}

/* folders */

static const struct dt_field folder_fields[] = {
	DT_FIELD(struct dt_folder_view, name, NAME, DT_REQ, "Its name."),
	DT_FIELD(struct dt_folder_view, path, NAME, DT_REQ,
	         "Its absolute path."),
	DT_FIELD(struct dt_folder_view, uri, NAME, DT_REQ, "Its file:// URI."),
	DT_FIELD_END,
};
const struct dt_shape dt_shape_folder_view =
	DT_SHAPE(struct dt_folder_view, folder_fields);

struct dt_items dt_view_folders(struct dt_arena *arena,
                                const struct dt_folders_result *from)
{
	size_t count = from->folders.count;
	struct dt_folder_view *folder =
		dt_arena_alloc(arena, count * sizeof(*folder));

	for (size_t i = 0; i < count; i++) {
		const char *path = from->folders.ptr[i];

		folder[i] = (struct dt_folder_view){
			.name = dt_path_base(path),
			.path = path,
			.uri = dt_path_to_uri(arena, path),
		};
	}
	return (struct dt_items){ folder, count };
}

/* problems */

const char *const dt_severity_names[] = { "error", "warning", "information",
	                                  "hint", NULL };

static const struct dt_field problem_fields[] = {
	DT_FIELD_AS("filePath", struct dt_problem_view, path, NAME, DT_REQ,
	            "Absolute path of the file."),
	DT_FIELD(struct dt_problem_view, line, U32, DT_REQ,
	         "1-based line where it begins."),
	DT_FIELD(struct dt_problem_view, column, U32, DT_REQ,
	         "1-based column where it begins."),
	DT_FIELD_AS("endLine", struct dt_problem_view, end_line, U32, DT_REQ,
	            "1-based line where it ends."),
	DT_FIELD_AS("endColumn", struct dt_problem_view, end_column, U32,
	            DT_REQ, "1-based column behind its end."),
	DT_FIELD(struct dt_problem_view, severity, ENUM, DT_REQ,
	         "How bad it is.", .names = dt_severity_names),
	DT_FIELD(struct dt_problem_view, message, STR, DT_REQ,
	         "What is wrong."),
	DT_FIELD(struct dt_problem_view, source, NAME, DT_OMIT, "Who says so."),
	DT_FIELD(struct dt_problem_view, code, NAME, DT_OMIT, "Its code."),
	DT_FIELD_END,
};
const struct dt_shape dt_shape_problem_view =
	DT_SHAPE(struct dt_problem_view, problem_fields);

static const struct dt_field count_fields[] = {
	DT_FIELD(struct dt_problem_counts, errors, U32, DT_REQ, "Errors."),
	DT_FIELD(struct dt_problem_counts, warnings, U32, DT_REQ, "Warnings."),
	DT_FIELD(struct dt_problem_counts, infos, U32, DT_REQ, "Remarks."),
	DT_FIELD(struct dt_problem_counts, hints, U32, DT_REQ, "Hints."),
	DT_FIELD_END,
};
static const struct dt_shape counts_shape =
	DT_SHAPE(struct dt_problem_counts, count_fields);

static const struct dt_field error_fields[] = {
	DT_FIELD(struct dt_linter_error, linter, NAME, DT_REQ, "Its name."),
	DT_FIELD(struct dt_linter_error, message, NAME, DT_REQ,
	         "Why it could not look."),
	DT_FIELD_END,
};
static const struct dt_shape error_shape =
	DT_SHAPE(struct dt_linter_error, error_fields);

const struct dt_field dt_problems_fields[] = {
	DT_FIELD_AS("available", struct dt_problems_view, is_available, BOOL,
	            DT_REQ,
	            "Whether anybody looks for problems; if not, none are "
	            "known and there may be many."),
	DT_FIELD(struct dt_problems_view, message, NAME, DT_OMIT,
	         "Why there is nothing to see."),
	DT_FIELD_AS("diagnostics", struct dt_problems_view, items, ITEMS,
	            DT_REQ, "The problems, the worst first.",
	            .shape = &dt_shape_problem_view),
	DT_FIELD_OBJECT("summary", struct dt_problems_view, counts,
	                struct dt_problem_counts, counts_shape, DT_REQ,
	                "How many there are, listed or not."),
	DT_FIELD_AS("truncated", struct dt_problems_view, is_cut, BOOL, DT_REQ,
	            "Not all are listed."),
	DT_FIELD_AS("pending", struct dt_problems_view, is_pending, BOOL,
	            DT_REQ, "Somebody is still looking: there may be more."),
	DT_FIELD_AS("linters", struct dt_problems_view, who, NAMES, DT_REQ,
	            "Who looked: language servers and linters."),
	DT_FIELD_AS("linterErrors", struct dt_problems_view, errors, ITEMS,
	            DT_REQ, "Who could not look, and why.",
	            .shape = &error_shape),
	DT_FIELD_AS("timestamp", struct dt_problems_view, version, I64, DT_REQ,
	            "When it last changed, for watchDiagnostics."),
	DT_FIELD_END,
};

static void count(struct dt_problem_counts *counts, int severity)
{
	if (severity == DT_SEV_ERROR)
		counts->errors++;
	else if (severity == DT_SEV_WARNING)
		counts->warnings++;
	else if (severity == DT_SEV_INFO)
		counts->infos++;
	else
		counts->hints++;
}

struct dt_problem_view dt_view_problem(const char *path,
                                       const struct dt_diagnostic *from)
{
	return (struct dt_problem_view){
		.path = path,
		.line = from->range.start.line + 1,
		.column = from->range.start.character + 1,
		.end_line = from->range.end.line + 1,
		.end_column = from->range.end.character + 1,
		.severity = from->severity,
		.message = from->message,
		.source = from->source,
		.code = from->code,
	};
}

/* Add those of one severity; the others are left for another turn. */
static void add_problems(const struct dt_file_diagnostics *file, int severity,
                         uint32_t max, struct dt_problems_view *out)
{
	const struct dt_diagnostic *d = file->items.ptr;
	struct dt_problem_view *views = out->items.ptr;

	for (size_t i = 0; i < file->items.count; i++) {
		if (d[i].severity != severity)
			continue;
		count(&out->counts, severity);
		if (out->items.count == max) {
			out->is_cut = true;
			continue;
		}
		views[out->items.count++] = dt_view_problem(file->path, &d[i]);
	}
}

void dt_view_problems(struct dt_arena *arena,
                      const struct dt_diagnostics_result *from, int severity,
                      uint32_t max, struct dt_problems_view *out)
{
	const struct dt_file_diagnostics *file = from->items.ptr;
	size_t total = 0;

	for (size_t i = 0; i < from->items.count; i++)
		total += file[i].items.count;
	*out = (struct dt_problems_view){
		.is_available = from->is_watched || total > 0,
		.items.ptr = dt_arena_alloc(
			arena, total * sizeof(struct dt_problem_view)),
		.is_pending = from->is_pending,
		.who = from->who,
		.errors = from->errors,
		.version = from->version,
	};
	if (!out->is_available)
		out->message = "Nobody has looked for problems yet. This does "
			       "not mean that there are none: name a file.";
	for (int level = DT_SEV_ERROR; level <= severity; level++) {
		for (size_t i = 0; i < from->items.count; i++)
			add_problems(&file[i], level, max, out);
	}
}

void dt_view_keep_problem(struct dt_arena *arena, struct dt_problem_view *view)
{
	view->path = dt_arena_strdup(arena, view->path);
	view->message = dt_str(
		dt_arena_strndup(arena, view->message.ptr, view->message.len));
	view->source = dt_arena_strdup(arena, view->source);
	view->code = dt_arena_strdup(arena, view->code);
}

void dt_view_keep_problems(struct dt_arena *arena,
                           struct dt_problems_view *view)
{
	const struct dt_linter_error *old = view->errors.ptr;
	struct dt_problem_view *problems = view->items.ptr;
	struct dt_linter_error *errors =
		dt_arena_alloc(arena, view->errors.count * sizeof(*errors));
	const char **names =
		dt_arena_alloc(arena, view->who.count * sizeof(*names));

	for (size_t i = 0; i < view->items.count; i++)
		dt_view_keep_problem(arena, &problems[i]);
	for (size_t i = 0; i < view->errors.count; i++)
		errors[i] = (struct dt_linter_error){
			.linter = dt_arena_strdup(arena, old[i].linter),
			.message = dt_arena_strdup(arena, old[i].message),
		};
	for (size_t i = 0; i < view->who.count; i++)
		names[i] = dt_arena_strdup(arena, view->who.ptr[i]);
	view->errors.ptr = errors;
	view->who.ptr = names;
}
