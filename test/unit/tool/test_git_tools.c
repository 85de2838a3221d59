#include "tool/git_tools.h"

#include "base/limits.h"
#include "tool/script.h"
#include "unit.h"

static void call(struct script *s, const char *name, const char *args,
                 const struct step *steps)
{
	script_call(s, script_find(dt_tools_git.tools, name), args, steps);
}

static struct dt_git_file_diff files[] = {
	{ "/w/a", NULL, 1, 2, { "A\n", 2 } },
	{ "/w/b", "/w/c", 0, 0, { "B\n", 2 } },
};

test(a_patch_is_the_parts_of_its_files)
{
	struct dt_git_diff_result diff = { .files = { files, 2 } };
	struct step steps[] = { { &dt_op_git_diff, &diff }, { 0 } };
	struct script s;

	script_begin(&s);
	call(&s, "getGitDiff",
	     "{\"filePath\":\"/w\",\"staged\":true,\"context\":0}", steps);
	assert_asked(&s, "gitDiff{\"path\":\"/w\",\"staged\":true,"
	                 "\"fromBase\":false,\"statOnly\":false,"
	                 "\"context\":0}\n");
	assert_reply(&s, "{\"diff\":\"A\\nB\\n\",\"files\":[{\"filePath\":"
	                 "\"/w/a\",\"added\":1,\"deleted\":2},{\"filePath\":"
	                 "\"/w/b\",\"oldPath\":\"/w/c\",\"added\":0,"
	                 "\"deleted\":0}],\"truncated\":false}\n");
	script_end(&s);
}

test(what_is_missing_in_a_patch_is_said)
{
	struct dt_git_diff_result diff = { .is_cut = true, .left_out = 1 };
	struct step steps[] = { { &dt_op_git_diff, &diff }, { 0 } };
	struct script s;

	script_begin(&s);
	call(&s, "getDiffBetweenRefs",
	     "{\"ref1\":\"a\",\"ref2\":\"b\",\"sinceMergeBase\":true}", steps);
	assert_asked(&s, "gitDiff{\"from\":\"a\",\"to\":\"b\",\"staged\":false,"
	                 "\"fromBase\":true,\"statOnly\":false}\n");
	assert_reply(&s, "{\"diff\":\"\",\"files\":[],\"truncated\":true,"
	                 "\"leftOut\":1,\"note\":\"The patch is cut after "
	                 "131072 bytes: pass filePath for one file or folder, "
	                 "or a smaller context. 1 file is left out: its "
	                 "contents are kept from agents.\"}\n");
	diff = (struct dt_git_diff_result){ .left_out = 2 };
	call(&s, "getGitDiff", "{}", steps);
	assert_reply(&s, "{\"diff\":\"\",\"files\":[],\"truncated\":false,"
	                 "\"leftOut\":2,\"note\":\"2 files are left out: their "
	                 "contents are kept from agents.\"}\n");
	script_end(&s);
}

test(too_much_context_is_refused)
{
	static const struct step none[] = { { 0 } };
	struct script s;

	script_begin(&s);
	call(&s, "getGitDiff", "{\"context\":1001}", none);
	assert_failure(&s, "context: must be 0 to 1000\n");
	script_end(&s);
}

test(branches_are_told_apart_by_where_they_are)
{
	struct dt_git_branch all[] = {
		{ .name = "m", .hash = "1", .date = "d", .subject = "s" },
		{ .name = "o/m",
		  .is_remote = true,
		  .hash = "2",
		  .date = "d",
		  .subject = "s" },
	};
	struct dt_git_branches_result found = { "m", { all, 2 }, false };
	struct step steps[] = { { &dt_op_git_branches, &found }, { 0 } };
	struct script s;

	script_begin(&s);
	call(&s, "gitListBranches", "{\"includeRemote\":true}", steps);
	assert_asked(&s, "gitBranches{\"remote\":true}\n");
	assert_reply(&s, "{\"current\":\"m\",\"local\":[{\"name\":\"m\","
	                 "\"hash\":\"1\",\"date\":\"d\",\"subject\":\"s\"}],"
	                 "\"remote\":[{\"name\":\"o/m\",\"remote\":true,"
	                 "\"hash\":\"2\",\"date\":\"d\",\"subject\":\"s\"}],"
	                 "\"truncated\":false}\n");
	script_end(&s);
}

test(a_failure_is_passed_on)
{
	static const struct step steps[] = {
		{ &dt_op_git_stashes, NULL, DT_E_STATE, "no repository" }, { 0 }
	};
	struct script s;

	script_begin(&s);
	call(&s, "gitStashList", "{\"directory\":\"/w/x\"}", steps);
	assert_asked(&s, "gitStashes{\"path\":\"/w/x\"}\n");
	assert_failure(&s, "no repository\n");
	script_end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_patch_is_the_parts_of_its_files),
		cmocka_unit_test(what_is_missing_in_a_patch_is_said),
		cmocka_unit_test(too_much_context_is_refused),
		cmocka_unit_test(branches_are_told_apart_by_where_they_are),
		cmocka_unit_test(a_failure_is_passed_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
