/*
 * store/sessions.c - sessions put into the database, ended and listed.
 *
 * Only what a person asks later: which agent, where, from when to when.  No pid
 * and no token is kept.  Old ones are forgotten with the reviews, by
 * dt_store_prune().
 */
#include "store/sessions.h"

#include "base/rand.h"
#include "store/call.h"
#include "store/reviews.h"
#include "store/sql.h"

#include <assert.h>

/* put and end */

struct change_call {
	struct dt_store_change change;
	struct dt_session_record session;
	int64_t now_ms;
};

static enum dt_err run_put(struct dt_store_call *call, sqlite3 *db,
                           struct dt_fail *fail)
{
	const struct dt_session_record *s =
		&((struct change_call *)call)->session;
	sqlite3_stmt *stmt;
	enum dt_err err = dt_sql_prepare(
		db,
		"INSERT INTO session (id, workspace, root, agent, version,"
		" connected_ms, disconnected_ms)"
		" VALUES (?1, ?2, ?3, ?4, ?5, ?6, nullif(?7, 0))"
		" ON CONFLICT (id) DO UPDATE SET agent = excluded.agent,"
		" version = excluded.version,"
		" disconnected_ms = excluded.disconnected_ms",
		&stmt, fail);

	if (err)
		return err;
	dt_sql_bind_z(stmt, 1, s->id);
	dt_sql_bind_z(stmt, 2, s->workspace);
	dt_sql_bind_z(stmt, 3, s->root);
	dt_sql_bind_z(stmt, 4, s->agent);
	dt_sql_bind_z(stmt, 5, s->version);
	dt_sql_bind_int(stmt, 6, s->connected_ms);
	dt_sql_bind_int(stmt, 7, s->disconnected_ms);
	err = dt_sql_run(stmt, fail);
	sqlite3_finalize(stmt);
	return err;
}

void dt_store_put_session(struct dt_store *store,
                          const struct dt_session_record *session,
                          dt_store_done_fn *fn, void *owner)
{
	struct change_call *call =
		dt_store_change_new(store, sizeof(*call), run_put, fn, owner);
	struct dt_arena *arena = &call->change.call.arena;

	assert(strlen(session->id) == DT_ID_TEXT - 1);
	call->session = (struct dt_session_record){
		.id = dt_arena_strdup(arena, session->id),
		.workspace = dt_arena_strdup(arena, session->workspace),
		.root = dt_arena_strdup(arena, session->root),
		.agent = dt_arena_strdup(arena, session->agent),
		.version = dt_arena_strdup(arena, session->version),
		.connected_ms = session->connected_ms,
		.disconnected_ms = session->disconnected_ms,
	};
	dt_store_call_post(&call->change.call);
}

static enum dt_err run_end(struct dt_store_call *call, sqlite3 *db,
                           struct dt_fail *fail)
{
	sqlite3_stmt *stmt;
	enum dt_err err = dt_sql_prepare(db,
	                                 "UPDATE session SET"
	                                 " disconnected_ms = ?1"
	                                 " WHERE disconnected_ms IS NULL",
	                                 &stmt, fail);

	if (err)
		return err;
	dt_sql_bind_int(stmt, 1, ((struct change_call *)call)->now_ms);
	err = dt_sql_run(stmt, fail);
	sqlite3_finalize(stmt);
	return err;
}

void dt_store_end_sessions(struct dt_store *store, int64_t now_ms,
                           dt_store_done_fn *fn, void *owner)
{
	struct change_call *call =
		dt_store_change_new(store, sizeof(*call), run_end, fn, owner);

	call->now_ms = now_ms;
	dt_store_call_post(&call->change.call);
}

/* list */

struct list_call {
	struct dt_store_call call;
	dt_store_sessions_fn *fn;
	void *owner;
	struct dt_session_filter filter;
	struct dt_sql_rows rows;
};

static void read_session(sqlite3_stmt *stmt, struct dt_arena *arena, void *out)
{
	*(struct dt_session_record *)out = (struct dt_session_record){
		.id = dt_sql_z(stmt, 0, arena),
		.workspace = dt_sql_z(stmt, 1, arena),
		.root = dt_sql_z(stmt, 2, arena),
		.agent = dt_sql_z(stmt, 3, arena),
		.version = dt_sql_z(stmt, 4, arena),
		.connected_ms = sqlite3_column_int64(stmt, 5),
		.disconnected_ms = sqlite3_column_int64(stmt, 6),
	};
}

static enum dt_err run_list(struct dt_store_call *call, sqlite3 *db,
                            struct dt_fail *fail)
{
	struct list_call *list = (struct list_call *)call;
	sqlite3_stmt *stmt;
	enum dt_err err = dt_sql_prepare(
		db,
		"SELECT id, workspace, root, agent, version, connected_ms,"
		" disconnected_ms FROM session WHERE"
		" max(connected_ms, ifnull(disconnected_ms, 0)) >= ?1"
		" ORDER BY connected_ms DESC, rowid DESC LIMIT ?2",
		&stmt, fail);

	if (err)
		return err;
	dt_sql_bind_int(stmt, 1, list->filter.since_ms);
	dt_sql_bind_int(stmt, 2, (int64_t)list->filter.limit);
	list->rows = (struct dt_sql_rows){
		.read = read_session,
		.size = sizeof(struct dt_session_record),
		.max = list->filter.limit,
	};
	return dt_sql_read_rows(stmt, &call->arena, &list->rows, fail);
}

static void end_list(struct dt_store_call *call)
{
	struct list_call *list = (struct list_call *)call;

	list->fn(call->store, list->rows.ptr,
	         call->fail.code ? 0 : list->rows.count, &call->fail,
	         list->owner);
}

void dt_store_list_sessions(struct dt_store *store,
                            const struct dt_session_filter *filter,
                            dt_store_sessions_fn *fn, void *owner)
{
	struct list_call *list = dt_store_call_new(store, sizeof(*list));

	list->call.run = run_list;
	list->call.end = end_list;
	list->fn = fn;
	list->owner = owner;
	list->filter = *filter;
	if (filter->limit == 0 || filter->limit > DT_STORE_LIST_MAX)
		list->filter.limit = DT_STORE_LIST_MAX;
	dt_store_call_post(&list->call);
}
