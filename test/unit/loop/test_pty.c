#include "loop/pty.h"

#include "base/buf.h"
#include "base/clock.h"
#include "base/limits.h"
#include "unit.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* A program in a terminal, and what was told of it. */
struct seen {
	struct dt_loop *loop;
	struct dt_pty *pty;
	struct dt_timer *timer;
	struct dt_buf text;
	uint64_t bytes;
	int closed;
	struct dt_pty_end end;
	/* When the text has this, do that. */
	const char *awaited;
	void (*then)(struct seen *seen);
};

static void on_read(struct dt_pty *pty, struct dt_str bytes, void *owner)
{
	struct seen *seen = owner;
	const char *awaited = seen->awaited;

	assert_ptr_equal(pty, seen->pty);
	seen->bytes += bytes.len;
	if (seen->text.len + bytes.len < seen->text.limit)
		dt_buf_add_str(&seen->text, bytes);
	if (awaited && strstr(dt_buf_z(&seen->text), awaited)) {
		seen->awaited = NULL;
		seen->then(seen);
	}
}

static void on_closed(struct dt_pty *pty, const struct dt_pty_end *end,
                      void *owner)
{
	struct seen *seen = owner;

	assert_ptr_equal(pty, seen->pty);
	seen->closed++;
	seen->end = *end;
	dt_timer_free(seen->timer);
	seen->timer = NULL;
}

static const struct dt_pty_events events = { on_read, on_closed };

static char *env[] = { "PATH=/usr/bin:/bin", "MARK=of-test-pty", NULL };

static void begin(struct seen *seen, const char *script)
{
	char *argv[] = { "/bin/sh", "-c", (char *)(uintptr_t)script, NULL };
	struct dt_pty_spec spec = {
		.argv = argv,
		.env = env,
		.folder = "/",
		.size = { 24, 80 },
		.mark = "MARK=of-test-pty",
	};

	*seen = (struct seen){ .loop = dt_loop_new() };
	dt_buf_init(&seen->text, DT_MIB);
	assert_ok(dt_pty_open(seen->loop, &spec, &events, seen, &seen->pty,
	                      NULL));
}

static void end(struct seen *seen)
{
	dt_loop_run(seen->loop);
	assert_int_equal(seen->closed, 1);
	dt_buf_done(&seen->text);
	dt_loop_free(seen->loop);
}

static void type(struct seen *seen, const char *text)
{
	assert_ok(dt_pty_write(seen->pty, dt_str(text), NULL));
}

static bool has(struct seen *seen, const char *text)
{
	return strstr(dt_buf_z(&seen->text), text) != NULL;
}

test(it_is_a_terminal_of_its_own_with_a_size_and_a_folder)
{
	struct seen seen;

	begin(&seen, "tty; stty size; pwd; ps -o tty= -p $$; exit 7");
	dt_loop_run(seen.loop);
	assert_true(has(&seen, "/dev/pts/"));
	assert_true(has(&seen, "24 80\r\n/\r\npts/"));
	assert_int_equal(seen.end.code, 7);
	assert_int_equal(seen.end.signal, 0);
	end(&seen);
}

static void press_ctrl_c(struct seen *seen)
{
	type(seen, "\003");
}

test(what_is_typed_is_read_and_ctrl_c_interrupts)
{
	struct seen seen;

	begin(&seen, "trap 'echo caught; exit 3' INT; echo on; sleep 20");
	seen.awaited = "on\r\n";
	seen.then = press_ctrl_c;
	dt_loop_run(seen.loop);
	assert_true(has(&seen, "caught"));
	assert_int_equal(seen.end.code, 3);
	end(&seen);
}

test(a_signal_is_an_exit_code_of_128_and_more)
{
	struct seen seen;

	begin(&seen, "kill -TERM $$");
	dt_loop_run(seen.loop);
	assert_int_equal(seen.end.code, 128 + SIGTERM);
	assert_int_equal(seen.end.signal, SIGTERM);
	end(&seen);
}

static void hang_up(struct seen *seen)
{
	dt_pty_close(seen->pty, false);
}

test(hanging_up_ends_it)
{
	struct seen seen;

	begin(&seen, "echo on; exec sleep 20");
	seen.awaited = "on";
	seen.then = hang_up;
	dt_loop_run(seen.loop);
	assert_int_equal(seen.end.signal, SIGHUP);
	end(&seen);
}

test(who_ignores_that_is_killed)
{
	struct seen seen;
	uint64_t began_ms = dt_clock_ms();

	begin(&seen, "trap '' HUP TERM; echo on; while :; do sleep 1; done");
	seen.awaited = "on";
	seen.then = hang_up;
	dt_loop_run(seen.loop);
	assert_int_equal(seen.end.signal, SIGKILL);
	assert_true(dt_clock_ms() - began_ms < 15000);
	end(&seen);
}

static pid_t pid_in(struct seen *seen)
{
	const char *at = strstr(dt_buf_z(&seen->text), "pid=");
	uint32_t pid = 0;

	assert_non_null(at);
	at += strlen("pid=");
	assert_ok(dt_str_to_u32((struct dt_str){ at, strspn(at, "0123456789") },
	                        &pid, NULL));
	return (pid_t)pid;
}

static void assert_gone(pid_t pid)
{
	char path[64];

	/* Whoever reaps it may take a moment: it is a zombie then. */
	for (int i = 0; i < 200; i++) {
		char state = 'X';
		FILE *file;

		snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
		file = fopen(path, "re");
		if (file && fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
			state = 'X';
		if (file)
			fclose(file);
		if (state == 'X' || state == 'Z')
			return;
		usleep(10000);
	}
	fail_msg("%d is still there", (int)pid);
}

#define FORKS_AWAY "setsid sh -c 'trap \"\" HUP; echo pid=$$; exec sleep 30' & "

test(a_child_that_forks_away_goes_with_the_terminal)
{
	struct seen seen;

	begin(&seen, FORKS_AWAY "sleep 20");
	seen.awaited = "pid=";
	seen.then = hang_up;
	dt_loop_run(seen.loop);
	assert_gone(pid_in(&seen));
	end(&seen);
}

test(what_is_left_behind_does_not_keep_it_open)
{
	struct seen seen;
	uint64_t began_ms = dt_clock_ms();

	begin(&seen, FORKS_AWAY "sleep 0.5; exit 4");
	dt_loop_run(seen.loop);
	assert_int_equal(seen.end.code, 4);
	assert_true(dt_clock_ms() - began_ms < 15000);
	assert_gone(pid_in(&seen));
	end(&seen);
}

static void fill(struct seen *seen)
{
	char block[1000];
	struct dt_fail fail = { 0 };
	enum dt_err err = DT_E_OK;
	size_t typed = 0;

	memset(block, 'x', sizeof(block));
	while (!err && typed < DT_MIB) {
		err = dt_pty_write(seen->pty,
		                   (struct dt_str){ block, sizeof(block) },
		                   &fail);
		typed += sizeof(block);
	}
	assert_int_equal(err, DT_E_LIMIT);
	assert_non_null(strstr(fail.msg, "does not read"));
	dt_pty_close(seen->pty, true);
}

test(a_program_that_does_not_read_is_told_of)
{
	struct seen seen;

	begin(&seen, "stty raw -echo; echo on; sleep 20");
	seen.awaited = "on";
	seen.then = fill;
	dt_loop_run(seen.loop);
	assert_int_equal(seen.end.signal, SIGKILL);
	end(&seen);
}

static void enlarge(struct seen *seen)
{
	dt_pty_resize(seen->pty, (struct dt_pty_size){ 50, 132 });
}

test(a_new_size_is_told_to_who_is_in_front)
{
	struct seen seen;

	begin(&seen, "trap 'stty size; exit 0' WINCH; echo on; "
	             "while :; do sleep 0.05; done");
	seen.awaited = "on";
	seen.then = enlarge;
	dt_loop_run(seen.loop);
	assert_true(has(&seen, "50 132"));
	end(&seen);
}

static void keep_size(struct seen *seen)
{
	dt_pty_resize(seen->pty, (struct dt_pty_size){ 24, 80 });
}

test(the_same_size_is_told_too)
{
	struct seen seen;

	begin(&seen, "trap 'exit 5' WINCH; echo on; "
	             "while :; do sleep 0.05; done");
	seen.awaited = "on";
	seen.then = keep_size;
	dt_loop_run(seen.loop);
	assert_int_equal(seen.end.code, 5);
	end(&seen);
}

test(all_of_a_large_output_is_read)
{
	struct seen seen;

	begin(&seen,
	      "head -c 20000000 /dev/zero | tr '\\0' x; printf '\\377end'");
	dt_loop_run(seen.loop);
	assert_int_equal(seen.bytes, 20000000 + 4);
	assert_int_equal(seen.end.code, 0);
	end(&seen);
}

test(a_program_that_is_not_there_is_missing)
{
	char *argv[] = { "/nowhere/sh", NULL };
	struct dt_pty_spec spec = { .argv = argv, .env = env, .folder = "/" };
	struct dt_loop *loop = dt_loop_new();
	struct dt_fail fail = { 0 };
	struct dt_pty *pty;

	assert_int_equal(dt_pty_open(loop, &spec, &events, NULL, &pty, &fail),
	                 DT_E_MISSING);
	assert_non_null(strstr(fail.msg, "/nowhere/sh"));
	dt_loop_run(loop);
	dt_loop_free(loop);
}

static void write_behind(struct seen *seen)
{
	struct dt_fail fail = { 0 };

	dt_pty_close(seen->pty, true);
	assert_int_equal(dt_pty_write(seen->pty, DT_STR("x"), &fail),
	                 DT_E_CLOSED);
	dt_pty_close(seen->pty, true);
	dt_pty_resize(seen->pty, (struct dt_pty_size){ 1, 1 });
}

test(nothing_is_typed_into_one_that_is_closed)
{
	struct seen seen;

	begin(&seen, "echo on; sleep 20");
	seen.awaited = "on";
	seen.then = write_behind;
	end(&seen);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			it_is_a_terminal_of_its_own_with_a_size_and_a_folder),
		cmocka_unit_test(what_is_typed_is_read_and_ctrl_c_interrupts),
		cmocka_unit_test(a_signal_is_an_exit_code_of_128_and_more),
		cmocka_unit_test(hanging_up_ends_it),
		cmocka_unit_test(who_ignores_that_is_killed),
		cmocka_unit_test(
			a_child_that_forks_away_goes_with_the_terminal),
		cmocka_unit_test(what_is_left_behind_does_not_keep_it_open),
		cmocka_unit_test(a_program_that_does_not_read_is_told_of),
		cmocka_unit_test(a_new_size_is_told_to_who_is_in_front),
		cmocka_unit_test(the_same_size_is_told_too),
		cmocka_unit_test(all_of_a_large_output_is_read),
		cmocka_unit_test(a_program_that_is_not_there_is_missing),
		cmocka_unit_test(nothing_is_typed_into_one_that_is_closed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
