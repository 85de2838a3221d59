/* test/unit/backend/test_watch_scan.c - which folders are watched. */
#include "backend/watch_scan.h"

#include "base/buf.h"
#include "base/limits.h"
#include "watch_world.h"

#include <time.h>

struct trial {
	struct watch_world w;
	struct dt_notify *notify;
	int ended;
	bool is_cut;
	struct dt_buf told; /* folders, then files; '+' before what is new */
	int numbers[8];
	size_t number_count;
};

static void on_notify(struct dt_notify *notify,
                      const struct dt_notify_event *event, void *owner)
{
	(void)notify;
	(void)event;
	(void)owner;
}

static int compare_numbers(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static void on_found(const struct dt_watch_found *found, void *owner)
{
	struct trial *t = owner;

	t->ended++;
	t->is_cut = found->is_cut;
	t->number_count = 0;
	for (size_t i = 0; i < found->folder_count; i++) {
		dt_buf_addf(&t->told, "%s|", found->folders[i].name);
		t->numbers[t->number_count++] = found->folders[i].number;
	}
	for (size_t i = 0; i < found->file_count; i++)
		dt_buf_addf(&t->told, "%s%s\n",
		            found->files[i].is_new ? "+" : "",
		            found->files[i].name);
	if (t->number_count > 0)
		qsort(t->numbers, t->number_count, sizeof(int),
		      compare_numbers);
}

static void begin(struct trial *t, void **state, const char *line)
{
	*t = (struct trial){ 0 };
	watch_world_begin(&t->w, state);
	watch_world_sh(&t->w, line);
	dt_buf_init(&t->told, DT_MIB);
	assert_ok(dt_notify_new(t->w.loop, on_notify, t, &t->notify, NULL));
}

static void end(struct trial *t)
{
	dt_notify_free(t->notify);
	watch_world_end(&t->w);
	dt_buf_done(&t->told);
}

static const char *scan(struct trial *t, struct dt_watch_scan_spec spec)
{
	static const char *const all[] = { "" };

	spec.world = &t->w.world;
	spec.notify = t->notify;
	spec.root = t->w.root;
	if (!spec.from) {
		spec.from = all;
		spec.from_count = 1;
	}
	t->ended = 0;
	dt_buf_clear(&t->told);
	dt_watch_scan_start(&spec, on_found, t);
	watch_world_until(&t->w, t->ended);
	return dt_buf_z(&t->told);
}

test(folders_are_found_and_files_that_changed)
{
	struct timespec now;
	int64_t now_ns;
	struct trial t;

	begin(&t, state, "mkdir a b && echo >a/f && echo >g && sleep 0.05");
	(void)scan(&t, (struct dt_watch_scan_spec){ .most = 9,
	                                            .since_ns = INT64_MAX });
	/* In whatever order the folder has them. */
	assert_non_null(strstr(dt_buf_z(&t.told), "|a/|"));
	assert_non_null(strstr(dt_buf_z(&t.told), "|b/|"));
	assert_int_equal(t.told.len, strlen("|a/|b/|"));
	assert_false(t.is_cut);
	clock_gettime(CLOCK_REALTIME, &now);
	now_ns = now.tv_sec * INT64_C(1000000000) + now.tv_nsec - 20000000;
	watch_world_sh(&t.w, "mkdir b/new; mv g b/new/g; echo >>a/f");
	(void)scan(&t, (struct dt_watch_scan_spec){ .known = t.numbers,
	                                            .known_count = 3,
	                                            .most = 9,
	                                            .since_ns = now_ns });
	assert_non_null(strstr(dt_buf_z(&t.told), "|b/new/|"));
	assert_non_null(strstr(dt_buf_z(&t.told), "a/f\n"));
	assert_null(strstr(dt_buf_z(&t.told), "+a/f\n"));
	assert_non_null(strstr(dt_buf_z(&t.told), "+b/new/g\n"));
	assert_int_equal(t.number_count, 4);
	end(&t);
}

test(of_some_folders_nothing_else_is_told)
{
	static const char *const from[] = { "b/", "gone/", "../x/" };
	struct trial t;

	begin(&t, state, "mkdir -p a b/c ../x && echo >a/f && echo >b/c/g");
	assert_string_equal(
		scan(&t, (struct dt_watch_scan_spec){ .from = from,
	                                              .from_count = 3,
	                                              .most = 9 }),
		"b/|b/c/|+b/c/g\n");
	end(&t);
}

test(ignored_folders_are_not_gone_into)
{
	static const char *const from[] = { "out/" };
	struct trial t;

	begin(&t, state,
	      "git init -q . && echo out/ >.gitignore && mkdir -p out/x "
	      "src/out .cache/clangd");
	(void)scan(&t, (struct dt_watch_scan_spec){ .most = 9,
	                                            .since_ns = INT64_MAX });
	assert_int_equal(t.number_count, 3);
	assert_null(strstr(dt_buf_z(&t.told), "out/"));
	assert_null(strstr(dt_buf_z(&t.told), "clangd"));
	assert_string_equal(
		scan(&t, (struct dt_watch_scan_spec){ .from = from,
	                                              .from_count = 1,
	                                              .most = 9 }),
		"");
	end(&t);
}

test(folders_beyond_the_limit_are_left_out)
{
	struct trial t;

	begin(&t, state, "mkdir a b c");
	(void)scan(&t, (struct dt_watch_scan_spec){ .most = 2,
	                                            .since_ns = INT64_MAX });
	assert_int_equal(t.number_count, 2);
	assert_true(t.is_cut);
	/* Those that are known do not count. */
	(void)scan(&t, (struct dt_watch_scan_spec){ .known = t.numbers,
	                                            .known_count = 2,
	                                            .most = 2,
	                                            .since_ns = INT64_MAX });
	assert_int_equal(t.number_count, 4);
	assert_false(t.is_cut);
	end(&t);
}

test(a_root_that_is_not_there_has_no_folders)
{
	struct trial t;

	begin(&t, state, "rmdir ../w");
	assert_string_equal(scan(&t, (struct dt_watch_scan_spec){ .most = 9 }),
	                    "");
	end(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_tempdir(folders_are_found_and_files_that_changed),
		test_in_tempdir(of_some_folders_nothing_else_is_told),
		test_in_tempdir(ignored_folders_are_not_gone_into),
		test_in_tempdir(folders_beyond_the_limit_are_left_out),
		test_in_tempdir(a_root_that_is_not_there_has_no_folders),
	};

	return cmocka_run_group_tests_name("watch_scan", tests, NULL, NULL);
}
