/*
 * backend/code_origins.c - three questions behind one answer.
 *
 * What is said of a symbol is quoted from the file that defines it, from a
 * header that declares it, or from the file that has its type; each may be one
 * that is kept from agents.  Whether it may be told is for the hub.  The questions
 * are saved where nothing is kept.
 */
#include "backend/code_origins.h"

#include "backend/code_read.h"
#include "backend/kept.h"

static void ask_next(struct dt_code_job *job);

/* Behind those that are there. */
static void take(struct dt_code_job *job, const struct dt_json *result)
{
	struct dt_names *origins = &job->origins;
	struct dt_items items = dt_code_read_locations(&job->arena, result);
	const struct dt_location *list = items.ptr;
	const char **all = dt_arena_alloc(
		&job->arena, (origins->count + items.count + 1) * sizeof(*all));

	if (origins->count > 0)
		memcpy(all, origins->ptr, origins->count * sizeof(*all));
	origins->ptr = all;
	for (size_t i = 0; i < items.count; i++)
		all[origins->count++] = list[i].path;
	ask_next(job);
}

/* A server that cannot tell has nothing to quote from elsewhere. */
static void miss(struct dt_code_job *job, const struct dt_fail *fail)
{
	if (fail->code == DT_E_UNSUPPORTED || fail->code == DT_E_METHOD)
		ask_next(job);
	else
		dt_code_fail(job, fail);
}

static const struct dt_code_step steps[] = {
	{
		.method = "textDocument/definition",
		.provider = "definitionProvider",
		.params = dt_code_put_place,
		.take = take,
		.on_fail = miss,
	},
	{
		.method = "textDocument/declaration",
		.provider = "declarationProvider",
		.params = dt_code_put_place,
		.take = take,
		.on_fail = miss,
	},
	{
		.method = "textDocument/typeDefinition",
		.provider = "typeDefinitionProvider",
		.params = dt_code_put_place,
		.take = take,
		.on_fail = miss,
	},
};

static void ask_next(struct dt_code_job *job)
{
	if (job->origin_step < sizeof(steps) / sizeof(steps[0]))
		dt_code_ask(job, &steps[job->origin_step++]);
	else
		job->then(job);
}

/* Somebody keeps something; the person's patterns may fit any file. */
static bool is_needed(const struct dt_headless *h)
{
	const char *denied = h->world.setting ? h->world.setting(h->world.owner,
	                                                         "context.deny")
	                                      : NULL;

	return (denied && *denied) || dt_kept_may_be(h->kept);
}

void dt_code_find_origins(struct dt_code_job *job,
                          void (*then)(struct dt_code_job *job))
{
	job->then = then;
	job->origin_step = 0;
	if (is_needed(job->h))
		ask_next(job);
	else
		then(job);
}
