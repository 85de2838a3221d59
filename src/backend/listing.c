/*
 * backend/listing.c - git is asked root by root, a thread does the rest.
 *
 * What is ignored is git's word, by the person's own settings.  The repository's
 * are not trusted: no program that they name is run.  Between posting the job
 * and its end all but `answer` belongs to the thread.
 */
#include "backend/listing.h"

#include "backend/ignored.h"
#include "backend/present.h"
#include "backend/sieve.h"
#include "backend/walk.h"
#include "base/buf.h"
#include "base/file.h"
#include "base/glob.h"
#include "base/limits.h"
#include "base/path.h"
#include "loop/run.h"
#include "loop/worker.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define GIT_MS 20000
#define RUN_MIN 8 /* names, from which reading their folder is quicker */

struct root {
	const char *path;
	struct dt_buf names; /* git's, each with a NUL behind it */
	bool has_answered;   /* git knows what is to be listed */
};

struct listing {
	struct dt_job job;
	struct dt_loop *loop;
	struct dt_worker *worker; /* NULL: nothing was posted yet */
	struct dt_run *run;       /* git, while it runs */
	struct dt_answer *answer; /* NULL: nobody waits any more */
	struct dt_arena arena;
	struct dt_sieve sieve;
	struct dt_present present; /* the folder read last */
	struct root *roots;
	size_t root_count;
	size_t next;       /* root to ask git about */
	const char *below; /* the directory in its root, "" or "src/" */
	char *git;
	char **env;
	bool is_cut;
	bool has_walked;
};

static void free_listing(struct listing *l)
{
	for (size_t i = 0; i < l->root_count; i++)
		dt_buf_done(&l->roots[i].names);
	dt_sieve_done(&l->sieve);
	dt_present_done(&l->present);
	dt_arena_done(&l->arena);
	free(l);
}

/* in the thread */

/* Git lists what it should have; a file may be gone, and another repository
 * inside is a folder without a slash. */
static void keep_as(struct listing *l, const char *root, const char *name,
                    bool is_folder)
{
	if (is_folder && name[strlen(name) - 1] != '/')
		name = dt_arena_printf(&l->arena, "%s/", name);
	dt_sieve_keep(&l->sieve, root, name);
}

static void keep_if_there(struct listing *l, const char *root, int root_fd,
                          const char *name)
{
	struct stat st;

	if (!fstatat(root_fd, name, &st, AT_SYMLINK_NOFOLLOW))
		keep_as(l, root, name, S_ISDIR(st.st_mode));
}

/* Names of one folder that follow one another. */
struct run {
	const char **names;
	size_t count;
	size_t room;
	size_t folder_len; /* of each, with the slash */
};

/* Whether the name is of the run's folder. */
static bool is_of(const struct run *run, const char *name)
{
	const char *slash = strrchr(name, '/');
	size_t len = slash ? (size_t)(slash + 1 - name) : 0;

	return len == run->folder_len && !memcmp(name, run->names[0], len);
}

static void keep_run(struct listing *l, const struct root *root, int fd,
                     struct run *run)
{
	const char *folder =
		run->count >= RUN_MIN
			? dt_arena_strndup(&l->arena, run->names[0],
	                                   run->folder_len)
			: NULL;
	bool is_read =
		folder && dt_present_read(&l->present, root->path, folder);

	for (size_t i = 0; i < run->count; i++) {
		const struct dt_present_entry *entry =
			is_read ? dt_present_find(&l->present,
		                                  run->names[i] +
		                                          run->folder_len)
				: NULL;

		if (dt_sieve_has(&l->sieve, root->path, run->names[i]))
			continue;
		if (!is_read || (entry && entry->type == DT_UNKNOWN))
			keep_if_there(l, root->path, fd, run->names[i]);
		else if (entry)
			keep_as(l, root->path, run->names[i],
			        entry->type == DT_DIR);
	}
	run->count = 0;
}

static void add_to_run(struct listing *l, const struct root *root, int fd,
                       struct run *run, const char *name)
{
	const char *slash = strrchr(name, '/');

	if (run->count > 0 && !is_of(run, name))
		keep_run(l, root, fd, run);
	if (run->count == run->room) {
		run->room = run->room ? run->room * 2 : 256;
		run->names =
			dt_realloc(run->names, run->room * sizeof(*run->names));
	}
	run->folder_len = slash ? (size_t)(slash + 1 - name) : 0;
	run->names[run->count++] = name;
}

static void take_names(struct listing *l, struct root *root)
{
	struct dt_str rest = dt_buf_str(&root->names);
	int fd = open(root->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct run run = { 0 };

	while (fd >= 0 && rest.len > 0) {
		const char *name = dt_str_cut(&rest, '\0').ptr;

		if (*name && dt_sieve_fits(&l->sieve, root->path, name))
			add_to_run(l, root, fd, &run, name);
	}
	if (run.count > 0)
		keep_run(l, root, fd, &run);
	free(run.names);
	if (fd >= 0)
		close(fd);
}

/* A listing, and the root that is walked. */
struct walking {
	struct listing *l;
	const struct root *root;
};

static void on_file(const char *name, void *owner)
{
	struct walking *w = owner;

	if (dt_sieve_fits(&w->l->sieve, w->root->path, name))
		dt_sieve_keep(&w->l->sieve, w->root->path, name);
}

static void run_job(struct dt_job *job)
{
	struct listing *l = DT_LIST_OF(job, struct listing, job);

	for (size_t i = 0; i < l->root_count; i++) {
		struct walking walking = { l, &l->roots[i] };

		if (l->roots[i].has_answered) {
			take_names(l, &l->roots[i]);
			continue;
		}
		l->has_walked = true;
		if (!dt_walk(l->roots[i].path, l->below, on_file, &walking))
			l->is_cut = true;
	}
}

static void job_done(struct dt_job *job)
{
	struct listing *l = DT_LIST_OF(job, struct listing, job);
	struct dt_list_files_result result = {
		.source = l->has_walked ? "walk" : "git",
	};

	dt_worker_close(l->worker, NULL, NULL);
	if (l->answer) {
		dt_sieve_list(&l->sieve, &result);
		result.is_cut |= l->is_cut;
		dt_answer_end(l->answer, &result);
	}
	free_listing(l);
}

/* on the loop */

static void ask_git(struct listing *l);

static void on_git(struct dt_run *run, const struct dt_run_end *end,
                   void *owner)
{
	struct listing *l = owner;
	struct root *root = &l->roots[l->next++];
	size_t len = end->out.len;
	bool is_killed;

	(void)run;
	l->run = NULL;
	/* The last name may be cut in the middle. */
	while (len > 0 && end->out.ptr[len - 1])
		len--;
	/* What git did not get to is not looked for: it may be ignored.  A
	 * folder of which git lists nothing is ignored itself, and was asked
	 * for all the same. */
	is_killed = end->signal || end->is_late;
	if (is_killed || (end->code == 0 && (len > 0 || !*l->below))) {
		root->has_answered = true;
		dt_buf_add(&root->names, end->out.ptr, len);
		l->is_cut |= end->is_out_cut || is_killed;
	}
	ask_git(l);
}

static bool start_git(struct listing *l, const char *root)
{
	char *below = dt_arena_strdup(&l->arena, *l->below ? l->below : ".");
	char *argv[] = {
		l->git,
		"--literal-pathspecs",
		"-c",
		"core.fsmonitor=false",
		"ls-files",
		"-z",
		"--cached",
		"--others",
		"--exclude-standard",
		"--",
		below,
		NULL,
	};
	struct dt_run_spec spec = {
		.argv = argv,
		.env = l->env,
		.folder = root,
		.keep_bytes = DT_LIMIT_LIST_BYTES,
		.deadline_ms = GIT_MS,
	};

	return l->git &&
	       !dt_run_start(l->loop, &spec, on_git, l, &l->run, NULL);
}

static void post(struct listing *l)
{
	struct dt_answer *answer = l->answer;
	struct dt_fail fail = { 0 };

	l->job.run = run_job;
	l->job.done = job_done;
	l->worker = dt_worker_new(l->loop, "listing");
	if (!dt_worker_start(l->worker, &fail)) {
		dt_worker_post(l->worker, &l->job);
		return;
	}
	dt_worker_close(l->worker, NULL, NULL);
	free_listing(l);
	dt_answer_fail(answer, &fail);
}

static void ask_git(struct listing *l)
{
	while (l->next < l->root_count) {
		if (start_git(l, l->roots[l->next].path))
			return;
		l->next++;
	}
	post(l);
}

static void on_drop(struct dt_answer *answer, void *performer)
{
	struct listing *l = performer;

	(void)answer;
	l->answer = NULL;
	if (l->worker)
		return; /* job_done() frees */
	if (l->run)
		dt_run_stop(l->run);
	free_listing(l);
}

static void add_root(struct listing *l, const char *path)
{
	struct root *root = &l->roots[l->root_count++];

	root->path = dt_arena_strdup(&l->arena, path);
	dt_buf_init(&root->names, DT_LIMIT_LIST_BYTES);
}

/* The folder that was asked for, as a root and the rest behind it. */
static enum dt_err find_directory(struct listing *l, const struct dt_names *in,
                                  const char *directory, struct dt_fail *fail)
{
	const char *real;
	enum dt_err err;

	directory = dt_path_join(&l->arena, "/", directory);
	err = dt_path_real(&l->arena, directory, &real, fail);
	for (size_t i = 0; !err && i < in->count; i++) {
		const char *rest;

		if (!dt_path_is_beneath(real, in->ptr[i]))
			continue;
		if (!dt_file_is_dir(real))
			return dt_fail(fail, DT_E_MISSING, "%s is not a folder",
			               directory);
		add_root(l, in->ptr[i]);
		rest = real + strlen(in->ptr[i]);
		rest += strspn(rest, "/");
		if (*rest)
			l->below = dt_arena_printf(&l->arena, "%s/", rest);
		return DT_E_OK;
	}
	return err ? err
	           : dt_fail(fail, DT_E_DENIED, "%s is outside the workspace",
	                     directory);
}

static enum dt_err prepare(struct listing *l,
                           const struct dt_listing_spec *spec,
                           const struct dt_list_files_args *args,
                           struct dt_fail *fail)
{
	struct dt_list_files_args copy = *args;
	enum dt_err err = DT_E_OK;

	copy.prefix = dt_arena_strdup(&l->arena, args->prefix);
	copy.glob = dt_arena_strdup(&l->arena, args->glob);
	l->git = dt_arena_strdup(&l->arena, spec->git);
	l->env = dt_ignored_env(&l->arena, spec->env);
	l->roots = dt_arena_alloc(&l->arena,
	                          spec->roots->count * sizeof(*l->roots));
	if (args->directory)
		err = find_directory(l, spec->roots, args->directory, fail);
	for (size_t i = 0; !args->directory && i < spec->roots->count; i++)
		add_root(l, spec->roots->ptr[i]);
	if (!err && args->glob)
		err = dt_glob_check(dt_str(args->glob), fail);
	dt_sieve_init(&l->sieve, &copy, l->below);
	if (spec->most)
		l->sieve.most = spec->most;
	return err;
}

void dt_listing_start(const struct dt_listing_spec *spec,
                      const struct dt_list_files_args *args,
                      struct dt_answer *answer)
{
	struct listing *l = dt_alloc(sizeof(*l));
	struct dt_fail fail = { 0 };

	l->loop = spec->loop;
	l->answer = answer;
	l->below = "";
	if (prepare(l, spec, args, &fail)) {
		free_listing(l);
		dt_answer_fail(answer, &fail);
		return;
	}
	answer->on_drop = on_drop;
	answer->performer = l;
	ask_git(l);
}
