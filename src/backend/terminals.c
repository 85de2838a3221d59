/*
 * backend/terminals.c - made, found, typed into and ended.
 *
 * To an agent terminals of others are not there, so two may use the same name.
 * Whether what is typed may be is asked in the hub, before it comes here.
 */
#include "backend/terminals.h"

#include "base/file.h"
#include "base/limits.h"
#include "base/path.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#define NAME_MAX_LEN 64
#define SHELL_FOLDER "shell"

struct dt_terminals {
	struct dt_headless *h;
	struct dt_list list; /* in order of making */
	uint32_t last_index;
	uint64_t last_use;
	bool is_stopped;
};

struct dt_terminals *dt_terminals_new(struct dt_headless *h)
{
	struct dt_terminals *set = dt_alloc(sizeof(*set));

	set->h = h;
	dt_list_init(&set->list);
	return set;
}

void dt_terminals_stop(struct dt_terminals *set)
{
	set->is_stopped = true;
	dt_list_each(t, &set->list, struct dt_terminal, link)
		dt_terminal_close(t, true);
}

void dt_terminals_free(struct dt_terminals *set)
{
	dt_terminals_stop(set);
	free(set);
}

/* whose */

static bool is_owner(const struct dt_terminal *t, const char *asker)
{
	if (!t->owner || !asker)
		return !t->owner && !asker;
	return !strcmp(t->owner, asker);
}

static bool may_use(const struct dt_terminal *t, const char *asker)
{
	return !asker || t->is_shared || is_owner(t, asker);
}

static bool is_meant(const struct dt_terminal *t,
                     const struct dt_terminal_target *target)
{
	if (target->index.is_set)
		return t->index == target->index.value;
	return !target->name || !strcmp(t->name, target->name);
}

/* Its own come before shared ones, and what was used last before the rest. */
static bool is_better(const struct dt_terminal *t,
                      const struct dt_terminal *best, const char *asker)
{
	if (!best)
		return true;
	if (is_owner(t, asker) != is_owner(best, asker))
		return is_owner(t, asker);
	return t->used > best->used;
}

static enum dt_err say_missing(const struct dt_terminal_target *target,
                               struct dt_fail *fail)
{
	if (target->index.is_set)
		return dt_fail(fail, DT_E_MISSING,
		               "there is no terminal %u; listTerminals tells "
		               "those there are",
		               target->index.value);
	if (target->name)
		return dt_fail(fail, DT_E_MISSING,
		               "there is no terminal named \"%s\"; "
		               "listTerminals tells those there are",
		               target->name);
	return dt_fail(fail, DT_E_MISSING,
	               "there is no terminal yet; make one with "
	               "createTerminal");
}

enum dt_err dt_terminals_find(struct dt_terminals *set, const char *asker,
                              const struct dt_terminal_target *target,
                              struct dt_terminal **out, struct dt_fail *fail)
{
	struct dt_terminal *best = NULL;

	dt_list_each(t, &set->list, struct dt_terminal, link) {
		if (may_use(t, asker) && is_meant(t, target) &&
		    is_better(t, best, asker))
			best = t;
	}
	if (!best)
		return say_missing(target, fail);
	best->used = ++set->last_use;
	*out = best;
	return DT_E_OK;
}

struct dt_terminal *dt_terminals_next(struct dt_terminals *set,
                                      const struct dt_terminal *previous)
{
	struct dt_list *next = previous ? previous->link.next : set->list.next;

	return next == &set->list ? NULL
	                          : DT_LIST_OF(next, struct dt_terminal, link);
}

enum dt_err dt_terminals_named(struct dt_terminals *set, const char *name,
                               struct dt_terminal **out, struct dt_fail *fail)
{
	struct dt_terminal *found = NULL;
	uint32_t index = 0;
	bool is_number = !dt_str_to_u32(dt_str(name), &index, NULL);

	dt_list_each(t, &set->list, struct dt_terminal, link) {
		if (is_number ? t->index != index : strcmp(t->name, name) != 0)
			continue;
		if (found)
			return dt_fail(fail, DT_E_STATE,
			               "several agents have a terminal named "
			               "%s: give its number, %u or %u",
			               name, found->index, t->index);
		found = t;
	}
	if (!found)
		return dt_fail(fail, DT_E_MISSING,
		               "there is no terminal %s; `dovetail terminals` "
		               "lists those there are",
		               name);
	*out = found;
	return DT_E_OK;
}

void dt_terminals_looked_away(struct dt_terminals *set, struct dt_terminal *t)
{
	(void)set;
	if (t->is_left && !t->is_shared && dt_list_is_empty(&t->viewers))
		dt_terminal_close(t, false);
}

void dt_terminals_leave(struct dt_terminals *set, const char *asker)
{
	dt_list_each(t, &set->list, struct dt_terminal, link) {
		if (!t->owner || strcmp(t->owner, asker) != 0)
			continue;
		t->is_left = true;
		if (t->is_shared) {
			free(t->owner);
			t->owner = NULL;
		}
		dt_terminals_looked_away(set, t);
	}
}

/* making */

static size_t count_own(struct dt_terminals *set, const char *asker)
{
	size_t count = 0;

	dt_list_each(t, &set->list, struct dt_terminal, link)
		count += is_owner(t, asker);
	return count;
}

/* One that has ended makes room. */
static enum dt_err check_room(struct dt_terminals *set, const char *asker,
                              struct dt_fail *fail)
{
	if (set->is_stopped)
		return dt_fail(fail, DT_E_CLOSED, "dovetail stops");
	if (count_own(set, asker) < DT_LIMIT_TERMINALS)
		return DT_E_OK;
	dt_list_each(t, &set->list, struct dt_terminal, link) {
		if (is_owner(t, asker) && t->state == DT_TERMINAL_ENDED) {
			dt_terminal_close(t, true);
			return DT_E_OK;
		}
	}
	return dt_fail(fail, DT_E_LIMIT,
	               "there are %u terminals, and no more are allowed; end "
	               "one with disposeTerminal",
	               DT_LIMIT_TERMINALS);
}

static enum dt_err check_name(struct dt_terminals *set, const char *asker,
                              const char *name, struct dt_fail *fail)
{
	size_t len = 0;

	while (isalnum((unsigned char)name[len]) ||
	       (name[len] && strchr("._-", name[len])))
		len++;
	/* A number is the other way to name one. */
	if (len == 0 || name[len] || len > NAME_MAX_LEN ||
	    strspn(name, "0123456789") == len || name[0] == '-')
		return dt_fail(fail, DT_E_ARGS,
		               "name: \"%s\" is no name of a terminal: up to "
		               "%u letters, digits, '.', '_' and '-', not a "
		               "number",
		               name, NAME_MAX_LEN);
	dt_list_each(t, &set->list, struct dt_terminal, link) {
		if (may_use(t, asker) && !strcmp(t->name, name))
			return dt_fail(fail, DT_E_STATE,
			               "there is a terminal named \"%s\" "
			               "already: use it, or end it with "
			               "disposeTerminal",
			               name);
	}
	return DT_E_OK;
}

static enum dt_err find_folder(struct dt_headless *h, struct dt_arena *arena,
                               const char *cwd, const char **out,
                               struct dt_fail *fail)
{
	const char *relative;
	const char *path = cwd ? cwd : ".";
	enum dt_err err = DT_E_OK;

	if (!strncmp(path, "file:", strlen("file:")))
		err = dt_path_from_uri(arena, path, &path, fail);
	if (!err)
		err = dt_path_real(arena,
		                   dt_path_join(arena, h->docs->roots[0], path),
		                   out, fail);
	if (err)
		return err;
	if (!dt_documents_root_of(h->docs, *out, &relative))
		return dt_fail(fail, DT_E_DENIED,
		               "cwd: %s is outside the workspace", cwd);
	if (!dt_file_is_dir(*out))
		return dt_fail(fail, DT_E_MISSING, "cwd: %s is not a folder",
		               cwd);
	return DT_E_OK;
}

/* The person's shell, else one that is everywhere. */
static const char *find_shell(struct dt_headless *h, const char *asker,
                              struct dt_arena *arena, char *const *env)
{
	const char *shell = NULL;

	for (; *env; env++) {
		if (!strncmp(*env, "SHELL=/", strlen("SHELL=/")))
			shell = *env + strlen("SHELL=");
	}
	if (!shell)
		shell = h->world.find(h->world.owner, asker, arena, "bash");
	return shell ? shell : "/bin/sh";
}

static enum dt_err start(struct dt_terminals *set, struct dt_arena *arena,
                         const struct dt_terminal_spec *base,
                         const struct dt_create_terminal_args *args,
                         struct dt_terminal **out, struct dt_fail *fail)
{
	const struct dt_world *world = &set->h->world;
	struct dt_shell_spec wanted = {
		.env = world->env(world->owner, base->owner, arena),
		.folder = dt_path_join(arena, world->run_folder, SHELL_FOLDER),
		.more = args->env,
	};
	struct dt_terminal_spec spec = *base;
	struct dt_shell shell;
	char id[DT_ID_TEXT];
	char secret[DT_ID_TEXT];
	enum dt_err err;

	dt_rand_id(id);
	dt_rand_id(secret);
	wanted.file = find_shell(set->h, base->owner, arena, wanted.env);
	wanted.id = id;
	wanted.secret = secret;
	err = dt_shell_prepare(arena, &wanted, &shell, fail);
	if (err)
		return err;
	spec.loop = world->loop;
	spec.shell = &shell;
	spec.secret = secret;
	err = dt_terminal_open(&spec, out, fail);
	if (!err)
		dt_world_ran(world, base->owner, wanted.file);
	return err;
}

/* Of variables that an agent sets; a person's are its own affair. */
static const char *names_of(struct dt_arena *arena, const char *asker,
                            const struct dt_names *pairs)
{
	const char *names = NULL;

	for (size_t i = 0; asker && i < pairs->count; i++)
		names = dt_arena_printf(arena, "%s%s%.*s", names ? names : "",
		                        names ? ", " : "",
		                        (int)strcspn(pairs->ptr[i], "="),
		                        pairs->ptr[i]);
	return names;
}

enum dt_err dt_terminals_create(struct dt_terminals *set, const char *asker,
                                const struct dt_create_terminal_args *args,
                                struct dt_terminal **out, struct dt_fail *fail)
{
	struct dt_arena arena = { 0 };
	struct dt_terminal_spec spec = {
		.index = set->last_index + 1,
		.owner = asker,
		.variables = names_of(&arena, asker, &args->env),
		.name = args->name ? args->name
		                   : dt_arena_printf(&arena, "terminal-%u",
		                                     set->last_index + 1),
	};
	enum dt_err err = check_name(set, asker, spec.name, fail);

	if (!err)
		err = find_folder(set->h, &arena, args->cwd, &spec.folder,
		                  fail);
	if (!err)
		err = check_room(set, asker, fail);
	if (!err)
		err = start(set, &arena, &spec, args, out, fail);
	if (!err) {
		set->last_index++;
		(*out)->used = ++set->last_use;
		dt_list_append(&set->list, &(*out)->link);
	}
	dt_arena_done(&arena);
	return err;
}

/* operations */

static void end_with(struct dt_answer *answer, const struct dt_terminal *t)
{
	struct dt_terminal_info info;

	dt_terminal_describe(t, answer->asker, &info);
	dt_answer_end(answer, &info);
}

void dt_terminals_do_list(struct dt_headless *h, const void *args,
                          struct dt_answer *answer)
{
	struct dt_terminals *set = h->terminals;
	struct dt_list_terminals_result result = { 0 };
	struct dt_terminal_info *infos;
	size_t count = 0;

	(void)args;
	dt_list_each(t, &set->list, struct dt_terminal, link)
		count++;
	infos = dt_alloc((count + 1) * sizeof(*infos));
	dt_list_each(t, &set->list, struct dt_terminal, link) {
		if (may_use(t, answer->asker))
			dt_terminal_describe(t, answer->asker,
			                     &infos[result.terminals.count++]);
	}
	result.terminals.ptr = infos;
	dt_answer_end(answer, &result);
	free(infos);
}

void dt_terminals_do_create(struct dt_headless *h, const void *args,
                            struct dt_answer *answer)
{
	struct dt_fail fail = { 0 };
	struct dt_terminal *t;

	if (dt_terminals_create(h->terminals, answer->asker, args, &t, &fail))
		dt_answer_fail(answer, &fail);
	else
		end_with(answer, t);
}

void dt_terminals_do_send(struct dt_headless *h, const void *args,
                          struct dt_answer *answer)
{
	const struct dt_send_terminal_args *wanted = args;
	struct dt_fail fail = { 0 };
	struct dt_terminal *t;

	if (dt_terminals_find(h->terminals, answer->asker, &wanted->target, &t,
	                      &fail) ||
	    dt_terminal_type(t, dt_str(wanted->text), wanted->adds_newline,
	                     &fail))
		dt_answer_fail(answer, &fail);
	else
		end_with(answer, t);
}

void dt_terminals_do_output(struct dt_headless *h, const void *args,
                            struct dt_answer *answer)
{
	const struct dt_terminal_output_args *wanted = args;
	struct dt_terminal_output_result result = { 0 };
	uint64_t count =
		wanted->lines.is_set ? wanted->lines.value : DT_TERMINAL_LINES;
	struct dt_screen_place from = { 0 };
	struct dt_fail fail = { 0 };
	struct dt_terminal *t;
	struct dt_buf text;
	uint64_t last;

	if (dt_terminals_find(h->terminals, answer->asker, &wanted->target, &t,
	                      &fail)) {
		dt_answer_fail(answer, &fail);
		return;
	}
	last = dt_screen_last(&t->screen);
	from.line = last + 1 > count ? last + 1 - count : 0;
	dt_buf_init(&text, 2 * DT_LIMIT_SCREEN);
	from.line =
		dt_screen_text(&t->screen, from, DT_LIMIT_TERMINAL_TEXT, &text);
	result.output = (struct dt_str){ dt_buf_z(&text), text.len };
	result.lines = (uint32_t)(last + 1 - from.line);
	result.is_cut = from.line > 0;
	dt_terminal_describe(t, answer->asker, &result.terminal);
	dt_answer_end(answer, &result);
	dt_buf_done(&text);
}

void dt_terminals_do_dispose(struct dt_headless *h, const void *args,
                             struct dt_answer *answer)
{
	struct dt_dispose_terminal_result result;
	struct dt_fail fail = { 0 };
	struct dt_terminal *t;
	char *name;

	if (dt_terminals_find(h->terminals, answer->asker, args, &t, &fail)) {
		dt_answer_fail(answer, &fail);
		return;
	}
	name = dt_strdup(t->name);
	result = (struct dt_dispose_terminal_result){ t->index, name };
	dt_terminal_close(t, false);
	dt_answer_end(answer, &result);
	free(name);
}
