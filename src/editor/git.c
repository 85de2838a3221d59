/*
 * editor/git.c - the shapes of what goes into the operations on a repository,
 * and comes out.  Results have the names under which agents read them.
 */
#include "editor/git.h"

#define WHERE(T)                                                               \
	DT_FIELD(                                                              \
		T, path, PATH, DT_OMIT,                                        \
		"A file or folder of the repository; absent: the first root.")

const struct dt_field dt_git_args_fields[] = {
	WHERE(struct dt_git_args),
	DT_FIELD_END,
};

/* status */

static const struct dt_field change_fields[] = {
	DT_FIELD(struct dt_git_change, path, PATH, DT_REQ, "The file."),
	DT_FIELD_AS("oldPath", struct dt_git_change, old_path, PATH, DT_OMIT,
	            "What it was renamed or copied from."),
	DT_FIELD(struct dt_git_change, state, NAME, DT_REQ,
	         "What happened to it, as \"modified\"."),
	DT_FIELD_END,
};
const struct dt_shape dt_shape_git_change =
	DT_SHAPE(struct dt_git_change, change_fields);

const struct dt_field dt_git_status_fields[] = {
	DT_FIELD(struct dt_git_status_result, root, PATH, DT_REQ,
	         "The top folder of the repository."),
	DT_FIELD(struct dt_git_status_result, branch, NAME, DT_OMIT,
	         "The branch; absent: HEAD is detached."),
	DT_FIELD(struct dt_git_status_result, head, NAME, DT_OMIT,
	         "The commit; absent: there is none yet."),
	DT_FIELD(struct dt_git_status_result, upstream, NAME, DT_OMIT,
	         "The branch of a remote that it follows."),
	DT_FIELD(struct dt_git_status_result, ahead, MAYBE_U32, DT_OMIT,
	         "Commits that the upstream does not have."),
	DT_FIELD(struct dt_git_status_result, behind, MAYBE_U32, DT_OMIT,
	         "Commits of the upstream that are missing here."),
	DT_FIELD_AS("inProgress", struct dt_git_status_result, doing, NAME,
	            DT_OMIT,
	            "What is not finished: merge, rebase, cherry-pick, revert "
	            "or bisect."),
	DT_FIELD(struct dt_git_status_result, staged, ITEMS, DT_REQ,
	         "What the next commit has.", .shape = &dt_shape_git_change),
	DT_FIELD(struct dt_git_status_result, unstaged, ITEMS, DT_REQ,
	         "What is changed and not staged.",
	         .shape = &dt_shape_git_change),
	DT_FIELD(struct dt_git_status_result, untracked, PATHS, DT_REQ,
	         "What git does not know; folders end with a slash."),
	DT_FIELD(struct dt_git_status_result, conflicts, ITEMS, DT_REQ,
	         "What has to be resolved.", .shape = &dt_shape_git_change),
	DT_FIELD(struct dt_git_status_result, stashes, U32, DT_REQ,
	         "How many stashes there are."),
	DT_FIELD_AS("truncated", struct dt_git_status_result, is_cut, BOOL,
	            DT_REQ, "There are more files: ask about a folder."),
	DT_FIELD_END,
};

/* diff */

const struct dt_field dt_git_diff_args_fields[] = {
	WHERE(struct dt_git_diff_args),
	DT_FIELD(struct dt_git_diff_args, from, NAME, DT_OMIT, "A commit."),
	DT_FIELD(struct dt_git_diff_args, to, NAME, DT_OMIT,
	         "A commit; absent: the work tree."),
	DT_FIELD_AS("staged", struct dt_git_diff_args, is_staged, BOOL, 0,
	            "What is staged."),
	DT_FIELD_AS("fromBase", struct dt_git_diff_args, is_from_base, BOOL, 0,
	            "From where the two commits parted."),
	DT_FIELD_AS("statOnly", struct dt_git_diff_args, is_stat, BOOL, 0,
	            "Numbers of lines, no texts."),
	DT_FIELD(struct dt_git_diff_args, context, MAYBE_U32, DT_OMIT,
	         "Lines around a change."),
	DT_FIELD_END,
};

static const struct dt_field file_diff_fields[] = {
	DT_FIELD(struct dt_git_file_diff, path, PATH, DT_REQ, "The file."),
	DT_FIELD_AS("oldPath", struct dt_git_file_diff, old_path, PATH, DT_OMIT,
	            "What it was renamed or copied from."),
	DT_FIELD(struct dt_git_file_diff, added, U32, DT_REQ, "Lines added."),
	DT_FIELD(struct dt_git_file_diff, deleted, U32, DT_REQ,
	         "Lines deleted."),
	DT_FIELD(struct dt_git_file_diff, text, STR, DT_BIG | DT_OMIT,
	         "Its part of the patch."),
	DT_FIELD_END,
};
static const struct dt_shape file_diff =
	DT_SHAPE(struct dt_git_file_diff, file_diff_fields);

const struct dt_field dt_git_diff_fields[] = {
	DT_FIELD(struct dt_git_diff_result, files, ITEMS, DT_REQ,
	         "File by file.", .shape = &file_diff),
	DT_FIELD_AS("truncated", struct dt_git_diff_result, is_cut, BOOL,
	            DT_REQ, "There is more."),
	DT_FIELD_AS("leftOut", struct dt_git_diff_result, left_out, U32, 0,
	            "Files that are kept from agents."),
	DT_FIELD_END,
};
static const struct dt_shape diff_result =
	DT_SHAPE(struct dt_git_diff_result, dt_git_diff_fields);

/* commits */

static const struct dt_field commit_info_fields[] = {
	DT_FIELD(struct dt_git_commit_info, hash, NAME, DT_REQ, "Its id."),
	DT_FIELD(struct dt_git_commit_info, author, NAME, DT_REQ, "Who."),
	DT_FIELD(struct dt_git_commit_info, email, NAME, DT_REQ,
	         "Their address."),
	DT_FIELD(struct dt_git_commit_info, date, NAME, DT_REQ,
	         "When it was written, ISO 8601."),
	DT_FIELD(struct dt_git_commit_info, parents, NAMES, DT_REQ,
	         "Ids of the commits before; several: a merge."),
	DT_FIELD(struct dt_git_commit_info, subject, NAME, DT_REQ,
	         "The first line of its message."),
	DT_FIELD(struct dt_git_commit_info, body, STR, DT_OMIT,
	         "The rest of the message."),
	DT_FIELD_END,
};
const struct dt_shape dt_shape_git_commit =
	DT_SHAPE(struct dt_git_commit_info, commit_info_fields);

const struct dt_field dt_git_log_args_fields[] = {
	WHERE(struct dt_git_log_args),
	DT_FIELD(struct dt_git_log_args, from, NAME, DT_OMIT,
	         "The commit to begin with; absent: HEAD."),
	DT_FIELD(struct dt_git_log_args, base, NAME, DT_OMIT,
	         "Only what is not reached from this commit."),
	DT_FIELD(struct dt_git_log_args, limit, U32, DT_REQ,
	         "At most so many."),
	DT_FIELD(struct dt_git_log_args, skip, U32, DT_OMIT,
	         "Leave out so many of the latest."),
	DT_FIELD_AS("firstLine", struct dt_git_log_args, first_line, MAYBE_U32,
	            DT_OMIT, "Only changes of lines from this one, 0-based."),
	DT_FIELD_AS("lastLine", struct dt_git_log_args, last_line, MAYBE_U32,
	            DT_OMIT, "The last of these lines."),
	DT_FIELD_END,
};

const struct dt_field dt_git_log_fields[] = {
	DT_FIELD(struct dt_git_log_result, commits, ITEMS, DT_REQ,
	         "The latest first.", .shape = &dt_shape_git_commit),
	DT_FIELD_AS("truncated", struct dt_git_log_result, is_cut, BOOL, DT_REQ,
	            "There are older ones."),
	DT_FIELD_END,
};

const struct dt_field dt_git_show_args_fields[] = {
	WHERE(struct dt_git_show_args),
	DT_FIELD(struct dt_git_show_args, commit, NAME, DT_REQ, "Which one."),
	DT_FIELD_AS("patch", struct dt_git_show_args, has_patch, BOOL, 0,
	            "With the texts of the changes."),
	DT_FIELD_END,
};

const struct dt_field dt_git_show_fields[] = {
	DT_FIELD_OBJECT("commit", struct dt_git_show_result, commit,
	                struct dt_git_commit_info, dt_shape_git_commit, DT_REQ,
	                "The commit."),
	DT_FIELD_OBJECT("diff", struct dt_git_show_result, diff,
	                struct dt_git_diff_result, diff_result, DT_REQ,
	                "What it changed."),
	DT_FIELD_END,
};

/* blame */

const struct dt_field dt_git_blame_args_fields[] = {
	DT_FIELD(struct dt_git_blame_args, path, PATH, DT_REQ, "The file."),
	DT_FIELD_AS("firstLine", struct dt_git_blame_args, first_line,
	            MAYBE_U32, DT_OMIT, "0-based; absent: the first."),
	DT_FIELD_AS("lastLine", struct dt_git_blame_args, last_line, MAYBE_U32,
	            DT_OMIT, "0-based; absent: the last."),
	DT_FIELD_END,
};

static const struct dt_field blame_line_fields[] = {
	DT_FIELD(struct dt_git_blame_line, line, U32, DT_REQ, "0-based line."),
	DT_FIELD(struct dt_git_blame_line, hash, NAME, DT_OMIT,
	         "The commit; absent: not committed yet."),
	DT_FIELD(struct dt_git_blame_line, author, NAME, DT_REQ, "Who."),
	DT_FIELD(struct dt_git_blame_line, date, NAME, DT_REQ,
	         "When, ISO 8601."),
	DT_FIELD(struct dt_git_blame_line, subject, NAME, DT_REQ,
	         "The first line of its message."),
	DT_FIELD(struct dt_git_blame_line, text, STR, DT_REQ | DT_BIG,
	         "The line."),
	DT_FIELD_END,
};
static const struct dt_shape blame_line =
	DT_SHAPE(struct dt_git_blame_line, blame_line_fields);

const struct dt_field dt_git_blame_fields[] = {
	DT_FIELD(struct dt_git_blame_result, path, PATH, DT_REQ, "The file."),
	DT_FIELD(struct dt_git_blame_result, lines, ITEMS, DT_REQ,
	         "Line by line.", .shape = &blame_line),
	DT_FIELD_AS("truncated", struct dt_git_blame_result, is_cut, BOOL,
	            DT_REQ, "There are more lines."),
	DT_FIELD_END,
};

/* branches, stashes, hotspots */

const struct dt_field dt_git_branches_args_fields[] = {
	WHERE(struct dt_git_branches_args),
	DT_FIELD_AS("remote", struct dt_git_branches_args, has_remote, BOOL, 0,
	            "Also branches of remotes, as last fetched."),
	DT_FIELD_END,
};

static const struct dt_field branch_fields[] = {
	DT_FIELD(struct dt_git_branch, name, NAME, DT_REQ, "Its name."),
	DT_FIELD_AS("remote", struct dt_git_branch, is_remote, BOOL, DT_OMIT,
	            "It is a remote's, as last fetched."),
	DT_FIELD_AS("current", struct dt_git_branch, is_current, BOOL, DT_OMIT,
	            "It is checked out."),
	DT_FIELD(struct dt_git_branch, hash, NAME, DT_REQ, "Its last commit."),
	DT_FIELD(struct dt_git_branch, upstream, NAME, DT_OMIT,
	         "What it follows."),
	DT_FIELD(struct dt_git_branch, track, NAME, DT_OMIT,
	         "How far it is from that, as \"ahead 1, behind 2\"; \"gone\": "
	         "it was deleted."),
	DT_FIELD(struct dt_git_branch, date, NAME, DT_REQ,
	         "When that commit was made, ISO 8601."),
	DT_FIELD(struct dt_git_branch, subject, NAME, DT_REQ,
	         "The first line of its message."),
	DT_FIELD_END,
};
const struct dt_shape dt_shape_git_branch =
	DT_SHAPE(struct dt_git_branch, branch_fields);

const struct dt_field dt_git_branches_fields[] = {
	DT_FIELD(struct dt_git_branches_result, current, NAME, DT_OMIT,
	         "The branch that is checked out."),
	DT_FIELD(struct dt_git_branches_result, branches, ITEMS, DT_REQ,
	         "The latest changed first.", .shape = &dt_shape_git_branch),
	DT_FIELD_AS("truncated", struct dt_git_branches_result, is_cut, BOOL,
	            DT_REQ, "There are more."),
	DT_FIELD_END,
};

static const struct dt_field stash_info_fields[] = {
	DT_FIELD(struct dt_git_stash_info, index, U32, DT_REQ,
	         "Its number, 0 for the latest."),
	DT_FIELD(struct dt_git_stash_info, hash, NAME, DT_REQ, "Its id."),
	DT_FIELD(struct dt_git_stash_info, date, NAME, DT_REQ,
	         "When, ISO 8601."),
	DT_FIELD(struct dt_git_stash_info, message, NAME, DT_REQ,
	         "The branch it is from, and what was said of it."),
	DT_FIELD_END,
};
const struct dt_shape dt_shape_git_stash =
	DT_SHAPE(struct dt_git_stash_info, stash_info_fields);

const struct dt_field dt_git_stashes_fields[] = {
	DT_FIELD(struct dt_git_stashes_result, stashes, ITEMS, DT_REQ,
	         "The latest first.", .shape = &dt_shape_git_stash),
	DT_FIELD_END,
};

const struct dt_field dt_git_hotspots_args_fields[] = {
	WHERE(struct dt_git_hotspots_args),
	DT_FIELD(struct dt_git_hotspots_args, days, U32, DT_REQ,
	         "Commits of so many days."),
	DT_FIELD(struct dt_git_hotspots_args, limit, U32, DT_REQ,
	         "At most so many files."),
	DT_FIELD_END,
};

static const struct dt_field hotspot_fields[] = {
	DT_FIELD(struct dt_git_hotspot, path, PATH, DT_REQ,
	         "The file, which may be gone."),
	DT_FIELD(struct dt_git_hotspot, commits, U32, DT_REQ,
	         "How many commits changed it."),
	DT_FIELD_END,
};
const struct dt_shape dt_shape_git_hotspot =
	DT_SHAPE(struct dt_git_hotspot, hotspot_fields);

const struct dt_field dt_git_hotspots_fields[] = {
	DT_FIELD(struct dt_git_hotspots_result, commits, U32, DT_REQ,
	         "How many commits were looked at."),
	DT_FIELD(struct dt_git_hotspots_result, hotspots, ITEMS, DT_REQ,
	         "The most changed first.", .shape = &dt_shape_git_hotspot),
	DT_FIELD_AS("truncated", struct dt_git_hotspots_result, is_cut, BOOL,
	            DT_REQ, "Older commits of that time were not looked at."),
	DT_FIELD_END,
};
