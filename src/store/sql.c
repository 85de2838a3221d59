/*
 * store/sql.c - SQLite's calls with our errors and our memory.
 *
 * No table is named here.  Only dt_sql_fail() turns SQLite's codes into ours:
 * a rule that was broken is DT_E_STATE, all else is the world's fault.
 */
#include "store/sql.h"

#include <assert.h>

static const char *file_of(sqlite3 *db)
{
	const char *path = sqlite3_db_filename(db, "main");

	return path && path[0] ? path : "the history";
}

enum dt_err dt_sql_fail(sqlite3 *db, struct dt_fail *fail)
{
	int code = sqlite3_errcode(db);
	int sys = sqlite3_system_errno(db);

	if (code == SQLITE_CONSTRAINT)
		return dt_fail(fail, DT_E_STATE, "%s: %s", file_of(db),
		               sqlite3_errmsg(db));
	/* Only these two leave an errno behind; others show a stale one. */
	if ((code == SQLITE_IOERR || code == SQLITE_CANTOPEN) && sys != 0)
		return dt_fail(fail, DT_E_SYS, "%s: %s (%s)", file_of(db),
		               sqlite3_errmsg(db), strerror(sys));
	return dt_fail(fail, DT_E_SYS, "%s: %s", file_of(db),
	               sqlite3_errmsg(db));
}

enum dt_err dt_sql_exec(sqlite3 *db, const char *sql, struct dt_fail *fail)
{
	if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
		return dt_sql_fail(db, fail);
	return DT_E_OK;
}

enum dt_err dt_sql_read_int(sqlite3 *db, const char *sql, int64_t *out,
                            struct dt_fail *fail)
{
	sqlite3_stmt *stmt;
	bool has_row = false;
	enum dt_err err = dt_sql_prepare(db, sql, &stmt, fail);

	if (err)
		return err;
	err = dt_sql_step(stmt, &has_row, fail);
	if (!err)
		*out = has_row ? sqlite3_column_int64(stmt, 0) : 0;
	sqlite3_finalize(stmt);
	return err;
}

enum dt_err dt_sql_prepare(sqlite3 *db, const char *sql, sqlite3_stmt **out,
                           struct dt_fail *fail)
{
	*out = NULL;
	if (sqlite3_prepare_v2(db, sql, -1, out, NULL) != SQLITE_OK)
		return dt_sql_fail(db, fail);
	return DT_E_OK;
}

void dt_sql_bind_int(sqlite3_stmt *stmt, int at, int64_t value)
{
	int rc = sqlite3_bind_int64(stmt, at, value);

	assert(rc == SQLITE_OK);
	(void)rc;
}

void dt_sql_bind_z(sqlite3_stmt *stmt, int at, const char *z)
{
	int rc = sqlite3_bind_text(stmt, at, z, -1, SQLITE_STATIC);

	assert(rc == SQLITE_OK);
	(void)rc;
}

void dt_sql_bind_bytes(sqlite3_stmt *stmt, int at, struct dt_str bytes)
{
	int rc = sqlite3_bind_blob64(stmt, at, bytes.ptr, bytes.len,
	                             SQLITE_STATIC);

	assert(rc == SQLITE_OK);
	(void)rc;
}

enum dt_err dt_sql_step(sqlite3_stmt *stmt, bool *out_has_row,
                        struct dt_fail *fail)
{
	int rc = sqlite3_step(stmt);

	if (rc != SQLITE_ROW && rc != SQLITE_DONE)
		return dt_sql_fail(sqlite3_db_handle(stmt), fail);
	*out_has_row = rc == SQLITE_ROW;
	return DT_E_OK;
}

enum dt_err dt_sql_run(sqlite3_stmt *stmt, struct dt_fail *fail)
{
	bool has_row;
	enum dt_err err = dt_sql_step(stmt, &has_row, fail);

	sqlite3_reset(stmt);
	return err;
}

const char *dt_sql_z(sqlite3_stmt *stmt, int at, struct dt_arena *arena)
{
	return dt_arena_strdup(arena,
	                       (const char *)sqlite3_column_text(stmt, at));
}

struct dt_str dt_sql_bytes(sqlite3_stmt *stmt, int at, struct dt_arena *arena)
{
	const void *blob = sqlite3_column_blob(stmt, at);
	size_t len = (size_t)sqlite3_column_bytes(stmt, at);

	if (sqlite3_column_type(stmt, at) == SQLITE_NULL)
		return (struct dt_str){ 0 };
	return (struct dt_str){ dt_arena_strndup(arena, blob, len), len };
}

enum dt_err dt_sql_read_rows(sqlite3_stmt *stmt, struct dt_arena *arena,
                             struct dt_sql_rows *rows, struct dt_fail *fail)
{
	enum dt_err err = DT_E_OK;
	bool has_row = true;
	char *at = dt_arena_alloc(arena, rows->max * rows->size);

	rows->ptr = at;
	rows->count = 0;
	while (!err && has_row && rows->count < rows->max) {
		err = dt_sql_step(stmt, &has_row, fail);
		if (!err && has_row)
			rows->read(stmt, arena,
			           at + rows->count++ * rows->size);
	}
	sqlite3_finalize(stmt);
	return err;
}
