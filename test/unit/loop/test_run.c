#include "loop/run.h"

#include "base/arena.h"
#include "base/clock.h"
#include "unit.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* One run, and what was told of it. */
struct seen {
	struct dt_loop *loop;
	struct dt_run *run;
	struct dt_arena arena;
	int count;
	struct dt_run_end end; /* its texts in the arena */
	uint64_t took_ms;
};

static void on_end(struct dt_run *run, const struct dt_run_end *end,
                   void *owner)
{
	struct seen *seen = owner;

	assert_ptr_equal(run, seen->run);
	seen->count++;
	seen->end = *end;
	seen->end.out.ptr =
		dt_arena_strndup(&seen->arena, end->out.ptr, end->out.len);
	seen->end.err.ptr =
		dt_arena_strndup(&seen->arena, end->err.ptr, end->err.len);
	seen->end.out_tail.ptr = dt_arena_strndup(
		&seen->arena, end->out_tail.ptr, end->out_tail.len);
}

#define MARK "MARK=of-test-run"

static char *env[] = { "PATH=/usr/bin:/bin", "GREETING=hello", MARK, NULL };

/* What is not in the spec is filled in. */
static void begin_with(struct seen *seen, const char *script,
                       struct dt_run_spec spec)
{
	char *argv[] = { "/bin/sh", "-c", (char *)(uintptr_t)script, NULL };

	spec.argv = argv;
	spec.env = env;
	spec.folder = "/";
	*seen = (struct seen){ .loop = dt_loop_new() };
	assert_ok(dt_run_start(seen->loop, &spec, on_end, seen, &seen->run,
	                       NULL));
	assert_int_equal(seen->count, 0);
}

/* The same with something to read. */
static void begin_reading(struct seen *seen, const char *script,
                          struct dt_str input)
{
	begin_with(seen, script,
	           (struct dt_run_spec){ .input = input,
	                                 .keep_bytes = 4u << 20,
	                                 .deadline_ms = 10000 });
}

static void begin(struct seen *seen, const char *script, size_t keep_bytes,
                  unsigned deadline_ms)
{
	begin_with(seen, script,
	           (struct dt_run_spec){ .keep_bytes = keep_bytes,
	                                 .deadline_ms = deadline_ms });
}

static void end(struct seen *seen)
{
	uint64_t began_ms = dt_clock_ms();

	dt_loop_run(seen->loop);
	seen->took_ms = dt_clock_ms() - began_ms;
	dt_loop_free(seen->loop);
}

static void run(struct seen *seen, const char *script, size_t keep_bytes,
                unsigned deadline_ms)
{
	begin(seen, script, keep_bytes, deadline_ms);
	end(seen);
	assert_int_equal(seen->count, 1);
}

test(both_outputs_and_the_exit_code_are_told)
{
	struct seen seen;

	run(&seen, "echo \"$GREETING $PWD\"; echo no >&2; exit 128", 100, 0);
	assert_str(seen.end.out, "hello /\n");
	assert_str(seen.end.err, "no\n");
	assert_int_equal(seen.end.code, 128);
	assert_int_equal(seen.end.signal, 0);
	assert_false(seen.end.is_late || seen.end.is_out_cut ||
	             seen.end.is_err_cut);
	dt_arena_done(&seen.arena);
}

test(there_is_nothing_to_read)
{
	struct seen seen;

	run(&seen, "cat", 100, 0);
	assert_int_equal(seen.end.code, 0);
	assert_int_equal(seen.end.out.len, 0);
	dt_arena_done(&seen.arena);
}

test(a_signal_is_told)
{
	struct seen seen;

	run(&seen, "kill -9 $$", 100, 0);
	assert_int_equal(seen.end.code, 137);
	assert_int_equal(seen.end.signal, SIGKILL);
	assert_false(seen.end.is_late);
	dt_arena_done(&seen.arena);
}

/* More than a pipe holds, so it would never end if nobody read on. */
test(what_is_too_much_is_read_and_dropped)
{
	struct seen seen;

	run(&seen,
	    "i=0; while [ $i -lt 3000 ]; do echo "
	    "0123456789012345678901234567890123456789; i=$((i+1)); done; "
	    "exit 3",
	    45, 0);
	assert_str(seen.end.out,
	           "0123456789012345678901234567890123456789\n0123");
	assert_true(seen.end.is_out_cut);
	assert_false(seen.end.is_err_cut);
	assert_int_equal(seen.end.code, 3);
	dt_arena_done(&seen.arena);
}

test(exactly_what_may_be_kept_is_not_cut)
{
	struct seen seen;

	run(&seen, "printf 12345; printf 12345 >&2", 5, 0);
	assert_str(seen.end.out, "12345");
	assert_str(seen.end.err, "12345");
	assert_false(seen.end.is_out_cut || seen.end.is_err_cut);
	dt_arena_done(&seen.arena);
}

/* A process that ended has no command line, also before it is reaped. */
static bool is_alive(uint32_t pid)
{
	char *path = dt_asprintf("/proc/%u/cmdline", pid);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char byte;
	bool is_there = fd >= 0 && read(fd, &byte, 1) == 1;

	free(path);
	if (fd >= 0)
		close(fd);
	return is_there;
}

/* The process it printed the id of is gone, or goes within seconds. */
static void assert_gone(struct dt_str text)
{
	const struct timespec nap = { .tv_nsec = 5000000 };
	uint64_t until = dt_clock_ms() + 5000;
	uint32_t pid = 0;

	assert_ok(dt_str_to_u32(dt_str_cut(&text, '\n'), &pid, NULL));
	while (is_alive(pid) && dt_clock_ms() < until)
		nanosleep(&nap, NULL);
	assert_false(is_alive(pid));
}

test(the_deadline_ends_the_whole_group)
{
	struct seen seen;

	run(&seen, "sleep 600 & echo $!; wait", 100, 50);
	assert_true(seen.end.is_late);
	assert_int_equal(seen.end.signal, SIGTERM);
	assert_in_range(seen.took_ms, 45, 1900);
	assert_gone(seen.end.out);
	dt_arena_done(&seen.arena);
}

test(who_does_not_listen_is_killed)
{
	struct seen seen;

	run(&seen, "trap '' TERM; echo $$; while :; do sleep 0.1; done", 100,
	    50);
	assert_true(seen.end.is_late);
	assert_int_equal(seen.end.signal, SIGKILL);
	assert_in_range(seen.took_ms, 2000, 9000);
	assert_gone(seen.end.out);
	dt_arena_done(&seen.arena);
}

test(what_stays_in_the_background_is_not_waited_for)
{
	struct seen seen;
	uint32_t pid = 0;
	struct dt_str line;

	run(&seen, "sleep 600 & echo $!", 100, 0);
	assert_in_range(seen.took_ms, 0, 5000);
	line = dt_str_cut(&seen.end.out, '\n');
	assert_ok(dt_str_to_u32(line, &pid, NULL));
	assert_int_equal(kill((pid_t)pid, SIGKILL), 0);
	dt_arena_done(&seen.arena);
}

test(a_run_that_is_stopped_tells_nobody)
{
	struct seen seen;

	begin(&seen, "sleep 600", 100, 0);
	dt_run_stop(seen.run);
	end(&seen);
	assert_int_equal(seen.count, 0);
	assert_in_range(seen.took_ms, 0, 5000);
}

static void never(struct dt_run *run, const struct dt_run_end *end, void *owner)
{
	(void)run;
	(void)end;
	(void)owner;
	fail_msg("it was stopped");
}

/* Stops it with the first bytes. */
static void stop_it(struct dt_run *run, struct dt_str bytes, bool is_err,
                    void *owner)
{
	int *heard = owner;

	assert_false(is_err);
	assert_str(bytes, "ready\n");
	(*heard)++;
	dt_run_stop(run);
}

test(what_is_printed_is_told_as_it_comes)
{
	char *argv[] = { "/bin/sh", "-c", "echo ready; sleep 600", NULL };
	struct dt_run_spec spec = {
		.argv = argv,
		.env = env,
		.folder = "/",
		.on_output = stop_it,
	};
	struct dt_loop *loop = dt_loop_new();
	struct dt_run *out = NULL;
	int heard = 0;

	assert_ok(dt_run_start(loop, &spec, never, &heard, &out, NULL));
	dt_loop_run(loop);
	assert_int_equal(heard, 1);
	dt_loop_free(loop);
}

static void quit_when_there(struct dt_timer *timer, void *owner)
{
	struct seen *seen = owner;

	if (access(dt_arena_printf(&seen->arena, "/tmp/dovetail-run-%d",
	                           getpid()),
	           F_OK))
		return;
	dt_timer_free(timer);
	dt_run_quit(seen->run);
}

test(a_run_that_is_asked_to_end_can_put_things_in_order)
{
	struct dt_arena arena = { 0 };
	const char *file =
		dt_arena_printf(&arena, "/tmp/dovetail-run-%d", getpid());
	struct seen seen;

	begin(&seen,
	      dt_arena_printf(&arena,
	                      "trap 'rm %s; exit' TERM; echo >%s; "
	                      "while :; do sleep 0.05; done",
	                      file, file),
	      100, 0);
	dt_timer_repeat(dt_timer_new(seen.loop, quit_when_there, &seen), 10);
	end(&seen);
	assert_int_equal(seen.count, 0);
	assert_int_equal(access(file, F_OK), -1);
	dt_arena_done(&seen.arena);
	dt_arena_done(&arena);
}

test(the_end_of_a_long_output_is_kept_too)
{
	struct seen seen;

	begin_with(&seen, "seq 100000; echo the end",
	           (struct dt_run_spec){ .keep_bytes = 4, .keep_tail = 13 });
	end(&seen);
	assert_str(seen.end.out, "1\n2\n");
	assert_str(seen.end.out_tail, "0000\nthe end\n");
	assert_true(seen.end.is_out_cut);
	assert_int_equal(seen.end.out_left, 588895 + 8 - 4 - 13);
	dt_arena_done(&seen.arena);
	/* All of it, in two pieces. */
	begin_with(&seen, "printf 1234567",
	           (struct dt_run_spec){ .keep_bytes = 4, .keep_tail = 4 });
	end(&seen);
	assert_str(seen.end.out, "1234");
	assert_str(seen.end.out_tail, "567");
	assert_int_equal(seen.end.out_left, 0);
	dt_arena_done(&seen.arena);
}

/* What a run printed, piece by piece. */
static struct {
	char out[64];
	char err[64];
	bool stops;
} pieces;

static void on_output(struct dt_run *run, struct dt_str bytes, bool is_err,
                      void *owner)
{
	const struct seen *seen = owner;
	char *to = is_err ? pieces.err : pieces.out;

	assert_ptr_equal(run, seen->run);
	strncat(to, bytes.ptr, bytes.len);
	if (pieces.stops)
		dt_run_stop(run);
}

test(output_is_told_as_it_comes)
{
	struct dt_run_spec spec = { .keep_bytes = 3, .on_output = on_output };
	struct seen seen;

	begin_with(&seen, "echo one; echo two; echo three >&2", spec);
	end(&seen);
	assert_string_equal(pieces.out, "one\ntwo\n");
	assert_string_equal(pieces.err, "three\n");
	dt_arena_done(&seen.arena);
	pieces.stops = true;
	begin_with(&seen, "echo one; sleep 600", spec);
	end(&seen);
	assert_int_equal(seen.count, 0);
}

test(what_is_left_of_the_group_is_killed_where_that_is_wanted)
{
	struct seen seen;

	begin_with(&seen, "sleep 600 >/dev/null 2>&1 & echo $!",
	           (struct dt_run_spec){ .keep_bytes = 100,
	                                 .ends_group = true,
	                                 .mark = MARK });
	end(&seen);
	assert_int_equal(seen.end.code, 0);
	assert_int_equal(seen.end.left_running, 0);
	assert_gone(seen.end.out);
	dt_arena_done(&seen.arena);
}

#define FORKS_AWAY                                                             \
	"setsid sh -c 'echo $$; exec sleep 600 >/dev/null 2>&1' & sleep 0.2; "

/* It has left the group, so only its mark tells whose it is. */
test(a_child_that_forks_away_is_told_of)
{
	struct seen seen;
	uint32_t pid = 0;

	begin_with(&seen, FORKS_AWAY,
	           (struct dt_run_spec){ .keep_bytes = 100,
	                                 .ends_group = true,
	                                 .mark = MARK });
	end(&seen);
	assert_int_equal(seen.end.left_running, 1);
	assert_ok(dt_str_to_u32(dt_str_cut(&seen.end.out, '\n'), &pid, NULL));
	assert_int_equal(kill((pid_t)pid, SIGKILL), 0);
	dt_arena_done(&seen.arena);
}

test(a_child_that_forks_away_dies_at_the_deadline)
{
	struct seen seen;

	begin_with(&seen, FORKS_AWAY "sleep 600",
	           (struct dt_run_spec){ .keep_bytes = 100,
	                                 .deadline_ms = 500,
	                                 .mark = MARK });
	end(&seen);
	assert_true(seen.end.is_late);
	assert_int_equal(seen.end.left_running, 0);
	assert_gone(seen.end.out);
	dt_arena_done(&seen.arena);
}

test(a_program_that_is_not_there_is_said_so)
{
	char *argv[] = { "/no/such/program", NULL };
	struct dt_run_spec spec = { .argv = argv, .env = env, .folder = "/" };
	struct dt_loop *loop = dt_loop_new();
	struct dt_fail fail = { 0 };
	struct dt_run *out = NULL;

	assert_int_equal(dt_run_start(loop, &spec, on_end, NULL, &out, &fail),
	                 DT_E_MISSING);
	assert_string_equal(fail.msg,
	                    "cannot run /no/such/program in /: no such file "
	                    "or directory");
	assert_null(out);
	dt_loop_run(loop);
	dt_loop_free(loop);
}

test(a_program_reads_what_it_is_given)
{
	size_t len = 3u << 20;
	char *large = calloc(1, len);
	struct seen seen;

	signal(SIGPIPE, SIG_IGN); /* as the daemon does */
	begin_reading(&seen, "cat; echo .", DT_STR("text"));
	end(&seen);
	assert_str(seen.end.out, "text.\n");
	dt_arena_done(&seen.arena);
	/* More than a pipe holds, while the program prints as much. */
	begin_reading(&seen, "cat", (struct dt_str){ large, len });
	end(&seen);
	assert_int_equal(seen.end.out.len, len);
	dt_arena_done(&seen.arena);
	/* One that does not read. */
	begin_reading(&seen, "exec <&-; echo no",
	              (struct dt_str){ large, len });
	end(&seen);
	assert_str(seen.end.out, "no\n");
	assert_int_equal(seen.end.code, 0);
	dt_arena_done(&seen.arena);
	begin_reading(&seen, "sleep 10", (struct dt_str){ large, len });
	dt_run_stop(seen.run);
	dt_loop_run(seen.loop);
	dt_loop_free(seen.loop);
	assert_int_equal(seen.count, 0);
	free(large);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_outputs_and_the_exit_code_are_told),
		cmocka_unit_test(there_is_nothing_to_read),
		cmocka_unit_test(a_signal_is_told),
		cmocka_unit_test(what_is_too_much_is_read_and_dropped),
		cmocka_unit_test(exactly_what_may_be_kept_is_not_cut),
		cmocka_unit_test(the_deadline_ends_the_whole_group),
		cmocka_unit_test(who_does_not_listen_is_killed),
		cmocka_unit_test(
			what_stays_in_the_background_is_not_waited_for),
		cmocka_unit_test(a_run_that_is_stopped_tells_nobody),
		cmocka_unit_test(what_is_printed_is_told_as_it_comes),
		cmocka_unit_test(
			a_run_that_is_asked_to_end_can_put_things_in_order),
		cmocka_unit_test(the_end_of_a_long_output_is_kept_too),
		cmocka_unit_test(output_is_told_as_it_comes),
		cmocka_unit_test(
			what_is_left_of_the_group_is_killed_where_that_is_wanted),
		cmocka_unit_test(a_child_that_forks_away_is_told_of),
		cmocka_unit_test(a_child_that_forks_away_dies_at_the_deadline),
		cmocka_unit_test(a_program_that_is_not_there_is_said_so),
		cmocka_unit_test(a_program_reads_what_it_is_given),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
