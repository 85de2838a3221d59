/*
 * loop/loop.h - the one event loop, and time.
 *
 * One thread, one loop, no nested run.  Nothing on it blocks.  Every request
 * ends with exactly one callback.  Close is deferred: a callback may close
 * anything, itself included, and memory goes at the end of the turn
 * (docs/internals/close.md).
 */
#ifndef DT_LOOP_LOOP_H
#define DT_LOOP_LOOP_H

#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

struct dt_loop;
struct uv_loop_s;

struct dt_loop *dt_loop_new(void);
/* Everything opened on it must be closed and the loop run to its end. */
void dt_loop_free(struct dt_loop *loop);

/* Until dt_loop_stop(), or until nothing is left to wait for. */
void dt_loop_run(struct dt_loop *loop);
void dt_loop_stop(struct dt_loop *loop);

/* For loop/ and link/ alone. */
struct uv_loop_s *dt_loop_uv(struct dt_loop *loop);

#define DT_LOOP_SCRATCH (128u * 1024u)
/* One read buffer for all streams: what is read is used up in the callback. */
char *dt_loop_scratch(struct dt_loop *loop);

/* Much memory was used just now: what of it is free in a second goes back to
 * the system. */
void dt_loop_release_soon(struct dt_loop *loop);

/* Grows with each turn of the loop. */
uint64_t dt_loop_turn(const struct dt_loop *loop);

/* The budget of streams that were given none: it has no limit. */
struct dt_budget;
struct dt_budget *dt_loop_budget(struct dt_loop *loop);

/* A timer.  Its callback may start, stop or free it. */
struct dt_timer;
typedef void dt_timer_fn(struct dt_timer *timer, void *owner);

struct dt_timer *dt_timer_new(struct dt_loop *loop, dt_timer_fn *fn,
                              void *owner);
void dt_timer_free(struct dt_timer *timer);
void dt_timer_start(struct dt_timer *timer, uint64_t ms);
void dt_timer_repeat(struct dt_timer *timer, uint64_t ms);
void dt_timer_stop(struct dt_timer *timer);
bool dt_timer_is_running(const struct dt_timer *timer);
/* The loop may end although the timer runs. */
void dt_timer_set_background(struct dt_timer *timer);

/* A signal, delivered on the loop. */
struct dt_signal;
typedef void dt_signal_fn(struct dt_signal *sig, int number, void *owner);

struct dt_signal *dt_signal_new(struct dt_loop *loop, int number,
                                dt_signal_fn *fn, void *owner);
void dt_signal_free(struct dt_signal *sig);

#endif
