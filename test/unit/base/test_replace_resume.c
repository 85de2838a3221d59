/*
 * test/unit/base/test_replace_resume.c - a change that is cut off before every
 * single call that changes the disk, and then resumed.
 *
 * The calls are the C library's, taken over here: a child makes the change and
 * ends in front of the n-th of them, as if it had been killed.
 */
#include "base/replace.h"

#include "base/buf.h"
#include "base/file.h"
#include "base/limits.h"
#include "base/sha256.h"
#include "base/tempdir.h"
#include "unit.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#define MARK "0123456789abcdef"
#define ENDED 42 /* the exit code of a child that was not cut off */
#define NOT_CUT 100000

static int calls_left = NOT_CUT;
static bool has_links = true;

static void count_call(void)
{
	if (calls_left-- == 0)
		_exit(0);
}

int renameat(int from, const char *a, int to, const char *b)
{
	count_call();
	return (int)syscall(SYS_renameat2, from, a, to, b, 0);
}

int linkat(int from, const char *a, int to, const char *b, int flags)
{
	if (!has_links) {
		errno = EPERM;
		return -1;
	}
	count_call();
	return (int)syscall(SYS_linkat, from, a, to, b, flags);
}

int unlinkat(int folder, const char *name, int flags)
{
	count_call();
	return (int)syscall(SYS_unlinkat, folder, name, flags);
}

int mkdirat(int folder, const char *name, mode_t mode)
{
	count_call();
	return (int)syscall(SYS_mkdirat, folder, name, mode);
}

/* Every text that is written ends with one of these; no power is cut here. */
int fsync(int fd)
{
	(void)fd;
	count_call();
	return 0;
}

/* A root with a file for each kind of change. */
struct scene {
	char *root;
	char digests[4][DT_SHA256_TEXT];
	struct dt_replacement list[6];
};
#define COUNT 6

static struct dt_replacement step(struct scene *s, const char *from,
                                  const char *to, const char *was,
                                  const char *text)
{
	static size_t used;
	struct dt_replacement r = { .text = dt_str(text) };

	if (from)
		r.from = (struct dt_place_at){ s->root, from };
	if (to)
		r.to = (struct dt_place_at){ s->root, to };
	if (was) {
		char *digest = s->digests[used++ % 4];

		dt_sha256_hex(was, strlen(was), digest);
		r.digest = digest;
	}
	return r;
}

static void begin(struct scene *s, const char *dir)
{
	s->root = dt_asprintf("%s/root", dir);
	assert_int_equal(mkdir(s->root, 0700), 0);
	tempdir_put(s->root, "a", "a\n");
	tempdir_put(s->root, "b", "b\n");
	tempdir_put(s->root, "c", "c\n");
	tempdir_put(s->root, "d", "d\n");
	s->list[0] = step(s, "a", "a", "a\n", "A\n");
	s->list[1] = step(s, NULL, "new/deep/n", NULL, "n");
	s->list[2] = step(s, "b", NULL, "b\n", NULL);
	s->list[3] = step(s, "c", "moved/c", "c\n", "C\n");
	s->list[4] = (struct dt_replacement){ .to = { s->root, "folder" },
		                              .is_folder = true };
	s->list[5] = step(s, "d", "d", "d\n", "D\n");
}

static void end(struct scene *s)
{
	nftw(s->root, tempdir_remove, 16, FTW_DEPTH | FTW_PHYS);
	free(s->root);
}

/* True when it was cut off in front of that call. */
static bool cut(struct scene *s, bool is_resumed, int calls)
{
	pid_t child = fork();
	int status;

	assert_true(child >= 0);
	if (child == 0) {
		enum dt_err err;

		calls_left = calls;
		err = is_resumed ? dt_files_resume(s->list, COUNT, MARK, NULL)
		                 : dt_files_replace(s->list, COUNT, MARK, NULL);
		_exit(err ? ENDED + 1 : ENDED);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_not_equal(WEXITSTATUS(status), ENDED + 1);
	return WEXITSTATUS(status) == 0;
}

/* text NULL: nothing is there. */
static bool holds(const struct scene *s, const char *name, const char *text)
{
	char *path = dt_asprintf("%s/%s", s->root, name);
	struct dt_buf now;
	bool is_so;

	dt_buf_init(&now, DT_MIB);
	if (text)
		is_so = !dt_file_read(path, &now, NULL) &&
		        !strcmp(dt_buf_z(&now), text);
	else
		is_so = access(path, F_OK) != 0;
	dt_buf_done(&now);
	free(path);
	return is_so;
}

/* Of all but d. */
static bool is_new(const struct scene *s)
{
	return holds(s, "a", "A\n") && holds(s, "new/deep/n", "n") &&
	       holds(s, "b", NULL) && holds(s, "c", NULL) &&
	       holds(s, "moved/c", "C\n");
}

static bool is_old(const struct scene *s)
{
	return holds(s, "a", "a\n") && holds(s, "new/deep/n", NULL) &&
	       holds(s, "b", "b\n") && holds(s, "c", "c\n") &&
	       holds(s, "moved/c", NULL);
}

static int ours;

static int look_at(const char *path, const struct stat *st, int type,
                   struct FTW *ftw)
{
	(void)type;
	ours += strncmp(path + ftw->base, ".dovetail-", 10) == 0;
	if (S_ISREG(st->st_mode) && st->st_nlink != 1)
		ours++; /* another name of it is somewhere */
	return 0;
}

static void assert_clean(const struct scene *s)
{
	ours = 0;
	assert_int_equal(nftw(s->root, look_at, 16, FTW_PHYS), 0);
	assert_int_equal(ours, 0);
}

static void finish(struct scene *s)
{
	struct dt_fail fail = { 0 };

	if (dt_files_resume(s->list, COUNT, MARK, &fail))
		fail_msg("%s", fail.msg);
	assert_true(is_new(s));
	assert_true(holds(s, "d", "D\n"));
	assert_clean(s);
}

static void cut_everywhere(const char *dir)
{
	bool is_cut = true;
	int calls;

	for (calls = 0; is_cut; calls++) {
		struct scene s;

		begin(&s, dir);
		is_cut = cut(&s, false, calls);
		finish(&s);
		end(&s);
	}
	assert_true(calls > 20);
}

test(whenever_it_is_cut_off_it_can_be_finished)
{
	cut_everywhere(*state);
}

test(without_hard_links_too)
{
	has_links = false;
	cut_everywhere(*state);
	has_links = true;
}

test(what_was_never_begun_is_done)
{
	struct scene s;

	begin(&s, *state);
	finish(&s);
	end(&s);
}

/* The daemon may be killed while it mends what it was killed in. */
test(resuming_may_be_cut_off_as_well)
{
	bool is_cut = true;

	for (int calls = 0; is_cut; calls++) {
		bool is_cut_again = true;

		for (int later = 0; is_cut_again; later += 3) {
			struct scene s;

			begin(&s, *state);
			is_cut = cut(&s, false, calls);
			is_cut_again = cut(&s, true, later);
			finish(&s);
			end(&s);
		}
	}
}

/* Somebody else has changed the last file before it is resumed: it is left, and
 * the others are all old or, if they were all new before, all new. */
test(what_others_changed_is_left_and_the_rest_undone)
{
	bool is_cut = true;
	int undone = 0;

	for (int calls = 0; is_cut; calls++) {
		struct dt_fail fail = { 0 };
		bool was_new;
		struct scene s;

		begin(&s, *state);
		is_cut = cut(&s, false, calls);
		was_new = is_new(&s);
		tempdir_put(s.root, "d", "theirs\n");
		assert_int_equal(dt_files_resume(s.list, COUNT, MARK, &fail),
		                 DT_E_STATE);
		assert_non_null(strstr(fail.msg, "d has changed"));
		assert_true(holds(&s, "d", "theirs\n"));
		assert_true(is_old(&s) || (was_new && is_new(&s)));
		undone += is_old(&s);
		assert_clean(&s);
		end(&s);
	}
	assert_true(undone > 15);
}

/* What is forced takes what is there, when it is resumed as well. */
test(a_forced_one_is_resumed_over_what_is_there)
{
	bool is_cut = true;

	for (int calls = 0; is_cut; calls++) {
		struct scene s;

		begin(&s, *state);
		for (size_t i = 0; i < COUNT; i++)
			s.list[i].is_forced = !s.list[i].is_folder;
		is_cut = cut(&s, false, calls);
		tempdir_put(s.root, "d", "theirs\n");
		finish(&s);
		end(&s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_tempdir(whenever_it_is_cut_off_it_can_be_finished),
		test_in_tempdir(without_hard_links_too),
		test_in_tempdir(what_was_never_begun_is_done),
		test_in_tempdir(resuming_may_be_cut_off_as_well),
		test_in_tempdir(
			what_others_changed_is_left_and_the_rest_undone),
		test_in_tempdir(a_forced_one_is_resumed_over_what_is_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
