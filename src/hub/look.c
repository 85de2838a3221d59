/*
 * hub/look.c - git asked what is changed, what is known and what was.
 *
 * Steps: where the work tree is; where its hooks are; which of the files that
 * define what runs differ from what is committed; which files that are kept from
 * agents are in the index, in the folder or in the history.  What git cannot
 * tell in time is a doubt, and a person is asked.
 */
#include "hub/look.h"

#include "base/buf.h"
#include "base/glob.h"
#include "base/limits.h"
#include "base/path.h"
#include "hub/env.h"
#include "hub/programs.h"
#include "hub/reach.h"
#include "hub/workspace.h"
#include "loop/run.h"

#include <dirent.h>
#include <stdlib.h>

#define STEP_MS 8000
#define KEEP_BYTES (512u * DT_KIB)
#define FILES_MAX 500    /* that are not seen; more are not told apart */
#define ENTRIES_MAX 5000 /* of a folder without git */
#define NAMED_MAX 2      /* files in a sentence */

#define REACHES                                                                \
	(DT_NEED_CHANGED | DT_NEED_INDEX | DT_NEED_HISTORY | DT_NEED_TREE)
#define SEES (DT_NEED_SEEN | DT_NEED_ALL_SEEN)

struct dt_look {
	struct dt_arena arena;
	struct dt_caller *caller;
	struct dt_workspace *ws;
	const char *program; /* of the command */
	const char *git;
	char **env;
	const char *folder;
	const char *top;   /* of the work tree */
	const char *hooks; /* core.hooksPath, or NULL */
	unsigned needs;
	bool is_unsure; /* a folder could not be read to its end */
	struct dt_seen_file files[FILES_MAX];
	size_t file_count;
	struct dt_run *run;
	dt_look_fn *fn;
	void *owner;
};

static void free_look(struct dt_look *l)
{
	dt_arena_done(&l->arena);
	free(l);
}

void dt_look_stop(struct dt_look *l)
{
	if (l->run)
		dt_run_stop(l->run);
	free_look(l);
}

static void finish(struct dt_look *l, const char *doubt)
{
	struct dt_look_end end = { doubt, l->files, l->file_count };

	l->fn(l, &end, l->owner);
	free_look(l);
}

/* running git */

/* What leads git to another repository, or says what it runs, is not ours. */
static bool is_kept(const char *pair)
{
	struct dt_str name = dt_str(pair);

	return !dt_str_starts(name, DT_STR("GIT_")) ||
	       dt_str_starts(name, DT_STR("GIT_CONFIG_GLOBAL=")) ||
	       dt_str_starts(name, DT_STR("GIT_CONFIG_SYSTEM=")) ||
	       dt_str_starts(name, DT_STR("GIT_CONFIG_NOSYSTEM="));
}

static char **environment(struct dt_look *l)
{
	char **all = dt_env_list(l->ws, NULL, &l->arena);
	size_t count = 0;
	char **env;

	while (all[count])
		count++;
	env = dt_arena_alloc(&l->arena, (count + 2) * sizeof(*env));
	count = 0;
	for (; *all; all++) {
		if (is_kept(*all))
			env[count++] = dt_arena_strdup(&l->arena, *all);
	}
	env[count] = dt_arena_strdup(&l->arena, "GIT_OPTIONAL_LOCKS=0");
	return env;
}

/* `words` ends with NULL; `specs` follow them. */
static enum dt_err ask(struct dt_look *l, const char *const *words,
                       const struct dt_names *specs, dt_run_fn *fn,
                       struct dt_fail *fail)
{
	static const char *const always[] = {
		"--no-pager",
		"-c",
		"core.fsmonitor=false",
		"-c",
		"safe.bareRepository=explicit",
		"-c",
		"core.quotePath=false",
	};
	size_t room = 64 + (specs ? specs->count : 0);
	char **argv = dt_arena_alloc(&l->arena, room * sizeof(*argv));
	struct dt_run_spec spec = {
		.argv = argv,
		.env = l->env,
		.folder = l->top ? l->top : l->folder,
		.keep_bytes = KEEP_BYTES,
		.deadline_ms = STEP_MS,
		.ends_group = true,
	};
	size_t count = 0;

	argv[count++] = dt_arena_strdup(&l->arena, l->git);
	for (size_t i = 0; i < sizeof(always) / sizeof(always[0]); i++)
		argv[count++] = dt_arena_strdup(&l->arena, always[i]);
	for (; *words; words++)
		argv[count++] = dt_arena_strdup(&l->arena, *words);
	for (size_t i = 0; specs && i < specs->count; i++)
		argv[count++] = dt_arena_strdup(&l->arena, specs->ptr[i]);
	return dt_run_start(l->ws->hub->loop, &spec, fn, l, &l->run, fail);
}

static void go_on(struct dt_look *l, const char *const *words,
                  const struct dt_names *specs, dt_run_fn *fn)
{
	struct dt_fail fail = { 0 };

	if (ask(l, words, specs, fn, &fail))
		finish(l, dt_arena_strdup(&l->arena, fail.msg));
}

/* False: the workspace is gone, and so is the look. */
static bool begin_step(struct dt_look *l)
{
	l->run = NULL;
	if (l->caller->place)
		return true;
	finish(l, "that workspace is not served any more");
	return false;
}

static bool is_whole(const struct dt_run_end *e)
{
	return e->code == 0 && !e->is_late && !e->is_out_cut;
}

/* what is kept from agents */

static void on_history(struct dt_run *run, const struct dt_run_end *e,
                       void *owner)
{
	struct dt_look *l = owner;
	const char *found;

	(void)run;
	if (!begin_step(l))
		return;
	found = dt_reach_find(&l->arena, l->ws, l->top, e->out);
	if (found)
		finish(l,
		       dt_arena_printf(&l->arena,
		                       "it can print %s as it was committed, "
		                       "which is kept from agents",
		                       found));
	else if (!is_whole(e))
		finish(l, "whether the history has files that are kept from "
		          "agents could not be found out in time");
	else
		finish(l, NULL);
}

static void on_listed(struct dt_run *run, const struct dt_run_end *e,
                      void *owner)
{
	static const char *const words[] = {
		"log",
		"--all",
		"--reflog",
		"--format=",
		"--name-only",
		"-z",
		"-m",
		"--full-history",
		"--no-renames",
		"--no-relative",
		"--no-show-signature",
		"--",
		NULL,
	};
	struct dt_look *l = owner;
	const char *found;
	struct dt_names specs;

	(void)run;
	if (!begin_step(l))
		return;
	found = dt_reach_find(&l->arena, l->ws, l->top, e->out);
	if (found) {
		finish(l, dt_arena_printf(&l->arena,
		                          "it can print %s, which is kept from "
		                          "agents",
		                          found));
		return;
	}
	if (!is_whole(e)) {
		finish(l, "whether it prints files that are kept from agents "
		          "could not be found out");
		return;
	}
	if (!(l->needs & DT_NEED_HISTORY)) {
		finish(l, NULL);
		return;
	}
	specs = dt_reach_specs(&l->arena, l->ws);
	go_on(l, words, &specs, on_history);
}

/* Names alone of what status prints: two letters and a blank before each. */
static void on_changed(struct dt_run *run, const struct dt_run_end *e,
                       void *owner)
{
	struct dt_look *l = owner;
	struct dt_run_end names = *e;
	struct dt_str rest = e->out;
	char *text = dt_arena_alloc(&l->arena, e->out.len + 1);

	names.out = (struct dt_str){ .ptr = text };
	while (rest.len > 0) {
		struct dt_str entry = dt_str_cut(&rest, '\0');

		if (entry.len <= 3)
			continue;
		memcpy(text + names.out.len, entry.ptr + 3, entry.len - 3);
		names.out.len += entry.len - 3;
		text[names.out.len++] = '\0';
	}
	on_listed(run, &names, owner);
}

static void look_at_reach(struct dt_look *l)
{
	static const char *const changed[] = {
		"status",       "--porcelain=v1",       "-z",
		"--no-renames", "--untracked-files=no", "--",
		NULL,
	};
	static const char *const known[] = { "ls-files", "-z", "--full-name",
		                             "--cached", "--", NULL };
	static const char *const all[] = { "ls-files",    "-z",
		                           "--full-name", "--cached",
		                           "--others",    "--",
		                           NULL };
	struct dt_names specs;

	if (!(l->needs & REACHES)) {
		finish(l, NULL);
		return;
	}
	if (!l->top || dt_config_is_context_broken(l->ws->config)) {
		finish(l,
		       l->top ? "everything is kept from agents while [context] "
		                "in dovetail.conf cannot be read"
		              : "there is no repository here that tells which "
		                "files it prints");
		return;
	}
	specs = dt_reach_specs(&l->arena, l->ws);
	if ((l->needs & REACHES) == DT_NEED_CHANGED)
		go_on(l, changed, &specs, on_changed);
	else
		go_on(l, l->needs & DT_NEED_TREE ? all : known, &specs,
		      on_listed);
}

/* what defines it */

static void add_file(struct dt_look *l, const char *path)
{
	struct dt_seen_file file = dt_seen_read(path);

	if (!dt_seen_has(l->ws->hub->dirs.state, &file) &&
	    l->file_count < FILES_MAX)
		l->files[l->file_count++] = file;
}

static bool is_among(const struct dt_names *globs, const char *name)
{
	for (size_t i = 0; i < globs->count; i++) {
		if (dt_glob_matches(dt_str(globs->ptr[i]), dt_str(name)))
			return true;
	}
	return false;
}

static void see_entries(struct dt_look *l, const char *folder,
                        const struct dt_names *globs)
{
	DIR *dir = opendir(folder);
	const struct dirent *entry;
	size_t n = 0;

	while (dir && n < ENTRIES_MAX && (entry = readdir(dir))) {
		n++;
		if (is_among(globs, entry->d_name))
			add_file(l, dt_path_join(&l->arena, folder,
			                         entry->d_name));
	}
	/* Many other files must not hide the ones that matter. */
	l->is_unsure |= !dir || n == ENTRIES_MAX;
	if (dir)
		closedir(dir);
}

/* In the folder and those above it, up to the root. */
static void see_folders(struct dt_look *l, const char *root,
                        const struct dt_names *globs)
{
	const char *folder = l->folder;

	while (dt_path_is_beneath(folder, root)) {
		see_entries(l, folder, globs);
		if (!strcmp(folder, "/"))
			break;
		folder = dt_path_join(&l->arena, folder, "..");
	}
}

static const char *spoken(const struct dt_look *l, const char *path)
{
	const char *base = l->top ? l->top : dt_workspace_root(l->ws);

	return dt_path_is_beneath(path, base) && strcmp(path, base) != 0
	               ? path + strlen(base) + 1
	               : path;
}

/* A doubt about what is not seen, or the next step. */
static void judge_files(struct dt_look *l)
{
	bool is_commit = l->needs & DT_NEED_ALL_SEEN;
	const char *names = "";
	size_t count = l->file_count;

	for (size_t i = 0; i < count && i < NAMED_MAX; i++)
		names = dt_arena_printf(&l->arena, "%s%s%.60s", names,
		                        i ? ", " : "",
		                        spoken(l, l->files[i].path));
	if (count > NAMED_MAX)
		names = dt_arena_printf(&l->arena, "%s and %zu more", names,
		                        count - NAMED_MAX);
	if (count == 0 && l->is_unsure)
		finish(l, "whether the files that say what runs are as you "
		          "last saw them could not be found out");
	else if (count == 0)
		look_at_reach(l);
	else
		finish(l, dt_arena_printf(&l->arena,
		                          "%s %s not as you last saw %s, and "
		                          "%s what runs%s",
		                          names, count > 1 ? "are" : "is",
		                          count > 1 ? "them" : "it",
		                          count > 1 ? "say" : "says",
		                          is_commit ? " later" : ""));
}

/* What is staged and changed again is two texts, of which one is in sight. */
static void add_entry(struct dt_look *l, const char *letters, const char *path)
{
	bool is_staged = !strchr(" ?!", letters[0]);

	if (is_staged && letters[1] != ' ' && l->file_count < FILES_MAX)
		l->files[l->file_count++] = dt_seen_read(path);
	else
		add_file(l, path);
}

/* Entries of status: two letters, a blank, a name. */
static void on_status(struct dt_run *run, const struct dt_run_end *e,
                      void *owner)
{
	struct dt_look *l = owner;
	struct dt_names globs = dt_seen_globs(&l->arena, l->program);
	struct dt_str rest = e->out;

	(void)run;
	if (!begin_step(l))
		return;
	if (!is_whole(e)) {
		finish(l, "whether the files that say what runs were changed "
		          "could not be found out");
		return;
	}
	while (rest.len > 0) {
		struct dt_str entry = dt_str_cut(&rest, '\0');
		const char *path;

		if (entry.len <= 3)
			continue;
		path = dt_path_join(&l->arena, l->top,
		                    dt_arena_strndup(&l->arena, entry.ptr + 3,
		                                     entry.len - 3));
		/* A folder that is ignored counts where it is worked in. */
		if (entry.ptr[entry.len - 1] == '/')
			see_folders(l, path, &globs);
		else
			add_entry(l, entry.ptr, path);
	}
	judge_files(l);
}

static void ask_status(struct dt_look *l)
{
	static const char *const words[] = {
		"status",
		"--porcelain=v1",
		"-z",
		"--no-renames",
		"--untracked-files=all",
		"--ignored=matching",
		"--",
		NULL,
	};
	bool is_all = l->needs & DT_NEED_ALL_SEEN;
	struct dt_names globs =
		dt_seen_globs(&l->arena, is_all ? NULL : l->program);
	struct dt_names specs = {
		.ptr = dt_arena_alloc(&l->arena,
		                      (globs.count + 1) * sizeof(char *)),
	};

	for (size_t i = 0; i < globs.count; i++)
		specs.ptr[specs.count++] = dt_arena_printf(
			&l->arena, ":(top,glob)**/%s", globs.ptr[i]);
	if (l->hooks)
		specs.ptr[specs.count++] = dt_arena_printf(
			&l->arena, ":(top,literal)%s", l->hooks);
	go_on(l, words, &specs, on_status);
}

/* Hooks that lie in the work tree are files of it like others. */
static void on_hooks(struct dt_run *run, const struct dt_run_end *e,
                     void *owner)
{
	struct dt_look *l = owner;
	struct dt_str out = e->out;
	struct dt_str line = dt_str_cut(&out, '\n');
	const char *path;

	(void)run;
	if (!begin_step(l))
		return;
	path = dt_path_join(&l->arena, l->top,
	                    dt_arena_strndup(&l->arena,
	                                     line.len ? line.ptr : "",
	                                     line.len));
	if (e->code == 0 && line.len > 0 && strcmp(path, l->top) != 0 &&
	    dt_path_is_beneath(path, l->top))
		l->hooks = path + strlen(l->top) + 1;
	ask_status(l);
}

/* the beginning */

/* Without git nothing is committed, so all of it counts. */
static void see_plain(struct dt_look *l)
{
	struct dt_names globs = dt_seen_globs(&l->arena, l->program);
	const char *relative;
	const char *root =
		dt_documents_root_of(&l->ws->docs, l->folder, &relative);

	l->is_unsure = !root;
	if (root)
		see_folders(l, root, &globs);
	judge_files(l);
}

static void on_top(struct dt_run *run, const struct dt_run_end *e, void *owner)
{
	static const char *const words[] = { "config", "--type=path", "--get",
		                             "core.hooksPath", NULL };
	struct dt_look *l = owner;
	size_t len = e->out.len;

	(void)run;
	if (!begin_step(l))
		return;
	if (e->code == 0 && !e->is_late && len > 1)
		l->top = dt_arena_strndup(&l->arena, e->out.ptr, len - 1);
	/* Without a repository git does nothing that runs hooks. */
	if (!(l->needs & SEES) || (!l->top && !strcmp(l->program, "git")))
		look_at_reach(l);
	else if (!l->top)
		see_plain(l);
	else if (!strcmp(l->program, "git"))
		go_on(l, words, NULL, on_hooks);
	else
		ask_status(l);
}

enum dt_err dt_look_start(struct dt_caller *caller,
                          const struct dt_needs *needs, dt_look_fn *fn,
                          void *owner, struct dt_look **out,
                          struct dt_fail *fail)
{
	static const char *const words[] = { "rev-parse", "--show-toplevel",
		                             NULL };
	struct dt_look *l = dt_alloc(sizeof(*l));
	enum dt_err err;

	l->caller = caller;
	l->ws = caller->place;
	l->fn = fn;
	l->owner = owner;
	l->needs = needs->what;
	l->program = dt_arena_strdup(&l->arena, needs->program);
	l->folder = dt_arena_strdup(&l->arena, needs->folder);
	/* The person's own: an agent could bring one that sees nothing. */
	l->git = dt_env_find(l->ws, NULL, &l->arena, "git");
	l->env = environment(l);
	err = l->git ? ask(l, words, NULL, on_top, fail)
	             : dt_fail(fail, DT_E_MISSING,
	                       "there is no git on PATH that could tell "
	                       "whether you have seen what it runs");
	if (err)
		free_look(l);
	else
		*out = l;
	return err;
}
