/*
 * backend/looks.c - files looked at, one look at a time for each.
 *
 * Whoever asks draws a number; a look serves all numbers drawn before it began,
 * because the text it sees is not older than they are.  One who asks while a
 * look is under way wants the next one, which begins when this one has ended.
 * Invariant: look->done <= look->begun, and one with wanted > done is under way.
 */
#include "backend/looks.h"

#include "base/limits.h"
#include "base/list.h"

#include <stdlib.h>
#include <unistd.h>

struct look {
	struct dt_list link; /* of looks->list, the last asked at the end */
	struct dt_looks *looks;
	char *path;
	uint64_t wanted; /* the highest number that asked */
	uint64_t begun;  /* numbers up to here are served by the present one */
	uint64_t done;   /* and up to here were */
	struct dt_lsp_request *request; /* or */
	struct dt_lint *lint;
	struct dt_fail fail; /* of the server */
	/* How the last one ended; in `told`. */
	struct dt_arena told;
	struct dt_names who;
	struct dt_items errors; /* struct dt_linter_error */
	bool is_unknown;        /* nobody is for such files */
};

struct dt_looks_wait {
	struct dt_list link;
	struct dt_looks *looks;
	char *path; /* NULL: all */
	uint64_t number;
	struct dt_timer *timer;
	dt_looks_fn *fn;
	void *owner;
};

struct dt_looks {
	struct dt_world world;
	struct dt_lsp *lsp;
	struct dt_linters *linters;
	struct dt_problems *problems;
	struct dt_list list;
	size_t count;
	struct dt_list waits;
	uint64_t number;
	bool is_stopped;
};

static bool is_busy(const struct look *look)
{
	return look->request || look->lint;
}

static void free_look(struct look *look)
{
	if (look->request)
		dt_lsp_drop(look->request);
	if (look->lint)
		dt_lint_drop(look->lint);
	dt_list_remove(&look->link);
	look->looks->count--;
	dt_arena_done(&look->told);
	free(look->path);
	free(look);
}

static struct look *find_look(struct dt_looks *looks, const char *path)
{
	dt_list_each(look, &looks->list, struct look, link) {
		if (!strcmp(look->path, path))
			return look;
	}
	return NULL;
}

/* waiting */

static bool is_served(struct dt_looks_wait *wait)
{
	dt_list_each(look, &wait->looks->list, struct look, link) {
		if (wait->path && strcmp(look->path, wait->path) != 0)
			continue;
		if (look->wanted >= wait->number && look->done < wait->number)
			return false;
	}
	return true;
}

/* Told in the next turn: what they do then may begin looks. */
static void serve(struct dt_looks *looks)
{
	dt_list_each(wait, &looks->waits, struct dt_looks_wait, link) {
		if (is_served(wait))
			dt_timer_start(wait->timer, 0);
	}
}

void dt_looks_drop(struct dt_looks_wait *wait)
{
	dt_list_remove(&wait->link);
	dt_timer_free(wait->timer);
	free(wait->path);
	free(wait);
}

static void on_timer(struct dt_timer *timer, void *owner)
{
	struct dt_looks_wait *wait = owner;
	dt_looks_fn *fn = wait->fn;
	void *whose = wait->owner;

	(void)timer;
	dt_looks_drop(wait);
	fn(whose);
}

/* one look */

static void begin(struct look *look);

static void forget_told(struct look *look)
{
	look->who = (struct dt_names){ 0 };
	look->errors = (struct dt_items){ 0 };
	dt_arena_done(&look->told);
}

static void end(struct look *look)
{
	look->done = look->begun;
	if (look->wanted > look->done)
		begin(look);
	serve(look->looks);
}

static void note_who(struct look *look, const struct dt_names *names)
{
	look->who.ptr =
		dt_arena_alloc(&look->told, names->count * sizeof(char *));
	for (size_t i = 0; i < names->count; i++)
		look->who.ptr[look->who.count++] =
			dt_arena_strdup(&look->told, names->ptr[i]);
}

static void note_error(struct look *look, const char *who, const char *message)
{
	struct dt_linter_error *errors = look->errors.ptr;

	errors[look->errors.count++] = (struct dt_linter_error){
		.linter = dt_arena_strdup(&look->told, who),
		.message = dt_problem_text(&look->told, message),
	};
}

/* What is told from now on: who looked, who could not, and the server that did
 * not, which is no news where there is none and linters looked. */
static void settle(struct look *look, const struct dt_names *names,
                   const struct dt_items *errors)
{
	const struct dt_linter_error *error = errors->ptr;

	forget_told(look);
	note_who(look, names);
	look->errors.ptr = dt_arena_alloc(&look->told,
	                                  (errors->count + 1) * sizeof(*error));
	look->is_unknown = look->fail.code == DT_E_UNSUPPORTED && !names->count;
	if (look->fail.code &&
	    (look->fail.code != DT_E_UNSUPPORTED || look->is_unknown))
		note_error(look, "language server", look->fail.msg);
	for (size_t i = 0; i < errors->count; i++)
		note_error(look, error[i].linter, error[i].message);
	end(look);
}

static void on_lint(const struct dt_lint_end *found, void *owner)
{
	struct look *look = owner;

	look->lint = NULL;
	settle(look, &found->names, &found->errors);
}

/* A server that is slow is still the one to look; one that is not there, or
 * does not live, is not. */
static bool wants_linters(const struct look *look)
{
	return look->fail.code == DT_E_UNSUPPORTED ||
	       look->fail.code == DT_E_CLOSED;
}

static void on_server(const struct dt_lsp_reply *reply,
                      const struct dt_fail *fail, void *owner)
{
	static const struct dt_items no_errors;
	struct look *look = owner;
	struct dt_looks *looks = look->looks;
	const char *name = reply ? reply->server : NULL;

	look->request = NULL;
	look->fail = fail ? *fail : (struct dt_fail){ 0 };
	if (reply)
		dt_linters_forget(looks->linters, look->path);
	else if (access(look->path, F_OK))
		dt_problems_forget(looks->problems, NULL, look->path);
	else if (wants_linters(look))
		look->lint = dt_linters_start(looks->linters, look->path,
		                              on_lint, look);
	if (!look->lint)
		settle(look, &(struct dt_names){ &name, reply ? 1 : 0 },
		       &no_errors);
}

static void begin(struct look *look)
{
	look->begun = look->looks->number;
	look->request = dt_lsp_refresh(look->looks->lsp, look->path,
	                               DT_LIMIT_LOOK_MS, on_server, look);
}

/* asked */

static void drop_oldest(struct dt_looks *looks)
{
	dt_list_each(look, &looks->list, struct look, link) {
		if (is_busy(look))
			continue;
		free_look(look);
		return;
	}
}

static struct look *look_of(struct dt_looks *looks, const char *path)
{
	struct look *look = find_look(looks, path);

	if (!look) {
		if (looks->count >= DT_LIMIT_LOOKS)
			drop_oldest(looks);
		look = dt_alloc(sizeof(*look));
		look->looks = looks;
		look->path = dt_strdup(path);
		dt_list_init(&look->link);
		looks->count++;
	}
	dt_list_remove(&look->link);
	dt_list_append(&looks->list, &look->link);
	return look;
}

static void want(struct look *look)
{
	look->wanted = look->looks->number;
	if (!is_busy(look))
		begin(look);
}

/* Files that were asked about and are gone now need no looks. */
static void want_all(struct dt_looks *looks)
{
	dt_list_each(doc, &looks->world.docs->list, struct dt_document, link) {
		if (looks->count < DT_LIMIT_LOOKS)
			look_of(looks, doc->path);
	}
	dt_list_each(look, &looks->list, struct look, link) {
		if (!is_busy(look) && access(look->path, F_OK)) {
			dt_problems_forget(looks->problems, NULL, look->path);
			free_look(look);
		} else {
			want(look);
		}
	}
}

struct dt_looks_wait *dt_looks_start(struct dt_looks *looks, const char *path,
                                     unsigned wait_ms, dt_looks_fn *fn,
                                     void *owner)
{
	struct dt_looks_wait *wait = dt_alloc(sizeof(*wait));

	*wait = (struct dt_looks_wait){
		.looks = looks,
		.path = path ? dt_strdup(path) : NULL,
		.number = ++looks->number,
		.timer = dt_timer_new(looks->world.loop, on_timer, wait),
		.fn = fn,
		.owner = owner,
	};
	dt_list_append(&looks->waits, &wait->link);
	if (path && !looks->is_stopped)
		want(look_of(looks, path));
	else if (!looks->is_stopped)
		want_all(looks);
	dt_timer_start(wait->timer, is_served(wait) ? 0 : wait_ms);
	return wait;
}

/* told */

static bool is_listed(const struct dt_names *names, const char *name)
{
	for (size_t i = 0; i < names->count; i++) {
		if (!strcmp(names->ptr[i], name))
			return true;
	}
	return false;
}

static void tell_look(const struct look *look,
                      struct dt_diagnostics_result *out)
{
	struct dt_linter_error *errors = out->errors.ptr;

	out->is_pending |= is_busy(look);
	out->is_watched |= look->who.count > 0 || is_busy(look);
	for (size_t i = 0; i < look->who.count; i++) {
		if (!is_listed(&out->who, look->who.ptr[i]))
			out->who.ptr[out->who.count++] = look->who.ptr[i];
	}
	if (look->errors.count > 0)
		memcpy(errors + out->errors.count, look->errors.ptr,
		       look->errors.count * sizeof(*errors));
	out->errors.count += look->errors.count;
}

/* Among those of all files: what could not be looked at, and why, is told of a
 * file that agents may have. */
static bool is_told(const struct dt_looks *looks, const struct look *look)
{
	const struct dt_world *world = &looks->world;

	return !look->is_unknown &&
	       (!world->may_leave ||
	        world->may_leave(world->owner, look->path));
}

void dt_looks_tell(struct dt_looks *looks, struct dt_arena *arena,
                   const char *path, struct dt_diagnostics_result *out)
{
	size_t names = 0;
	size_t errors = 0;

	*out = (struct dt_diagnostics_result){
		.items = dt_problems_get(looks->problems, arena, path),
		.version = dt_problems_version(looks->problems, path),
	};
	dt_list_each(look, &looks->list, struct look, link) {
		names += look->who.count;
		errors += look->errors.count;
	}
	out->who.ptr = dt_arena_alloc(arena, names * sizeof(char *));
	out->errors.ptr =
		dt_arena_alloc(arena, errors * sizeof(struct dt_linter_error));
	dt_list_each(look, &looks->list, struct look, link) {
		if (path ? !strcmp(look->path, path) : is_told(looks, look))
			tell_look(look, out);
	}
	if (!path)
		out->is_watched |= out->items.count > 0;
}

void dt_looks_forget(struct dt_looks *looks)
{
	dt_linters_forget(looks->linters, NULL);
}

struct dt_looks *dt_looks_new(const struct dt_world *world, struct dt_lsp *lsp,
                              struct dt_problems *problems)
{
	struct dt_looks *looks = dt_alloc(sizeof(*looks));

	*looks = (struct dt_looks){
		.world = *world,
		.lsp = lsp,
		.linters = dt_linters_new(world, problems),
		.problems = problems,
	};
	dt_list_init(&looks->list);
	dt_list_init(&looks->waits);
	return looks;
}

void dt_looks_stop(struct dt_looks *looks)
{
	looks->is_stopped = true;
	dt_list_each(look, &looks->list, struct look, link)
		free_look(look);
	dt_linters_stop(looks->linters);
}

void dt_looks_free(struct dt_looks *looks)
{
	if (!looks)
		return;
	dt_list_each(wait, &looks->waits, struct dt_looks_wait, link)
		dt_looks_drop(wait);
	dt_looks_stop(looks);
	dt_linters_free(looks->linters);
	free(looks);
}
