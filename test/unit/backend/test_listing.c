/* test/unit/backend/test_listing.c - the real git, and none. */
#include "backend/listing.h"

#include "base/buf.h"
#include "base/limits.h"
#include "base/tempdir.h"
#include "loop/spawn.h"
#include "unit.h"

#include <unistd.h>

struct fixture {
	struct dt_loop *loop;
	struct dt_arena arena;
	const char *dir;
	const char *roots[2]; /* dir/w and, where a test wants it, another */
	size_t root_count;
	const char *git;

	struct dt_answer answer;
	int ended;
	struct dt_fail fail;
	char *paths; /* one a line, without dir */
	uint32_t total;
	bool is_cut;
	const char *source;
};

static void on_end(struct dt_answer *answer, const void *result,
                   const struct dt_fail *fail, void *owner)
{
	const struct dt_list_files_result *list = result;
	struct fixture *f = owner;
	struct dt_buf text;

	(void)answer;
	f->ended++;
	if (fail) {
		f->fail = *fail;
		return;
	}
	dt_buf_init(&text, DT_MIB);
	for (size_t i = 0; i < list->paths.count; i++)
		dt_buf_addf(&text, "%s\n",
		            list->paths.ptr[i] + strlen(f->dir) + 1);
	f->paths = dt_arena_strdup(&f->arena, dt_buf_z(&text));
	dt_buf_done(&text);
	f->total = list->total;
	f->is_cut = list->is_cut;
	f->source = dt_arena_strdup(&f->arena, list->source);
}

/* A folder of a workspace with files; git where `has_git`. */
static void begin(struct fixture *f, void **state, bool has_git)
{
	*f = (struct fixture){ .loop = dt_loop_new(), .dir = *state };
	tempdir_mkdir(f->dir, "w");
	tempdir_mkdir(f->dir, "w/src");
	tempdir_put(f->dir, "w/src/a.c", "a\n");
	tempdir_put(f->dir, "w/src/a.o", "o\n");
	tempdir_put(f->dir, "w/.gitignore", "*.o\nbuild/\n");
	tempdir_mkdir(f->dir, "w/build");
	tempdir_put(f->dir, "w/build/out", "o\n");
	f->roots[0] = dt_arena_printf(&f->arena, "%s/w", f->dir);
	f->root_count = 1;
	if (has_git)
		f->git = dt_spawn_find(&f->arena, "git", getenv("PATH"));
}

static void end(struct fixture *f)
{
	dt_loop_run(f->loop);
	dt_loop_free(f->loop);
	dt_arena_done(&f->arena);
}

static void start(struct fixture *f, const struct dt_list_files_args *args)
{
	/* No settings of whoever runs the tests, and a trap for git. */
	char *env[] = {
		"PATH=/usr/bin:/bin",
		"HOME=/nonexistent",
		"GIT_DIR=/nonexistent",
		NULL,
	};
	struct dt_names roots = { f->roots, f->root_count };
	struct dt_listing_spec spec = { f->loop, &roots, f->git, env };

	f->ended = 0;
	f->fail = (struct dt_fail){ 0 };
	f->paths = NULL;
	dt_answer_init(&f->answer, on_end, f);
	dt_listing_start(&spec, args, &f->answer);
}

static enum dt_err list(struct fixture *f,
                        const struct dt_list_files_args *args)
{
	start(f, args);
	dt_loop_run(f->loop);
	assert_int_equal(f->ended, 1);
	return f->fail.code;
}

static void run_git(struct fixture *f, const char *words)
{
	char *command = dt_arena_printf(
		&f->arena,
		"cd %s && HOME=/nonexistent git -c init.defaultBranch=main "
		"-c user.name=n -c user.email=e@e %s",
		f->roots[0], words);

	assert_non_null(f->git);
	/* NOLINTNEXTLINE(cert-env33-c): a test of git needs a repository */
	assert_int_equal(system(command), 0);
}

test(git_says_what_is_ignored)
{
	struct dt_list_files_args args = { .has_hidden = true };
	struct fixture f;

	begin(&f, state, true);
	run_git(&f, "init -q");
	tempdir_put(f.dir, "w/new\nline", "untracked\n");
	assert_ok(list(&f, &args));
	assert_string_equal(f.paths, "w/.gitignore\nw/new\nline\nw/src/a.c\n");
	assert_string_equal(f.source, "git");
	assert_int_equal(f.total, 3);
	assert_false(f.is_cut);
	end(&f);
}

test(what_was_removed_is_not_listed)
{
	struct dt_list_files_args args = { 0 };
	struct fixture f;

	begin(&f, state, true);
	tempdir_put(f.dir, "w/gone", "g\n");
	run_git(&f, "init -q && git add . && rm gone");
	assert_ok(list(&f, &args));
	assert_string_equal(f.paths, "w/src/a.c\n");
	end(&f);
}

test(a_folder_of_many_names_is_read_once)
{
	struct dt_list_files_args args = { .directory = NULL };
	struct fixture f;
	char name[32];

	begin(&f, state, true);
	tempdir_mkdir(f.dir, "w/lib");
	for (char c = 'a'; c < 'l'; c++) {
		snprintf(name, sizeof(name), "w/lib/%c", c);
		tempdir_put(f.dir, name, "x\n");
	}
	run_git(&f, "init -q && git add .");
	run_git(&f, "--version >/dev/null && rm lib/b lib/c && mkdir lib/c");
	assert_ok(list(&f, &args));
	assert_string_equal(f.paths, "w/lib/a\nw/lib/c/\nw/lib/d\nw/lib/e\n"
	                             "w/lib/f\nw/lib/g\nw/lib/h\nw/lib/i\n"
	                             "w/lib/j\nw/lib/k\nw/src/a.c\n");
	args.depth = 1;
	assert_ok(list(&f, &args));
	assert_string_equal(f.paths, "w/lib/\nw/src/\n");
	assert_int_equal(f.total, 2);
	end(&f);
}

test(a_repository_inside_is_a_folder)
{
	struct dt_list_files_args args = { 0 };
	struct fixture f;

	begin(&f, state, true);
	run_git(&f, "init -q && git init -q sub");
	tempdir_put(f.dir, "w/sub/x", "x\n");
	run_git(&f, "-C sub add x && git -c user.name=n -c user.email=e@e "
	            "-C sub commit -qm x && git add sub 2>&1 | cat >/dev/null");
	assert_ok(list(&f, &args));
	assert_string_equal(f.paths, "w/src/a.c\nw/sub/\n");
	end(&f);
}

test(a_program_the_repository_names_is_not_run)
{
	struct dt_list_files_args args = { 0 };
	struct fixture f;

	begin(&f, state, true);
	tempdir_put(f.dir, "evil", "#!/bin/sh\ntouch \"$0.ran\"\n");
	assert_int_equal(
		chmod(dt_arena_printf(&f.arena, "%s/evil", f.dir), 0755), 0);
	run_git(&f, "init -q && git add .");
	run_git(&f, dt_arena_printf(&f.arena, "config core.fsmonitor %s/evil",
	                            f.dir));
	assert_ok(list(&f, &args));
	assert_string_equal(f.paths, "w/src/a.c\n");
	assert_int_not_equal(
		access(dt_arena_printf(&f.arena, "%s/evil.ran", f.dir), F_OK),
		0);
	end(&f);
}

test(without_git_the_folder_is_walked)
{
	struct dt_list_files_args args = { 0 };
	struct fixture f;

	begin(&f, state, false);
	assert_ok(list(&f, &args));
	assert_string_equal(f.paths, "w/build/out\nw/src/a.c\nw/src/a.o\n");
	assert_string_equal(f.source, "walk");
	f.git = "/no/such/git";
	assert_ok(list(&f, &args));
	assert_int_equal(f.total, 3);
	end(&f);
}

test(a_folder_that_is_no_repository_is_walked)
{
	struct dt_list_files_args args = { 0 };
	struct fixture f;

	begin(&f, state, true);
	assert_ok(list(&f, &args));
	assert_string_equal(f.source, "walk");
	assert_int_equal(f.total, 3);
	end(&f);
}

test(where_git_lists_nothing_nothing_is_walked)
{
	struct dt_list_files_args args = { .has_hidden = true };
	struct fixture f;

	begin(&f, state, true);
	tempdir_put(f.dir, "w/.gitignore", "*\n");
	run_git(&f, "init -q");
	assert_ok(list(&f, &args));
	assert_string_equal(f.source, "git");
	assert_int_equal(f.total, 0);
	assert_false(f.is_cut);
	end(&f);
}

test(a_git_that_is_killed_is_not_made_up_for_by_a_walk)
{
	struct dt_list_files_args args = { 0 };
	struct fixture f;

	begin(&f, state, false);
	tempdir_put(f.dir, "git",
	            "#!/bin/sh\nprintf 'src/a.c\\0src/a.'; kill -9 $$\n");
	f.git = dt_arena_printf(&f.arena, "%s/git", f.dir);
	assert_int_equal(chmod(f.git, 0700), 0);
	assert_ok(list(&f, &args));
	assert_string_equal(f.paths, "w/src/a.c\n");
	assert_string_equal(f.source, "git");
	assert_true(f.is_cut);
	end(&f);
}

test(an_ignored_folder_can_be_asked_for)
{
	struct dt_list_files_args args = { 0 };
	struct fixture f;

	begin(&f, state, true);
	run_git(&f, "init -q");
	args.directory = dt_arena_printf(&f.arena, "%s/build", f.roots[0]);
	assert_ok(list(&f, &args));
	assert_string_equal(f.paths, "w/build/out\n");
	args.directory = dt_arena_printf(&f.arena, "%s/src/../src", f.roots[0]);
	assert_ok(list(&f, &args));
	assert_string_equal(f.paths, "w/src/a.c\n");
	assert_string_equal(f.source, "git");
	end(&f);
}

test(every_root_is_listed)
{
	struct dt_list_files_args args = { .glob = "*.c" };
	struct fixture f;

	begin(&f, state, true);
	run_git(&f, "init -q");
	tempdir_mkdir(f.dir, "v");
	tempdir_put(f.dir, "v/b.c", "b\n");
	f.roots[1] = dt_arena_printf(&f.arena, "%s/v", f.dir);
	f.root_count = 2;
	assert_ok(list(&f, &args));
	assert_string_equal(f.paths, "v/b.c\nw/src/a.c\n");
	assert_string_equal(f.source, "walk");
	args.limit = (struct dt_maybe_u32){ true, 1 };
	assert_ok(list(&f, &args));
	assert_string_equal(f.paths, "v/b.c\n");
	assert_true(f.is_cut);
	assert_int_equal(f.total, 2);
	end(&f);
}

test(what_is_outside_or_no_folder_is_refused_at_once)
{
	struct dt_list_files_args args = { .directory = "/etc" };
	struct fixture f;

	begin(&f, state, true);
	assert_int_equal(list(&f, &args), DT_E_DENIED);
	assert_string_equal(f.fail.msg, "/etc is outside the workspace");
	args.directory = dt_arena_printf(&f.arena, "%s/../..", f.roots[0]);
	assert_int_equal(list(&f, &args), DT_E_DENIED);
	assert_int_equal(symlink("/etc", dt_arena_printf(&f.arena, "%s/link",
	                                                 f.roots[0])),
	                 0);
	args.directory = dt_arena_printf(&f.arena, "%s/link", f.roots[0]);
	assert_int_equal(list(&f, &args), DT_E_DENIED);
	args.directory = dt_arena_printf(&f.arena, "%s/none", f.roots[0]);
	assert_int_equal(list(&f, &args), DT_E_MISSING);
	args = (struct dt_list_files_args){ .glob = "{" };
	start(&f, &args);
	assert_int_equal(f.ended, 1);
	assert_int_equal(f.fail.code, DT_E_ARGS);
	end(&f);
}

test(a_listing_can_be_dropped_at_any_time)
{
	struct dt_list_files_args args = { 0 };
	struct fixture f;

	begin(&f, state, true);
	start(&f, &args);
	dt_answer_drop(&f.answer); /* git runs */
	dt_loop_run(f.loop);
	f.git = NULL;
	start(&f, &args);
	dt_answer_drop(&f.answer); /* the thread does */
	dt_loop_run(f.loop);
	assert_int_equal(f.ended, 0);
	end(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_tempdir(git_says_what_is_ignored),
		test_in_tempdir(what_was_removed_is_not_listed),
		test_in_tempdir(a_folder_of_many_names_is_read_once),
		test_in_tempdir(a_repository_inside_is_a_folder),
		test_in_tempdir(a_program_the_repository_names_is_not_run),
		test_in_tempdir(where_git_lists_nothing_nothing_is_walked),
		test_in_tempdir(
			a_git_that_is_killed_is_not_made_up_for_by_a_walk),
		test_in_tempdir(without_git_the_folder_is_walked),
		test_in_tempdir(a_folder_that_is_no_repository_is_walked),
		test_in_tempdir(an_ignored_folder_can_be_asked_for),
		test_in_tempdir(every_root_is_listed),
		test_in_tempdir(
			what_is_outside_or_no_folder_is_refused_at_once),
		test_in_tempdir(a_listing_can_be_dropped_at_any_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
