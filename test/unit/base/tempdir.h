/* A folder for one test: `*state` is its path, and it goes with all it holds. */
#ifndef DT_TEST_TEMPDIR_H
#define DT_TEST_TEMPDIR_H

#include "unit.h"

#include "base/str.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static int tempdir_open(void **state)
{
	char name[] = "/tmp/dovetail-test-XXXXXX";
	char *made = mkdtemp(name);

	/* Tests compare with resolved paths. */
	*state = made ? realpath(made, NULL) : NULL;
	return *state ? 0 : -1;
}

static int tempdir_remove(const char *path, const struct stat *st, int type,
                          struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static int tempdir_close(void **state)
{
	int failed = nftw(*state, tempdir_remove, 16, FTW_DEPTH | FTW_PHYS);

	free(*state);
	return failed;
}

/* A file of text at a path relative to the folder. */
static inline void tempdir_put(const char *dir, const char *name,
                               const char *text)
{
	char *path = dt_asprintf("%s/%s", dir, name);
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	free(path);
}

static inline void tempdir_mkdir(const char *dir, const char *name)
{
	char *path = dt_asprintf("%s/%s", dir, name);

	assert_int_equal(mkdir(path, 0700), 0);
	free(path);
}

static inline void tempdir_link(const char *dir, const char *name,
                                const char *target)
{
	char *path = dt_asprintf("%s/%s", dir, name);

	assert_int_equal(symlink(target, path), 0);
	free(path);
}

#define test_in_tempdir(name)                                                  \
	cmocka_unit_test_setup_teardown(name, tempdir_open, tempdir_close)

#endif
