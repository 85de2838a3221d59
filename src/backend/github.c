/*
 * backend/github.c - GitHub, by the person's own `gh`.
 *
 * Who logs in, where, and with what rights is gh's business; here it is run in
 * the repository, and what it misses becomes a sentence.  Its arguments are made
 * by tools, never by agents.
 */
#include "backend/git.h"
#include "backend/git_parse.h"
#include "base/limits.h"
#include "editor/git_write.h"

#include <string.h>

#define NEEDS_LOGIN 4 /* gh's exit code for it */

static bool says(const struct dt_run_end *end, const char *words)
{
	return end->err.len > 0 &&
	       memmem(end->err.ptr, end->err.len, words, strlen(words));
}

static void fail_gh(struct dt_git *g, const struct dt_run_end *end)
{
	const char *said = dt_git_said(g, end->err);

	if (end->code == NEEDS_LOGIN || says(end, "gh auth login"))
		dt_git_failf(g, DT_E_STATE,
		             "gh is not logged in to GitHub: the person has to "
		             "run \"gh auth login\" in a terminal");
	else if (says(end, "Could not resolve to a") || says(end, "HTTP 404") ||
	         says(end, "no pull requests found"))
		dt_git_failf(g, DT_E_MISSING,
		             "GitHub does not have it, or not for this person: "
		             "%s",
		             said);
	else
		dt_git_fail_end(g, end);
}

static void on_output(struct dt_git *g, const struct dt_run_end *end)
{
	const struct dt_github_args *args = g->args;
	struct dt_github_result result = { end->out, end->is_out_cut };
	struct dt_str *out = &result.output;

	if (end->code != 0) {
		fail_gh(g, end);
		return;
	}
	if (!out->ptr)
		*out = DT_STR("");
	if (args->is_tail && out->len > DT_LIMIT_GIT_TEXT) {
		result.is_cut = true;
		out->ptr += out->len - DT_LIMIT_GIT_TEXT;
		out->len = DT_LIMIT_GIT_TEXT;
		/* From the next whole line on. */
		dt_str_cut(out, '\n');
	}
	dt_git_end(g, &result);
}

static void on_patch(struct dt_git *g, const struct dt_run_end *end)
{
	struct dt_git_diff_result result = { .is_cut = end->is_out_cut };

	if (end->code != 0) {
		fail_gh(g, end);
		return;
	}
	dt_git_parse_patch(&g->arena, g->top, end->out, &result);
	dt_git_end(g, &result);
}

static void run_gh(struct dt_git *g)
{
	const struct dt_github_args *args = g->args;
	bool is_diff = g->op == &dt_op_github_diff;

	g->program = g->state;
	if (is_diff)
		g->keep = DT_LIMIT_GIT_TEXT;
	dt_git_say_all(g, &args->words);
	dt_git_try(g, is_diff ? on_patch : on_output);
}

static void on_remotes(struct dt_git *g, const struct dt_run_end *end)
{
	if (end->out.len == 0)
		dt_git_failf(g, DT_E_STATE,
		             "the repository has no remote, so there is no "
		             "repository at GitHub to ask about");
	else
		run_gh(g);
}

static void ask_remotes(struct dt_git *g, const struct dt_run_end *end)
{
	(void)end;
	dt_git_say(g, "remote", NULL);
	dt_git_run(g, on_remotes);
}

static void start(struct dt_headless *h, const struct dt_operation *op,
                  const void *args, struct dt_answer *answer)
{
	struct dt_git *g = dt_git_new(h, op, args, answer);
	const char *gh;

	if (!g)
		return;
	gh = h->world.find(h->world.owner, answer->asker, &g->arena, "gh");
	g->state = dt_arena_strdup(&g->arena, gh);
	if (!gh) {
		dt_git_failf(
			g, DT_E_MISSING,
			"gh, the command line of GitHub, is not installed: "
			"the person can get it from https://cli.github.com "
			"and then has to run \"gh auth login\"");
	} else {
		dt_world_ran(&h->world, answer->asker, gh);
		dt_git_find(g, ask_remotes);
	}
}

void dt_github_do_read(struct dt_headless *h, const void *args,
                       struct dt_answer *answer)
{
	start(h, &dt_op_github_read, args, answer);
}

void dt_github_do_diff(struct dt_headless *h, const void *args,
                       struct dt_answer *answer)
{
	start(h, &dt_op_github_diff, args, answer);
}

void dt_github_do_write(struct dt_headless *h, const void *args,
                        struct dt_answer *answer)
{
	start(h, &dt_op_github_write, args, answer);
}
