/*
 * hub/wish.c - what operations want to run.
 *
 * A program with its arguments, or a line for the shell of a terminal.  A line is
 * looked at where the shell is now, not where it began; whether it may be typed
 * is for permit.c.
 */
#include "hub/wish.h"

#include "backend/headless.h"
#include "backend/terminals.h"
#include "base/file.h"
#include "base/limits.h"
#include "base/path.h"
#include "editor/git_write.h"
#include "editor/run.h"
#include "hub/programs.h"
#include "hub/session.h"
#include "loop/os.h"

static const char *real_folder(struct dt_arena *arena,
                               const struct dt_workspace *ws, const char *cwd)
{
	const char *real;

	cwd = dt_run_cwd(arena, dt_workspace_root(ws), cwd);
	return dt_path_real(arena, cwd, &real, NULL) ? cwd : real;
}

/* programs */

static void read_program(struct dt_arena *arena, struct dt_run_wish *out)
{
	struct dt_buf words;

	dt_buf_init(&words, DT_LIMIT_MESSAGE);
	dt_run_words(&words, out->command.name, &out->command.args);
	out->words = dt_arena_strdup(arena, dt_buf_z(&words));
	dt_buf_done(&words);
}

static enum dt_err read_run_command(struct dt_arena *arena,
                                    const struct dt_caller *caller,
                                    const void *args, struct dt_run_wish *out,
                                    struct dt_fail *fail)
{
	const struct dt_run_command_args *wanted = args;

	(void)fail;
	*out = (struct dt_run_wish){
		.command = { wanted->command, wanted->args,
		             real_folder(arena, caller->place, wanted->cwd) },
		.timeout_ms = wanted->timeout_ms.is_set
		                      ? wanted->timeout_ms.value
		                      : DT_COMMAND_MS,
	};
	read_program(arena, out);
	return DT_E_OK;
}

static enum dt_err read_github(struct dt_arena *arena,
                               const struct dt_caller *caller, const void *args,
                               struct dt_run_wish *out, struct dt_fail *fail)
{
	const struct dt_github_args *wanted = args;

	(void)fail;
	*out = (struct dt_run_wish){
		.command = { "gh", wanted->words,
		             real_folder(arena, caller->place, wanted->path) },
		.timeout_ms = DT_GITHUB_WRITE_MS,
	};
	read_program(arena, out);
	return DT_E_OK;
}

/* the repository */

#define OVERWRITES "it writes files that nobody has reviewed"

/* Where a tool works: the folder that holds what its path names. */
static const char *folder_at(struct dt_arena *arena,
                             const struct dt_workspace *ws, const char *path)
{
	const char *folder = real_folder(arena, ws, path);

	while (!dt_file_is_dir(folder) && strcmp(folder, "/") != 0)
		folder = dt_path_join(arena, folder, "..");
	return folder;
}

/* `words` as a person would type them, and files after them. */
static void read_git(struct dt_arena *arena, const struct dt_caller *caller,
                     const char *path, const struct dt_names *words,
                     const struct dt_names *files, struct dt_run_wish *out)
{
	const struct dt_session *s = caller->owner;
	size_t file_count = files ? files->count : 0;
	struct dt_names all = {
		.ptr = dt_arena_alloc(arena, (words->count + file_count + 1) *
		                                     sizeof(char *)),
	};

	for (size_t i = 0; i < words->count; i++)
		all.ptr[all.count++] = words->ptr[i];
	if (file_count > 0)
		all.ptr[all.count++] = "--";
	for (size_t i = 0; i < file_count; i++)
		all.ptr[all.count++] = files->ptr[i];
	*out = (struct dt_run_wish){
		.command = { "git", all,
		             folder_at(arena, caller->place, path) },
		.timeout_ms = DT_GIT_WRITE_MS,
		.is_own = true,
		.needs = DT_NEED_SEEN,
		.is_free = s->is_person,
	};
	read_program(arena, out);
	/* The texts are lent. */
	out->command.args = (struct dt_names){ 0 };
}

#define WORDS(...)                                                             \
	(&(struct dt_names){ (const char *[]){ __VA_ARGS__ },                  \
	                     sizeof((const char *[]){ __VA_ARGS__ }) /         \
	                             sizeof(char *) })

static enum dt_err read_git_add(struct dt_arena *arena,
                                const struct dt_caller *caller,
                                const void *args, struct dt_run_wish *out,
                                struct dt_fail *fail)
{
	const struct dt_git_add_args *wanted = args;
	const char *words[] = {
		"add",
		wanted->has_untracked ? "--all" : "--update",
	};

	(void)fail;
	read_git(arena, caller, wanted->path,
	         &(struct dt_names){ words, wanted->files.count > 0 ? 1 : 2 },
	         &wanted->files, out);
	return DT_E_OK;
}

static enum dt_err read_git_commit(struct dt_arena *arena,
                                   const struct dt_caller *caller,
                                   const void *args, struct dt_run_wish *out,
                                   struct dt_fail *fail)
{
	const struct dt_git_commit_args *wanted = args;
	const char *message =
		dt_arena_printf(arena, "--message=%s", wanted->message);
	const char *words[] = { "commit", message, "--all" };

	(void)fail;
	read_git(arena, caller, wanted->path,
	         &(struct dt_names){ words, wanted->is_all ? 3 : 2 },
	         &wanted->files, out);
	out->needs = DT_NEED_ALL_SEEN;
	return DT_E_OK;
}

static enum dt_err read_git_checkout(struct dt_arena *arena,
                                     const struct dt_caller *caller,
                                     const void *args, struct dt_run_wish *out,
                                     struct dt_fail *fail)
{
	const struct dt_git_checkout_args *wanted = args;

	(void)fail;
	read_git(arena, caller, wanted->path,
	         WORDS("switch", "--no-overwrite-ignore", wanted->branch), NULL,
	         out);
	return DT_E_OK;
}

static enum dt_err read_git_stash(struct dt_arena *arena,
                                  const struct dt_caller *caller,
                                  const void *args, struct dt_run_wish *out,
                                  struct dt_fail *fail)
{
	const struct dt_git_stash_args *wanted = args;

	(void)fail;
	read_git(arena, caller, wanted->path, WORDS("stash", "push"), NULL,
	         out);
	/* A commit like others, on which a branch can be made. */
	out->needs = DT_NEED_ALL_SEEN;
	return DT_E_OK;
}

static enum dt_err read_git_pop(struct dt_arena *arena,
                                const struct dt_caller *caller,
                                const void *args, struct dt_run_wish *out,
                                struct dt_fail *fail)
{
	const struct dt_git_pop_args *wanted = args;

	(void)fail;
	read_git(arena, caller, wanted->path,
	         WORDS("stash", "pop",
	               dt_arena_printf(arena, "stash@{%u}", wanted->index)),
	         NULL, out);
	out->why = "git stash pop: " OVERWRITES ", and the stash is dropped";
	return DT_E_OK;
}

static enum dt_err read_git_fetch(struct dt_arena *arena,
                                  const struct dt_caller *caller,
                                  const void *args, struct dt_run_wish *out,
                                  struct dt_fail *fail)
{
	const struct dt_git_fetch_args *wanted = args;

	(void)fail;
	read_git(arena, caller, wanted->path, WORDS("fetch"), NULL, out);
	return DT_E_OK;
}

static enum dt_err read_git_pull(struct dt_arena *arena,
                                 const struct dt_caller *caller,
                                 const void *args, struct dt_run_wish *out,
                                 struct dt_fail *fail)
{
	const struct dt_git_pull_args *wanted = args;
	const char *words[4] = { "pull" };
	struct dt_names names = { words, 1 };

	(void)fail;
	if (wanted->is_rebase)
		words[names.count++] = "--rebase";
	if (wanted->remote)
		words[names.count++] = wanted->remote;
	if (wanted->branch)
		words[names.count++] = wanted->branch;
	read_git(arena, caller, wanted->path, &names, NULL, out);
	out->why = "git pull: " OVERWRITES;
	return DT_E_OK;
}

static enum dt_err read_git_push(struct dt_arena *arena,
                                 const struct dt_caller *caller,
                                 const void *args, struct dt_run_wish *out,
                                 struct dt_fail *fail)
{
	const struct dt_git_push_args *wanted = args;
	const char *words[4] = { "push" };
	struct dt_names names = { words, 1 };

	(void)fail;
	if (wanted->is_forced)
		words[names.count++] = "--force-with-lease";
	if (wanted->remote)
		words[names.count++] = wanted->remote;
	if (wanted->branch)
		words[names.count++] = wanted->branch;
	read_git(arena, caller, wanted->path, &names, NULL, out);
	if (wanted->is_forced)
		out->why = "git push --force-with-lease: it can discard work "
			   "or history";
	return DT_E_OK;
}

/* terminals */

/* Keys that only end what runs: Ctrl-C and Ctrl-\. */
static bool is_interrupt(const char *text)
{
	return *text && !text[strspn(text, "\x03\x1c")];
}

/* Where the shell is now; else where it began. */
static const char *folder_of(struct dt_arena *arena,
                             const struct dt_workspace *ws,
                             const struct dt_terminal *t)
{
	const char *now = NULL;

	if (t && t->pty)
		now = dt_os_folder(arena, dt_pty_pid(t->pty));
	return real_folder(arena, ws, now ? now : t ? t->folder : NULL);
}

static void read_line(struct dt_arena *arena, const struct dt_caller *caller,
                      const struct dt_terminal *t, const char *line,
                      bool is_emptied, struct dt_run_wish *out)
{
	const struct dt_session *s = caller->owner;
	struct dt_buf words;

	dt_buf_init(&words, DT_LIMIT_MESSAGE);
	dt_run_line(&words, line);
	*out = (struct dt_run_wish){
		.command = { .name = "",
		             .folder = folder_of(arena, caller->place, t) },
		.words = dt_arena_strdup(arena, dt_buf_z(&words)),
		.line = line,
		.has_enter = true,
		.terminal = t ? dt_arena_strdup(arena, t->name) : NULL,
		.index = t ? t->index : 0,
		.doubt = t ? dt_terminal_doubt(t, arena, is_emptied) : NULL,
		/* The person's own `dovetail call` types what it likes. */
		.is_free = s->is_person,
	};
	dt_buf_done(&words);
}

static const char *asker_of(const struct dt_caller *caller)
{
	const struct dt_session *s = caller->owner;

	return s->is_person ? NULL : s->id;
}

static struct dt_terminals *terminals_of(const struct dt_caller *caller)
{
	return dt_headless_terminals(
		((struct dt_workspace *)caller->place)->editor);
}

static enum dt_err read_sent(struct dt_arena *arena,
                             const struct dt_caller *caller, const void *args,
                             struct dt_run_wish *out, struct dt_fail *fail)
{
	const struct dt_send_terminal_args *wanted = args;
	struct dt_terminals *set = terminals_of(caller);
	struct dt_terminal *t = NULL;
	enum dt_err err = DT_E_OK;

	if (set)
		err = dt_terminals_find(set, asker_of(caller), &wanted->target,
		                        &t, fail);
	if (err)
		return err;
	read_line(arena, caller, t, wanted->text, false, out);
	out->has_enter = wanted->adds_newline;
	/* Enter is an answer, where something asks and is not interrupted. */
	out->is_free |= is_interrupt(wanted->text) && !wanted->adds_newline;
	return DT_E_OK;
}

static enum dt_err read_executed(struct dt_arena *arena,
                                 const struct dt_caller *caller,
                                 const void *args, struct dt_run_wish *out,
                                 struct dt_fail *fail)
{
	const struct dt_execute_terminal_args *wanted = args;
	struct dt_terminals *set = terminals_of(caller);
	struct dt_terminal *t = NULL;
	enum dt_err err = DT_E_OK;

	if (set)
		err = dt_terminals_for_command(set, asker_of(caller), wanted,
		                               &t, fail);
	if (!err)
		read_line(arena, caller, t, wanted->command, true, out);
	return err;
}

typedef enum dt_err read_fn(struct dt_arena *arena,
                            const struct dt_caller *caller, const void *args,
                            struct dt_run_wish *out, struct dt_fail *fail);
static read_fn *const table[DT_OP_COUNT] = {
	[DT_OP_run_command] = read_run_command,
	[DT_OP_github_write] = read_github,
	[DT_OP_git_add] = read_git_add,
	[DT_OP_git_commit] = read_git_commit,
	[DT_OP_git_checkout] = read_git_checkout,
	[DT_OP_git_stash] = read_git_stash,
	[DT_OP_git_stash_pop] = read_git_pop,
	[DT_OP_git_fetch] = read_git_fetch,
	[DT_OP_git_pull] = read_git_pull,
	[DT_OP_git_push] = read_git_push,
	[DT_OP_send_terminal] = read_sent,
	[DT_OP_execute_in_terminal] = read_executed,
};

bool dt_wish_is_read(const struct dt_operation *op)
{
	return table[op->index] != NULL;
}

enum dt_err dt_wish_read(struct dt_arena *arena, const struct dt_caller *caller,
                         const struct dt_operation *op, const void *args,
                         struct dt_run_wish *out, struct dt_fail *fail)
{
	return table[op->index](arena, caller, args, out, fail);
}

/* Arguments about a terminal begin with which one. */
_Static_assert(offsetof(struct dt_send_terminal_args, target) == 0, "first");
_Static_assert(offsetof(struct dt_execute_terminal_args, target) == 0, "first");

void dt_wish_pin(const struct dt_run_wish *wish, void *args)
{
	if (wish->terminal)
		*(struct dt_terminal_target *)args =
			(struct dt_terminal_target){ .index = { true,
			                                        wish->index } };
}
