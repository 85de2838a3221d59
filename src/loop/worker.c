/*
 * loop/worker.c - one thread with an ordered queue.
 *
 * What the jobs do is their owners' business; here is only the way over and
 * back.  Two lists stand under one lock, `waiting` and `finished`; all other
 * members belong to the loop's thread.  The invariant: `pending` counts the
 * jobs whose done() has not returned, and the loop is held alive exactly while
 * it is not zero.
 */
#include "loop/worker.h"

#include "base/log.h"
#include "base/str.h"

#include <assert.h>
#include <stdlib.h>
#include <uv.h>

/* Enough for SQLite, whose deepest paths stay below 64 KiB. */
#define STACK_BYTES ((size_t)256 * 1024)

struct dt_worker {
	const char *name;
	uv_async_t wake; /* the thread calls the loop */
	uv_thread_t thread;
	bool has_thread;
	bool is_closing;
	size_t pending;
	dt_worker_closed_fn *on_closed;
	void *owner;

	uv_mutex_t lock;
	uv_cond_t more; /* the loop calls the thread */
	struct dt_list waiting;
	struct dt_list finished;
	bool is_ending;
};

static void must(const struct dt_worker *worker, int rc, const char *what)
{
	if (rc < 0)
		dt_panic("%s thread: cannot %s: %s", worker->name, what,
		         uv_strerror(rc));
}

static struct dt_job *first_job(struct dt_list *jobs)
{
	struct dt_job *job = DT_LIST_OF(jobs->next, struct dt_job, link);

	dt_list_remove(&job->link);
	return job;
}

static void work(void *arg)
{
	struct dt_worker *worker = arg;

	uv_mutex_lock(&worker->lock);
	for (;;) {
		struct dt_job *job;

		while (dt_list_is_empty(&worker->waiting) && !worker->is_ending)
			uv_cond_wait(&worker->more, &worker->lock);
		if (dt_list_is_empty(&worker->waiting))
			break;
		job = first_job(&worker->waiting);
		uv_mutex_unlock(&worker->lock);
		job->run(job);
		uv_mutex_lock(&worker->lock);
		dt_list_append(&worker->finished, &job->link);
		uv_async_send(&worker->wake);
	}
	uv_mutex_unlock(&worker->lock);
}

static void freed(uv_handle_t *handle)
{
	struct dt_worker *worker = handle->data;
	dt_worker_closed_fn *on_closed = worker->on_closed;
	void *owner = worker->owner;

	uv_cond_destroy(&worker->more);
	uv_mutex_destroy(&worker->lock);
	free(worker);
	if (on_closed)
		on_closed(owner);
}

static void end(struct dt_worker *worker)
{
	/* Nothing is pending, so the thread only waits: joining it is short. */
	if (worker->has_thread) {
		uv_mutex_lock(&worker->lock);
		worker->is_ending = true;
		uv_cond_signal(&worker->more);
		uv_mutex_unlock(&worker->lock);
		uv_thread_join(&worker->thread);
	}
	uv_close((uv_handle_t *)&worker->wake, freed);
}

/* A wake-up may stand for several jobs, or for none that is left. */
static void deliver(uv_async_t *wake)
{
	struct dt_worker *worker = wake->data;
	struct dt_list ready;

	dt_list_init(&ready);
	uv_mutex_lock(&worker->lock);
	while (!dt_list_is_empty(&worker->finished))
		dt_list_append(&ready, &first_job(&worker->finished)->link);
	uv_mutex_unlock(&worker->lock);

	while (!dt_list_is_empty(&ready)) {
		struct dt_job *job = first_job(&ready);

		job->done(job);
		worker->pending--;
	}
	if (worker->pending > 0)
		return;
	uv_unref((uv_handle_t *)wake);
	if (worker->is_closing)
		end(worker);
}

struct dt_worker *dt_worker_new(struct dt_loop *loop, const char *name)
{
	struct dt_worker *worker = dt_alloc(sizeof(*worker));

	worker->name = name;
	dt_list_init(&worker->waiting);
	dt_list_init(&worker->finished);
	must(worker, uv_mutex_init(&worker->lock), "make a lock");
	must(worker, uv_cond_init(&worker->more), "make a condition");
	must(worker, uv_async_init(dt_loop_uv(loop), &worker->wake, deliver),
	     "reach the loop");
	worker->wake.data = worker;
	uv_unref((uv_handle_t *)&worker->wake);
	return worker;
}

enum dt_err dt_worker_start(struct dt_worker *worker, struct dt_fail *fail)
{
	const uv_thread_options_t options = {
		.flags = UV_THREAD_HAS_STACK_SIZE,
		.stack_size = STACK_BYTES,
	};
	int rc = 0;

	if (!worker->has_thread)
		rc = uv_thread_create_ex(&worker->thread, &options, work,
		                         worker);
	if (rc < 0)
		return dt_fail(fail, DT_E_SYS,
		               "%s thread: cannot be started: %s", worker->name,
		               uv_strerror(rc));
	worker->has_thread = true;
	return DT_E_OK;
}

void dt_worker_post(struct dt_worker *worker, struct dt_job *job)
{
	struct dt_fail fail = { 0 };

	assert(!worker->is_closing);
	if (dt_worker_start(worker, &fail))
		dt_panic("%s", fail.msg);
	worker->pending++;
	uv_ref((uv_handle_t *)&worker->wake);
	uv_mutex_lock(&worker->lock);
	dt_list_append(&worker->waiting, &job->link);
	uv_cond_signal(&worker->more);
	uv_mutex_unlock(&worker->lock);
}

void dt_worker_close(struct dt_worker *worker, dt_worker_closed_fn *on_closed,
                     void *owner)
{
	assert(!worker->is_closing);
	worker->is_closing = true;
	worker->on_closed = on_closed;
	worker->owner = owner;
	if (worker->pending == 0)
		end(worker);
}
