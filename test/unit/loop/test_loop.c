/* test/unit/loop/test_loop.c - timers, signals and the end of the loop. */
#include "loop/loop.h"

#include "base/clock.h"
#include "unit.h"

#include <signal.h>
#include <unistd.h>
#include <uv.h>

struct trial {
	struct dt_loop *loop;
	struct dt_timer *other;
	int fired;
	int last; /* the number of a signal, or of the timer that fired last */
};

static void count(struct dt_timer *timer, void *owner)
{
	struct trial *trial = owner;

	(void)timer;
	trial->fired++;
}

test(a_loop_with_nothing_to_wait_for_ends)
{
	struct dt_loop *loop = dt_loop_new();

	dt_loop_run(loop);
	dt_loop_free(loop);
	dt_loop_free(NULL);
}

test(memory_to_give_back_keeps_no_loop_alive)
{
	struct dt_loop *loop = dt_loop_new();
	uint64_t before = dt_clock_ms();

	dt_loop_release_soon(loop);
	dt_loop_release_soon(loop);
	dt_loop_run(loop);
	assert_true(dt_clock_ms() - before < 900);
	dt_loop_free(loop);
}

test(a_timer_fires_once_and_not_early)
{
	struct trial trial = { .loop = dt_loop_new() };
	struct dt_timer *timer = dt_timer_new(trial.loop, count, &trial);
	uint64_t before = dt_clock_ms();

	assert_false(dt_timer_is_running(timer));
	dt_timer_start(timer, 20);
	assert_true(dt_timer_is_running(timer));
	dt_loop_run(trial.loop);
	assert_int_equal(trial.fired, 1);
	assert_true(dt_clock_ms() - before >= 19);
	assert_false(dt_timer_is_running(timer));
	dt_timer_free(timer);
	dt_timer_free(NULL);
	dt_loop_free(trial.loop);
}

test(time_spent_outside_the_loop_is_not_taken_off_a_timer)
{
	struct trial trial = { .loop = dt_loop_new() };
	struct dt_timer *timer = dt_timer_new(trial.loop, count, &trial);

	usleep(30000);
	dt_timer_start(timer, 20);
	uv_run(dt_loop_uv(trial.loop), UV_RUN_NOWAIT);
	assert_int_equal(trial.fired, 0);
	dt_timer_free(timer);
	dt_loop_run(trial.loop);
	assert_int_equal(trial.fired, 0);
	dt_loop_free(trial.loop);
}

static void stop_at_three(struct dt_timer *timer, void *owner)
{
	struct trial *trial = owner;

	if (++trial->fired == 3)
		dt_timer_stop(timer);
}

test(a_repeating_timer_goes_on_until_it_is_stopped)
{
	struct trial trial = { .loop = dt_loop_new() };
	struct dt_timer *timer =
		dt_timer_new(trial.loop, stop_at_three, &trial);

	dt_timer_repeat(timer, 1);
	dt_loop_run(trial.loop);
	assert_int_equal(trial.fired, 3);
	dt_timer_free(timer);
	dt_loop_free(trial.loop);
}

test(starting_a_repeating_timer_again_makes_it_fire_once)
{
	struct trial trial = { .loop = dt_loop_new() };
	struct dt_timer *timer = dt_timer_new(trial.loop, count, &trial);

	dt_timer_repeat(timer, 1);
	dt_timer_start(timer, 1);
	dt_loop_run(trial.loop);
	assert_int_equal(trial.fired, 1);
	dt_timer_free(timer);
	dt_loop_free(trial.loop);
}

static void free_both(struct dt_timer *timer, void *owner)
{
	struct trial *trial = owner;

	trial->fired++;
	dt_timer_free(timer);
	dt_timer_free(trial->other);
}

test(a_timer_may_free_itself_and_one_that_is_due)
{
	struct trial trial = { .loop = dt_loop_new() };
	struct dt_timer *timer = dt_timer_new(trial.loop, free_both, &trial);

	trial.other = dt_timer_new(trial.loop, count, &trial);
	dt_timer_start(timer, 1);
	dt_timer_start(trial.other, 1);
	usleep(5000);
	dt_loop_run(trial.loop);
	assert_int_equal(trial.fired, 1);
	dt_loop_free(trial.loop);
}

static void stop_loop(struct dt_timer *timer, void *owner)
{
	struct trial *trial = owner;

	(void)timer;
	trial->fired++;
	dt_loop_stop(trial->loop);
}

test(a_stopped_loop_returns_with_work_left_and_can_go_on)
{
	struct trial trial = { .loop = dt_loop_new() };
	struct dt_timer *timer = dt_timer_new(trial.loop, stop_loop, &trial);

	dt_timer_repeat(timer, 1);
	dt_loop_run(trial.loop);
	assert_int_equal(trial.fired, 1);
	dt_loop_run(trial.loop);
	assert_int_equal(trial.fired, 2);
	dt_timer_free(timer);
	dt_loop_free(trial.loop);
}

test(a_timer_in_the_background_does_not_hold_the_loop)
{
	struct trial trial = { .loop = dt_loop_new() };
	struct dt_timer *timer = dt_timer_new(trial.loop, count, &trial);

	dt_timer_set_background(timer);
	dt_timer_start(timer, 60000);
	dt_loop_run(trial.loop);
	assert_int_equal(trial.fired, 0);
	dt_timer_free(timer);
	dt_loop_free(trial.loop);
}

static void on_signal(struct dt_signal *sig, int number, void *owner)
{
	struct trial *trial = owner;

	(void)sig;
	trial->fired++;
	trial->last = number;
	dt_loop_stop(trial->loop);
}

static void raise_signal(struct dt_timer *timer, void *owner)
{
	(void)timer;
	(void)owner;
	raise(SIGUSR1);
}

test(a_signal_is_delivered_on_the_loop)
{
	struct trial trial = { .loop = dt_loop_new() };
	struct dt_signal *sig =
		dt_signal_new(trial.loop, SIGUSR1, on_signal, &trial);
	struct dt_timer *timer = dt_timer_new(trial.loop, raise_signal, NULL);
	struct dt_timer *guard = dt_timer_new(trial.loop, stop_loop, &trial);

	dt_timer_start(timer, 1);
	dt_timer_start(guard, 10000);
	dt_loop_run(trial.loop);
	assert_int_equal(trial.fired, 1);
	assert_int_equal(trial.last, SIGUSR1);
	dt_timer_free(timer);
	dt_timer_free(guard);
	dt_signal_free(sig);
	dt_signal_free(NULL);
	dt_loop_free(trial.loop);
}

test(waiting_for_a_signal_does_not_hold_the_loop)
{
	struct trial trial = { .loop = dt_loop_new() };
	struct dt_signal *sig =
		dt_signal_new(trial.loop, SIGUSR2, on_signal, &trial);

	dt_loop_run(trial.loop);
	assert_int_equal(trial.fired, 0);
	dt_signal_free(sig);
	dt_loop_free(trial.loop);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_loop_with_nothing_to_wait_for_ends),
		cmocka_unit_test(memory_to_give_back_keeps_no_loop_alive),
		cmocka_unit_test(a_timer_fires_once_and_not_early),
		cmocka_unit_test(
			time_spent_outside_the_loop_is_not_taken_off_a_timer),
		cmocka_unit_test(a_repeating_timer_goes_on_until_it_is_stopped),
		cmocka_unit_test(
			starting_a_repeating_timer_again_makes_it_fire_once),
		cmocka_unit_test(a_timer_may_free_itself_and_one_that_is_due),
		cmocka_unit_test(
			a_stopped_loop_returns_with_work_left_and_can_go_on),
		cmocka_unit_test(
			a_timer_in_the_background_does_not_hold_the_loop),
		cmocka_unit_test(a_signal_is_delivered_on_the_loop),
		cmocka_unit_test(waiting_for_a_signal_does_not_hold_the_loop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
