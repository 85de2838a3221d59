/*
 * tool/git_tools.c - the repository looked at: state, changes, branches.
 *
 * Operations tell file by file what differs, so that the gate can take files
 * out; here the rest becomes one text.  History is in git_history_tools.c.
 */
#include "tool/git_tools.h"

#include "base/limits.h"

#define READ_MS 30000
#define CONTEXT_MAX 1000

bool dt_git_is_beyond(struct dt_call *call, const char *name, uint32_t value,
                      uint32_t min, uint32_t max)
{
	if (value >= min && value <= max)
		return false;
	dt_call_failf(call, DT_E_ARGS, "%s: must be %u to %u", name, min, max);
	return true;
}

/* patches */

static const struct dt_field patch_file_fields[] = {
	DT_FIELD_AS("filePath", struct dt_git_file_diff, path, NAME, DT_REQ,
	            "The file."),
	DT_FIELD_AS("oldPath", struct dt_git_file_diff, old_path, NAME, DT_OMIT,
	            "What it was renamed or copied from."),
	DT_FIELD(struct dt_git_file_diff, added, U32, DT_REQ, "Lines added."),
	DT_FIELD(struct dt_git_file_diff, deleted, U32, DT_REQ,
	         "Lines deleted."),
	DT_FIELD_END,
};
const struct dt_shape dt_shape_git_patch_file =
	DT_SHAPE(struct dt_git_file_diff, patch_file_fields);

static const char *patch_note(struct dt_call *call,
                              const struct dt_git_diff_result *diff,
                              const char *narrower)
{
	const char *note = "";

	if (diff->is_cut)
		note = dt_arena_printf(call->arena,
		                       "The patch is cut after %u bytes: %s.",
		                       DT_LIMIT_GIT_TEXT, narrower);
	if (diff->left_out)
		note = dt_arena_printf(
			call->arena,
			"%s%s%u file%s left out: %s contents are kept from "
			"agents.",
			note, *note ? " " : "", diff->left_out,
			diff->left_out == 1 ? " is" : "s are",
			diff->left_out == 1 ? "its" : "their");
	return *note ? note : NULL;
}

struct dt_git_patch dt_git_patch_join(struct dt_call *call,
                                      const struct dt_git_diff_result *diff,
                                      const char *narrower)
{
	const struct dt_git_file_diff *file = diff->files.ptr;
	struct dt_git_patch patch = {
		.files = diff->files,
		.is_cut = diff->is_cut,
		.left_out = diff->left_out,
		.note = patch_note(call, diff, narrower),
	};
	size_t len = 0;
	char *text;

	for (size_t i = 0; i < diff->files.count; i++)
		len += file[i].text.len;
	text = dt_arena_bytes(call->arena, len + 1);
	patch.diff = (struct dt_str){ text, len };
	for (size_t i = 0; i < diff->files.count; i++) {
		if (file[i].text.len > 0)
			memcpy(text, file[i].text.ptr, file[i].text.len);
		text += file[i].text.len;
	}
	return patch;
}

static const struct dt_field patch_fields[] = {
	DT_FIELD(struct dt_git_patch, diff, STR, DT_OMIT, "The patch."),
	DT_FIELD(struct dt_git_patch, files, ITEMS, DT_REQ,
	         "The files that changed, and by how many lines.",
	         .shape = &dt_shape_git_patch_file),
	DT_FIELD_AS("truncated", struct dt_git_patch, is_cut, BOOL, DT_REQ,
	            "There is more than is told; note says how to get it."),
	DT_FIELD_AS("leftOut", struct dt_git_patch, left_out, U32, DT_OMIT,
	            "Files whose contents are kept from agents."),
	DT_FIELD(struct dt_git_patch, note, NAME, DT_OMIT,
	         "What is missing, and why."),
	DT_FIELD_END,
};

static void on_patch(struct dt_call *call, const void *result)
{
	struct dt_git_patch patch = dt_git_patch_join(
		call, result,
		"pass filePath for one file or folder, or a smaller context");

	dt_call_reply_result(call, &patch);
}

static bool is_odd_context(struct dt_call *call, struct dt_maybe_u32 context)
{
	return context.is_set &&
	       dt_git_is_beyond(call, "context", context.value, 0, CONTEXT_MAX);
}

/* getGitStatus */

static const struct dt_field status_args[] = {
	DT_GIT_WHERE(
		struct dt_git_args, path,
		" to look at; absent: all of the workspace's first folder."),
	DT_FIELD_END,
};

static void get_status(struct dt_call *call, const void *args)
{
	dt_call_perform(call, &dt_op_git_status, args, dt_call_reply_result);
}

/* getGitDiff */

static const struct dt_field diff_args[] = {
	DT_GIT_WHERE(struct dt_git_diff_args, path,
	             "; absent: all of the workspace's first folder."),
	DT_FIELD_AS("staged", struct dt_git_diff_args, is_staged, BOOL, 0,
	            "What is staged for the next commit, instead of what is "
	            "not staged yet.",
	            .def = "false"),
	DT_FIELD(struct dt_git_diff_args, context, MAYBE_U32, 0,
	         "Lines around each change, 0 to 1000; absent: 3."),
	DT_FIELD_END,
};

static void get_diff(struct dt_call *call, const void *args)
{
	const struct dt_git_diff_args *wanted = args;

	if (!is_odd_context(call, wanted->context))
		dt_call_perform(call, &dt_op_git_diff, args, on_patch);
}

/* getDiffBetweenRefs */

static const struct dt_field refs_args[] = {
	DT_FIELD_AS("ref1", struct dt_git_diff_args, from, NAME, DT_REQ,
	            "Where to begin: a branch, tag or commit."),
	DT_FIELD_AS("ref2", struct dt_git_diff_args, to, NAME, DT_REQ,
	            "Where to end."),
	DT_GIT_WHERE(struct dt_git_diff_args, path,
	             "; absent: all of the workspace's first folder."),
	DT_FIELD(struct dt_git_diff_args, context, MAYBE_U32, 0,
	         "Lines around each change, 0 to 1000; absent: 3."),
	DT_FIELD_AS("statOnly", struct dt_git_diff_args, is_stat, BOOL, 0,
	            "Only which files, and how many lines.", .def = "false"),
	DT_FIELD_AS("sinceMergeBase", struct dt_git_diff_args, is_from_base,
	            BOOL, 0,
	            "What ref2 has done since it parted from ref1, as a pull "
	            "request shows it.",
	            .def = "false"),
	DT_FIELD_END,
};

/* gitListBranches */

static const struct dt_field branches_args[] = {
	DT_FIELD_AS("includeRemote", struct dt_git_branches_args, has_remote,
	            BOOL, 0, "Also branches of remotes, as last fetched.",
	            .def = "false"),
	DT_GIT_DIRECTORY(struct dt_git_branches_args, path),
	DT_FIELD_END,
};

struct branches {
	const char *current;
	struct dt_items local;
	struct dt_items remote;
	bool is_cut;
};
static const struct dt_field branches_fields[] = {
	DT_FIELD(struct branches, current, NAME, DT_OMIT,
	         "The branch that is checked out; absent: HEAD is detached, or "
	         "there is no commit yet."),
	DT_FIELD(struct branches, local, ITEMS, DT_REQ,
	         "The latest changed first.", .shape = &dt_shape_git_branch),
	DT_FIELD(struct branches, remote, ITEMS, DT_OMIT, "Those of remotes.",
	         .shape = &dt_shape_git_branch),
	DT_FIELD_AS("truncated", struct branches, is_cut, BOOL, DT_REQ,
	            "There are more."),
	DT_FIELD_END,
};

static struct dt_items only(struct dt_call *call, const struct dt_items *all,
                            bool is_remote)
{
	const struct dt_git_branch *branch = all->ptr;
	struct dt_git_branch *some =
		dt_arena_alloc(call->arena, all->count * sizeof(*some));
	struct dt_items items = { .ptr = some };

	for (size_t i = 0; i < all->count; i++) {
		if (branch[i].is_remote == is_remote)
			some[items.count++] = branch[i];
	}
	return items;
}

static void on_branches(struct dt_call *call, const void *result)
{
	const struct dt_git_branches_result *found = result;
	struct branches branches = {
		.current = found->current,
		.local = only(call, &found->branches, false),
		.remote = only(call, &found->branches, true),
		.is_cut = found->is_cut,
	};

	dt_call_reply_result(call, &branches);
}

static void list_branches(struct dt_call *call, const void *args)
{
	dt_call_perform(call, &dt_op_git_branches, args, on_branches);
}

/* gitStashList */

static const struct dt_field where_args[] = {
	DT_GIT_DIRECTORY(struct dt_git_args, path),
	DT_FIELD_END,
};

struct stashes {
	struct dt_items entries;
	uint32_t count;
};
static const struct dt_field stashes_fields[] = {
	DT_FIELD(struct stashes, entries, ITEMS, DT_REQ, "The latest first.",
	         .shape = &dt_shape_git_stash),
	DT_FIELD(struct stashes, count, U32, DT_REQ, "How many there are."),
	DT_FIELD_END,
};

static void on_stashes(struct dt_call *call, const void *result)
{
	const struct dt_git_stashes_result *found = result;
	struct stashes stashes = {
		.entries = found->stashes,
		.count = (uint32_t)found->stashes.count,
	};

	dt_call_reply_result(call, &stashes);
}

static void list_stashes(struct dt_call *call, const void *args)
{
	dt_call_perform(call, &dt_op_git_stashes, args, on_stashes);
}

static const struct dt_tool tools[] = {
	{
		.name = "getGitStatus",
		.title = "State of the repository",
		.doc = "The branch, how far it is from its upstream, and which "
		       "files are staged, changed, new or in conflict. Use it "
		       "before a commit, and to see what was changed.",
		.args = DT_SHAPE(struct dt_git_args, status_args),
		.result = DT_SHAPE(struct dt_git_status_result,
	                           dt_git_status_fields),
		.effect = DT_READS,
		.flags = DT_TOOL_REPEATABLE,
		.deadline_ms = READ_MS,
		.run = get_status,
	},
	{
		.name = "getGitDiff",
		.title = "What is not committed",
		.doc = "The patch of what is changed and not staged, or with "
		       "staged of what the next commit will have. New files "
		       "that were never added are not in it: getGitStatus "
		       "lists them.",
		.args = DT_SHAPE(struct dt_git_diff_args, diff_args),
		.result = DT_SHAPE(struct dt_git_patch, patch_fields),
		.effect = DT_READS,
		.flags = DT_TOOL_REPEATABLE,
		.deadline_ms = READ_MS,
		.run = get_diff,
	},
	{
		.name = "getDiffBetweenRefs",
		.title = "What differs between commits",
		.doc = "The patch from one branch, tag or commit to another. "
		       "With sinceMergeBase it is what a pull request from ref2 "
		       "into ref1 would show.",
		.args = DT_SHAPE(struct dt_git_diff_args, refs_args),
		.result = DT_SHAPE(struct dt_git_patch, patch_fields),
		.effect = DT_READS,
		.flags = DT_TOOL_REPEATABLE,
		.deadline_ms = READ_MS,
		.run = get_diff,
	},
	{
		.name = "gitListBranches",
		.title = "Branches",
		.doc = "The branches with their last commit, what they follow "
		       "and how far they are from it.",
		.args = DT_SHAPE(struct dt_git_branches_args, branches_args),
		.result = DT_SHAPE(struct branches, branches_fields),
		.effect = DT_READS,
		.flags = DT_TOOL_REPEATABLE,
		.deadline_ms = READ_MS,
		.run = list_branches,
	},
	{
		.name = "gitStashList",
		.title = "Stashes",
		.doc = "What was put aside by gitStash, with the index that "
		       "gitStashPop takes.",
		.args = DT_SHAPE(struct dt_git_args, where_args),
		.result = DT_SHAPE(struct stashes, stashes_fields),
		.effect = DT_READS,
		.flags = DT_TOOL_REPEATABLE | DT_TOOL_EXTRA,
		.deadline_ms = READ_MS,
		.run = list_stashes,
	},
};

const struct dt_tool_group dt_tools_git = {
	.name = "git",
	.doc = "The repository: its state, and what differs.",
	.tools = tools,
	.count = sizeof(tools) / sizeof(tools[0]),
};
