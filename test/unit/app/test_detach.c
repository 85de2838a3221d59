#include "unit.h"

#include "app/detach.h"
#include "base/str.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* What a shell prints that was detached; it has ended when this returns. */
static void read_detached(char *script, char *out, size_t size)
{
	char *argv[] = { "sh", "-c", script, NULL };
	size_t len = 0;
	ssize_t n;
	int fds[2];

	assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
	assert_ok(dt_detach(argv, fds[1], NULL));
	close(fds[1]);
	while ((n = read(fds[0], out + len, size - len - 1)) > 0)
		len += (size_t)n;
	out[len] = '\0';
	close(fds[0]);
}

test(nothing_of_us_is_above_it)
{
	char out[256];
	int pid;
	int parent;
	int group;
	int session;

	/* "pid (sh) state parent group session ..." */
	read_detached("read pid name state parent group session rest"
	              " < /proc/$$/stat; echo $pid $parent $group $session",
	              out, sizeof(out));
	assert_int_equal(
		sscanf(out, "%d %d %d %d", &pid, &parent, &group, &session), 4);
	assert_int_not_equal(parent, getpid());
	assert_int_equal(group, pid);
	assert_int_equal(session, pid);
	/* Nor is anything left to be reaped. */
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

test(it_inherits_neither_files_nor_folder_nor_marks)
{
	char out[256];
	int leaked = fcntl(STDIN_FILENO, F_DUPFD, 200);

	assert_int_equal(leaked, 200);
	setenv("CLAUDECODE", "1", 1);
	read_detached("pwd; echo ${CLAUDECODE-none};"
	              " [ -e /proc/$$/fd/200 ] || echo closed",
	              out, sizeof(out));
	close(leaked);
	assert_string_equal(getenv("CLAUDECODE"), "1");
	assert_string_equal(out, "/\nnone\nclosed\n");
}

test(a_program_that_is_missing_ends_without_a_word)
{
	char *argv[] = { "/nonexistent/program", NULL };
	int fds[2];
	char c;

	assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
	assert_ok(dt_detach(argv, fds[1], NULL));
	close(fds[1]);
	assert_int_equal(read(fds[0], &c, 1), 0);
	close(fds[0]);
}

test(systemd_is_asked_where_it_runs)
{
	char top[] = "/tmp/dt-detach-XXXXXX";
	char *manager;
	char *program;
	int fd;

	assert_non_null(mkdtemp(top));
	manager = dt_asprintf("%s/systemd", top);
	program = dt_asprintf("%s/systemd-run", top);
	fd = open(program, O_CREAT | O_WRONLY, 0700);
	close(fd);
	setenv("PATH", top, 1);
	setenv("XDG_RUNTIME_DIR", top, 1);
	assert_false(dt_detach_has_systemd());
	assert_int_equal(mkdir(manager, 0700), 0);
	free(manager);
	manager = dt_asprintf("%s/systemd/private", top);
	fd = open(manager, O_CREAT | O_WRONLY, 0600);
	close(fd);
	assert_true(dt_detach_has_systemd());
	setenv("PATH", "/nonexistent", 1);
	assert_false(dt_detach_has_systemd());
	setenv("PATH", top, 1);
	unsetenv("XDG_RUNTIME_DIR");
	assert_false(dt_detach_has_systemd());
	unlink(manager);
	unlink(program);
	free(manager);
	free(program);
	manager = dt_asprintf("%s/systemd", top);
	rmdir(manager);
	rmdir(top);
	free(manager);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_of_us_is_above_it),
		cmocka_unit_test(
			it_inherits_neither_files_nor_folder_nor_marks),
		cmocka_unit_test(a_program_that_is_missing_ends_without_a_word),
		cmocka_unit_test(systemd_is_asked_where_it_runs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
