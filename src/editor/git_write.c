/*
 * editor/git_write.c - the shapes of what goes into the operations that change a
 * repository or reach beyond this machine, and comes out.
 */
#include "editor/git_write.h"

#define WHERE(T)                                                               \
	DT_FIELD(                                                              \
		T, path, PATH, DT_OMIT,                                        \
		"A file or folder of the repository; absent: the first root.")

/* what changes the repository */

const struct dt_field dt_git_add_args_fields[] = {
	WHERE(struct dt_git_add_args),
	DT_FIELD(struct dt_git_add_args, files, NAMES, DT_OMIT,
	         "What to stage; none: all changes of known files."),
	DT_FIELD_AS("untracked", struct dt_git_add_args, has_untracked, BOOL, 0,
	            "Without files: new files, too."),
	DT_FIELD_END,
};
const struct dt_field dt_git_add_fields[] = {
	DT_FIELD(struct dt_git_add_result, staged, PATHS, DT_REQ,
	         "All that is staged now."),
	DT_FIELD_END,
};

const struct dt_field dt_git_commit_args_fields[] = {
	WHERE(struct dt_git_commit_args),
	DT_FIELD(struct dt_git_commit_args, message, NAME, DT_REQ,
	         "The message."),
	DT_FIELD(struct dt_git_commit_args, files, NAMES, DT_OMIT,
	         "What to stage first."),
	DT_FIELD_AS("all", struct dt_git_commit_args, is_all, BOOL, 0,
	            "Stage everything first, new files too."),
	DT_FIELD_END,
};
const struct dt_field dt_git_commit_fields[] = {
	DT_FIELD(struct dt_git_commit_result, hash, NAME, DT_REQ, "Its id."),
	DT_FIELD(struct dt_git_commit_result, branch, NAME, DT_OMIT,
	         "The branch it is on."),
	DT_FIELD(struct dt_git_commit_result, subject, NAME, DT_REQ,
	         "The first line of its message."),
	DT_FIELD(struct dt_git_commit_result, files, PATHS, DT_REQ,
	         "What it changed."),
	DT_FIELD_END,
};

const struct dt_field dt_git_checkout_args_fields[] = {
	WHERE(struct dt_git_checkout_args),
	DT_FIELD(struct dt_git_checkout_args, branch, NAME, DT_REQ,
	         "The branch."),
	DT_FIELD_AS("create", struct dt_git_checkout_args, is_new, BOOL, 0,
	            "Make it."),
	DT_FIELD(struct dt_git_checkout_args, base, NAME, DT_OMIT,
	         "Where a new one begins; absent: here."),
	DT_FIELD_END,
};
const struct dt_field dt_git_checkout_fields[] = {
	DT_FIELD(struct dt_git_checkout_result, branch, NAME, DT_REQ,
	         "The branch that is checked out now."),
	DT_FIELD(struct dt_git_checkout_result, previous, NAME, DT_OMIT,
	         "The one before."),
	DT_FIELD_END,
};

const struct dt_field dt_git_stash_args_fields[] = {
	WHERE(struct dt_git_stash_args),
	DT_FIELD(struct dt_git_stash_args, message, NAME, DT_OMIT,
	         "What to say of it."),
	DT_FIELD_AS("untracked", struct dt_git_stash_args, has_untracked, BOOL,
	            0, "New files, too."),
	DT_FIELD_END,
};
const struct dt_field dt_git_pop_args_fields[] = {
	WHERE(struct dt_git_pop_args),
	DT_FIELD(struct dt_git_pop_args, index, U32, 0,
	         "Its number; 0 is the latest."),
	DT_FIELD_END,
};
const struct dt_field dt_git_stash_fields[] = {
	DT_FIELD(struct dt_git_stash_result, hash, NAME, DT_REQ,
	         "The id of the stash."),
	DT_FIELD_END,
};

/* what reaches beyond this machine */

const struct dt_field dt_git_fetch_args_fields[] = {
	WHERE(struct dt_git_fetch_args),
	DT_FIELD(struct dt_git_fetch_args, remote, NAME, DT_OMIT,
	         "The remote; absent: the one of the branch."),
	DT_FIELD_AS("all", struct dt_git_fetch_args, is_all, BOOL, 0,
	            "All remotes."),
	DT_FIELD_END,
};
static const struct dt_field ref_change_fields[] = {
	DT_FIELD(struct dt_git_ref_change, name, NAME, DT_REQ, "The ref."),
	DT_FIELD(struct dt_git_ref_change, before, NAME, DT_OMIT,
	         "Where it was; absent: it is new."),
	DT_FIELD(struct dt_git_ref_change, after, NAME, DT_OMIT,
	         "Where it is; absent: it is gone."),
	DT_FIELD_END,
};
const struct dt_shape dt_shape_git_ref_change =
	DT_SHAPE(struct dt_git_ref_change, ref_change_fields);
const struct dt_field dt_git_fetch_fields[] = {
	DT_FIELD(struct dt_git_fetch_result, refs, ITEMS, DT_REQ, "What moved.",
	         .shape = &dt_shape_git_ref_change),
	DT_FIELD_END,
};

const struct dt_field dt_git_pull_args_fields[] = {
	WHERE(struct dt_git_pull_args),
	DT_FIELD(struct dt_git_pull_args, remote, NAME, DT_OMIT,
	         "The remote; absent: the one of the branch."),
	DT_FIELD(struct dt_git_pull_args, branch, NAME, DT_OMIT,
	         "The remote's branch; absent: the upstream."),
	DT_FIELD_AS("rebase", struct dt_git_pull_args, is_rebase, BOOL, 0,
	            "Rebase instead of merging."),
	DT_FIELD_END,
};
const struct dt_field dt_git_pull_fields[] = {
	DT_FIELD(struct dt_git_pull_result, before, NAME, DT_OMIT,
	         "The commit that was checked out."),
	DT_FIELD(struct dt_git_pull_result, after, NAME, DT_REQ,
	         "The commit that is checked out now."),
	DT_FIELD_END,
};

const struct dt_field dt_git_push_args_fields[] = {
	WHERE(struct dt_git_push_args),
	DT_FIELD(struct dt_git_push_args, remote, NAME, DT_OMIT,
	         "The remote; absent: the one of the branch."),
	DT_FIELD(struct dt_git_push_args, branch, NAME, DT_OMIT,
	         "The branch; absent: the one that is checked out."),
	DT_FIELD_AS("setUpstream", struct dt_git_push_args, sets_upstream, BOOL,
	            0, "Let the branch follow the remote's."),
	DT_FIELD_AS("force", struct dt_git_push_args, is_forced, BOOL, 0,
	            "Replace what was last fetched from there."),
	DT_FIELD_END,
};
const struct dt_field dt_git_push_fields[] = {
	DT_FIELD(struct dt_git_push_result, remote, NAME, DT_REQ, "Where to."),
	DT_FIELD(struct dt_git_push_result, branch, NAME, DT_REQ, "What."),
	DT_FIELD(struct dt_git_push_result, hash, NAME, DT_REQ,
	         "Its last commit."),
	DT_FIELD(struct dt_git_push_result, state, NAME, DT_REQ,
	         "\"new\", \"updated\", \"forced\" or \"up to date\"."),
	DT_FIELD_END,
};

/* GitHub */

const struct dt_field dt_github_args_fields[] = {
	WHERE(struct dt_github_args),
	DT_FIELD(struct dt_github_args, words, NAMES, DT_REQ,
	         "The arguments of gh."),
	DT_FIELD_AS("tail", struct dt_github_args, is_tail, BOOL, 0,
	            "Of a long output its end."),
	DT_FIELD_END,
};
const struct dt_field dt_github_fields[] = {
	DT_FIELD(struct dt_github_result, output, STR, DT_REQ | DT_BIG,
	         "What it printed."),
	DT_FIELD_AS("truncated", struct dt_github_result, is_cut, BOOL, DT_REQ,
	            "It printed more."),
	DT_FIELD_END,
};
