#include "unit.h"

#include "app/remote.h"
#include "base/buf.h"
#include "hub/dirs.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static char top[] = "/tmp/dt-remote-XXXXXX";
static struct dt_arena arena;
static struct dt_dirs dirs;
static struct dt_fail why;
static pid_t server;

/* A daemon that reads a line and answers with the next of these, ended by NULL;
 * then it hangs up in the middle of one more. */
static void serve(int listener, const char *const *answers)
{
	int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
	FILE *in = fdopen(fd, "r");
	char *line = NULL;
	size_t size = 0;

	for (; *answers && getline(&line, &size, in) > 0; answers++)
		dprintf(fd, "{\"jsonrpc\":\"2.0\",%s}\n", *answers);
	_exit(getline(&line, &size, in) < 0);
}

static void start_server(const char *const *answers)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	snprintf(addr.sun_path, sizeof(addr.sun_path), "%s", dirs.socket);
	assert_int_equal(bind(fd, (struct sockaddr *)&addr, sizeof(addr)), 0);
	assert_int_equal(listen(fd, 1), 0);
	server = fork();
	if (server == 0)
		serve(fd, answers);
	close(fd);
}

static int start(void **state)
{
	(void)state;
	signal(SIGPIPE, SIG_IGN);
	why = (struct dt_fail){ 0 };
	server = 0;
	snprintf(top, sizeof(top), "/tmp/dt-remote-XXXXXX");
	if (!mkdtemp(top))
		return -1;
	setenv("HOME", top, 1);
	setenv("XDG_RUNTIME_DIR", top, 1);
	return dt_dirs_find(&arena, &dirs, NULL) || mkdir(dirs.run, 0700);
}

static int end(void **state)
{
	(void)state;
	if (server > 0)
		waitpid(server, NULL, 0);
	unlink(dirs.socket);
	rmdir(dirs.run);
	dt_arena_done(&arena);
	return rmdir(top);
}

static int quiet_count;
static int back_count;

/* The kernel names who listened first, which is this process. */
static void on_quiet(pid_t pid, bool is_quiet)
{
	assert_int_equal(pid, getpid());
	quiet_count += is_quiet;
	back_count += !is_quiet;
}

static int beat_count;

static void on_beat(void)
{
	beat_count++;
}

static const struct dt_patience hasty = { 300, on_quiet, on_beat };
static const struct dt_patience usual = { .ms = DT_REMOTE_PATIENCE_MS };

#define HELLO "\"id\":0,\"result\":{\"protocol\":1}"
#define ANSWERS(...) ((const char *const[]){ __VA_ARGS__, NULL })

test(without_a_daemon_the_sentence_says_how_to_start_one)
{
	struct dt_remote *remote;

	assert_int_equal(dt_remote_open(&remote, &why), DT_E_MISSING);
	assert_non_null(strstr(why.msg, "dovetail start"));
}

test(a_socket_nobody_listens_on_is_no_daemon)
{
	struct dt_remote *remote;

	start_server(ANSWERS(HELLO));
	kill(server, SIGKILL);
	waitpid(server, NULL, 0);
	server = 0;
	assert_int_equal(dt_remote_open(&remote, &why), DT_E_MISSING);
}

test(calls_are_answered_one_after_the_other)
{
	const struct dt_json *result;
	struct dt_remote *remote;

	start_server(ANSWERS(HELLO, "\"id\":1,\"result\":{\"a\":\"x\"}",
	                     "\"id\":2,\"result\":[]"));
	assert_ok(dt_remote_open(&remote, &why));
	assert_int_equal(dt_remote_pid(remote), getpid());
	assert_ok(dt_remote_call(remote, "one", &arena, &result, &why));
	assert_str(dt_json_get(result, "a")->raw, "\"x\"");
	assert_ok(dt_remote_call(remote, "two", &arena, NULL, &why));
	/* The first result lives in the arena, not in the connection. */
	assert_str(dt_json_get(result, "a")->raw, "\"x\"");
	dt_remote_free(remote);
}

test(the_daemon_speaks_for_itself_when_it_refuses)
{
	struct dt_remote *remote;

	start_server(ANSWERS("\"id\":0,\"error\":{\"code\":-32012,"
	                     "\"message\":\"run `dovetail restart`\"}"));
	assert_int_equal(dt_remote_open(&remote, &why), DT_E_STATE);
	assert_string_equal(why.msg, "run `dovetail restart`");
}

test(a_daemon_that_dies_in_a_call_has_gone_away)
{
	struct dt_remote *remote;

	start_server(ANSWERS(HELLO));
	assert_ok(dt_remote_open(&remote, &why));
	assert_int_equal(dt_remote_call(remote, "x", &arena, NULL, &why),
	                 DT_E_CLOSED);
	assert_non_null(strstr(why.msg, "went away"));
	/* And it stays away. */
	assert_int_equal(dt_remote_call(remote, "x", &arena, NULL, NULL),
	                 DT_E_CLOSED);
	dt_remote_free(remote);
}

test(a_daemon_that_hangs_is_given_up)
{
	struct dt_remote *remote;

	start_server(ANSWERS(HELLO));
	assert_ok(dt_remote_open(&remote, &why));
	quiet_count = back_count = 0;
	dt_remote_set_patience(&hasty);
	kill(server, SIGSTOP);
	assert_int_equal(dt_remote_call(remote, "x", &arena, NULL, &why),
	                 DT_E_SYS);
	assert_non_null(strstr(why.msg, "does not answer: `kill -CONT "));
	assert_int_equal(quiet_count, 1);
	assert_int_equal(back_count, 0);
	kill(server, SIGKILL);
	dt_remote_free(remote);
	dt_remote_set_patience(&usual);
}

#define UNKNOWN "\"id\":3,\"error\":{\"code\":-32601,\"message\":\"what?\"}"

test(a_daemon_that_lives_is_waited_for)
{
	struct dt_remote *remote;

	/* The call is answered when the fifth question whether it lives came;
	 * an error is a sign of life, too. */
	start_server(ANSWERS(HELLO, "\"method\":\"note\"",
	                     "\"id\":2,\"result\":{}", UNKNOWN,
	                     "\"id\":4,\"result\":{}", "\"id\":5,\"result\":{}",
	                     "\"id\":1,\"result\":{}"));
	assert_ok(dt_remote_open(&remote, &why));
	quiet_count = beat_count = 0;
	dt_remote_set_patience(&hasty);
	assert_ok(dt_remote_call(remote, "x", &arena, NULL, &why));
	assert_int_equal(quiet_count, 0);
	assert_int_equal(beat_count, 5);
	dt_remote_free(remote);
	dt_remote_set_patience(&usual);
}

struct reply {
	uint32_t n;
};

static const struct dt_field reply_fields[] = {
	DT_FIELD(struct reply, n, U32, DT_REQ, ""),
	DT_FIELD_END,
};

static const struct dt_shape reply_shape = DT_SHAPE(struct reply, reply_fields);

test(an_answer_of_the_wrong_shape_is_refused)
{
	struct dt_remote *remote;
	struct reply reply = { 0 };

	start_server(ANSWERS(HELLO, "\"id\":1,\"result\":{\"n\":7}",
	                     "\"id\":2,\"result\":{}"));
	assert_ok(dt_remote_open(&remote, &why));
	assert_ok(dt_remote_fetch(remote, "x", &arena, &reply_shape, &reply,
	                          &why));
	assert_int_equal(reply.n, 7);
	assert_int_equal(dt_remote_fetch(remote, "x", &arena, &reply_shape,
	                                 &reply, &why),
	                 DT_E_ARGS);
	dt_remote_free(remote);
}

int main(void)
{
#define REMOTE_TEST(name) cmocka_unit_test_setup_teardown(name, start, end)
	const struct CMUnitTest tests[] = {
		REMOTE_TEST(
			without_a_daemon_the_sentence_says_how_to_start_one),
		REMOTE_TEST(a_socket_nobody_listens_on_is_no_daemon),
		REMOTE_TEST(calls_are_answered_one_after_the_other),
		REMOTE_TEST(the_daemon_speaks_for_itself_when_it_refuses),
		REMOTE_TEST(a_daemon_that_dies_in_a_call_has_gone_away),
		REMOTE_TEST(a_daemon_that_hangs_is_given_up),
		REMOTE_TEST(a_daemon_that_lives_is_waited_for),
		REMOTE_TEST(an_answer_of_the_wrong_shape_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
