/*
 * backend/watch_files.c - changes kept for agents that ask for them.
 *
 * Changes come in batches.  Of each, git is asked which files it ignores, one
 * batch after the other, so that numbers grow in the order of what happened.
 * Invariant: the changes of a watch are in the order of their numbers, each file
 * once.
 */
#include "backend/watch_files.h"

#include "backend/follow.h"
#include "backend/ignored.h"
#include "backend/sieve.h"
#include "base/glob.h"
#include "base/limits.h"

#include <stdio.h>
#include <stdlib.h>

#define SETTLE_MS 10000 /* for folders to be gone through */

struct kept {
	char *path;
	int kind;
	int64_t number;
};

struct watch {
	struct dt_list link;
	struct dt_watch_files *set;
	char *id;
	char *pattern;
	char *owner;           /* NULL: the person */
	struct dt_timer *idle; /* of the person's */
	struct kept kept[DT_LIMIT_WATCH_KEPT];
	size_t count;
	int64_t told; /* the last number that was */
	int64_t lost; /* behind this one all are there */
};

/* Who waits for a change. */
struct wait {
	struct dt_list link;
	struct watch *watch;
	struct dt_answer *answer;
	struct dt_timer *timer;
	int64_t since;
	uint32_t wait_ms; /* 0: only until the folders are watched */
};

/* Changes that git is asked about; paths are the batch's. */
struct batch {
	struct dt_list link;
	struct dt_arena arena;
	struct dt_file_change *changes;
	size_t count;
	size_t next; /* the first of the next root */
	bool is_lost;
};

struct dt_watch_files {
	struct dt_headless *h;
	struct dt_list watches;
	struct dt_list waits;
	struct dt_list batches;
	struct dt_ignored *ask; /* about the first of them */
	int64_t last;           /* number that was given */
	unsigned made;          /* watches, for their names */
};

/* the end of waits and watches */

static void free_wait(struct wait *wait)
{
	dt_list_remove(&wait->link);
	dt_timer_free(wait->timer);
	free(wait);
}

static void tell(struct watch *watch, int64_t since, struct dt_answer *answer)
{
	struct dt_watch_files *set = watch->set;
	struct dt_file_change *list =
		dt_alloc((watch->count + 1) * sizeof(*list));
	struct dt_watch_files_result result = {
		.id = watch->id,
		.pattern = watch->pattern,
		.last = set->last,
		.changes = { list, 0 },
		.is_cut = watch->lost > since,
		.note = dt_follow_problem(set->h->follow),
	};

	for (size_t i = 0; i < watch->count; i++) {
		if (watch->kept[i].number > since)
			list[result.changes.count++] = (struct dt_file_change){
				.path = watch->kept[i].path,
				.kind = watch->kept[i].kind,
			};
	}
	if (!result.note && !dt_follow_is_settled(set->h->follow))
		result.note = "the folders are still being gone through: what "
			      "changes meanwhile may be missed";
	watch->told = set->last;
	dt_answer_end(answer, &result);
	free(list);
}

static void end_wait(struct wait *wait)
{
	struct watch *watch = wait->watch;
	struct dt_answer *answer = wait->answer;
	int64_t since = wait->since;

	free_wait(wait);
	tell(watch, since, answer);
}

static void on_deadline(struct dt_timer *timer, void *owner)
{
	(void)timer;
	end_wait(owner);
}

static void on_drop(struct dt_answer *answer, void *performer)
{
	(void)answer;
	free_wait(performer);
}

static void fail_waits(struct dt_watch_files *set, const struct watch *watch)
{
	dt_list_each(wait, &set->waits, struct wait, link) {
		struct dt_answer *answer = wait->answer;

		if (watch && wait->watch != watch)
			continue;
		free_wait(wait);
		dt_answer_failf(answer, DT_E_CLOSED, "the watch has ended");
	}
}

static void forget_changes(struct watch *watch)
{
	for (size_t i = 0; i < watch->count; i++)
		free(watch->kept[i].path);
	watch->count = 0;
}

static void free_watch(struct watch *watch)
{
	dt_list_remove(&watch->link);
	fail_waits(watch->set, watch);
	forget_changes(watch);
	dt_timer_free(watch->idle);
	free(watch->id);
	free(watch->pattern);
	free(watch->owner);
	free(watch);
}

static void on_idle(struct dt_timer *timer, void *owner)
{
	(void)timer;
	free_watch(owner);
}

/* changes */

static void drop_kept(struct watch *watch, size_t at)
{
	free(watch->kept[at].path);
	watch->count--;
	memmove(&watch->kept[at], &watch->kept[at + 1],
	        (watch->count - at) * sizeof(watch->kept[0]));
}

/* What came of two changes of which neither is told yet; -1: nothing. */
static int merge(int before, int after)
{
	if (before == DT_FILE_CREATED && after == DT_FILE_DELETED)
		return -1;
	if (before == DT_FILE_CREATED)
		return DT_FILE_CREATED;
	return before == DT_FILE_DELETED && after == DT_FILE_CREATED
	               ? DT_FILE_CHANGED
	               : after;
}

static void keep(struct watch *watch, const struct dt_file_change *change)
{
	int kind = change->kind;

	for (size_t i = 0; i < watch->count; i++) {
		const struct kept *old = &watch->kept[i];

		if (strcmp(old->path, change->path) != 0)
			continue;
		if (old->number > watch->told)
			kind = merge(old->kind, kind);
		drop_kept(watch, i);
		break;
	}
	if (kind < 0)
		return;
	if (watch->count == DT_LIMIT_WATCH_KEPT) {
		watch->lost = watch->kept[0].number;
		drop_kept(watch, 0);
	}
	watch->kept[watch->count++] = (struct kept){
		.path = dt_strdup(change->path),
		.kind = kind,
		.number = ++watch->set->last,
	};
}

static bool is_watched(const struct watch *watch, const char *path)
{
	const struct dt_sieve sieve = {
		.args = { .glob = watch->pattern, .has_hidden = true },
	};
	const char *name;
	const char *root =
		dt_documents_root_of(watch->set->h->docs, path, &name);

	if (watch->pattern[0] == '/')
		return dt_glob_matches(dt_str(watch->pattern), dt_str(path));
	return root && *name && dt_sieve_fits(&sieve, root, name);
}

static bool has_news(const struct watch *watch, int64_t since)
{
	return watch->lost > since ||
	       (watch->count > 0 &&
	        watch->kept[watch->count - 1].number > since);
}

/* In the next turn: we may be in the middle of another operation. */
static void wake(struct dt_watch_files *set)
{
	dt_list_each(wait, &set->waits, struct wait, link) {
		if (has_news(wait->watch, wait->since))
			dt_timer_start(wait->timer, 0);
	}
}

void dt_watch_files_settled(struct dt_watch_files *set)
{
	dt_list_each(wait, &set->waits, struct wait, link) {
		if (!wait->wait_ms)
			dt_timer_start(wait->timer, 0);
	}
}

/* batches */

static void record(struct dt_watch_files *set,
                   const struct dt_file_change *change)
{
	dt_list_each(watch, &set->watches, struct watch, link) {
		if (is_watched(watch, change->path))
			keep(watch, change);
	}
}

static void free_batch(struct batch *batch)
{
	dt_list_remove(&batch->link);
	dt_arena_done(&batch->arena);
	free(batch);
}

static void ask_next(struct dt_watch_files *set);

static bool is_listed(struct dt_str names, const char *name)
{
	while (names.len > 0) {
		if (dt_str_is(dt_str_cut(&names, '\0'), name))
			return true;
	}
	return false;
}

static void on_ignored(struct dt_str names, void *owner)
{
	struct dt_watch_files *set = owner;
	struct batch *batch = DT_LIST_OF(set->batches.next, struct batch, link);
	const char *root = NULL;
	const char *name;

	set->ask = NULL;
	for (; batch->next < batch->count; batch->next++) {
		const struct dt_file_change *change =
			&batch->changes[batch->next];
		const char *its =
			dt_documents_root_of(set->h->docs, change->path, &name);

		if (root && its != root)
			break;
		root = its;
		if (!is_listed(names, name))
			record(set, change);
	}
	ask_next(set);
}

/* All of one root at a time: they follow one another, being in order. */
static void ask_about(struct dt_watch_files *set, struct batch *batch)
{
	const char **names =
		dt_alloc((batch->count - batch->next) * sizeof(*names));
	struct dt_ignored_spec spec = { .world = &set->h->world,
		                        .names = names };

	for (size_t i = batch->next; i < batch->count; i++) {
		const char *root = dt_documents_root_of(set->h->docs,
		                                        batch->changes[i].path,
		                                        &names[spec.count]);

		if (spec.root && root != spec.root)
			break;
		spec.root = root;
		spec.count++;
	}
	set->ask = dt_ignored_start(&spec, on_ignored, set);
	free(names);
}

static void lose(struct dt_watch_files *set)
{
	int64_t number = ++set->last;

	dt_list_each(watch, &set->watches, struct watch, link)
		watch->lost = number;
}

static void ask_next(struct dt_watch_files *set)
{
	while (!set->ask && !dt_list_is_empty(&set->batches)) {
		struct batch *batch =
			DT_LIST_OF(set->batches.next, struct batch, link);

		if (batch->next < batch->count) {
			ask_about(set, batch);
			return;
		}
		if (batch->is_lost)
			lose(set);
		free_batch(batch);
		wake(set);
	}
}

/* Somebody watches it, and may know of it. */
static bool is_for_somebody(struct dt_watch_files *set, const char *path)
{
	const struct dt_world *world = &set->h->world;

	if (world->may_leave && !world->may_leave(world->owner, path))
		return false;
	dt_list_each(watch, &set->watches, struct watch, link) {
		if (is_watched(watch, path))
			return true;
	}
	return false;
}

void dt_watch_files_take(struct dt_watch_files *set,
                         const struct dt_file_changes *changes)
{
	struct batch *batch;

	if (dt_list_is_empty(&set->watches))
		return;
	batch = dt_alloc(sizeof(*batch));
	batch->is_lost = changes->is_lost;
	batch->changes = dt_arena_alloc(
		&batch->arena, changes->count * sizeof(*batch->changes));
	for (size_t i = 0; i < changes->count; i++) {
		struct dt_file_change change = changes->ptr[i];

		if (!is_for_somebody(set, change.path))
			continue;
		change.path = dt_arena_strdup(&batch->arena, change.path);
		batch->changes[batch->count++] = change;
	}
	dt_list_append(&set->batches, &batch->link);
	ask_next(set);
}

/* operations */

static bool is_owner(const struct watch *watch, const char *asker)
{
	if (!watch->owner || !asker)
		return !watch->owner && !asker;
	return !strcmp(watch->owner, asker);
}

static struct watch *find(struct dt_watch_files *set, const char *asker,
                          const char *id)
{
	dt_list_each(watch, &set->watches, struct watch, link) {
		if (is_owner(watch, asker) && id && !strcmp(watch->id, id))
			return watch;
	}
	return NULL;
}

/* One that begins with a slash is a pattern of whole paths. */
static enum dt_err check_pattern(struct dt_watch_files *set,
                                 const char *pattern, struct dt_fail *fail)
{
	const char *rest;

	if (pattern[0] == '/' &&
	    !dt_documents_root_of(set->h->docs, pattern, &rest))
		return dt_fail(fail, DT_E_ARGS,
		               "pattern: %s is outside the workspace", pattern);
	return dt_glob_check_path(dt_str(pattern), fail);
}

static enum dt_err check_room(struct dt_watch_files *set, const char *asker,
                              struct dt_fail *fail)
{
	size_t count = 0;

	dt_list_each(watch, &set->watches, struct watch, link)
		count += is_owner(watch, asker);
	if (count < DT_LIMIT_WATCHES)
		return DT_E_OK;
	return dt_fail(fail, DT_E_LIMIT,
	               "%u watches are there already: end one with "
	               "unwatchFiles",
	               DT_LIMIT_WATCHES);
}

static struct watch *new_watch(struct dt_watch_files *set, const char *asker,
                               const char *id)
{
	struct watch *watch = dt_alloc(sizeof(*watch));

	watch->set = set;
	watch->id = id ? dt_strdup(id) : dt_asprintf("watch-%u", ++set->made);
	watch->owner = asker ? dt_strdup(asker) : NULL;
	watch->idle = dt_timer_new(set->h->world.loop, on_idle, watch);
	dt_timer_set_background(watch->idle);
	dt_list_append(&set->watches, &watch->link);
	return watch;
}

/* The watch that is meant, made where it is new. */
static enum dt_err meant(struct dt_watch_files *set, const char *asker,
                         const struct dt_watch_files_args *args,
                         struct watch **out, struct dt_fail *fail)
{
	struct watch *watch = find(set, asker, args->id);
	enum dt_err err;

	*out = watch;
	if (!args->pattern)
		return watch ? DT_E_OK
		             : dt_fail(fail, DT_E_MISSING,
		                       "there is no watch %s: begin one with "
		                       "pattern",
		                       args->id ? args->id : "without an id");
	if (watch && !strcmp(watch->pattern, args->pattern))
		return DT_E_OK;
	err = check_pattern(set, args->pattern, fail);
	if (!err && !watch)
		err = check_room(set, asker, fail);
	if (err)
		return err;
	if (!watch)
		watch = new_watch(set, asker, args->id);
	forget_changes(watch);
	free(watch->pattern);
	watch->pattern = dt_strdup(args->pattern);
	watch->told = watch->lost = set->last;
	*out = watch;
	return DT_E_OK;
}

void dt_watch_files_do_watch(struct dt_headless *h, const void *args,
                             struct dt_answer *answer)
{
	const struct dt_watch_files_args *wanted = args;
	struct dt_watch_files *set = h->watch_files;
	struct dt_fail fail = { 0 };
	uint32_t wait_ms = wanted->wait_ms;
	struct watch *watch;
	struct wait *wait;
	int64_t since;

	if (meant(set, answer->asker, wanted, &watch, &fail)) {
		dt_answer_fail(answer, &fail);
		return;
	}
	dt_follow_begin(h->follow);
	if (!watch->owner)
		dt_timer_start(watch->idle, DT_LIMIT_WATCH_OWN_MS);
	since = wanted->since < 0 ? watch->told : wanted->since;
	if (has_news(watch, since) ||
	    (!wait_ms && dt_follow_is_settled(h->follow))) {
		tell(watch, since, answer);
		return;
	}
	wait = dt_alloc(sizeof(*wait));
	wait->watch = watch;
	wait->answer = answer;
	wait->since = since;
	wait->wait_ms =
		wait_ms < DT_LIMIT_WATCH_MS ? wait_ms : DT_LIMIT_WATCH_MS;
	wait->timer = dt_timer_new(h->world.loop, on_deadline, wait);
	dt_timer_start(wait->timer, wait_ms ? wait->wait_ms : SETTLE_MS);
	dt_list_append(&set->waits, &wait->link);
	answer->on_drop = on_drop;
	answer->performer = wait;
}

void dt_watch_files_do_unwatch(struct dt_headless *h, const void *args,
                               struct dt_answer *answer)
{
	const struct dt_unwatch_files_args *wanted = args;
	struct watch *watch = find(h->watch_files, answer->asker, wanted->id);

	if (!watch) {
		dt_answer_failf(answer, DT_E_MISSING, "there is no watch %s",
		                wanted->id);
		return;
	}
	free_watch(watch);
	dt_answer_end(answer, NULL);
}

/* the set */

struct dt_watch_files *dt_watch_files_new(struct dt_headless *h)
{
	struct dt_watch_files *set = dt_alloc(sizeof(*set));

	set->h = h;
	dt_list_init(&set->watches);
	dt_list_init(&set->waits);
	dt_list_init(&set->batches);
	return set;
}

bool dt_watch_files_has_any(const struct dt_watch_files *set)
{
	return !dt_list_is_empty(&set->watches);
}

void dt_watch_files_leave(struct dt_watch_files *set, const char *asker)
{
	dt_list_each(watch, &set->watches, struct watch, link) {
		if (watch->owner && !strcmp(watch->owner, asker))
			free_watch(watch);
	}
}

void dt_watch_files_stop(struct dt_watch_files *set)
{
	if (set->ask)
		dt_ignored_drop(set->ask);
	set->ask = NULL;
	dt_list_each(batch, &set->batches, struct batch, link)
		free_batch(batch);
	dt_list_each(watch, &set->watches, struct watch, link)
		free_watch(watch);
}

void dt_watch_files_free(struct dt_watch_files *set)
{
	if (!set)
		return;
	dt_watch_files_stop(set);
	free(set);
}
