/*
 * backend/code_tree.c - callers and callees, supertypes and subtypes.
 *
 * A server first says what is at the place, then for that item what is above and
 * what is below, each a question of its own.  One direction that it cannot tell
 * does not take the other one away.  clangd before 17 tells types by an
 * extension of its own, all in one answer.
 */
#include "backend/code_job.h"

#include "backend/code_read.h"
#include "base/limits.h"

#include <stdlib.h>

struct tree {
	struct dt_hierarchy_result result;
	struct dt_str item; /* as the server gave it */
};

static bool read_item(struct dt_arena *arena, const struct dt_json *json,
                      struct dt_hierarchy_item *out)
{
	*out = (struct dt_hierarchy_item){
		.name = dt_code_read_name(arena, dt_json_get(json, "name")),
		.kind = dt_code_read_kind(dt_json_get(json, "kind")),
		.detail = dt_code_read_name(arena, dt_json_get(json, "detail")),
		.path = dt_code_read_path(arena, dt_json_get(json, "uri")),
	};
	if (!dt_code_read_range(dt_json_get(json, "range"), &out->range))
		return false;
	if (!dt_code_read_range(dt_json_get(json, "selectionRange"),
	                        &out->selection))
		out->selection = out->range;
	return out->name && out->path;
}

static int compare(const void *a, const void *b)
{
	const struct dt_position *x = &((const struct dt_range *)a)->start;
	const struct dt_position *y = &((const struct dt_range *)b)->start;

	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	return x->character < y->character ? -1 : x->character > y->character;
}

/* In the order of the text; servers that know of a call in two ways tell it
 * twice. */
static struct dt_items read_ranges(struct dt_arena *arena,
                                   const struct dt_json *json)
{
	const struct dt_json *list = dt_code_list(json);
	struct dt_range *ranges =
		dt_arena_alloc(arena, (list->count + 1) * sizeof(*ranges));
	size_t count = 0;
	size_t kept = 0;

	dt_json_each(one, list) {
		if (dt_code_read_range(one, &ranges[count]))
			count++;
	}
	if (count > 1)
		qsort(ranges, count, sizeof(*ranges), compare);
	for (size_t i = 0; i < count; i++) {
		if (kept == 0 || compare(&ranges[kept - 1], &ranges[i]) != 0)
			ranges[kept++] = ranges[i];
	}
	return (struct dt_items){ ranges, kept };
}

/* Calls have their item in a member of that name; types are the items. */
static struct dt_items read_items(struct dt_arena *arena,
                                  const struct dt_json *json,
                                  const char *member)
{
	const struct dt_json *list = dt_code_list(json);
	struct dt_hierarchy_item *items =
		dt_arena_alloc(arena, (list->count + 1) * sizeof(*items));
	struct dt_items found = { .ptr = items };

	dt_json_each(one, list) {
		struct dt_hierarchy_item *item = &items[found.count];

		if (!read_item(arena, member ? dt_json_get(one, member) : one,
		               item))
			continue;
		if (member)
			item->sites = read_ranges(
				arena, dt_json_get(one, "fromRanges"));
		found.count++;
	}
	return found;
}

static void end(struct dt_code_job *job)
{
	struct tree *tree = job->state;

	tree->result.source = job->source;
	dt_code_end(job, &tree->result);
}

static void put_item(struct dt_code_job *job, struct dt_json_out *out)
{
	struct tree *tree = job->state;

	dt_json_key(out, "item");
	dt_json_put_raw(out, tree->item);
}

static bool wants(const struct dt_code_job *job,
                  enum dt_code_direction direction)
{
	return job->direction == DT_CODE_BOTH ||
	       job->direction == (int)direction;
}

/* A place without an item ends the job; false. */
static bool take_item(struct dt_code_job *job, const struct dt_json *result)
{
	const struct dt_json *first = dt_json_first(dt_code_list(result));
	struct tree *tree = job->state;

	if (!first) {
		end(job);
		return false;
	}
	tree->result.is_found = true;
	tree->result.name =
		dt_code_read_name(&job->arena, dt_json_get(first, "name"));
	tree->item = (struct dt_str){
		dt_arena_strndup(&job->arena, first->raw.ptr, first->raw.len),
		first->raw.len,
	};
	return true;
}

static void start(struct dt_headless *h, const void *args,
                  struct dt_answer *answer, const struct dt_code_step *step)
{
	const struct dt_hierarchy_args *wanted = args;
	struct dt_code_job *job = dt_code_new(h, wanted->place.path, answer);

	job->direction = wanted->direction;
	job->state = dt_arena_alloc(&job->arena, sizeof(struct tree));
	if (dt_code_find_place(job, &wanted->place))
		dt_code_ask(job, step);
}

/* A direction that cannot be told. */
static void miss(struct dt_code_job *job, const struct dt_fail *fail,
                 const char *what)
{
	struct tree *tree = job->state;
	bool cannot =
		fail->code == DT_E_UNSUPPORTED || fail->code == DT_E_METHOD;

	if (!cannot) {
		dt_code_fail(job, fail);
		return;
	}
	tree->result.missing = dt_arena_printf(&job->arena, "%s cannot tell %s",
	                                       job->source.server, what);
	end(job);
}

/* calls */

static void take_callees(struct dt_code_job *job, const struct dt_json *result)
{
	struct tree *tree = job->state;

	tree->result.down = read_items(&job->arena, result, "to");
	end(job);
}

static void miss_callees(struct dt_code_job *job, const struct dt_fail *fail)
{
	miss(job, fail, "what a function calls");
}

static void ask_callees(struct dt_code_job *job)
{
	static const struct dt_code_step step = {
		.method = "callHierarchy/outgoingCalls",
		.params = put_item,
		.take = take_callees,
		.on_fail = miss_callees,
		.is_bare = true,
	};

	if (wants(job, DT_CODE_DOWN))
		dt_code_ask(job, &step);
	else
		end(job);
}

static void take_callers(struct dt_code_job *job, const struct dt_json *result)
{
	struct tree *tree = job->state;

	tree->result.up = read_items(&job->arena, result, "from");
	ask_callees(job);
}

static void take_function(struct dt_code_job *job, const struct dt_json *result)
{
	static const struct dt_code_step step = {
		.method = "callHierarchy/incomingCalls",
		.params = put_item,
		.take = take_callers,
		.is_bare = true,
		.patience_ms = DT_CODE_PATIENCE_MS,
	};

	if (!take_item(job, result))
		return;
	if (wants(job, DT_CODE_UP))
		dt_code_ask(job, &step);
	else
		ask_callees(job);
}

void dt_code_get_call_hierarchy(struct dt_headless *h, const void *args,
                                struct dt_answer *answer)
{
	static const struct dt_code_step step = {
		.method = "textDocument/prepareCallHierarchy",
		.provider = "callHierarchyProvider",
		.params = dt_code_put_place,
		.take = take_function,
	};

	start(h, args, answer, &step);
}

/* types */

static void take_subtypes(struct dt_code_job *job, const struct dt_json *result)
{
	struct tree *tree = job->state;

	tree->result.down = read_items(&job->arena, result, NULL);
	end(job);
}

static void ask_subtypes(struct dt_code_job *job)
{
	static const struct dt_code_step step = {
		.method = "typeHierarchy/subtypes",
		.params = put_item,
		.take = take_subtypes,
		.is_bare = true,
		.patience_ms = DT_CODE_PATIENCE_MS,
	};

	if (wants(job, DT_CODE_DOWN))
		dt_code_ask(job, &step);
	else
		end(job);
}

static void take_supertypes(struct dt_code_job *job,
                            const struct dt_json *result)
{
	struct tree *tree = job->state;

	tree->result.up = read_items(&job->arena, result, NULL);
	ask_subtypes(job);
}

static void take_type(struct dt_code_job *job, const struct dt_json *result)
{
	static const struct dt_code_step step = {
		.method = "typeHierarchy/supertypes",
		.params = put_item,
		.take = take_supertypes,
		.is_bare = true,
	};

	if (!take_item(job, result))
		return;
	if (wants(job, DT_CODE_UP))
		dt_code_ask(job, &step);
	else
		ask_subtypes(job);
}

/* clangd's own: one level, both ways. */
static void put_clangd(struct dt_code_job *job, struct dt_json_out *out)
{
	dt_code_put_place(job, out);
	dt_json_key(out, "resolve");
	dt_json_put_int(out, 1);
	dt_json_key(out, "direction");
	dt_json_put_int(out, 2);
}

static void take_clangd(struct dt_code_job *job, const struct dt_json *result)
{
	struct tree *tree = job->state;
	const char *name =
		dt_code_read_name(&job->arena, dt_json_get(result, "name"));

	tree->result.is_found = name != NULL;
	tree->result.name = name;
	if (wants(job, DT_CODE_UP))
		tree->result.up = read_items(
			&job->arena, dt_json_get(result, "parents"), NULL);
	if (wants(job, DT_CODE_DOWN))
		tree->result.down = read_items(
			&job->arena, dt_json_get(result, "children"), NULL);
	end(job);
}

void dt_code_get_type_hierarchy(struct dt_headless *h, const void *args,
                                struct dt_answer *answer)
{
	static const struct dt_code_step clangd = {
		.method = "textDocument/typeHierarchy",
		.provider = "typeHierarchyProvider",
		.params = put_clangd,
		.take = take_clangd,
		.patience_ms = DT_CODE_PATIENCE_MS,
	};
	static const struct dt_code_step step = {
		.method = "textDocument/prepareTypeHierarchy",
		.provider = "typeHierarchyProvider",
		.params = dt_code_put_place,
		.take = take_type,
		.otherwise = &clangd,
	};

	start(h, args, answer, &step);
}
