/*
 * backend/code_languages.c - which languages the files of a workspace are of.
 *
 * The files are those that git sees, by their names alone; hidden ones count.
 */
#include "backend/code_languages.h"

#include "backend/listing.h"
#include "base/path.h"
#include "editor/files.h"
#include "editor/language.h"

#include <stdlib.h>
#include <unistd.h>

static void add_file(struct dt_items *languages, const char *name)
{
	struct dt_code_language *list = languages->ptr;
	const char *id = dt_language_of(name);
	size_t i = 0;

	while (i < languages->count && strcmp(list[i].id, id) != 0)
		i++;
	if (i == languages->count)
		list[languages->count++] =
			(struct dt_code_language){ .id = id, .path = name };
	list[i].files++;
}

static int compare(const void *a, const void *b)
{
	const struct dt_code_language *x = a;
	const struct dt_code_language *y = b;

	if (x->files != y->files)
		return x->files > y->files ? -1 : 1;
	return strcmp(x->id, y->id);
}

/* Names are relative to one of the roots. */
static const char *find_file(const struct dt_headless *h,
                             struct dt_arena *arena, const char *name)
{
	for (size_t i = 0; i < h->docs->root_count; i++) {
		const char *path = dt_path_join(arena, h->docs->roots[i], name);

		if (!access(path, F_OK))
			return path;
	}
	return NULL;
}

static struct dt_items count(const struct dt_headless *h,
                             struct dt_arena *arena,
                             const struct dt_list_files_result *files)
{
	struct dt_code_language *list =
		dt_arena_alloc(arena, (files->paths.count + 1) * sizeof(*list));
	struct dt_items all = { .ptr = list };

	for (size_t i = 0; i < files->paths.count; i++)
		add_file(&all, files->paths.ptr[i]);
	if (all.count > 1)
		qsort(list, all.count, sizeof(*list), compare);
	for (size_t i = 0; i < all.count; i++)
		list[i].path = find_file(h, arena, list[i].path);
	return all;
}

static void on_files(struct dt_answer *answer, const void *result,
                     const struct dt_fail *fail, void *owner)
{
	struct dt_code_languages *l = owner;
	struct dt_arena arena = { 0 };
	struct dt_items found = { 0 };

	(void)answer;
	if (!fail)
		found = count(l->h, &arena, result);
	l->fn(&found, fail, l->owner);
	dt_arena_done(&arena);
}

void dt_code_languages_drop(struct dt_code_languages *languages)
{
	dt_answer_drop(&languages->files);
}

void dt_code_languages_start(struct dt_code_languages *languages,
                             struct dt_headless *h, dt_code_languages_fn *fn,
                             void *owner)
{
	struct dt_list_files_args all = { .has_hidden = true };
	struct dt_arena arena = { 0 };
	struct dt_names roots = {
		(const char **)h->docs->roots,
		h->docs->root_count,
	};
	struct dt_listing_spec spec = {
		.loop = h->world.loop,
		.roots = &roots,
		.git = h->world.find(h->world.owner, DT_ASKER_ALL, &arena,
		                     "git"),
		.env = h->world.env(h->world.owner, DT_ASKER_ALL, &arena),
	};

	*languages =
		(struct dt_code_languages){ .h = h, .fn = fn, .owner = owner };
	dt_answer_init(&languages->files, on_files, languages);
	dt_listing_start(&spec, &all, &languages->files);
	dt_arena_done(&arena);
}
