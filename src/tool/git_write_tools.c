/*
 * tool/git_write_tools.c - the repository changed, here and at its remotes.
 *
 * What is safe and what is not is decided where the operation is performed, and
 * what a person is asked about in hub/wish.c, so none of these has a deadline;
 * here are the names, and what models read about them.
 */
#include "editor/git_write.h"
#include "tool/git_tools.h"

#define FILES_DOC                                                              \
	"Paths of files or folders: absolute, or relative to the first "       \
	"folder of the workspace."

/* gitAdd */

static const struct dt_field add_args[] = {
	DT_FIELD(struct dt_git_add_args, files, NAMES, 0,
	         FILES_DOC " None: all changes of files that git knows."),
	DT_FIELD_AS("addUntracked", struct dt_git_add_args, has_untracked, BOOL,
	            0, "Without files: new files, too.", .def = "false"),
	DT_GIT_DIRECTORY(struct dt_git_add_args, path),
	DT_FIELD_END,
};

struct staged {
	struct dt_names staged;
	uint32_t count;
};
static const struct dt_field staged_fields[] = {
	DT_FIELD(struct staged, staged, NAMES, DT_REQ,
	         "All that is staged now, absolute paths."),
	DT_FIELD(struct staged, count, U32, DT_REQ, "How many that are."),
	DT_FIELD_END,
};

static void on_staged(struct dt_call *call, const void *result)
{
	const struct dt_git_add_result *added = result;
	struct staged staged = {
		.staged = added->staged,
		.count = (uint32_t)added->staged.count,
	};

	dt_call_reply_result(call, &staged);
}

static void add(struct dt_call *call, const void *args)
{
	dt_call_perform(call, &dt_op_git_add, args, on_staged);
}

/* gitCommit */

static const struct dt_field commit_args[] = {
	DT_FIELD(struct dt_git_commit_args, message, NAME, DT_REQ,
	         "The message: a short first line, and behind an empty line "
	         "the reasons."),
	DT_FIELD(struct dt_git_commit_args, files, NAMES, 0,
	         FILES_DOC " They are staged first."),
	DT_FIELD_AS("addAll", struct dt_git_commit_args, is_all, BOOL, 0,
	            "Stage everything first, new files too.", .def = "false"),
	DT_GIT_DIRECTORY(struct dt_git_commit_args, path),
	DT_FIELD_END,
};

struct committed {
	const char *hash;
	const char *branch;
	const char *message;
	struct dt_names files;
	uint32_t count;
};
static const struct dt_field committed_fields[] = {
	DT_FIELD(struct committed, hash, NAME, DT_REQ, "The commit."),
	DT_FIELD(struct committed, branch, NAME, DT_OMIT,
	         "The branch it is on; absent: HEAD is detached."),
	DT_FIELD(struct committed, message, NAME, DT_REQ,
	         "The first line of its message."),
	DT_FIELD(struct committed, files, NAMES, DT_REQ,
	         "What it changed, absolute paths."),
	DT_FIELD(struct committed, count, U32, DT_REQ, "How many files."),
	DT_FIELD_END,
};

static void on_committed(struct dt_call *call, const void *result)
{
	const struct dt_git_commit_result *made = result;
	struct committed committed = {
		.hash = made->hash,
		.branch = made->branch,
		.message = made->subject,
		.files = made->files,
		.count = (uint32_t)made->files.count,
	};

	dt_call_reply_result(call, &committed);
}

static void commit(struct dt_call *call, const void *args)
{
	dt_call_perform(call, &dt_op_git_commit, args, on_committed);
}

/* gitCheckout */

static const struct dt_field checkout_args[] = {
	DT_FIELD(struct dt_git_checkout_args, branch, NAME, DT_REQ,
	         "The branch."),
	DT_FIELD_AS("create", struct dt_git_checkout_args, is_new, BOOL, 0,
	            "Make it.", .def = "false"),
	DT_FIELD(struct dt_git_checkout_args, base, NAME, 0,
	         "With create: the branch, tag or commit to begin at; absent: "
	         "what is checked out."),
	DT_GIT_DIRECTORY(struct dt_git_checkout_args, path),
	DT_FIELD_END,
};

struct switched {
	const char *branch;
	const char *previous;
	bool is_new;
};
static const struct dt_field switched_fields[] = {
	DT_FIELD(struct switched, branch, NAME, DT_REQ,
	         "What is checked out now."),
	DT_FIELD_AS("previousBranch", struct switched, previous, NAME, DT_OMIT,
	            "The branch, or the detached commit, before."),
	DT_FIELD_AS("created", struct switched, is_new, BOOL, DT_REQ,
	            "The branch is new."),
	DT_FIELD_END,
};

static void on_switched(struct dt_call *call, const void *result)
{
	const struct dt_git_checkout_args *args = call->args;
	const struct dt_git_checkout_result *now = result;
	struct switched switched = {
		.branch = now->branch,
		.previous = now->previous,
		.is_new = args->is_new,
	};

	dt_call_reply_result(call, &switched);
}

static void checkout(struct dt_call *call, const void *args)
{
	dt_call_perform(call, &dt_op_git_checkout, args, on_switched);
}

/* gitStash, gitStashPop */

static const struct dt_field stash_args[] = {
	DT_FIELD(struct dt_git_stash_args, message, NAME, 0,
	         "What to say of it."),
	DT_FIELD_AS("includeUntracked", struct dt_git_stash_args, has_untracked,
	            BOOL, 0, "New files, too.", .def = "false"),
	DT_GIT_DIRECTORY(struct dt_git_stash_args, path),
	DT_FIELD_END,
};
static const struct dt_field pop_args[] = {
	DT_FIELD(struct dt_git_pop_args, index, U32, 0,
	         "Which one, by its number in gitStashList; 0 is the latest.",
	         .def = "0"),
	DT_GIT_DIRECTORY(struct dt_git_pop_args, path),
	DT_FIELD_END,
};

struct stashed {
	bool is_done;
	const char *hash;
};
static const struct dt_field stashed_fields[] = {
	DT_FIELD_AS("stashed", struct stashed, is_done, BOOL, DT_REQ,
	            "It was put aside."),
	DT_FIELD_AS("stashRef", struct stashed, hash, NAME, DT_REQ,
	            "The id of the stash."),
	DT_FIELD_END,
};
static const struct dt_field popped_fields[] = {
	DT_FIELD_AS("restored", struct stashed, is_done, BOOL, DT_REQ,
	            "It was brought back."),
	DT_FIELD_AS("stashRef", struct stashed, hash, NAME, DT_REQ,
	            "The id that the stash had."),
	DT_FIELD_END,
};

static void on_stashed(struct dt_call *call, const void *result)
{
	const struct dt_git_stash_result *stash = result;
	struct stashed stashed = { true, stash->hash };

	dt_call_reply_result(call, &stashed);
}

static void stash(struct dt_call *call, const void *args)
{
	dt_call_perform(call, &dt_op_git_stash, args, on_stashed);
}

static void pop(struct dt_call *call, const void *args)
{
	dt_call_perform(call, &dt_op_git_stash_pop, args, on_stashed);
}

/* gitFetch */

static const struct dt_field fetch_args[] = {
	DT_FIELD(struct dt_git_fetch_args, remote, NAME, 0,
	         "The name of a remote; absent: the one of the branch, or "
	         "origin."),
	DT_FIELD_AS("all", struct dt_git_fetch_args, is_all, BOOL, 0,
	            "All remotes.", .def = "false"),
	DT_GIT_DIRECTORY(struct dt_git_fetch_args, path),
	DT_FIELD_END,
};

struct fetched {
	bool is_done;
	bool is_same;
	struct dt_items refs;
};
static const struct dt_field fetched_fields[] = {
	DT_FIELD_AS("fetched", struct fetched, is_done, BOOL, DT_REQ,
	            "The remote was asked."),
	DT_FIELD_AS("nothingNew", struct fetched, is_same, BOOL, DT_REQ,
	            "It had nothing new."),
	DT_FIELD(struct fetched, refs, ITEMS, DT_REQ,
	         "Branches and tags that are new, moved or gone.",
	         .shape = &dt_shape_git_ref_change),
	DT_FIELD_END,
};

static void on_fetched(struct dt_call *call, const void *result)
{
	const struct dt_git_fetch_result *found = result;
	struct fetched fetched = { true, found->refs.count == 0, found->refs };

	dt_call_reply_result(call, &fetched);
}

static void fetch(struct dt_call *call, const void *args)
{
	dt_call_perform(call, &dt_op_git_fetch, args, on_fetched);
}

/* gitPull */

static const struct dt_field pull_args[] = {
	DT_FIELD(struct dt_git_pull_args, remote, NAME, 0,
	         "The name of a remote; absent: the one of the branch."),
	DT_FIELD(struct dt_git_pull_args, branch, NAME, 0,
	         "With remote: its branch; absent: the upstream."),
	DT_FIELD_AS("rebase", struct dt_git_pull_args, is_rebase, BOOL, 0,
	            "Put the commits that are only here on top, instead of "
	            "merging.",
	            .def = "false"),
	DT_GIT_DIRECTORY(struct dt_git_pull_args, path),
	DT_FIELD_END,
};

struct pulled {
	bool is_same;
	const char *before;
	const char *after;
};
static const struct dt_field pulled_fields[] = {
	DT_FIELD_AS("alreadyUpToDate", struct pulled, is_same, BOOL, DT_REQ,
	            "There was nothing to pull."),
	DT_FIELD(struct pulled, before, NAME, DT_OMIT,
	         "The commit that was checked out."),
	DT_FIELD(struct pulled, after, NAME, DT_REQ,
	         "The commit that is checked out now; getDiffBetweenRefs tells "
	         "what came."),
	DT_FIELD_END,
};

static void on_pulled(struct dt_call *call, const void *result)
{
	const struct dt_git_pull_result *now = result;
	struct pulled pulled = {
		.is_same = now->before && !strcmp(now->before, now->after),
		.before = now->before,
		.after = now->after,
	};

	dt_call_reply_result(call, &pulled);
}

static void pull(struct dt_call *call, const void *args)
{
	dt_call_perform(call, &dt_op_git_pull, args, on_pulled);
}

/* gitPush */

static const struct dt_field push_args[] = {
	DT_FIELD(struct dt_git_push_args, remote, NAME, 0,
	         "The name of a remote; absent: the one of the branch, or "
	         "origin."),
	DT_FIELD(struct dt_git_push_args, branch, NAME, 0,
	         "The branch; absent: what is checked out."),
	DT_FIELD_AS("setUpstream", struct dt_git_push_args, sets_upstream, BOOL,
	            0,
	            "Let the branch follow the remote's from now on; a branch "
	            "that was never pushed needs it.",
	            .def = "false"),
	DT_FIELD_AS("force", struct dt_git_push_args, is_forced, BOOL, 0,
	            "Replace the remote's branch, provided that it is still as "
	            "last fetched. Never for main, master or the remote's "
	            "default branch.",
	            .def = "false"),
	DT_GIT_DIRECTORY(struct dt_git_push_args, path),
	DT_FIELD_END,
};

static void push(struct dt_call *call, const void *args)
{
	dt_call_perform(call, &dt_op_git_push, args, dt_call_reply_result);
}

static const struct dt_tool tools[] = {
	{
		.name = "gitAdd",
		.title = "Stage files",
		.doc = "Stage files for the next commit. Returns all that is "
		       "staged.",
		.args = DT_SHAPE(struct dt_git_add_args, add_args),
		.result = DT_SHAPE(struct staged, staged_fields),
		.effect = DT_RUNS,
		.flags = DT_TOOL_REPEATABLE | DT_TOOL_ADDS,
		.run = add,
	},
	{
		.name = "gitCommit",
		.title = "Commit",
		.doc = "Commit what is staged, after staging the named files or "
		       "everything. The hooks of the repository run; when one "
		       "refuses, nothing is committed. Changes of files that "
		       "say what tests, scripts or hooks run (package.json, "
		       "Makefile ...) and that the person has not seen wait "
		       "for the person's verdict first.",
		.args = DT_SHAPE(struct dt_git_commit_args, commit_args),
		.result = DT_SHAPE(struct committed, committed_fields),
		.effect = DT_RUNS,
		.flags = DT_TOOL_ADDS,
		.run = commit,
	},
	{
		.name = "gitCheckout",
		.title = "Change the branch",
		.doc = "Check out another branch, or make one. What is not "
		       "committed is never discarded: where it is in the way "
		       "nothing happens.",
		.args = DT_SHAPE(struct dt_git_checkout_args, checkout_args),
		.result = DT_SHAPE(struct switched, switched_fields),
		.effect = DT_RUNS,
		.run = checkout,
	},
	{
		.name = "gitStash",
		.title = "Put changes aside",
		.doc = "Put what is not committed aside, so that the work tree "
		       "is as committed. gitStashPop brings it back.",
		.args = DT_SHAPE(struct dt_git_stash_args, stash_args),
		.result = DT_SHAPE(struct stashed, stashed_fields),
		.effect = DT_RUNS,
		.flags = DT_TOOL_EXTRA,
		.run = stash,
	},
	{
		.name = "gitStashPop",
		.title = "Bring changes back",
		.doc = "Bring back what gitStash put aside. Where it does not "
		       "fit the stash is kept. The person is asked first.",
		.args = DT_SHAPE(struct dt_git_pop_args, pop_args),
		.result = DT_SHAPE(struct stashed, popped_fields),
		.effect = DT_RUNS,
		.flags = DT_TOOL_EXTRA,
		.run = pop,
	},
	{
		.name = "gitFetch",
		.title = "Fetch from a remote",
		.doc = "Fetch what is new from a remote. No file changes; the "
		       "branches of the remote are up to date afterwards.",
		.args = DT_SHAPE(struct dt_git_fetch_args, fetch_args),
		.result = DT_SHAPE(struct fetched, fetched_fields),
		.effect = DT_RUNS,
		.flags = DT_TOOL_REPEATABLE | DT_TOOL_ADDS | DT_TOOL_ABROAD |
	                 DT_TOOL_EXTRA,
		.run = fetch,
	},
	{
		.name = "gitPull",
		.title = "Pull from a remote",
		.doc = "Fetch from a remote and merge, or rebase. Nothing that "
		       "is not committed is lost: where it is in the way "
		       "nothing is pulled. Conflicts are a failure that says "
		       "what to do. The person is asked first.",
		.args = DT_SHAPE(struct dt_git_pull_args, pull_args),
		.result = DT_SHAPE(struct pulled, pulled_fields),
		.effect = DT_RUNS,
		.flags = DT_TOOL_ABROAD,
		.run = pull,
	},
	{
		.name = "gitPush",
		.title = "Push to a remote",
		.doc = "Push one branch to a remote. Nothing is deleted there; "
		       "force is refused for main branches and where the remote "
		       "has what was not fetched; else the person is asked "
		       "about it first.",
		.args = DT_SHAPE(struct dt_git_push_args, push_args),
		.result =
			DT_SHAPE(struct dt_git_push_result, dt_git_push_fields),
		.effect = DT_RUNS,
		.flags = DT_TOOL_ABROAD,
		.run = push,
	},
};

const struct dt_tool_group dt_tools_git_write = {
	.name = "commits",
	.doc = "The repository changed, here and at its remotes.",
	.tools = tools,
	.count = sizeof(tools) / sizeof(tools[0]),
};
