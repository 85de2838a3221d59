/* test/unit/loop/test_os_linux.c - who is there, and whose child it is. */
#include "loop/os.h"

#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

test(the_peer_of_a_socket_pair_is_this_process)
{
	int fds[2];
	pid_t pid = 0;
	uid_t uid = 0;

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
	assert_ok(dt_os_peer(fds[0], &pid, &uid, NULL));
	assert_int_equal(pid, getpid());
	assert_int_equal(uid, getuid());
	close(fds[0]);
	close(fds[1]);
}

test(what_is_no_socket_has_no_peer)
{
	struct dt_fail fail = { 0 };
	int fds[2];
	pid_t pid = 7;
	uid_t uid = 7;

	assert_int_equal(pipe(fds), 0);
	assert_int_equal(dt_os_peer(fds[0], &pid, &uid, &fail), DT_E_SYS);
	assert_int_equal(fail.sys_errno, ENOTSOCK);
	assert_int_equal(pid, 7);
	assert_int_equal(uid, 7);
	close(fds[0]);
	close(fds[1]);
}

/* A child that waits to be killed; its name is set by then. */
static pid_t spawn(const char *name)
{
	char byte;
	int fds[2];
	pid_t pid;

	assert_int_equal(pipe(fds), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		prctl(PR_SET_NAME, name);
		if (write(fds[1], "", 1) == 1)
			pause();
		_exit(0);
	}
	assert_int_equal(read(fds[0], &byte, 1), 1);
	close(fds[0]);
	close(fds[1]);
	return pid;
}

static void reap(pid_t pid)
{
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

test(the_parent_is_found_whatever_the_name_of_the_child)
{
	static const char *const names[] = { "plain", "a) S 1 (b", ")", " ",
		                             "1 (x) R 1" };

	assert_int_equal(dt_os_parent(getpid()), getppid());
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		pid_t child = spawn(names[i]);

		assert_int_equal(dt_os_parent(child), getpid());
		reap(child);
	}
}

test(a_process_that_is_gone_has_no_parent)
{
	pid_t child = spawn("short");

	reap(child);
	assert_int_equal(dt_os_parent(child), 0);
	assert_int_equal(dt_os_parent(0), 0);
	assert_int_equal(dt_os_parent(-1), 0);
	assert_int_equal(dt_os_parent(1), 0);
}

test(a_process_that_has_ended_was_never_started)
{
	pid_t child = spawn("a) Z 1 (b");
	siginfo_t info;

	assert_true(dt_os_started(getpid()) > 0);
	assert_true(dt_os_started(child) >= dt_os_started(getpid()));
	assert_int_equal(kill(child, SIGKILL), 0);
	assert_int_equal(waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT),
	                 0);
	assert_int_equal(dt_os_started(child), 0); /* not waited for yet */
	assert_int_equal(waitpid(child, NULL, 0), child);
	assert_int_equal(dt_os_started(child), 0);
}

test(descent_goes_down_and_not_up_or_sideways)
{
	pid_t one = spawn("one");
	pid_t two = spawn("two");

	assert_true(dt_os_is_descendant(one, getpid()));
	assert_true(dt_os_is_descendant(one, getppid()));
	assert_true(dt_os_is_descendant(getpid(), getpid()));
	assert_false(dt_os_is_descendant(getpid(), one));
	assert_false(dt_os_is_descendant(one, two));
	assert_false(dt_os_is_descendant(0, getpid()));
	/* Nobody descends from "no process". */
	assert_false(dt_os_is_descendant(one, 0));
	reap(one);
	reap(two);
}

static bool has_variable(pid_t pid, const char *name)
{
	struct dt_arena arena = { 0 };
	bool is_found = dt_os_variable(&arena, pid, name);

	dt_arena_done(&arena);
	return is_found;
}

test(a_variable_of_a_process_is_found_by_its_whole_name)
{
	static char *env[] = { "XCLAUDECODE=1", "OTHER=CLAUDECODE=1",
		               "DT_MARK=", NULL };
	static char *argv[] = { "/bin/sleep", "10", NULL };
	int ready[2];
	struct dt_arena arena = { 0 };
	char byte;
	pid_t child;

	/* The pipe closes with exec: from then on the environment is its own. */
	assert_int_equal(pipe2(ready, O_CLOEXEC), 0);
	child = fork();
	if (child == 0) {
		execve(argv[0], argv, env);
		_exit(1);
	}
	close(ready[1]);
	assert_int_equal(read(ready[0], &byte, 1), 0);
	close(ready[0]);
	assert_true(has_variable(child, "DT_MARK"));
	assert_true(has_variable(child, "OTHER"));
	assert_false(has_variable(child, "CLAUDECODE"));
	assert_false(has_variable(child, "DT_MAR"));
	assert_string_equal(dt_os_variable(&arena, child, "OTHER"),
	                    "CLAUDECODE=1");
	assert_string_equal(dt_os_variable(&arena, child, "DT_MARK"), "");
	assert_null(dt_os_variable(&arena, child, "DT_MAR"));
	reap(child);
	assert_false(has_variable(child, "DT_MARK"));
	dt_arena_done(&arena);
}

test(the_folder_of_a_process_is_where_it_works)
{
	struct dt_arena arena = { 0 };
	char here[4096];
	pid_t child = spawn("one");

	assert_non_null(getcwd(here, sizeof(here)));
	assert_string_equal(dt_os_folder(&arena, child), here);
	reap(child);
	assert_null(dt_os_folder(&arena, child));
	dt_arena_done(&arena);
}

test(keeping_memory_small_can_be_asked_for)
{
	dt_os_keep_memory_small();
	dt_os_release_memory();
}

test(a_socket_is_ours_when_it_was_bound_for_this_process)
{
	char pid[16];

	unsetenv("LISTEN_PID");
	unsetenv("LISTEN_FDS");
	assert_int_equal(dt_os_listen_fd(), 0);
	snprintf(pid, sizeof(pid), "%d", (int)getpid());
	setenv("LISTEN_PID", pid, 1);
	assert_int_equal(dt_os_listen_fd(), 0);
	setenv("LISTEN_FDS", "0", 1);
	assert_int_equal(dt_os_listen_fd(), 0);
	setenv("LISTEN_FDS", "1", 1);
	assert_int_equal(dt_os_listen_fd(), 3);
	assert_int_equal(dt_os_listen_fd(), 3);
	setenv("LISTEN_PID", "1", 1);
	assert_int_equal(dt_os_listen_fd(), 0);
	setenv("LISTEN_PID", pid, 1);
	dt_os_forget_listen_fd();
	assert_int_equal(dt_os_listen_fd(), 0);
	assert_null(getenv("LISTEN_FDS"));
}

test(only_a_unix_socket_that_listens_is_one)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	struct sockaddr_in ip = { .sin_family = AF_INET };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	int tcp = socket(AF_INET, SOCK_STREAM, 0);

	assert_int_equal(
		bind(fd, (struct sockaddr *)&addr, sizeof(sa_family_t)), 0);
	assert_false(dt_os_is_listening(fd));
	assert_int_equal(listen(fd, 1), 0);
	assert_true(dt_os_is_listening(fd));
	ip.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	assert_int_equal(bind(tcp, (struct sockaddr *)&ip, sizeof(ip)), 0);
	assert_int_equal(listen(tcp, 1), 0);
	assert_false(dt_os_is_listening(tcp));
	assert_false(dt_os_is_listening(-1));
	close(fd);
	close(tcp);
}

test(the_memory_of_a_group_is_that_of_all_in_it)
{
	int64_t alone = dt_os_group_memory(getpgrp());
	int64_t both;
	int fds[2];
	pid_t pid;

	assert_true(alone > 100000);
	assert_int_equal(pipe(fds), 0);
	pid = fork();
	if (pid == 0) {
		char *page = malloc(8 << 20);

		memset(page, 1, 8 << 20);
		if (write(fds[1], page, 1) == 1)
			pause();
		_exit(0);
	}
	assert_int_equal(read(fds[0], &(char){ 0 }, 1), 1);
	both = dt_os_group_memory(getpgrp());
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	close(fds[0]);
	close(fds[1]);
	assert_true(both > (8 << 20));
	/* No group has the number of nobody's. */
	assert_int_equal(dt_os_group_memory(INT32_MAX), 0);
}

static void a_program_goes_on_without_the_pages_of_its_start(void **state)
{
	(void)state;
	dt_os_release_code();
	dt_os_release_memory();
	assert_int_equal(dt_os_parent(getpid()), getppid());
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_peer_of_a_socket_pair_is_this_process),
		cmocka_unit_test(what_is_no_socket_has_no_peer),
		cmocka_unit_test(
			the_parent_is_found_whatever_the_name_of_the_child),
		cmocka_unit_test(a_process_that_is_gone_has_no_parent),
		cmocka_unit_test(a_process_that_has_ended_was_never_started),
		cmocka_unit_test(descent_goes_down_and_not_up_or_sideways),
		cmocka_unit_test(
			a_variable_of_a_process_is_found_by_its_whole_name),
		cmocka_unit_test(the_folder_of_a_process_is_where_it_works),
		cmocka_unit_test(keeping_memory_small_can_be_asked_for),
		cmocka_unit_test(
			a_socket_is_ours_when_it_was_bound_for_this_process),
		cmocka_unit_test(only_a_unix_socket_that_listens_is_one),
		cmocka_unit_test(the_memory_of_a_group_is_that_of_all_in_it),
		cmocka_unit_test(
			a_program_goes_on_without_the_pages_of_its_start),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
