/* test/unit/loop/test_connect.c - how streams come about, or do not. */
#include "loop/stream.h"

#include "seen.h"

#include <fcntl.h>
#include <sys/stat.h>

/* connecting */

/* The accepted end only collects. */
struct host {
	struct seen *seen;
	struct dt_listener *listener;
	enum trick trick;
	int accepted;
};

static void on_accept(struct dt_listener *listener, struct dt_stream *stream,
                      void *owner)
{
	struct host *host = owner;

	host->accepted++;
	if (host->trick == DO_CLOSE) {
		dt_stream_close(stream);
		dt_listener_close(listener);
		host->listener = NULL;
	} else if (host->trick == DO_FINISH) {
		write_z(stream, "full");
		dt_stream_finish(stream);
	} else {
		host->seen->s.stream = stream;
		dt_stream_start(stream, &events, host->seen);
	}
}

test(writes_wait_for_the_connection)
{
	struct seen here;
	struct seen there;
	struct host host = { .seen = &there };
	char *bytes = pattern(DT_MIB);
	struct dt_str part = { bytes, DT_MIB };

	init(&here, DO_NOTHING);
	init(&there, DO_NOTHING);
	sockets_init(&here.s);
	assert_ok(dt_listen_unix(here.s.loop, here.s.path, on_accept, &host,
	                         &host.listener, NULL));
	here.s.stream = dt_stream_connect_unix(here.s.loop, here.s.path);
	dt_stream_start(here.s.stream, &events, &here);
	write_z(here.s.stream, "early ");
	dt_stream_write(here.s.stream, &part, 1);
	assert_int_equal(dt_stream_queued(here.s.stream), DT_MIB + 6);
	dt_stream_finish(here.s.stream);
	sockets_until(&here.s, there.closed && here.closed);
	assert_int_equal(there.read.len, DT_MIB + 6);
	assert_memory_equal(there.read.ptr, "early ", 6);
	assert_memory_equal(there.read.ptr + 6, bytes, DT_MIB);
	dt_listener_close(host.listener);
	dt_buf_done(&there.read);
	free(bytes);
	end(&here);
}

test(a_pause_before_the_connection_holds_behind_it)
{
	struct seen here;
	struct seen there;
	struct host host = { .seen = &there };

	init(&here, DO_NOTHING);
	init(&there, DO_NOTHING);
	sockets_init(&here.s);
	assert_ok(dt_listen_unix(here.s.loop, here.s.path, on_accept, &host,
	                         &host.listener, NULL));
	here.s.stream = dt_stream_connect_unix(here.s.loop, here.s.path);
	dt_stream_start(here.s.stream, &events, &here);
	dt_stream_pause(here.s.stream);
	sockets_until(&here.s, host.accepted);
	write_z(there.s.stream, "hello");
	sockets_turn(&here.s, 20);
	assert_int_equal(here.reads, 0);
	dt_stream_resume(here.s.stream);
	sockets_until(&here.s, here.reads == 1);
	dt_stream_close(here.s.stream);
	sockets_until(&here.s, there.closed);
	dt_listener_close(host.listener);
	dt_buf_done(&there.read);
	end(&here);
}

static void check_connect(struct dt_stream *(*connect_to)(struct dt_loop *),
                          enum dt_err code, int sys_errno)
{
	struct seen seen;

	init(&seen, DO_NOTHING);
	sockets_init(&seen.s);
	seen.s.stream = connect_to(seen.s.loop);
	dt_stream_start(seen.s.stream, &events, &seen);
	write_z(seen.s.stream, "is anybody there?");
	assert_int_equal(seen.closed, 0); /* never before the loop turns */
	sockets_until(&seen.s, seen.closed);
	assert_int_equal(seen.why.code, code);
	assert_int_equal(seen.why.sys_errno, sys_errno);
	end(&seen);
}

static struct dt_stream *to_nobody(struct dt_loop *loop)
{
	return dt_stream_connect_tcp(loop, "127.0.0.1", sockets_free_port());
}

static struct dt_stream *to_no_address(struct dt_loop *loop)
{
	return dt_stream_connect_tcp(loop, "localhost", 80);
}

static struct dt_stream *to_no_file(struct dt_loop *loop)
{
	return dt_stream_connect_unix(loop, "/proc/nonexistent/socket");
}

#define LONG_PATH                                                              \
	"/tmp/a-path-of-more-bytes-than-the-name-of-a-socket-may-have-"        \
	"which-libuv-would-cut-without-a-word-and-then-use-what-is-left"

static struct dt_stream *to_a_long_path(struct dt_loop *loop)
{
	return dt_stream_connect_unix(loop, LONG_PATH);
}

test(failing_to_connect_is_an_end_with_its_reason)
{
	check_connect(to_nobody, DT_E_SYS, ECONNREFUSED);
	check_connect(to_no_address, DT_E_SYS, EINVAL);
	check_connect(to_no_file, DT_E_SYS, ENOENT);
	check_connect(to_a_long_path, DT_E_LIMIT, 0);
}

test(closing_while_connecting_is_an_orderly_end)
{
	struct seen seen;

	init(&seen, DO_NOTHING);
	sockets_init(&seen.s);
	seen.s.stream = to_nobody(seen.s.loop);
	dt_stream_start(seen.s.stream, &events, &seen);
	dt_stream_close(seen.s.stream);
	sockets_until(&seen.s, seen.closed);
	assert_int_equal(seen.why.code, DT_E_CLOSED);
	end(&seen);
}

/* listening */

test(a_stream_and_its_listener_may_be_closed_in_the_accept_callback)
{
	struct host host = { .trick = DO_CLOSE };
	struct sockets s;

	sockets_init(&s);
	assert_ok(dt_listen_unix(s.loop, s.path, on_accept, &host,
	                         &host.listener, NULL));
	s.fd = sockets_dial_unix(s.path);
	sockets_expect_end(&s);
	assert_int_equal(host.accepted, 1);
	sockets_close(&s);
}

test(a_stream_without_an_owner_may_be_told_off_in_the_accept_callback)
{
	struct host host = { .trick = DO_FINISH };
	struct sockets s;

	sockets_init(&s);
	assert_ok(dt_listen_unix(s.loop, s.path, on_accept, &host,
	                         &host.listener, NULL));
	s.fd = sockets_dial_unix(s.path);
	sockets_put_z(&s, "unheard");
	sockets_expect_z(&s, "full");
	sockets_expect_end(&s);
	dt_listener_close(host.listener);
	sockets_close(&s);
}

test(a_port_that_is_taken_is_a_state_and_not_a_system_failure)
{
	struct dt_listener *first = NULL;
	struct dt_listener *second = NULL;
	struct dt_fail fail = { 0 };
	struct sockets s;
	unsigned port;

	sockets_init(&s);
	do
		port = sockets_free_port();
	while (dt_listen_tcp(s.loop, port, on_accept, NULL, &first, NULL));
	assert_int_equal(
		dt_listen_tcp(s.loop, port, on_accept, NULL, &second, &fail),
		DT_E_STATE);
	assert_null(second);
	dt_listener_close(first);
	dt_listener_close(NULL);
	sockets_close(&s);
}

/* A socket that somebody else bound, as systemd does. */
static int bind_socket(const char *path)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	snprintf(addr.sun_path, sizeof(addr.sun_path), "%s", path);
	assert_int_equal(bind(fd, (struct sockaddr *)&addr, sizeof(addr)), 0);
	return fd;
}

test(a_socket_that_was_bound_for_us_is_listened_on)
{
	struct seen here;
	struct seen there;
	struct host host = { .seen = &there };
	struct dt_fail fail = { 0 };
	int fd;

	init(&here, DO_NOTHING);
	init(&there, DO_NOTHING);
	sockets_init(&here.s);
	fd = bind_socket(here.s.path);
	assert_int_equal(dt_listen_fd(here.s.loop, fd, on_accept, &host,
	                              &host.listener, &fail),
	                 DT_E_ARGS);
	assert_int_equal(listen(fd, 1), 0);
	assert_ok(dt_listen_fd(here.s.loop, fd, on_accept, &host,
	                       &host.listener, NULL));
	here.s.stream = dt_stream_connect_unix(here.s.loop, here.s.path);
	dt_stream_start(here.s.stream, &events, &here);
	write_z(here.s.stream, "hello");
	dt_stream_finish(here.s.stream);
	sockets_until(&here.s, there.closed && here.closed);
	assert_int_equal(there.read.len, 5);
	dt_listener_close(host.listener);
	/* It was lent. */
	assert_true(fcntl(fd, F_GETFD) >= 0);
	close(fd);
	dt_buf_done(&there.read);
	end(&here);
}

test(a_socket_file_is_private_and_not_taken_twice)
{
	struct dt_listener *first = NULL;
	struct dt_listener *second = NULL;
	struct dt_fail fail = { 0 };
	struct sockets s;
	mode_t mask = umask(0022);
	struct stat st;

	sockets_init(&s);
	assert_ok(
		dt_listen_unix(s.loop, s.path, on_accept, NULL, &first, NULL));
	assert_int_equal(umask(mask), 0022); /* as it was */
	assert_int_equal(stat(s.path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	assert_int_equal(
		dt_listen_unix(s.loop, s.path, on_accept, NULL, &second, &fail),
		DT_E_STATE);
	fail = (struct dt_fail){ 0 };
	assert_int_equal(dt_listen_unix(s.loop, "/proc/nonexistent/socket",
	                                on_accept, NULL, &second, &fail),
	                 DT_E_SYS);
	fail = (struct dt_fail){ 0 };
	assert_int_equal(dt_listen_unix(s.loop, LONG_PATH, on_accept, NULL,
	                                &second, &fail),
	                 DT_E_LIMIT);
	assert_null(second);
	dt_listener_close(first);
	sockets_close(&s);
}

test(the_credentials_of_a_unix_socket_are_those_of_its_process)
{
	struct seen seen;
	pid_t pid;
	uid_t uid;

	begin_unix(&seen, DO_NOTHING);
	assert_ok(dt_stream_credentials(seen.s.stream, &pid, &uid, NULL));
	assert_int_equal(pid, getpid());
	assert_int_equal(uid, getuid());
	dt_stream_close(seen.s.stream);
	assert_int_equal(dt_stream_credentials(seen.s.stream, &pid, &uid, NULL),
	                 DT_E_CLOSED);
	end(&seen);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(writes_wait_for_the_connection),
		cmocka_unit_test(a_pause_before_the_connection_holds_behind_it),
		cmocka_unit_test(failing_to_connect_is_an_end_with_its_reason),
		cmocka_unit_test(closing_while_connecting_is_an_orderly_end),
		cmocka_unit_test(
			a_stream_and_its_listener_may_be_closed_in_the_accept_callback),
		cmocka_unit_test(
			a_stream_without_an_owner_may_be_told_off_in_the_accept_callback),
		cmocka_unit_test(
			a_port_that_is_taken_is_a_state_and_not_a_system_failure),
		cmocka_unit_test(a_socket_that_was_bound_for_us_is_listened_on),
		cmocka_unit_test(a_socket_file_is_private_and_not_taken_twice),
		cmocka_unit_test(
			the_credentials_of_a_unix_socket_are_those_of_its_process),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
