/* test/unit/backend/test_git_write.c - staging, commits, branches, stashes. */
#include "backend/git.h"

#include "backend/git_world.h"

static struct dt_names names(const char **ptr, size_t count)
{
	return (struct dt_names){ ptr, count };
}

test(files_are_staged_by_their_literal_names)
{
	const char *files[] = { "*.c", "sub dir/b" };
	struct dt_git_add_args add = { .files = names(files, 2) };
	struct git_world w;

	git_begin(&w, state);
	git_init(&w);
	git_sh(&w, "echo 1 >'*.c'; echo 1 >z.c; mkdir 'sub dir'; "
	           "echo >'sub dir/b'");
	assert_git(&w, &dt_op_git_add, &add,
	           "{\"staged\":[\"/w/*.c\",\"/w/sub dir/b\"]}");
	files[0] = "?.c";
	assert_no_git(&w, &dt_op_git_add, &add, DT_E_STATE, "?.c");
	files[0] = git_path(&w, "z.c");
	assert_git(&w, &dt_op_git_add, &add, "\"/w/z.c\"");
	files[0] = "none";
	assert_no_git(&w, &dt_op_git_add, &add, DT_E_STATE, "none");
	files[0] = "../home/x";
	assert_no_git(&w, &dt_op_git_add, &add, DT_E_DENIED,
	              "outside the workspace");
	git_end(&w);
}

test(without_files_all_that_is_known_is_staged_and_new_files_if_wanted)
{
	struct dt_git_add_args add = { 0 };
	struct git_world w;

	git_begin(&w, state);
	git_init(&w);
	git_sh(&w, "echo 3 >>a.c; echo 1 >new; echo 2 >-n");
	assert_git(&w, &dt_op_git_add, &add, "{\"staged\":[\"/w/a.c\"]}");
	add.has_untracked = true;
	assert_git(&w, &dt_op_git_add, &add,
	           "{\"staged\":[\"/w/-n\",\"/w/a.c\",\"/w/new\"]}");
	git_end(&w);
}

test(the_index_of_clangd_is_staged_only_by_name)
{
	const char *files[] = { ".cache/clangd/index/a.idx" };
	struct dt_git_add_args add = { .has_untracked = true };
	struct git_world w;

	git_begin(&w, state);
	git_init(&w);
	git_sh(&w, "mkdir -p .cache/clangd/index sub/.cache/clangd/index; "
	           "echo 1 | tee .cache/clangd/index/a.idx "
	           "sub/.cache/clangd/index/b.idx .cache/mine sub/c");
	assert_git(&w, &dt_op_git_add, &add,
	           "{\"staged\":[\"/w/.cache/mine\",\"/w/sub/c\"]}");
	add.files = names(files, 1);
	assert_git(&w, &dt_op_git_add, &add, "/w/.cache/clangd/index/a.idx");
	git_end(&w);
}

static enum dt_err keep_env(void *owner, const char *path, struct dt_fail *fail)
{
	(void)owner;
	return strstr(path, ".env") ? dt_fail(fail, DT_E_DENIED, "kept")
	                            : DT_E_OK;
}

test(new_files_that_are_kept_are_not_staged)
{
	const char *files[] = { "sub" };
	struct dt_git_add_args add = { .has_untracked = true };
	struct dt_git_commit_args commit = { .message = "m", .is_all = true };
	struct git_world w;

	git_begin(&w, state);
	git_init(&w);
	w.docs.guard = keep_env;
	git_sh(&w, "mkdir sub; echo 1 | tee .env sub/.env.x sub/c new");
	add.files = names(files, 1);
	assert_git(&w, &dt_op_git_add, &add, "{\"staged\":[\"/w/sub/c\"]}");
	add.files.count = 0;
	assert_git(&w, &dt_op_git_add, &add,
	           "{\"staged\":[\"/w/new\",\"/w/sub/c\"]}");
	assert_git(&w, &dt_op_git_commit, &commit,
	           "\"files\":[\"/w/new\",\"/w/sub/c\"]");
	files[0] = ".env";
	add.files.count = 1;
	assert_no_git(&w, &dt_op_git_add, &add, DT_E_DENIED, "kept");
	/* One that git knows already is the repository's own. */
	git_sh(&w, "git add .env; echo 2 >.env");
	add.files.count = 0;
	assert_git(&w, &dt_op_git_add, &add, "{\"staged\":[\"/w/.env\"]}");
	git_end(&w);
}

test(a_commit_has_what_is_staged)
{
	const char *files[] = { "-m" };
	struct dt_git_commit_args commit = { .message = "--amend\n\nwhy" };
	struct git_world w;

	git_begin(&w, state);
	git_init(&w);
	assert_no_git(&w, &dt_op_git_commit, &commit, DT_E_STATE,
	              "there is nothing to commit");
	git_sh(&w, "echo 3 >>a.c; echo 1 >./-m");
	assert_no_git(&w, &dt_op_git_commit, &commit, DT_E_STATE,
	              "there is nothing to commit");
	commit.files = names(files, 1);
	assert_git(&w, &dt_op_git_commit, &commit,
	           "\"branch\":\"main\",\"subject\":\"--amend\","
	           "\"files\":[\"/w/-m\"]}");
	git_sh(&w, "test \"$(git log --format=%s | tr '\\n' ,)\" = "
	           "'--amend,first thing,'");
	commit.files.count = 0;
	commit.is_all = true;
	commit.message = "# kept";
	assert_git(&w, &dt_op_git_commit, &commit, "\"files\":[\"/w/a.c\"]}");
	git_sh(&w, "test \"$(git log -1 --format=%s)\" = '# kept'");
	commit.message = " \n";
	assert_no_git(&w, &dt_op_git_commit, &commit, DT_E_ARGS,
	              "message: is empty");
	git_end(&w);
}

test(the_first_commit_of_a_repository_works_too)
{
	struct dt_git_commit_args commit = { .message = "m", .is_all = true };
	struct git_world w;

	git_begin(&w, state);
	git_sh(&w, "git init -q -b main .; git config user.name a; "
	           "git config user.email b; echo >x");
	assert_git(&w, &dt_op_git_commit, &commit, "\"files\":[\"/w/x\"]}");
	git_end(&w);
}

test(a_commit_needs_somebody_who_makes_it)
{
	struct dt_git_commit_args commit = { .message = "m", .is_all = true };
	struct git_world w;

	git_begin(&w, state);
	git_init(&w);
	git_sh(&w, "git config --unset user.name; "
	           "git config --unset user.email; "
	           "git config user.useConfigOnly true; echo 3 >>a.c");
	assert_no_git(&w, &dt_op_git_commit, &commit, DT_E_STATE,
	              "set user.name and user.email");
	git_end(&w);
}

/* What git is told here is not for the git of a hook. */
test(a_hook_finds_git_as_it_is_for_its_person)
{
	struct dt_git_commit_args commit = { .message = "m", .is_all = true };
	struct git_world w;

	git_begin(&w, state);
	git_init(&w);
	git_sh(&w, "printf '#!/bin/sh\ntest \"$(git diff --cached "
	           "--name-only -- \\*.c)\" = a.c\n' "
	           ">.git/hooks/pre-commit; chmod +x .git/hooks/pre-commit; "
	           "echo 3 >>a.c");
	assert_git(&w, &dt_op_git_commit, &commit, "\"/w/a.c\"");
	git_end(&w);
}

test(a_hook_that_refuses_is_told)
{
	struct dt_git_commit_args commit = { .message = "m", .is_all = true };
	struct git_world w;

	git_begin(&w, state);
	git_init(&w);
	git_sh(&w, "printf '#!/bin/sh\\necho too long >&2; exit 1\\n' "
	           ">.git/hooks/pre-commit; chmod +x .git/hooks/pre-commit; "
	           "echo 3 >>a.c");
	assert_no_git(&w, &dt_op_git_commit, &commit, DT_E_STATE,
	              "hook pre-commit, and it or git said: too long");
	git_end(&w);
}

test(conflicts_are_resolved_before_a_commit)
{
	struct dt_git_commit_args commit = { .message = "m" };
	const char *files[] = { "a.c" };
	struct git_world w;

	git_begin(&w, state);
	git_init(&w);
	git_sh(&w, "git switch -qc other; echo o >>a.c; git commit -qam o; "
	           "git switch -q main; echo m >>a.c; git commit -qam m; "
	           "! git merge -q other");
	assert_no_git(&w, &dt_op_git_commit, &commit, DT_E_STATE,
	              "files have conflicts");
	git_sh(&w, "git checkout -q --ours a.c");
	commit.files = names(files, 1);
	/* Nothing differs, but it is a merge all the same. */
	assert_git(&w, &dt_op_git_commit, &commit, "\"files\":[]");
	git_sh(&w, "git rev-parse -q --verify HEAD^2");
	git_end(&w);
}

test(a_branch_is_made_and_left)
{
	struct dt_git_checkout_args to = { .branch = "topic/\xc3\xbc",
		                           .is_new = true };
	struct git_world w;

	git_begin(&w, state);
	git_init(&w);
	git_sh(&w, "echo 3 >>a.c; git commit -qam three");
	assert_git(&w, &dt_op_git_checkout, &to,
	           "{\"branch\":\"topic/\xc3\xbc\",\"previous\":\"main\"}");
	assert_no_git(&w, &dt_op_git_checkout, &to, DT_E_STATE, "exists");
	to = (struct dt_git_checkout_args){ .branch = "main" };
	assert_git(&w, &dt_op_git_checkout, &to,
	           "{\"branch\":\"main\",\"previous\":\"topic/\xc3\xbc\"}");
	to = (struct dt_git_checkout_args){ .branch = "b",
		                            .is_new = true,
		                            .base = "HEAD~1" };
	assert_git(&w, &dt_op_git_checkout, &to, "{\"branch\":\"b\"");
	git_sh(&w, "test \"$(git log -1 --format=%s)\" = 'first thing'");
	to.base = "none";
	to.branch = "c";
	assert_no_git(&w, &dt_op_git_checkout, &to, DT_E_MISSING,
	              "base: there is no commit");
	to = (struct dt_git_checkout_args){ .branch = "-f" };
	assert_no_git(&w, &dt_op_git_checkout, &to, DT_E_ARGS, "-f");
	to.branch = "a.lock";
	assert_no_git(&w, &dt_op_git_checkout, &to, DT_E_ARGS, "a.lock");
	to.branch = "none";
	assert_no_git(&w, &dt_op_git_checkout, &to, DT_E_STATE, "none");
	git_end(&w);
}

test(nothing_is_discarded_for_a_branch)
{
	struct dt_git_checkout_args to = { .branch = "other" };
	struct git_world w;

	git_begin(&w, state);
	git_init(&w);
	git_sh(&w, "git switch -qc other; echo o >>a.c; echo o >ign; "
	           "git add -f a.c ign; git commit -qm o; git switch -q main; "
	           "echo mine >>a.c");
	assert_no_git(&w, &dt_op_git_checkout, &to, DT_E_STATE,
	              "other is not checked out: ");
	git_sh(&w, "grep -q mine a.c; git checkout -q a.c; "
	           "echo ign >.git/info/exclude; echo precious >ign");
	assert_no_git(&w, &dt_op_git_checkout, &to, DT_E_STATE, "ign");
	git_sh(&w, "grep -q precious ign");
	git_end(&w);
}

test(a_merge_is_finished_before_the_branch_changes)
{
	struct dt_git_checkout_args to = { .branch = "other" };
	struct git_world w;

	git_begin(&w, state);
	git_init(&w);
	git_sh(&w, "git switch -qc other; echo o >>a.c; git commit -qam o; "
	           "git switch -q main; echo m >>a.c; git commit -qam m; "
	           "! git merge -q other");
	assert_no_git(&w, &dt_op_git_checkout, &to, DT_E_STATE,
	              "a merge is not finished");
	git_end(&w);
}

test(changes_are_put_aside_and_brought_back)
{
	struct dt_git_stash_args stash = { .message = "--all" };
	struct dt_git_pop_args pop = { 0 };
	struct git_world w;

	git_begin(&w, state);
	git_init(&w);
	assert_no_git(&w, &dt_op_git_stash, &stash, DT_E_STATE,
	              "there is nothing to stash; new files need");
	assert_no_git(&w, &dt_op_git_stash_pop, &pop, DT_E_MISSING,
	              "there is no stash 0");
	git_sh(&w, "echo mine >>a.c; echo new >n");
	assert_git(&w, &dt_op_git_stash, &stash, "{\"hash\":\"");
	git_sh(&w, "! grep -q mine a.c; test -e n; "
	           "git stash list | grep -q 'main: --all$'");
	stash.has_untracked = true;
	assert_git(&w, &dt_op_git_stash, &stash, "{\"hash\":\"");
	git_sh(&w, "test ! -e n");
	assert_git(&w, &dt_op_git_stash_pop, &pop, "{\"hash\":\"");
	git_sh(&w, "test -e n");
	pop.index = 1;
	assert_no_git(&w, &dt_op_git_stash_pop, &pop, DT_E_MISSING,
	              "there is no stash 1");
	git_end(&w);
}

test(a_stash_that_does_not_fit_is_kept)
{
	struct dt_git_pop_args pop = { 0 };
	struct git_world w;

	git_begin(&w, state);
	git_init(&w);
	git_sh(&w, "echo mine >>a.c; git stash -q; echo other >>a.c");
	assert_no_git(&w, &dt_op_git_stash_pop, &pop, DT_E_STATE,
	              "nothing was restored, the stash was kept");
	git_sh(&w, "git commit -qam o");
	assert_no_git(&w, &dt_op_git_stash_pop, &pop, DT_E_STATE,
	              "conflicts: it was kept");
	git_sh(&w, "test -n \"$(git stash list)\"");
	git_end(&w);
}

test(without_a_commit_nothing_can_be_stashed)
{
	static const struct dt_git_stash_args stash;
	struct git_world w;

	git_begin(&w, state);
	git_sh(&w, "git init -q -b main .");
	assert_no_git(&w, &dt_op_git_stash, &stash, DT_E_STATE,
	              "has no commit yet");
	git_end(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_tempdir(files_are_staged_by_their_literal_names),
		test_in_tempdir(
			without_files_all_that_is_known_is_staged_and_new_files_if_wanted),
		test_in_tempdir(the_index_of_clangd_is_staged_only_by_name),
		test_in_tempdir(new_files_that_are_kept_are_not_staged),
		test_in_tempdir(a_commit_has_what_is_staged),
		test_in_tempdir(the_first_commit_of_a_repository_works_too),
		test_in_tempdir(a_commit_needs_somebody_who_makes_it),
		test_in_tempdir(a_hook_finds_git_as_it_is_for_its_person),
		test_in_tempdir(a_hook_that_refuses_is_told),
		test_in_tempdir(conflicts_are_resolved_before_a_commit),
		test_in_tempdir(a_branch_is_made_and_left),
		test_in_tempdir(nothing_is_discarded_for_a_branch),
		test_in_tempdir(a_merge_is_finished_before_the_branch_changes),
		test_in_tempdir(changes_are_put_aside_and_brought_back),
		test_in_tempdir(a_stash_that_does_not_fit_is_kept),
		test_in_tempdir(without_a_commit_nothing_can_be_stashed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
