/*
 * store/audit.c - what left for agents, put into the database and listed.
 *
 * What is one line and what are two is decided by hub/audit.c.  Old ones are
 * forgotten with the reviews, by dt_store_prune().
 */
#include "store/audit.h"

#include "base/rand.h"
#include "store/call.h"
#include "store/reviews.h"
#include "store/sql.h"

#include <assert.h>
#include <string.h>

const char *const dt_audit_kind_names[] = {
	[DT_AUDIT_SELECTION] = "selection",     [DT_AUDIT_MENTION] = "mention",
	[DT_AUDIT_DIAGNOSTICS] = "diagnostics", [DT_AUDIT_FILE] = "file",
	[DT_AUDIT_OUTPUT] = "output",           [DT_AUDIT_KINDS] = NULL,
};

/* put */

struct put_call {
	struct dt_store_change change;
	struct dt_audit_record audit;
};

static enum dt_err run_put(struct dt_store_call *call, sqlite3 *db,
                           struct dt_fail *fail)
{
	const struct dt_audit_record *a = &((struct put_call *)call)->audit;
	sqlite3_stmt *stmt;
	enum dt_err err = dt_sql_prepare(
		db,
		"INSERT INTO audit (id, workspace, root, session, agent, kind,"
		" path, at_ms, bytes, lines, times, denied) VALUES"
		" (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)"
		" ON CONFLICT (id) DO UPDATE SET bytes = excluded.bytes,"
		" lines = excluded.lines, times = excluded.times",
		&stmt, fail);

	if (err)
		return err;
	dt_sql_bind_z(stmt, 1, a->id);
	dt_sql_bind_z(stmt, 2, a->workspace);
	dt_sql_bind_z(stmt, 3, a->root);
	dt_sql_bind_z(stmt, 4, a->session);
	dt_sql_bind_z(stmt, 5, a->agent);
	dt_sql_bind_int(stmt, 6, a->kind);
	dt_sql_bind_z(stmt, 7, a->path);
	dt_sql_bind_int(stmt, 8, a->at_ms);
	dt_sql_bind_int(stmt, 9, a->bytes);
	dt_sql_bind_int(stmt, 10, a->lines);
	dt_sql_bind_int(stmt, 11, a->times);
	dt_sql_bind_z(stmt, 12, a->denied);
	err = dt_sql_run(stmt, fail);
	sqlite3_finalize(stmt);
	return err;
}

void dt_store_put_audit(struct dt_store *store,
                        const struct dt_audit_record *audit,
                        dt_store_done_fn *fn, void *owner)
{
	struct put_call *put =
		dt_store_change_new(store, sizeof(*put), run_put, fn, owner);
	struct dt_arena *arena = &put->change.call.arena;

	assert(strlen(audit->id) == DT_ID_TEXT - 1);
	put->audit = *audit;
	put->audit.id = dt_arena_strdup(arena, audit->id);
	put->audit.workspace = dt_arena_strdup(arena, audit->workspace);
	put->audit.root = dt_arena_strdup(arena, audit->root);
	put->audit.session = dt_arena_strdup(arena, audit->session);
	put->audit.agent = dt_arena_strdup(arena, audit->agent);
	put->audit.path = dt_arena_strdup(arena, audit->path);
	put->audit.denied = dt_arena_strdup(arena, audit->denied);
	dt_store_call_post(&put->change.call);
}

/* list */

struct list_call {
	struct dt_store_call call;
	dt_store_audits_fn *fn;
	void *owner;
	struct dt_audit_filter filter;
	struct dt_sql_rows rows;
};

/* A kind of a later version is a file to us. */
static enum dt_audit_kind kind_of(int number)
{
	return number >= 0 && number < DT_AUDIT_KINDS
	               ? (enum dt_audit_kind)number
	               : DT_AUDIT_FILE;
}

static void read_audit(sqlite3_stmt *stmt, struct dt_arena *arena, void *out)
{
	*(struct dt_audit_record *)out = (struct dt_audit_record){
		.id = dt_sql_z(stmt, 0, arena),
		.workspace = dt_sql_z(stmt, 1, arena),
		.root = dt_sql_z(stmt, 2, arena),
		.session = dt_sql_z(stmt, 3, arena),
		.agent = dt_sql_z(stmt, 4, arena),
		.kind = kind_of(sqlite3_column_int(stmt, 5)),
		.path = dt_sql_z(stmt, 6, arena),
		.at_ms = sqlite3_column_int64(stmt, 7),
		.bytes = sqlite3_column_int64(stmt, 8),
		.lines = sqlite3_column_int64(stmt, 9),
		.times = sqlite3_column_int64(stmt, 10),
		.denied = dt_sql_z(stmt, 11, arena),
	};
}

static enum dt_err run_list(struct dt_store_call *call, sqlite3 *db,
                            struct dt_fail *fail)
{
	struct list_call *list = (struct list_call *)call;
	sqlite3_stmt *stmt;
	enum dt_err err = dt_sql_prepare(
		db,
		"SELECT id, workspace, root, session, agent, kind, path, at_ms,"
		" bytes, lines, times, denied FROM audit WHERE at_ms >= ?1"
		" ORDER BY at_ms DESC, number DESC LIMIT ?2",
		&stmt, fail);

	if (err)
		return err;
	dt_sql_bind_int(stmt, 1, list->filter.since_ms);
	dt_sql_bind_int(stmt, 2, (int64_t)list->filter.limit);
	list->rows = (struct dt_sql_rows){
		.read = read_audit,
		.size = sizeof(struct dt_audit_record),
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

void dt_store_list_audits(struct dt_store *store,
                          const struct dt_audit_filter *filter,
                          dt_store_audits_fn *fn, void *owner)
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
