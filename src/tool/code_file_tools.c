/*
 * tool/code_file_tools.c - what there is to know about the code of a file, and
 * symbols of the workspace by name.
 */
#include "tool/code_file_tools.h"

#include "base/limits.h"
#include "tool/code_view.h"

#define SYMBOLS_FOUND_MAX 500

/* getDocumentSymbols */

struct outline_args {
	const char *path;
	struct dt_names kinds;
	struct dt_maybe_u32 depth;
	uint32_t max;
};
static const struct dt_field outline_args[] = {
	DT_FIELD_AS("filePath", struct outline_args, path, PATH, DT_REQ,
	            "Absolute path or file:// URI of the file."),
	DT_FIELD(struct outline_args, kinds, NAMES, 0,
	         "Only these kinds, as [\"function\", \"class\"]; absent: "
	         "all."),
	DT_FIELD_AS("maxDepth", struct outline_args, depth, MAYBE_U32, 0,
	            "Leave out what more symbols than this are around; 0: the "
	            "outermost alone."),
	DT_FIELD_AS("maxResults", struct outline_args, max, U32, 0,
	            "List at most so many, up to 5000.", .def = "500"),
	DT_FIELD_END,
};

struct symbols {
	struct dt_items items;
	uint32_t count;
	uint32_t total;
	bool is_cut;
	struct dt_names servers;
	struct dt_names failures;
	struct dt_code_end_view end;
};
static const struct dt_field symbols_fields[] = {
	DT_FIELD_AS("symbols", struct symbols, items, ITEMS, DT_REQ,
	            "The symbols.", .shape = &dt_shape_code_symbol),
	DT_FIELD(struct symbols, count, U32, DT_REQ, "How many are listed."),
	DT_FIELD(struct symbols, total, U32, DT_REQ, "How many there are."),
	DT_FIELD_AS("truncated", struct symbols, is_cut, BOOL, DT_REQ,
	            "Not all are listed: raise maxResults or ask for less."),
	DT_FIELD(struct symbols, servers, NAMES, DT_OMIT,
	         "The language servers that were asked, where it was not one."),
	DT_FIELD_AS("problems", struct symbols, failures, NAMES, DT_OMIT,
	            "Language servers that could not look, and why."),
	DT_CODE_END_FIELDS(struct symbols),
	DT_FIELD_END,
};

static bool is_kind(const struct dt_names *kinds, const char *kind)
{
	for (size_t i = 0; i < kinds->count; i++) {
		if (!strcmp(kinds->ptr[i], kind))
			return true;
	}
	return kinds->count == 0;
}

/* Those that pass go to the front of the copy; returns how many pass. */
static uint32_t sift(const struct outline_args *args,
                     const struct dt_items *from, struct dt_symbol *copy)
{
	const struct dt_symbol *list = from->ptr;
	uint32_t count = 0;

	for (size_t i = 0; i < from->count; i++) {
		if (!is_kind(&args->kinds, list[i].kind) ||
		    (args->depth.is_set && list[i].depth > args->depth.value))
			continue;
		copy[count] = list[i];
		copy[count].range = dt_view_range(list[i].range);
		copy[count].selection = dt_view_range(list[i].selection);
		count++;
	}
	return count;
}

static void reply_symbols(struct dt_call *call, const struct outline_args *args,
                          const struct dt_symbols_result *found)
{
	struct dt_symbol *copy = dt_arena_alloc(
		call->arena, (found->items.count + 1) * sizeof(*copy));
	struct symbols symbols = {
		.items = { .ptr = copy },
		.servers = found->servers,
		.failures = found->failures,
		.end = dt_view_code_end(call->arena, &found->source),
	};

	symbols.total = sift(args, &found->items, copy);
	symbols.count = symbols.total < args->max ? symbols.total : args->max;
	symbols.items.count = symbols.count;
	/* What was left out below the tool's limit is counted too. */
	symbols.total += found->total - (uint32_t)found->items.count;
	symbols.is_cut = symbols.count < symbols.total;
	dt_call_reply_result(call, &symbols);
}

static void on_outline(struct dt_call *call, const void *result)
{
	reply_symbols(call, call->args, result);
}

static void get_outline(struct dt_call *call, const void *args)
{
	const struct outline_args *wanted = args;
	struct dt_lines_args lines = { .path = wanted->path };

	if (wanted->max < 1 || wanted->max > DT_LIMIT_SYMBOLS)
		dt_call_failf(call, DT_E_ARGS, "maxResults: must be 1 to %u",
		              DT_LIMIT_SYMBOLS);
	else
		dt_call_perform(call, &dt_op_get_document_symbols, &lines,
		                on_outline);
}

/* searchWorkspaceSymbols */

struct search_args {
	const char *query;
	uint32_t max;
};
static const struct dt_field search_args[] = {
	DT_FIELD(struct search_args, query, NAME, DT_REQ,
	         "A name or a part of it; servers also find similar ones."),
	DT_FIELD_AS("maxResults", struct search_args, max, U32, 0,
	            "List at most so many, up to 500.", .def = "50"),
	DT_FIELD_END,
};

static void on_search(struct dt_call *call, const void *result)
{
	const struct search_args *args = call->args;
	struct outline_args all = { .max = args->max };

	reply_symbols(call, &all, result);
}

static void search_symbols(struct dt_call *call, const void *args)
{
	const struct search_args *wanted = args;
	struct dt_search_symbols_args search = {
		.query = wanted->query,
		.limit = { true, wanted->max },
	};

	if (wanted->max < 1 || wanted->max > SYMBOLS_FOUND_MAX)
		dt_call_failf(call, DT_E_ARGS, "maxResults: must be 1 to %u",
		              SYMBOLS_FOUND_MAX);
	else
		dt_call_perform(call, &dt_op_search_symbols, &search,
		                on_search);
}

/* tools about lines of a file */

struct lines_args {
	const char *path;
	struct dt_maybe_u32 first;
	struct dt_maybe_u32 last;
	uint32_t max;
};
/* clang-format off */
#define LINES_FIELDS                                                         \
	DT_FIELD_AS("filePath", struct lines_args, path, PATH, DT_REQ,       \
	            "Absolute path or file:// URI of the file."),            \
	DT_FIELD_AS("startLine", struct lines_args, first, MAYBE_U32, 0,     \
	            "1-based line to begin with; absent: the first."),       \
	DT_FIELD_AS("endLine", struct lines_args, last, MAYBE_U32, 0,        \
	            "1-based line to end with; absent: the last.")
/* clang-format on */
static const struct dt_field lines_fields[] = {
	LINES_FIELDS,
	DT_FIELD_AS("maxResults", struct lines_args, max, U32, 0,
	            "List at most so many, up to 5000.", .def = "1000"),
	DT_FIELD_END,
};
static const struct dt_field tokens_args[] = {
	LINES_FIELDS,
	DT_FIELD_AS("maxTokens", struct lines_args, max, U32, 0,
	            "List at most so many, up to 5000.", .def = "1000"),
	DT_FIELD_END,
};

static bool count_from_0(struct dt_call *call, struct dt_maybe_u32 *line,
                         const char *name)
{
	if (!line->is_set || line->value-- > 0)
		return true;
	dt_call_failf(call, DT_E_ARGS, "%s: counts from 1", name);
	return false;
}

static void ask_lines(struct dt_call *call, const void *args,
                      dt_result_fn *on_result)
{
	const struct lines_args *wanted = args;
	struct dt_lines_args lines = {
		.path = wanted->path,
		.first = wanted->first,
		.last = wanted->last,
		.limit = { true, wanted->max },
	};

	if (wanted->max < 1 || wanted->max > DT_LIMIT_TOKENS)
		dt_call_failf(call, DT_E_ARGS,
		              "the most to list must be 1 to %u",
		              DT_LIMIT_TOKENS);
	else if (count_from_0(call, &lines.first, "startLine") &&
	         count_from_0(call, &lines.last, "endLine"))
		dt_call_perform(call, call->tool->needs, &lines, on_result);
}

/* What those results have in common. */
struct list {
	struct dt_items items;
	uint32_t count;
	uint32_t total;
	bool is_cut;
	struct dt_names types; /* of tokens */
	struct dt_names modifiers;
	struct dt_code_end_view end;
};
/* clang-format off */
#define LIST_FIELDS(json, item, text)                                        \
	DT_FIELD_AS(json, struct list, items, ITEMS, DT_REQ, text,           \
	            .shape = &(item)),                                       \
	DT_FIELD(struct list, count, U32, DT_REQ, "How many are listed."),   \
	DT_FIELD(struct list, total, U32, DT_REQ, "How many there are."),    \
	DT_FIELD_AS("truncated", struct list, is_cut, BOOL, DT_REQ,          \
	            "Not all are listed: ask for fewer lines or for more."), \
	DT_CODE_END_FIELDS(struct list)
/* clang-format on */

static struct list list_of(struct dt_call *call, const struct dt_items *items,
                           uint32_t total, const struct dt_code_source *source)
{
	return (struct list){
		.items = *items,
		.count = (uint32_t)items->count,
		.total = total,
		.is_cut = items->count < total,
		.end = dt_view_code_end(call->arena, source),
	};
}

/* A copy of the items, to be changed. */
static void *copy_items(struct dt_call *call, struct list *list, size_t size)
{
	void *copy =
		dt_arena_alloc(call->arena, (list->items.count + 1) * size);

	if (list->items.count > 0)
		memcpy(copy, list->items.ptr, list->items.count * size);
	list->items.ptr = copy;
	return copy;
}

/* getInlayHints */

static const struct dt_field hint_fields[] = {
	DT_FIELD_AS("line", struct dt_inlay_hint, at.line, U32, DT_REQ,
	            "1-based line."),
	DT_FIELD_AS("column", struct dt_inlay_hint, at.character, U32, DT_REQ,
	            "1-based column it would be shown at."),
	DT_FIELD(struct dt_inlay_hint, label, STR, DT_REQ, "The hint."),
	DT_FIELD(struct dt_inlay_hint, kind, NAME, DT_OMIT,
	         "\"type\" or \"parameter\"."),
	DT_FIELD_END,
};
static const struct dt_shape hint_shape =
	DT_SHAPE(struct dt_inlay_hint, hint_fields);
static const struct dt_field hints_fields[] = {
	LIST_FIELDS("hints", hint_shape, "The hints in the order of the text."),
	DT_FIELD_END,
};

static void on_hints(struct dt_call *call, const void *result)
{
	const struct dt_inlay_hints_result *found = result;
	struct list list =
		list_of(call, &found->items, found->total, &found->source);
	struct dt_inlay_hint *hints = copy_items(call, &list, sizeof(*hints));

	for (size_t i = 0; i < list.items.count; i++)
		hints[i].at = dt_view_position(hints[i].at);
	dt_call_reply_result(call, &list);
}

static void get_hints(struct dt_call *call, const void *args)
{
	ask_lines(call, args, on_hints);
}

/* getSemanticTokens */

static const struct dt_field token_fields[] = {
	DT_FIELD_AS("line", struct dt_token, at.line, U32, DT_REQ,
	            "1-based line."),
	DT_FIELD_AS("column", struct dt_token, at.character, U32, DT_REQ,
	            "1-based column, in UTF-16 units."),
	DT_FIELD(struct dt_token, length, U32, DT_REQ, "In UTF-16 units."),
	DT_FIELD(struct dt_token, text, STR, DT_OMIT, "The token."),
	DT_FIELD(struct dt_token, type, NAME, DT_REQ, "What it is."),
	DT_FIELD(struct dt_token, modifiers, NAMES, DT_OMIT, "And how."),
	DT_FIELD_END,
};
static const struct dt_shape token_shape =
	DT_SHAPE(struct dt_token, token_fields);
static const struct dt_field tokens_fields[] = {
	LIST_FIELDS("tokens", token_shape,
	            "The tokens in the order of the text."),
	DT_FIELD_AS("tokenTypes", struct list, types, NAMES, DT_REQ,
	            "All types that the server tells apart."),
	DT_FIELD_AS("tokenModifiers", struct list, modifiers, NAMES, DT_REQ,
	            "All modifiers that it tells apart."),
	DT_FIELD_END,
};

static void on_tokens(struct dt_call *call, const void *result)
{
	const struct dt_tokens_result *found = result;
	struct list list =
		list_of(call, &found->items, found->total, &found->source);
	struct dt_token *tokens = copy_items(call, &list, sizeof(*tokens));

	for (size_t i = 0; i < list.items.count; i++)
		tokens[i].at = dt_view_position(tokens[i].at);
	list.types = found->types;
	list.modifiers = found->modifiers;
	dt_call_reply_result(call, &list);
}

static void get_tokens(struct dt_call *call, const void *args)
{
	ask_lines(call, args, on_tokens);
}

/* foldingRanges */

static const struct dt_field folding_fields[] = {
	DT_FIELD_AS("startLine", struct dt_folding, first, U32, DT_REQ,
	            "1-based."),
	DT_FIELD_AS("endLine", struct dt_folding, last, U32, DT_REQ,
	            "1-based, included."),
	DT_FIELD(struct dt_folding, kind, NAME, DT_OMIT,
	         "\"comment\", \"imports\" or \"region\"."),
	DT_FIELD_END,
};
static const struct dt_shape folding_shape =
	DT_SHAPE(struct dt_folding, folding_fields);
static const struct dt_field foldings_fields[] = {
	LIST_FIELDS("ranges", folding_shape, "The blocks."),
	DT_FIELD_END,
};

static void on_foldings(struct dt_call *call, const void *result)
{
	const struct dt_foldings_result *found = result;
	struct list list =
		list_of(call, &found->items, found->total, &found->source);
	struct dt_folding *foldings =
		copy_items(call, &list, sizeof(*foldings));

	for (size_t i = 0; i < list.items.count; i++) {
		foldings[i].first++;
		foldings[i].last++;
	}
	dt_call_reply_result(call, &list);
}

static void get_foldings(struct dt_call *call, const void *args)
{
	ask_lines(call, args, on_foldings);
}

/* getDocumentLinks */

static const struct dt_field path_fields[] = {
	DT_FIELD_AS("filePath", struct dt_path_args, path, PATH, DT_REQ,
	            "Absolute path or file:// URI of the file."),
	DT_FIELD_END,
};
static const struct dt_field link_fields[] = {
	DT_FIELD_OBJECT("range", struct dt_document_link, range,
	                struct dt_range, dt_shape_code_range, DT_REQ,
	                "The link."),
	DT_FIELD(struct dt_document_link, target, NAME, DT_OMIT,
	         "Where it leads: a path or a URI."),
	DT_FIELD(struct dt_document_link, tooltip, NAME, DT_OMIT,
	         "What is said of it."),
	DT_FIELD_END,
};
static const struct dt_shape link_shape =
	DT_SHAPE(struct dt_document_link, link_fields);
static const struct dt_field links_fields[] = {
	LIST_FIELDS("links", link_shape, "The links."),
	DT_FIELD_END,
};

static void on_links(struct dt_call *call, const void *result)
{
	const struct dt_document_links_result *found = result;
	struct list list =
		list_of(call, &found->items, (uint32_t)found->items.count,
	                &found->source);
	struct dt_document_link *links =
		copy_items(call, &list, sizeof(*links));

	for (size_t i = 0; i < list.items.count; i++)
		links[i].range = dt_view_range(links[i].range);
	dt_call_reply_result(call, &list);
}

static void get_links(struct dt_call *call, const void *args)
{
	dt_call_perform(call, &dt_op_get_document_links, args, on_links);
}

/* getCodeLens */

static const struct dt_field lens_fields[] = {
	DT_FIELD_OBJECT("range", struct dt_code_lens, range, struct dt_range,
	                dt_shape_code_range, DT_REQ, "What it is about."),
	DT_FIELD(struct dt_code_lens, title, NAME, DT_OMIT,
	         "What it says, as \"3 references\"."),
	DT_FIELD(struct dt_code_lens, command, NAME, DT_OMIT,
	         "The server's name for what it does."),
	DT_FIELD_END,
};
static const struct dt_shape lens_shape =
	DT_SHAPE(struct dt_code_lens, lens_fields);
static const struct dt_field lenses_fields[] = {
	LIST_FIELDS("lenses", lens_shape, "The lenses, at most 100."),
	DT_FIELD_END,
};

static void on_lenses(struct dt_call *call, const void *result)
{
	const struct dt_code_lenses_result *found = result;
	struct list list =
		list_of(call, &found->items, found->total, &found->source);
	struct dt_code_lens *lenses = copy_items(call, &list, sizeof(*lenses));

	for (size_t i = 0; i < list.items.count; i++)
		lenses[i].range = dt_view_range(lenses[i].range);
	dt_call_reply_result(call, &list);
}

static void get_lenses(struct dt_call *call, const void *args)
{
	const struct dt_path_args *wanted = args;
	struct dt_lines_args lines = { .path = wanted->path };

	dt_call_perform(call, &dt_op_get_code_lenses, &lines, on_lenses);
}

/* clang-format off */
#define CODE_TOOL(op)                                                        \
	.effect = DT_READS, .needs = &(op), .deadline_ms = DT_CODE_MS
/* clang-format on */

static const struct dt_tool tools[] = {
	{
		.name = "getDocumentSymbols",
		.title = "Outline of a file",
		.doc = "The functions, classes, variables and so on of a file, "
		       "in the order of the text, each with its range. Use it "
		       "to find your way in a large file before you read it.",
		.args = DT_SHAPE(struct outline_args, outline_args),
		.result = DT_SHAPE(struct symbols, symbols_fields),
		.flags = DT_TOOL_REPEATABLE,
		.run = get_outline,
		CODE_TOOL(dt_op_get_document_symbols),
	},
	{
		.name = "searchWorkspaceSymbols",
		.title = "Find a symbol by name",
		.doc = "Functions, classes and so on of the workspace by name, "
		       "exact names first. Use it when you know what something "
		       "is called and not where it is. The language servers of "
		       "the workspace's main languages are started for it.",
		.args = DT_SHAPE(struct search_args, search_args),
		.result = DT_SHAPE(struct symbols, symbols_fields),
		.flags = DT_TOOL_REPEATABLE,
		.run = search_symbols,
		CODE_TOOL(dt_op_search_symbols),
	},
	{
		.name = "getInlayHints",
		.title = "Types and parameter names that are not written",
		.doc = "Inferred types and the names of parameters at calls, "
		       "as an editor shows them between the code.",
		.args = DT_SHAPE(struct lines_args, lines_fields),
		.result = DT_SHAPE(struct list, hints_fields),
		.flags = DT_TOOL_REPEATABLE | DT_TOOL_EXTRA,
		.run = get_hints,
		CODE_TOOL(dt_op_get_inlay_hints),
	},
	{
		.name = "getSemanticTokens",
		.title = "What each word of the code is",
		.doc = "The words of a file with what they are: parameter, "
		       "property, macro, and whether declared, readonly and so "
		       "on.",
		.args = DT_SHAPE(struct lines_args, tokens_args),
		.result = DT_SHAPE(struct list, tokens_fields),
		.flags = DT_TOOL_REPEATABLE | DT_TOOL_EXTRA,
		.run = get_tokens,
		CODE_TOOL(dt_op_get_semantic_tokens),
	},
	{
		.name = "foldingRanges",
		.title = "Blocks of a file",
		.doc = "The blocks of a file that an editor can fold: bodies, "
		       "comments, imports.",
		.args = DT_SHAPE(struct lines_args, lines_fields),
		.result = DT_SHAPE(struct list, foldings_fields),
		.flags = DT_TOOL_REPEATABLE | DT_TOOL_EXTRA,
		.run = get_foldings,
		CODE_TOOL(dt_op_get_folding_ranges),
	},
	{
		.name = "getDocumentLinks",
		.title = "Links of a file",
		.doc = "The links in a file, as #include lines, with the files "
		       "they lead to.",
		.args = DT_SHAPE(struct dt_path_args, path_fields),
		.result = DT_SHAPE(struct list, links_fields),
		.flags = DT_TOOL_REPEATABLE | DT_TOOL_EXTRA,
		.run = get_links,
		CODE_TOOL(dt_op_get_document_links),
	},
	{
		.name = "getCodeLens",
		.title = "Lenses of a file",
		.doc = "What an editor says above the functions of a file, as "
		       "the number of references.",
		.args = DT_SHAPE(struct dt_path_args, path_fields),
		.result = DT_SHAPE(struct list, lenses_fields),
		.flags = DT_TOOL_REPEATABLE | DT_TOOL_EXTRA,
		.run = get_lenses,
		CODE_TOOL(dt_op_get_code_lenses),
	},
};

const struct dt_tool_group dt_tools_code_file = {
	.name = "outline",
	.doc = "What language servers know about the code of a file, and the "
	       "symbols of the workspace.",
	.tools = tools,
	.count = sizeof(tools) / sizeof(tools[0]),
};
