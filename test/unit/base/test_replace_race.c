/*
 * test/unit/base/test_replace_race.c - a folder that somebody swaps with a link
 * to the outside, ten thousand times, while files are written below it.
 */
#include "base/replace.h"

#include "base/tempdir.h"
#include "unit.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define SWAPS 10000

static void swap_for_long(const char *dir)
{
	char a[256];
	char b[256];

	snprintf(a, sizeof(a), "%s/w/d", dir);
	snprintf(b, sizeof(b), "%s/w/e", dir);
	for (int i = 0; i < SWAPS; i++)
		if (renameat2(AT_FDCWD, a, AT_FDCWD, b, RENAME_EXCHANGE) < 0)
			_exit(2);
	_exit(0);
}

static size_t count_entries(const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *entry;
	size_t count = 0;

	assert_non_null(dir);
	while ((entry = readdir(dir)))
		count += entry->d_name[0] != '.' || entry->d_name[1];
	closedir(dir);
	return count;
}

/* Returns how many were written. */
static int write_meanwhile(const char *dir)
{
	char root[256];
	char name[32];
	int written = 0;
	pid_t pid = fork();
	int status;

	if (pid == 0)
		swap_for_long(dir);
	snprintf(root, sizeof(root), "%s/w", dir);
	for (int i = 0; waitpid(pid, &status, WNOHANG) == 0; i++) {
		struct dt_replacement r = {
			.to = { root, name },
			.text = DT_STR("inside"),
		};

		snprintf(name, sizeof(name), "d/f%d", i);
		written += !dt_files_replace(&r, 1, NULL, NULL);
	}
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	return written;
}

static void make_place(const char *dir)
{
	char link[256];
	char out[256];

	tempdir_mkdir(dir, "w");
	tempdir_mkdir(dir, "w/d");
	tempdir_mkdir(dir, "out");
	snprintf(link, sizeof(link), "%s/w/e", dir);
	snprintf(out, sizeof(out), "%s/out", dir);
	assert_int_equal(symlink(out, link), 0);
}

test(nothing_is_ever_written_outside)
{
	const char *dir = *state;
	char out[256];

	make_place(dir);
	assert_true(write_meanwhile(dir) > 0);
	snprintf(out, sizeof(out), "%s/out", dir);
	/* Nothing but "..", which is counted. */
	assert_int_equal(count_entries(out), 1);
}

/* Root may open what others may not; so once more as nobody. */
test(nor_by_somebody_without_rights)
{
	const char *dir = *state;
	static const char *const places[] = { "", "/w", "/w/d", "/out" };
	char path[256];
	int status;
	pid_t pid;

	if (geteuid() != 0)
		skip();
	make_place(dir);
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		snprintf(path, sizeof(path), "%s%s", dir, places[i]);
		assert_int_equal(chown(path, 65534, 65534), 0);
	}
	pid = fork();
	if (pid == 0) {
		if (setgid(65534) < 0 || setuid(65534) < 0)
			_exit(3);
		_exit(write_meanwhile(dir) > 0 ? 0 : 4);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	snprintf(path, sizeof(path), "%s/out", dir);
	assert_int_equal(count_entries(path), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_tempdir(nothing_is_ever_written_outside),
		test_in_tempdir(nor_by_somebody_without_rights),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
