/*
 * test/unit/base/test_replace.c - all files, or none.
 *
 * Each failure is tried behind every other kind of step, and the tree must then
 * be what it was, byte for byte, with no name more or less.
 */
#include "unit.h"

#include "base/buf.h"
#include "base/file.h"
#include "base/limits.h"
#include "base/replace.h"
#include "base/sha256.h"
#include "base/tempdir.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

/* Names, modes, inodes, links and texts of the root, as one text; free() it. */
static char *tree_of(const char *dir)
{
	char *command = dt_asprintf(
		"cd '%s/root' && find . -printf '%%p %%m %%i %%n %%l\\n' | sort "
		"&& find . -type f | sort | xargs -r -d '\\n' tail -n +1",
		dir);
	FILE *pipe = popen(command, "r");
	struct dt_buf out;
	char piece[512];
	size_t n;

	assert_non_null(pipe);
	dt_buf_init(&out, DT_MIB);
	while ((n = fread(piece, 1, sizeof(piece), pipe)) > 0)
		dt_buf_add(&out, piece, n);
	assert_int_equal(pclose(pipe), 0);
	free(command);
	return dt_buf_take(&out);
}

/* A root with files of every kind, and a folder outside of it. */
struct scene {
	char *dir;
	char *root;
	char *before;
};

static struct scene set_scene(void **state)
{
	struct scene s = { .dir = *state };

	s.root = dt_asprintf("%s/root", s.dir);
	tempdir_mkdir(s.dir, "root");
	tempdir_mkdir(s.dir, "root/sub");
	tempdir_mkdir(s.dir, "out");
	tempdir_put(s.dir, "out/o", "outside\n");
	tempdir_put(s.dir, "root/a", "a\n");
	tempdir_put(s.dir, "root/b", "b\n");
	tempdir_put(s.dir, "root/sub/c", "c\n");
	tempdir_put(s.dir, "root/d", "d\n");
	tempdir_put(s.dir, "root/twin", "t\n");
	tempdir_link(s.dir, "root/link", "a");
	tempdir_link(s.dir, "root/inside", "sub");
	tempdir_link(s.dir, "root/away", "../out");
	s.before = tree_of(s.dir);
	return s;
}

static void leave_scene(struct scene *s)
{
	free(s->root);
	free(s->before);
}

static char digests[64][DT_SHA256_TEXT];
static size_t digest_count;

/* Both names relative to the root; `was` is what must be there. */
static struct dt_replacement step(const struct scene *s, const char *from,
                                  const char *to, const char *was,
                                  const char *text)
{
	struct dt_replacement r = { 0 };

	if (from)
		r.from = (struct dt_place_at){ s->root, from };
	if (to)
		r.to = (struct dt_place_at){ s->root, to };
	if (was) {
		char *digest = digests[digest_count++ % 64];

		dt_sha256_hex(was, strlen(was), digest);
		r.digest = digest;
	}
	r.text = dt_str(text);
	return r;
}

static void assert_text(const struct scene *s, const char *name,
                        const char *text)
{
	char *path = dt_asprintf("%s/%s", s->root, name);
	struct dt_buf now;

	dt_buf_init(&now, DT_MIB);
	if (text) {
		assert_ok(dt_file_read(path, &now, NULL));
		assert_string_equal(dt_buf_z(&now), text);
	} else {
		assert_int_equal(access(path, F_OK), -1);
	}
	dt_buf_done(&now);
	free(path);
}

static unsigned mode_of(const struct scene *s, const char *name)
{
	char *path = dt_asprintf("%s/%s", s->root, name);
	struct stat st;

	assert_int_equal(lstat(path, &st), 0);
	free(path);
	return st.st_mode & 07777;
}

/* No temporary file is left. */
static void assert_clean(const struct scene *s)
{
	char *now = tree_of(s->dir);

	assert_null(strstr(now, ".dovetail-"));
	free(now);
}

/* One of each kind; all of them can be done. */
#define GOOD 4
static void good_steps(const struct scene *s, struct dt_replacement *list)
{
	list[0] = step(s, "a", "a", "a\n", "A\n");
	list[1] = step(s, NULL, "new/deep/n", NULL, "n");
	list[2] = step(s, "b", NULL, "b\n", NULL);
	list[3] = step(s, "sub/c", "moved/c", "c\n", "C\n");
}

test(all_kinds_are_done_together)
{
	struct scene s = set_scene(state);
	struct dt_replacement list[GOOD];
	mode_t mask = umask(027);
	char *path = dt_asprintf("%s/sub/c", s.root);

	assert_int_equal(chmod(path, 0751), 0);
	good_steps(&s, list);
	assert_ok(dt_files_replace(list, GOOD, NULL, NULL));
	umask(mask);
	assert_text(&s, "a", "A\n");
	assert_text(&s, "new/deep/n", "n");
	assert_text(&s, "b", NULL);
	assert_text(&s, "sub/c", NULL);
	assert_text(&s, "moved/c", "C\n");
	assert_int_equal(mode_of(&s, "a"), 0644);
	assert_int_equal(mode_of(&s, "new/deep/n"), 0640);
	assert_int_equal(mode_of(&s, "new"), 0750);
	assert_int_equal(mode_of(&s, "moved/c"), 0751);
	assert_clean(&s);
	free(path);
	leave_scene(&s);
}

/* Every order of the good ones with what fails behind them. */
static void fail_with(void **state, const struct dt_replacement *bad,
                      size_t bad_count, enum dt_err code, const char *part)
{
	struct scene s = { .dir = *state };
	char *before = tree_of(s.dir);

	s.root = (char *)(uintptr_t)bad->from.root;
	if (!s.root)
		s.root = (char *)(uintptr_t)bad->to.root;
	for (size_t good = 0; good <= GOOD; good++) {
		struct dt_replacement list[GOOD + 2];
		struct dt_fail fail = { 0 };
		char *now;

		good_steps(&s, list);
		memcpy(list + good, bad, bad_count * sizeof(*bad));
		assert_int_equal(
			dt_files_replace(list, good + bad_count, NULL, &fail),
			code);
		if (!strstr(fail.msg, part))
			fail_msg("%s", fail.msg);
		now = tree_of(s.dir);
		assert_string_equal(now, before);
		free(now);
	}
	free(before);
}

test(what_is_not_as_it_must_be_stops_all)
{
	struct scene s = set_scene(state);
	struct dt_replacement r;

	r = step(&s, "d", "d", "other\n", "D\n");
	fail_with(state, &r, 1, DT_E_STATE, "d has changed since");
	r = step(&s, "d", NULL, "other\n", NULL);
	fail_with(state, &r, 1, DT_E_STATE, "d has changed since");
	r = step(&s, "gone", "gone", "d\n", "D\n");
	fail_with(state, &r, 1, DT_E_STATE, "gone is gone");
	r = step(&s, "nowhere/gone", NULL, "d\n", NULL);
	fail_with(state, &r, 1, DT_E_MISSING, "nowhere");
	r = step(&s, NULL, "d", NULL, "D\n");
	fail_with(state, &r, 1, DT_E_STATE, "d is there already");
	r = step(&s, NULL, "link", NULL, "D\n");
	fail_with(state, &r, 1, DT_E_STATE, "link is there already");
	r = step(&s, "d", "twin", "d\n", "D\n");
	fail_with(state, &r, 1, DT_E_STATE, "twin is there already");
	r = step(&s, "sub", NULL, "", NULL);
	fail_with(state, &r, 1, DT_E_ARGS, "not a regular file");
	r = step(&s, NULL, "d/below/a/file", NULL, "x");
	fail_with(state, &r, 1, DT_E_SYS, "cannot");
	leave_scene(&s);
}

test(links_and_ways_out_are_refused)
{
	struct scene s = set_scene(state);
	char *twin = dt_asprintf("%s/twin", s.root);
	char *other = dt_asprintf("%s/out/twin", s.dir);
	struct dt_replacement r;

	r = step(&s, "link", "link", "a\n", "A\n");
	fail_with(state, &r, 1, DT_E_DENIED, "link is a link");
	r.is_forced = true;
	fail_with(state, &r, 1, DT_E_DENIED, "link is a link");
	r = step(&s, "away/o", "away/o", "outside\n", "x");
	fail_with(state, &r, 1, DT_E_DENIED, "leads out");
	r = step(&s, NULL, "away/new/x", NULL, "x");
	fail_with(state, &r, 1, DT_E_DENIED, "leads out");
	r = step(&s, NULL, "../out/x", NULL, "x");
	fail_with(state, &r, 1, DT_E_DENIED, "leads out");
	r = step(&s, "d", "../out/d", "d\n", "x");
	fail_with(state, &r, 1, DT_E_DENIED, "leads out");
	assert_int_equal(link(twin, other), 0);
	r = step(&s, "twin", "twin", "t\n", "T\n");
	fail_with(state, &r, 1, DT_E_DENIED, "has 2 names");
	r = step(&s, "twin", NULL, "t\n", NULL);
	fail_with(state, &r, 1, DT_E_DENIED, "has 2 names");
	free(twin);
	free(other);
	leave_scene(&s);
}

/* Who decided about a folder did not decide about where a link leads. */
test(a_link_to_a_folder_inside_is_not_followed)
{
	struct scene s = set_scene(state);
	struct dt_replacement r = step(&s, "inside/c", "inside/c", "c\n", "C");

	fail_with(state, &r, 1, DT_E_DENIED, "inside is a link now");
	r = step(&s, NULL, "inside/new/x", NULL, "x");
	fail_with(state, &r, 1, DT_E_DENIED, "inside is a link now");
	assert_text(&s, "sub/c", "c\n");
	leave_scene(&s);
}

/*
 * Two steps about one file are forbidden, and pass every check but the last:
 * that is how a failure among the renames is made here.
 */
test(what_fails_among_the_renames_is_undone)
{
	struct scene s = set_scene(state);
	struct dt_replacement bad[2];

	bad[0] = step(&s, "d", NULL, "d\n", NULL);
	bad[1] = step(&s, "d", "d", "d\n", "D\n");
	fail_with(state, bad, 2, DT_E_SYS, "cannot replace d");
	bad[0] = step(&s, NULL, "x/y", NULL, "1");
	bad[1] = step(&s, NULL, "x/y", NULL, "2");
	fail_with(state, bad, 2, DT_E_SYS, "cannot write x/y");
	bad[0] = step(&s, "d", "e", "d\n", "D\n");
	bad[1] = step(&s, "twin", "e", "t\n", "T\n");
	fail_with(state, bad, 2, DT_E_SYS, "cannot write e");
	leave_scene(&s);
}

/* The first step stands for somebody who writes while we do. */
test(what_changes_during_the_write_is_not_lost)
{
	struct scene s = set_scene(state);
	struct dt_replacement bad[2];

	bad[0] = step(&s, "d", "d", "d\n", "theirs\n");
	bad[1] = step(&s, "d", "d", "d\n", "ours\n");
	fail_with(state, bad, 2, DT_E_STATE, "d has changed while");
	bad[1] = step(&s, "d", NULL, "d\n", NULL);
	fail_with(state, bad, 2, DT_E_STATE, "d has changed while");
	bad[1] = step(&s, "d", "e", "d\n", "ours\n");
	fail_with(state, bad, 2, DT_E_STATE, "d has changed while");
	leave_scene(&s);
}

/* A disk that is full, as a process can have it without being root. */
test(a_text_that_cannot_be_written_stops_all)
{
	struct scene s = set_scene(state);
	struct rlimit old;
	struct rlimit small;
	char *text = dt_alloc(DT_MIB + 1);
	struct dt_replacement r;

	memset(text, 'x', DT_MIB);
	r = step(&s, "d", "d", "d\n", text);
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	small = old;
	small.rlim_cur = 64 * DT_KIB;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	fail_with(state, &r, 1, DT_E_SYS, "cannot write d");
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
	free(text);
	leave_scene(&s);
}

test(a_forced_one_takes_what_is_there)
{
	struct scene s = set_scene(state);
	struct dt_replacement list[5];

	list[0] = step(&s, "a", "a", NULL, "A\n");
	list[1] = step(&s, "gone", "gone", NULL, "back\n");
	list[2] = step(&s, "none", NULL, NULL, NULL);
	list[3] = step(&s, "new/er/x", "new/er/x", NULL, "made\n");
	list[4] = step(&s, "old/none", NULL, NULL, NULL);
	for (size_t i = 0; i < 5; i++)
		list[i].is_forced = true;
	assert_ok(dt_files_replace(list, 5, NULL, NULL));
	assert_text(&s, "a", "A\n");
	assert_text(&s, "gone", "back\n");
	assert_text(&s, "new/er/x", "made\n");
	assert_text(&s, "old", NULL);
	assert_clean(&s);
	leave_scene(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_tempdir(all_kinds_are_done_together),
		test_in_tempdir(what_is_not_as_it_must_be_stops_all),
		test_in_tempdir(links_and_ways_out_are_refused),
		test_in_tempdir(a_link_to_a_folder_inside_is_not_followed),
		test_in_tempdir(what_fails_among_the_renames_is_undone),
		test_in_tempdir(what_changes_during_the_write_is_not_lost),
		test_in_tempdir(a_text_that_cannot_be_written_stops_all),
		test_in_tempdir(a_forced_one_takes_what_is_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
