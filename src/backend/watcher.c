/*
 * backend/watcher.c - what the kernel tells of folders, made into changes of
 * files.
 *
 * While a root is scanned the kernel's words wait: they may be about folders
 * whose place is only known afterwards.  Of each path the first thing that
 * happened is kept; what it is now is seen when it is told.  Invariant: `folders`
 * is in the order of their numbers.
 */
#include "backend/watcher.h"

#include "backend/walk.h"
#include "backend/watch_scan.h"
#include "base/file.h"
#include "base/limits.h"
#include "base/log.h"
#include "base/path.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

#define TOGETHER_MS 80             /* what happens within is told together */
#define SLACK_NS INT64_C(50000000) /* of file systems' clocks */
#define NEVER_NS INT64_MAX

struct folder {
	int number;
	size_t root;
	char *path;
	bool is_seen; /* by the scan that ended last */
};

struct root {
	const char *path;
	bool wants_all;   /* it is to be scanned as a whole */
	int64_t since_ns; /* and then these files are told */
	bool is_lost;     /* it is not there, or not watched */
	struct dt_arena arena;
	const char **fresh; /* else these folders of it */
	size_t fresh_count;
};

/* What happened first to a path since the last time changes were told. */
enum first { WAS_CREATED, WAS_REPLACED, WAS_THERE };

struct change {
	const char *path;
	enum first first;
	size_t order;
};

struct dt_watcher {
	struct dt_watcher_spec spec;
	struct dt_notify *notify; /* NULL: there is none */
	struct dt_timer *timer;
	struct root *roots;
	size_t root_count;
	struct folder *folders;
	size_t folder_count;
	size_t folder_room;
	/* Of the batch, in `arena`. */
	struct dt_arena arena;
	struct change *changes;
	size_t change_count;
	size_t change_room;
	bool is_lost;
	uint32_t cookie; /* of the rename that was half told */
	bool was_new;    /* what was renamed had just been created */
	struct dt_watch_scan *scan;
	size_t scanned;     /* root */
	bool is_whole_scan; /* all of it */
	int64_t read_ns;    /* when we knew all, last */
	char *problem;
	bool is_freed;
};

static int64_t wall_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

/* One sentence in the log, the first time. */
static void set_problem(struct dt_watcher *w, const struct dt_fail *fail)
{
	if (w->problem)
		return;
	if (fail->code)
		w->problem = dt_asprintf(
			"not all folders are watched: %s; what changes in the "
			"others is seen when it is used",
			fail->msg);
	else
		w->problem = dt_asprintf(
			"only %zu folders are watched, there are too many; "
			"what changes in the others is seen when it is used",
			w->folder_count);
	dt_log(DT_LOG_WARN, "%s: %s", w->roots[w->scanned].path, w->problem);
}

/* folders */

/* The place of a number, or where it would be. */
static size_t place_of(const struct dt_watcher *w, int number)
{
	size_t low = 0;
	size_t high = w->folder_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (w->folders[middle].number < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static struct folder *find_folder(const struct dt_watcher *w, int number)
{
	size_t at = place_of(w, number);

	return at < w->folder_count && w->folders[at].number == number
	               ? &w->folders[at]
	               : NULL;
}

static void forget_folder(struct dt_watcher *w, struct folder *folder)
{
	size_t at = (size_t)(folder - w->folders);

	free(folder->path);
	memmove(folder, folder + 1, (--w->folder_count - at) * sizeof(*folder));
}

/* `name` is "" or "src/". */
static void take_folder(struct dt_watcher *w, size_t root, int number,
                        const char *name)
{
	struct folder *folder = find_folder(w, number);
	const char *path = w->roots[root].path;
	size_t len = strlen(name);
	size_t at;

	if (!folder) {
		at = place_of(w, number);
		if (w->folder_count == w->folder_room) {
			w->folder_room = w->folder_room * 2 + 64;
			w->folders = dt_realloc(
				w->folders, w->folder_room * sizeof(*folder));
		}
		folder = &w->folders[at];
		memmove(folder + 1, folder,
		        (w->folder_count++ - at) * sizeof(*folder));
	} else {
		free(folder->path);
	}
	*folder = (struct folder){
		.number = number,
		.root = root,
		.path = len ? dt_asprintf("%s/%.*s", path[1] ? path : "",
		                          (int)len - 1, name)
		            : dt_strdup(path),
		.is_seen = true,
	};
}

/* Those at or below a path are not watched any more. */
static void unwatch_below(struct dt_watcher *w, const char *path)
{
	for (size_t i = w->folder_count; i-- > 0;) {
		struct folder *folder = &w->folders[i];

		if (!dt_path_is_beneath(folder->path, path))
			continue;
		dt_notify_remove(w->notify, folder->number);
		forget_folder(w, folder);
	}
}

/* changes */

/* All of it is gone through; what changed since we knew all is told. */
static void scan_again(struct dt_watcher *w, struct root *root)
{
	int64_t since_ns = w->read_ns - SLACK_NS;

	if (!root->wants_all || since_ns < root->since_ns)
		root->since_ns = since_ns;
	root->wants_all = true;
}

static void lose(struct dt_watcher *w)
{
	if (w->is_lost)
		return;
	dt_log(DT_LOG_INFO, "files changed faster than they could be followed: "
	                    "all folders are gone through again");
	w->is_lost = true;
	for (size_t i = 0; i < w->root_count; i++)
		scan_again(w, &w->roots[i]);
	dt_timer_start(w->timer, TOGETHER_MS);
}

static void note(struct dt_watcher *w, const char *path, enum first first)
{
	if (!dt_timer_is_running(w->timer))
		dt_timer_start(w->timer, TOGETHER_MS);
	if (w->is_lost)
		return;
	/* One that is written comes again and again. */
	if (w->change_count > 0 &&
	    !strcmp(w->changes[w->change_count - 1].path, path))
		return;
	if (w->change_count == w->change_room) {
		w->change_room = w->change_room * 2 + 64;
		w->changes = dt_realloc(w->changes,
		                        w->change_room * sizeof(*w->changes));
	}
	w->changes[w->change_count] = (struct change){
		.path = dt_arena_strdup(&w->arena, path),
		.first = first,
		.order = w->change_count,
	};
	w->change_count++;
}

static int compare_changes(const void *a, const void *b)
{
	const struct change *left = a;
	const struct change *right = b;
	int order = strcmp(left->path, right->path);

	return order ? order
	             : (left->order > right->order) -
	                       (left->order < right->order);
}

/* False: there is nothing to tell of it. */
static bool look(const struct change *change, struct dt_file_change *out)
{
	struct stat st;
	bool is_there = !lstat(change->path, &st);

	*out = (struct dt_file_change){
		.path = change->path,
		.kind = DT_FILE_CHANGED,
		.is_replaced = change->first == WAS_REPLACED,
	};
	if (is_there && !S_ISREG(st.st_mode) && !S_ISLNK(st.st_mode))
		return false;
	if (is_there && change->first == WAS_CREATED)
		out->kind = DT_FILE_CREATED;
	if (is_there)
		return true;
	out->kind = DT_FILE_DELETED;
	out->is_replaced = false;
	return change->first != WAS_CREATED;
}

static void tell(struct dt_watcher *w)
{
	struct dt_arena arena = w->arena;
	struct dt_file_change *list =
		dt_alloc((w->change_count + 1) * sizeof(*list));
	struct dt_file_changes changes = { .ptr = list, .is_lost = w->is_lost };

	if (w->change_count > 0)
		qsort(w->changes, w->change_count, sizeof(*w->changes),
		      compare_changes);
	for (size_t i = 0; i < w->change_count; i++) {
		if (i > 0 &&
		    !strcmp(w->changes[i].path, w->changes[i - 1].path))
			continue;
		if (look(&w->changes[i], &list[changes.count]))
			changes.count++;
	}
	w->arena = (struct dt_arena){ 0 };
	w->change_count = 0;
	w->is_lost = false;
	if (changes.count > 0 || changes.is_lost)
		w->spec.fn(&changes, w->spec.owner);
	free(list);
	dt_arena_done(&arena);
}

/* scans */

static bool wants_scan(const struct root *root)
{
	return root->wants_all || root->fresh_count > 0;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* What lies in another one of them is gone through with that. */
static void drop_inner(struct root *root)
{
	size_t count = 0;

	qsort(root->fresh, root->fresh_count, sizeof(*root->fresh),
	      compare_names);
	for (size_t i = 0; i < root->fresh_count; i++) {
		if (count > 0 && dt_str_starts(dt_str(root->fresh[i]),
		                               dt_str(root->fresh[count - 1])))
			continue;
		root->fresh[count++] = root->fresh[i];
	}
	root->fresh_count = count;
}

static void on_scanned(const struct dt_watch_found *found, void *owner);

static void scan_root(struct dt_watcher *w, size_t index)
{
	static const char *const all[] = { "" };
	struct root *root = &w->roots[index];
	int *known = dt_alloc((w->folder_count + 1) * sizeof(*known));
	struct dt_watch_scan_spec spec = {
		.world = w->spec.world,
		.notify = w->notify,
		.root = root->path,
		.from = all,
		.from_count = 1,
		.known = known,
		.known_count = w->folder_count,
		.since_ns = root->wants_all ? root->since_ns : 0,
	};

	for (size_t i = 0; i < w->folder_count; i++) {
		known[i] = w->folders[i].number;
		w->folders[i].is_seen = false;
	}
	if (w->folder_count < w->spec.most_folders)
		spec.most = w->spec.most_folders - w->folder_count;
	if (!root->wants_all) {
		drop_inner(root);
		spec.from = root->fresh;
		spec.from_count = root->fresh_count;
	}
	w->scanned = index;
	w->is_whole_scan = root->wants_all;
	dt_notify_pause(w->notify);
	w->scan = dt_watch_scan_start(&spec, on_scanned, w);
	root->wants_all = false;
	root->fresh_count = 0;
	dt_arena_done(&root->arena);
	free(known);
}

static void scan_next(struct dt_watcher *w)
{
	for (size_t i = 0; !w->scan && w->notify && i < w->root_count; i++) {
		if (wants_scan(&w->roots[i]))
			scan_root(w, i);
	}
}

/* Folders that were there and are not any more, or are ignored by now. */
static void drop_unseen(struct dt_watcher *w)
{
	for (size_t i = w->folder_count; i-- > 0;) {
		struct folder *folder = &w->folders[i];

		if (folder->root != w->scanned || folder->is_seen)
			continue;
		dt_notify_remove(w->notify, folder->number);
		forget_folder(w, folder);
	}
}

static void free_watcher(struct dt_watcher *w)
{
	for (size_t i = 0; i < w->folder_count; i++)
		free(w->folders[i].path);
	for (size_t i = 0; i < w->root_count; i++) {
		dt_arena_done(&w->roots[i].arena);
		free(w->roots[i].fresh);
	}
	dt_notify_free(w->notify);
	dt_timer_free(w->timer);
	dt_arena_done(&w->arena);
	free(w->changes);
	free(w->folders);
	free(w->roots);
	free(w->problem);
	free(w);
}

static void on_scanned(const struct dt_watch_found *found, void *owner)
{
	struct dt_watcher *w = owner;
	struct root *root = &w->roots[w->scanned];
	struct dt_arena arena = { 0 };

	w->scan = NULL;
	if (w->is_freed) {
		free_watcher(w);
		return;
	}
	for (size_t i = 0; i < found->folder_count; i++)
		take_folder(w, w->scanned, found->folders[i].number,
		            found->folders[i].name);
	if (w->is_whole_scan) {
		root->is_lost = found->folder_count == 0;
		drop_unseen(w);
	}
	for (size_t i = 0; i < found->file_count; i++)
		note(w, dt_path_join(&arena, root->path, found->files[i].name),
		     found->files[i].is_new ? WAS_CREATED : WAS_THERE);
	dt_arena_done(&arena);
	if (found->is_cut && !root->is_lost)
		set_problem(w, &found->fail);
	dt_notify_resume(w->notify);
	scan_next(w);
	if (w->spec.on_settled && dt_watcher_is_settled(w))
		w->spec.on_settled(w->spec.owner);
}

/* what the kernel tells */

static void add_fresh(struct dt_watcher *w, struct root *root, const char *path)
{
	const char *name = path + strlen(root->path);

	name += strspn(name, "/");
	if (root->fresh_count >= DT_LIMIT_WATCH_FRESH)
		scan_again(w, root);
	if (root->wants_all)
		return;
	if (!root->fresh)
		root->fresh =
			dt_alloc(DT_LIMIT_WATCH_FRESH * sizeof(*root->fresh));
	root->fresh[root->fresh_count++] =
		dt_arena_printf(&root->arena, "%s/", name);
	if (!dt_timer_is_running(w->timer))
		dt_timer_start(w->timer, TOGETHER_MS);
}

static void take_folder_event(struct dt_watcher *w, struct root *root,
                              const struct dt_notify_event *event,
                              const char *path)
{
	if (dt_walk_skips(event->name))
		return;
	if (event->kind == DT_NOTIFY_CREATED ||
	    event->kind == DT_NOTIFY_ARRIVED) {
		add_fresh(w, root, path);
		note(w, path, WAS_CREATED);
		return;
	}
	if (event->kind == DT_NOTIFY_LEFT)
		unwatch_below(w, path);
	note(w, path, WAS_THERE);
}

static bool is_just_created(const struct dt_watcher *w, const char *path)
{
	for (size_t i = w->change_count; i-- > 0;) {
		if (!strcmp(w->changes[i].path, path))
			return w->changes[i].first == WAS_CREATED;
	}
	return false;
}

/* Programs write a file beside the old one, and give it the old one's name. */
static enum first first_of(struct dt_watcher *w,
                           const struct dt_notify_event *event,
                           const char *path)
{
	if (event->kind == DT_NOTIFY_LEFT) {
		w->cookie = event->cookie;
		w->was_new = is_just_created(w, path);
	}
	if (event->kind == DT_NOTIFY_ARRIVED && event->cookie == w->cookie &&
	    w->was_new)
		return WAS_REPLACED;
	return event->kind == DT_NOTIFY_ARRIVED ||
	                       event->kind == DT_NOTIFY_CREATED
	               ? WAS_CREATED
	               : WAS_THERE;
}

/* What is ignored may be another by now. */
static void take_file_event(struct dt_watcher *w, struct root *root,
                            const struct dt_notify_event *event,
                            const char *path)
{
	if (!strcmp(event->name, ".gitignore"))
		scan_again(w, root);
	note(w, path, first_of(w, event, path));
}

static void lose_root(struct dt_watcher *w, struct root *root)
{
	dt_log(DT_LOG_INFO, "%s is gone: nothing in it is watched", root->path);
	root->is_lost = true;
	unwatch_below(w, root->path);
	note(w, root->path, WAS_THERE);
}

static void on_notify(struct dt_notify *notify,
                      const struct dt_notify_event *event, void *owner)
{
	struct dt_watcher *w = owner;
	struct folder *folder = find_folder(w, event->folder);
	struct dt_arena arena = { 0 };
	struct root *root;
	const char *path;

	(void)notify;
	if (event->kind == DT_NOTIFY_LOST ||
	    w->change_count >= w->spec.most_changes)
		lose(w);
	if (!folder)
		return;
	root = &w->roots[folder->root];
	if (event->kind == DT_NOTIFY_GONE || event->kind == DT_NOTIFY_MOVED) {
		bool is_root = !strcmp(folder->path, root->path);

		if (event->kind == DT_NOTIFY_GONE)
			forget_folder(w, folder);
		if (is_root)
			lose_root(w, root);
		return;
	}
	path = dt_path_join(&arena, folder->path, event->name);
	if (event->is_folder)
		take_folder_event(w, root, event, path);
	else
		take_file_event(w, root, event, path);
	dt_arena_done(&arena);
}

static void on_timer(struct dt_timer *timer, void *owner)
{
	struct dt_watcher *w = owner;

	(void)timer;
	if (!w->scan)
		w->read_ns = wall_ns();
	tell(w);
	scan_next(w);
}

void dt_watcher_drain(struct dt_watcher *w)
{
	if (!w->notify)
		return;
	for (size_t i = 0; i < w->root_count; i++) {
		struct root *root = &w->roots[i];

		if (root->is_lost && !w->scan && dt_file_is_dir(root->path)) {
			root->wants_all = true;
			root->since_ns = 0;
		}
	}
	dt_notify_drain(w->notify);
	dt_timer_stop(w->timer);
	on_timer(w->timer, w);
}

/* the watcher */

struct dt_watcher *dt_watcher_new(const struct dt_watcher_spec *spec)
{
	const struct dt_documents *docs = spec->world->docs;
	struct dt_watcher *w = dt_alloc(sizeof(*w));
	struct dt_fail fail = { 0 };

	w->spec = *spec;
	if (!w->spec.most_folders)
		w->spec.most_folders = DT_LIMIT_WATCH_FOLDERS;
	if (!w->spec.most_changes)
		w->spec.most_changes = DT_LIMIT_WATCH_CHANGES;
	w->timer = dt_timer_new(spec->world->loop, on_timer, w);
	w->read_ns = wall_ns();
	w->roots = dt_alloc(docs->root_count * sizeof(*w->roots));
	for (size_t i = 0; i < docs->root_count; i++)
		w->roots[w->root_count++] = (struct root){
			.path = docs->roots[i],
			.wants_all = true,
			.since_ns = NEVER_NS,
		};
	if (dt_notify_new(spec->world->loop, on_notify, w, &w->notify, &fail))
		set_problem(w, &fail);
	scan_next(w);
	return w;
}

void dt_watcher_free(struct dt_watcher *w)
{
	if (!w)
		return;
	if (w->scan && !dt_watch_scan_drop(w->scan)) {
		w->is_freed = true;
		dt_timer_stop(w->timer);
		return;
	}
	free_watcher(w);
}

bool dt_watcher_is_settled(const struct dt_watcher *w)
{
	for (size_t i = 0; i < w->root_count; i++) {
		if (wants_scan(&w->roots[i]))
			return false;
	}
	return !w->scan;
}

size_t dt_watcher_count(const struct dt_watcher *w)
{
	return w->folder_count;
}

const char *dt_watcher_problem(const struct dt_watcher *w)
{
	return w->problem;
}

static int compare_path(const void *key, const void *item)
{
	const struct dt_file_change *change = item;

	return strcmp(key, change->path);
}

const struct dt_file_change *dt_file_changes_find(
	const struct dt_file_changes *changes, const char *path)
{
	const struct dt_file_change *found = NULL;
	char *at = dt_strdup(path);
	char *slash;

	do {
		if (changes->count > 0)
			found = bsearch(at, changes->ptr, changes->count,
			                sizeof(*found), compare_path);
		slash = strrchr(at, '/');
		if (slash)
			*slash = '\0';
	} while (!found && *at);
	free(at);
	return found;
}
