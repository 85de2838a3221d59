/*
 * tool/code_place.c - the place that a tool is asked about, found by a name.
 *
 * Models know names better than positions.  Symbols come from operations that
 * pass the gate, so a file that is kept from agents is not found by its names.
 * A name that nobody declares in a file, as one it imports, is left to the editor,
 * which takes the first one in the text.
 */
#include "tool/code_place.h"

#include "base/buf.h"

#define FOUND_MAX 100 /* symbols that are asked for */
#define TOLD_MAX 5    /* places in a sentence */
#define NOTE "found by its name"

struct finding {
	const struct dt_place_view *from;
	dt_place_fn *then;
	const char *name;      /* the last part of the symbol */
	const char *container; /* the part before it, or NULL */
	const struct dt_symbol *found[FOUND_MAX];
	size_t count;
};

static bool is_part(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || c == '_' || c == '$' || c == '~' ||
	       (unsigned char)c >= 0x80;
}

/* Of "a::b", "a.b", "a->b" and "a#b" both parts. */
static void split(struct dt_call *call, struct finding *f)
{
	const char *symbol = f->from->symbol;
	size_t end = strlen(symbol);
	size_t at = end;

	while (at > 0 && is_part(symbol[at - 1]))
		at--;
	/* "operator+" is a name as a whole. */
	f->name = at < end ? symbol + at : symbol;
	end = at < end ? at : 0;
	while (end > 0 && !is_part(symbol[end - 1]))
		end--;
	for (at = end; at > 0 && is_part(symbol[at - 1]);)
		at--;
	if (at < end)
		f->container =
			dt_arena_strndup(call->arena, symbol + at, end - at);
}

/* Some servers tell "name(int)". */
static bool is_called(const struct dt_symbol *symbol, const char *name)
{
	size_t len = strlen(name);

	return !strncmp(symbol->name, name, len) &&
	       (!symbol->name[len] || symbol->name[len] == '(');
}

/* Some tell "Outer::Inner". */
static bool is_in(const struct dt_symbol *symbol, const char *container)
{
	struct dt_str is = dt_str(symbol->container ? symbol->container : "");
	struct dt_str wanted = dt_str(container ? container : "");

	return is.len >= wanted.len &&
	       !memcmp(is.ptr + is.len - wanted.len, wanted.ptr, wanted.len);
}

static void gather(struct finding *f, const struct dt_items *symbols,
                   bool is_strict)
{
	const struct dt_symbol *list = symbols->ptr;

	f->count = 0;
	for (size_t i = 0; i < symbols->count && f->count < FOUND_MAX; i++) {
		bool is_home = is_strict ? is_in(&list[i], f->container)
		                         : !list[i].container;

		if (is_home && is_called(&list[i], f->name))
			f->found[f->count++] = &list[i];
	}
	/* "module.name" is in no symbol, and typescript-language-server does
	 * not tell what they are in. */
	if (f->count == 0 && f->container && is_strict)
		gather(f, symbols, false);
}

/* A method of who knows what. */
static bool is_homeless(const struct dt_symbol *symbol)
{
	static const char *const members[] = { "method", "property", "field",
		                               "constructor", NULL };

	for (size_t i = 0; !symbol->container && members[i]; i++) {
		if (!strcmp(symbol->kind, members[i]))
			return true;
	}
	return false;
}

static bool is_one_thing(const struct dt_symbol *a, const struct dt_symbol *b)
{
	const char *in_a = a->container ? a->container : "";
	const char *in_b = b->container ? b->container : "";

	return !strcmp(a->path, b->path) && !strcmp(in_a, in_b) &&
	       !is_homeless(a) && !is_homeless(b);
}

/* Declared and defined in one file, or overloaded: the longest.  NULL: these are
 * different things. */
static const struct dt_symbol *choose(const struct finding *f)
{
	const struct dt_symbol *best = f->found[0];

	for (size_t i = 1; i < f->count; i++) {
		const struct dt_range *range = &f->found[i]->range;

		if (!is_one_thing(best, f->found[i]))
			return NULL;
		if (range->end.line - range->start.line >
		    best->range.end.line - best->range.start.line)
			best = f->found[i];
	}
	return best;
}

static void fail_with_places(struct dt_call *call, const struct finding *f)
{
	struct dt_buf text;

	dt_buf_init(&text, 4096);
	for (size_t i = 0; i < f->count && i < TOLD_MAX; i++)
		dt_buf_addf(&text, "%s%s:%u", i ? ", " : "", f->found[i]->path,
		            f->found[i]->selection.start.line + 1);
	dt_call_failf(call, DT_E_ARGS,
	              "%u symbols are called %s: give filePath and line of "
	              "one: %s%s",
	              (unsigned)f->count, f->name, dt_buf_z(&text),
	              f->count > TOLD_MAX ? " ..." : "");
	dt_buf_done(&text);
}

/* What was found is one thing, or the call fails. */
static void go_on(struct dt_call *call, const struct finding *f)
{
	const struct dt_symbol *best = choose(f);
	struct dt_code_place place = { .symbol = f->name, .note = NOTE };

	if (!best) {
		fail_with_places(call, f);
		return;
	}
	place.path = dt_arena_strdup(call->arena, best->path);
	place.at = best->selection.start;
	call->state = NULL;
	f->then(call, &place);
}

/* in a file */

static void leave_to_editor(struct dt_call *call, const struct finding *f)
{
	struct dt_code_place place = {
		.path = f->from->path,
		.symbol = f->from->symbol,
		.known = DT_CODE_IN_FILE,
	};

	call->state = NULL;
	f->then(call, &place);
}

static void on_outline(struct dt_call *call, const void *result)
{
	const struct dt_symbols_result *outline = result;
	struct finding *f = call->state;

	gather(f, &outline->items, true);
	if (f->count > 0)
		go_on(call, f);
	else
		leave_to_editor(call, f);
}

/* The operation itself has the better sentence. */
static void on_no_outline(struct dt_call *call, const struct dt_fail *fail)
{
	if (fail->code == DT_E_TIMEOUT)
		dt_call_fail(call, fail);
	else
		leave_to_editor(call, call->state);
}

/* in the workspace */

static void on_search(struct dt_call *call, const void *result)
{
	const struct dt_symbols_result *symbols = result;
	struct finding *f = call->state;

	gather(f, &symbols->items, true);
	if (f->count > 0)
		go_on(call, f);
	else if (symbols->source.busy)
		dt_call_failf(
			call, DT_E_STATE,
			"no symbol called %s is known yet, but not all of "
			"the workspace was looked at (%s): ask again",
			f->from->symbol, symbols->source.busy);
	else
		dt_call_failf(call, DT_E_MISSING,
		              "no symbol of the workspace is called %s: give "
		              "filePath and line, or look for it with "
		              "searchWorkspace",
		              f->from->symbol);
}

void dt_code_place_find(struct dt_call *call, const struct dt_place_view *from,
                        dt_place_fn *then)
{
	bool has_symbol = from->symbol && *from->symbol;
	struct dt_code_place place;
	struct finding *f;

	/* Without a name it is as it says, or something is missing. */
	if ((from->path && from->line.is_set) || !has_symbol) {
		if (dt_view_place(call, from, &place))
			then(call, &place);
		return;
	}
	f = dt_arena_alloc(call->arena, sizeof(*f));
	f->from = from;
	f->then = then;
	split(call, f);
	call->state = f;
	if (from->path)
		dt_call_perform_or(
			call, &dt_op_get_document_symbols,
			&(struct dt_lines_args){ .path = from->path },
			on_outline, on_no_outline);
	else
		dt_call_perform(call, &dt_op_search_symbols,
		                &(struct dt_search_symbols_args){
					.query = f->name,
					.limit = { true, FOUND_MAX },
				},
		                on_search);
}
