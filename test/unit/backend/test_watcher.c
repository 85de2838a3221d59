/* test/unit/backend/test_watcher.c - files that change while others look. */
#include "backend/watcher.h"

#include "base/buf.h"
#include "base/limits.h"
#include "watch_world.h"

struct trial {
	struct watch_world w;
	struct dt_watcher *watcher;
	struct dt_buf told; /* "created src/a.c\n" ... */
	size_t batches;
	size_t lost;
};

static void on_changes(const struct dt_file_changes *changes, void *owner)
{
	struct trial *t = owner;

	t->batches++;
	t->lost += changes->is_lost;
	for (size_t i = 0; i < changes->count; i++) {
		const struct dt_file_change *c = &changes->ptr[i];
		size_t len = strlen(t->w.root);

		assert_true(i == 0 ||
		            strcmp(changes->ptr[i - 1].path, c->path) < 0);
		assert_memory_equal(c->path, t->w.root, len);
		dt_buf_addf(&t->told, "%s %s%s\n", dt_file_kind_names[c->kind],
		            c->path[len] ? c->path + len + 1 : ".",
		            c->is_replaced ? " (replaced)" : "");
	}
}

static void begin_with(struct trial *t, size_t folders, size_t changes)
{
	t->watcher = dt_watcher_new(&(struct dt_watcher_spec){
		.world = &t->w.world,
		.fn = on_changes,
		.owner = t,
		.most_folders = folders,
		.most_changes = changes,
	});
	watch_world_until(&t->w, dt_watcher_is_settled(t->watcher));
	assert_int_equal(t->batches, 0);
}

static void prepare(struct trial *t, void **state)
{
	*t = (struct trial){ 0 };
	watch_world_begin(&t->w, state);
	dt_buf_init(&t->told, DT_MIB);
}

static void begin(struct trial *t, void **state, const char *line)
{
	prepare(t, state);
	watch_world_sh(&t->w, line);
	begin_with(t, 0, 0);
}

static void end(struct trial *t)
{
	dt_watcher_free(t->watcher);
	watch_world_end(&t->w);
	dt_buf_done(&t->told);
}

/* Nothing but this is told of what a line does. */
static void assert_tells(struct trial *t, const char *line, const char *wanted)
{
	char *end;

	watch_world_sh(&t->w, line);
	watch_world_until(&t->w, t->told.len >= strlen(wanted) &&
	                                 dt_watcher_is_settled(t->watcher));
	/* What is told now was told of what happened before. */
	watch_world_sh(&t->w, "echo >~sign");
	watch_world_until(&t->w, strstr(dt_buf_z(&t->told), "~sign\n"));
	end = (char *)(uintptr_t)strstr(dt_buf_z(&t->told), "created ~sign");
	if (!end)
		end = (char *)(uintptr_t)strstr(dt_buf_z(&t->told),
		                                "changed ~sign");
	*end = '\0';
	assert_string_equal(dt_buf_z(&t->told), wanted);
	assert_int_equal(t->lost, 0);
	dt_buf_clear(&t->told);
}

test(each_change_is_told_once)
{
	struct trial t;

	begin(&t, state, "mkdir src && echo >src/old.c && echo >src/gone.c");
	assert_tells(&t,
	             "echo >src/new.c; echo >>src/new.c; echo >>src/old.c; "
	             "rm src/gone.c",
	             "deleted src/gone.c\ncreated src/new.c\n"
	             "changed src/old.c\n");
	assert_int_equal(dt_watcher_count(t.watcher), 2);
	assert_null(dt_watcher_problem(t.watcher));
	end(&t);
}

test(what_came_and_went_at_once_is_not_told)
{
	struct trial t;

	begin(&t, state, "echo >a");
	assert_tells(&t, "echo >b; rm b; mkdir d; rmdir d; echo >>a",
	             "changed a\n");
	end(&t);
}

test(one_that_took_the_name_of_another_is_a_change)
{
	struct trial t;

	begin(&t, state, "echo >a && echo >b");
	assert_tells(&t, "echo >a.tmp && mv a.tmp a", "changed a (replaced)\n");
	assert_tells(&t, "mv b c", "deleted b\ncreated c\n");
	assert_tells(&t, "rm a && echo >a", "changed a\n");
	end(&t);
}

test(new_folders_are_watched_with_all_in_them)
{
	struct trial t;

	begin(&t, state, "true");
	assert_tells(&t, "mkdir -p x/y/z && echo >x/y/z/deep && echo >x/near",
	             "created x/near\ncreated x/y/z/deep\n");
	assert_tells(&t, "echo >x/y/z/more", "created x/y/z/more\n");
	assert_int_equal(dt_watcher_count(t.watcher), 4);
	end(&t);
}

test(folders_that_are_renamed_have_their_new_name)
{
	struct trial t;

	begin(&t, state, "mkdir -p a/b && echo >a/b/f && mkdir ../out");
	assert_tells(&t, "mv a c", "deleted a\ncreated c/b/f\n");
	assert_tells(&t, "echo >>c/b/f", "changed c/b/f\n");
	assert_int_equal(dt_watcher_count(t.watcher), 3);
	/* Out of the workspace, changed there, and in again. */
	assert_tells(&t, "mv c/b ../out/b", "deleted c/b\n");
	assert_tells(&t, "echo >>../out/b/f; echo >c/g", "created c/g\n");
	assert_tells(&t, "mv ../out/b c/b", "created c/b/f\n");
	assert_int_equal(dt_watcher_count(t.watcher), 3);
	end(&t);
}

test(links_to_folders_are_not_followed)
{
	struct trial t;

	begin(&t, state,
	      "mkdir ../out real && ln -s ../out link && ln -s real r");
	assert_int_equal(dt_watcher_count(t.watcher), 2);
	assert_tells(&t, "echo >../out/secret; echo >link/other; echo >r/f",
	             "created real/f\n");
	assert_tells(&t, "ln -s ../out again; echo >again/more",
	             "created again\n");
	end(&t);
}

test(what_git_ignores_is_not_watched)
{
	struct trial t;

	begin(&t, state,
	      "git init -q . && echo build/ >.gitignore && mkdir -p build/x src "
	      "node_modules/y .cache/clangd/index __pycache__");
	/* The root, src and .cache. */
	assert_int_equal(dt_watcher_count(t.watcher), 3);
	assert_tells(&t,
	             "echo >build/x/o; echo >.cache/clangd/index/i; "
	             "echo >src/a; echo >.git/b; mkdir -p src/build/z; "
	             "echo >src/build/z/c",
	             "created src/a\n");
	/* Rules that changed hold from then on. */
	watch_world_sh(&t.w, "echo src/ >.gitignore");
	watch_world_until(&t.w, strstr(dt_buf_z(&t.told), "build/x/o"));
	watch_world_until(&t.w, dt_watcher_is_settled(t.watcher));
	dt_buf_clear(&t.told);
	assert_tells(&t, "echo >src/b; echo >build/x/p", "created build/x/p\n");
	end(&t);
}

test(without_git_all_but_the_usual_is_watched)
{
	struct trial t;

	prepare(&t, state);
	t.w.has_no_git = true;
	watch_world_sh(&t.w, "mkdir -p .git/x node_modules/y build");
	begin_with(&t, 0, 0);
	assert_int_equal(dt_watcher_count(t.watcher), 2);
	assert_tells(&t, "echo >.git/x/f; echo >build/f", "created build/f\n");
	end(&t);
}

test(a_root_that_went_is_watched_when_it_is_back)
{
	struct trial t;

	begin(&t, state, "mkdir d && echo >d/f");
	watch_world_sh(&t.w, "rm -r ../w");
	watch_world_until(&t.w, strstr(dt_buf_z(&t.told), "deleted .\n"));
	assert_int_equal(dt_watcher_count(t.watcher), 0);
	dt_watcher_drain(t.watcher);
	assert_true(dt_watcher_is_settled(t.watcher));
	tempdir_mkdir(t.w.dir, "w");
	dt_watcher_drain(t.watcher);
	watch_world_until(&t.w, dt_watcher_is_settled(t.watcher));
	dt_buf_clear(&t.told);
	assert_tells(&t, "echo >g", "created g\n");
	/* Renamed, it is gone as well. */
	watch_world_sh(&t.w, "mv ../w ../v");
	watch_world_until(&t.w, strstr(dt_buf_z(&t.told), "deleted .\n"));
	assert_int_equal(dt_watcher_count(t.watcher), 0);
	end(&t);
}

test(what_was_lost_is_looked_for)
{
	struct trial t;

	prepare(&t, state);
	watch_world_sh(&t.w, "mkdir d e && echo >d/old && echo >d/kept && "
	                     "touch -d 2001-01-01 d/kept && sleep 0.1");
	begin_with(&t, 0, 3);
	watch_world_sh(&t.w, "echo >1; echo >2; echo >3; echo >4; "
	                     "echo >>d/old; mkdir -p n; echo >n/5; rm 1");
	watch_world_until(&t.w, strstr(dt_buf_z(&t.told), "n/5\n"));
	assert_int_equal(t.lost, 1);
	assert_non_null(strstr(dt_buf_z(&t.told), " 4\n"));
	assert_non_null(strstr(dt_buf_z(&t.told), "changed d/old\n"));
	assert_non_null(strstr(dt_buf_z(&t.told), "created n/5\n"));
	assert_null(strstr(dt_buf_z(&t.told), "d/kept"));
	assert_int_equal(dt_watcher_count(t.watcher), 4);
	end(&t);
}

test(there_is_a_limit_to_folders)
{
	struct trial t;

	prepare(&t, state);
	watch_world_sh(&t.w, "mkdir a b c d");
	begin_with(&t, 3, 0);
	assert_int_equal(dt_watcher_count(t.watcher), 3);
	assert_string_equal(dt_watcher_problem(t.watcher),
	                    "only 3 folders are watched, there are too many; "
	                    "what changes in the others is seen when it is "
	                    "used");
	assert_tells(&t, "echo >f", "created f\n");
	end(&t);
}

test(what_happened_is_told_when_it_is_asked_for)
{
	struct trial t;

	begin(&t, state, "true");
	tempdir_put(t.w.dir, "w/f", "");
	dt_watcher_drain(t.watcher);
	assert_string_equal(dt_buf_z(&t.told), "created f\n");
	dt_watcher_drain(t.watcher);
	assert_int_equal(t.batches, 1);
	end(&t);
}

test(it_can_end_at_any_time)
{
	struct trial t;

	/* While git runs, and while the thread does. */
	for (int turns = 0; turns < 60; turns += 3) {
		prepare(&t, state);
		t.w.has_no_git = turns % 2;
		t.watcher = dt_watcher_new(&(struct dt_watcher_spec){
			.world = &t.w.world,
			.fn = on_changes,
			.owner = &t,
		});
		for (int i = 0; i < turns; i++)
			uv_run(dt_loop_uv(t.w.loop), UV_RUN_NOWAIT);
		watch_world_sh(&t.w, "rmdir ../w");
		end(&t);
		assert_int_equal(t.batches, 0);
	}
}

test(changes_are_found_by_path_and_by_folder)
{
	static const struct dt_file_change list[] = {
		{ .path = "/w/a" },
		{ .path = "/w/b/c" },
	};
	struct dt_file_changes changes = { list, 2, false };
	struct dt_file_changes none = { 0 };

	assert_ptr_equal(dt_file_changes_find(&changes, "/w/a"), &list[0]);
	assert_ptr_equal(dt_file_changes_find(&changes, "/w/b/c/d/e"),
	                 &list[1]);
	assert_null(dt_file_changes_find(&changes, "/w/b"));
	assert_null(dt_file_changes_find(&changes, "/w/ab"));
	assert_null(dt_file_changes_find(&none, "/w/a"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_tempdir(each_change_is_told_once),
		test_in_tempdir(what_came_and_went_at_once_is_not_told),
		test_in_tempdir(one_that_took_the_name_of_another_is_a_change),
		test_in_tempdir(new_folders_are_watched_with_all_in_them),
		test_in_tempdir(folders_that_are_renamed_have_their_new_name),
		test_in_tempdir(links_to_folders_are_not_followed),
		test_in_tempdir(what_git_ignores_is_not_watched),
		test_in_tempdir(without_git_all_but_the_usual_is_watched),
		test_in_tempdir(a_root_that_went_is_watched_when_it_is_back),
		test_in_tempdir(what_was_lost_is_looked_for),
		test_in_tempdir(there_is_a_limit_to_folders),
		test_in_tempdir(what_happened_is_told_when_it_is_asked_for),
		test_in_tempdir(it_can_end_at_any_time),
		test_in_tempdir(changes_are_found_by_path_and_by_folder),
	};

	return cmocka_run_group_tests_name("watcher", tests, NULL, NULL);
}
