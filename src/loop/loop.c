/*
 * loop/loop.c - libuv's loop, timers and signals under our names.
 *
 * Handles are freed in libuv's close callback and nowhere else; closing stops
 * them, so nothing is called after _free().
 */
#include "loop/loop.h"

#include "base/log.h"
#include "base/str.h"
#include "loop/budget.h"
#include "loop/os.h"

#include <stdlib.h>
#include <uv.h>

#define RELEASE_MS 1000

struct dt_loop {
	uv_loop_t uv;
	uv_timer_t release;
	uv_prepare_t before; /* a turn waits for what happens */
	uint64_t turn;
	struct dt_budget *budget;
	char scratch[DT_LOOP_SCRATCH];
};

struct dt_timer {
	uv_timer_t uv;
	dt_timer_fn *fn;
	void *owner;
};

struct dt_signal {
	uv_signal_t uv;
	dt_signal_fn *fn;
	void *owner;
};

static void on_turn(uv_prepare_t *uv)
{
	struct dt_loop *loop = uv->data;

	loop->turn++;
}

struct dt_loop *dt_loop_new(void)
{
	/* Not zeroed: untouched pages of the scratch buffer cost nothing. */
	struct dt_loop *loop = dt_realloc(NULL, sizeof(*loop));
	int rc = uv_loop_init(&loop->uv);

	if (rc)
		dt_panic("no event loop: %s", uv_strerror(rc));
	uv_timer_init(&loop->uv, &loop->release);
	uv_unref((uv_handle_t *)&loop->release);
	uv_prepare_init(&loop->uv, &loop->before);
	loop->before.data = loop;
	uv_prepare_start(&loop->before, on_turn);
	uv_unref((uv_handle_t *)&loop->before);
	loop->turn = 0;
	loop->budget = dt_budget_new(loop, 0, "a program", NULL);
	return loop;
}

void dt_loop_free(struct dt_loop *loop)
{
	if (!loop)
		return;
	uv_close((uv_handle_t *)&loop->release, NULL);
	uv_close((uv_handle_t *)&loop->before, NULL);
	dt_budget_free(loop->budget);
	/* What was closed in the last turn still has its callback to come. */
	uv_run(&loop->uv, UV_RUN_NOWAIT);
	if (uv_loop_close(&loop->uv))
		dt_log(DT_LOG_ERROR, "the loop ended with handles open");
	free(loop);
}

void dt_loop_run(struct dt_loop *loop)
{
	uv_run(&loop->uv, UV_RUN_DEFAULT);
}

void dt_loop_stop(struct dt_loop *loop)
{
	uv_stop(&loop->uv);
}

struct uv_loop_s *dt_loop_uv(struct dt_loop *loop)
{
	return &loop->uv;
}

char *dt_loop_scratch(struct dt_loop *loop)
{
	return loop->scratch;
}

uint64_t dt_loop_turn(const struct dt_loop *loop)
{
	return loop->turn;
}

struct dt_budget *dt_loop_budget(struct dt_loop *loop)
{
	return loop->budget;
}

static void on_release(uv_timer_t *uv)
{
	(void)uv;
	dt_os_release_memory();
}

void dt_loop_release_soon(struct dt_loop *loop)
{
	if (!uv_is_active((const uv_handle_t *)&loop->release))
		uv_timer_start(&loop->release, on_release, RELEASE_MS, 0);
}

/* timers */

static void on_timer(uv_timer_t *uv)
{
	struct dt_timer *timer = uv->data;

	timer->fn(timer, timer->owner);
}

static void free_handle(uv_handle_t *uv)
{
	free(uv->data);
}

struct dt_timer *dt_timer_new(struct dt_loop *loop, dt_timer_fn *fn,
                              void *owner)
{
	struct dt_timer *timer = dt_alloc(sizeof(*timer));

	uv_timer_init(&loop->uv, &timer->uv);
	timer->uv.data = timer;
	timer->fn = fn;
	timer->owner = owner;
	return timer;
}

void dt_timer_free(struct dt_timer *timer)
{
	if (timer)
		uv_close((uv_handle_t *)&timer->uv, free_handle);
}

void dt_timer_start(struct dt_timer *timer, uint64_t ms)
{
	/* The loop's idea of now is as old as its turn. */
	uv_update_time(timer->uv.loop);
	uv_timer_start(&timer->uv, on_timer, ms, 0);
}

void dt_timer_repeat(struct dt_timer *timer, uint64_t ms)
{
	uv_update_time(timer->uv.loop);
	uv_timer_start(&timer->uv, on_timer, ms, ms);
}

void dt_timer_stop(struct dt_timer *timer)
{
	uv_timer_stop(&timer->uv);
}

bool dt_timer_is_running(const struct dt_timer *timer)
{
	return uv_is_active((const uv_handle_t *)&timer->uv);
}

void dt_timer_set_background(struct dt_timer *timer)
{
	uv_unref((uv_handle_t *)&timer->uv);
}

/* signals */

static void on_signal(uv_signal_t *uv, int number)
{
	struct dt_signal *sig = uv->data;

	sig->fn(sig, number, sig->owner);
}

struct dt_signal *dt_signal_new(struct dt_loop *loop, int number,
                                dt_signal_fn *fn, void *owner)
{
	struct dt_signal *sig = dt_alloc(sizeof(*sig));
	int rc;

	uv_signal_init(&loop->uv, &sig->uv);
	sig->uv.data = sig;
	sig->fn = fn;
	sig->owner = owner;
	rc = uv_signal_start(&sig->uv, on_signal, number);
	if (rc)
		dt_panic("signal %d: %s", number, uv_strerror(rc));
	/* Waiting for a signal alone keeps no program alive. */
	uv_unref((uv_handle_t *)&sig->uv);
	return sig;
}

void dt_signal_free(struct dt_signal *sig)
{
	if (sig)
		uv_close((uv_handle_t *)&sig->uv, free_handle);
}
