/*
 * backend/git_read.c - the state of a repository, its history and what differs.
 *
 * Nothing here writes, not even the index.  Names of commits that an agent gave
 * are resolved first, so that no command but rev-parse ever sees one.
 */
#include "backend/git.h"
#include "backend/git_parse.h"
#include "base/limits.h"

/* status */

static void on_status(struct dt_git *g, const struct dt_run_end *end)
{
	struct dt_git_status_result result = {
		.root = g->top,
		.doing = dt_git_doing(g),
		.is_cut = end->is_out_cut,
	};

	dt_git_parse_status(&g->arena, g->top, end->out, &result);
	dt_git_end(g, &result);
}

void dt_git_say_status(struct dt_git *g)
{
	dt_git_say(g, "status", "--porcelain=v2", "--branch", "--show-stash",
	           "-z", "--renames", NULL);
}

static void ask_status(struct dt_git *g, const struct dt_run_end *end)
{
	(void)end;
	dt_git_say_status(g);
	dt_git_say(g, "--untracked-files=normal", NULL);
	dt_git_say_scope(g);
	dt_git_run(g, on_status);
}

void dt_git_do_status(struct dt_headless *h, const void *args,
                      struct dt_answer *answer)
{
	dt_git_start(h, &dt_op_git_status, args, answer, ask_status);
}

/* commits by name */

/* Resolve names one after the other; NULL ones are left alone.  When one is not
 * there the operation fails with its name. */
struct names {
	const char *given[2];
	const char *hash[2];
	int next;
	dt_git_step *then;
};

static void resolve_next(struct dt_git *g);

static void on_resolved(struct dt_git *g, const struct dt_run_end *end)
{
	struct names *names = g->state;
	struct dt_str rest = end->out;
	struct dt_str hash = dt_str_cut(&rest, '\n');
	const char *given = names->given[names->next];

	if (end->code != 0 || hash.len == 0) {
		if (!strcmp(given, "HEAD"))
			dt_git_failf(g, DT_E_STATE,
			             "the repository has no commit yet");
		else
			dt_git_failf(g, DT_E_MISSING,
			             "there is no commit, branch or tag "
			             "\"%s\" here; gitListBranches and "
			             "getGitLog tell what there is",
			             given);
		return;
	}
	names->hash[names->next++] =
		dt_arena_strndup(&g->arena, hash.ptr, hash.len);
	resolve_next(g);
}

static void resolve_next(struct dt_git *g)
{
	struct names *names = g->state;

	while (names->next < 2 && !names->given[names->next])
		names->next++;
	if (names->next == 2) {
		names->then(g, NULL);
		return;
	}
	dt_git_say_commit(g, names->given[names->next]);
	dt_git_try(g, on_resolved);
}

static void resolve(struct dt_git *g, const char *first, const char *second,
                    dt_git_step *then)
{
	struct names *names = dt_arena_alloc(&g->arena, sizeof(*names));
	struct dt_fail fail = { 0 };

	*names = (struct names){
		.given = { first, second },
		.then = then,
	};
	g->state = names;
	if ((first && dt_git_check_ref(first, "ref", &fail)) ||
	    (second && dt_git_check_ref(second, "ref", &fail)))
		dt_git_fail(g, &fail);
	else
		resolve_next(g);
}

/* diff */

static void end_diff(struct dt_git *g, const struct dt_run_end *end,
                     bool is_stat, struct dt_git_diff_result *out)
{
	*out = (struct dt_git_diff_result){ .is_cut = end->is_out_cut };
	if (is_stat)
		dt_git_parse_numstat(&g->arena, g->top, end->out, out);
	else
		dt_git_parse_patch(&g->arena, g->top, end->out, out);
}

static void on_diff(struct dt_git *g, const struct dt_run_end *end)
{
	const struct dt_git_diff_args *args = g->args;
	struct dt_git_diff_result result;

	end_diff(g, end, args->is_stat, &result);
	dt_git_end(g, &result);
}

static void say_output(struct dt_git *g, bool is_stat)
{
	dt_git_say_diff(g);
	if (is_stat)
		dt_git_say(g, "--numstat", "-z", NULL);
	else
		g->keep = DT_LIMIT_GIT_TEXT;
}

static void ask_diff(struct dt_git *g, const struct dt_run_end *end)
{
	const struct dt_git_diff_args *args = g->args;
	const struct names *names = g->state;

	(void)end;
	dt_git_say(g, "diff", NULL);
	say_output(g, args->is_stat);
	if (args->context.is_set)
		dt_git_say(g,
		           dt_arena_printf(&g->arena, "--unified=%u",
		                           args->context.value),
		           NULL);
	if (args->is_staged)
		dt_git_say(g, "--cached", NULL);
	if (args->is_from_base && args->from)
		dt_git_say(g, "--merge-base", NULL);
	for (int i = 0; i < 2; i++) {
		if (names->hash[i])
			dt_git_say(g, names->hash[i], NULL);
	}
	dt_git_say_scope(g);
	dt_git_run(g, on_diff);
}

static void find_diff(struct dt_git *g, const struct dt_run_end *end)
{
	const struct dt_git_diff_args *args = g->args;

	(void)end;
	resolve(g, args->from, args->from ? args->to : NULL, ask_diff);
}

void dt_git_do_diff(struct dt_headless *h, const void *args,
                    struct dt_answer *answer)
{
	dt_git_start(h, &dt_op_git_diff, args, answer, find_diff);
}

/* log */

static void on_log(struct dt_git *g, const struct dt_run_end *end)
{
	const struct dt_git_log_args *args = g->args;
	struct dt_git_log_result result = {
		.commits = dt_git_parse_commits(&g->arena, end->out),
		.is_cut = end->is_out_cut,
	};

	if (result.commits.count > args->limit) {
		result.commits.count = args->limit;
		result.is_cut = true;
	}
	dt_git_end(g, &result);
}

static void ask_log(struct dt_git *g, const struct dt_run_end *end)
{
	const struct dt_git_log_args *args = g->args;
	const struct names *names = g->state;
	uint32_t first = args->first_line.value + 1;
	uint32_t last =
		args->last_line.is_set ? args->last_line.value + 1 : first;

	(void)end;
	if (args->first_line.is_set && (last < first || !g->scope)) {
		dt_git_failf(g, DT_E_ARGS,
		             "lines of a file need its path, and the last is "
		             "not before the first");
		return;
	}
	dt_git_say(g, "log", "-z", "--no-color", "--no-show-signature",
	           "--no-ext-diff", "--no-textconv", "--encoding=UTF-8",
	           DT_GIT_COMMIT_FORMAT, "--no-patch",
	           dt_arena_printf(&g->arena, "--max-count=%llu",
	                           (unsigned long long)args->limit + 1),
	           dt_arena_printf(&g->arena, "--skip=%u", args->skip), NULL);
	if (args->first_line.is_set)
		dt_git_say(g,
		           dt_arena_printf(&g->arena, "-L%u,%u:%s", first, last,
		                           g->scope),
		           NULL);
	dt_git_say(g, names->hash[0], NULL);
	if (names->hash[1])
		dt_git_say(g, dt_arena_printf(&g->arena, "^%s", names->hash[1]),
		           NULL);
	if (!args->first_line.is_set)
		dt_git_say_scope(g);
	dt_git_run(g, on_log);
}

static void find_log(struct dt_git *g, const struct dt_run_end *end)
{
	const struct dt_git_log_args *args = g->args;

	(void)end;
	resolve(g, args->from ? args->from : "HEAD", args->base, ask_log);
}

void dt_git_do_log(struct dt_headless *h, const void *args,
                   struct dt_answer *answer)
{
	dt_git_start(h, &dt_op_git_log, args, answer, find_log);
}

/* show */

static void on_shown(struct dt_git *g, const struct dt_run_end *end)
{
	const struct dt_git_show_args *args = g->args;
	struct dt_git_show_result *result = g->state;

	end_diff(g, end, !args->has_patch, &result->diff);
	dt_git_end(g, result);
}

static void on_shown_commit(struct dt_git *g, const struct dt_run_end *end)
{
	const struct dt_git_show_args *args = g->args;
	struct dt_git_show_result *result =
		dt_arena_alloc(&g->arena, sizeof(*result));
	struct dt_items commits = dt_git_parse_commits(&g->arena, end->out);

	if (commits.count != 1) {
		dt_git_failf(g, DT_E_STATE, "git says nothing about %s",
		             args->commit);
		return;
	}
	result->commit = *(struct dt_git_commit_info *)commits.ptr;
	g->state = result;
	/* A merge is told by what it did to the branch it is on. */
	dt_git_say(g, "diff-tree", "-r", "--root", "--no-commit-id",
	           "--diff-merges=first-parent", NULL);
	say_output(g, !args->has_patch);
	if (args->has_patch)
		dt_git_say(g, "--patch", NULL);
	dt_git_say(g, result->commit.hash, NULL);
	dt_git_say_scope(g);
	dt_git_run(g, on_shown);
}

static void ask_show(struct dt_git *g, const struct dt_run_end *end)
{
	const struct names *names = g->state;

	(void)end;
	dt_git_say(g, "log", "-z", "--no-color", "--no-show-signature",
	           "--encoding=UTF-8", DT_GIT_COMMIT_FORMAT, "--no-patch",
	           "--max-count=1", names->hash[0], NULL);
	dt_git_run(g, on_shown_commit);
}

static void find_show(struct dt_git *g, const struct dt_run_end *end)
{
	const struct dt_git_show_args *args = g->args;

	(void)end;
	resolve(g, args->commit, NULL, ask_show);
}

void dt_git_do_show(struct dt_headless *h, const void *args,
                    struct dt_answer *answer)
{
	dt_git_start(h, &dt_op_git_show, args, answer, find_show);
}
