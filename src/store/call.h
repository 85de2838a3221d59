/* store/call.h - one call on its way through the store's thread. */
#ifndef DT_STORE_CALL_H
#define DT_STORE_CALL_H

#include "base/arena.h"
#include "base/err.h"
#include "loop/worker.h"
#include "store/store.h"

#include <sqlite3.h>
#include <stddef.h>

enum dt_store_mode {
	DT_STORE_READS,
	DT_STORE_WRITES,  /* in a transaction; survives a crash of ours */
	DT_STORE_COMMITS, /* the same, and survives a crash of the machine */
};

struct dt_store_call;
typedef enum dt_err dt_store_run_fn(struct dt_store_call *call, sqlite3 *db,
                                    struct dt_fail *fail);
typedef void dt_store_end_fn(struct dt_store_call *call);

/*
 * The head of every call's own struct.  run() works on the thread; an error
 * undoes all it wrote.  end() hands the outcome, which is in `fail`, to the
 * caller, on the loop.  Arguments and results live in `arena`.
 */
struct dt_store_call {
	struct dt_job job;
	struct dt_store *store;
	enum dt_store_mode mode;
	dt_store_run_fn *run;
	dt_store_end_fn *end;
	struct dt_arena arena;
	struct dt_fail fail;
};

/* `size` bytes that begin with a struct dt_store_call; freed after end(). */
void *dt_store_call_new(struct dt_store *store, size_t size);
void dt_store_call_post(struct dt_store_call *call);

/* The head of a call that writes and has nothing to tell but how it ended. */
struct dt_store_change {
	struct dt_store_call call;
	dt_store_done_fn *fn;
	void *owner;
};

/* `size` bytes that begin with a struct dt_store_change. */
void *dt_store_change_new(struct dt_store *store, size_t size,
                          dt_store_run_fn *run, dt_store_done_fn *fn,
                          void *owner);

#endif
