/*
 * backend/ignored.c - git asked what it ignores.
 *
 * The rules are git's own, with the person's settings.  The repository's are not
 * trusted: no program that they name is run.
 */
#include "backend/ignored.h"

#include "base/buf.h"
#include "base/limits.h"
#include "loop/run.h"

#include <stdlib.h>
#include <unistd.h>

#define GIT_MS 20000

struct dt_ignored {
	struct dt_run *run;     /* git, while it runs; or */
	struct dt_timer *timer; /* the next turn */
	char *prefix; /* of the root in its repository, "" or "sub/"; NULL: git
	               * tells the names as we know them */
	dt_ignored_fn *fn;
	void *owner;
};

char **dt_ignored_env(struct dt_arena *arena, char *const *env)
{
	size_t count = 0;
	char **copy;

	while (env[count])
		count++;
	copy = dt_arena_alloc(arena, (count + 1) * sizeof(*copy));
	count = 0;
	for (; *env; env++) {
		if (strncmp(*env, "GIT_", strlen("GIT_")) != 0)
			copy[count++] = dt_arena_strdup(arena, *env);
	}
	return copy;
}

static void end(struct dt_ignored *ignored, struct dt_str names)
{
	dt_timer_free(ignored->timer);
	ignored->fn(names, ignored->owner);
	free(ignored->prefix);
	free(ignored);
}

static void on_nothing(struct dt_timer *timer, void *owner)
{
	(void)timer;
	end(owner, (struct dt_str){ 0 });
}

/* "!! sub/out/" is "out/" below sub/; what else status tells is left out. */
static void read_status(const struct dt_ignored *ignored, struct dt_str status,
                        struct dt_buf *names)
{
	struct dt_str prefix = dt_str(ignored->prefix);

	while (status.len > 0) {
		struct dt_str name = dt_str_cut(&status, '\0');
		bool is_ignored = dt_str_starts(name, DT_STR("!! "));

		if (!is_ignored)
			continue;
		name.ptr += 3;
		name.len -= 3;
		if (name.len > prefix.len && dt_str_starts(name, prefix))
			dt_buf_add(names, name.ptr + prefix.len,
			           name.len - prefix.len + 1);
	}
}

static void on_git(struct dt_run *run, const struct dt_run_end *git,
                   void *owner)
{
	struct dt_ignored *ignored = owner;
	struct dt_str names = git->out;
	struct dt_buf read;

	(void)run;
	dt_buf_init(&read, DT_LIMIT_LIST_BYTES);
	/* The last name may be cut in the middle. */
	while (names.len > 0 && names.ptr[names.len - 1])
		names.len--;
	if (ignored->prefix) {
		read_status(ignored, names, &read);
		names = dt_buf_str(&read);
	}
	end(ignored, names);
	dt_buf_done(&read);
}

/* Where the root is in its repository, whose names git's status tells. */
static char *prefix_of(const char *root)
{
	size_t len = strlen(root);
	size_t top = len;
	bool is_top = false;

	for (;;) {
		char *git = dt_asprintf("%.*s/.git", (int)top, root);

		is_top = !access(git, F_OK);
		free(git);
		if (is_top || top == 0)
			break;
		while (root[--top] != '/') {
		}
	}
	return top < len && root[top + 1] ? dt_asprintf("%s/", root + top + 1)
	                                  : dt_strdup("");
}

/* The words of the command; names follow them or come by its input. */
static char **make_words(struct dt_arena *arena, char *git,
                         const struct dt_ignored_spec *spec)
{
	/* ls-files would take for ignored a folder in which all files are. */
	static const char *const below[] = { "--literal-pathspecs",
		                             "--no-optional-locks",
		                             "-c",
		                             "core.fsmonitor=false",
		                             "status",
		                             "--porcelain",
		                             "-z",
		                             "--ignored=matching",
		                             "--untracked-files=all",
		                             "--ignore-submodules=all",
		                             "--no-renames",
		                             "--" };
	static const char *const these[] = { "-c", "core.fsmonitor=false",
		                             "check-ignore", "-z", "--stdin" };
	const char *const *words = spec->is_below ? below : these;
	size_t word_count = spec->is_below ? sizeof(below) / sizeof(below[0])
	                                   : sizeof(these) / sizeof(these[0]);
	char **argv = dt_arena_alloc(arena, (word_count + spec->count + 2) *
	                                            sizeof(*argv));
	size_t n = 0;

	argv[n++] = git;
	for (size_t i = 0; i < word_count; i++)
		argv[n++] = dt_arena_strdup(arena, words[i]);
	for (size_t i = 0; spec->is_below && i < spec->count; i++)
		argv[n++] = dt_arena_strdup(
			arena, *spec->names[i] ? spec->names[i] : ".");
	return argv;
}

static bool start_git(struct dt_ignored *ignored,
                      const struct dt_ignored_spec *spec)
{
	const struct dt_world *world = spec->world;
	struct dt_arena arena = { 0 };
	char *git = dt_arena_strdup(
		&arena, world->find ? world->find(world->owner, DT_ASKER_ALL,
	                                          &arena, "git")
				    : NULL);
	struct dt_run_spec run = {
		.folder = spec->root,
		.keep_bytes = DT_LIMIT_LIST_BYTES,
		.deadline_ms = GIT_MS,
	};
	bool is_started = false;
	struct dt_buf input;

	dt_buf_init(&input, DT_LIMIT_LIST_BYTES);
	for (size_t i = 0; !spec->is_below && i < spec->count; i++)
		dt_buf_add(&input, spec->names[i], strlen(spec->names[i]) + 1);
	if (git) {
		run.argv = make_words(&arena, git, spec);
		run.env = dt_ignored_env(
			&arena, world->env(world->owner, DT_ASKER_ALL, &arena));
		run.input = dt_buf_str(&input);
		is_started = !dt_run_start(world->loop, &run, on_git, ignored,
		                           &ignored->run, NULL);
	}
	dt_buf_done(&input);
	dt_arena_done(&arena);
	return is_started;
}

struct dt_ignored *dt_ignored_start(const struct dt_ignored_spec *spec,
                                    dt_ignored_fn *fn, void *owner)
{
	struct dt_ignored *ignored = dt_alloc(sizeof(*ignored));

	ignored->fn = fn;
	ignored->owner = owner;
	if (spec->is_below)
		ignored->prefix = prefix_of(spec->root);
	if (!start_git(ignored, spec)) {
		ignored->timer =
			dt_timer_new(spec->world->loop, on_nothing, ignored);
		dt_timer_start(ignored->timer, 0);
	}
	return ignored;
}

void dt_ignored_drop(struct dt_ignored *ignored)
{
	if (ignored->run)
		dt_run_stop(ignored->run);
	dt_timer_free(ignored->timer);
	free(ignored->prefix);
	free(ignored);
}
