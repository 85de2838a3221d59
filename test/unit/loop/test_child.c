/* test/unit/loop/test_child.c - programs that are talked with. */
#include "loop/child.h"

#include "base/buf.h"
#include "base/clock.h"
#include "base/limits.h"
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
#include <uv.h>

/* One program, what it said and how it ended. */
struct seen {
	struct dt_loop *loop;
	struct dt_child *child;
	struct dt_stream *stream;
	struct dt_buf out;
	struct dt_buf errors;
	const char *answer; /* to its first words */
	int ended;
	int closed;
	struct dt_child_end end;
};

static void on_read(struct dt_stream *stream, char *bytes, size_t len,
                    void *owner)
{
	struct seen *seen = owner;
	struct dt_str answer = dt_str(seen->answer);

	dt_buf_add(&seen->out, bytes, len);
	seen->answer = NULL;
	if (answer.len)
		dt_stream_write(stream, &answer, 1);
}

static void on_closed(struct dt_stream *stream, const struct dt_fail *why,
                      void *owner)
{
	struct seen *seen = owner;

	(void)stream;
	(void)why;
	seen->stream = NULL;
	seen->closed++;
}

static const struct dt_stream_events events = {
	.on_read = on_read,
	.on_closed = on_closed,
};

static void on_end(struct dt_child *child, const struct dt_child_end *end,
                   void *owner)
{
	struct seen *seen = owner;

	assert_ptr_equal(child, seen->child);
	seen->child = NULL;
	seen->ended++;
	seen->end = *end;
	dt_buf_add_str(&seen->errors, end->errors);
}

static char *env[] = { "PATH=/usr/bin:/bin", "GREETING=hello", NULL };

static void begin(struct seen *seen, const char *script)
{
	char *argv[] = { "/bin/sh", "-c", (char *)(uintptr_t)script, NULL };
	struct dt_child_spec spec = {
		.argv = argv,
		.env = env,
		.folder = "/",
	};

	signal(SIGPIPE, SIG_IGN); /* as main() does */
	*seen = (struct seen){ .loop = dt_loop_new() };
	dt_buf_init(&seen->out, DT_MIB);
	dt_buf_init(&seen->errors, DT_MIB);
	assert_ok(dt_child_start(seen->loop, &spec, on_end, seen, &seen->child,
	                         NULL));
	seen->stream = dt_child_stream(seen->child);
	dt_stream_start(seen->stream, &events, seen);
}

static void finish(struct seen *seen)
{
	dt_loop_run(seen->loop);
	assert_int_equal(seen->closed, 1);
	dt_loop_free(seen->loop);
}

static void done(struct seen *seen)
{
	dt_buf_done(&seen->out);
	dt_buf_done(&seen->errors);
}

test(its_input_and_output_are_one_stream)
{
	struct seen seen;

	begin(&seen, "echo \"$GREETING $PWD\"; read line; echo \"<$line>\"; "
	             "exit 3");
	seen.answer = "you\n";
	finish(&seen);
	assert_string_equal(dt_buf_z(&seen.out), "hello /\n<you>\n");
	assert_int_equal(seen.ended, 1);
	assert_int_equal(seen.end.code, 3);
	assert_int_equal(seen.end.signal, 0);
	done(&seen);
}

test(it_sees_the_end_of_the_stream)
{
	struct seen seen;

	begin(&seen, "cat; echo over");
	dt_stream_finish(seen.stream);
	finish(&seen);
	assert_int_equal(seen.end.code, 0);
	done(&seen);
}

test(the_last_lines_of_its_errors_are_kept)
{
	struct seen seen;

	begin(&seen, "i=0; while [ $i -lt 2000 ]; do echo \"line $i\" >&2; "
	             "i=$((i+1)); done; kill -9 $$");
	finish(&seen);
	assert_int_equal(seen.end.signal, SIGKILL);
	assert_int_equal(seen.end.code, 137);
	assert_in_range(seen.errors.len, DT_LIMIT_CHILD_ERRORS / 2,
	                DT_LIMIT_CHILD_ERRORS);
	assert_memory_equal(seen.errors.ptr, "line ", 5);
	assert_memory_equal(seen.errors.ptr + seen.errors.len - 10,
	                    "line 1999\n", 10);
	done(&seen);
}

/* The number it printed. */
static pid_t printed(struct seen *seen)
{
	struct dt_str text = dt_buf_str(&seen->out);
	uint32_t pid = 0;

	assert_ok(dt_str_to_u32(dt_str_cut(&text, '\n'), &pid, NULL));
	return (pid_t)pid;
}

/* Whoever reaps it may take a moment; a zombie does not run either. */
static bool is_gone(pid_t pid)
{
	char *path = dt_asprintf("/proc/%d/cmdline", (int)pid);
	uint64_t until = dt_clock_ms() + 5000;
	bool runs = true;

	while (runs && dt_clock_ms() < until) {
		int fd = open(path, O_RDONLY | O_CLOEXEC);
		char byte;

		runs = fd >= 0 && read(fd, &byte, 1) == 1;
		if (fd >= 0)
			close(fd);
		if (runs)
			usleep(1000);
	}
	free(path);
	return !runs;
}

test(its_helpers_go_with_it)
{
	struct seen seen;
	uint64_t began_ms = dt_clock_ms();

	begin(&seen, "sleep 600 & echo $!");
	finish(&seen);
	assert_in_range(dt_clock_ms() - began_ms, 0, 5000);
	assert_int_equal(seen.end.code, 0);
	assert_true(is_gone(printed(&seen)));
	done(&seen);
}

test(who_is_asked_to_end_ends_with_its_group)
{
	struct seen seen;

	begin(&seen, "sleep 600 & wait");
	assert_true(dt_child_pid(seen.child) > 0);
	dt_child_end(seen.child);
	dt_child_end(seen.child);
	finish(&seen);
	assert_int_equal(seen.ended, 1);
	assert_int_equal(seen.end.signal, SIGTERM);
	done(&seen);
}

test(who_does_not_listen_is_killed)
{
	struct seen seen;
	uint64_t began_ms;

	begin(&seen, "trap '' TERM; echo $$; while :; do sleep 0.1; done");
	while (!seen.out.len)
		uv_run(dt_loop_uv(seen.loop), UV_RUN_ONCE);
	began_ms = dt_clock_ms();
	dt_child_end(seen.child);
	finish(&seen);
	assert_int_equal(seen.end.signal, SIGKILL);
	assert_in_range(dt_clock_ms() - began_ms, 1900, 9000);
	done(&seen);
}

test(a_child_that_is_stopped_tells_nobody)
{
	struct seen seen;
	pid_t pid;

	begin(&seen, "sleep 600");
	pid = dt_child_pid(seen.child);
	dt_child_stop(seen.child);
	finish(&seen);
	assert_int_equal(seen.ended, 0);
	assert_int_equal(kill(pid, 0), -1);
	assert_int_equal(errno, ESRCH);
	done(&seen);
}

test(a_program_that_is_not_there_is_said_so)
{
	char *argv[] = { "/no/such/program", NULL };
	struct dt_child_spec spec = { .argv = argv, .env = env, .folder = "/" };
	struct dt_loop *loop = dt_loop_new();
	struct dt_fail fail = { 0 };
	struct dt_child *child = NULL;

	assert_int_equal(
		dt_child_start(loop, &spec, on_end, NULL, &child, &fail),
		DT_E_MISSING);
	assert_string_equal(fail.msg,
	                    "cannot run /no/such/program in /: no such file "
	                    "or directory");
	dt_loop_run(loop);
	dt_loop_free(loop);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(its_input_and_output_are_one_stream),
		cmocka_unit_test(it_sees_the_end_of_the_stream),
		cmocka_unit_test(the_last_lines_of_its_errors_are_kept),
		cmocka_unit_test(its_helpers_go_with_it),
		cmocka_unit_test(who_is_asked_to_end_ends_with_its_group),
		cmocka_unit_test(who_does_not_listen_is_killed),
		cmocka_unit_test(a_child_that_is_stopped_tells_nobody),
		cmocka_unit_test(a_program_that_is_not_there_is_said_so),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
