/*
 * store/activity_import.c - exported lines read back.
 *
 * Nothing of a line is believed: it is read by the shape it was written with,
 * and what no export of ours could hold is counted as bad and left out, while
 * the rest is kept.
 */
#include "base/clock.h"
#include "store/activity_row.h"
#include "store/call.h"
#include "store/sql.h"

#include <stdbool.h>

#define LINE_MAX_BYTES 65536
#define WORD_MAX 200
#define ID_MAX ((int64_t)1 << 48) /* the next ones need room behind it */
#define DAY_MS ((int64_t)24 * 60 * 60 * 1000)

struct import_call {
	struct dt_store_call call;
	dt_store_import_fn *fn;
	void *owner;
	struct dt_str *lines;
	size_t count;
	struct dt_activity_import result;
};

/* The two statements of an import. */
struct tables {
	sqlite3_stmt *find;
	sqlite3_stmt *insert;
};

static enum dt_err check(const struct dt_activity_record *r,
                         struct dt_fail *fail)
{
	if (r->id < 1 || r->id > ID_MAX)
		return dt_fail(fail, DT_E_ARGS, "id: no number of an event");
	if (r->at_ms < 1 || r->at_ms > dt_clock_wall_ms() + DAY_MS)
		return dt_fail(fail, DT_E_ARGS, "atMs: not in the past");
	if (r->what[0] == '\0' || strlen(r->what) > WORD_MAX)
		return dt_fail(fail, DT_E_ARGS,
		               "what: empty, or longer than %d bytes",
		               WORD_MAX);
	if (r->took_us < 0)
		return dt_fail(fail, DT_E_ARGS, "tookUs: less than nothing");
	if (r->kind == DT_ACTIVITY_CALL && !r->status)
		return dt_fail(fail, DT_E_ARGS, "status: missing for a call");
	return DT_E_OK;
}

static enum dt_err read_line(struct dt_arena *arena, struct dt_str line,
                             struct dt_activity_record *out,
                             struct dt_fail *fail)
{
	const struct dt_json *json;
	enum dt_err err;

	if (line.len > LINE_MAX_BYTES)
		return dt_fail(fail, DT_E_ARGS, "longer than %d bytes",
		               LINE_MAX_BYTES);
	err = dt_json_read(arena, line, &json, fail);
	if (!err && json->type != DT_JSON_OBJECT)
		err = dt_fail(fail, DT_E_ARGS, "not an object");
	if (!err)
		err = dt_shape_read(&dt_shape_activity, arena, json, out, fail);
	return err ? err : check(out, fail);
}

/* Whether the very same thing is there, and whether its number is taken. */
static enum dt_err find(sqlite3_stmt *stmt, const struct dt_activity_record *r,
                        bool *out_known, bool *out_taken, struct dt_fail *fail)
{
	bool has_row;
	enum dt_err err;

	dt_sql_bind_int(stmt, 1, r->id);
	dt_sql_bind_int(stmt, 2, r->at_ms);
	dt_sql_bind_int(stmt, 3, r->kind);
	dt_sql_bind_z(stmt, 4, r->what);
	dt_sql_bind_z(stmt, 5, r->session);
	dt_sql_bind_int(stmt, 6, r->took_us);
	dt_sql_bind_z(stmt, 7, r->workspace);
	dt_sql_bind_z(stmt, 8, r->status);
	dt_sql_bind_z(stmt, 9, r->message);
	err = dt_sql_step(stmt, &has_row, fail);
	if (!err) {
		*out_known = sqlite3_column_int(stmt, 0);
		*out_taken = sqlite3_column_int(stmt, 1);
	}
	sqlite3_reset(stmt);
	return err;
}

static enum dt_err take(struct tables *t, struct dt_activity_record *r,
                        struct dt_activity_import *result, struct dt_fail *fail)
{
	bool is_known = false;
	bool is_taken = false;
	enum dt_err err = find(t->find, r, &is_known, &is_taken, fail);

	if (err)
		return err;
	if (is_known) {
		result->known++;
		return DT_E_OK;
	}
	if (is_taken)
		r->id = 0;
	result->taken++;
	return dt_activity_insert(t->insert, r, fail);
}

static enum dt_err take_line(struct tables *t, struct import_call *import,
                             size_t at, struct dt_fail *fail)
{
	struct dt_activity_import *result = &import->result;
	struct dt_activity_record record = { 0 };
	struct dt_arena arena = { 0 };
	struct dt_fail why = { 0 };
	enum dt_err err = DT_E_OK;

	if (!read_line(&arena, import->lines[at], &record, &why)) {
		err = take(t, &record, result, fail);
	} else if (result->bad++ == 0) {
		result->bad_line = (uint32_t)at;
		result->why = why;
	}
	dt_arena_done(&arena);
	return err;
}

static enum dt_err run_import(struct dt_store_call *call, sqlite3 *db,
                              struct dt_fail *fail)
{
	struct import_call *import = (struct import_call *)call;
	struct tables t = { 0 };
	enum dt_err err = dt_sql_prepare(
		db,
		"SELECT EXISTS (SELECT 1 FROM activity WHERE at_ms = ?2"
		" AND kind = ?3 AND what = ?4 AND session IS ?5"
		" AND took_us = ?6 AND workspace IS ?7 AND status IS ?8"
		" AND message IS ?9),"
		" EXISTS (SELECT 1 FROM activity WHERE id = ?1)",
		&t.find, fail);

	if (!err)
		err = dt_activity_prepare(db, &t.insert, fail);
	for (size_t i = 0; !err && i < import->count; i++)
		err = take_line(&t, import, i, fail);
	sqlite3_finalize(t.find);
	sqlite3_finalize(t.insert);
	return err;
}

static void end_import(struct dt_store_call *call)
{
	struct import_call *import = (struct import_call *)call;

	import->fn(call->store, &import->result, &call->fail, import->owner);
}

void dt_store_import_activity(struct dt_store *store,
                              const struct dt_str *lines, size_t count,
                              dt_store_import_fn *fn, void *owner)
{
	struct import_call *import = dt_store_call_new(store, sizeof(*import));
	struct dt_arena *arena = &import->call.arena;

	import->call.mode = DT_STORE_WRITES;
	import->call.run = run_import;
	import->call.end = end_import;
	import->fn = fn;
	import->owner = owner;
	import->count = count;
	import->lines = dt_arena_alloc(arena, count * sizeof(*import->lines));
	for (size_t i = 0; i < count; i++)
		import->lines[i] = (struct dt_str){
			dt_arena_strndup(arena, lines[i].ptr, lines[i].len),
			lines[i].len,
		};
	dt_store_call_post(&import->call);
}
