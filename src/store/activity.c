/*
 * store/activity.c - what happened, put, listed and forgotten.
 *
 * Rows are written in batches: many calls a second must not become many
 * transactions.  Reading exported lines back is activity_import.c.
 */
#include "store/activity.h"

#include "store/activity_row.h"
#include "store/call.h"
#include "store/sql.h"

#include <stdbool.h>

const char *const dt_activity_kinds[] = { "call",      "session", "review",
	                                  "workspace", "daemon",  "program",
	                                  NULL };
_Static_assert(sizeof(dt_activity_kinds) / sizeof(dt_activity_kinds[0]) ==
                       DT_ACTIVITY_KINDS + 1,
               "every kind has a name");

static const struct dt_field fields[] = {
	DT_FIELD(struct dt_activity_record, id, I64, DT_REQ,
	         "Its number; later ones are larger."),
	DT_FIELD_AS("atMs", struct dt_activity_record, at_ms, I64, DT_REQ,
	            "When it ended, in milliseconds since 1970."),
	DT_FIELD(struct dt_activity_record, kind, ENUM, DT_REQ,
	         "What kind of thing happened.", .names = dt_activity_kinds),
	DT_FIELD(struct dt_activity_record, what, NAME, DT_REQ,
	         "Of a call the tool, else what happened."),
	DT_FIELD(struct dt_activity_record, status, NAME, DT_OMIT,
	         "How a call ended: done, failed, refused, late or dropped."),
	DT_FIELD(struct dt_activity_record, workspace, NAME, DT_OMIT,
	         "The id of the workspace."),
	DT_FIELD(struct dt_activity_record, session, NAME, DT_OMIT,
	         "The id of the session."),
	DT_FIELD(struct dt_activity_record, agent, NAME, DT_OMIT,
	         "The agent's name."),
	DT_FIELD_AS("tookUs", struct dt_activity_record, took_us, I64, DT_OMIT,
	            "How long a call took, in microseconds."),
	DT_FIELD(struct dt_activity_record, message, NAME, DT_OMIT,
	         "Why a call failed, or more of what happened."),
	DT_FIELD_END,
};
const struct dt_shape dt_shape_activity =
	DT_SHAPE(struct dt_activity_record, fields);

/* rows */

enum dt_err dt_activity_prepare(sqlite3 *db, sqlite3_stmt **out,
                                struct dt_fail *fail)
{
	return dt_sql_prepare(
		db,
		"INSERT INTO activity (id, at_ms, kind, what, status, workspace,"
		" session, agent, took_us, message)"
		" VALUES (nullif(?1, 0), ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
		out, fail);
}

enum dt_err dt_activity_insert(sqlite3_stmt *stmt,
                               const struct dt_activity_record *r,
                               struct dt_fail *fail)
{
	dt_sql_bind_int(stmt, 1, r->id);
	dt_sql_bind_int(stmt, 2, r->at_ms);
	dt_sql_bind_int(stmt, 3, r->kind);
	dt_sql_bind_z(stmt, 4, r->what);
	dt_sql_bind_z(stmt, 5, r->status);
	dt_sql_bind_z(stmt, 6, r->workspace);
	dt_sql_bind_z(stmt, 7, r->session);
	dt_sql_bind_z(stmt, 8, r->agent);
	dt_sql_bind_int(stmt, 9, r->took_us);
	dt_sql_bind_z(stmt, 10, r->message);
	return dt_sql_run(stmt, fail);
}

/* put */

struct put_call {
	struct dt_store_call call;
	dt_store_activity_put_fn *fn;
	void *owner;
	struct dt_activity_record *records;
	size_t count;
	int64_t last_id;
};

static enum dt_err run_put(struct dt_store_call *call, sqlite3 *db,
                           struct dt_fail *fail)
{
	struct put_call *put = (struct put_call *)call;
	sqlite3_stmt *stmt;
	enum dt_err err = dt_activity_prepare(db, &stmt, fail);

	for (size_t i = 0; !err && i < put->count; i++)
		err = dt_activity_insert(stmt, &put->records[i], fail);
	if (!err)
		put->last_id = sqlite3_last_insert_rowid(db);
	sqlite3_finalize(stmt);
	return err;
}

static void end_put(struct dt_store_call *call)
{
	struct put_call *put = (struct put_call *)call;

	put->fn(call->store, put->last_id, &call->fail, put->owner);
}

static struct dt_activity_record copy(struct dt_arena *arena,
                                      const struct dt_activity_record *r)
{
	return (struct dt_activity_record){
		.at_ms = r->at_ms,
		.kind = r->kind,
		.what = dt_arena_strdup(arena, r->what),
		.status = dt_arena_strdup(arena, r->status),
		.workspace = dt_arena_strdup(arena, r->workspace),
		.session = dt_arena_strdup(arena, r->session),
		.agent = dt_arena_strdup(arena, r->agent),
		.took_us = r->took_us,
		.message = dt_arena_strdup(arena, r->message),
	};
}

void dt_store_put_activity(struct dt_store *store,
                           const struct dt_activity_record *records,
                           size_t count, dt_store_activity_put_fn *fn,
                           void *owner)
{
	struct put_call *put = dt_store_call_new(store, sizeof(*put));

	put->call.mode = DT_STORE_WRITES;
	put->call.run = run_put;
	put->call.end = end_put;
	put->fn = fn;
	put->owner = owner;
	put->count = count;
	put->records =
		dt_arena_alloc(&put->call.arena, count * sizeof(*put->records));
	for (size_t i = 0; i < count; i++)
		put->records[i] = copy(&put->call.arena, &records[i]);
	dt_store_call_post(&put->call);
}

/* list */

struct list_call {
	struct dt_store_call call;
	dt_store_activity_fn *fn;
	void *owner;
	struct dt_activity_filter filter;
	struct dt_sql_rows rows;
	int64_t last_id;
};

static void read_row(sqlite3_stmt *stmt, struct dt_arena *arena, void *out)
{
	*(struct dt_activity_record *)out = (struct dt_activity_record){
		.id = sqlite3_column_int64(stmt, 0),
		.at_ms = sqlite3_column_int64(stmt, 1),
		.kind = sqlite3_column_int(stmt, 2),
		.what = dt_sql_z(stmt, 3, arena),
		.status = dt_sql_z(stmt, 4, arena),
		.workspace = dt_sql_z(stmt, 5, arena),
		.session = dt_sql_z(stmt, 6, arena),
		.agent = dt_sql_z(stmt, 7, arena),
		.took_us = sqlite3_column_int64(stmt, 8),
		.message = dt_sql_z(stmt, 9, arena),
	};
}

static void reverse(struct dt_activity_record *records, size_t count)
{
	for (size_t i = 0; i < count / 2; i++) {
		struct dt_activity_record one = records[i];

		records[i] = records[count - 1 - i];
		records[count - 1 - i] = one;
	}
}

#define SELECT                                                                 \
	"SELECT id, at_ms, kind, what, status, workspace, session, agent,"     \
	" took_us, message FROM activity WHERE id > ?1 AND (?2 >> kind) & 1"   \
	" AND (?3 IS NULL OR workspace IS NULL OR workspace = ?3)"             \
	" AND (?4 IS NULL OR what = ?4) AND (?5 IS NULL OR status = ?5)"       \
	" AND (?6 IS NULL OR substr(session, 1, length(?6)) = ?6)"             \
	" AND (?8 IS NULL OR what <> ?8) ORDER BY id"

static enum dt_err run_list(struct dt_store_call *call, sqlite3 *db,
                            struct dt_fail *fail)
{
	struct list_call *list = (struct list_call *)call;
	const struct dt_activity_filter *filter = &list->filter;
	sqlite3_stmt *stmt;
	enum dt_err err = dt_sql_read_int(
		db, "SELECT seq FROM sqlite_sequence WHERE name = 'activity'",
		&list->last_id, fail);

	if (!err)
		err = dt_sql_prepare(db,
		                     filter->is_latest ? SELECT " DESC LIMIT ?7"
		                                       : SELECT " LIMIT ?7",
		                     &stmt, fail);
	if (err)
		return err;
	dt_sql_bind_int(stmt, 1, filter->after_id);
	dt_sql_bind_int(stmt, 2, filter->kinds);
	dt_sql_bind_z(stmt, 3, filter->workspace);
	dt_sql_bind_z(stmt, 4, filter->what);
	dt_sql_bind_z(stmt, 5, filter->status);
	dt_sql_bind_z(stmt, 6, filter->session);
	dt_sql_bind_int(stmt, 7, (int64_t)filter->limit);
	dt_sql_bind_z(stmt, 8, filter->without);
	list->rows = (struct dt_sql_rows){
		.read = read_row,
		.size = sizeof(struct dt_activity_record),
		.max = filter->limit,
	};
	err = dt_sql_read_rows(stmt, &call->arena, &list->rows, fail);
	if (filter->is_latest)
		reverse(list->rows.ptr, list->rows.count);
	return err;
}

static void end_list(struct dt_store_call *call)
{
	struct list_call *list = (struct list_call *)call;
	struct dt_activity_list result = { list->rows.ptr, list->rows.count,
		                           list->last_id };

	if (call->fail.code)
		result = (struct dt_activity_list){ 0 };
	list->fn(call->store, &result, &call->fail, list->owner);
}

void dt_store_list_activity(struct dt_store *store,
                            const struct dt_activity_filter *filter,
                            dt_store_activity_fn *fn, void *owner)
{
	struct list_call *list = dt_store_call_new(store, sizeof(*list));
	struct dt_arena *arena = &list->call.arena;

	list->call.run = run_list;
	list->call.end = end_list;
	list->fn = fn;
	list->owner = owner;
	list->filter = *filter;
	list->filter.workspace = dt_arena_strdup(arena, filter->workspace);
	list->filter.what = dt_arena_strdup(arena, filter->what);
	list->filter.without = dt_arena_strdup(arena, filter->without);
	list->filter.status = dt_arena_strdup(arena, filter->status);
	list->filter.session = dt_arena_strdup(arena, filter->session);
	if (filter->kinds == 0)
		list->filter.kinds = (1u << DT_ACTIVITY_KINDS) - 1;
	if (filter->limit == 0 || filter->limit > DT_STORE_ACTIVITY_MAX)
		list->filter.limit = DT_STORE_ACTIVITY_MAX;
	dt_store_call_post(&list->call);
}

/* prune */

struct prune_call {
	struct dt_store_call call;
	dt_store_done_fn *fn;
	void *owner;
	int64_t before_ms;
	size_t keep_calls;
};

static enum dt_err run_prune(struct dt_store_call *call, sqlite3 *db,
                             struct dt_fail *fail)
{
	static const char *const steps[] = {
		"DELETE FROM activity WHERE at_ms < ?1",
		"DELETE FROM activity WHERE id <= (SELECT id FROM activity"
		" WHERE kind = 0 ORDER BY id DESC LIMIT 1 OFFSET ?1)",
	};
	const struct prune_call *prune = (struct prune_call *)call;
	int64_t values[] = { prune->before_ms, (int64_t)prune->keep_calls };
	enum dt_err err = DT_E_OK;

	for (size_t i = 0; !err && i < 2; i++) {
		sqlite3_stmt *stmt;

		err = dt_sql_prepare(db, steps[i], &stmt, fail);
		if (err)
			break;
		dt_sql_bind_int(stmt, 1, values[i]);
		err = dt_sql_run(stmt, fail);
		sqlite3_finalize(stmt);
	}
	return err ? err : dt_sql_exec(db, "PRAGMA incremental_vacuum", fail);
}

static void end_prune(struct dt_store_call *call)
{
	struct prune_call *prune = (struct prune_call *)call;

	prune->fn(call->store, &call->fail, prune->owner);
}

void dt_store_prune_activity(struct dt_store *store, int64_t before_ms,
                             size_t keep_calls, dt_store_done_fn *fn,
                             void *owner)
{
	struct prune_call *prune = dt_store_call_new(store, sizeof(*prune));

	prune->call.mode = DT_STORE_WRITES;
	prune->call.run = run_prune;
	prune->call.end = end_prune;
	prune->fn = fn;
	prune->owner = owner;
	prune->before_ms = before_ms;
	prune->keep_calls = keep_calls;
	dt_store_call_post(&prune->call);
}
