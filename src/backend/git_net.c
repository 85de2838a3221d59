/*
 * backend/git_net.c - what reaches beyond this machine: fetch, pull and push.
 *
 * A remote is one that the repository has by name, never an address that an
 * agent gives.  What a fetch brought is seen by the refs before and after.  A
 * push goes to one branch, never deletes, and forces only with a lease and never
 * on the remote's main branch.
 */
#include "backend/git.h"
#include "backend/git_parse.h"
#include "base/limits.h"
#include "editor/git_write.h"

#include <stdlib.h>

/* What the steps of one operation share. */
struct net {
	const char *remote; /* as asked for; then the one that it is */
	bool has_origin;
	dt_git_step *then;
	struct dt_str refs;                 /* before a fetch */
	struct dt_git_status_result status; /* before */
	const char *branch;
	const char *hash;
};

/* remotes */

static bool has_line(struct dt_str text, const char *name)
{
	while (text.len > 0) {
		if (dt_str_is(dt_str_cut(&text, '\n'), name))
			return true;
	}
	return false;
}

static void on_remotes(struct dt_git *g, const struct dt_run_end *end)
{
	struct net *net = g->state;

	if (end->out.len == 0)
		dt_git_failf(g, DT_E_STATE,
		             "the repository has no remote: the person can add "
		             "one (git remote add origin ...)");
	else if (net->remote && !has_line(end->out, net->remote))
		dt_git_failf(g, DT_E_MISSING,
		             "there is no remote \"%s\" here, only: %s",
		             net->remote, dt_git_said(g, end->out));
	else
		net->then(g, end);
}

static void ask_remotes(struct dt_git *g, const char *remote, dt_git_step *then)
{
	struct net *net = dt_arena_alloc(&g->arena, sizeof(*net));

	net->remote = remote;
	net->then = then;
	g->state = net;
	dt_git_say(g, "remote", NULL);
	dt_git_run(g, on_remotes);
}

static void tell(struct dt_git *g, const char *message)
{
	dt_answer_progress(g->answer,
	                   &(struct dt_progress){ .message = message });
}

/* fetch */

static void ask_refs(struct dt_git *g, dt_git_step *then)
{
	/* Sorted by name, each with its commit. */
	dt_git_say(g, "for-each-ref", "--format=%(refname)%00%(objectname)%00",
	           "refs/remotes/", "refs/tags/", NULL);
	dt_git_run(g, then);
}

struct ref {
	const char *name;
	const char *hash;
};

static struct ref next_ref(struct dt_git *g, struct dt_str *rest)
{
	struct ref ref = { dt_git_field(&g->arena, rest), NULL };

	if (ref.name)
		ref.name += strspn(ref.name, "\n");
	ref.hash = dt_git_field(&g->arena, rest);
	if (!ref.hash)
		ref.name = NULL;
	return ref;
}

/* Which of two is first by its name; none at all is last. */
static int order_of(const struct ref *a, const struct ref *b)
{
	if (!a->name)
		return 1;
	return b->name ? strcmp(a->name, b->name) : -1;
}

/* Both lists are sorted: walk them side by side. */
static void compare_refs(struct dt_git *g, struct dt_str before,
                         struct dt_str after, struct dt_items *out)
{
	struct dt_git_ref_change *all =
		dt_arena_alloc(&g->arena, DT_LIMIT_GIT_ENTRIES * sizeof(*all));
	struct ref old = next_ref(g, &before);
	struct ref new = next_ref(g, &after);

	*out = (struct dt_items){ .ptr = all };
	while ((old.name || new.name) && out->count < DT_LIMIT_GIT_ENTRIES) {
		int order = order_of(&old, &new);
		struct dt_git_ref_change change = {
			.name = order < 0 ? old.name : new.name,
			.before = order <= 0 ? old.hash : NULL,
			.after = order >= 0 ? new.hash : NULL,
		};

		if (order != 0 || strcmp(old.hash, new.hash) != 0)
			all[out->count++] = change;
		if (order <= 0)
			old = next_ref(g, &before);
		if (order >= 0)
			new = next_ref(g, &after);
	}
}

static void on_refs_after(struct dt_git *g, const struct dt_run_end *end)
{
	const struct net *net = g->state;
	struct dt_git_fetch_result result;

	compare_refs(g, net->refs, end->out, &result.refs);
	dt_git_end(g, &result);
}

static void on_fetched(struct dt_git *g, const struct dt_run_end *end)
{
	(void)end;
	ask_refs(g, on_refs_after);
}

static void on_refs_before(struct dt_git *g, const struct dt_run_end *end)
{
	const struct dt_git_fetch_args *args = g->args;
	struct net *net = g->state;

	net->refs = (struct dt_str){
		dt_arena_strndup(&g->arena, end->out.len ? end->out.ptr : "",
		                 end->out.len),
		end->out.len,
	};
	tell(g, "Fetching");
	dt_git_say(g, "fetch", "--quiet", "--no-progress", NULL);
	if (args->is_all)
		dt_git_say(g, "--all", NULL);
	else if (net->remote)
		dt_git_say(g, "--", net->remote, NULL);
	dt_git_run(g, on_fetched);
}

static void after_remotes(struct dt_git *g, const struct dt_run_end *end)
{
	(void)end;
	ask_refs(g, on_refs_before);
}

static void ask_fetch(struct dt_git *g, const struct dt_run_end *end)
{
	const struct dt_git_fetch_args *args = g->args;

	(void)end;
	ask_remotes(g, args->remote, after_remotes);
}

void dt_git_do_fetch(struct dt_headless *h, const void *args,
                     struct dt_answer *answer)
{
	dt_git_start(h, &dt_op_git_fetch, args, answer, ask_fetch);
}

/* pull */

static void ask_status(struct dt_git *g, dt_git_step *then)
{
	dt_git_say_status(g);
	dt_git_say(g, "--untracked-files=no", NULL);
	dt_git_run(g, then);
}

static void read_status(struct dt_git *g, const struct dt_run_end *end)
{
	struct net *net = g->state;

	dt_git_parse_status(&g->arena, g->top, end->out, &net->status);
}

static void on_pull_after(struct dt_git *g, const struct dt_run_end *end)
{
	const struct net *net = g->state;
	struct dt_git_pull_result result = { .before = net->status.head };
	struct dt_git_status_result status = { 0 };

	dt_git_parse_status(&g->arena, g->top, end->out, &status);
	result.after = status.head ? status.head : "";
	dt_git_end(g, &result);
}

static void on_pulled(struct dt_git *g, const struct dt_run_end *end)
{
	const char *doing = dt_git_doing(g);

	if (end->code == 0)
		ask_status(g, on_pull_after);
	else if (doing)
		dt_git_failf(g, DT_E_STATE,
		             "the %s has conflicts: resolve the files that "
		             "getGitStatus lists, stage them and commit, or "
		             "abort it (git %s --abort)",
		             doing, doing);
	else
		dt_git_failf(g, DT_E_STATE, "nothing was pulled: %s",
		             dt_git_said(g, end->err));
}

/* Why it cannot be pulled now; or NULL. */
static const char *refusal_of_pull(struct dt_git *g)
{
	const struct dt_git_pull_args *args = g->args;
	const struct net *net = g->state;
	const struct dt_git_status_result *status = &net->status;

	if (dt_git_doing(g))
		return "something is not finished (a merge, a rebase ...): "
		       "getGitStatus tells what; commit or abort it first";
	if (!status->branch)
		return "HEAD is detached: check out a branch first";
	if (!status->upstream && !(args->remote && args->branch))
		return "the branch has no upstream: pass remote and branch";
	if (args->is_rebase &&
	    status->staged.count + status->unstaged.count > 0)
		return "there are changes that are not committed: commit them, "
		       "or put them aside by gitStash";
	return NULL;
}

static void on_pull_status(struct dt_git *g, const struct dt_run_end *end)
{
	const struct dt_git_pull_args *args = g->args;
	struct net *net = g->state;
	struct dt_fail fail = { 0 };
	const char *refusal;

	read_status(g, end);
	refusal = refusal_of_pull(g);
	if (refusal) {
		dt_git_failf(g, DT_E_STATE, "%s", refusal);
		return;
	}
	if (args->branch && dt_git_check_ref(args->branch, "branch", &fail)) {
		dt_git_fail(g, &fail);
		return;
	}
	tell(g, "Pulling");
	/* A merge refuses by itself to touch files that are changed. */
	dt_git_say(g, "pull", "--quiet", "--no-progress", "--no-autostash",
	           args->is_rebase ? "--rebase" : "--no-rebase", "--no-edit",
	           NULL);
	if (net->remote)
		dt_git_say(g, "--", net->remote, args->branch, NULL);
	dt_git_try(g, on_pulled);
}

static void before_pull(struct dt_git *g, const struct dt_run_end *end)
{
	(void)end;
	ask_status(g, on_pull_status);
}

static void ask_pull(struct dt_git *g, const struct dt_run_end *end)
{
	const struct dt_git_pull_args *args = g->args;

	(void)end;
	if (args->branch && !args->remote)
		dt_git_failf(g, DT_E_ARGS,
		             "branch: goes with remote, whose branch it is");
	else
		ask_remotes(g, args->remote, before_pull);
}

void dt_git_do_pull(struct dt_headless *h, const void *args,
                    struct dt_answer *answer)
{
	dt_git_start(h, &dt_op_git_pull, args, answer, ask_pull);
}

/* push */

/* The line about our one branch in what push --porcelain prints. */
static struct dt_str find_pushed(struct dt_str text, const char *ref)
{
	while (text.len > 0) {
		struct dt_str line = dt_str_cut(&text, '\n');
		struct dt_str rest = line;
		struct dt_str names;

		if (line.len < 3 || line.ptr[1] != '\t')
			continue;
		dt_str_cut(&rest, '\t');
		names = dt_str_cut(&rest, '\t');
		dt_str_cut(&names, ':');
		if (dt_str_is(names, ref))
			return line;
	}
	return (struct dt_str){ 0 };
}

static const char *state_of(char flag)
{
	switch (flag) {
	case '*':
		return "new";
	case '+':
		return "forced";
	case '=':
		return "up to date";
	default:
		return "updated";
	}
}

static void fail_push(struct dt_git *g, struct dt_str line,
                      const struct dt_run_end *end)
{
	const struct net *net = g->state;
	bool is_behind = memmem(line.ptr, line.len, "[rejected]",
	                        strlen("[rejected]")) != NULL;

	if (is_behind)
		dt_git_failf(
			g, DT_E_STATE,
			"%s of %s has commits that are not here: fetch and "
			"look at them, then gitPull (perhaps with rebase) "
			"and push again",
			net->branch, net->remote);
	else
		dt_git_failf(g, DT_E_STATE, "%s did not take it: %s",
		             net->remote,
		             dt_git_said(g, end->err.len ? end->err : line));
}

static void on_pushed(struct dt_git *g, const struct dt_run_end *end)
{
	const struct net *net = g->state;
	struct dt_git_push_result result = {
		.remote = net->remote,
		.branch = net->branch,
		.hash = net->hash,
	};
	struct dt_str line = find_pushed(
		end->out,
		dt_arena_printf(&g->arena, "refs/heads/%s", net->branch));

	if (line.len > 0 && line.ptr[0] == '!') {
		fail_push(g, line, end);
	} else if (end->code != 0 || line.len == 0) {
		dt_git_fail_end(g, end);
	} else {
		result.state = state_of(line.ptr[0]);
		dt_git_end(g, &result);
	}
}

static void push(struct dt_git *g)
{
	const struct dt_git_push_args *args = g->args;
	const struct net *net = g->state;

	tell(g, "Pushing");
	dt_git_say(g, "push", "--porcelain", "--no-progress", NULL);
	if (args->sets_upstream)
		dt_git_say(g, "--set-upstream", NULL);
	if (args->is_forced)
		dt_git_say(g,
		           dt_arena_printf(&g->arena, "--force-with-lease=%s",
		                           net->branch),
		           NULL);
	dt_git_say(g, "--", net->remote,
	           dt_arena_printf(&g->arena, "refs/heads/%s:refs/heads/%s",
	                           net->branch, net->branch),
	           NULL);
	dt_git_try(g, on_pushed);
}

/* "ref: refs/heads/main", tab, "HEAD" */
static bool is_default(const struct net *net, struct dt_str text)
{
	while (text.len > 0) {
		struct dt_str line = dt_str_cut(&text, '\n');
		struct dt_str ref = dt_str_cut(&line, '\t');
		struct dt_str head = DT_STR("ref: refs/heads/");

		if (dt_str_starts(ref, head) && dt_str_is(line, "HEAD"))
			return dt_str_is((struct dt_str){ ref.ptr + head.len,
			                                  ref.len - head.len },
			                 net->branch);
	}
	return false;
}

static void fail_forced(struct dt_git *g)
{
	const struct net *net = g->state;

	dt_git_failf(g, DT_E_DENIED,
	             "%s is a main branch of %s, which is never forced from "
	             "here: push another branch, or let the person do it",
	             net->branch, net->remote);
}

static void on_default(struct dt_git *g, const struct dt_run_end *end)
{
	if (is_default(g->state, end->out))
		fail_forced(g);
	else
		push(g);
}

static void on_branch(struct dt_git *g, const struct dt_run_end *end)
{
	const struct dt_git_push_args *args = g->args;
	struct net *net = g->state;
	struct dt_str rest = end->out;
	const char *name = dt_git_field(&g->arena, &rest);
	const char *hash = dt_git_field(&g->arena, &rest);
	const char *remote = dt_git_field(&g->arena, &rest);
	const char *upstream = dt_git_field(&g->arena, &rest);

	/* The pattern is also one for names below it. */
	if (!upstream ||
	    strcmp(name + strlen("refs/heads/"), net->branch) != 0) {
		dt_git_failf(g, DT_E_MISSING,
		             "there is no branch %s with a commit here",
		             net->branch);
		return;
	}
	net->hash = hash;
	if (!net->remote && *remote)
		net->remote = remote;
	if (!net->remote && net->has_origin)
		net->remote = "origin";
	if (!net->remote ||
	    (!*upstream && !args->remote && !args->sets_upstream)) {
		dt_git_failf(g, DT_E_STATE,
		             "%s has no upstream: pass setUpstream, and the "
		             "remote if it is not origin",
		             net->branch);
		return;
	}
	if (!args->is_forced) {
		push(g);
	} else if (!strcmp(net->branch, "main") ||
	           !strcmp(net->branch, "master")) {
		fail_forced(g);
	} else {
		dt_git_say(g, "ls-remote", "--symref", "--", net->remote,
		           "HEAD", NULL);
		dt_git_run(g, on_default);
	}
}

static void on_push_status(struct dt_git *g, const struct dt_run_end *end)
{
	const struct dt_git_push_args *args = g->args;
	struct net *net = g->state;
	struct dt_fail fail = { 0 };

	read_status(g, end);
	net->branch = args->branch ? args->branch : net->status.branch;
	if (!net->branch) {
		dt_git_failf(g, DT_E_STATE,
		             "HEAD is detached: name the branch to push");
		return;
	}
	if (dt_git_check_ref(net->branch, "branch", &fail)) {
		dt_git_fail(g, &fail);
		return;
	}
	dt_git_say(g, "for-each-ref", "--count=1",
	           "--format=%(refname)%00%(objectname)%00%(push:remotename)%00"
	           "%(upstream)%00",
	           dt_arena_printf(&g->arena, "refs/heads/%s", net->branch),
	           NULL);
	dt_git_run(g, on_branch);
}

static void before_push(struct dt_git *g, const struct dt_run_end *end)
{
	struct net *net = g->state;

	net->has_origin = has_line(end->out, "origin");
	ask_status(g, on_push_status);
}

static void ask_push(struct dt_git *g, const struct dt_run_end *end)
{
	const struct dt_git_push_args *args = g->args;

	(void)end;
	ask_remotes(g, args->remote, before_push);
}

void dt_git_do_push(struct dt_headless *h, const void *args,
                    struct dt_answer *answer)
{
	dt_git_start(h, &dt_op_git_push, args, answer, ask_push);
}
