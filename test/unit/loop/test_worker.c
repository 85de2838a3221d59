/* test/unit/loop/test_worker.c - the thread beside the loop. */
#include "loop/worker.h"

#include "base/str.h"
#include "unit.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#define JOBS 500

struct trial {
	struct dt_loop *loop;
	struct dt_worker *worker;
	int ran; /* the thread's */
	int done;
	int closed;
	int left; /* jobs still to be posted from done() */
};

struct piece {
	struct dt_job job;
	struct trial *trial;
	pthread_t ran_on;
	int ran_as; /* its place among the run() calls */
	int number;
	int gate; /* run() waits until this can be read, when not 0 */
};

static void run(struct dt_job *job)
{
	struct piece *piece = (struct piece *)job;
	char byte;

	if (piece->gate && read(piece->gate, &byte, 1) != 1)
		abort();
	piece->ran_on = pthread_self();
	piece->ran_as = piece->trial->ran++;
}

static void done(struct dt_job *job)
{
	struct piece *piece = (struct piece *)job;

	assert_false(pthread_equal(piece->ran_on, pthread_self()));
	assert_int_equal(piece->ran_as, piece->number);
	assert_int_equal(piece->trial->done, piece->number);
	piece->trial->done++;
	free(piece);
}

static struct piece *new_piece(struct trial *trial, int number)
{
	struct piece *piece = dt_alloc(sizeof(*piece));

	piece->job.run = run;
	piece->job.done = done;
	piece->trial = trial;
	piece->number = number;
	return piece;
}

static void on_closed(void *owner)
{
	struct trial *trial = owner;

	trial->closed++;
}

static void begin(struct trial *trial)
{
	*trial = (struct trial){ .loop = dt_loop_new() };
	trial->worker = dt_worker_new(trial->loop, "test");
}

static void finish(struct trial *trial)
{
	dt_worker_close(trial->worker, on_closed, trial);
	assert_int_equal(trial->closed, 0);
	dt_loop_run(trial->loop);
	assert_int_equal(trial->closed, 1);
	dt_loop_free(trial->loop);
}

test(jobs_run_on_another_thread_and_end_in_order)
{
	struct trial trial;

	begin(&trial);
	for (int i = 0; i < JOBS; i++)
		dt_worker_post(trial.worker, &new_piece(&trial, i)->job);
	dt_loop_run(trial.loop);
	assert_int_equal(trial.done, JOBS);
	finish(&trial);
}

test(closing_lets_every_posted_job_end_first)
{
	struct trial trial;

	begin(&trial);
	for (int i = 0; i < JOBS; i++)
		dt_worker_post(trial.worker, &new_piece(&trial, i)->job);
	finish(&trial);
	assert_int_equal(trial.done, JOBS);
}

test(a_worker_without_jobs_closes)
{
	struct trial trial;

	begin(&trial);
	finish(&trial);
	assert_int_equal(trial.done, 0);
}

test(closing_needs_no_callback)
{
	struct trial trial;

	begin(&trial);
	dt_worker_post(trial.worker, &new_piece(&trial, 0)->job);
	dt_worker_close(trial.worker, NULL, NULL);
	dt_loop_run(trial.loop);
	assert_int_equal(trial.done, 1);
	dt_loop_free(trial.loop);
}

test(an_idle_worker_does_not_hold_the_loop)
{
	struct trial trial;

	begin(&trial);
	dt_loop_run(trial.loop); /* never used: returns */
	dt_worker_post(trial.worker, &new_piece(&trial, 0)->job);
	dt_loop_run(trial.loop);
	assert_int_equal(trial.done, 1);
	dt_loop_run(trial.loop); /* idle again: returns */
	dt_worker_post(trial.worker, &new_piece(&trial, 1)->job);
	dt_loop_run(trial.loop);
	assert_int_equal(trial.done, 2);
	finish(&trial);
}

static void open_gate(struct dt_timer *timer, void *owner)
{
	int *pipe_fds = owner;

	assert_int_equal(write(pipe_fds[1], "x", 1), 1);
	dt_timer_free(timer);
}

test(a_job_on_its_way_holds_the_loop_and_blocks_nothing)
{
	struct trial trial;
	struct dt_timer *timer;
	struct piece *piece;
	int fds[2];

	assert_int_equal(pipe(fds), 0);
	begin(&trial);
	piece = new_piece(&trial, 0);
	piece->gate = fds[0];
	dt_worker_post(trial.worker, &piece->job);
	/* In the background: only the job keeps the loop running until then. */
	timer = dt_timer_new(trial.loop, open_gate, fds);
	dt_timer_start(timer, 20);
	dt_timer_set_background(timer);
	dt_loop_run(trial.loop);
	assert_int_equal(trial.done, 1);
	finish(&trial);
	close(fds[0]);
	close(fds[1]);
}

static void done_and_post(struct dt_job *job)
{
	struct trial *trial = ((struct piece *)job)->trial;

	done(job);
	if (trial->left-- > 0) {
		struct piece *next = new_piece(trial, trial->done);

		next->job.done = done_and_post;
		dt_worker_post(trial->worker, &next->job);
	} else {
		dt_worker_close(trial->worker, on_closed, trial);
	}
}

test(a_callback_may_post_more_and_close_the_worker)
{
	struct trial trial;
	struct piece *first;

	begin(&trial);
	trial.left = 50;
	first = new_piece(&trial, 0);
	first->job.done = done_and_post;
	dt_worker_post(trial.worker, &first->job);
	dt_loop_run(trial.loop);
	assert_int_equal(trial.done, 51);
	assert_int_equal(trial.closed, 1);
	dt_loop_free(trial.loop);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(jobs_run_on_another_thread_and_end_in_order),
		cmocka_unit_test(closing_lets_every_posted_job_end_first),
		cmocka_unit_test(a_worker_without_jobs_closes),
		cmocka_unit_test(closing_needs_no_callback),
		cmocka_unit_test(an_idle_worker_does_not_hold_the_loop),
		cmocka_unit_test(
			a_job_on_its_way_holds_the_loop_and_blocks_nothing),
		cmocka_unit_test(a_callback_may_post_more_and_close_the_worker),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
