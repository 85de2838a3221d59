/*
 * backend/code_servers.c - the language servers of the workspace, and what is
 * missing for the languages that are there.
 */
#include "backend/code_job.h"
#include "backend/listing.h"
#include "backend/lsp_table.h"
#include "editor/files.h"
#include "editor/language.h"

#include <stdlib.h>

struct asking {
	struct dt_headless *h;
	struct dt_answer *answer;
	struct dt_answer files; /* the listing's */
};

static void add_file(struct dt_items *languages, const char *path)
{
	struct dt_language_info *list = languages->ptr;
	const char *id = dt_language_of(path);
	size_t i = 0;

	while (i < languages->count && strcmp(list[i].language, id) != 0)
		i++;
	if (i == languages->count)
		list[languages->count++].language = id;
	list[i].files++;
}

static int compare(const void *a, const void *b)
{
	const struct dt_language_info *x = a;
	const struct dt_language_info *y = b;

	if (x->files != y->files)
		return x->files > y->files ? -1 : 1;
	return strcmp(x->language, y->language);
}

/* What is for a language; false: nothing is known for it. */
static bool look_up(struct dt_headless *h, struct dt_arena *arena,
                    struct dt_language_info *info)
{
	const struct dt_lsp_entry *const *entries =
		dt_lsp_entries_of(&h->world, arena, info->language);
	const char *root = h->docs->roots[0];
	size_t count = 0;

	while (entries[count])
		count++;
	info->install.ptr =
		dt_arena_alloc(arena, (count + 1) * sizeof(const char *));
	for (size_t i = 0; i < count; i++) {
		char **argv = dt_lsp_command(&h->world, arena, entries[i], root,
		                             root);

		if (argv) {
			info->server = entries[i]->name;
			info->program = argv[0];
			info->install.count = 0;
			return true;
		}
		info->install.ptr[info->install.count++] = dt_arena_printf(
			arena, "%s: %s", entries[i]->name, entries[i]->install);
	}
	return count > 0;
}

static struct dt_items languages_of(struct dt_headless *h,
                                    struct dt_arena *arena,
                                    const struct dt_list_files_result *files)
{
	struct dt_language_info *list =
		dt_arena_alloc(arena, (files->paths.count + 1) * sizeof(*list));
	struct dt_items all = { .ptr = list };
	size_t kept = 0;

	for (size_t i = 0; i < files->paths.count; i++)
		add_file(&all, files->paths.ptr[i]);
	if (all.count > 1)
		qsort(list, all.count, sizeof(*list), compare);
	for (size_t i = 0; i < all.count; i++) {
		if (look_up(h, arena, &list[i]))
			list[kept++] = list[i];
	}
	return (struct dt_items){ list, kept };
}

static bool is_tested(struct dt_headless *h, struct dt_arena *arena,
                      const char *name)
{
	const struct dt_lsp_entry *const *entries =
		dt_lsp_entries(&h->world, arena);

	for (; *entries; entries++) {
		if (!strcmp((*entries)->name, name))
			return (*entries)->is_tested;
	}
	return false;
}

static struct dt_items servers_of(struct dt_headless *h, struct dt_arena *arena)
{
	struct dt_items from = dt_lsp_list(h->lsp, arena);
	const struct dt_lsp_info *infos = from.ptr;
	struct dt_server_info *list =
		dt_arena_alloc(arena, (from.count + 1) * sizeof(*list));

	for (size_t i = 0; i < from.count; i++)
		list[i] = (struct dt_server_info){
			.name = infos[i].name,
			.state = infos[i].state,
			.root = infos[i].folder,
			.pid = infos[i].pid,
			.memory = infos[i].memory,
			.since_ms = infos[i].since,
			.requests = infos[i].requests,
			.error = infos[i].error,
			.progress = infos[i].progress,
			.is_tested = is_tested(h, arena, infos[i].name),
		};
	return (struct dt_items){ list, from.count };
}

static void on_files(struct dt_answer *answer, const void *result,
                     const struct dt_fail *fail, void *owner)
{
	struct asking *a = owner;
	struct dt_arena arena = { 0 };
	struct dt_servers_result told = { 0 };

	(void)answer;
	a->answer->on_drop = NULL;
	if (fail) {
		dt_answer_fail(a->answer, fail);
	} else {
		told.servers = servers_of(a->h, &arena);
		told.languages = languages_of(a->h, &arena, result);
		dt_answer_end(a->answer, &told);
	}
	dt_arena_done(&arena);
	free(a);
}

static void on_drop(struct dt_answer *answer, void *performer)
{
	struct asking *a = performer;

	(void)answer;
	dt_answer_drop(&a->files);
	free(a);
}

void dt_code_list_servers(struct dt_headless *h, const void *args,
                          struct dt_answer *answer)
{
	struct dt_list_files_args all = { .has_hidden = true };
	struct asking *a = dt_alloc(sizeof(*a));
	struct dt_arena arena = { 0 };
	struct dt_names roots = {
		(const char **)h->docs->roots,
		h->docs->root_count,
	};
	struct dt_listing_spec spec = {
		.loop = h->world.loop,
		.roots = &roots,
		.git = h->world.find(h->world.owner, &arena, "git"),
		.env = h->world.env(h->world.owner, &arena),
	};

	(void)args;
	*a = (struct asking){ .h = h, .answer = answer };
	dt_answer_init(&a->files, on_files, a);
	answer->on_drop = on_drop;
	answer->performer = a;
	dt_listing_start(&spec, &all, &a->files);
	dt_arena_done(&arena);
}

void dt_code_restart_servers(struct dt_headless *h, const void *args,
                             struct dt_answer *answer)
{
	const struct dt_restart_servers_args *wanted = args;
	struct dt_restart_servers_result result = {
		.count = (uint32_t)dt_lsp_restart(h->lsp, wanted->name),
	};

	dt_answer_end(answer, &result);
}
