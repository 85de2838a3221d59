/* test/unit/backend/test_git_net.c - remotes that are bare repositories. */
#include "backend/git.h"

#include "backend/git_world.h"

static const struct dt_git_fetch_args fetch_all = { .is_all = true };
static const struct dt_git_push_args push;
static const struct dt_git_pull_args pull;

/* origin is bare, main is pushed and followed; c is another clone of it. */
static void begin(struct git_world *w, void **state)
{
	git_begin(w, state);
	git_init(w);
	git_sh(w, "git init -q --bare -b main ../o && "
	          "git remote add origin \"$PWD/../o\" && "
	          "git push -q -u origin main && "
	          "git clone -q ../o ../c && cd ../c && "
	          "git config user.name Bob && git config user.email b@b");
}

/* Bob pushes a line to a file. */
static void others_push(struct git_world *w, const char *file)
{
	git_sh(w, dt_arena_printf(&w->arena,
	                          "cd ../c && echo bob >>%s && git add %s && "
	                          "git commit -qm bob && git push -q",
	                          file, file));
}

test(a_remote_is_one_that_is_there)
{
	struct dt_git_fetch_args fetch = { .remote = "nobody" };
	struct git_world w;

	git_begin(&w, state);
	git_init(&w);
	assert_no_git(&w, &dt_op_git_fetch, &fetch, DT_E_STATE,
	              "the repository has no remote");
	git_sh(&w, "git remote add origin /nonexistent/x");
	assert_no_git(&w, &dt_op_git_fetch, &fetch, DT_E_MISSING,
	              "there is no remote \"nobody\" here, only: origin");
	fetch.remote = "--upload-pack=touch x";
	assert_no_git(&w, &dt_op_git_fetch, &fetch, DT_E_MISSING,
	              "there is no remote");
	fetch.remote = "./.";
	assert_no_git(&w, &dt_op_git_fetch, &fetch, DT_E_MISSING,
	              "there is no remote");
	fetch.remote = "origin";
	assert_no_git(&w, &dt_op_git_fetch, &fetch, DT_E_STATE, "git fetch: ");
	git_end(&w);
}

test(a_fetch_tells_what_moved)
{
	struct git_world w;

	begin(&w, state);
	assert_git(&w, &dt_op_git_fetch, &fetch_all, "{\"refs\":[]}");
	others_push(&w, "b");
	git_sh(&w, "cd ../c && git push -q origin main:aaa main:zzz");
	assert_git(&w, &dt_op_git_fetch, &fetch_all,
	           "{\"refs\":[{\"name\":\"refs/remotes/origin/aaa\","
	           "\"after\":\"");
	assert_has(w.json,
	           "{\"name\":\"refs/remotes/origin/main\",\"before\":\"");
	assert_has(w.json,
	           "{\"name\":\"refs/remotes/origin/zzz\",\"after\":\"");
	git_sh(&w, "git config fetch.prune true; "
	           "cd ../c && git push -q origin :zzz");
	assert_git(&w, &dt_op_git_fetch, &fetch_all,
	           "{\"refs\":[{\"name\":\"refs/remotes/origin/zzz\","
	           "\"before\":\"");
	git_end(&w);
}

test(a_pull_brings_what_is_new)
{
	struct git_world w;

	begin(&w, state);
	assert_git(&w, &dt_op_git_pull, &pull, "{\"before\":\"");
	others_push(&w, "b");
	/* A change that is not in the way stays. */
	git_sh(&w, "echo mine >>a.c");
	assert_git(&w, &dt_op_git_pull, &pull, "{\"before\":\"");
	git_sh(&w, "grep -q bob b; grep -q mine a.c");
	git_end(&w);
}

test(a_pull_loses_nothing)
{
	struct dt_git_pull_args rebase = { .is_rebase = true };
	struct git_world w;

	begin(&w, state);
	others_push(&w, "a.c");
	git_sh(&w, "echo mine >>a.c");
	assert_no_git(&w, &dt_op_git_pull, &pull, DT_E_STATE,
	              "nothing was pulled: ");
	git_sh(&w, "grep -q mine a.c; git config rebase.autoStash true");
	assert_no_git(&w, &dt_op_git_pull, &rebase, DT_E_STATE,
	              "changes that are not committed");
	git_sh(&w, "git commit -qam mine");
	assert_no_git(&w, &dt_op_git_pull, &pull, DT_E_STATE,
	              "the merge has conflicts");
	assert_no_git(&w, &dt_op_git_pull, &pull, DT_E_STATE,
	              "something is not finished");
	git_sh(&w, "git merge --abort");
	git_end(&w);
}

test(both_sides_are_joined_by_merge_or_rebase)
{
	struct dt_git_pull_args rebase = { .is_rebase = true };
	struct git_world w;

	begin(&w, state);
	others_push(&w, "b");
	git_sh(&w, "echo mine >>a.c; git commit -qam mine");
	assert_git(&w, &dt_op_git_pull, &pull, "{\"before\":\"");
	git_sh(&w, "git rev-parse -q --verify HEAD^2 && "
	           "git reset -q --hard HEAD^1");
	assert_git(&w, &dt_op_git_pull, &rebase, "{\"before\":\"");
	git_sh(&w, "test \"$(git log --format=%s | tr '\\n' ,)\" = "
	           "'mine,bob,first thing,'");
	git_end(&w);
}

test(a_pull_needs_a_branch_with_an_upstream)
{
	struct dt_git_pull_args from = { .remote = "origin", .branch = "main" };
	struct git_world w;

	begin(&w, state);
	others_push(&w, "b");
	git_sh(&w, "git switch -qc topic");
	assert_no_git(&w, &dt_op_git_pull, &pull, DT_E_STATE,
	              "the branch has no upstream");
	assert_git(&w, &dt_op_git_pull, &from, "\"after\":\"");
	git_sh(&w, "grep -q bob b");
	from.remote = NULL;
	assert_no_git(&w, &dt_op_git_pull, &from, DT_E_ARGS,
	              "branch: goes with remote");
	from.remote = "origin";
	from.branch = "a:b";
	assert_no_git(&w, &dt_op_git_pull, &from, DT_E_ARGS, "a:b");
	git_sh(&w, "git switch -q --detach");
	assert_no_git(&w, &dt_op_git_pull, &pull, DT_E_STATE,
	              "HEAD is detached");
	git_end(&w);
}

test(a_push_says_what_became_of_it)
{
	struct dt_git_push_args new = { .sets_upstream = true };
	struct git_world w;

	begin(&w, state);
	assert_git(&w, &dt_op_git_push, &push,
	           "{\"remote\":\"origin\",\"branch\":\"main\",\"hash\":\"");
	assert_has(w.json, "\"state\":\"up to date\"}");
	git_sh(&w, "echo 3 >>a.c; git commit -qam three");
	assert_git(&w, &dt_op_git_push, &push, "\"state\":\"updated\"}");
	git_sh(&w, "git switch -qc topic");
	assert_no_git(&w, &dt_op_git_push, &push, DT_E_STATE,
	              "topic has no upstream: pass setUpstream");
	assert_git(&w, &dt_op_git_push, &new, "\"state\":\"new\"}");
	git_sh(&w, "test \"$(git rev-parse --abbrev-ref @{u})\" = "
	           "origin/topic");
	git_end(&w);
}

test(a_push_that_the_remote_refuses_says_why)
{
	struct dt_git_push_args none = { .branch = "none" };
	struct git_world w;

	begin(&w, state);
	others_push(&w, "b");
	git_sh(&w, "echo 3 >>a.c; git commit -qam three");
	assert_no_git(&w, &dt_op_git_push, &push, DT_E_STATE,
	              "main of origin has commits that are not here");
	git_sh(&w, "git pull -q --no-rebase --no-edit; "
	           "printf '#!/bin/sh\\necho not today; exit 1\\n' "
	           ">../o/hooks/pre-receive; chmod +x ../o/hooks/pre-receive");
	assert_no_git(&w, &dt_op_git_push, &push, DT_E_STATE,
	              "origin did not take it: not today");
	assert_no_git(&w, &dt_op_git_push, &none, DT_E_MISSING,
	              "there is no branch none");
	none.branch = ":main";
	assert_no_git(&w, &dt_op_git_push, &none, DT_E_ARGS, ":main");
	git_sh(&w, "git switch -q --detach");
	assert_no_git(&w, &dt_op_git_push, &push, DT_E_STATE,
	              "HEAD is detached");
	git_end(&w);
}

test(main_branches_are_never_forced)
{
	struct dt_git_push_args force = { .is_forced = true };
	struct git_world w;

	begin(&w, state);
	assert_no_git(&w, &dt_op_git_push, &force, DT_E_DENIED,
	              "main is a main branch of origin");
	git_sh(&w, "git switch -qc trunk; git push -q -u origin trunk; "
	           "git -C ../o symbolic-ref HEAD refs/heads/trunk");
	assert_no_git(&w, &dt_op_git_push, &force, DT_E_DENIED,
	              "trunk is a main branch of origin");
	git_end(&w);
}

test(a_branch_is_forced_only_over_what_was_fetched)
{
	struct dt_git_push_args force = { .is_forced = true };
	struct git_world w;

	begin(&w, state);
	git_sh(&w, "git switch -qc topic; echo 3 >>a.c; git commit -qam x; "
	           "git push -q -u origin topic; "
	           "git commit -q --amend -m y");
	assert_no_git(&w, &dt_op_git_push, &push, DT_E_STATE,
	              "has commits that are not here");
	assert_git(&w, &dt_op_git_push, &force, "\"state\":\"forced\"}");
	git_sh(&w, "cd ../c && git fetch -q && git switch -q topic && "
	           "echo bob >b && git add b && git commit -qm bob && "
	           "git push -q; cd ../w; git commit -q --amend -m z");
	assert_no_git(&w, &dt_op_git_push, &force, DT_E_STATE,
	              "has commits that are not here");
	git_sh(&w, "test \"$(git -C ../o log -1 --format=%s topic)\" = bob");
	git_end(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_tempdir(a_remote_is_one_that_is_there),
		test_in_tempdir(a_fetch_tells_what_moved),
		test_in_tempdir(a_pull_brings_what_is_new),
		test_in_tempdir(a_pull_loses_nothing),
		test_in_tempdir(both_sides_are_joined_by_merge_or_rebase),
		test_in_tempdir(a_pull_needs_a_branch_with_an_upstream),
		test_in_tempdir(a_push_says_what_became_of_it),
		test_in_tempdir(a_push_that_the_remote_refuses_says_why),
		test_in_tempdir(main_branches_are_never_forced),
		test_in_tempdir(a_branch_is_forced_only_over_what_was_fetched),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
