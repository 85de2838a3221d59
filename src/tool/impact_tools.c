/*
 * tool/impact_tools.c - what a change did: problems, and who uses what changed.
 *
 * One symbol after the other is asked about.  One that cannot be found is told
 * as such, the others count all the same.
 */
#include "tool/impact_tools.h"

#include "editor/code.h"
#include "editor/code_file.h"
#include "editor/diagnostics.h"
#include "tool/call.h"
#include "tool/views.h"

#define IMPACT_MS 60000
#define LOOK_MS 20000
#define PROBLEMS_MAX 50
#define SYMBOLS_MAX 10
#define USES_MAX 1000 /* that are looked at for their files */
#define WIDE_FILES 5  /* a change that reaches more is a wide one */

struct symbol {
	const char *name;
	struct dt_maybe_u32 line;
};
static const struct dt_field symbol_fields[] = {
	DT_FIELD(struct symbol, name, NAME, DT_REQ, "Its name."),
	DT_FIELD(struct symbol, line, MAYBE_U32, 0,
	         "1-based line where it is declared in the file; absent: it is "
	         "looked for."),
	DT_FIELD_END,
};
static const struct dt_shape symbol_shape =
	DT_SHAPE(struct symbol, symbol_fields);

struct impact_args {
	const char *path;
	struct dt_items symbols; /* struct symbol */
};
static const struct dt_field impact_args[] = {
	DT_FIELD_AS("filePath", struct impact_args, path, PATH, DT_REQ,
	            "Absolute path or file:// URI of the file that changed."),
	DT_FIELD_AS("changedSymbols", struct impact_args, symbols, ITEMS, 0,
	            "What changed in it, at most 10; absent: problems alone "
	            "are told.",
	            .shape = &symbol_shape),
	DT_FIELD_END,
};

struct reach {
	const char *name;
	uint32_t references;
	struct dt_names files;
	const char *error;
};
static const struct dt_field reach_fields[] = {
	DT_FIELD(struct reach, name, NAME, DT_REQ, "The symbol."),
	DT_FIELD(struct reach, references, U32, DT_REQ,
	         "How often it is used, its declaration included."),
	DT_FIELD(struct reach, files, NAMES, DT_REQ, "Files that use it."),
	DT_FIELD(struct reach, error, NAME, DT_OMIT,
	         "Why its uses are not known."),
	DT_FIELD_END,
};
static const struct dt_shape reach_shape = DT_SHAPE(struct reach, reach_fields);

struct impact {
	struct dt_problems_view problems;
	struct dt_items reaches; /* struct reach */
	const char *radius;
	const char *summary;
};
static const struct dt_shape problems_shape =
	DT_SHAPE(struct dt_problems_view, dt_problems_fields);
static const struct dt_field impact_fields[] = {
	DT_FIELD_OBJECT("diagnostics", struct impact, problems,
	                struct dt_problems_view, problems_shape, DT_REQ,
	                "What is wrong in the file now."),
	DT_FIELD_AS("symbolImpact", struct impact, reaches, ITEMS, DT_REQ,
	            "Who uses what changed.", .shape = &reach_shape),
	DT_FIELD_AS(
		"blastRadius", struct impact, radius, NAME, DT_REQ,
		"How far it reaches: none, file, few (up to 5 files), wide, "
		"or unknown."),
	DT_FIELD(struct impact, summary, NAME, DT_REQ, "All of it in a line."),
	DT_FIELD_END,
};

/* While symbols are asked about one by one. */
struct work {
	struct impact impact;
	struct dt_names files; /* of all symbols, each once */
	bool is_unknown;       /* of one symbol at least */
};

static void add_file(struct dt_call *call, struct dt_names *names,
                     const char *path)
{
	for (size_t i = 0; i < names->count; i++) {
		if (!strcmp(names->ptr[i], path))
			return;
	}
	names->ptr[names->count++] = dt_arena_strdup(call->arena, path);
}

static const char *radius_of(const struct work *work, const char *path)
{
	const struct dt_names *files = &work->files;

	if (work->is_unknown)
		return "unknown";
	if (files->count == 0)
		return "none";
	if (files->count == 1 && !strcmp(files->ptr[0], path))
		return "file";
	return files->count <= WIDE_FILES ? "few" : "wide";
}

static void reply(struct dt_call *call)
{
	const struct impact_args *args = call->args;
	struct work *work = call->state;
	const struct dt_problem_counts *counts = &work->impact.problems.counts;
	const struct reach *reach = work->impact.reaches.ptr;
	uint32_t uses = 0;

	for (size_t i = 0; i < work->impact.reaches.count; i++)
		uses += reach[i].references;
	work->impact.radius = radius_of(work, args->path);
	work->impact.summary = dt_arena_printf(
		call->arena,
		"%u errors and %u warnings; %u uses of %zu symbols in %zu "
		"files",
		counts->errors, counts->warnings, uses,
		work->impact.reaches.count, work->files.count);
	dt_call_reply_result(call, &work->impact);
}

static void ask_next(struct dt_call *call);

static struct reach *next_reach(struct work *work,
                                const struct impact_args *args)
{
	const struct symbol *symbols = args->symbols.ptr;
	struct reach *reaches = work->impact.reaches.ptr;
	struct reach *reach = &reaches[work->impact.reaches.count];

	reach->name = symbols[work->impact.reaches.count++].name;
	return reach;
}

static void on_uses(struct dt_call *call, const void *result)
{
	const struct dt_locations_result *found = result;
	const struct dt_location *location = found->items.ptr;
	struct work *work = call->state;
	struct reach *reach = next_reach(work, call->args);

	reach->references = found->total;
	reach->files.ptr = dt_arena_alloc(call->arena,
	                                  found->items.count * sizeof(char *));
	for (size_t i = 0; i < found->items.count; i++) {
		add_file(call, &reach->files, location[i].path);
		add_file(call, &work->files, location[i].path);
	}
	ask_next(call);
}

static void on_no_uses(struct dt_call *call, const struct dt_fail *fail)
{
	struct work *work = call->state;
	struct reach *reach = next_reach(work, call->args);

	reach->error = dt_arena_strdup(call->arena, fail->msg);
	work->is_unknown = true;
	if (fail->code == DT_E_TIMEOUT)
		dt_call_fail(call, fail);
	else
		ask_next(call);
}

static void ask_uses(struct dt_call *call, const char *name, uint32_t line)
{
	const struct impact_args *args = call->args;
	struct dt_locate_args where = {
		.place = { .path = args->path,
		           .at.line = line,
		           .symbol = name },
		.limit = { true, USES_MAX },
	};

	dt_call_perform_or(call, &dt_op_find_references, &where, on_uses,
	                   on_no_uses);
}

/* Where it is declared, by its name. */
static void on_symbols(struct dt_call *call, const void *result)
{
	const struct impact_args *args = call->args;
	const struct dt_symbols_result *found = result;
	const struct dt_symbol *symbols = found->items.ptr;
	const struct work *work = call->state;
	const struct symbol *wanted = args->symbols.ptr;
	const char *name = wanted[work->impact.reaches.count].name;
	struct dt_fail fail = { 0 };

	for (size_t i = 0; i < found->items.count; i++) {
		if (strcmp(symbols[i].name, name) != 0)
			continue;
		ask_uses(call, name, symbols[i].selection.start.line);
		return;
	}
	dt_fail(&fail, DT_E_MISSING, "%s is not declared in %s", name,
	        args->path);
	on_no_uses(call, &fail);
}

static void ask_next(struct dt_call *call)
{
	const struct impact_args *args = call->args;
	const struct work *work = call->state;
	const struct symbol *symbol = args->symbols.ptr;
	struct dt_lines_args file = { .path = args->path };

	if (work->impact.reaches.count == args->symbols.count) {
		reply(call);
		return;
	}
	symbol += work->impact.reaches.count;
	if (symbol->line.is_set)
		ask_uses(call, symbol->name, symbol->line.value - 1);
	else
		dt_call_perform_or(call, &dt_op_get_document_symbols, &file,
		                   on_symbols, on_no_uses);
}

static void on_problems(struct dt_call *call, const void *result)
{
	const struct impact_args *args = call->args;
	struct work *work = dt_arena_alloc(call->arena, sizeof(*work));

	dt_view_problems(call->arena, result, DT_SEV_HINT, PROBLEMS_MAX,
	                 &work->impact.problems);
	dt_view_keep_problems(call->arena, &work->impact.problems);
	work->impact.reaches.ptr = dt_arena_alloc(
		call->arena, args->symbols.count * sizeof(struct reach));
	work->files.ptr =
		dt_arena_alloc(call->arena, args->symbols.count * USES_MAX *
	                                            sizeof(const char *));
	call->state = work;
	ask_next(call);
}

static void get_change_impact(struct dt_call *call, const void *args)
{
	const struct impact_args *wanted = args;
	const struct symbol *symbols = wanted->symbols.ptr;
	struct dt_diagnostics_args about = { wanted->path, LOOK_MS };

	if (wanted->symbols.count > SYMBOLS_MAX) {
		dt_call_failf(call, DT_E_LIMIT, "changedSymbols: at most %d",
		              SYMBOLS_MAX);
		return;
	}
	for (size_t i = 0; i < wanted->symbols.count; i++) {
		if (symbols[i].line.is_set && symbols[i].line.value == 0) {
			dt_call_failf(call, DT_E_ARGS,
			              "changedSymbols[%zu].line: counts from 1",
			              i);
			return;
		}
	}
	dt_call_perform(call, &dt_op_get_diagnostics, &about, on_problems);
}

static const struct dt_tool tools[] = {
	{
		.name = "getChangeImpact",
		.title = "What a change did",
		.doc = "The problems of a file after an edit, and for each "
		       "symbol that was changed how often and where it is "
		       "used. Use it behind an edit of something that others "
		       "call, to see what else has to change.",
		.args = DT_SHAPE(struct impact_args, impact_args),
		.result = DT_SHAPE(struct impact, impact_fields),
		.effect = DT_READS,
		.flags = DT_TOOL_REPEATABLE,
		.deadline_ms = IMPACT_MS,
		.run = get_change_impact,
	},
};

const struct dt_tool_group dt_tools_impact = {
	.name = "impact",
	.doc = "What a change did.",
	.tools = tools,
	.count = sizeof(tools) / sizeof(tools[0]),
};
