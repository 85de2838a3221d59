/*
 * tool/diagnostics_tools.c - what is wrong with files, asked, awaited, explained.
 *
 * Who looks is for the editor.  A file that nobody can look at is a failure with
 * what to install: an empty list would read as "all is well".
 */
#include "tool/diagnostics_tools.h"

#include "base/limits.h"
#include "editor/code.h"
#include "editor/diagnostics.h"
#include "editor/files.h"
#include "editor/text.h"
#include "tool/call.h"
#include "tool/code_view.h"
#include "tool/views.h"

#define PROBLEMS_MAX 500
#define DEADLINE_MS 30000
#define ONE_FILE_MS 25000 /* until a server that starts has looked */
#define ALL_FILES_MS 10000
#define WATCH_DEADLINE_MS (DT_LIMIT_WATCH_MS + 5000)
#define CONTEXT_LINES 5 /* before and behind a problem */
#define DEFINITIONS 3
#define NEAR_LINES 3 /* a line that is so much off is meant */

/* Nobody looked at the file that was asked for, and nobody will. */
static bool fail_unless_watched(struct dt_call *call, const char *path,
                                const struct dt_diagnostics_result *found)
{
	const struct dt_linter_error *errors = found->errors.ptr;

	if (!path || found->is_watched || found->items.count > 0)
		return false;
	dt_call_failf(call, DT_E_UNSUPPORTED,
	              "nobody can look for problems in %s: %s", path,
	              found->errors.count > 0
	                      ? errors[0].message
	                      : "no language server or linter is known for it");
	return true;
}

/* With strings that outlive the result. */
static struct dt_problem_view keep(struct dt_call *call,
                                   struct dt_problem_view view)
{
	dt_view_keep_problem(call->arena, &view);
	return view;
}

/* getDiagnostics */

struct get_args {
	const char *uri;
	const char *path;
	int severity; /* enum dt_severity */
	uint32_t max;
};
static const struct dt_field get_args[] = {
	DT_FIELD_AS("filePath", struct get_args, path, PATH, 0,
	            "Absolute path or file:// URI of one file; all files that "
	            "were looked at when absent."),
	DT_FIELD(struct get_args, uri, PATH, 0, "The same as filePath."),
	DT_FIELD(struct get_args, severity, ENUM, 0,
	         "Leave out what is less severe.", .names = dt_severity_names,
	         .def = "\"hint\""),
	DT_FIELD_AS("maxResults", struct get_args, max, U32, 0,
	            "List at most so many, up to 500.", .def = "100"),
	DT_FIELD_END,
};

static const char *file_of(const struct get_args *args)
{
	return args->path ? args->path : args->uri;
}

static void on_diagnostics(struct dt_call *call, const void *result)
{
	const struct get_args *args = call->args;
	struct dt_problems_view problems;

	if (fail_unless_watched(call, file_of(args), result))
		return;
	dt_view_problems(call->arena, result, args->severity,
	                 args->max < PROBLEMS_MAX ? args->max : PROBLEMS_MAX,
	                 &problems);
	dt_call_reply_result(call, &problems);
}

static void ask(struct dt_call *call, const char *path, dt_result_fn *fn)
{
	struct dt_diagnostics_args wanted = {
		.path = path,
		.wait_ms = path ? ONE_FILE_MS : ALL_FILES_MS,
	};

	dt_call_perform(call, &dt_op_get_diagnostics, &wanted, fn);
}

static void get_diagnostics(struct dt_call *call, const void *args)
{
	ask(call, file_of(args), on_diagnostics);
}

/* watchDiagnostics */

struct watch_args {
	const char *path;
	int64_t since;
	uint32_t timeout_ms;
	int severity;
};
static const struct dt_field watch_args[] = {
	DT_FIELD_AS("filePath", struct watch_args, path, PATH, 0,
	            "Absolute path or file:// URI of one file; all files that "
	            "were looked at when absent."),
	DT_FIELD_AS("sinceTimestamp", struct watch_args, since, I64, 0,
	            "The timestamp of the last answer: what changed since then "
	            "is told at once. Absent: wait for the next change."),
	DT_FIELD_AS("timeoutMs", struct watch_args, timeout_ms, U32, 0,
	            "How long to wait, up to 120000.", .def = "30000"),
	DT_FIELD(struct watch_args, severity, ENUM, 0,
	         "Leave out what is less severe.", .names = dt_severity_names,
	         .def = "\"hint\""),
	DT_FIELD_END,
};

struct watched {
	bool is_changed;
	int64_t version;
	struct dt_problems_view problems;
};
static const struct dt_shape problems_shape =
	DT_SHAPE(struct dt_problems_view, dt_problems_fields);
static const struct dt_field watched_fields[] = {
	DT_FIELD_AS("changed", struct watched, is_changed, BOOL, DT_REQ,
	            "Other problems are known than before; false: the time is "
	            "over."),
	DT_FIELD_AS("timestamp", struct watched, version, I64, DT_REQ,
	            "Give it as sinceTimestamp to wait for the next change."),
	DT_FIELD_OBJECT("problems", struct watched, problems,
	                struct dt_problems_view, problems_shape, DT_REQ,
	                "What is known now, as getDiagnostics has it."),
	DT_FIELD_END,
};

static void on_watched(struct dt_call *call, const void *result)
{
	const struct watch_args *args = call->args;
	const struct dt_watch_diagnostics_result *found = result;
	struct watched watched = {
		.is_changed = found->is_changed,
		.version = found->found.version,
	};

	if (fail_unless_watched(call, args->path, &found->found))
		return;
	dt_view_problems(call->arena, &found->found, args->severity,
	                 PROBLEMS_MAX, &watched.problems);
	dt_call_reply_result(call, &watched);
}

static void watch_diagnostics(struct dt_call *call, const void *args)
{
	const struct watch_args *wanted = args;
	struct dt_watch_diagnostics_args watch = {
		.path = wanted->path,
		.since = wanted->since,
		.wait_ms = wanted->timeout_ms,
	};

	if (wanted->timeout_ms > DT_LIMIT_WATCH_MS)
		dt_call_failf(call, DT_E_ARGS, "timeoutMs: at most %d",
		              DT_LIMIT_WATCH_MS);
	else if (wanted->since < 0)
		dt_call_failf(call, DT_E_ARGS, "sinceTimestamp: not below 0");
	else
		dt_call_perform(call, &dt_op_watch_diagnostics, &watch,
		                on_watched);
}

/* explainDiagnostic */

struct explain_args {
	const char *path;
	uint32_t line;
	struct dt_maybe_u32 column;
};
static const struct dt_field explain_args[] = {
	DT_FIELD_AS("filePath", struct explain_args, path, PATH, DT_REQ,
	            "Absolute path or file:// URI of the file."),
	DT_FIELD(struct explain_args, line, U32, DT_REQ,
	         "1-based line of the problem."),
	DT_FIELD(struct explain_args, column, MAYBE_U32, 0,
	         "1-based column, where a line has several."),
	DT_FIELD_END,
};

struct explained {
	struct dt_problem_view problem;
	struct dt_str context;
	struct dt_str hover;
	struct dt_items definition; /* struct dt_location */
	struct dt_items others;     /* struct dt_problem_view */
	const char *note;
};
static const struct dt_field explained_fields[] = {
	DT_FIELD_OBJECT("diagnostic", struct explained, problem,
	                struct dt_problem_view, dt_shape_problem_view, DT_REQ,
	                "The problem."),
	DT_FIELD_AS("codeContext", struct explained, context, STR, DT_REQ,
	            "The lines around it with their numbers; '>' marks its "
	            "own."),
	DT_FIELD_AS("others", struct explained, others, ITEMS, DT_REQ,
	            "What else is wrong in these lines: often the cause.",
	            .shape = &dt_shape_problem_view),
	DT_FIELD(struct explained, hover, STR, DT_OMIT,
	         "Type and documentation of what is at its place."),
	DT_FIELD(struct explained, definition, ITEMS, DT_OMIT,
	         "Where that is defined.", .shape = &dt_shape_code_location),
	DT_FIELD(struct explained, note, NAME, DT_OMIT,
	         "That it is not exactly where it was looked for."),
	DT_FIELD_END,
};

static uint32_t distance(uint32_t a, uint32_t b)
{
	return a > b ? a - b : b - a;
}

static uint32_t lines_off(const struct dt_diagnostic *d,
                          const struct explain_args *args)
{
	uint32_t line = args->line - 1;

	if (line >= d->range.start.line && line <= d->range.end.line)
		return 0;
	return distance(line, d->range.start.line);
}

/* Nearer in lines, then in columns where one was given, then worse. */
static bool is_better(const struct dt_diagnostic *a,
                      const struct dt_diagnostic *b,
                      const struct explain_args *args)
{
	uint32_t column = args->column.value - 1;

	if (lines_off(a, args) != lines_off(b, args))
		return lines_off(a, args) < lines_off(b, args);
	if (args->column.is_set &&
	    a->range.start.character != b->range.start.character)
		return distance(column, a->range.start.character) <
		       distance(column, b->range.start.character);
	return a->severity < b->severity;
}

static void keep_others(struct dt_call *call,
                        const struct dt_file_diagnostics *file, size_t best,
                        struct explained *out)
{
	const struct dt_diagnostic *d = file->items.ptr;
	struct dt_problem_view *others = dt_arena_alloc(
		call->arena, file->items.count * sizeof(*others));

	out->others.ptr = others;
	for (size_t i = 0; i < file->items.count; i++) {
		if (i != best &&
		    distance(d[i].range.start.line, d[best].range.start.line) <=
		            CONTEXT_LINES)
			others[out->others.count++] =
				keep(call, dt_view_problem(file->path, &d[i]));
	}
}

/* What the language server says of the place; it is no loss when it does not. */

static void reply_explained(struct dt_call *call, const struct dt_fail *fail)
{
	(void)fail;
	dt_call_reply_result(call, call->state);
}

static void on_definition(struct dt_call *call, const void *result)
{
	const struct dt_locations_result *found = result;
	struct explained *explained = call->state;

	explained->definition = dt_view_locations(call->arena, &found->items);
	dt_call_reply_result(call, explained);
}

static struct dt_code_place place_of(const struct explained *explained)
{
	return (struct dt_code_place){
		.path = explained->problem.path,
		.at = { explained->problem.line - 1,
		        explained->problem.column - 1 },
	};
}

static void ask_definition(struct dt_call *call)
{
	struct dt_locate_args where = {
		.place = place_of(call->state),
		.limit = { true, DEFINITIONS },
	};

	dt_call_perform_or(call, &dt_op_go_to_definition, &where, on_definition,
	                   reply_explained);
}

static void on_hover(struct dt_call *call, const void *result)
{
	const struct dt_hover_result *hover = result;
	struct explained *explained = call->state;

	if (hover->is_found)
		explained->hover = dt_str(dt_arena_strndup(
			call->arena, hover->text.ptr, hover->text.len));
	ask_definition(call);
}

static void on_no_hover(struct dt_call *call, const struct dt_fail *fail)
{
	(void)fail;
	ask_definition(call);
}

static void on_text(struct dt_call *call, const void *result)
{
	const struct dt_read_file_result *file = result;
	struct explained *explained = call->state;
	struct dt_code_place place = place_of(explained);
	uint32_t own = explained->problem.line - 1;
	uint32_t count = dt_text_line_count(file->text);
	uint32_t first = own > CONTEXT_LINES ? own - CONTEXT_LINES : 0;
	uint32_t last = explained->problem.end_line - 1 + CONTEXT_LINES;
	struct dt_buf text;

	if (last > own + 2 * CONTEXT_LINES)
		last = own + 2 * CONTEXT_LINES;
	dt_buf_init(&text, DT_LIMIT_ARGUMENTS);
	for (uint32_t i = first; i <= last && i < count; i++) {
		struct dt_str line = dt_text_line(file->text, i);

		dt_buf_addf(&text, "%c%5u  ", i == own ? '>' : ' ', i + 1);
		dt_buf_add_str(&text, line);
		dt_buf_add_char(&text, '\n');
	}
	explained->context = dt_str(
		dt_arena_strndup(call->arena, dt_buf_z(&text), text.len));
	dt_buf_done(&text);
	dt_call_perform_or(call, &dt_op_get_hover, &place, on_hover,
	                   on_no_hover);
}

static void on_problems(struct dt_call *call, const void *result)
{
	const struct explain_args *args = call->args;
	const struct dt_diagnostics_result *found = result;
	const struct dt_file_diagnostics *file = found->items.ptr;
	const struct dt_diagnostic *d;
	struct dt_read_file_args read = { .path = args->path };
	struct explained *explained;
	size_t best = 0;

	if (fail_unless_watched(call, args->path, found))
		return;
	if (found->items.count == 0 || file->items.count == 0) {
		dt_call_failf(call, DT_E_MISSING, "no problem is known in %s%s",
		              args->path,
		              found->is_pending ? " yet: somebody is still "
		                                  "looking"
		                                : "");
		return;
	}
	d = file->items.ptr;
	for (size_t i = 1; i < file->items.count; i++) {
		if (is_better(&d[i], &d[best], args))
			best = i;
	}
	if (lines_off(&d[best], args) > NEAR_LINES) {
		dt_call_failf(call, DT_E_MISSING,
		              "no problem is known near line %u of %s; the "
		              "nearest is in line %u",
		              args->line, args->path,
		              d[best].range.start.line + 1);
		return;
	}
	explained = dt_arena_alloc(call->arena, sizeof(*explained));
	explained->problem = keep(call, dt_view_problem(file->path, &d[best]));
	keep_others(call, file, best, explained);
	if (lines_off(&d[best], args) > 0)
		explained->note = dt_arena_printf(
			call->arena,
			"There is none in line %u; this is the nearest.",
			args->line);
	call->state = explained;
	dt_call_perform(call, &dt_op_read_file, &read, on_text);
}

static void explain_diagnostic(struct dt_call *call, const void *args)
{
	const struct explain_args *wanted = args;

	if (wanted->line == 0)
		dt_call_failf(call, DT_E_ARGS, "line: counts from 1");
	else if (wanted->column.is_set && wanted->column.value == 0)
		dt_call_failf(call, DT_E_ARGS, "column: counts from 1");
	else
		ask(call, wanted->path, on_problems);
}

static const struct dt_tool tools[] = {
	{
		.name = "getDiagnostics",
		.title = "Known problems",
		.doc = "Errors and warnings of one file as it is now, unsaved "
		       "text included, or of all files that were looked at, "
		       "the worst first. The file's language server looks, or "
		       "where there is none the linters that are installed. "
		       "Use it before and after an edit. It fails when nobody "
		       "can look at the file; linterErrors says who could not, "
		       "and pending that more may come.",
		.args = DT_SHAPE(struct get_args, get_args),
		.result = DT_SHAPE(struct dt_problems_view, dt_problems_fields),
		.effect = DT_READS,
		.flags = DT_TOOL_REPEATABLE,
		.deadline_ms = DEADLINE_MS,
		.run = get_diagnostics,
	},
	{
		.name = "watchDiagnostics",
		.title = "Wait for other problems",
		.doc = "Wait until other problems are known of a file, or of "
		       "any that was looked at, and tell them; after timeoutMs "
		       "tell what is known with changed false. Use it behind "
		       "an edit or while the person works; give timestamp as "
		       "sinceTimestamp to miss nothing in between.",
		.args = DT_SHAPE(struct watch_args, watch_args),
		.result = DT_SHAPE(struct watched, watched_fields),
		.effect = DT_READS,
		.flags = DT_TOOL_REPEATABLE | DT_TOOL_EXTRA,
		.deadline_ms = WATCH_DEADLINE_MS,
		.run = watch_diagnostics,
	},
	{
		.name = "explainDiagnostic",
		.title = "A problem and the code around it",
		.doc = "The problem at a line, or the nearest one, with the "
		       "code around it, what else is wrong there, and what the "
		       "language server says of its place. Use it before you "
		       "mend something.",
		.args = DT_SHAPE(struct explain_args, explain_args),
		.result = DT_SHAPE(struct explained, explained_fields),
		.effect = DT_READS,
		.flags = DT_TOOL_REPEATABLE | DT_TOOL_EXTRA,
		.deadline_ms = DEADLINE_MS,
		.run = explain_diagnostic,
	},
};

const struct dt_tool_group dt_tools_diagnostics = {
	.name = "diagnostics",
	.doc = "What language servers and linters find wrong.",
	.tools = tools,
	.count = sizeof(tools) / sizeof(tools[0]),
};
