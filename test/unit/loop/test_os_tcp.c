/* test/unit/loop/test_os_tcp.c - who connected, by the kernel's word. */
#include "loop/os.h"

#include "process.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

#ifdef WITHOUT_NETLINK
int __real_socket(int domain, int type, int protocol);
int __wrap_socket(int domain, int type, int protocol);

/* As in a sandbox that has no such thing. */
int __wrap_socket(int domain, int type, int protocol)
{
	if (domain == AF_NETLINK) {
		errno = EAFNOSUPPORT;
		return -1;
	}
	return __real_socket(domain, type, protocol);
}
#endif

/* Both ends of a connection over 127.0.0.1; out[0] accepted it. */
static void connect_both(int out[2])
{
	struct sockaddr_in at = { .sin_family = AF_INET };
	socklen_t size = sizeof(at);
	int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	assert_int_equal(bind(listener, (struct sockaddr *)&at, size), 0);
	assert_int_equal(listen(listener, 1), 0);
	assert_int_equal(getsockname(listener, (struct sockaddr *)&at, &size),
	                 0);
	out[1] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_int_equal(connect(out[1], (struct sockaddr *)&at, size), 0);
	out[0] = accept(listener, NULL, NULL);
	assert_true(out[0] >= 0);
	close(listener);
}

test(the_other_end_of_a_connection_is_found)
{
	static const pid_t nobody[] = { 0 };
	pid_t likely[] = { getppid(), getpid(), 0 };
	uint64_t number = 0;
	uid_t uid = 12345;
	int ends[2];

	connect_both(ends);
	assert_ok(dt_os_tcp_peer(ends[0], &uid, &number, NULL));
	assert_int_equal(uid, geteuid());
	assert_int_not_equal(number, 0);
	assert_int_equal(dt_os_socket_holder(number, likely), getpid());
	assert_int_equal(dt_os_socket_holder(number, nobody), getpid());
	close(ends[0]);
	close(ends[1]);
}

/* What a process has handed on and closed is its child's. */
test(the_holder_is_the_one_that_has_it_now)
{
	pid_t likely[] = { getpid(), 0 };
	uint64_t number = 0;
	uid_t uid;
	int ends[2];
	pid_t child;

	connect_both(ends);
	child = fork();
	if (child == 0) {
		close(ends[0]);
		pause();
		_exit(0);
	}
	close(ends[1]);
	assert_ok(dt_os_tcp_peer(ends[0], &uid, &number, NULL));
	assert_int_equal(dt_os_socket_holder(number, likely), child);
	end_process(child);
	assert_int_equal(dt_os_socket_holder(number, likely), 0);
	close(ends[0]);
}

test(who_has_hung_up_is_gone)
{
	struct dt_fail fail = { 0 };
	uint64_t number = 0;
	uid_t uid;
	int ends[2];

	connect_both(ends);
	close(ends[1]);
	assert_int_equal(dt_os_tcp_peer(ends[0], &uid, &number, &fail),
	                 DT_E_MISSING);
	assert_string_equal(fail.msg, "the other side is gone");
	close(ends[0]);
}

test(another_user_is_told_apart)
{
	struct sockaddr_in at = { .sin_family = AF_INET };
	socklen_t size = sizeof(at);
	uint64_t number = 0;
	uid_t uid = 0;
	int listener;
	pid_t child;
	int fd;

	if (geteuid() != 0)
		skip();
	listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	assert_int_equal(bind(listener, (struct sockaddr *)&at, size), 0);
	assert_int_equal(listen(listener, 1), 0);
	assert_int_equal(getsockname(listener, (struct sockaddr *)&at, &size),
	                 0);
	child = fork();
	if (child == 0) {
		if (setuid(65534) == 0)
			fd = socket(AF_INET, SOCK_STREAM, 0);
		else
			_exit(1);
		if (connect(fd, (struct sockaddr *)&at, size) == 0)
			pause();
		_exit(1);
	}
	fd = accept(listener, NULL, NULL);
	assert_ok(dt_os_tcp_peer(fd, &uid, &number, NULL));
	assert_int_equal(uid, 65534);
	end_process(child);
	close(fd);
	close(listener);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_other_end_of_a_connection_is_found),
		cmocka_unit_test(the_holder_is_the_one_that_has_it_now),
		cmocka_unit_test(who_has_hung_up_is_gone),
		cmocka_unit_test(another_user_is_told_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
