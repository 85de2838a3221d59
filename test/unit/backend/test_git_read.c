/* test/unit/backend/test_git_read.c - state, history and differences. */
#include "backend/git.h"

#include "backend/git_world.h"

static const struct dt_git_args here;

test(a_new_repository_has_no_commit)
{
	struct dt_git_log_args log = { .limit = 3 };
	struct git_world w;

	git_begin(&w, state);
	git_sh(&w, "git init -q -b main . && echo 1 >new");
	assert_git(&w, &dt_op_git_status, &here,
	           "{\"root\":\"/w\",\"branch\":\"main\",\"staged\":[]");
	assert_has(w.json, "\"untracked\":[\"/w/new\"]");
	assert_no_git(&w, &dt_op_git_log, &log, DT_E_STATE,
	              "the repository has no commit yet");
	git_end(&w);
}

test(the_status_tells_all_kinds_of_changes)
{
	struct git_world w;

	git_begin(&w, state);
	git_init(&w);
	git_sh(&w, "printf 'x%.0s' $(seq 99) >old; echo >'a b'; "
	           "mkdir d; echo >d/gone; git add -A; git commit -qm more; "
	           "git mv old \"n$(printf '\\n')\u00fc\"; rm d/gone; "
	           "echo 3 >>a.c; git add a.c; echo 4 >>a.c; mkdir n; "
	           "echo >n/1; git stash list");
	assert_git(&w, &dt_op_git_status, &here, "\"staged\":[");
	assert_has(w.json, "{\"path\":\"/w/a.c\",\"state\":\"modified\"}");
	assert_has(w.json, "\"oldPath\":\"/w/old\",\"state\":\"renamed\"");
	assert_has(w.json, "{\"path\":\"/w/d/gone\",\"state\":\"deleted\"}");
	assert_has(w.json, "\"untracked\":[\"/w/n/\"]");
	assert_has(w.json, "\"truncated\":false");
	git_end(&w);
}

test(a_merge_a_detached_head_and_an_upstream_are_told)
{
	struct git_world w;

	git_begin(&w, state);
	git_init(&w);
	git_sh(&w, "git switch -qc other; echo o >>a.c; git commit -qam o; "
	           "git switch -q main; echo m >>a.c; git commit -qam m; "
	           "git branch -q --set-upstream-to=other; "
	           "! git merge -q other");
	assert_git(&w, &dt_op_git_status, &here, "\"inProgress\":\"merge\"");
	assert_has(w.json, "\"upstream\":\"other\",\"ahead\":1,\"behind\":1");
	assert_has(w.json, "\"conflicts\":[{\"path\":\"/w/a.c\",\"state\":"
	                   "\"both modified\"}]");
	git_sh(&w, "git merge --abort; git switch -q --detach");
	assert_git(&w, &dt_op_git_status, &here,
	           "{\"root\":\"/w\",\"head\":\"");
	assert_lacks(w.json, "branch");
	git_end(&w);
}

test(a_diff_comes_file_by_file)
{
	struct dt_git_diff_args diff = { 0 };
	struct git_world w;

	git_begin(&w, state);
	git_init(&w);
	git_sh(&w, "echo b >'b \"x'; git add -A; git commit -qm b; "
	           "echo three >>a.c; echo c >>'b \"x'; git add 'b \"x'");
	assert_git(&w, &dt_op_git_diff, &diff,
	           "{\"files\":[{\"path\":\"/w/a.c\",\"added\":1,\"deleted\":0,"
	           "\"text\":\"diff --git a/a.c b/a.c\\n");
	assert_lacks(w.json, "b \\\"x");
	diff.is_staged = true;
	assert_git(&w, &dt_op_git_diff, &diff,
	           "{\"files\":[{\"path\":\"/w/b \\\"x\",\"added\":1");
	assert_lacks(w.json, "three");
	diff = (struct dt_git_diff_args){ .from = "HEAD", .is_stat = true };
	assert_git(
		&w, &dt_op_git_diff, &diff,
		"{\"files\":[{\"path\":\"/w/a.c\",\"added\":1,\"deleted\":0},"
		"{\"path\":\"/w/b \\\"x\",\"added\":1,\"deleted\":0}],"
		"\"truncated\":false");
	diff = (struct dt_git_diff_args){ .context = { true, 0 } };
	diff.path = git_path(&w, "a.c");
	assert_git(&w, &dt_op_git_diff, &diff, "@@ -2,0 +3 @@");
	git_end(&w);
}

test(a_large_diff_is_cut_at_a_line)
{
	struct dt_git_diff_args diff = { 0 };
	struct git_world w;

	git_begin(&w, state);
	git_init(&w);
	git_sh(&w, "seq 100000 >>a.c");
	assert_git(&w, &dt_op_git_diff, &diff, "\"truncated\":true");
	assert_has(w.json, "\\n\"}],");
	assert_true(strlen(w.json) < 2 * DT_LIMIT_GIT_TEXT);
	git_end(&w);
}

test(two_commits_are_compared_from_where_they_parted)
{
	struct dt_git_diff_args diff = { .from = "main", .to = "topic" };
	struct git_world w;

	git_begin(&w, state);
	git_init(&w);
	git_sh(&w, "git switch -qc topic; echo t >t; git add t; "
	           "git commit -qm t; git switch -q main; echo m >m; "
	           "git add m; git commit -qm m; git tag v1");
	assert_git(&w, &dt_op_git_diff, &diff, "\"/w/m\"");
	assert_has(w.json, "\"/w/t\"");
	diff.is_from_base = true;
	assert_git(&w, &dt_op_git_diff, &diff, "\"/w/t\"");
	assert_lacks(w.json, "\"/w/m\"");
	diff.to = "v2";
	assert_no_git(&w, &dt_op_git_diff, &diff, DT_E_MISSING,
	              "there is no commit, branch or tag \"v2\" here");
	diff.to = "--output=/tmp/x";
	assert_no_git(&w, &dt_op_git_diff, &diff, DT_E_ARGS,
	              "is not the name of");
	git_end(&w);
}

test(commits_are_listed_with_what_others_wrote_made_harmless)
{
	struct dt_git_log_args log = { .limit = 1 };
	struct git_world w;

	git_begin(&w, state);
	git_init(&w);
	git_sh(&w, "echo b >b; git add b; git commit -qm \"$(printf "
	           "'s\\033[1m\\342\\200\\256x')\" -m \"$(printf 'l1\\nl2')\"");
	assert_git(&w, &dt_op_git_log, &log,
	           "\"subject\":\"s[1mx\",\"body\":\"l1\\nl2\"}],"
	           "\"truncated\":true");
	log.skip = 1;
	assert_git(&w, &dt_op_git_log, &log,
	           "\"author\":\"Ada\",\"email\":\"ada@example.org\"");
	assert_has(w.json, "\"parents\":[],\"subject\":\"first thing\","
	                   "\"body\":\"because\"}],\"truncated\":false");
	log = (struct dt_git_log_args){ .limit = 9, .base = "HEAD~1" };
	assert_git(&w, &dt_op_git_log, &log, "s[1mx");
	assert_lacks(w.json, "first thing");
	log = (struct dt_git_log_args){ .limit = 9 };
	log.path = git_path(&w, "b");
	assert_git(&w, &dt_op_git_log, &log, "s[1mx");
	assert_lacks(w.json, "first thing");
	git_end(&w);
}

test(the_history_of_lines_is_that_of_these_lines)
{
	struct dt_git_log_args log = {
		.limit = 9,
		.first_line = { true, 1 },
		.last_line = { true, 1 },
	};
	struct git_world w;

	git_begin(&w, state);
	git_init(&w);
	git_sh(&w, "printf 'ONE\\ntwo\\n' >a.c; git commit -qam upper; "
	           "printf 'ONE\\nTWO\\n' >a.c; git commit -qam lower");
	log.path = git_path(&w, "a.c");
	assert_git(&w, &dt_op_git_log, &log, "lower");
	assert_has(w.json, "first thing");
	assert_lacks(w.json, "upper");
	log.first_line.value = 99;
	assert_no_git(&w, &dt_op_git_log, &log, DT_E_ARGS, "not before");
	log.last_line.value = 99;
	assert_no_git(&w, &dt_op_git_log, &log, DT_E_STATE, "2 lines");
	git_end(&w);
}

test(a_commit_is_shown_also_the_first_and_a_merge)
{
	struct dt_git_show_args show = { .commit = "HEAD", .has_patch = true };
	struct git_world w;

	git_begin(&w, state);
	git_init(&w);
	assert_git(&w, &dt_op_git_show, &show, "{\"commit\":{\"hash\":\"");
	assert_has(w.json, "\"path\":\"/w/a.c\",\"added\":2");
	assert_has(w.json, "+one\\n+two\\n");
	git_sh(&w, "git switch -qc side; echo s >s; git add s; "
	           "git commit -qm s; git switch -q main; "
	           "git merge -q --no-ff --no-edit side");
	assert_git(&w, &dt_op_git_show, &show, "\"path\":\"/w/s\"");
	show.has_patch = false;
	assert_git(&w, &dt_op_git_show, &show,
	           "{\"path\":\"/w/s\",\"added\":1,\"deleted\":0}");
	show.commit = "deadbeef";
	assert_no_git(&w, &dt_op_git_show, &show, DT_E_MISSING, "deadbeef");
	git_end(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_tempdir(a_new_repository_has_no_commit),
		test_in_tempdir(the_status_tells_all_kinds_of_changes),
		test_in_tempdir(
			a_merge_a_detached_head_and_an_upstream_are_told),
		test_in_tempdir(a_diff_comes_file_by_file),
		test_in_tempdir(a_large_diff_is_cut_at_a_line),
		test_in_tempdir(
			two_commits_are_compared_from_where_they_parted),
		test_in_tempdir(
			commits_are_listed_with_what_others_wrote_made_harmless),
		test_in_tempdir(the_history_of_lines_is_that_of_these_lines),
		test_in_tempdir(a_commit_is_shown_also_the_first_and_a_merge),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
