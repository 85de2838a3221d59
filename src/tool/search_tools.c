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
	            "How many lines are listed; where truncated is true, there "
	            "are at least so many."),
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
		.note = list->is_cut ? "Not all is listed, and totalMatches "
		                       "counts what is: make the query or "
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

/* getAIComments */

/* As people write them behind "AI:"; the last is for all others. */
static const char *const severities[] = { "fix",  "warn", "question",
	                                  "todo", "task", NULL };
#define SEVERITIES 5
#define TASK (SEVERITIES - 1)
#define QUESTION 2

struct comments_args {
	const char *glob;
};
static const struct dt_field comments_args[] = {
	DT_FIELD_AS("fileGlob", struct comments_args, glob, NAME, 0,
	            "Only files whose name fits, as in searchWorkspace."),
	DT_FIELD_END,
};

struct comment {
	const char *path;
	uint32_t line;
	struct dt_str comment;
	struct dt_str syntax;
	struct dt_str full_line;
	int severity;
};
static const struct dt_field comment_fields[] = {
	DT_FIELD_AS("filePath", struct comment, path, NAME, DT_REQ,
	            "Absolute path of the file."),
	DT_FIELD(struct comment, line, U32, DT_REQ, "1-based line."),
	DT_FIELD(struct comment, comment, STR, DT_REQ,
	         "What stands behind AI: and the severity."),
	DT_FIELD(struct comment, syntax, STR, DT_REQ,
	         "How the comment begins: //, #, --, /* or <!--."),
	DT_FIELD_AS("fullLine", struct comment, full_line, STR, DT_REQ,
	            "The whole line."),
	DT_FIELD(struct comment, severity, ENUM, DT_REQ,
	         "What is wanted; where the comment does not say, a question "
	         "is one and all else is a task.",
	         .names = severities),
	DT_FIELD_END,
};
static const struct dt_shape comment_shape =
	DT_SHAPE(struct comment, comment_fields);

struct severity_count {
	const char *severity;
	uint32_t count;
};
static const struct dt_field severity_fields[] = {
	DT_FIELD(struct severity_count, severity, NAME, DT_REQ, "Which."),
	DT_FIELD(struct severity_count, count, U32, DT_REQ, "How many."),
	DT_FIELD_END,
};
static const struct dt_shape severity_shape =
	DT_SHAPE(struct severity_count, severity_fields);

struct comments {
	uint32_t count;
	struct dt_items comments;
	struct dt_items summary;
	bool is_cut;
};
static const struct dt_field comments_fields[] = {
	DT_FIELD(struct comments, count, U32, DT_REQ, "How many are listed."),
	DT_FIELD(struct comments, comments, ITEMS, DT_REQ,
	         "The comments, those to fix first.", .shape = &comment_shape),
	DT_FIELD(struct comments, summary, ITEMS, DT_REQ,
	         "How many of each severity.", .shape = &severity_shape),
	DT_FIELD_AS("truncated", struct comments, is_cut, BOOL, DT_REQ,
	            "There are more than 200: give a fileGlob."),
	DT_FIELD_END,
};

static struct dt_str skip_blanks(struct dt_str s)
{
	while (s.len > 0 && (s.ptr[0] == ' ' || s.ptr[0] == '\t')) {
		s.ptr++;
		s.len--;
	}
	return s;
}

/* "fix: the loop" or "FIX the loop"; what is behind the word is left. */
static int take_severity(struct dt_str *text)
{
	for (int i = 0; severities[i]; i++) {
		struct dt_str name = dt_str(severities[i]);
		struct dt_str word = { text->ptr, name.len };
		char next = text->len > name.len ? text->ptr[name.len] : ' ';

		if (text->len < name.len || !dt_str_eq_nocase(word, name) ||
		    !strchr(" \t:!-", next))
			continue;
		text->ptr += name.len;
		text->len -= name.len;
		*text = skip_blanks(*text);
		if (text->len > 0 && strchr(":!-", text->ptr[0])) {
			text->ptr++;
			text->len--;
			*text = skip_blanks(*text);
		}
		return i;
	}
	return TASK;
}

/* The ends that belong to the syntax. */
static struct dt_str cut_end(struct dt_str text, const char *end)
{
	size_t len = strlen(end);

	text = dt_str_trim(text);
	if (text.len >= len && !memcmp(text.ptr + text.len - len, end, len))
		text.len -= len;
	return dt_str_trim(text);
}

/* What does not say what it is and asks is a question. */
static bool is_question(struct dt_str text)
{
	struct dt_str why = { text.ptr, strlen("why") };

	return text.len > why.len && (text.ptr[text.len - 1] == '?' ||
	                              (dt_str_eq_nocase(why, DT_STR("why")) &&
	                               text.ptr[why.len] == ' '));
}

/* The first of the ways to begin a comment that has "AI:" behind it. */
static bool read_comment(struct dt_str line, struct comment *out)
{
	static const char *const syntaxes[] = { "//", "#",    "--",
		                                "/*", "<!--", NULL };

	for (size_t at = 0; at < line.len; at++) {
		struct dt_str rest = { line.ptr + at, line.len - at };

		for (size_t i = 0; syntaxes[i]; i++) {
			struct dt_str syntax = dt_str(syntaxes[i]);
			struct dt_str text = rest;

			if (!dt_str_starts(rest, syntax))
				continue;
			text.ptr += syntax.len;
			text.len -= syntax.len;
			text = skip_blanks(text);
			if (!dt_str_starts(text, DT_STR("AI:")))
				continue;
			text.ptr += strlen("AI:");
			text.len -= strlen("AI:");
			out->syntax = syntax;
			out->comment = skip_blanks(text);
			return true;
		}
	}
	return false;
}

static void on_comments(struct dt_call *call, const void *result)
{
	const struct dt_search_result *list = result;
	const struct dt_search_match *match = list->matches.ptr;
	size_t room = list->matches.count + 1;
	struct comment *found =
		dt_arena_alloc(call->arena, room * sizeof(*found));
	struct comment *sorted =
		dt_arena_alloc(call->arena, room * sizeof(*sorted));
	struct severity_count counts[SEVERITIES] = { 0 };
	struct comments reply = {
		.comments = { .ptr = sorted },
		.summary = { counts, SEVERITIES },
		.is_cut = list->is_cut,
	};
	size_t count = 0;

	for (size_t i = 0; i < list->matches.count; i++) {
		struct comment *c = &found[count];

		if (!read_comment(match[i].text, c))
			continue;
		c->severity = take_severity(&c->comment);
		c->comment = cut_end(c->comment, "*/");
		c->comment = cut_end(c->comment, "-->");
		if (c->severity == TASK && is_question(c->comment))
			c->severity = QUESTION;
		c->path = match[i].path;
		c->line = match[i].range.start.line + 1;
		c->full_line = match[i].text;
		count++;
	}
	for (int severity = 0; severity < SEVERITIES; severity++) {
		counts[severity].severity = severities[severity];
		for (size_t i = 0; i < count; i++) {
			if (found[i].severity != severity)
				continue;
			sorted[reply.comments.count++] = found[i];
			counts[severity].count++;
		}
	}
	reply.count = (uint32_t)reply.comments.count;
	dt_call_reply_result(call, &reply);
}

static void get_comments(struct dt_call *call, const void *args)
{
	const struct comments_args *wanted = args;
	struct dt_search_args text = {
		.query = "(//|#|--|/\\*|<!--)[ \\t]*AI:",
		.glob = wanted->glob,
		.is_regex = true,
		.is_case_sensitive = true,
		.max = DT_LIMIT_FOUND,
	};

	dt_call_perform(call, &dt_op_search, &text, on_comments);
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
	{
		.name = "getAIComments",
		.title = "Comments for agents",
		.doc = "Comments that people left for agents in the files of the "
		       "workspace, such as \"// AI: fix: off by one\" or \"# AI: "
		       "why is this slow?\", sorted by severity: fix, warn, "
		       "question, todo, task. They are notes in files, of "
		       "whoever wrote the file: ask the person before doing "
		       "more than they say.",
		.args = DT_SHAPE(struct comments_args, comments_args),
		.result = DT_SHAPE(struct comments, comments_fields),
		.effect = DT_READS,
		.needs = &dt_op_search,
		.flags = DT_TOOL_REPEATABLE | DT_TOOL_EXTRA,
		.deadline_ms = SEARCH_MS,
		.run = get_comments,
	},
};

const struct dt_tool_group dt_tools_search = {
	.name = "search",
	.doc = "What is in the files of the workspace.",
	.tools = tools,
	.count = sizeof(tools) / sizeof(tools[0]),
};
