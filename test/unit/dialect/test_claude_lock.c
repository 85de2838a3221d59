#include "base/tempdir.h"

#include "base/arena.h"
#include "base/file.h"
#include "base/log.h"
#include "dialect/claude_lock.h"

#include <sys/wait.h>

#define TOKEN "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define FOREIGN                                                                \
	"{\"pid\":1,\"workspaceFolders\":[\"/w\"],\"ideName\":\"Other\","      \
	"\"transport\":\"ws\",\"authToken\":\"x\"}"

static struct dt_arena arena;
static const char *roots[] = { "/w/one", "/w/two \"2\"" };

static int begin(void **state)
{
	return tempdir_open(state);
}

static int end(void **state)
{
	dt_arena_done(&arena);
	return tempdir_close(state);
}

#define test_at_home(name) cmocka_unit_test_setup_teardown(name, begin, end)

static struct dt_place place_at(const char *home)
{
	return (struct dt_place){
		.home = home,
		.name = "Dovetail",
		.roots = roots,
		.root_count = 2,
		.port = 10101,
		.token = TOKEN,
		.pid = getpid(),
	};
}

static const char *written(const struct dt_place *place)
{
	struct dt_buf text;
	const char *copy;

	dt_buf_init(&text, 4096);
	dt_claude_lock_write(place, &text);
	copy = dt_arena_strdup(&arena, dt_buf_z(&text));
	dt_buf_done(&text);
	return copy;
}

static const char *text_at(const char *path)
{
	struct dt_buf text;
	const char *copy = NULL;

	dt_buf_init(&text, 4096);
	if (!dt_file_read(path, &text, NULL))
		copy = dt_arena_strndup(&arena, text.ptr, text.len);
	dt_buf_done(&text);
	return copy;
}

static void make_lock_dir(const char *home)
{
	assert_ok(dt_file_make_dirs(
		dt_arena_printf(&arena, "%s/.claude/ide", home), NULL));
}

/* A pid that was there and is not any more. */
static pid_t dead_pid(void)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	return pid;
}

test(a_lock_is_written_byte_for_byte)
{
	struct dt_place place = place_at("/h");

	place.pid = 123;
	assert_string_equal(written(&place),
	                    "{\"pid\":123,\"workspaceFolders\":[\"/w/one\","
	                    "\"/w/two \\\"2\\\"\"],\"ideName\":\"Dovetail\","
	                    "\"transport\":\"ws\",\"runningInWindows\":false,"
	                    "\"authToken\":\"" TOKEN
	                    "\",\"workspace\":\"/w/one\","
	                    "\"isBridge\":true,\"maker\":\"dovetail\"}\n");
}

test(a_nested_place_names_no_folders)
{
	struct dt_place place = place_at("/h");

	place.pid = 123;
	place.is_nested = true;
	assert_non_null(strstr(written(&place), "\"workspaceFolders\":[],"));
	assert_non_null(strstr(written(&place), "\"workspace\":\"/w/one\""));
}

test(a_lock_is_read_as_it_was_written)
{
	struct dt_place place = place_at("/h");
	struct dt_claude_lock lock;

	assert_ok(dt_claude_lock_read(&arena, dt_str(written(&place)), &lock,
	                              NULL));
	assert_int_equal(lock.pid, getpid());
	assert_int_equal(lock.folders.count, 2);
	assert_string_equal(lock.folders.ptr[1], "/w/two \"2\"");
	assert_string_equal(lock.ide_name, "Dovetail");
	assert_string_equal(lock.transport, "ws");
	assert_false(lock.is_in_windows);
	assert_string_equal(lock.token, TOKEN);
	assert_string_equal(lock.workspace, "/w/one");
	assert_true(lock.is_bridge);
	assert_string_equal(lock.maker, "dovetail");
}

test(locks_of_others_are_read_with_what_they_have)
{
	struct dt_claude_lock lock;

	assert_ok(dt_claude_lock_read(&arena, DT_STR(FOREIGN), &lock, NULL));
	assert_int_equal(lock.pid, 1);
	assert_null(lock.maker);
	assert_ok(dt_claude_lock_read(&arena, DT_STR("{\"x\":[{}]}"), &lock,
	                              NULL));
	assert_int_equal(lock.pid, 0);
	assert_null(lock.token);
}

test(what_is_no_lock_is_refused_and_leaves_nothing)
{
	static const char *const bad[] = {
		"",
		"/w/one\n/w/two\n",
		"[]",
		"null",
		"{\"pid\":\"1\"}",
		"{\"pid\":1.5}",
		"{\"workspaceFolders\":\"/w\"}",
		"{\"authToken\":7}",
		"{\"pid\":1}{",
		"{\"maker\":\"dove\\u0000tail\"}",
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct dt_claude_lock lock = { .maker = "dovetail" };
		struct dt_fail fail = { 0 };

		assert_int_not_equal(dt_claude_lock_read(&arena, dt_str(bad[i]),
		                                         &lock, &fail),
		                     DT_E_OK);
		assert_string_not_equal(fail.msg, "");
		assert_null(lock.maker);
	}
}

test(announcing_makes_a_closed_file_in_a_closed_folder)
{
	const char *home = *state;
	struct dt_place place = place_at(home);
	const char *path = dt_claude_lock_path(&arena, &place);
	struct stat st;

	assert_string_equal(
		path,
		dt_arena_printf(&arena, "%s/.claude/ide/10101.lock", home));
	umask(0);
	assert_ok(dt_claude_announce(&place, NULL));
	umask(022);
	assert_string_equal(text_at(path), written(&place));
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	assert_int_equal(
		stat(dt_arena_printf(&arena, "%s/.claude/ide", home), &st), 0);
	assert_int_equal(st.st_mode & 07777, 0700);
}

test(announcing_works_through_a_linked_folder)
{
	const char *home = *state;
	struct dt_place place = place_at(home);

	tempdir_mkdir(home, "elsewhere");
	tempdir_mkdir(home, ".claude");
	tempdir_link(home, ".claude/ide", "../elsewhere");
	assert_ok(dt_claude_announce(&place, NULL));
	assert_non_null(text_at(
		dt_arena_printf(&arena, "%s/elsewhere/10101.lock", home)));
}

test(announcing_says_when_it_cannot)
{
	const char *home = *state;
	struct dt_place place = place_at(home);
	struct dt_fail fail = { 0 };

	tempdir_put(home, ".claude", "a file");
	assert_int_equal(dt_claude_announce(&place, &fail), DT_E_SYS);
	assert_non_null(strstr(fail.msg, ".claude"));
	assert_int_equal(dt_claude_presence(&place), DT_PRESENCE_NONE);
}

test(presence_tells_ours_from_stale_and_foreign)
{
	struct dt_place place = place_at(*state);
	struct dt_place other = place;
	const char *path = dt_claude_lock_path(&arena, &place);

	assert_int_equal(dt_claude_presence(&place), DT_PRESENCE_NONE);
	assert_ok(dt_claude_announce(&place, NULL));
	assert_int_equal(dt_claude_presence(&place), DT_PRESENCE_OURS);
	other.token = "another";
	assert_int_equal(dt_claude_presence(&other), DT_PRESENCE_NONE);
	other = place;
	other.pid = 1;
	assert_int_equal(dt_claude_presence(&other), DT_PRESENCE_NONE);
	assert_ok(dt_file_write(path, DT_STR(FOREIGN), 0600, NULL));
	assert_int_equal(dt_claude_presence(&place), DT_PRESENCE_FOREIGN);
	assert_ok(dt_file_write(path, DT_STR("/w\n"), 0600, NULL));
	assert_int_equal(dt_claude_presence(&place), DT_PRESENCE_FOREIGN);
	assert_ok(dt_file_write(path, DT_STR(""), 0600, NULL));
	assert_int_equal(dt_claude_presence(&place), DT_PRESENCE_FOREIGN);
}

test(withdrawing_removes_our_own_lock_and_no_other)
{
	struct dt_place place = place_at(*state);
	const char *path = dt_claude_lock_path(&arena, &place);

	dt_claude_withdraw(&place); /* nothing there */
	assert_ok(dt_claude_announce(&place, NULL));
	dt_claude_withdraw(&place);
	assert_null(text_at(path));
	assert_ok(dt_file_write(path, DT_STR(FOREIGN), 0600, NULL));
	dt_claude_withdraw(&place);
	assert_string_equal(text_at(path), FOREIGN);
}

static void put_lock(const char *home, const char *name, pid_t pid,
                     const char *maker)
{
	tempdir_put(home, dt_arena_printf(&arena, ".claude/ide/%s", name),
	            dt_arena_printf(&arena, "{\"pid\":%d,\"maker\":\"%s\"}",
	                            (int)pid, maker));
}

static bool has(const char *home, const char *name)
{
	return access(dt_arena_printf(&arena, "%s/.claude/ide/%s", home, name),
	              F_OK) == 0;
}

test(cleaning_removes_locks_of_ours_whose_process_is_gone)
{
	const char *home = *state;
	struct dt_place place = { .home = home };
	pid_t dead = dead_pid();

	dt_log_set_level(DT_LOG_ERROR);
	dt_claude_clean(&place); /* no folder at all */
	make_lock_dir(home);
	put_lock(home, "1.lock", dead, "dovetail");
	put_lock(home, "2.lock", getpid(), "dovetail");
	put_lock(home, "3.lock", dead, "other");
	put_lock(home, "4.txt", dead, "dovetail");
	put_lock(home, "5.lock", 0, "dovetail");
	tempdir_put(home, ".claude/ide/6.lock", "not JSON");
	dt_claude_clean(&place);
	assert_false(has(home, "1.lock"));
	assert_true(has(home, "2.lock"));
	assert_true(has(home, "3.lock"));
	assert_true(has(home, "4.txt"));
	assert_true(has(home, "5.lock"));
	assert_true(has(home, "6.lock"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_at_home(a_lock_is_written_byte_for_byte),
		test_at_home(a_nested_place_names_no_folders),
		test_at_home(a_lock_is_read_as_it_was_written),
		test_at_home(locks_of_others_are_read_with_what_they_have),
		test_at_home(what_is_no_lock_is_refused_and_leaves_nothing),
		test_at_home(announcing_makes_a_closed_file_in_a_closed_folder),
		test_at_home(announcing_works_through_a_linked_folder),
		test_at_home(announcing_says_when_it_cannot),
		test_at_home(presence_tells_ours_from_stale_and_foreign),
		test_at_home(withdrawing_removes_our_own_lock_and_no_other),
		test_at_home(
			cleaning_removes_locks_of_ours_whose_process_is_gone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
