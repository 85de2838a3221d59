/*
 * backend/kept.c - one look through all folders, in a thread, and what came since.
 *
 * It saves questions: where nothing is kept, nobody has to ask a language server
 * which files an answer quotes.  So every doubt, as a limit that was reached,
 * means that there may be some.  Patterns of the person are not known here; who
 * has some has to ask in any case.
 */
#include "backend/kept.h"

#include "backend/walk.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/path.h"
#include "loop/worker.h"

#include <stdlib.h>

#define FRESH_MS 10000 /* then it is looked again when somebody asks */

/* One look; it may outlive who wanted it. */
struct look {
	struct dt_job job;
	struct dt_kept *kept; /* NULL: nobody wants it any more */
	struct dt_worker *worker;
	bool (*is_kept)(const char *path);
	struct dt_arena arena;
	const char **roots;
	size_t root_count;
	const char *root; /* that is walked */
	bool is_found;
};

struct dt_kept {
	const struct dt_world *world;
	struct look *look; /* under way, or NULL */
	bool may_be;
	bool is_known;
	bool has_come; /* one, while the look was under way */
	uint64_t looked_ms;
};

/* in the thread */

static void on_file(const char *name, void *owner)
{
	struct look *look = owner;
	struct dt_arena arena = { 0 };

	if (!look->is_found)
		look->is_found =
			look->is_kept(dt_path_join(&arena, look->root, name));
	dt_arena_done(&arena);
}

static bool on_folder(const char *name, int fd, void *owner)
{
	(void)name;
	(void)fd;
	return !((struct look *)owner)->is_found;
}

static void run_look(struct dt_job *job)
{
	struct look *look = DT_LIST_OF(job, struct look, job);

	for (size_t i = 0; i < look->root_count && !look->is_found; i++) {
		struct dt_walk_spec spec = {
			.root = look->roots[i],
			.from = "",
			.on_file = on_file,
			.on_folder = on_folder,
			.owner = look,
		};

		look->root = look->roots[i];
		if (!dt_walk_folders(&spec))
			look->is_found = true;
	}
}

/* on the loop */

static void end_look(struct dt_job *job)
{
	struct look *look = DT_LIST_OF(job, struct look, job);
	struct dt_kept *kept = look->kept;

	dt_worker_close(look->worker, NULL, NULL);
	if (kept) {
		kept->look = NULL;
		kept->is_known = true;
		kept->may_be = look->is_found || kept->has_come;
		kept->has_come = false;
		kept->looked_ms = dt_clock_ms();
	}
	dt_arena_done(&look->arena);
	free(look);
}

static void start_look(struct dt_kept *kept)
{
	const struct dt_documents *docs = kept->world->docs;
	struct look *look = dt_alloc(sizeof(*look));

	*look = (struct look){
		.job = { .run = run_look, .done = end_look },
		.kept = kept,
		.worker = dt_worker_new(kept->world->loop, "kept"),
		.is_kept = kept->world->is_kept_name,
		.root_count = docs->root_count,
	};
	if (dt_worker_start(look->worker, NULL)) {
		dt_worker_close(look->worker, NULL, NULL);
		free(look);
		return;
	}
	look->roots =
		dt_arena_alloc(&look->arena, docs->root_count * sizeof(char *));
	for (size_t i = 0; i < docs->root_count; i++)
		look->roots[i] = dt_arena_strdup(&look->arena, docs->roots[i]);
	kept->look = look;
	dt_worker_post(look->worker, &look->job);
}

bool dt_kept_may_be(struct dt_kept *kept)
{
	bool is_old =
		!kept->is_known || dt_clock_ms() - kept->looked_ms > FRESH_MS;

	if (!kept->world->is_kept_name)
		return false;
	if (is_old && !kept->look)
		start_look(kept);
	return !kept->is_known || kept->may_be;
}

void dt_kept_take(struct dt_kept *kept, const struct dt_file_changes *changes)
{
	bool has_come = changes->is_lost;

	if (!kept->world->is_kept_name)
		return;
	for (size_t i = 0; i < changes->count && !has_come; i++)
		has_come = kept->world->is_kept_name(changes->ptr[i].path);
	kept->may_be |= has_come;
	kept->has_come |= has_come && kept->look;
}

struct dt_kept *dt_kept_new(const struct dt_world *world)
{
	struct dt_kept *kept = dt_alloc(sizeof(*kept));

	kept->world = world;
	return kept;
}

void dt_kept_free(struct dt_kept *kept)
{
	if (!kept)
		return;
	if (kept->look)
		kept->look->kept = NULL;
	free(kept);
}
