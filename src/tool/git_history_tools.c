/*
 * tool/git_history_tools.c - commits, and what they tell of files and lines.
 *
 * Lines are counted from 1 here and from 0 in operations.
 */
#include "tool/git_tools.h"

#include "base/clock.h"
#include "tool/code_place.h"
#include "tool/symbol_place.h"

#define READ_MS 30000
#define LOG_MAX 200
#define DAYS_MAX 365
#define HOTSPOTS_MAX 100
#define HISTORY_MAX 50
#define DAY_MS (24 * 60 * 60 * INT64_C(1000))

/* getGitLog */

static const struct dt_field log_args[] = {
	DT_FIELD_AS("maxEntries", struct dt_git_log_args, limit, U32, 0,
	            "How many commits at most, 1 to 200.", .def = "20"),
	DT_GIT_WHERE(struct dt_git_log_args, path,
	             ": only commits that changed it."),
	DT_FIELD_AS("ref", struct dt_git_log_args, from, NAME, 0,
	            "The branch, tag or commit to begin with; absent: what is "
	            "checked out."),
	DT_FIELD_AS("notIn", struct dt_git_log_args, base, NAME, 0,
	            "Only commits that this branch, tag or commit does not "
	            "have."),
	DT_FIELD(struct dt_git_log_args, skip, U32, 0,
	         "Leave out so many of the latest, to go on with older ones."),
	DT_FIELD_END,
};

struct log {
	struct dt_items entries;
	uint32_t count;
	bool is_cut;
};
static const struct dt_field log_fields[] = {
	DT_FIELD(struct log, entries, ITEMS, DT_REQ, "The latest first.",
	         .shape = &dt_shape_git_commit),
	DT_FIELD(struct log, count, U32, DT_REQ, "How many are listed."),
	DT_FIELD_AS("truncated", struct log, is_cut, BOOL, DT_REQ,
	            "There are older ones: pass skip."),
	DT_FIELD_END,
};

static void on_log(struct dt_call *call, const void *result)
{
	const struct dt_git_log_result *found = result;
	struct log log = {
		.entries = found->commits,
		.count = (uint32_t)found->commits.count,
		.is_cut = found->is_cut,
	};

	dt_call_reply_result(call, &log);
}

static void get_log(struct dt_call *call, const void *args)
{
	const struct dt_git_log_args *wanted = args;

	if (!dt_git_is_beyond(call, "maxEntries", wanted->limit, 1, LOG_MAX))
		dt_call_perform(call, &dt_op_git_log, args, on_log);
}

/* getCommitDetails */

static const struct dt_field commit_args[] = {
	DT_FIELD_AS("commitHash", struct dt_git_show_args, commit, NAME, DT_REQ,
	            "The commit, by its id or a name, as HEAD~1."),
	DT_FIELD_AS("includePatch", struct dt_git_show_args, has_patch, BOOL, 0,
	            "With the patch, not only the names of files.",
	            .def = "true"),
	DT_GIT_WHERE(struct dt_git_show_args, path,
	             ": only what the commit changed there."),
	DT_FIELD_END,
};

struct details {
	struct dt_git_commit_info commit;
	struct dt_git_patch patch;
};
static const struct dt_field details_fields[] = {
	DT_FIELD_OBJECT("commit", struct details, commit,
	                struct dt_git_commit_info, dt_shape_git_commit, DT_REQ,
	                "The commit."),
	DT_GIT_PATCH_FIELDS(struct details, patch),
	DT_FIELD_END,
};

static void on_details(struct dt_call *call, const void *result)
{
	const struct dt_git_show_result *found = result;
	struct details details = {
		.commit = found->commit,
		.patch = dt_git_patch_join(
			call, &found->diff,
			"pass filePath for one file or folder"),
	};

	dt_call_reply_result(call, &details);
}

static void get_details(struct dt_call *call, const void *args)
{
	dt_call_perform(call, &dt_op_git_show, args, on_details);
}

/* gitBlame */

struct blame_args {
	const char *path;
	struct dt_maybe_u32 start;
	struct dt_maybe_u32 end;
};
static const struct dt_field blame_args[] = {
	DT_FIELD_AS("filePath", struct blame_args, path, PATH, DT_REQ,
	            "Absolute path or file:// URI of the file."),
	DT_FIELD_AS("startLine", struct blame_args, start, MAYBE_U32, 0,
	            "1-based line to begin with; absent: the first."),
	DT_FIELD_AS("endLine", struct blame_args, end, MAYBE_U32, 0,
	            "1-based line to end with; absent: the last, but never "
	            "more than 500 lines."),
	DT_FIELD_END,
};

static const struct dt_field blame_line_fields[] = {
	DT_FIELD(struct dt_git_blame_line, line, U32, DT_REQ, "1-based line."),
	DT_FIELD(struct dt_git_blame_line, hash, NAME, DT_OMIT,
	         "The commit; absent: not committed yet."),
	DT_FIELD(struct dt_git_blame_line, author, NAME, DT_REQ, "Who."),
	DT_FIELD(struct dt_git_blame_line, date, NAME, DT_REQ,
	         "When, ISO 8601."),
	DT_FIELD_AS("summary", struct dt_git_blame_line, subject, NAME, DT_REQ,
	            "The first line of the commit's message."),
	DT_FIELD_AS("content", struct dt_git_blame_line, text, STR, DT_REQ,
	            "The line."),
	DT_FIELD_END,
};
static const struct dt_shape blame_line =
	DT_SHAPE(struct dt_git_blame_line, blame_line_fields);

struct blame {
	struct dt_items lines;
	uint32_t count;
	bool is_cut;
};
static const struct dt_field blame_fields[] = {
	DT_FIELD(struct blame, lines, ITEMS, DT_REQ, "Line by line.",
	         .shape = &blame_line),
	DT_FIELD(struct blame, count, U32, DT_REQ, "How many are listed."),
	DT_FIELD_AS("truncated", struct blame, is_cut, BOOL, DT_REQ,
	            "There are more lines: pass startLine."),
	DT_FIELD_END,
};

/* The lines counted from 1, in the arena. */
static struct blame count_from_one(struct dt_call *call,
                                   const struct dt_git_blame_result *found)
{
	size_t size = found->lines.count * sizeof(struct dt_git_blame_line);
	struct dt_git_blame_line *lines = dt_arena_alloc(call->arena, size);
	struct blame blame = {
		.lines = { lines, found->lines.count },
		.count = (uint32_t)found->lines.count,
		.is_cut = found->is_cut,
	};

	if (size > 0)
		memcpy(lines, found->lines.ptr, size);
	for (size_t i = 0; i < found->lines.count; i++)
		lines[i].line++;
	return blame;
}

static void on_blame(struct dt_call *call, const void *result)
{
	struct blame blame = count_from_one(call, result);

	dt_call_reply_result(call, &blame);
}

/* A 1-based line, 0-based. */
static struct dt_maybe_u32 from_zero(struct dt_maybe_u32 line)
{
	if (line.is_set)
		line.value--;
	return line;
}

static void get_blame(struct dt_call *call, const void *args)
{
	const struct blame_args *wanted = args;
	struct dt_git_blame_args blame = {
		.path = wanted->path,
		.first_line = from_zero(wanted->start),
		.last_line = from_zero(wanted->end),
	};
	uint32_t first = wanted->start.is_set ? wanted->start.value : 1;

	if (first == 0)
		dt_call_failf(call, DT_E_ARGS, "startLine: lines begin with 1");
	else if (wanted->end.is_set && wanted->end.value < first)
		dt_call_failf(call, DT_E_ARGS,
		              "endLine: is before startLine, %u", first);
	else
		dt_call_perform(call, &dt_op_git_blame, &blame, on_blame);
}

/* getGitHotspots */

static const struct dt_field hotspots_args[] = {
	DT_FIELD(struct dt_git_hotspots_args, days, U32, 0,
	         "Commits of so many days, 1 to 365.", .def = "90"),
	DT_FIELD(struct dt_git_hotspots_args, limit, U32, 0,
	         "How many files at most, 1 to 100.", .def = "20"),
	DT_FIELD(struct dt_git_hotspots_args, path, PATH, 0,
	         "Absolute path of a folder to look at; absent: all."),
	DT_FIELD_END,
};

struct hotspots {
	const char *since;
	uint32_t days;
	uint32_t commits;
	struct dt_items hotspots;
	const char *scope;
	bool is_cut;
};
static const struct dt_field hotspots_fields[] = {
	DT_FIELD(struct hotspots, since, NAME, DT_REQ,
	         "The day of the oldest commits."),
	DT_FIELD(struct hotspots, days, U32, DT_REQ, "How many days that is."),
	DT_FIELD_AS("totalCommitsScanned", struct hotspots, commits, U32,
	            DT_REQ, "How many commits were looked at."),
	DT_FIELD(struct hotspots, hotspots, ITEMS, DT_REQ,
	         "The most changed first.", .shape = &dt_shape_git_hotspot),
	DT_FIELD_AS("scopedTo", struct hotspots, scope, NAME, DT_OMIT,
	            "The folder that was looked at."),
	DT_FIELD_AS("truncated", struct hotspots, is_cut, BOOL, DT_REQ,
	            "Older commits were not looked at: pass fewer days."),
	DT_FIELD_END,
};

static void on_hotspots(struct dt_call *call, const void *result)
{
	const struct dt_git_hotspots_result *found = result;
	const struct dt_git_hotspots_args *args = call->args;
	char since[DT_CLOCK_TEXT];
	struct hotspots hotspots = {
		.days = args->days,
		.commits = found->commits,
		.hotspots = found->hotspots,
		.scope = args->path,
		.is_cut = found->is_cut,
	};

	dt_clock_format(dt_clock_wall_ms() - (int64_t)args->days * DAY_MS,
	                since);
	hotspots.since =
		dt_arena_strndup(call->arena, since, strlen("2026-11-15"));
	dt_call_reply_result(call, &hotspots);
}

static void get_hotspots(struct dt_call *call, const void *args)
{
	const struct dt_git_hotspots_args *wanted = args;

	if (!dt_git_is_beyond(call, "days", wanted->days, 1, DAYS_MAX) &&
	    !dt_git_is_beyond(call, "limit", wanted->limit, 1, HOTSPOTS_MAX))
		dt_call_perform(call, &dt_op_git_hotspots, args, on_hotspots);
}

/* getSymbolHistory */

struct symbol_args {
	struct dt_place_view place;
	uint32_t max_commits;
	uint32_t blame_lines;
};
static const struct dt_field symbol_args[] = {
	DT_PLACE_FIELDS(struct symbol_args, place.),
	DT_FIELD_AS("maxCommits", struct symbol_args, max_commits, U32, 0,
	            "How many commits at most, 1 to 50.", .def = "10"),
	DT_FIELD_AS("blameLines", struct symbol_args, blame_lines, U32, 0,
	            "How many lines from the definition on, 1 to 50.",
	            .def = "10"),
	DT_FIELD_END,
};

struct place {
	const char *path;
	uint32_t line;
	uint32_t column;
};
static const struct dt_field place_fields[] = {
	DT_FIELD_AS("filePath", struct place, path, NAME, DT_REQ, "The file."),
	DT_FIELD(struct place, line, U32, DT_REQ, "1-based line."),
	DT_FIELD(struct place, column, U32, DT_REQ, "1-based column."),
	DT_FIELD_END,
};
static const struct dt_shape place = DT_SHAPE(struct place, place_fields);

struct symbol {
	const char *name;
	struct place definition;
	struct dt_items blame;
	struct dt_items commits;
	bool is_cut;
	const char *note;
	uint32_t first_line; /* of all of it, 0-based */
	uint32_t last_line;
};
static const struct dt_field symbol_fields[] = {
	DT_FIELD_AS("symbol", struct symbol, name, NAME, DT_REQ,
	            "The word at that place."),
	DT_FIELD_OBJECT("definition", struct symbol, definition, struct place,
	                place, DT_REQ, "Where it is defined."),
	DT_FIELD(struct symbol, blame, ITEMS, DT_REQ,
	         "The lines of the definition and their commits.",
	         .shape = &blame_line),
	DT_FIELD_AS("recentCommits", struct symbol, commits, ITEMS, DT_REQ,
	            "The commits that changed these lines, the latest first.",
	            .shape = &dt_shape_git_commit),
	DT_FIELD_AS("truncated", struct symbol, is_cut, BOOL, DT_REQ,
	            "There are older commits."),
	DT_FIELD(struct symbol, note, NAME, DT_OMIT,
	         "How its lines were found."),
	DT_FIELD_END,
};

static void on_symbol_log(struct dt_call *call, const void *result)
{
	const struct dt_git_log_result *found = result;
	struct symbol *symbol = call->state;

	symbol->commits = found->commits;
	symbol->is_cut = found->is_cut;
	dt_call_reply_result(call, symbol);
}

/* Lines that were never committed have no history: then the blame is all. */
static void on_no_log(struct dt_call *call, const struct dt_fail *fail)
{
	struct symbol *symbol = call->state;

	symbol->note =
		dt_arena_printf(call->arena, "%s The commits are missing: %s",
	                        symbol->note, fail->msg);
	dt_call_reply_result(call, symbol);
}

/* What is lent until a callback returns, kept for the reply. */
static void keep_lines(struct dt_call *call, struct dt_items *lines)
{
	struct dt_git_blame_line *line = lines->ptr;

	for (size_t i = 0; i < lines->count; i++) {
		line[i].hash = dt_arena_strdup(call->arena, line[i].hash);
		line[i].author = dt_arena_strdup(call->arena, line[i].author);
		line[i].date = dt_arena_strdup(call->arena, line[i].date);
		line[i].subject = dt_arena_strdup(call->arena, line[i].subject);
		line[i].text.ptr = dt_arena_strndup(
			call->arena, line[i].text.ptr, line[i].text.len);
	}
}

/* The commits of all of it, though the blame may be of its first lines. */
static void on_symbol_blame(struct dt_call *call, const void *result)
{
	const struct symbol_args *args = call->args;
	struct symbol *symbol = call->state;
	struct dt_git_log_args log = {
		.path = symbol->definition.path,
		.limit = args->max_commits,
		.first_line = { true, symbol->first_line },
		.last_line = { true, symbol->last_line },
	};
	uint32_t count;

	symbol->blame = count_from_one(call, result).lines;
	keep_lines(call, &symbol->blame);
	count = (uint32_t)symbol->blame.count;
	/* The file may end before; git refuses lines that are not there. */
	if (count < args->blame_lines &&
	    log.first_line.value + count <= symbol->last_line)
		log.last_line.value =
			log.first_line.value + count - (count ? 1 : 0);
	dt_call_perform_or(call, &dt_op_git_log, &log, on_symbol_log,
	                   on_no_log);
}

static void blame_symbol(struct dt_call *call)
{
	const struct symbol_args *args = call->args;
	const struct symbol *symbol = call->state;
	struct dt_git_blame_args blame = {
		.path = symbol->definition.path,
		.first_line = { true, symbol->first_line },
		.last_line = { true, symbol->last_line },
	};

	if (symbol->last_line - symbol->first_line >= args->blame_lines)
		blame.last_line.value =
			symbol->first_line + args->blame_lines - 1;
	dt_call_perform(call, &dt_op_git_blame, &blame, on_symbol_blame);
}

static bool is_at(const struct dt_range *range, const struct place *of)
{
	struct dt_position at = { of->line - 1, of->column - 1 };

	return range->start.line == at.line &&
	       range->start.character <= at.character &&
	       (range->end.line > at.line ||
	        range->end.character >= at.character);
}

static void on_outline(struct dt_call *call, const void *result)
{
	const struct dt_symbols_result *outline = result;
	const struct dt_symbol *list = outline->items.ptr;
	struct symbol *symbol = call->state;

	for (size_t i = 0; i < outline->items.count; i++) {
		const struct dt_range *range = &list[i].range;

		if (!is_at(&list[i].selection, &symbol->definition))
			continue;
		symbol->first_line = range->start.line;
		/* A range may end before the first character of a line. */
		symbol->last_line =
			range->end.line - (!range->end.character &&
		                           range->end.line > range->start.line);
		symbol->note = "Its lines are those that the language server "
			       "tells.";
		break;
	}
	blame_symbol(call);
}

static void on_no_outline(struct dt_call *call, const struct dt_fail *fail)
{
	if (fail->code == DT_E_TIMEOUT)
		dt_call_fail(call, fail);
	else
		blame_symbol(call);
}

static void on_symbol_at(struct dt_call *call,
                         const struct dt_symbol_place *found)
{
	const struct symbol_args *args = call->args;
	struct symbol *symbol = dt_arena_alloc(call->arena, sizeof(*symbol));
	struct dt_lines_args outline = { .path = found->path };

	*symbol = (struct symbol){
		.name = found->name,
		.definition = { found->path, found->at.line + 1,
		                found->at.character + 1 },
		.first_line = found->at.line,
		.last_line = found->at.line + args->blame_lines - 1,
		.note = "No language server tells what its lines are: it is "
			"blameLines from where its name stands.",
	};
	call->state = symbol;
	dt_call_perform_or(call, &dt_op_get_document_symbols, &outline,
	                   on_outline, on_no_outline);
}

static void on_symbol_place(struct dt_call *call,
                            const struct dt_code_place *told)
{
	dt_symbol_settle(call, told, on_symbol_at);
}

static void get_symbol(struct dt_call *call, const void *args)
{
	const struct symbol_args *wanted = args;

	if (dt_git_is_beyond(call, "maxCommits", wanted->max_commits, 1,
	                     HISTORY_MAX) ||
	    dt_git_is_beyond(call, "blameLines", wanted->blame_lines, 1,
	                     HISTORY_MAX))
		return;
	dt_code_place_find(call, &wanted->place, on_symbol_place);
}

static const struct dt_tool tools[] = {
	{
		.name = "getGitLog",
		.title = "Commits",
		.doc = "Commits with author, date and message, the latest "
		       "first; of all, or of one file or folder.",
		.args = DT_SHAPE(struct dt_git_log_args, log_args),
		.result = DT_SHAPE(struct log, log_fields),
		.effect = DT_READS,
		.flags = DT_TOOL_REPEATABLE,
		.deadline_ms = READ_MS,
		.run = get_log,
	},
	{
		.name = "getCommitDetails",
		.title = "One commit",
		.doc = "One commit: its author, date and whole message, the "
		       "files it changed, and the patch. A merge is shown by "
		       "what it brought to its first parent.",
		.args = DT_SHAPE(struct dt_git_show_args, commit_args),
		.result = DT_SHAPE(struct details, details_fields),
		.effect = DT_READS,
		.flags = DT_TOOL_REPEATABLE,
		.deadline_ms = READ_MS,
		.run = get_details,
	},
	{
		.name = "gitBlame",
		.title = "Who wrote the lines",
		.doc = "For each line of a file the commit that it is from, "
		       "with author, date and summary; of the file as it is on "
		       "disk. Use it to find out why a line is there.",
		.args = DT_SHAPE(struct blame_args, blame_args),
		.result = DT_SHAPE(struct blame, blame_fields),
		.effect = DT_READS,
		.flags = DT_TOOL_REPEATABLE,
		.deadline_ms = READ_MS,
		.run = get_blame,
	},
	{
		.name = "getGitHotspots",
		.title = "Files that change most",
		.doc = "The files that most commits of the last days have "
		       "changed: where work goes on, and where faults tend to "
		       "be.",
		.args = DT_SHAPE(struct dt_git_hotspots_args, hotspots_args),
		.result = DT_SHAPE(struct hotspots, hotspots_fields),
		.effect = DT_READS,
		.flags = DT_TOOL_REPEATABLE | DT_TOOL_EXTRA,
		.deadline_ms = READ_MS,
		.run = get_hotspots,
	},
	{
		.name = "getSymbolHistory",
		.title = "History of a symbol",
		.doc = "Who wrote the lines of a definition, and the commits "
		       "that changed them, the latest first. Give the symbol, "
		       "or the place of its definition, as goToDefinition tells "
		       "it.",
		.args = DT_SHAPE(struct symbol_args, symbol_args),
		.result = DT_SHAPE(struct symbol, symbol_fields),
		.effect = DT_READS,
		.flags = DT_TOOL_REPEATABLE | DT_TOOL_EXTRA,
		.deadline_ms = DT_CODE_MS,
		.run = get_symbol,
	},
};

const struct dt_tool_group dt_tools_git_history = {
	.name = "history",
	.doc = "Commits, and what they tell of files and lines.",
	.tools = tools,
	.count = sizeof(tools) / sizeof(tools[0]),
};
