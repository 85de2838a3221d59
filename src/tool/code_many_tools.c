/*
 * tool/code_many_tools.c - several questions about code in one call.
 *
 * They are asked one after the other.  A part that cannot be told is named in
 * the result beside those that can; only when nothing could be told the call
 * fails, with the first reason.
 */
#include "tool/code_many_tools.h"

#include "tool/code_place.h"
#include "tool/code_view.h"

#define BATCH_MAX 10
#define REFERENCES_MAX 20
#define CALLS_MAX 50

/* batchGetHover, batchGoToDefinition, batchFindImplementations */

struct batch_args {
	struct dt_items items; /* struct dt_place_view */
};
static const struct dt_shape place_shape =
	DT_SHAPE(struct dt_place_view, dt_place_view_fields);
static const struct dt_field batch_args[] = {
	DT_FIELD(struct batch_args, items, ITEMS, DT_REQ,
	         "The places, at most 10.", .shape = &place_shape),
	DT_FIELD_END,
};

/* What came of one place. */
struct one {
	const char *path;
	uint32_t line;
	struct dt_maybe_u32 column;
	bool is_found;
	struct dt_str contents;
	struct dt_items locations;
	const char *error;
	struct dt_code_end_view end;
};
/* clang-format off */
#define ONE_FIELDS                                                           \
	DT_FIELD_AS("filePath", struct one, path, NAME, DT_REQ,              \
	            "The place that was asked about."),                      \
	DT_FIELD(struct one, line, U32, DT_REQ, "Its line."),                \
	DT_FIELD(struct one, column, MAYBE_U32, DT_OMIT,                     \
	         "Its column, where one was given."),                        \
	DT_FIELD_AS("found", struct one, is_found, BOOL, DT_REQ,             \
	            "There is something."),                                  \
	DT_FIELD(struct one, error, NAME, DT_OMIT, "Why nobody could look."), \
	DT_CODE_END_FIELDS(struct one)
/* clang-format on */
static const struct dt_field hover_fields[] = {
	ONE_FIELDS,
	DT_FIELD(struct one, contents, STR, DT_OMIT, "Markdown."),
	DT_FIELD_END,
};
static const struct dt_shape hover_shape = DT_SHAPE(struct one, hover_fields);
static const struct dt_field places_fields[] = {
	ONE_FIELDS,
	DT_FIELD(struct one, locations, ITEMS, DT_OMIT, "The places.",
	         .shape = &dt_shape_code_location),
	DT_FIELD_END,
};
static const struct dt_shape places_shape = DT_SHAPE(struct one, places_fields);

struct batch {
	struct dt_items results; /* struct one */
	uint32_t count;
	size_t failed;
	struct dt_fail fail; /* the first */
};
static const struct dt_field hovers_fields[] = {
	DT_FIELD(struct batch, results, ITEMS, DT_REQ,
	         "One for each place, in order.", .shape = &hover_shape),
	DT_FIELD(struct batch, count, U32, DT_REQ, "How many were found."),
	DT_FIELD_END,
};
static const struct dt_field places_batch_fields[] = {
	DT_FIELD(struct batch, results, ITEMS, DT_REQ,
	         "One for each place, in order.", .shape = &places_shape),
	DT_FIELD(struct batch, count, U32, DT_REQ, "How many were found."),
	DT_FIELD_END,
};

static void ask_next(struct dt_call *call);

/* The place that is asked about now. */
static struct one *begin_one(struct dt_call *call)
{
	const struct batch_args *args = call->args;
	struct batch *batch = call->state;
	const struct dt_place_view *places = args->items.ptr;
	struct one *list = batch->results.ptr;
	struct one *one = &list[batch->results.count];

	*one = (struct one){
		.path = places[batch->results.count].path,
		.line = places[batch->results.count].line.value,
		.column = places[batch->results.count].column,
	};
	return one;
}

static void end_one(struct dt_call *call, const struct one *one)
{
	struct batch *batch = call->state;

	batch->count += one->is_found;
	batch->results.count++;
	ask_next(call);
}

static void on_one_hover(struct dt_call *call, const void *result)
{
	const struct dt_hover_result *found = result;
	struct one *one = begin_one(call);

	one->is_found = found->is_found;
	one->contents = dt_view_text(call->arena, found->text);
	one->end = dt_view_code_end(call->arena, &found->source);
	end_one(call, one);
}

static void on_one_place(struct dt_call *call, const void *result)
{
	const struct dt_locations_result *found = result;
	struct one *one = begin_one(call);

	one->is_found = found->total > 0;
	one->locations = dt_view_locations(call->arena, &found->items);
	one->end = dt_view_code_end(call->arena, &found->source);
	end_one(call, one);
}

static void on_one_failure(struct dt_call *call, const struct dt_fail *fail)
{
	struct one *one = begin_one(call);
	struct batch *batch = call->state;

	if (batch->failed++ == 0)
		batch->fail = *fail;
	if (fail->code == DT_E_TIMEOUT) {
		dt_call_fail(call, fail);
		return;
	}
	one->error = dt_arena_strdup(call->arena, fail->msg);
	end_one(call, one);
}

static void ask_next(struct dt_call *call)
{
	const struct batch_args *args = call->args;
	const struct dt_place_view *places = args->items.ptr;
	struct batch *batch = call->state;
	struct dt_locate_args locate = { .limit = { true, REFERENCES_MAX } };
	size_t next = batch->results.count;

	if (next == args->items.count) {
		if (batch->failed < next)
			dt_call_reply_result(call, batch);
		else
			dt_call_fail(call, &batch->fail);
		return;
	}
	if (!dt_view_place(call, &places[next], &locate.place))
		return;
	if (call->tool->needs == &dt_op_get_hover)
		dt_call_perform_or(call, &dt_op_get_hover, &locate.place,
		                   on_one_hover, on_one_failure);
	else
		dt_call_perform_or(call, call->tool->needs, &locate,
		                   on_one_place, on_one_failure);
}

static void ask_many(struct dt_call *call, const void *args)
{
	const struct batch_args *wanted = args;
	struct batch *batch = dt_arena_alloc(call->arena, sizeof(*batch));

	if (wanted->items.count < 1 || wanted->items.count > BATCH_MAX) {
		dt_call_failf(call, DT_E_ARGS, "items: must be 1 to %u places",
		              BATCH_MAX);
		return;
	}
	batch->results.ptr = dt_arena_alloc(
		call->arena, wanted->items.count * sizeof(struct one));
	call->state = batch;
	ask_next(call);
}

/* explainSymbol */

struct explained {
	struct dt_code_place place;
	struct dt_str hover;
	struct dt_items definition; /* struct dt_location */
	struct dt_items references; /* the same */
	uint32_t references_total;
	struct dt_items callers; /* struct dt_hierarchy_item */
	struct dt_items callees;
	struct dt_items supertypes;
	struct dt_items subtypes;
	struct dt_names missing;
	struct dt_code_end_view end;
	/* how far it is */
	size_t step;
	size_t told;
	struct dt_fail fail; /* the first */
};
static const struct dt_field explained_fields[] = {
	DT_FIELD(struct explained, hover, STR, DT_OMIT,
	         "Type, signature and documentation, as Markdown."),
	DT_FIELD(struct explained, definition, ITEMS, DT_REQ,
	         "Where it is defined.", .shape = &dt_shape_code_location),
	DT_FIELD(struct explained, references, ITEMS, DT_REQ,
	         "Where it is used, the first 20; findReferences has all.",
	         .shape = &dt_shape_code_location),
	DT_FIELD_AS("referencesTotal", struct explained, references_total, U32,
	            DT_REQ, "How many uses there are."),
	DT_FIELD(struct explained, callers, ITEMS, DT_REQ, "Who calls it.",
	         .shape = &dt_shape_code_item),
	DT_FIELD(struct explained, callees, ITEMS, DT_REQ, "What it calls.",
	         .shape = &dt_shape_code_item),
	DT_FIELD(struct explained, supertypes, ITEMS, DT_OMIT,
	         "What it is derived from.", .shape = &dt_shape_code_item),
	DT_FIELD(struct explained, subtypes, ITEMS, DT_OMIT,
	         "What is derived from it.", .shape = &dt_shape_code_item),
	DT_FIELD(struct explained, missing, NAMES, DT_OMIT,
	         "Parts that could not be told, and why."),
	DT_CODE_END_FIELDS(struct explained),
	DT_FIELD_END,
};

struct explain_args {
	struct dt_place_view place;
	bool has_types;
};
static const struct dt_field explain_args[] = {
	DT_PLACE_FIELDS(struct explain_args, place.),
	DT_FIELD_AS("includeTypeHierarchy", struct explain_args, has_types,
	            BOOL, 0, "Also supertypes and subtypes.", .def = "false"),
	DT_FIELD_END,
};

static void explain_next(struct dt_call *call);

static void add_missing(struct dt_call *call, struct explained *e,
                        const char *why)
{
	e->missing.ptr[e->missing.count++] = dt_arena_strdup(call->arena, why);
}

/* Every part says the same of the place and the server; the busy one wins. */
static void take_end(struct dt_call *call, struct explained *e,
                     const struct dt_code_source *source)
{
	struct dt_code_end_view end = dt_view_code_end(call->arena, source);

	if (!e->end.server || end.note)
		e->end = end;
	e->told++;
	e->step++;
}

static void on_hover(struct dt_call *call, const void *result)
{
	const struct dt_hover_result *found = result;
	struct explained *e = call->state;

	e->hover = dt_view_text(call->arena, found->text);
	take_end(call, e, &found->source);
	explain_next(call);
}

static void on_definition(struct dt_call *call, const void *result)
{
	const struct dt_locations_result *found = result;
	struct explained *e = call->state;

	e->definition = dt_view_locations(call->arena, &found->items);
	take_end(call, e, &found->source);
	explain_next(call);
}

static void on_references(struct dt_call *call, const void *result)
{
	const struct dt_locations_result *found = result;
	struct explained *e = call->state;

	e->references = dt_view_locations(call->arena, &found->items);
	e->references_total = found->total;
	take_end(call, e, &found->source);
	explain_next(call);
}

static void on_calls(struct dt_call *call, const void *result)
{
	const struct dt_hierarchy_result *found = result;
	struct explained *e = call->state;

	e->callers = dt_view_items(call->arena, &found->up, CALLS_MAX);
	e->callees = dt_view_items(call->arena, &found->down, CALLS_MAX);
	if (found->missing)
		add_missing(call, e, found->missing);
	take_end(call, e, &found->source);
	explain_next(call);
}

static void on_types(struct dt_call *call, const void *result)
{
	const struct dt_hierarchy_result *found = result;
	struct explained *e = call->state;

	e->supertypes = dt_view_items(call->arena, &found->up, CALLS_MAX);
	e->subtypes = dt_view_items(call->arena, &found->down, CALLS_MAX);
	take_end(call, e, &found->source);
	explain_next(call);
}

/* The parts in order; each operation's arguments begin with the place. */
static const struct {
	const char *name;
	const struct dt_operation *op;
	dt_result_fn *on_result;
} parts[] = {
	{ "hover", &dt_op_get_hover, on_hover },
	{ "definition", &dt_op_go_to_definition, on_definition },
	{ "references", &dt_op_find_references, on_references },
	{ "callers and callees", &dt_op_get_call_hierarchy, on_calls },
	{ "types", &dt_op_get_type_hierarchy, on_types },
};

#define PARTS (sizeof(parts) / sizeof(parts[0]))

static void on_part_failure(struct dt_call *call, const struct dt_fail *fail)
{
	struct explained *e = call->state;

	if (fail->code == DT_E_TIMEOUT || fail->code == DT_E_ARGS ||
	    fail->code == DT_E_DENIED) {
		dt_call_fail(call, fail);
		return;
	}
	if (!e->fail.code)
		e->fail = *fail;
	add_missing(call, e,
	            dt_arena_printf(call->arena, "%s: %s", parts[e->step].name,
	                            fail->msg));
	e->step++;
	explain_next(call);
}

static void explain_next(struct dt_call *call)
{
	const struct explain_args *args = call->args;
	struct explained *e = call->state;
	size_t count = args->has_types ? PARTS : PARTS - 1;
	/* Large enough for each operation's arguments, and zero means nothing
	 * special in all of them but the limit. */
	union {
		struct dt_code_place place;
		struct dt_locate_args locate;
		struct dt_hierarchy_args tree;
	} asked = { .locate = { .limit = { true, REFERENCES_MAX } } };

	if (e->step == count) {
		if (e->told > 0)
			dt_call_reply_result(call, e);
		else
			dt_call_fail(call, &e->fail);
		return;
	}
	if (parts[e->step].op->args.size == sizeof(struct dt_hierarchy_args))
		asked.tree =
			(struct dt_hierarchy_args){ .direction = DT_CODE_BOTH };
	asked.place = e->place;
	dt_call_perform_or(call, parts[e->step].op, &asked,
	                   parts[e->step].on_result, on_part_failure);
}

static void explain_at(struct dt_call *call, const struct dt_code_place *place)
{
	struct explained *e = dt_arena_alloc(call->arena, sizeof(*e));

	e->place = *place;
	e->missing.ptr =
		dt_arena_alloc(call->arena, (2 * PARTS) * sizeof(const char *));
	call->state = e;
	explain_next(call);
}

static void explain_symbol(struct dt_call *call, const void *args)
{
	const struct explain_args *wanted = args;

	dt_code_place_find(call, &wanted->place, explain_at);
}

/* clang-format off */
#define CODE_TOOL(op)                                                        \
	.effect = DT_READS, .needs = &(op)
/* clang-format on */

static const struct dt_tool tools[] = {
	{
		.name = "explainSymbol",
		.title = "All about a symbol",
		.doc = "Type and documentation, definition, uses, callers and "
		       "callees of the symbol at a place in one answer. Use it "
		       "first when you meet a symbol you do not know.",
		.args = DT_SHAPE(struct explain_args, explain_args),
		.result = DT_SHAPE(struct explained, explained_fields),
		.flags = DT_TOOL_REPEATABLE,
		.deadline_ms = 2 * DT_CODE_MS,
		.run = explain_symbol,
		CODE_TOOL(dt_op_get_hover),
	},
	{
		.name = "batchGetHover",
		.title = "Types and documentation of several symbols",
		.doc = "As getHover for up to 10 places at once.",
		.args = DT_SHAPE(struct batch_args, batch_args),
		.result = DT_SHAPE(struct batch, hovers_fields),
		.flags = DT_TOOL_REPEATABLE | DT_TOOL_EXTRA,
		.deadline_ms = 2 * DT_CODE_MS,
		.run = ask_many,
		CODE_TOOL(dt_op_get_hover),
	},
	{
		.name = "batchGoToDefinition",
		.title = "Definitions of several symbols",
		.doc = "As goToDefinition for up to 10 places at once.",
		.args = DT_SHAPE(struct batch_args, batch_args),
		.result = DT_SHAPE(struct batch, places_batch_fields),
		.flags = DT_TOOL_REPEATABLE | DT_TOOL_EXTRA,
		.deadline_ms = 2 * DT_CODE_MS,
		.run = ask_many,
		CODE_TOOL(dt_op_go_to_definition),
	},
	{
		.name = "batchFindImplementations",
		.title = "Implementations of several symbols",
		.doc = "As findImplementations for up to 10 places at once.",
		.args = DT_SHAPE(struct batch_args, batch_args),
		.result = DT_SHAPE(struct batch, places_batch_fields),
		.flags = DT_TOOL_REPEATABLE | DT_TOOL_EXTRA,
		.deadline_ms = 2 * DT_CODE_MS,
		.run = ask_many,
		CODE_TOOL(dt_op_find_implementations),
	},
};

const struct dt_tool_group dt_tools_code_many = {
	.name = "code at once",
	.doc = "Several questions about code in one call.",
	.tools = tools,
	.count = sizeof(tools) / sizeof(tools[0]),
};
