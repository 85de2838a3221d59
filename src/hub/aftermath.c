/*
 * hub/aftermath.c - what is on disk after a change was accepted.
 *
 * Agents that write for themselves may not: the file is stale or a link for
 * them, their mode forbids it, or they gave up.  They do not say so, so we look.
 * The looking is done on a thread of its own, so the loop waits for no disk.
 */
#include "hub/aftermath.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/limits.h"
#include "base/log.h"
#include "base/utf8.h"
#include "hub/workspace.h"
#include "loop/worker.h"
#include "review/write.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#define FIRST_LOOK_MS 20
#define SLOWEST_LOOK_MS 1000
#define LARGE (1 << 20) /* bytes: read again only when its stat has changed */

/* How a file compares with what was accepted. */
enum likeness {
	UNLIKE,
	ALMOST, /* but for line ends, a byte order mark or the last newline */
	ALIKE,
};

/* One file, and how it was last seen. */
struct file {
	enum dt_change_kind kind;
	char *path;
	char *new_path;             /* or NULL */
	char base[DT_SHA256_TEXT];  /* "": there was none */
	struct dt_str final;        /* until the first look */
	char exact[DT_SHA256_TEXT]; /* of the final text */
	char loose[DT_SHA256_TEXT]; /* and of what ALMOST means */
	/* The agent writes it in a form of its own: that it is not the old
	 * text any more has to do. */
	bool is_own_form;
	struct stat seen;
	enum likeness likeness;
	char *problem; /* NULL: it is alike */
};

/* One review that is followed. */
struct follow {
	struct dt_job job;
	struct dt_list link;
	struct dt_hub *hub; /* NULL: nobody wants to know any more */
	struct dt_timer *timer;
	struct dt_review head; /* its names alone */
	struct file *files;
	size_t count;
	uint64_t deadline_ms;
	uint64_t pause_ms;
	bool is_looking; /* the worker has it */
	/* of the last look */
	enum likeness likeness; /* of the worst */
	const char *problem;    /* and what it is */
};

struct dt_aftermath {
	struct dt_worker *worker;
	struct dt_list follows; /* the oldest first */
	size_t count;
};

/* settling */

static void on_settled(struct dt_store *store, const struct dt_fail *fail,
                       void *owner)
{
	(void)store;
	(void)owner;
	if (fail->code)
		dt_log(DT_LOG_WARN, "what became of a change is not kept: %s",
		       fail->msg);
}

void dt_aftermath_settle(struct dt_hub *hub, const struct dt_review *review,
                         enum dt_review_state state, const char *problem)
{
	struct dt_review told = { .state = state };

	dt_log(problem ? DT_LOG_WARN : DT_LOG_INFO, "review %.8s: %s%s%s",
	       review->id, dt_review_state_names[state], problem ? ": " : "",
	       problem ? problem : "");
	if (hub->store)
		dt_store_put_written(hub->store, review->id, state, problem,
		                     on_settled, NULL);
	memcpy(told.id, review->id, sizeof(told.id));
	told.workspace = review->workspace;
	told.session = review->session;
	told.agent = review->agent;
	if (hub->inbox.on_change)
		hub->inbox.on_change(&hub->inbox, &told, hub->inbox.owner);
}

static void free_follow(struct follow *f)
{
	if (f->hub) {
		dt_list_remove(&f->link);
		f->hub->aftermath->count--;
	}
	dt_timer_free(f->timer);
	for (size_t i = 0; i < f->count; i++) {
		free(f->files[i].path);
		free(f->files[i].new_path);
		free(f->files[i].problem);
		free((char *)(uintptr_t)f->files[i].final.ptr);
	}
	free(f->files);
	free(f->head.workspace);
	free(f->head.session);
	free(f->head.agent);
	free(f);
}

/* looking, on the worker's thread */

/* Of a text without what agents change as they write. */
static void digest_loosely(struct dt_str text, char out[DT_SHA256_TEXT])
{
	char *made = dt_strndup(text.ptr ? text.ptr : "", text.len);
	size_t len = 0;
	size_t at = text.len >= 3 && !memcmp(made, "\xef\xbb\xbf", 3) ? 3 : 0;

	for (; at < text.len; at++) {
		if (made[at] != '\r' || at + 1 == text.len ||
		    made[at + 1] != '\n')
			made[len++] = made[at];
	}
	if (len > 0 && made[len - 1] == '\n')
		len--;
	dt_sha256_hex(made, len, out);
	free(made);
}

static void take_digests(struct file *file)
{
	if (!file->final.ptr)
		return;
	dt_sha256_hex(file->final.ptr, file->final.len, file->exact);
	digest_loosely(file->final, file->loose);
	free((char *)(uintptr_t)file->final.ptr);
	file->final = (struct dt_str){ 0 };
}

static bool is_as_seen(const struct stat *a, const struct stat *b)
{
	return a->st_ino == b->st_ino && a->st_size == b->st_size &&
	       a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
	       a->st_mtim.tv_nsec == b->st_mtim.tv_nsec &&
	       a->st_ctim.tv_sec == b->st_ctim.tv_sec &&
	       a->st_ctim.tv_nsec == b->st_ctim.tv_nsec;
}

static enum likeness compare(const struct file *file, struct dt_str text,
                             bool *is_old)
{
	char digest[DT_SHA256_TEXT];

	dt_sha256_hex(text.ptr, text.len, digest);
	*is_old = !strcmp(digest, file->base);
	if (!strcmp(digest, file->exact))
		return ALIKE;
	if (*is_old)
		return UNLIKE;
	if (file->is_own_form)
		return ALMOST;
	digest_loosely(text, digest);
	return strcmp(digest, file->loose) ? UNLIKE : ALMOST;
}

/* Sets the problem, on the heap, where it is not alike. */
static void look_at_text(struct file *file, const char *path, char **problem)
{
	struct dt_fail why = { 0 };
	bool is_old = false;
	struct dt_buf text;

	dt_buf_init(&text, DT_LIMIT_HOOK_INPUT);
	if (dt_file_read(path, &text, &why)) {
		file->likeness = UNLIKE;
		*problem = dt_asprintf("%s cannot be read: %s", path, why.msg);
		dt_buf_done(&text);
		return;
	}
	file->likeness = compare(file, dt_buf_str(&text), &is_old);
	if (file->likeness == UNLIKE)
		*problem = dt_asprintf(
			is_old ? "%s still has its old text"
			       : "%s has another text than the accepted one",
			path);
	else if (file->likeness == ALMOST)
		*problem = dt_asprintf(
			file->is_own_form
				? "%s was written in a form of the agent's own"
				: "%s was written with other line ends",
			path);
	dt_buf_done(&text);
}

/* Sets the likeness, and the problem where it is not alike. */
static void look_at(struct file *file)
{
	const char *path = file->new_path ? file->new_path : file->path;
	bool is_removed = file->kind == DT_CHANGE_DELETE || file->new_path;
	char *problem = NULL;
	struct stat st = { 0 };

	take_digests(file);
	if (is_removed && lstat(file->path, &st) == 0) {
		file->likeness = UNLIKE;
		problem = dt_asprintf("%s is still there", file->path);
	} else if (file->kind == DT_CHANGE_DELETE) {
		file->likeness = ALIKE;
	} else if (stat(path, &st) < 0) {
		file->likeness = UNLIKE;
		problem =
			dt_asprintf(errno == ENOENT ? "%s is not there"
		                                    : "%s cannot be looked at",
		                    path);
	} else if (st.st_size > LARGE && is_as_seen(&file->seen, &st)) {
		return;
	} else {
		look_at_text(file, path, &problem);
	}
	file->seen = st;
	free(file->problem);
	file->problem = problem;
}

static void run_look(struct dt_job *job)
{
	struct follow *f = (struct follow *)job;

	f->problem = NULL;
	f->likeness = ALIKE;
	for (size_t i = 0; i < f->count; i++) {
		struct file *file = &f->files[i];

		look_at(file);
		if (file->likeness < f->likeness) {
			f->likeness = file->likeness;
			f->problem = file->problem;
		}
	}
}

/* back on the loop */

static void settle(struct follow *f)
{
	char *sentence = NULL;

	if (f->likeness == UNLIKE)
		sentence = dt_asprintf("the agent did not write it as it was "
		                       "accepted: %s",
		                       f->problem);
	dt_aftermath_settle(f->hub, &f->head,
	                    f->likeness == UNLIKE ? DT_REVIEW_UNWRITTEN
	                                          : DT_REVIEW_ACCEPTED,
	                    sentence ? sentence : f->problem);
	free(sentence);
	free_follow(f);
}

static void end_look(struct dt_job *job)
{
	struct follow *f = (struct follow *)job;

	f->is_looking = false;
	if (!f->hub) {
		free_follow(f);
		return;
	}
	if (f->likeness == ALIKE || dt_clock_ms() >= f->deadline_ms) {
		settle(f);
		return;
	}
	f->pause_ms *= 2;
	if (f->pause_ms > SLOWEST_LOOK_MS)
		f->pause_ms = SLOWEST_LOOK_MS;
	dt_timer_start(f->timer, f->pause_ms);
}

static void on_time(struct dt_timer *timer, void *owner)
{
	struct follow *f = owner;

	(void)timer;
	f->is_looking = true;
	dt_worker_post(f->hub->aftermath->worker, &f->job);
}

/* following */

static struct dt_aftermath *aftermath_of(struct dt_hub *hub)
{
	if (hub->aftermath)
		return hub->aftermath;
	hub->aftermath = dt_alloc(sizeof(*hub->aftermath));
	hub->aftermath->worker = dt_worker_new(hub->loop, "aftermath");
	dt_list_init(&hub->aftermath->follows);
	return hub->aftermath;
}

static bool has_own_form(const struct dt_entry *e)
{
	size_t len = strlen(e->path);

	return (len > 6 && !strcmp(e->path + len - 6, ".ipynb")) ||
	       !dt_utf8_is_valid(e->old_text);
}

static void copy_files(struct follow *f, const struct dt_changeset *set)
{
	f->files = dt_alloc(set->count * sizeof(*f->files));
	for (size_t i = 0; i < set->count; i++) {
		const struct dt_entry *e = &set->entries[i];
		struct file *file = &f->files[f->count];

		if (e->is_left_out || e->path[strlen(e->path) - 1] == '/')
			continue; /* a folder has no text */
		file->kind = e->kind;
		file->path = dt_strdup(e->path);
		file->new_path = e->new_path ? dt_strdup(e->new_path) : NULL;
		memcpy(file->base, e->digest, sizeof(file->base));
		file->final = dt_text_own(e->final);
		file->is_own_form = has_own_form(e);
		f->count++;
	}
}

void dt_aftermath_follow(struct dt_hub *hub, const struct dt_review *r)
{
	struct dt_aftermath *a;
	struct follow *f;

	if (hub->is_stopping)
		return; /* the next run looks */
	a = aftermath_of(hub);
	f = dt_alloc(sizeof(*f));
	if (a->count == DT_LIMIT_FOLLOWED) {
		struct follow *oldest =
			DT_LIST_OF(a->follows.next, struct follow, link);

		/* It settles with its next look. */
		oldest->deadline_ms = 0;
	}
	f->job.run = run_look;
	f->job.done = end_look;
	f->hub = hub;
	f->timer = dt_timer_new(hub->loop, on_time, f);
	dt_timer_set_background(f->timer);
	memcpy(f->head.id, r->id, sizeof(f->head.id));
	f->head.workspace = dt_strdup(r->workspace);
	f->head.session = dt_strdup(r->session ? r->session : "");
	f->head.agent = dt_strdup(r->agent ? r->agent : "");
	copy_files(f, &r->set);
	f->deadline_ms = dt_clock_ms() + r->settle_ms;
	f->pause_ms = FIRST_LOOK_MS;
	dt_list_append(&a->follows, &f->link);
	a->count++;
	dt_timer_start(f->timer, f->pause_ms);
}

void dt_aftermath_stop(struct dt_hub *hub)
{
	struct dt_aftermath *a = hub->aftermath;

	if (!a)
		return;
	dt_list_each(f, &a->follows, struct follow, link) {
		if (!f->is_looking) {
			free_follow(f);
			continue;
		}
		dt_list_remove(&f->link);
		f->hub = NULL;
		dt_timer_free(f->timer);
		f->timer = NULL;
	}
	dt_worker_close(a->worker, NULL, NULL);
	free(a);
	hub->aftermath = NULL;
}

/* what we write, and what an earlier run left */

struct finishing {
	struct dt_hub *hub;
	dt_aftermath_fn *fn; /* NULL: an earlier run left it */
	void *owner;
};

static char *own(const char *z)
{
	return (char *)(uintptr_t)(z ? z : "");
}

static enum dt_err write_now(struct dt_hub *hub, struct dt_review *head,
                             bool is_forced, struct dt_fail *fail)
{
	struct dt_workspace *ws = dt_workspace_by_id(hub, head->workspace);
	enum dt_err err;

	if (!ws || hub->is_stopping)
		return dt_fail(fail, DT_E_STATE,
		               "its workspace is not served any more");
	err = dt_changeset_resume(&head->set, &ws->docs, head->id, is_forced,
	                          fail);
	for (size_t i = 0; i < head->set.count; i++)
		free(head->set.entries[i].trashed);
	dt_aftermath_settle(hub, head,
	                    err ? DT_REVIEW_UNWRITTEN : DT_REVIEW_ACCEPTED,
	                    err ? fail->msg : NULL);
	return err;
}

static void on_fetched(struct dt_store *store, const struct dt_review_record *r,
                       const struct dt_fail *fail, void *owner)
{
	struct finishing *f = owner;
	struct dt_review head = { .settle_ms = DT_LIMIT_SETTLE_MS };
	struct dt_arena arena = { 0 };
	struct dt_fail why = *fail;

	(void)store;
	if (r) {
		memcpy(head.id, r->id, sizeof(head.id));
		head.workspace = own(r->workspace);
		head.session = own(r->session);
		head.agent = own(r->agent);
		head.set = dt_changeset_kept(&arena, r);
	}
	if (r && r->state != DT_REVIEW_WRITING)
		dt_fail(&why, DT_E_STATE, "review %.8s is %s already", r->id,
		        dt_review_verdict_name(r->state));
	else if (r && r->writer == DT_WRITER_AGENT)
		dt_aftermath_follow(f->hub, &head);
	else if (r &&
	         write_now(f->hub, &head, r->writer == DT_WRITER_FORCED, &why))
		dt_log(DT_LOG_DEBUG, "review %.8s stays unwritten", r->id);
	if (f->fn)
		f->fn(&why, f->owner);
	free(f);
	dt_arena_done(&arena);
}

void dt_aftermath_finish(struct dt_hub *hub, const char *id,
                         dt_aftermath_fn *fn, void *owner)
{
	struct finishing *f = dt_alloc(sizeof(*f));

	*f = (struct finishing){ hub, fn, owner };
	dt_store_get_review(hub->store, id, on_fetched, f);
}

static bool is_ours(struct dt_hub *hub, const char *id)
{
	struct dt_review *r;

	return !dt_inbox_find(&hub->inbox, id, &r, NULL);
}

static void on_listed(struct dt_store *store,
                      const struct dt_review_record *reviews, size_t count,
                      const struct dt_fail *fail, void *owner)
{
	struct dt_hub *hub = owner;

	(void)store;
	if (fail->code && !hub->store_trouble)
		dt_log(DT_LOG_WARN, "unfinished changes: %s", fail->msg);
	for (size_t i = 0; !fail->code && hub->store && i < count; i++) {
		if (!is_ours(hub, reviews[i].id))
			dt_aftermath_finish(hub, reviews[i].id, NULL, NULL);
	}
}

void dt_aftermath_resume(struct dt_hub *hub, const char *workspace)
{
	struct dt_review_filter filter = {
		.workspace = workspace,
		.states = 1u << DT_REVIEW_WRITING,
	};

	if (hub->store)
		dt_store_list_reviews(hub->store, &filter, on_listed, hub);
}
