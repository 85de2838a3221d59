/*
 * tool/search_tools.c - what is in the files of the workspace: text, and the
 * comments that people write for agents.
 *
 * Who looks, and which files are passed over, is decided where the operation is
 * performed.
 */
#include "tool/search_tools.h"

#include "base/limits.h"
#include "editor/search.h"
#include "tool/call.h"

#define SEARCH_MS 45000

/* searchWorkspace */

struct search_args {
	const char *query;
	const char *glob;
	bool is_regex;
	bool is_case_sensitive;
	uint32_t max;
	uint32_t context;
};
static const struct dt_field search_args[] = {
	DT_FIELD(struct search_args, query, NAME, DT_REQ,
	         "What to look for, on one line."),
	DT_FIELD_AS("fileGlob", struct search_args, glob, NAME, 0,
	            "Only files whose name fits: *.c for the last part, "
	            "src/**/*.c for the path in the workspace."),
	DT_FIELD_AS("isRegex", struct search_args, is_regex, BOOL, 0,
	            "The query is a regular expression.", .def = "false"),
	DT_FIELD_AS("caseSensitive", struct search_args, is_case_sensitive,
	            BOOL, 0, "Upper and lower case differ.", .def = "true"),
	DT_FIELD_AS("maxResults", struct search_args, max, U32, 0,
	            "How many lines at most, 1 to 200.", .def = "100"),
	DT_FIELD_AS("contextLines", struct search_args, context, U32, 0,
	            "Lines to show before and after each, 0 to 5.", .def = "0"),
	DT_FIELD_END,
};

struct match {
	const char *path;
	uint32_t line;
	uint32_t column;
	uint32_t end_column;
	struct dt_str text;
	bool is_part;
	struct dt_names before;
	struct dt_names after;
};
static const struct dt_field match_fields[] = {
	DT_FIELD_AS("filePath", struct match, path, NAME, DT_REQ,
	            "Absolute path of the file."),
	DT_FIELD(struct match, line, U32, DT_REQ, "1-based line."),
	DT_FIELD(struct match, column, U32, DT_REQ,
	         "1-based column of the first match in the line."),
	DT_FIELD_AS("endColumn", struct match, end_column, U32, DT_REQ,
	            "1-based column behind it."),
	DT_FIELD(struct match, text, STR, DT_REQ, "The line."),
	DT_FIELD_AS("textTruncated", struct match, is_part, BOOL, DT_OMIT,
	            "The line is longer; this is the part around the match."),
	DT_FIELD(struct match, before, NAMES, DT_OMIT, "Lines before it."),
	DT_FIELD(struct match, after, NAMES, DT_OMIT, "Lines after it."),
	DT_FIELD_END,
};
static const struct dt_shape match_shape = DT_SHAPE(struct match, match_fields);

struct found {
	struct dt_items matches;
	uint32_t total;
	bool is_cut;
	const char *tool;
	const char *note;
};
static const struct dt_field found_fields[] = {
	DT_FIELD(struct found, matches, ITEMS, DT_REQ,
	         "Lines in which it is, by file and line.",
	         .shape = &match_shape),
	DT_FIELD_AS("totalMatches", struct found, total, U32, DT_REQ,
	            "How many lines are listed."),
	DT_FIELD_AS("truncated", struct found, is_cut, BOOL, DT_REQ,
	            "There are more, or not every file was looked at."),
	DT_FIELD(struct found, tool, NAME, DT_REQ,
	         "Who looked: ripgrep, or dovetail where there is none."),
	DT_FIELD(struct found, note, NAME, DT_OMIT,
	         "What to do when it is truncated."),
	DT_FIELD_END,
};

static void on_found(struct dt_call *call, const void *result)
{
	const struct dt_search_result *list = result;
	const struct dt_search_match *match = list->matches.ptr;
	struct match *matches = dt_arena_alloc(
		call->arena, (list->matches.count + 1) * sizeof(*matches));
	struct found found = {
		.matches = { matches, list->matches.count },
		.total = (uint32_t)list->matches.count,
		.is_cut = list->is_cut,
		.tool = list->source,
		.note = list->is_cut ? "Not all is listed: make the query or "
		                       "fileGlob narrower, or raise "
		                       "maxResults, which may be 200."
		                     : NULL,
	};

	for (size_t i = 0; i < list->matches.count; i++)
		matches[i] = (struct match){
			.path = match[i].path,
			.line = match[i].range.start.line + 1,
			.column = match[i].range.start.character + 1,
			.end_column = match[i].range.end.character + 1,
			.text = match[i].text,
			.is_part = match[i].is_part,
			.before = match[i].before,
			.after = match[i].after,
		};
	dt_call_reply_result(call, &found);
}

static void search(struct dt_call *call, const void *args)
{
	const struct search_args *wanted = args;
	struct dt_search_args text = {
		.query = wanted->query,
		.glob = wanted->glob,
		.is_regex = wanted->is_regex,
		.is_case_sensitive = wanted->is_case_sensitive,
		.max = wanted->max,
		.context = wanted->context,
	};

	if (wanted->max < 1 || wanted->max > DT_LIMIT_FOUND)
		dt_call_failf(call, DT_E_ARGS, "maxResults: must be 1 to %u",
		              DT_LIMIT_FOUND);
	else if (wanted->context > DT_LIMIT_CONTEXT)
		dt_call_failf(call, DT_E_ARGS, "contextLines: must be 0 to %u",
		              DT_LIMIT_CONTEXT);
	else
		dt_call_perform(call, &dt_op_search, &text, on_found);
}

static const struct dt_tool tools[] = {
	{
		.name = "searchWorkspace",
		.title = "Search in files",
		.doc = "Lines of the workspace's files in which a text or a "
		       "regular expression is. Unsaved text comes before what is "
		       "on disk; files that git ignores, binary files and files "
		       "that the person keeps from agents are passed over. For a "
		       "symbol, searchWorkspaceSymbols and findReferences know "
		       "more than text does.",
		.args = DT_SHAPE(struct search_args, search_args),
		.result = DT_SHAPE(struct found, found_fields),
		.effect = DT_READS,
		.needs = &dt_op_search,
		.flags = DT_TOOL_REPEATABLE,
		.deadline_ms = SEARCH_MS,
		.run = search,
	},
};

const struct dt_tool_group dt_tools_search = {
	.name = "search",
	.doc = "What is in the files of the workspace, and what the project is.",
	.tools = tools,
	.count = sizeof(tools) / sizeof(tools[0]),
};
