/*
 * Opening below a folder.  Each case is tried three ways, which must agree: as
 * it comes, by the walk, and in a process where openat2() is forbidden.
 */
#include "unit.h"

#include "base/beneath.h"
#include "base/os.h"
#include "tempdir.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

typedef enum dt_err open_fn(const char *root, const char *relative, int *out_fd,
                            struct dt_fail *fail);

/*
 *	root/file  root/sub/deep/file  outside/secret, and links to them
 */
static void build(const char *dir)
{
	tempdir_mkdir(dir, "root");
	tempdir_mkdir(dir, "root/sub");
	tempdir_mkdir(dir, "root/sub/deep");
	tempdir_mkdir(dir, "outside");
	tempdir_put(dir, "root/file", "top");
	tempdir_put(dir, "root/sub/deep/file", "deep");
	tempdir_put(dir, "outside/secret", "secret");
	tempdir_link(dir, "root/in", "sub/deep/file");
	tempdir_link(dir, "root/in_dir", "sub/./deep//");
	tempdir_link(dir, "root/sub/up", "../file");
	tempdir_link(dir, "root/sub/up_dir", "..");
	tempdir_link(dir, "root/chain", "sub/up_dir/in_dir/../../in");
	tempdir_link(dir, "root/out", "../outside/secret");
	tempdir_link(dir, "root/out_dir", "../outside");
	tempdir_link(dir, "root/back", "../root/file");
	tempdir_link(dir, "root/absolute", "/etc/passwd");
	tempdir_link(dir, "root/loop", "loop");
	tempdir_link(dir, "root/dangling", "none");
}

static const struct {
	const char *relative;
	const char *expected; /* the text, or the name of the error */
} cases[] = {
	{ "file", "top" },
	{ "./file", "top" },
	{ "sub/deep/file", "deep" },
	{ "sub//deep/./file", "deep" },
	{ "sub/../file", "top" },
	{ "sub/./../file", "top" },
	{ "sub/deep/../../file", "top" },
	{ "in", "deep" },
	{ "in_dir/file", "deep" },
	{ "in_dir/../../file", "top" },
	{ "sub/up", "top" },
	{ "sub/up_dir/file", "top" },
	{ "chain", "deep" },
	{ "..", "DENIED" },
	{ "../outside/secret", "DENIED" },
	{ "sub/../../outside/secret", "DENIED" },
	{ "sub/up_dir/../outside/secret", "DENIED" },
	{ "out", "DENIED" },
	{ "out_dir/secret", "DENIED" },
	{ "back", "DENIED" },
	{ "../root/file", "DENIED" },
	{ "absolute", "DENIED" },
	{ "/etc/passwd", "DENIED" },
	{ "/", "DENIED" },
	{ "", "MISSING" },
	{ "none", "MISSING" },
	{ "none/../file", "MISSING" },
	{ "dangling", "MISSING" },
	{ "file/", "MISSING" },
	{ "file/x", "MISSING" },
	{ "file/..", "MISSING" },
	{ "in/", "MISSING" },
	{ "loop", "SYS" },
	{ "loop/x", "SYS" },
};

/* The text behind the name, or the name of the error. */
static const char *outcome(open_fn *open_it, const char *root,
                           const char *relative)
{
	static char text[16];
	struct dt_fail fail = { 0 };
	enum dt_err err;
	ssize_t n;
	int fd = -1;

	err = open_it(root, relative, &fd, &fail);
	if (err)
		return fd == -1 && fail.code == err ? dt_err_name(err) : "?";
	n = read(fd, text, sizeof(text) - 1);
	text[n > 0 ? n : 0] = '\0';
	if (!(fcntl(fd, F_GETFD) & FD_CLOEXEC))
		return "not close-on-exec";
	close(fd);
	return text;
}

/* The number of the first case that comes out wrong, or -1. */
static int first_wrong(open_fn *open_it, const char *dir)
{
	char *root = dt_asprintf("%s/root", dir);
	int wrong = -1;

	for (int i = 0; i < (int)(sizeof(cases) / sizeof(cases[0])); i++) {
		const char *got = outcome(open_it, root, cases[i].relative);

		if (strcmp(got, cases[i].expected) != 0) {
			print_error("\"%s\": %s, not %s\n", cases[i].relative,
			            got, cases[i].expected);
			wrong = i;
		}
	}
	free(root);
	return wrong;
}

test(nothing_leads_out)
{
	build(*state);
	assert_int_equal(first_wrong(dt_beneath_open, *state), -1);
}

test(nothing_leads_out_of_the_walk)
{
	build(*state);
	assert_int_equal(first_wrong(dt_beneath_walk, *state), -1);
}

/* From now on openat2() says `error` to this process. */
static bool forbid_openat2(unsigned error)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
		         offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat2, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof(code) / sizeof(code[0]), code };

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

/* 0: right, 1: wrong, 2: this system cannot forbid a call. */
static int run_forbidden(const char *dir, unsigned error)
{
	int fd = -1;

	if (!forbid_openat2(error))
		return 2;
	if (dt_os_open_beneath(AT_FDCWD, ".", O_RDONLY, &fd) || errno != ENOSYS)
		return 1;
	return first_wrong(dt_beneath_open, dir) == -1 ? 0 : 1;
}

test(without_openat2_the_walk_takes_over)
{
	static const unsigned errors[] = { ENOSYS, EPERM };

	build(*state);
	for (int i = 0; i < 2; i++) {
		int status;
		pid_t child = fork();

		assert_true(child >= 0);
		if (child == 0)
			_exit(run_forbidden(*state, errors[i]));
		assert_int_equal(waitpid(child, &status, 0), child);
		assert_true(WIFEXITED(status));
		if (WEXITSTATUS(status) == 2)
			skip();
		assert_int_equal(WEXITSTATUS(status), 0);
	}
}

test(a_root_that_is_no_folder_is_missing)
{
	char *file = dt_asprintf("%s/root/file", (const char *)*state);
	char *none = dt_asprintf("%s/none", (const char *)*state);

	build(*state);
	assert_string_equal(outcome(dt_beneath_open, file, "x"), "MISSING");
	assert_string_equal(outcome(dt_beneath_open, none, "x"), "MISSING");
	assert_string_equal(outcome(dt_beneath_walk, file, "x"), "MISSING");
	assert_string_equal(outcome(dt_beneath_walk, none, "x"), "MISSING");
	free(file);
	free(none);
}

static int count_open_files(void)
{
	int count = 0;

	for (int fd = 0; fd < 10000; fd++)
		count += fcntl(fd, F_GETFD) >= 0;
	return count;
}

static enum dt_err open_named(const char *root, const char *relative,
                              int *out_fd, struct dt_fail *fail)
{
	struct dt_arena arena = { 0 };
	const char *path;
	enum dt_err err = dt_beneath_open_named(&arena, root, relative, out_fd,
	                                        &path, fail);

	dt_arena_done(&arena);
	return err;
}

test(no_descriptor_is_left_behind)
{
	int before = count_open_files();

	build(*state);
	first_wrong(dt_beneath_open, *state);
	assert_int_equal(count_open_files(), before);
	first_wrong(dt_beneath_walk, *state);
	assert_int_equal(count_open_files(), before);
	first_wrong(open_named, *state);
	assert_int_equal(count_open_files(), before);
}

test(what_was_opened_has_the_name_links_lead_to)
{
	static const char *const names[][2] = {
		{ "file", "file" },           { "sub/../file", "file" },
		{ "in", "sub/deep/file" },    { "in_dir", "sub/deep" },
		{ "chain", "sub/deep/file" }, { ".", NULL },
	};
	struct dt_arena arena = { 0 };
	const char *root =
		dt_arena_printf(&arena, "%s/root", (const char *)*state);

	build(*state);
	assert_int_equal(first_wrong(open_named, *state), -1);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *path = NULL;
		int fd = -1;

		assert_ok(dt_beneath_open_named(&arena, root, names[i][0], &fd,
		                                &path, NULL));
		assert_string_equal(
			path, names[i][1] ? dt_arena_printf(&arena, "%s/%s",
		                                            root, names[i][1])
					  : root);
		close(fd);
	}
	dt_arena_done(&arena);
}

/* One that was replaced while it is open has its last name still, and one in a
 * root that was moved has the root that was asked. */
test(a_name_outlives_its_file_and_its_root)
{
	struct dt_arena arena = { 0 };
	const char *root =
		dt_arena_printf(&arena, "%s/root", (const char *)*state);
	const char *file = dt_arena_printf(&arena, "%s/file", root);
	const char *link =
		dt_arena_printf(&arena, "%s/alias", (const char *)*state);
	const char *path = NULL;
	char name[256];
	int fd = -1;

	build(*state);
	assert_ok(dt_beneath_open(root, "file", &fd, NULL));
	assert_int_equal(unlink(file), 0);
	assert_true(dt_os_name_of(fd, name, sizeof(name)));
	assert_string_equal(name, file);
	assert_false(dt_os_name_of(fd, name, 8));
	close(fd);
	assert_false(dt_os_name_of(fd, name, sizeof(name)));
	assert_int_equal(symlink("root", link), 0);
	assert_ok(dt_beneath_open_named(&arena, link, "in", &fd, &path, NULL));
	assert_string_equal(path,
	                    dt_arena_printf(&arena, "%s/sub/deep/file", link));
	close(fd);
	dt_arena_done(&arena);
}

test(opening_a_fifo_does_not_wait)
{
	char *fifo = dt_asprintf("%s/fifo", (const char *)*state);
	int fd = -1;

	assert_int_equal(mkfifo(fifo, 0600), 0);
	assert_ok(dt_beneath_open(*state, "fifo", &fd, NULL));
	close(fd);
	assert_ok(dt_beneath_walk(*state, "fifo", &fd, NULL));
	close(fd);
	free(fifo);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_tempdir(nothing_leads_out),
		test_in_tempdir(nothing_leads_out_of_the_walk),
		test_in_tempdir(without_openat2_the_walk_takes_over),
		test_in_tempdir(a_root_that_is_no_folder_is_missing),
		test_in_tempdir(no_descriptor_is_left_behind),
		test_in_tempdir(what_was_opened_has_the_name_links_lead_to),
		test_in_tempdir(a_name_outlives_its_file_and_its_root),
		test_in_tempdir(opening_a_fifo_does_not_wait),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
