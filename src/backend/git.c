/*
 * backend/git.c - the real git, run step by step in the right place.
 *
 * What a repository's own settings could make git run when it reads is turned
 * off here where it can be; docs/decisions/0019-git.md says what is left.  What
 * comes out is read by git_parse.c, and what it means is for the performers.
 */
#include "backend/git.h"

#include "base/buf.h"
#include "base/file.h"
#include "base/limits.h"
#include "base/path.h"
#include "base/utf8.h"
#include "editor/git_write.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define SAID_MAX 180 /* bytes of a program's own words in a sentence */

static void free_git(struct dt_git *g)
{
	dt_arena_done(&g->arena);
	free(g->words);
	free(g);
}

static void on_drop(struct dt_answer *answer, void *performer)
{
	struct dt_git *g = performer;

	(void)answer;
	if (g->run)
		dt_run_quit(g->run);
	free_git(g);
}

/* the end */

void dt_git_end(struct dt_git *g, const void *result)
{
	dt_answer_end(g->answer, result);
	free_git(g);
}

void dt_git_fail(struct dt_git *g, const struct dt_fail *fail)
{
	dt_answer_fail(g->answer, fail);
	free_git(g);
}

void dt_git_failf(struct dt_git *g, enum dt_err code, const char *fmt, ...)
{
	struct dt_fail fail = { .code = code };
	va_list args;

	va_start(args, fmt);
	vsnprintf(fail.msg, sizeof(fail.msg), fmt, args);
	va_end(args);
	fail.msg[dt_utf8_cut(dt_str(fail.msg), sizeof(fail.msg))] = '\0';
	dt_git_fail(g, &fail);
}

static struct dt_str without_label(struct dt_str line)
{
	static const char *const labels[] = { "fatal: ", "error: ",
		                              "remote: " };

	line = dt_str_trim(line);
	for (size_t i = 0; i < sizeof(labels) / sizeof(labels[0]); i++) {
		struct dt_str label = dt_str(labels[i]);

		if (dt_str_starts(line, label))
			return (struct dt_str){ line.ptr + label.len,
				                line.len - label.len };
	}
	return line;
}

const char *dt_git_said(struct dt_git *g, struct dt_str err)
{
	struct dt_buf said;
	char *text;

	dt_buf_init(&said, err.len * 2);
	while (err.len > 0) {
		struct dt_str line = dt_str_cut(&err, '\n');

		/* Hints are about what to type. */
		if (dt_str_starts(line, DT_STR("hint:")))
			continue;
		line = without_label(line);
		if (line.len > 0 && said.len > 0)
			dt_buf_add_z(&said, "; ");
		dt_buf_add_str(&said, line);
	}
	text = dt_arena_strndup(&g->arena, said.len ? said.ptr : "",
	                        dt_utf8_cut(dt_buf_str(&said), SAID_MAX));
	for (char *c = text; *c; c++) {
		if (iscntrl((unsigned char)*c))
			*c = ' ';
	}
	dt_buf_done(&said);
	return text;
}

void dt_git_fail_end(struct dt_git *g, const struct dt_run_end *end)
{
	const char *said = dt_git_said(g, end->err.len ? end->err : end->out);

	if (end->is_late)
		dt_git_failf(g, DT_E_TIMEOUT,
		             "%s did not end in time and was stopped",
		             g->command);
	else if (*said)
		dt_git_failf(g, DT_E_STATE, "%s: %s", g->command, said);
	else
		dt_git_failf(g, DT_E_STATE, "%s ended with exit code %d",
		             g->command, end->code);
}

/* words */

static void add_word(struct dt_git *g, const char *word)
{
	if (g->word_count + 2 > g->word_room) {
		g->word_room = 2 * g->word_room + 64;
		g->words =
			dt_realloc(g->words, g->word_room * sizeof(*g->words));
	}
	g->words[g->word_count++] = dt_arena_strdup(&g->arena, word);
	g->words[g->word_count] = NULL;
}

/* Before the first word: the program, and what git is always told. */
static void begin_words(struct dt_git *g, const char *command)
{
	static const char *const always[] = {
		"--no-pager",           "-c", "core.fsmonitor=false", "-c",
		"core.quotePath=false",
	};

	g->command = dt_arena_printf(&g->arena, "%s %s",
	                             dt_path_base(g->program), command);
	add_word(g, g->program);
	if (strcmp(dt_path_base(g->program), "git") != 0)
		return;
	for (size_t i = 0; i < sizeof(always) / sizeof(always[0]); i++)
		add_word(g, always[i]);
	/* A folder of a clone may look like a repository, settings and all.  Only
	 * who looks for one is told: hooks would get it, too. */
	if (!g->dir) {
		add_word(g, "-c");
		add_word(g, "safe.bareRepository=explicit");
	}
}

static void say(struct dt_git *g, const char *word)
{
	if (g->word_count == 0)
		begin_words(g, word);
	add_word(g, word);
}

void dt_git_say(struct dt_git *g, ...)
{
	const char *word;
	va_list args;

	va_start(args, g);
	while ((word = va_arg(args, const char *)))
		say(g, word);
	va_end(args);
}

void dt_git_say_all(struct dt_git *g, const struct dt_names *words)
{
	for (size_t i = 0; i < words->count; i++)
		say(g, words->ptr[i]);
}

/* Not --literal-pathspecs: hooks, and what git starts by itself, would get it
 * too, and do not expect it. */
const char *dt_git_literal(struct dt_git *g, const char *path)
{
	return dt_arena_printf(&g->arena, ":(literal)%s", path);
}

void dt_git_say_scope(struct dt_git *g)
{
	if (g->scope)
		dt_git_say(g, "--", dt_git_literal(g, g->scope), NULL);
}

void dt_git_say_diff(struct dt_git *g)
{
	dt_git_say(g, "--no-ext-diff", "--no-textconv", "--no-color",
	           "--no-relative", "--src-prefix=a/", "--dst-prefix=b/",
	           "--submodule=short", "-O/dev/null", "-M", NULL);
}

/* running */

static void on_run(struct dt_run *run, const struct dt_run_end *end,
                   void *owner)
{
	struct dt_git *g = owner;

	(void)run;
	g->run = NULL;
	g->word_count = 0;
	if (end->is_late || (end->code != 0 && !g->is_try))
		dt_git_fail_end(g, end);
	else
		g->step(g, end);
}

/* Before the deadline of the call, for a better sentence; what may have waited
 * for a person has none. */
static unsigned limit_of(const struct dt_git *g)
{
	if (g->op->deadline_ms)
		return g->op->deadline_ms / 10 * 9;
	return g->op == &dt_op_github_write ? DT_GITHUB_WRITE_MS
	                                    : DT_GIT_WRITE_MS;
}

static void start_run(struct dt_git *g, dt_git_step *step, bool is_try)
{
	struct dt_fail fail = { 0 };
	struct dt_run_spec spec = {
		.argv = g->words,
		.env = g->env,
		.folder = g->folder,
		.keep_bytes = g->keep,
		.deadline_ms = limit_of(g),
	};

	g->step = step;
	g->is_try = is_try;
	if (dt_run_start(g->loop, &spec, on_run, g, &g->run, &fail))
		dt_git_fail(g, &fail);
}

void dt_git_run(struct dt_git *g, dt_git_step *step)
{
	start_run(g, step, false);
}

void dt_git_try(struct dt_git *g, dt_git_step *step)
{
	start_run(g, step, true);
}

/* names of commits and files */

enum dt_err dt_git_check_ref(const char *ref, const char *what,
                             struct dt_fail *fail)
{
	const char *c = ref;

	/* Beside letters and digits of any language. */
	while (isalnum((unsigned char)*c) || (unsigned char)*c >= 0x80 ||
	       (*c && strchr("._-/^~@{}+#=,%", *c)))
		c++;
	if (!*ref || *ref == '-' || *ref == '+' || *c || strstr(ref, ".."))
		return dt_fail(fail, DT_E_ARGS,
		               "%s: \"%.60s\" is not the name of a branch, a "
		               "tag or a commit",
		               what, ref);
	return DT_E_OK;
}

void dt_git_say_commit(struct dt_git *g, const char *ref)
{
	dt_git_say(g, "rev-parse", "--verify", "--quiet", "--end-of-options",
	           dt_arena_printf(&g->arena, "%s^{commit}", ref), NULL);
}

/*
 * Where a path really is: the folders in it that are there resolved, its last
 * part not, because a link is a thing of its own to git.  *out_folder is the
 * innermost folder of it that is there.
 */
static enum dt_err find_path(struct dt_git *g, const struct dt_documents *docs,
                             const char *path, const char **out,
                             const char **out_folder, struct dt_fail *fail)
{
	const char *whole = dt_path_join(&g->arena, g->root, path);
	const char *relative;
	const char *real;
	char *folder = dt_arena_strdup(&g->arena, whole);

	while (!dt_file_is_dir(folder) && strrchr(folder, '/') > folder)
		*strrchr(folder, '/') = '\0';
	if (dt_path_real(&g->arena, folder, &real, fail))
		return fail->code;
	if (!dt_documents_root_of(docs, real, &relative))
		return dt_fail(fail, DT_E_DENIED, "%s is outside the workspace",
		               path);
	*out = dt_arena_printf(&g->arena, "%s%s", real, whole + strlen(folder));
	*out_folder = real;
	return DT_E_OK;
}

enum dt_err dt_git_files(struct dt_git *g, const struct dt_documents *docs,
                         const struct dt_names *files, struct dt_names *out,
                         struct dt_fail *fail)
{
	enum dt_err err = DT_E_OK;

	if (files->count > DT_LIMIT_GIT_FILES)
		return dt_fail(fail, DT_E_LIMIT,
		               "files: %zu are named, %u at once is the limit",
		               files->count, DT_LIMIT_GIT_FILES);
	*out = (struct dt_names){
		.ptr = dt_arena_alloc(&g->arena,
		                      files->count * sizeof(*out->ptr)),
	};
	for (size_t i = 0; i < files->count && !err; i++) {
		const char *path = files->ptr[i];
		const char *real;
		const char *folder;

		if (dt_str_starts(dt_str(path), DT_STR("file:")))
			err = dt_path_from_uri(&g->arena, path, &path, fail);
		if (!err)
			err = find_path(g, docs, path, &real, &folder, fail);
		/* What is committed is meant for others. */
		if (!err)
			err = dt_documents_check(docs, real, fail);
		if (!err)
			out->ptr[out->count++] = dt_git_literal(g, real);
	}
	return err;
}

/* the beginning */

/* A hook's variables would lead git to another repository, and traces would
 * stand in what is read. */
static bool is_kept(const char *pair)
{
	static const char *const kept[] = {
		"GIT_SSH",           "GIT_AUTHOR_",         "GIT_COMMITTER_",
		"GIT_SSL_",          "GIT_HTTP_",           "GIT_PROXY_",
		"GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_SYSTEM",
		"GIT_ASKPASS",       "GIT_ALLOW_PROTOCOL",
	};
	struct dt_str name = dt_str(pair);

	if (dt_str_starts(name, DT_STR("LC_ALL=")) ||
	    dt_str_starts(name, DT_STR("LANGUAGE=")))
		return false;
	if (!dt_str_starts(name, DT_STR("GIT_")))
		return true;
	for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++) {
		if (dt_str_starts(name, dt_str(kept[i])))
			return true;
	}
	return false;
}

static char **copy_env(struct dt_git *g, char *const *env)
{
	static const char *const ours[] = {
		/* Its own words untranslated, file names in UTF-8. */
		"LC_ALL=C.UTF-8",
		/* Nobody is there to be asked. */
		"GIT_TERMINAL_PROMPT=0",
		"GIT_EDITOR=:",
		"GIT_SEQUENCE_EDITOR=:",
		"GIT_MERGE_AUTOEDIT=no",
		"GH_PROMPT_DISABLED=1",
		"GH_NO_UPDATE_NOTIFIER=1",
		"NO_COLOR=1",
		/* Who reads leaves the index as it is; keep this last. */
		"GIT_OPTIONAL_LOCKS=0",
	};
	size_t our_count = sizeof(ours) / sizeof(ours[0]);
	size_t count = 0;
	char **copy;

	if (g->op->effect != DT_READS)
		our_count--;
	while (env[count])
		count++;
	copy = dt_arena_alloc(&g->arena,
	                      (count + our_count + 1) * sizeof(*copy));
	count = 0;
	for (; *env; env++) {
		if (is_kept(*env))
			copy[count++] = dt_arena_strdup(&g->arena, *env);
	}
	for (size_t i = 0; i < our_count; i++)
		copy[count++] = dt_arena_strdup(&g->arena, ours[i]);
	return copy;
}

/* Arguments are lent until perform() returns, and git takes longer. */
static const void *copy_args(struct dt_git *g, const void *args)
{
	const struct dt_shape *shape = &g->op->args;
	void *copy = dt_arena_alloc(&g->arena, shape->size);
	const struct dt_json *json = NULL;
	struct dt_json_out out;
	struct dt_buf text;

	dt_buf_init(&text, DT_LIMIT_MESSAGE);
	out = dt_json_out(&text);
	dt_shape_write(shape, args, &out);
	if (dt_json_read(&g->arena, dt_buf_str(&text), &json, NULL) ||
	    dt_shape_read(shape, &g->arena, json, copy, NULL))
		copy = NULL;
	dt_buf_done(&text);
	return copy;
}

static enum dt_err prepare(struct dt_git *g, struct dt_headless *h,
                           const void *args, struct dt_fail *fail)
{
	const struct dt_world *world = &h->world;
	const char *const *path;
	const char *relative;

	if (h->docs->root_count == 0)
		return dt_fail(fail, DT_E_STATE, "the workspace has no folder");
	g->root = dt_arena_strdup(&g->arena, h->docs->roots[0]);
	g->program = world->find ? world->find(world->owner, g->answer->asker,
	                                       &g->arena, "git")
	                         : NULL;
	if (!g->program)
		return dt_fail(fail, DT_E_MISSING,
		               "git is not on the PATH of this workspace: "
		               "install it, or start dovetail where it is");
	g->program = dt_arena_strdup(&g->arena, g->program);
	g->env = copy_env(
		g, world->env(world->owner, g->answer->asker, &g->arena));
	g->args = copy_args(g, args);
	path = g->args;
	if (!path)
		return dt_fail(fail, DT_E_ARGS, "the arguments are not text");
	g->scope = g->root;
	g->folder = g->root;
	if (*path && find_path(g, h->docs, *path, &g->scope, &g->folder, fail))
		return fail->code;
	g->root = dt_arena_strdup(
		&g->arena, dt_documents_root_of(h->docs, g->folder, &relative));
	return DT_E_OK;
}

struct dt_git *dt_git_new(struct dt_headless *h, const struct dt_operation *op,
                          const void *args, struct dt_answer *answer)
{
	struct dt_git *g = dt_alloc(sizeof(*g));
	struct dt_fail fail = { 0 };

	g->loop = h->world.loop;
	g->op = op;
	g->answer = answer;
	g->keep = DT_LIMIT_GIT_OUTPUT;
	if (prepare(g, h, args, &fail)) {
		dt_git_fail(g, &fail);
		return NULL;
	}
	answer->on_drop = on_drop;
	answer->performer = g;
	dt_world_ran(&h->world, answer->asker, g->program);
	return g;
}

/* Whether there is a repository here that git will not take. */
static bool has_repository(struct dt_git *g)
{
	char *folder = dt_arena_strdup(&g->arena, g->folder);

	for (char *end; (end = strrchr(folder, '/')); *end = '\0') {
		if (!access(dt_arena_printf(&g->arena, "%s/.git", folder),
		            F_OK))
			return true;
	}
	return false;
}

static void on_found(struct dt_git *g, const struct dt_run_end *end)
{
	struct dt_str rest = end->out;
	struct dt_str is_inside = dt_str_cut(&rest, '\n');
	struct dt_str up = dt_str_cut(&rest, '\n');

	if (end->code != 0 && has_repository(g)) {
		dt_git_fail_end(g, end);
		return;
	}
	if (end->code != 0 || !dt_str_is(is_inside, "true")) {
		dt_git_failf(g, DT_E_STATE,
		             "%s is not in the work tree of a git repository: "
		             "create one there (git init), or name a file or "
		             "folder of one",
		             g->folder);
		return;
	}
	/* The rest is one name, which may have a newline in it. */
	g->dir = dt_arena_strndup(&g->arena, rest.ptr,
	                          rest.len > 0 ? rest.len - 1 : 0);
	g->top = dt_path_join(
		&g->arena, g->folder,
		dt_arena_printf(&g->arena, "%.*s.", DT_STR_ARG(up)));
	if (dt_path_is_beneath(g->top, g->scope))
		g->scope = NULL;
	g->first(g, NULL);
}

void dt_git_find(struct dt_git *g, dt_git_step *first)
{
	g->first = first;
	dt_git_say(g, "rev-parse", "--is-inside-work-tree", "--show-cdup",
	           "--absolute-git-dir", NULL);
	dt_git_try(g, on_found);
}

void dt_git_start(struct dt_headless *h, const struct dt_operation *op,
                  const void *args, struct dt_answer *answer,
                  dt_git_step *first)
{
	struct dt_git *g = dt_git_new(h, op, args, answer);

	if (g)
		dt_git_find(g, first);
}

const char *dt_git_doing(const struct dt_git *g)
{
	static const char *const signs[][2] = {
		{ "MERGE_HEAD", "merge" },
		{ "rebase-merge", "rebase" },
		{ "rebase-apply", "rebase" },
		{ "CHERRY_PICK_HEAD", "cherry-pick" },
		{ "REVERT_HEAD", "revert" },
		{ "BISECT_LOG", "bisect" },
	};

	for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++) {
		char *path = dt_asprintf("%s/%s", g->dir, signs[i][0]);
		bool is_there = !access(path, F_OK);

		free(path);
		if (is_there)
			return signs[i][1];
	}
	return NULL;
}
