#include "unit.h"

#include "base/file.h"
#include "base/path.h"
#include "base/str.h"
#include "hub/daemon_record.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static struct dt_arena arena;
static char home[32];

static const struct dt_daemon_record ours = {
	.run = "/r/dovetail",
	.state = "/s/dovetail",
	.config = "/c/dovetail",
	.pid = 7,
};

static int start(void **state)
{
	(void)state;
	snprintf(home, sizeof(home), "/tmp/dt-record-XXXXXX");
	return mkdtemp(home) ? 0 : -1;
}

static int end(void **state)
{
	(void)state;
	dt_file_remove_tree(home);
	dt_arena_done(&arena);
	return 0;
}

static int take(void)
{
	int fd = -1;

	assert_ok(dt_daemon_record_take(home, &ours, &fd, NULL));
	return fd;
}

/* The one file there is. */
static const char *file(void)
{
	const char *folder =
		dt_path_join(&arena, home, ".local/state/dovetail");
	DIR *dir = opendir(folder);
	const char *path = NULL;
	struct dirent *entry;

	assert_non_null(dir);
	while ((entry = readdir(dir))) {
		if (entry->d_name[0] != '.')
			path = dt_path_join(&arena, folder, entry->d_name);
	}
	closedir(dir);
	assert_non_null(path);
	return path;
}

test(a_record_is_alive_as_long_as_it_is_held)
{
	struct dt_daemon_record found;
	int fd;

	assert_false(dt_daemon_record_read(&arena, home, &found));
	fd = take();
	assert_true(dt_daemon_record_read(&arena, home, &found));
	assert_true(found.is_alive);
	assert_string_equal(found.run, "/r/dovetail");
	assert_string_equal(found.state, "/s/dovetail");
	assert_string_equal(found.config, "/c/dovetail");
	assert_int_equal(found.pid, 7);
	close(fd);
	assert_true(dt_daemon_record_read(&arena, home, &found));
	assert_false(found.is_alive);
}

test(a_held_record_is_not_taken_twice)
{
	struct dt_fail fail = { 0 };
	int fd = take();
	int other = -1;

	assert_int_equal(dt_daemon_record_take(home, &ours, &other, &fail),
	                 DT_E_STATE);
	assert_non_null(strstr(fail.msg, "runs already"));
	close(fd);
	close(take());
}

test(a_child_holds_the_record_after_its_parent)
{
	struct dt_daemon_record found;
	int ends[2];
	int fd = take();
	pid_t child;
	char byte;

	assert_int_equal(pipe(ends), 0);
	child = fork();
	if (child == 0) {
		close(ends[1]);
		_exit(read(ends[0], &byte, 1) < 0);
	}
	close(ends[0]);
	close(fd);
	assert_true(dt_daemon_record_read(&arena, home, &found));
	assert_true(found.is_alive);
	close(ends[1]);
	waitpid(child, NULL, 0);
	assert_true(dt_daemon_record_read(&arena, home, &found));
	assert_false(found.is_alive);
}

test(a_record_that_others_may_have_written_counts_as_none)
{
	struct dt_daemon_record found;
	struct dt_fail fail = { 0 };
	const char *path;
	int fd = take();

	close(fd);
	path = file();
	assert_int_equal(chmod(path, 0622), 0);
	assert_false(dt_daemon_record_read(&arena, home, &found));
	assert_int_equal(dt_daemon_record_take(home, &ours, &fd, &fail),
	                 DT_E_DENIED);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(symlink("/etc/passwd", path), 0);
	assert_false(dt_daemon_record_read(&arena, home, &found));
	assert_int_equal(dt_daemon_record_take(home, &ours, &fd, NULL),
	                 DT_E_SYS);
}

test(a_damaged_record_counts_as_none)
{
	static const char *const texts[] = {
		"",
		"{\"run\":",
		"[]",
		"{\"run\":\"r\",\"state\":\"/s\",\"config\":\"/c\",\"pid\":1}",
	};
	struct dt_daemon_record found;

	close(take());
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		assert_ok(dt_file_write(file(), dt_str(texts[i]), 0600, NULL));
		assert_false(dt_daemon_record_read(&arena, home, &found));
	}
	close(take());
	assert_true(dt_daemon_record_read(&arena, home, &found));
}

int main(void)
{
#define RECORD_TEST(name) cmocka_unit_test_setup_teardown(name, start, end)
	const struct CMUnitTest tests[] = {
		RECORD_TEST(a_record_is_alive_as_long_as_it_is_held),
		RECORD_TEST(a_held_record_is_not_taken_twice),
		RECORD_TEST(a_child_holds_the_record_after_its_parent),
		RECORD_TEST(
			a_record_that_others_may_have_written_counts_as_none),
		RECORD_TEST(a_damaged_record_counts_as_none),
	};

	return cmocka_run_group_tests_name("hub/daemon_record", tests, NULL,
	                                   NULL);
}
