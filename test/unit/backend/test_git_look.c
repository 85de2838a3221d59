/* test/unit/backend/test_git_look.c - lines, branches, stashes, hotspots. */
#include "backend/git.h"

#include "backend/git_world.h"

test(each_line_has_its_commit_or_none_yet)
{
	struct dt_git_blame_args blame = { 0 };
	struct git_world w;

	git_begin(&w, state);
	git_init(&w);
	git_sh(&w, "printf '\\tthree \\374\\n' >>a.c");
	blame.path = git_path(&w, "a.c");
	assert_git(&w, &dt_op_git_blame, &blame,
	           "{\"path\":\"/w/a.c\",\"lines\":[{\"line\":0,\"hash\":\"");
	assert_has(w.json, "\"subject\":\"first thing\",\"text\":\"one\"}");
	assert_has(w.json, "{\"line\":2,\"author\":");
	assert_has(w.json, "\"text\":\"\\tthree ");
	assert_has(w.json, "\"truncated\":false");
	blame.first_line = (struct dt_maybe_u32){ true, 1 };
	blame.last_line = (struct dt_maybe_u32){ true, 1 };
	assert_git(&w, &dt_op_git_blame, &blame, "\"lines\":[{\"line\":1,");
	assert_lacks(w.json, "three");
	blame.last_line.value = 0;
	assert_no_git(&w, &dt_op_git_blame, &blame, DT_E_ARGS, "last line");
	blame.path = git_path(&w, "none.c");
	blame.last_line.value = 5;
	assert_no_git(&w, &dt_op_git_blame, &blame, DT_E_STATE, "none.c");
	git_end(&w);
}

test(a_long_file_is_blamed_in_parts)
{
	struct dt_git_blame_args blame = { 0 };
	struct git_world w;

	git_begin(&w, state);
	git_init(&w);
	git_sh(&w, "seq 501 >long; git add long; git commit -qm l");
	blame.path = git_path(&w, "long");
	assert_git(&w, &dt_op_git_blame, &blame, "\"truncated\":true");
	assert_has(w.json, "\"text\":\"500\"");
	assert_lacks(w.json, "\"text\":\"501\"");
	blame.first_line = (struct dt_maybe_u32){ true, 1 };
	assert_git(&w, &dt_op_git_blame, &blame, "\"truncated\":false");
	assert_has(w.json, "\"text\":\"501\"");
	git_end(&w);
}

test(branches_are_listed_with_what_they_follow)
{
	struct dt_git_branches_args branches = { 0 };
	struct git_world w;

	git_begin(&w, state);
	git_init(&w);
	git_sh(&w, "git clone -q . ../c && git remote add origin ../c && "
	           "git fetch -q && git remote set-head origin -a && "
	           "git branch -q -u origin/main && echo 3 >>a.c && "
	           "git commit -qam three && git branch topic HEAD~1");
	assert_git(&w, &dt_op_git_branches, &branches,
	           "{\"current\":\"main\",\"branches\":[");
	assert_has(w.json, "{\"name\":\"main\",\"current\":true,\"hash\":\"");
	assert_has(w.json,
	           "\"upstream\":\"origin/main\",\"track\":\"ahead 1\"");
	assert_has(w.json, "{\"name\":\"topic\",\"hash\":\"");
	assert_lacks(w.json, "\"remote\":true");
	branches.has_remote = true;
	assert_git(&w, &dt_op_git_branches, &branches,
	           "{\"name\":\"origin/main\",\"remote\":true,");
	assert_lacks(w.json, "origin/HEAD");
	git_end(&w);
}

test(stashes_are_counted_from_the_latest)
{
	static const struct dt_git_args here;
	struct git_world w;

	git_begin(&w, state);
	git_init(&w);
	assert_git(&w, &dt_op_git_stashes, &here, "{\"stashes\":[]}");
	/* A date in place of a number would be a setting of the person. */
	git_sh(&w, "git config log.date iso; echo 3 >>a.c; "
	           "git stash push -qm one; echo 4 >>a.c; "
	           "git stash push -qm two");
	assert_git(&w, &dt_op_git_stashes, &here,
	           "{\"stashes\":[{\"index\":0,");
	assert_has(w.json, "\"message\":\"On main: two\"},{\"index\":1,");
	assert_has(w.json, "\"message\":\"On main: one\"}]}");
	git_end(&w);
}

test(files_that_change_most_come_first)
{
	struct dt_git_hotspots_args hotspots = { .days = 9, .limit = 2 };
	struct git_world w;

	git_begin(&w, state);
	git_sh(&w, "git init -q -b main .");
	assert_no_git(&w, &dt_op_git_hotspots, &hotspots, DT_E_STATE,
	              "no commit yet");
	git_init(&w);
	git_sh(&w, "mkdir d; for i in 1 2 3; do echo $i >>':x'; "
	           "echo $i >d/y$i; git add -A; git commit -qm $i; done; "
	           "echo 9 >>a.c; GIT_COMMITTER_DATE='2001-01-01 00:00' "
	           "git commit -qam old");
	/* The old one on top ends the walk of git, so go round it. */
	git_sh(&w, "git reset -q --hard HEAD~1");
	assert_git(&w, &dt_op_git_hotspots, &hotspots,
	           "{\"commits\":4,\"hotspots\":[{\"path\":\"/w/:x\","
	           "\"commits\":3},{\"path\":\"/w/a.c\",\"commits\":1}],"
	           "\"truncated\":false}");
	hotspots.path = git_path(&w, "d");
	assert_git(&w, &dt_op_git_hotspots, &hotspots,
	           "{\"commits\":3,\"hotspots\":[{\"path\":\"/w/d/y1\","
	           "\"commits\":1},{\"path\":\"/w/d/y2\",\"commits\":1}],"
	           "\"truncated\":false}");
	git_end(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_tempdir(each_line_has_its_commit_or_none_yet),
		test_in_tempdir(a_long_file_is_blamed_in_parts),
		test_in_tempdir(branches_are_listed_with_what_they_follow),
		test_in_tempdir(stashes_are_counted_from_the_latest),
		test_in_tempdir(files_that_change_most_come_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
