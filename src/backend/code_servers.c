/*
 * backend/code_servers.c - the language servers of the workspace, and what is
 * missing for the languages that are there.
 */
#include "backend/code_job.h"
#include "backend/code_languages.h"
#include "backend/lsp_table.h"

#include <stdlib.h>

struct asking {
	struct dt_headless *h;
	struct dt_answer *answer;
	struct dt_code_languages languages;
};

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
			info->is_tested = entries[i]->is_tested;
			info->install.count = 0;
			return true;
		}
		info->install.ptr[info->install.count++] = dt_arena_printf(
			arena, "%s: %s%s", entries[i]->name,
			entries[i]->install,
			entries[i]->is_tested ? "" : " (not tested)");
	}
	return count > 0;
}

static struct dt_items languages_of(struct dt_headless *h,
                                    struct dt_arena *arena,
                                    const struct dt_items *counted)
{
	const struct dt_code_language *from = counted->ptr;
	struct dt_language_info *list =
		dt_arena_alloc(arena, (counted->count + 1) * sizeof(*list));
	size_t kept = 0;

	for (size_t i = 0; i < counted->count; i++) {
		list[kept] = (struct dt_language_info){
			.language = from[i].id,
			.files = from[i].files,
		};
		kept += look_up(h, arena, &list[kept]);
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

static void on_languages(const struct dt_items *languages,
                         const struct dt_fail *fail, void *owner)
{
	struct asking *a = owner;
	struct dt_arena arena = { 0 };
	struct dt_servers_result told = { 0 };

	a->answer->on_drop = NULL;
	if (fail) {
		dt_answer_fail(a->answer, fail);
	} else {
		told.servers = servers_of(a->h, &arena);
		told.languages = languages_of(a->h, &arena, languages);
		dt_answer_end(a->answer, &told);
	}
	dt_arena_done(&arena);
	free(a);
}

static void on_drop(struct dt_answer *answer, void *performer)
{
	struct asking *a = performer;

	(void)answer;
	dt_code_languages_drop(&a->languages);
	free(a);
}

void dt_code_list_servers(struct dt_headless *h, const void *args,
                          struct dt_answer *answer)
{
	struct asking *a = dt_alloc(sizeof(*a));

	(void)args;
	*a = (struct asking){ .h = h, .answer = answer };
	answer->on_drop = on_drop;
	answer->performer = a;
	dt_code_languages_start(&a->languages, h, on_languages, a);
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
