/*
 * store/store.c - the way of a call to the database and back.
 *
 * Transactions and durability are decided here, once for all calls; what a call
 * says to SQLite is in the file of its subject.  The invariant: `db` and `why`
 * belong to the thread and are touched by nobody else while it lives.
 */
#include "store/store.h"

#include "base/str.h"
#include "store/call.h"
#include "store/database.h"
#include "store/sql.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

struct dt_store {
	struct dt_worker *worker;
	char *path;
	bool is_closing;
	dt_store_closed_fn *on_closed;
	void *owner;

	sqlite3 *db;        /* NULL: not open */
	struct dt_fail why; /* it is not open */
};

struct open_call {
	struct dt_job job;
	struct dt_store *store;
	dt_store_opened_fn *fn;
	void *owner;
	struct dt_arena arena;
	const char *note;
	struct dt_fail fail;
};

struct close_call {
	struct dt_job job;
	struct dt_store *store;
};

static enum dt_err transact(struct dt_store_call *call, sqlite3 *db,
                            struct dt_fail *fail)
{
	enum dt_err err = dt_sql_exec(db, "BEGIN IMMEDIATE", fail);

	if (!err)
		err = call->run(call, db, fail);
	if (!err)
		err = dt_sql_exec(db, "COMMIT", fail);
	/* The failure is already told; some failures have rolled back. */
	if (err && !sqlite3_get_autocommit(db))
		sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
	return err;
}

/* In WAL mode NORMAL leaves the log to the kernel; FULL waits for the disk,
 * for this transaction and with it for all that came before. */
static enum dt_err commit(struct dt_store_call *call, sqlite3 *db,
                          struct dt_fail *fail)
{
	enum dt_err err = dt_sql_exec(db, "PRAGMA synchronous=FULL", fail);

	if (err)
		return err;
	err = transact(call, db, fail);
	sqlite3_exec(db, "PRAGMA synchronous=NORMAL", NULL, NULL, NULL);
	return err;
}

static enum dt_err perform(struct dt_store_call *call, sqlite3 *db,
                           struct dt_fail *fail)
{
	switch (call->mode) {
	case DT_STORE_READS:
		return call->run(call, db, fail);
	case DT_STORE_WRITES:
		return transact(call, db, fail);
	case DT_STORE_COMMITS:
		return commit(call, db, fail);
	}
	abort();
}

static void run_call(struct dt_job *job)
{
	struct dt_store_call *call = (struct dt_store_call *)job;
	struct dt_store *store = call->store;
	enum dt_err err;

	if (!store->db) {
		call->fail = store->why;
		return;
	}
	err = perform(call, store->db, &call->fail);
	assert(err == call->fail.code);
	(void)err;
}

static void end_call(struct dt_job *job)
{
	struct dt_store_call *call = (struct dt_store_call *)job;

	call->end(call);
	dt_arena_done(&call->arena);
	free(call);
}

void *dt_store_call_new(struct dt_store *store, size_t size)
{
	struct dt_store_call *call = dt_alloc(size);

	call->store = store;
	call->job.run = run_call;
	call->job.done = end_call;
	return call;
}

void dt_store_call_post(struct dt_store_call *call)
{
	assert(!call->store->is_closing);
	dt_worker_post(call->store->worker, &call->job);
}

static void end_change(struct dt_store_call *call)
{
	struct dt_store_change *change = (struct dt_store_change *)call;

	change->fn(call->store, &call->fail, change->owner);
}

void *dt_store_change_new(struct dt_store *store, size_t size,
                          dt_store_run_fn *run, dt_store_done_fn *fn,
                          void *owner)
{
	struct dt_store_change *change = dt_store_call_new(store, size);

	change->call.mode = DT_STORE_WRITES;
	change->call.run = run;
	change->call.end = end_change;
	change->fn = fn;
	change->owner = owner;
	return change;
}

static void run_open(struct dt_job *job)
{
	struct open_call *call = (struct open_call *)job;
	struct dt_store *store = call->store;

	if (dt_database_open(store->path, &call->arena, &store->db, &call->note,
	                     &call->fail))
		store->why = call->fail;
}

static void end_open(struct dt_job *job)
{
	struct open_call *call = (struct open_call *)job;

	call->fn(call->store, call->note, &call->fail, call->owner);
	dt_arena_done(&call->arena);
	free(call);
}

struct dt_store *dt_store_open(struct dt_loop *loop, const char *path,
                               dt_store_opened_fn *fn, void *owner)
{
	struct dt_store *store = dt_alloc(sizeof(*store));
	struct open_call *call = dt_alloc(sizeof(*call));

	store->worker = dt_worker_new(loop, "store");
	store->path = dt_strdup(path);
	call->job.run = run_open;
	call->job.done = end_open;
	call->store = store;
	call->fn = fn;
	call->owner = owner;
	dt_worker_post(store->worker, &call->job);
	return store;
}

static void run_close(struct dt_job *job)
{
	dt_database_close(((struct close_call *)job)->store->db);
}

static void end_close(struct dt_job *job)
{
	free(job);
}

static void worker_closed(void *owner)
{
	struct dt_store *store = owner;
	dt_store_closed_fn *on_closed = store->on_closed;
	void *its_owner = store->owner;

	free(store->path);
	free(store);
	if (on_closed)
		on_closed(its_owner);
}

void dt_store_close(struct dt_store *store, dt_store_closed_fn *fn, void *owner)
{
	struct close_call *call = dt_alloc(sizeof(*call));

	assert(!store->is_closing);
	store->is_closing = true;
	store->on_closed = fn;
	store->owner = owner;
	call->job.run = run_close;
	call->job.done = end_close;
	call->store = store;
	dt_worker_post(store->worker, &call->job);
	dt_worker_close(store->worker, worker_closed, store);
}
