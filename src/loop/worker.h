/* loop/worker.h - one thread beside the loop, for work that may block. */
#ifndef DT_LOOP_WORKER_H
#define DT_LOOP_WORKER_H

#include "base/err.h"
#include "base/list.h"
#include "loop/loop.h"

struct dt_worker;

/*
 * One piece of work, embedded in whatever struct carries its data.  run() is
 * called on the worker's thread and touches nothing the loop may touch at the
 * same time; done() is called on the loop, exactly once, in the order of
 * posting, and may free the job, post more or close the worker.  Between
 * dt_worker_post() and done() the job belongs to the worker.
 */
struct dt_job {
	void (*run)(struct dt_job *job);
	void (*done)(struct dt_job *job);
	struct dt_list link; /* the worker's own */
};

typedef void dt_worker_closed_fn(void *owner);

/*
 * The thread starts with the first job, so an idle worker costs nothing.  It is
 * named in the one message there is: that no thread could be had, which ends
 * the program as memory that ran out does.  `name` is borrowed for good.
 */
struct dt_worker *dt_worker_new(struct dt_loop *loop, const char *name);

/* Start the thread before, for whoever can do without: DT_E_SYS. */
enum dt_err dt_worker_start(struct dt_worker *worker,
                            struct dt_fail *fail) DT_MUST_CHECK;

/* Never blocks.  The loop stays alive while a job is on its way.  Not after
 * dt_worker_close(). */
void dt_worker_post(struct dt_worker *worker, struct dt_job *job);

/*
 * Let every job posted so far run and be done, then end the thread and free the
 * worker.  `on_closed` (or NULL) comes last, in a later turn of the loop.  Once
 * per worker.
 */
void dt_worker_close(struct dt_worker *worker, dt_worker_closed_fn *on_closed,
                     void *owner);

#endif
