/* test/unit/backend/test_git.c - the right place, and what is refused. */
#include "backend/git.h"

#include "backend/git_world.h"

#include <unistd.h>

static const struct dt_git_args here;

test(where_no_repository_is_a_sentence_says_so)
{
	struct git_world w;

	git_begin(&w, state);
	assert_no_git(&w, &dt_op_git_status, &here, DT_E_STATE,
	              "is not in the work tree of a git repository");
	git_sh(&w, "git init -q --bare .");
	assert_no_git(&w, &dt_op_git_status, &here, DT_E_STATE,
	              "is not in the work tree of a git repository");
	git_end(&w);
}

test(a_repository_that_git_refuses_is_told_in_its_words)
{
	struct git_world w;

	git_begin(&w, state);
	git_init(&w);
	git_sh(&w, "echo '[broken' >>.git/config");
	assert_no_git(&w, &dt_op_git_status, &here, DT_E_STATE, "bad config");
	git_end(&w);
}

test(a_machine_without_git_gets_a_sentence)
{
	struct git_world w;

	git_begin(&w, state);
	w.path = "/nonexistent";
	assert_no_git(&w, &dt_op_git_status, &here, DT_E_MISSING,
	              "git is not on the PATH");
	git_end(&w);
}

test(what_is_outside_the_roots_is_refused)
{
	struct dt_git_args outside = { "/etc/passwd" };
	struct git_world w;

	git_begin(&w, state);
	git_init(&w);
	assert_no_git(&w, &dt_op_git_status, &outside, DT_E_DENIED,
	              "/etc/passwd is outside the workspace");
	git_sh(&w, "ln -s /etc out");
	outside.path = git_path(&w, "out/passwd");
	assert_no_git(&w, &dt_op_git_status, &outside, DT_E_DENIED,
	              "is outside the workspace");
	outside.path = git_path(&w, "../home");
	assert_no_git(&w, &dt_op_git_status, &outside, DT_E_DENIED,
	              "is outside the workspace");
	git_end(&w);
}

/* A root may be a folder of a larger repository: the rest is not told. */
test(what_is_above_the_root_is_left_out)
{
	struct dt_git_log_args log = { .limit = 9 };
	struct dt_git_diff_args diff = { 0 };
	struct git_world w;

	git_begin(&w, state);
	git_sh(&w, "cd .. && git init -q -b main . && "
	           "git config user.name a && git config user.email b && "
	           "echo 1 >above && git add above && git commit -qm above && "
	           "echo 1 >w/in && git add w && git commit -qm inside && "
	           "echo 2 >>above && echo 2 >>w/in && echo >above2");
	assert_git(&w, &dt_op_git_status, &here, "\"path\":\"/w/in\"");
	assert_lacks(w.json, "above");
	assert_git(&w, &dt_op_git_diff, &diff, "\"path\":\"/w/in\"");
	assert_lacks(w.json, "above");
	assert_git(&w, &dt_op_git_log, &log, "inside");
	assert_lacks(w.json, "above");
	git_end(&w);
}

test(a_submodule_and_a_work_tree_are_repositories_of_their_own)
{
	struct dt_git_args inside = { 0 };
	struct git_world w;

	git_begin(&w, state);
	git_init(&w);
	git_sh(&w, "git -c protocol.file.allow=always submodule --quiet add "
	           "./. sub 2>/dev/null || git clone -q . sub; "
	           "git worktree add -q tree -b other");
	inside.path = git_path(&w, "sub/a.c");
	assert_git(&w, &dt_op_git_status, &inside, "\"root\":\"/w/sub\"");
	inside.path = git_path(&w, "tree");
	assert_git(&w, &dt_op_git_status, &inside,
	           "\"root\":\"/w/tree\",\"branch\":\"other\"");
	git_end(&w);
}

/* Programs that a repository could name are not run by who only reads. */
test(settings_of_a_repository_run_nothing_on_reading)
{
	struct dt_git_blame_args blame = { 0 };
	struct dt_git_show_args show = { .commit = "HEAD", .has_patch = true };
	struct dt_git_log_args log = { .limit = 3 };
	struct dt_git_diff_args diff = { 0 };
	struct git_world w;

	git_begin(&w, state);
	git_init(&w);
	git_sh(&w, "trap=\"sh -c 'touch $PWD/../ran; cat'\"; "
	           "git config core.fsmonitor \"$trap\"; "
	           "git config core.pager \"$trap\"; "
	           "git config pager.log \"$trap\"; "
	           "git config diff.external \"$trap\"; "
	           "git config diff.x.command \"$trap\"; "
	           "git config diff.x.textconv \"$trap\"; "
	           "git config log.showSignature true; "
	           "git config gpg.program \"$trap\"; "
	           "git config alias.status '!touch ../ran'; "
	           "echo '*.c diff=x' >.gitattributes; echo three >>a.c");
	blame.path = git_path(&w, "a.c");
	assert_git(&w, &dt_op_git_status, &here, "modified");
	assert_git(&w, &dt_op_git_diff, &diff, "+three");
	assert_git(&w, &dt_op_git_log, &log, "first thing");
	assert_git(&w, &dt_op_git_show, &show, "+one");
	assert_git(&w, &dt_op_git_blame, &blame, "three");
	git_sh(&w, "test ! -e ../ran");
	git_end(&w);
}

/* One that came with a clone, as files among others. */
test(a_folder_that_looks_like_a_repository_is_none)
{
	struct dt_git_diff_args diff = { 0 };
	struct dt_git_add_args add = { 0 };
	struct git_world w;

	git_begin(&w, state);
	git_init(&w);
	git_sh(&w, "git init -q --bare evil; cd evil; echo hi >a.txt; "
	           "echo '*.txt filter=x' >.gitattributes; "
	           "git config core.bare false; git config core.worktree .; "
	           "git add a.txt .gitattributes; "
	           "git config filter.x.clean \"touch $PWD/../../ran; cat\"; "
	           "echo more >>a.txt");
	diff.path = git_path(&w, "evil/a.txt");
	add.path = diff.path;
	assert_no_git(&w, &dt_op_git_diff, &diff, DT_E_STATE,
	              "cannot use bare repository");
	assert_no_git(&w, &dt_op_git_add, &add, DT_E_STATE,
	              "cannot use bare repository");
	git_sh(&w, "test ! -e ../ran");
	git_end(&w);
}

test(names_of_commits_are_no_options_and_no_ranges)
{
	static const char *const bad[] = { "",    "-x",  "--output=x", "a..b",
		                           "a b", "a:b", "a\nb",       "$(x)",
		                           "a;b", "+a",  "^{/x y}",    "*" };
	static const char *const good[] = { "main",      "HEAD~2",
		                            "v1.0^{}",   "feature/a-b",
		                            "@{u}",      "gr\xc3\xbc\xc3\x9f",
		                            "a+b#1=2,%", "stash@{1}" };
	struct dt_fail fail = { 0 };

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(dt_git_check_ref(bad[i], "ref", NULL),
		                 DT_E_ARGS);
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		assert_ok(dt_git_check_ref(good[i], "ref", NULL));
	assert_int_equal(dt_git_check_ref("-x", "ref1", &fail), DT_E_ARGS);
	assert_string_equal(fail.msg, "ref1: \"-x\" is not the name of a "
	                              "branch, a tag or a commit");
}

/* Once the hook runs. */
static void drop_when_begun(struct dt_timer *timer, void *owner)
{
	struct git_world *w = owner;

	if (access(dt_arena_printf(&w->arena, "%s/began", w->dir), F_OK))
		return;
	dt_timer_free(timer);
	dt_answer_drop(&w->answer);
}

/* A hook that takes its time stands for any git that does. */
test(git_is_asked_to_end_when_nobody_waits)
{
	struct dt_git_commit_args commit = { .message = "m", .is_all = true };
	struct git_world w;

	git_begin(&w, state);
	git_init(&w);
	git_sh(&w, "printf '#!/bin/sh\\ntouch ../began; sleep 30\\n' "
	           ">.git/hooks/pre-commit; chmod +x .git/hooks/pre-commit; "
	           "echo 3 >>a.c");
	git_start(&w, &dt_op_git_commit, &commit);
	dt_timer_repeat(dt_timer_new(w.loop, drop_when_begun, &w), 10);
	dt_loop_run(w.loop);
	assert_int_equal(w.ended, 0);
	/* It took its lock with it. */
	git_sh(&w, "test ! -e .git/index.lock && test -z \"$(git log "
	           "--format=%s | grep m$)\"");
	git_end(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_tempdir(where_no_repository_is_a_sentence_says_so),
		test_in_tempdir(
			a_repository_that_git_refuses_is_told_in_its_words),
		test_in_tempdir(a_machine_without_git_gets_a_sentence),
		test_in_tempdir(what_is_outside_the_roots_is_refused),
		test_in_tempdir(what_is_above_the_root_is_left_out),
		test_in_tempdir(
			a_submodule_and_a_work_tree_are_repositories_of_their_own),
		test_in_tempdir(
			settings_of_a_repository_run_nothing_on_reading),
		test_in_tempdir(a_folder_that_looks_like_a_repository_is_none),
		cmocka_unit_test(names_of_commits_are_no_options_and_no_ranges),
		test_in_tempdir(git_is_asked_to_end_when_nobody_waits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
