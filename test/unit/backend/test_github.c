/*
 * test/unit/backend/test_github.c - how gh is run and what its failures become.
 *
 * No account at GitHub can be used by a test, so a script stands in for gh.  It
 * prints its arguments, or what the real one (2.40) prints and how that ends.
 */
#include "backend/git.h"

#include "backend/git_world.h"

static void put_gh(struct git_world *w, const char *script)
{
	git_sh(w, "mkdir -p ../bin");
	tempdir_put(w->dir, "bin/gh", script);
	git_sh(w, "chmod +x ../bin/gh");
	w->path = dt_arena_printf(
		&w->arena, "%s/bin:/usr/local/bin:/usr/bin:/bin", w->dir);
}

static void begin(struct git_world *w, void **state, const char *script)
{
	git_begin(w, state);
	git_init(w);
	git_sh(w, "git remote add origin https://github.com/a/b.git");
	put_gh(w, script);
}

static const char *words[] = { "pr", "view", "--json=a b" };
static const struct dt_github_args args = { .words = { words, 3 } };

test(gh_gets_its_words_in_the_repository)
{
	struct git_world w;

	begin(&w, state,
	      "#!/bin/sh\nprintf '%s|' \"$@\" \"$PWD\" \"$GH_PROMPT_DISABLED\"");
	assert_git(&w, &dt_op_github_read, &args,
	           "{\"output\":\"pr|view|--json=a b|/w|1|\","
	           "\"truncated\":false}");
	assert_git(&w, &dt_op_github_write, &args, "pr|view|");
	git_end(&w);
}

test(what_gh_misses_is_a_sentence)
{
	struct git_world w;

	git_begin(&w, state);
	git_init(&w);
	w.path = "/usr/bin:/bin";
	if (!dt_spawn_find(&w.arena, "gh", w.path))
		assert_no_git(&w, &dt_op_github_read, &args, DT_E_MISSING,
		              "gh, the command line of GitHub, is not "
		              "installed");
	put_gh(&w, "#!/bin/sh\nexit 9\n");
	assert_no_git(&w, &dt_op_github_read, &args, DT_E_STATE,
	              "the repository has no remote");
	git_sh(&w, "git remote add origin https://github.com/a/b.git");
	assert_no_git(&w, &dt_op_github_read, &args, DT_E_STATE,
	              "gh pr ended with exit code 9");
	put_gh(&w, "#!/bin/sh\necho 'To get started with GitHub CLI, please "
	           "run:  gh auth login' >&2\nexit 4\n");
	assert_no_git(&w, &dt_op_github_read, &args, DT_E_STATE,
	              "gh is not logged in");
	put_gh(&w, "#!/bin/sh\necho 'GraphQL: Could not resolve to a "
	           "PullRequest with the number of 999. "
	           "(repository.pullRequest)' >&2\nexit 1\n");
	assert_no_git(&w, &dt_op_github_read, &args, DT_E_MISSING,
	              "GitHub does not have it");
	put_gh(&w, "#!/bin/sh\necho 'gh: Not Found (HTTP 404)' >&2\nexit 1\n");
	assert_no_git(&w, &dt_op_github_write, &args, DT_E_MISSING,
	              "GitHub does not have it");
	git_end(&w);
}

test(a_patch_comes_file_by_file)
{
	struct git_world w;

	begin(&w, state,
	      "#!/bin/sh\nprintf 'diff --git a/x/.env b/x/.env\\n"
	      "index 1..2 100644\\n--- a/x/.env\\n+++ b/x/.env\\n"
	      "@@ -1 +1 @@\\n-a\\n+b\\n'\n");
	assert_git(&w, &dt_op_github_diff, &args,
	           "{\"files\":[{\"path\":\"/w/x/.env\",\"added\":1,"
	           "\"deleted\":1,\"text\":\"diff --git");
	put_gh(&w, "#!/bin/sh\necho 'no pull requests found for branch' >&2\n"
	           "exit 1\n");
	assert_no_git(&w, &dt_op_github_diff, &args, DT_E_MISSING,
	              "no pull requests found");
	git_end(&w);
}

test(of_a_long_log_the_end_is_told)
{
	struct dt_github_args tail = args;
	struct git_world w;

	begin(&w, state, "#!/bin/sh\nseq 100000\n");
	tail.is_tail = true;
	assert_git(&w, &dt_op_github_read, &tail, "99999\\n100000\\n\"");
	assert_has(w.json, "\"truncated\":true");
	assert_lacks(w.json, "\\n100\\n");
	git_end(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_tempdir(gh_gets_its_words_in_the_repository),
		test_in_tempdir(what_gh_misses_is_a_sentence),
		test_in_tempdir(a_patch_comes_file_by_file),
		test_in_tempdir(of_a_long_log_the_end_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
