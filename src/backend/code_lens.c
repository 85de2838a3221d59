/*
 * backend/code_lens.c - what is said above the lines of a file.
 *
 * Servers give lenses as empty places first and say each one's words when asked
 * for it, so an answer here is made of several of theirs.
 */
#include "backend/code_job.h"

#include "backend/code_read.h"
#include "base/limits.h"

struct lenses {
	struct dt_code_lenses_result result;
	struct dt_str *raw; /* of each that has no words yet */
	size_t next;
};

static void read_lens(struct dt_arena *arena, const struct dt_json *json,
                      struct dt_code_lens *out)
{
	const struct dt_json *command = dt_json_get(json, "command");

	out->title = dt_code_read_name(arena, dt_json_get(command, "title"));
	out->command =
		dt_code_read_name(arena, dt_json_get(command, "command"));
}

static void put_lens(struct dt_code_job *job, struct dt_json_out *out)
{
	struct lenses *lenses = job->state;
	const struct dt_json *json;

	/* It was read from a message before, and is an object. */
	if (dt_json_read(&job->arena, lenses->raw[lenses->next], &json, NULL))
		return;
	dt_json_each(key, json) {
		struct dt_str name = dt_json_text(&job->arena, key);

		dt_json_key(out,
		            dt_arena_strndup(&job->arena, name.ptr, name.len));
		dt_json_put_raw(out, dt_json_value(key)->raw);
	}
}

static void ask_next(struct dt_code_job *job);

static void take_words(struct dt_code_job *job, const struct dt_json *result)
{
	struct lenses *lenses = job->state;
	struct dt_code_lens *list = lenses->result.items.ptr;

	read_lens(&job->arena, result, &list[lenses->next++]);
	ask_next(job);
}

/* One that has none does not take the others away. */
static void on_fail(struct dt_code_job *job, const struct dt_fail *fail)
{
	struct lenses *lenses = job->state;

	(void)fail;
	lenses->next++;
	ask_next(job);
}

static void ask_next(struct dt_code_job *job)
{
	static const struct dt_code_step step = {
		.method = "codeLens/resolve",
		.provider = "codeLensProvider.resolveProvider",
		.params = put_lens,
		.take = take_words,
		.on_fail = on_fail,
		.is_bare = true,
	};
	struct lenses *lenses = job->state;

	while (lenses->next < lenses->result.items.count &&
	       !lenses->raw[lenses->next].ptr)
		lenses->next++;
	if (lenses->next < lenses->result.items.count) {
		dt_code_ask(job, &step);
		return;
	}
	lenses->result.source = job->source;
	dt_code_end(job, &lenses->result);
}

static void take_lenses(struct dt_code_job *job, const struct dt_json *result)
{
	struct lenses *lenses = job->state;
	struct dt_items *items = &lenses->result.items;
	struct dt_code_lens *list;

	list = dt_arena_alloc(&job->arena, job->limit * sizeof(*list));
	lenses->raw =
		dt_arena_alloc(&job->arena, job->limit * sizeof(*lenses->raw));
	items->ptr = list;
	dt_json_each(one, dt_code_list(result)) {
		struct dt_range range;

		if (!dt_code_read_range(dt_json_get(one, "range"), &range))
			continue;
		lenses->result.total++;
		if (items->count == job->limit)
			continue;
		list[items->count].range = range;
		read_lens(&job->arena, one, &list[items->count]);
		if (!list[items->count].title)
			lenses->raw[items->count] = (struct dt_str){
				dt_arena_strndup(&job->arena, one->raw.ptr,
				                 one->raw.len),
				one->raw.len,
			};
		items->count++;
	}
	ask_next(job);
}

void dt_code_get_code_lenses(struct dt_headless *h, const void *args,
                             struct dt_answer *answer)
{
	static const struct dt_code_step step = {
		.method = "textDocument/codeLens",
		.provider = "codeLensProvider",
		.take = take_lenses,
	};
	const struct dt_lines_args *wanted = args;
	struct dt_code_job *job = dt_code_new(h, wanted->path, answer);

	job->limit = dt_code_limit(wanted->limit, DT_LIMIT_LENSES);
	job->state = dt_arena_alloc(&job->arena, sizeof(struct lenses));
	dt_code_ask(job, &step);
}
