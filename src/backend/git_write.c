/*
 * backend/git_write.c - staging, commits, branches and stashes.
 *
 * What cannot be done is found out before by questions whose answers are for
 * programs, so that it gets a sentence of its own; what git refuses beyond that
 * is told in git's words.  Nothing here discards what is not committed.  Hooks
 * of the repository run, as they do for its person.
 */
#include "editor/git_write.h"
#include "backend/git.h"
#include "backend/git_parse.h"
#include "base/limits.h"
#include "base/path.h"

#include <unistd.h>

/* staging */

struct staging {
	const struct dt_documents *docs;
	struct dt_names files; /* as git gets them */
	dt_git_step *then;     /* when they are staged */
	struct dt_names staged;
	const char *hook; /* that may have refused */
};

/* The operation with its files; NULL: it has failed. */
static struct dt_git *begin(struct dt_headless *h,
                            const struct dt_operation *op, const void *args,
                            const struct dt_names *files,
                            struct dt_answer *answer)
{
	struct dt_git *g = dt_git_new(h, op, args, answer);
	struct dt_fail fail = { 0 };
	struct staging *staging;

	if (!g)
		return NULL;
	staging = dt_arena_alloc(&g->arena, sizeof(*staging));
	g->state = staging;
	staging->docs = h->docs;
	if (dt_git_files(g, h->docs, files, &staging->files, &fail)) {
		dt_git_fail(g, &fail);
		return NULL;
	}
	return g;
}

/* clangd keeps its index in the project and cannot be told another place: what
 * it put there for our questions is not the person's work. */
#define NOT_THE_INDEX ":(exclude,top,glob)**/.cache/clangd/**"

/* The files that were named, or all. */
static void say_wanted(struct dt_git *g)
{
	const struct staging *staging = g->state;

	dt_git_say(g, "--", NULL);
	if (staging->files.count > 0)
		dt_git_say_all(g, &staging->files);
	else
		dt_git_say(g, g->scope ? dt_git_literal(g, g->scope) : ":(top)",
		           NOT_THE_INDEX, NULL);
}

/* Those of the new files that are kept from agents, as git leaves them out. */
static void list_kept(struct dt_git *g, const struct dt_names *names,
                      struct dt_names *out)
{
	const struct staging *staging = g->state;

	*out = (struct dt_names){
		.ptr = dt_arena_alloc(&g->arena,
		                      (names->count + 1) * sizeof(*out->ptr)),
	};
	for (size_t i = 0; i < names->count; i++) {
		if (dt_documents_check(staging->docs, names->ptr[i], NULL))
			out->ptr[out->count++] = dt_arena_printf(
				&g->arena, ":(exclude,literal)%s",
				names->ptr[i]);
	}
}

static void on_untracked(struct dt_git *g, const struct dt_run_end *end)
{
	const struct staging *staging = g->state;
	struct dt_names names = dt_git_parse_names(&g->arena, g->top, end->out);
	struct dt_names kept;

	list_kept(g, &names, &kept);
	if (end->is_out_cut || kept.count > DT_LIMIT_GIT_FILES) {
		dt_git_failf(g, DT_E_LIMIT,
		             "there are too many new files: name those that "
		             "are meant");
		return;
	}
	dt_git_say(g, "add", NULL);
	if (staging->files.count == 0)
		dt_git_say(g, "--all", NULL);
	say_wanted(g);
	dt_git_say_all(g, &kept);
	dt_git_run(g, staging->then);
}

/* What is committed is meant for others: a new file that is kept from agents is
 * not among all files, nor in a folder that was named. */
static void stage(struct dt_git *g, bool has_untracked, dt_git_step *then)
{
	struct staging *staging = g->state;

	staging->then = then;
	if (staging->files.count > 0 || has_untracked) {
		dt_git_say(g, "ls-files", "--others", "--exclude-standard",
		           "--full-name", "-z", NULL);
		say_wanted(g);
		g->keep = DT_LIMIT_LIST_BYTES;
		dt_git_run(g, on_untracked);
		return;
	}
	dt_git_say(g, "add", "--update", NULL);
	dt_git_say_scope(g);
	dt_git_run(g, then);
}

static void ask_staged(struct dt_git *g, dt_git_step *then)
{
	dt_git_say(g, "diff", "--cached", "--name-only", "-z", "--no-renames",
	           "--no-ext-diff", "--no-relative", NULL);
	dt_git_run(g, then);
}

static void on_staged(struct dt_git *g, const struct dt_run_end *end)
{
	struct dt_git_add_result result = {
		dt_git_parse_names(&g->arena, g->top, end->out),
	};

	dt_git_end(g, &result);
}

static void after_add(struct dt_git *g, const struct dt_run_end *end)
{
	(void)end;
	ask_staged(g, on_staged);
}

static void ask_add(struct dt_git *g, const struct dt_run_end *end)
{
	const struct dt_git_add_args *args = g->args;

	(void)end;
	stage(g, args->has_untracked, after_add);
}

void dt_git_do_add(struct dt_headless *h, const void *args,
                   struct dt_answer *answer)
{
	const struct dt_git_add_args *wanted = args;
	struct dt_git *g =
		begin(h, &dt_op_git_add, args, &wanted->files, answer);

	if (g)
		dt_git_find(g, ask_add);
}

/* commit */

static void on_committed_status(struct dt_git *g, const struct dt_run_end *end)
{
	const struct dt_git_commit_args *args = g->args;
	const struct staging *staging = g->state;
	struct dt_git_status_result status = { 0 };
	struct dt_git_commit_result result = { .files = staging->staged };
	struct dt_str rest = dt_str(args->message);
	struct dt_str subject = dt_str_cut(&rest, '\n');

	dt_git_parse_status(&g->arena, g->top, end->out, &status);
	result.hash = status.head;
	result.branch = status.branch;
	result.subject = dt_git_plain(&g->arena, subject, 500, false).ptr;
	dt_git_end(g, &result);
}

static const char *find_hook(struct dt_git *g, struct dt_str folder)
{
	static const char *const names[] = { "pre-commit", "prepare-commit-msg",
		                             "commit-msg" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *hook = dt_path_join(
			&g->arena, g->folder,
			dt_arena_printf(&g->arena, "%.*s/%s",
		                        DT_STR_ARG(folder), names[i]));

		if (!access(hook, X_OK))
			return names[i];
	}
	return NULL;
}

static void on_commit(struct dt_git *g, const struct dt_run_end *end)
{
	const struct staging *staging = g->state;

	if (end->code != 0 && staging->hook) {
		dt_git_failf(
			g, DT_E_STATE,
			"nothing was committed: the repository has the "
			"hook %s, and it or git said: %s",
			staging->hook,
			dt_git_said(g, end->err.len ? end->err : end->out));
		return;
	}
	if (end->code != 0) {
		dt_git_fail_end(g, end);
		return;
	}
	dt_git_say_status(g);
	dt_git_say(g, "--untracked-files=no", NULL);
	dt_git_run(g, on_committed_status);
}

static void on_hooks(struct dt_git *g, const struct dt_run_end *end)
{
	const struct dt_git_commit_args *args = g->args;
	struct staging *staging = g->state;
	struct dt_str rest = end->out;

	staging->hook = find_hook(g, dt_str_cut(&rest, '\n'));
	dt_git_say(g, "commit", "--quiet", "--no-edit",
	           dt_arena_printf(&g->arena, "--message=%s", args->message),
	           NULL);
	dt_git_try(g, on_commit);
}

static void on_identity(struct dt_git *g, const struct dt_run_end *end)
{
	if (end->code != 0) {
		dt_git_failf(g, DT_E_STATE,
		             "git does not know whose commit this is: the "
		             "person has to set user.name and user.email (git "
		             "config --global user.name ...)");
		return;
	}
	dt_git_say(g, "rev-parse", "--git-path", "hooks", NULL);
	dt_git_run(g, on_hooks);
}

static void on_to_commit(struct dt_git *g, const struct dt_run_end *end)
{
	struct staging *staging = g->state;
	const char *doing = dt_git_doing(g);

	staging->staged = dt_git_parse_names(&g->arena, g->top, end->out);
	if (staging->staged.count == 0 && !(doing && !strcmp(doing, "merge"))) {
		dt_git_failf(g, DT_E_STATE,
		             "there is nothing to commit: nothing is staged; "
		             "name files, or pass addAll");
		return;
	}
	dt_git_say(g, "var", "GIT_COMMITTER_IDENT", NULL);
	dt_git_try(g, on_identity);
}

static void on_unmerged(struct dt_git *g, const struct dt_run_end *end)
{
	if (end->out.len > 0) {
		dt_git_failf(g, DT_E_STATE,
		             "files have conflicts: resolve them, stage them "
		             "by gitAdd, then commit; getGitStatus lists them");
		return;
	}
	ask_staged(g, on_to_commit);
}

static void ask_unmerged(struct dt_git *g, const struct dt_run_end *end)
{
	(void)end;
	dt_git_say(g, "ls-files", "--unmerged", "-z", NULL);
	dt_git_run(g, on_unmerged);
}

static void ask_commit(struct dt_git *g, const struct dt_run_end *end)
{
	const struct dt_git_commit_args *args = g->args;
	const struct staging *staging = g->state;

	(void)end;
	if (!args->message[strspn(args->message, " \t\r\n")])
		dt_git_failf(g, DT_E_ARGS, "message: is empty");
	else if (strlen(args->message) > DT_LIMIT_GIT_MESSAGE)
		dt_git_failf(g, DT_E_LIMIT, "message: more than %u bytes",
		             DT_LIMIT_GIT_MESSAGE);
	else if (staging->files.count > 0 || args->is_all)
		stage(g, true, ask_unmerged);
	else
		ask_unmerged(g, NULL);
}

void dt_git_do_commit(struct dt_headless *h, const void *args,
                      struct dt_answer *answer)
{
	const struct dt_git_commit_args *wanted = args;
	struct dt_git *g =
		begin(h, &dt_op_git_commit, args, &wanted->files, answer);

	if (g)
		dt_git_find(g, ask_commit);
}

/* checkout */

static void on_switched(struct dt_git *g, const struct dt_run_end *end)
{
	const struct dt_git_checkout_args *args = g->args;
	struct dt_git_checkout_result result = {
		.branch = args->branch,
		.previous = g->state,
	};

	if (end->code != 0)
		dt_git_failf(g, DT_E_STATE, "%s is not checked out: %s",
		             args->branch, dt_git_said(g, end->err));
	else
		dt_git_end(g, &result);
}

static void switch_branch(struct dt_git *g, const struct dt_run_end *end)
{
	const struct dt_git_checkout_args *args = g->args;

	if (end && end->code != 0) {
		dt_git_failf(g, DT_E_MISSING,
		             "base: there is no commit, branch or tag \"%s\"",
		             args->base);
		return;
	}
	/* What is ignored is the person's, too. */
	dt_git_say(g, "switch", "--quiet", "--no-overwrite-ignore", NULL);
	if (args->is_new)
		dt_git_say(g, "--create", args->branch, args->base, NULL);
	else
		dt_git_say(g, args->branch, NULL);
	dt_git_try(g, on_switched);
}

static void on_branch_name(struct dt_git *g, const struct dt_run_end *end)
{
	const struct dt_git_checkout_args *args = g->args;

	if (end->code != 0) {
		dt_git_failf(g, DT_E_ARGS,
		             "branch: \"%s\" is not the name of a branch",
		             args->branch);
		return;
	}
	if (!args->is_new || !args->base) {
		switch_branch(g, NULL);
		return;
	}
	dt_git_say_commit(g, args->base);
	dt_git_try(g, switch_branch);
}

static void on_checkout_status(struct dt_git *g, const struct dt_run_end *end)
{
	const struct dt_git_checkout_args *args = g->args;
	struct dt_git_status_result status = { 0 };
	const char *doing = dt_git_doing(g);
	struct dt_fail fail = { 0 };

	dt_git_parse_status(&g->arena, g->top, end->out, &status);
	g->state = (void *)(uintptr_t)(status.branch ? status.branch
	                                             : status.head);
	if (doing) {
		dt_git_failf(g, DT_E_STATE,
		             "a %s is not finished: commit or abort it first",
		             doing);
		return;
	}
	if (dt_git_check_ref(args->branch, "branch", &fail) ||
	    (args->base && dt_git_check_ref(args->base, "base", &fail))) {
		dt_git_fail(g, &fail);
		return;
	}
	dt_git_say(g, "check-ref-format",
	           dt_arena_printf(&g->arena, "refs/heads/%s", args->branch),
	           NULL);
	dt_git_try(g, on_branch_name);
}

static void ask_checkout(struct dt_git *g, const struct dt_run_end *end)
{
	(void)end;
	dt_git_say_status(g);
	dt_git_say(g, "--untracked-files=no", NULL);
	dt_git_run(g, on_checkout_status);
}

void dt_git_do_checkout(struct dt_headless *h, const void *args,
                        struct dt_answer *answer)
{
	dt_git_start(h, &dt_op_git_checkout, args, answer, ask_checkout);
}

/* stashes */

static void ask_top_stash(struct dt_git *g, dt_git_step *then)
{
	dt_git_say(g, "rev-parse", "--verify", "--quiet", "refs/stash", NULL);
	dt_git_try(g, then);
}

static const char *first_line(struct dt_git *g, struct dt_str text)
{
	struct dt_str line = dt_str_cut(&text, '\n');

	return dt_arena_strndup(&g->arena, line.len ? line.ptr : "", line.len);
}

static void on_stash_after(struct dt_git *g, const struct dt_run_end *end)
{
	const struct dt_git_stash_args *args = g->args;
	struct dt_git_stash_result result = { first_line(g, end->out) };

	if (!strcmp(result.hash, g->state))
		dt_git_failf(g, DT_E_STATE, "there is nothing to stash%s",
		             args->has_untracked
		                     ? ""
		                     : "; new files need includeUntracked");
	else
		dt_git_end(g, &result);
}

static void on_stashed(struct dt_git *g, const struct dt_run_end *end)
{
	(void)end;
	ask_top_stash(g, on_stash_after);
}

static void on_stash_before(struct dt_git *g, const struct dt_run_end *end)
{
	const struct dt_git_stash_args *args = g->args;

	g->state = (void *)(uintptr_t)first_line(g, end->out);
	dt_git_say(g, "stash", "push", "--quiet", NULL);
	if (args->has_untracked)
		dt_git_say(g, "--include-untracked", NULL);
	if (args->message)
		dt_git_say(g,
		           dt_arena_printf(&g->arena, "--message=%s",
		                           args->message),
		           NULL);
	dt_git_say_scope(g);
	dt_git_run(g, on_stashed);
}

static void on_stash_head(struct dt_git *g, const struct dt_run_end *end)
{
	if (end->code != 0)
		dt_git_failf(g, DT_E_STATE,
		             "the repository has no commit yet, so nothing can "
		             "be stashed");
	else
		ask_top_stash(g, on_stash_before);
}

static void ask_stash(struct dt_git *g, const struct dt_run_end *end)
{
	(void)end;
	dt_git_say_commit(g, "HEAD");
	dt_git_try(g, on_stash_head);
}

void dt_git_do_stash(struct dt_headless *h, const void *args,
                     struct dt_answer *answer)
{
	dt_git_start(h, &dt_op_git_stash, args, answer, ask_stash);
}

static void on_pop_unmerged(struct dt_git *g, const struct dt_run_end *end)
{
	const char *said = g->state;

	if (end->out.len > 0)
		dt_git_failf(
			g, DT_E_STATE,
			"the stash does not fit without conflicts: it was "
			"kept, and files have to be resolved; getGitStatus "
			"lists them");
	else
		dt_git_failf(g, DT_E_STATE,
		             "nothing was restored, the stash was kept: %s",
		             said);
}

static void on_popped(struct dt_git *g, const struct dt_run_end *end)
{
	struct dt_git_stash_result result = { g->state };

	if (end->code == 0) {
		dt_git_end(g, &result);
		return;
	}
	g->state = (void *)(uintptr_t)dt_git_said(g, end->err);
	dt_git_say(g, "ls-files", "--unmerged", "-z", NULL);
	dt_git_run(g, on_pop_unmerged);
}

static void on_pop_found(struct dt_git *g, const struct dt_run_end *end)
{
	const struct dt_git_pop_args *args = g->args;

	if (end->code != 0) {
		dt_git_failf(g, DT_E_MISSING,
		             "there is no stash %u; gitStashList tells what "
		             "there is",
		             args->index);
		return;
	}
	g->state = (void *)(uintptr_t)first_line(g, end->out);
	dt_git_say(g, "stash", "pop", "--quiet",
	           dt_arena_printf(&g->arena, "stash@{%u}", args->index), NULL);
	dt_git_try(g, on_popped);
}

static void ask_pop(struct dt_git *g, const struct dt_run_end *end)
{
	const struct dt_git_pop_args *args = g->args;

	(void)end;
	dt_git_say(g, "rev-parse", "--verify", "--quiet",
	           dt_arena_printf(&g->arena, "refs/stash@{%u}", args->index),
	           NULL);
	dt_git_try(g, on_pop_found);
}

void dt_git_do_stash_pop(struct dt_headless *h, const void *args,
                         struct dt_answer *answer)
{
	dt_git_start(h, &dt_op_git_stash_pop, args, answer, ask_pop);
}
