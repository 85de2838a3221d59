/*
 * tool/code_tools.c - what there is to know about a place in the code.
 *
 * A tool performs the operation it needs.  That nothing was found is a result;
 * that nobody could look is a failure, with what to install.
 */
#include "tool/code_tools.h"

#include "tool/code_place.h"
#include "tool/code_view.h"

#define PAGE 100
#define ITEMS_MAX 500

/* goToDefinition, goToTypeDefinition, goToDeclaration, findImplementations,
 * findReferences */

struct locate_args {
	struct dt_place_view place;
	uint32_t cursor;
};
static const struct dt_field locate_fields[] = {
	DT_PLACE_FIELDS(struct locate_args, place.),
	DT_FIELD(struct locate_args, cursor, U32, 0,
	         "The nextCursor of the page before; absent: the first page."),
	DT_FIELD_END,
};

struct located {
	bool is_found;
	const char *message;
	struct dt_items items;
	uint32_t count;
	uint32_t total;
	struct dt_maybe_u32 next_cursor;
	struct dt_code_end_view end;
};
/* clang-format off */
#define LOCATED_FIELDS(json, text)                                           \
	DT_FIELD_AS("found", struct located, is_found, BOOL, DT_REQ,         \
	            "There is at least one."),                               \
	DT_FIELD(struct located, message, NAME, DT_OMIT,                     \
	         "Why there may be none."),                                  \
	DT_FIELD_AS(json, struct located, items, ITEMS, DT_REQ, text,        \
	            .shape = &dt_shape_code_location),                       \
	DT_FIELD(struct located, count, U32, DT_REQ, "How many are listed."), \
	DT_FIELD(struct located, total, U32, DT_REQ, "How many there are."), \
	DT_FIELD_AS("nextCursor", struct located, next_cursor, MAYBE_U32,     \
	            DT_OMIT,                                                 \
	            "Not all are listed: the cursor of the next page."),     \
	DT_CODE_END_FIELDS(struct located)
/* clang-format on */

static const struct dt_field locations_fields[] = {
	LOCATED_FIELDS("locations", "The places, the best first."),
	DT_FIELD_END,
};
static const struct dt_field references_fields[] = {
	LOCATED_FIELDS("references",
	               "The places by file and line, the declaration too."),
	DT_FIELD_END,
};
static const struct dt_field implementations_fields[] = {
	LOCATED_FIELDS("implementations", "The places by file and line."),
	DT_FIELD_END,
};

static void on_locations(struct dt_call *call, const void *result)
{
	const struct locate_args *args = call->args;
	const struct dt_locations_result *found = result;
	struct located located = {
		.is_found = found->total > 0,
		.items = dt_view_locations(call->arena, &found->items),
		.count = (uint32_t)found->items.count,
		.total = found->total,
		.end = dt_view_code_end(call->arena, &found->source),
	};

	if (!located.is_found)
		located.message =
			"The language server knows of none for what is at this "
			"place. Check line and column, or give the symbol.";
	if (located.count > 0 && args->cursor + located.count < located.total)
		located.next_cursor =
			(struct dt_maybe_u32){ true,
			                       args->cursor + located.count };
	dt_call_reply_result(call, &located);
}

static void locate_at(struct dt_call *call, const struct dt_code_place *place)
{
	const struct locate_args *args = call->args;
	struct dt_locate_args locate = {
		.place = *place,
		.offset = args->cursor,
		.limit = { true, PAGE },
	};

	dt_call_perform(call, call->tool->needs, &locate, on_locations);
}

static void locate(struct dt_call *call, const void *args)
{
	const struct locate_args *wanted = args;

	dt_code_place_find(call, &wanted->place, locate_at);
}

/* getHover */

struct hover {
	bool is_found;
	const char *message;
	struct dt_str contents;
	struct dt_range range;
	struct dt_code_end_view end;
};
static const struct dt_field hover_fields[] = {
	DT_FIELD_AS("found", struct hover, is_found, BOOL, DT_REQ,
	            "There is something to say."),
	DT_FIELD(struct hover, message, NAME, DT_OMIT, "Why there is nothing."),
	DT_FIELD(struct hover, contents, STR, DT_OMIT,
	         "Type, signature and documentation, as Markdown."),
	DT_FIELD_OBJECT("range", struct hover, range, struct dt_range,
	                dt_shape_code_range, DT_OMIT, "What it is about."),
	DT_CODE_END_FIELDS(struct hover),
	DT_FIELD_END,
};

static void on_hover(struct dt_call *call, const void *result)
{
	const struct dt_hover_result *found = result;
	struct hover hover = {
		.is_found = found->is_found,
		.end = dt_view_code_end(call->arena, &found->source),
	};

	if (found->is_found) {
		hover.contents = found->text;
		hover.range = dt_view_range(found->range);
	} else if (!hover.end.note) {
		hover.message = "There is nothing to say about what is at this "
				"place. Check line and column, or give the "
				"symbol.";
	}
	dt_call_reply_result(call, &hover);
}

static void hover_at(struct dt_call *call, const struct dt_code_place *place)
{
	dt_call_perform(call, &dt_op_get_hover, place, on_hover);
}

static void get_hover(struct dt_call *call, const void *args)
{
	dt_code_place_find(call, args, hover_at);
}

/* getHoverAtCursor */

static void on_cursor(struct dt_call *call, const void *result)
{
	const struct dt_selection *selection = result;
	struct dt_code_place place = {
		.path = selection->path,
		.at = selection->range.start,
	};

	if (selection->path)
		dt_call_perform(call, &dt_op_get_hover, &place, on_hover);
	else
		dt_call_failf(call, DT_E_STATE,
		              "nothing is selected and no document is active; "
		              "use getHover with a place");
}

static void get_hover_at_cursor(struct dt_call *call, const void *args)
{
	struct dt_get_selection_args wanted = { .is_latest = false };

	(void)args;
	dt_call_perform(call, &dt_op_get_selection, &wanted, on_cursor);
}

/* getTypeSignature */

struct type_signature {
	bool is_found;
	struct dt_str signature;
	struct dt_str raw;
	struct dt_code_end_view end;
};
static const struct dt_field type_signature_fields[] = {
	DT_FIELD_AS("found", struct type_signature, is_found, BOOL, DT_REQ,
	            "There is a signature."),
	DT_FIELD(struct type_signature, signature, STR, DT_OMIT,
	         "The signature or type, without Markdown."),
	DT_FIELD(struct type_signature, raw, STR, DT_OMIT,
	         "What it was taken from, when there is no signature in it."),
	DT_CODE_END_FIELDS(struct type_signature),
	DT_FIELD_END,
};

/* The first block of code of a Markdown text; absent: there is none. */
static struct dt_str first_code(struct dt_str text)
{
	const char *open =
		text.len ? memmem(text.ptr, text.len, "```", 3) : NULL;
	struct dt_str code = { 0 };
	const char *end;

	if (!open)
		return code;
	end = text.ptr + text.len;
	open = memchr(open, '\n', (size_t)(end - open));
	if (!open)
		return code;
	code.ptr = open + 1;
	code.len = (size_t)(end - code.ptr);
	end = memmem(code.ptr, code.len, "\n```", 4);
	if (end)
		code.len = (size_t)(end - code.ptr);
	return code;
}

static void on_type_signature(struct dt_call *call, const void *result)
{
	const struct dt_hover_result *found = result;
	struct type_signature told = {
		.signature = first_code(found->text),
		.end = dt_view_code_end(call->arena, &found->source),
	};

	told.is_found = told.signature.ptr != NULL;
	if (!told.is_found)
		told.raw = found->text;
	dt_call_reply_result(call, &told);
}

static void type_signature_at(struct dt_call *call,
                              const struct dt_code_place *place)
{
	dt_call_perform(call, &dt_op_get_hover, place, on_type_signature);
}

static void get_type_signature(struct dt_call *call, const void *args)
{
	dt_code_place_find(call, args, type_signature_at);
}

/* signatureHelp */

static const struct dt_field parameter_fields[] = {
	DT_FIELD(struct dt_signature_parameter, label, STR, DT_REQ,
	         "As in the signature."),
	DT_FIELD_AS("documentation", struct dt_signature_parameter, doc, STR,
	            DT_OMIT, "Markdown."),
	DT_FIELD_END,
};
static const struct dt_shape parameter_shape =
	DT_SHAPE(struct dt_signature_parameter, parameter_fields);

static const struct dt_field signature_fields[] = {
	DT_FIELD(struct dt_signature, label, STR, DT_REQ, "The signature."),
	DT_FIELD_AS("documentation", struct dt_signature, doc, STR, DT_OMIT,
	            "Markdown."),
	DT_FIELD(struct dt_signature, parameters, ITEMS, DT_REQ,
	         "Its parameters.", .shape = &parameter_shape),
	DT_FIELD_END,
};
static const struct dt_shape signature_shape =
	DT_SHAPE(struct dt_signature, signature_fields);

struct signatures {
	bool is_found;
	struct dt_items items;
	uint32_t active;
	uint32_t parameter;
	struct dt_code_end_view end;
};
static const struct dt_field signatures_fields[] = {
	DT_FIELD_AS("found", struct signatures, is_found, BOOL, DT_REQ,
	            "The place is inside a call."),
	DT_FIELD_AS("signatures", struct signatures, items, ITEMS, DT_REQ,
	            "The signatures of what is called.",
	            .shape = &signature_shape),
	DT_FIELD_AS("activeSignature", struct signatures, active, U32, DT_REQ,
	            "Which one fits, from 0."),
	DT_FIELD_AS("activeParameter", struct signatures, parameter, U32,
	            DT_REQ, "Which parameter the place is at, from 0."),
	DT_CODE_END_FIELDS(struct signatures),
	DT_FIELD_END,
};

static void on_signatures(struct dt_call *call, const void *result)
{
	const struct dt_signatures_result *found = result;
	struct signatures signatures = {
		.is_found = found->items.count > 0,
		.items = found->items,
		.active = found->active,
		.parameter = found->parameter,
		.end = dt_view_code_end(call->arena, &found->source),
	};

	dt_call_reply_result(call, &signatures);
}

static void signatures_at(struct dt_call *call,
                          const struct dt_code_place *place)
{
	dt_call_perform(call, &dt_op_get_signature_help, place, on_signatures);
}

static void signature_help(struct dt_call *call, const void *args)
{
	dt_code_place_find(call, args, signatures_at);
}

/* getCallHierarchy, getTypeHierarchy */

struct tree_args {
	struct dt_place_view place;
	int direction; /* enum dt_code_direction */
	uint32_t max;
};
static const char *const call_directions[] = { "both", "incoming", "outgoing",
	                                       NULL };
static const char *const type_directions[] = { "both", "supertypes", "subtypes",
	                                       NULL };
/* clang-format off */
#define TREE_FIELDS(choices, text)                                           \
	DT_PLACE_FIELDS(struct tree_args, place.),                           \
	DT_FIELD(struct tree_args, direction, ENUM, 0, text,                 \
	         .names = choices, .def = "\"both\""),                       \
	DT_FIELD_AS("maxResults", struct tree_args, max, U32, 0,             \
	            "List at most so many of each, up to 500.", .def = "100")
/* clang-format on */
static const struct dt_field call_tree_fields[] = {
	TREE_FIELDS(call_directions,
	            "incoming: who calls it; outgoing: what it calls."),
	DT_FIELD_END,
};
static const struct dt_field type_tree_fields[] = {
	TREE_FIELDS(type_directions, "Which way to look."),
	DT_FIELD_END,
};

struct tree {
	bool is_found;
	const char *message;
	const char *name;
	struct dt_items up;
	struct dt_items down;
	uint32_t up_total;
	uint32_t down_total;
	struct dt_code_end_view end;
};
/* clang-format off */
#define TREE_RESULT(up_json, up_text, down_json, down_text)                  \
	DT_FIELD_AS("found", struct tree, is_found, BOOL, DT_REQ,            \
	            "There is such a thing at the place."),                  \
	DT_FIELD(struct tree, message, NAME, DT_OMIT,                        \
	         "What could not be told."),                                 \
	DT_FIELD(struct tree, name, NAME, DT_OMIT, "What is at the place."), \
	DT_FIELD_AS(up_json, struct tree, up, ITEMS, DT_REQ, up_text,        \
	            .shape = &dt_shape_code_item),                           \
	DT_FIELD_AS(down_json, struct tree, down, ITEMS, DT_REQ, down_text,  \
	            .shape = &dt_shape_code_item),                           \
	DT_FIELD_AS(up_json "Total", struct tree, up_total, U32, DT_REQ,     \
	            "How many of these there are."),                         \
	DT_FIELD_AS(down_json "Total", struct tree, down_total, U32, DT_REQ, \
	            "How many of those there are."),                         \
	DT_CODE_END_FIELDS(struct tree)
/* clang-format on */
static const struct dt_field calls_fields[] = {
	TREE_RESULT("incoming", "Who calls it.", "outgoing", "What it calls."),
	DT_FIELD_END,
};
static const struct dt_field types_fields[] = {
	TREE_RESULT("supertypes", "What it is derived from.", "subtypes",
	            "What is derived from it."),
	DT_FIELD_END,
};

static void on_tree(struct dt_call *call, const void *result)
{
	const struct dt_hierarchy_result *found = result;
	const struct tree_args *args = call->args;
	struct tree tree = {
		.is_found = found->is_found,
		.message = found->missing,
		.name = found->name,
		.up = dt_view_items(call->arena, &found->up, args->max),
		.down = dt_view_items(call->arena, &found->down, args->max),
		.up_total = (uint32_t)found->up.count,
		.down_total = (uint32_t)found->down.count,
		.end = dt_view_code_end(call->arena, &found->source),
	};

	if (!tree.is_found && call->tool->needs == &dt_op_get_type_hierarchy)
		tree.message =
			"Nothing at this place is derived from anything or can "
			"be: only classes and interfaces are, a struct of C is "
			"not. Check line and column, or give the symbol.";
	else if (!tree.is_found)
		tree.message =
			"There is no function at this place. Check line and "
			"column, or give the symbol.";
	dt_call_reply_result(call, &tree);
}

static void tree_at(struct dt_call *call, const struct dt_code_place *place)
{
	const struct tree_args *args = call->args;
	struct dt_hierarchy_args tree = {
		.place = *place,
		.direction = args->direction,
	};

	dt_call_perform(call, call->tool->needs, &tree, on_tree);
}

static void get_tree(struct dt_call *call, const void *args)
{
	const struct tree_args *wanted = args;

	if (wanted->max < 1 || wanted->max > ITEMS_MAX)
		dt_call_failf(call, DT_E_ARGS, "maxResults: must be 1 to %u",
		              ITEMS_MAX);
	else
		dt_code_place_find(call, &wanted->place, tree_at);
}

/* selectionRanges */

struct ranges {
	struct dt_items items;
	uint32_t count;
	struct dt_code_end_view end;
};
static const struct dt_field ranges_fields[] = {
	DT_FIELD_AS("ranges", struct ranges, items, ITEMS, DT_REQ,
	            "What is around the place, the innermost first.",
	            .shape = &dt_shape_code_range),
	DT_FIELD(struct ranges, count, U32, DT_REQ, "How many."),
	DT_CODE_END_FIELDS(struct ranges),
	DT_FIELD_END,
};

static void on_ranges(struct dt_call *call, const void *result)
{
	const struct dt_ranges_result *found = result;
	const struct dt_range *list = found->items.ptr;
	struct dt_range *copy = dt_arena_alloc(
		call->arena, (found->items.count + 1) * sizeof(*copy));
	struct ranges ranges = {
		.items = { copy, found->items.count },
		.count = (uint32_t)found->items.count,
		.end = dt_view_code_end(call->arena, &found->source),
	};

	for (size_t i = 0; i < found->items.count; i++)
		copy[i] = dt_view_range(list[i]);
	dt_call_reply_result(call, &ranges);
}

static void ranges_at(struct dt_call *call, const struct dt_code_place *place)
{
	dt_call_perform(call, &dt_op_get_selection_ranges, place, on_ranges);
}

static void selection_ranges(struct dt_call *call, const void *args)
{
	dt_code_place_find(call, args, ranges_at);
}

/* clang-format off */
#define CODE_TOOL(op)                                                        \
	.effect = DT_READS, .needs = &(op), .deadline_ms = DT_CODE_MS
/* clang-format on */

static const struct dt_tool tools[] = {
	{
		.name = "goToDefinition",
		.title = "Definition",
		.doc = "Where the symbol at a place is defined, with the line. "
		       "Better than searching for its name: it knows scopes, "
		       "imports and overloads.",
		.args = DT_SHAPE(struct locate_args, locate_fields),
		.result = DT_SHAPE(struct located, locations_fields),
		.flags = DT_TOOL_REPEATABLE,
		.run = locate,
		CODE_TOOL(dt_op_go_to_definition),
	},
	{
		.name = "findReferences",
		.title = "References",
		.doc = "Every use of the symbol at a place in the workspace, "
		       "with the lines. Use it before you change or remove "
		       "something. Pages of 100: go on with nextCursor.",
		.args = DT_SHAPE(struct locate_args, locate_fields),
		.result = DT_SHAPE(struct located, references_fields),
		.flags = DT_TOOL_REPEATABLE,
		.run = locate,
		CODE_TOOL(dt_op_find_references),
	},
	{
		.name = "getHover",
		.title = "Type and documentation",
		.doc = "The type, signature and documentation of the symbol at "
		       "a place, as an editor shows them under the mouse.",
		.args = DT_SHAPE(struct dt_place_view, dt_place_view_fields),
		.result = DT_SHAPE(struct hover, hover_fields),
		.flags = DT_TOOL_REPEATABLE,
		.run = get_hover,
		CODE_TOOL(dt_op_get_hover),
	},
	{
		.name = "findImplementations",
		.title = "Implementations",
		.doc = "Where the interface, abstract method or type at a "
		       "place is implemented.",
		.args = DT_SHAPE(struct locate_args, locate_fields),
		.result = DT_SHAPE(struct located, implementations_fields),
		.flags = DT_TOOL_REPEATABLE,
		.run = locate,
		CODE_TOOL(dt_op_find_implementations),
	},
	{
		.name = "goToTypeDefinition",
		.title = "Definition of the type",
		.doc = "Where the type of the symbol at a place is defined.",
		.args = DT_SHAPE(struct locate_args, locate_fields),
		.result = DT_SHAPE(struct located, locations_fields),
		.flags = DT_TOOL_REPEATABLE,
		.run = locate,
		CODE_TOOL(dt_op_go_to_type_definition),
	},
	{
		.name = "goToDeclaration",
		.title = "Declaration",
		.doc = "Where the symbol at a place is declared, as the "
		       "prototype in a header; see also goToDefinition.",
		.args = DT_SHAPE(struct locate_args, locate_fields),
		.result = DT_SHAPE(struct located, locations_fields),
		.flags = DT_TOOL_REPEATABLE | DT_TOOL_EXTRA,
		.run = locate,
		CODE_TOOL(dt_op_go_to_declaration),
	},
	{
		.name = "getCallHierarchy",
		.title = "Callers and callees",
		.doc = "Which functions call the one at a place, and which it "
		       "calls, with the places of the calls.",
		.args = DT_SHAPE(struct tree_args, call_tree_fields),
		.result = DT_SHAPE(struct tree, calls_fields),
		.flags = DT_TOOL_REPEATABLE,
		.run = get_tree,
		CODE_TOOL(dt_op_get_call_hierarchy),
	},
	{
		.name = "getTypeHierarchy",
		.title = "Supertypes and subtypes",
		.doc = "What the class or interface at a place is derived from, "
		       "and what is derived from it.",
		.args = DT_SHAPE(struct tree_args, type_tree_fields),
		.result = DT_SHAPE(struct tree, types_fields),
		.flags = DT_TOOL_REPEATABLE | DT_TOOL_EXTRA,
		.run = get_tree,
		CODE_TOOL(dt_op_get_type_hierarchy),
	},
	{
		.name = "signatureHelp",
		.title = "Signature of a call",
		.doc = "The signatures of the function that is called around a "
		       "place, and which parameter the place is at. A place on "
		       "the function's name will do.",
		.args = DT_SHAPE(struct dt_place_view, dt_place_view_fields),
		.result = DT_SHAPE(struct signatures, signatures_fields),
		.flags = DT_TOOL_REPEATABLE,
		.run = signature_help,
		CODE_TOOL(dt_op_get_signature_help),
	},
	{
		.name = "getTypeSignature",
		.title = "Signature of a symbol",
		.doc = "The signature or type of the symbol at a place as code, "
		       "without its documentation.",
		.args = DT_SHAPE(struct dt_place_view, dt_place_view_fields),
		.result =
			DT_SHAPE(struct type_signature, type_signature_fields),
		.flags = DT_TOOL_REPEATABLE | DT_TOOL_EXTRA,
		.run = get_type_signature,
		CODE_TOOL(dt_op_get_hover),
	},
	{
		.name = "getHoverAtCursor",
		.title = "Type and documentation at the cursor",
		.doc = "As getHover, where the person's cursor is.",
		.args = DT_SHAPE_EMPTY,
		.result = DT_SHAPE(struct hover, hover_fields),
		.flags = DT_TOOL_REPEATABLE | DT_TOOL_EXTRA,
		.run = get_hover_at_cursor,
		CODE_TOOL(dt_op_get_hover),
	},
	{
		.name = "selectionRanges",
		.title = "What is around a place",
		.doc = "The expression, statement, block and so on around a "
		       "place, the innermost first: use it to replace exactly "
		       "one of them.",
		.args = DT_SHAPE(struct dt_place_view, dt_place_view_fields),
		.result = DT_SHAPE(struct ranges, ranges_fields),
		.flags = DT_TOOL_REPEATABLE | DT_TOOL_EXTRA,
		.run = selection_ranges,
		CODE_TOOL(dt_op_get_selection_ranges),
	},
};

const struct dt_tool_group dt_tools_code = {
	.name = "code",
	.doc = "What language servers know about a place in the code. They are "
	       "started when they are needed; the first answer may take a "
	       "while.",
	.tools = tools,
	.count = sizeof(tools) / sizeof(tools[0]),
};
