/*
 * backend/watch_scan.c - git says what is ignored, a thread watches the rest.
 *
 * A folder is watched before it is read, so what appears in it meanwhile is seen
 * by one or the other.  Between posting the job and its end all belongs to the
 * thread.
 */
#include "backend/watch_scan.h"

#include "backend/ignored.h"
#include "backend/walk.h"
#include "base/limits.h"
#include "loop/worker.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

struct dt_watch_scan {
	struct dt_job job;
	struct dt_loop *loop;
	struct dt_worker *worker;
	struct dt_ignored *ask; /* git, while it is asked */
	dt_watch_scan_fn *fn;
	void *owner;
	struct dt_arena arena;
	const struct dt_notify *notify;
	const char *root;
	const char **from;
	size_t from_count;
	int *known;
	size_t known_count;
	size_t most;
	int64_t since_ns;
	const char **ignored; /* in order */
	size_t ignored_count;
	int root_fd; /* the thread's */
	bool is_in_new;
	struct dt_watch_found found;
	size_t folder_room;
	size_t file_room;
};

static void free_scan(struct dt_watch_scan *scan)
{
	free(scan->found.folders);
	free(scan->found.files);
	dt_arena_done(&scan->arena);
	free(scan);
}

/* in the thread */

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int compare_numbers(const void *a, const void *b)
{
	int left = *(const int *)a;
	int right = *(const int *)b;

	return (left > right) - (left < right);
}

/* clangd writes its index beside the sources, and no rule of git says so. */
static bool is_index(const char *name)
{
	static const char index[] = ".cache/clangd/";
	size_t len = strlen(name);
	size_t tail = sizeof(index) - 1;

	return len >= tail && !strcmp(name + len - tail, index);
}

static bool is_ignored(const struct dt_watch_scan *scan, const char *name)
{
	return is_index(name) ||
	       (scan->ignored_count > 0 &&
	        bsearch(&name, scan->ignored, scan->ignored_count,
	                sizeof(*scan->ignored), compare_names));
}

static bool is_known(const struct dt_watch_scan *scan, int number)
{
	return scan->known_count > 0 &&
	       bsearch(&number, scan->known, scan->known_count, sizeof(number),
	               compare_numbers);
}

static void add_folder(struct dt_watch_scan *scan, int number, const char *name)
{
	struct dt_watch_found *found = &scan->found;

	if (found->folder_count == scan->folder_room) {
		scan->folder_room = scan->folder_room * 2 + 64;
		found->folders =
			dt_realloc(found->folders,
		                   scan->folder_room * sizeof(*found->folders));
	}
	found->folders[found->folder_count++] =
		(struct dt_watch_folder){ number,
		                          dt_arena_strdup(&scan->arena, name) };
}

static bool on_folder(const char *name, int fd, void *owner)
{
	struct dt_watch_scan *scan = owner;
	struct dt_fail fail = { 0 };
	int number;

	if (is_ignored(scan, name))
		return false;
	if (scan->found.fail.code == DT_E_LIMIT || scan->most == 0) {
		scan->found.is_cut = true;
		return false;
	}
	if (dt_notify_add(scan->notify, fd, !*name, &number, &fail)) {
		/* One that went meanwhile is nothing to speak of. */
		if (fail.code == DT_E_LIMIT) {
			scan->found.is_cut = true;
			scan->found.fail = fail;
		}
		return false;
	}
	scan->is_in_new = !is_known(scan, number);
	scan->most -= scan->is_in_new;
	add_folder(scan, number, name);
	return true;
}

/* Whatever changed: its text, its name or what it belongs to. */
static bool is_recent(const struct dt_watch_scan *scan, const char *name)
{
	struct stat st;

	return scan->root_fd >= 0 &&
	       !fstatat(scan->root_fd, name, &st, AT_SYMLINK_NOFOLLOW) &&
	       st.st_ctim.tv_sec * INT64_C(1000000000) + st.st_ctim.tv_nsec >=
	               scan->since_ns;
}

static void on_file(const char *name, void *owner)
{
	struct dt_watch_scan *scan = owner;
	struct dt_watch_found *found = &scan->found;

	if (!scan->is_in_new && !is_recent(scan, name))
		return;
	if (found->file_count == scan->file_room) {
		scan->file_room = scan->file_room * 2 + 64;
		found->files = dt_realloc(
			found->files, scan->file_room * sizeof(*found->files));
	}
	found->files[found->file_count++] =
		(struct dt_watch_file){ dt_arena_strdup(&scan->arena, name),
		                        scan->is_in_new };
}

static void run_job(struct dt_job *job)
{
	struct dt_watch_scan *scan = DT_LIST_OF(job, struct dt_watch_scan, job);
	bool wants_files = scan->since_ns != INT64_MAX;

	scan->root_fd = open(scan->root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	for (size_t i = 0; i < scan->from_count; i++) {
		struct dt_walk_spec walk = {
			.root = scan->root,
			.from = scan->from[i],
			.on_file = wants_files ? on_file : NULL,
			.on_folder = on_folder,
			.owner = scan,
		};

		if (!dt_walk_folders(&walk))
			scan->found.is_cut = true;
	}
	if (scan->root_fd >= 0)
		close(scan->root_fd);
}

static void job_done(struct dt_job *job)
{
	struct dt_watch_scan *scan = DT_LIST_OF(job, struct dt_watch_scan, job);

	dt_worker_close(scan->worker, NULL, NULL);
	scan->fn(&scan->found, scan->owner);
	free_scan(scan);
}

/* on the loop */

static void take_ignored(struct dt_watch_scan *scan, struct dt_str names)
{
	struct dt_str rest = names;
	size_t count = 0;

	for (; rest.len > 0; count++)
		dt_str_cut(&rest, '\0');
	scan->ignored =
		dt_arena_alloc(&scan->arena, count * sizeof(*scan->ignored));
	while (names.len > 0) {
		struct dt_str name = dt_str_cut(&names, '\0');

		if (name.len > 0 && name.ptr[name.len - 1] == '/')
			scan->ignored[scan->ignored_count++] = dt_arena_strndup(
				&scan->arena, name.ptr, name.len);
	}
	if (scan->ignored_count > 0)
		qsort(scan->ignored, scan->ignored_count,
		      sizeof(*scan->ignored), compare_names);
}

static void on_ignored(struct dt_str names, void *owner)
{
	struct dt_watch_scan *scan = owner;

	scan->ask = NULL;
	take_ignored(scan, names);
	scan->job.run = run_job;
	scan->job.done = job_done;
	scan->worker = dt_worker_new(scan->loop, "watching");
	if (!dt_worker_start(scan->worker, &scan->found.fail)) {
		dt_worker_post(scan->worker, &scan->job);
		return;
	}
	scan->found.is_cut = true;
	job_done(&scan->job);
}

struct dt_watch_scan *dt_watch_scan_start(const struct dt_watch_scan_spec *spec,
                                          dt_watch_scan_fn *fn, void *owner)
{
	struct dt_watch_scan *scan = dt_alloc(sizeof(*scan));
	struct dt_ignored_spec git = {
		.world = spec->world,
		.root = spec->root,
		.names = spec->from,
		.count = spec->from_count,
		.is_below = true,
	};

	scan->loop = spec->world->loop;
	scan->fn = fn;
	scan->owner = owner;
	scan->notify = spec->notify;
	scan->root = dt_arena_strdup(&scan->arena, spec->root);
	scan->from = dt_arena_alloc(&scan->arena,
	                            spec->from_count * sizeof(*scan->from));
	for (size_t i = 0; i < spec->from_count; i++)
		scan->from[scan->from_count++] =
			dt_arena_strdup(&scan->arena, spec->from[i]);
	scan->known_count = spec->known_count;
	scan->known = dt_arena_alloc(&scan->arena,
	                             spec->known_count * sizeof(*scan->known));
	if (spec->known_count > 0)
		memcpy(scan->known, spec->known,
		       spec->known_count * sizeof(*scan->known));
	scan->most = spec->most;
	scan->since_ns = spec->since_ns;
	scan->ask = dt_ignored_start(&git, on_ignored, scan);
	return scan;
}

bool dt_watch_scan_drop(struct dt_watch_scan *scan)
{
	if (!scan->ask)
		return false;
	dt_ignored_drop(scan->ask);
	free_scan(scan);
	return true;
}
