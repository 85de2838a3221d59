/* store/sql.h - the few words of SQLite that the store speaks. */
#ifndef DT_STORE_SQL_H
#define DT_STORE_SQL_H

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

/* What SQLite last complained about, as a sentence that names the file. */
enum dt_err dt_sql_fail(sqlite3 *db, struct dt_fail *fail);

/* Statements that give no rows, or whose rows do not matter. */
enum dt_err dt_sql_exec(sqlite3 *db, const char *sql,
                        struct dt_fail *fail) DT_MUST_CHECK;

/* The first column of the first row; 0 when there is none or it is NULL. */
enum dt_err dt_sql_read_int(sqlite3 *db, const char *sql, int64_t *out,
                            struct dt_fail *fail) DT_MUST_CHECK;

/* One statement: prepare, bind, step, then sqlite3_finalize(), which takes
 * NULL.  What is bound must live until then. */
enum dt_err dt_sql_prepare(sqlite3 *db, const char *sql, sqlite3_stmt **out,
                           struct dt_fail *fail) DT_MUST_CHECK;
void dt_sql_bind_int(sqlite3_stmt *stmt, int at, int64_t value);
void dt_sql_bind_z(sqlite3_stmt *stmt, int at, const char *z);
void dt_sql_bind_bytes(sqlite3_stmt *stmt, int at, struct dt_str bytes);
enum dt_err dt_sql_step(sqlite3_stmt *stmt, bool *out_has_row,
                        struct dt_fail *fail) DT_MUST_CHECK;
/* Run a statement that gives no row, and reset it for the next values. */
enum dt_err dt_sql_run(sqlite3_stmt *stmt, struct dt_fail *fail) DT_MUST_CHECK;

/* Columns of the current row, copied.  SQL's NULL is NULL or the absent slice;
 * an empty text is not. */
const char *dt_sql_z(sqlite3_stmt *stmt, int at, struct dt_arena *arena);
struct dt_str dt_sql_bytes(sqlite3_stmt *stmt, int at, struct dt_arena *arena);

/* The current row as a record at `out`. */
typedef void dt_sql_row_fn(sqlite3_stmt *stmt, struct dt_arena *arena,
                           void *out);

/* How rows become an array of records, and the array once they have. */
struct dt_sql_rows {
	dt_sql_row_fn *read;
	size_t size; /* of a record */
	size_t max;  /* as many are read */
	void *ptr;   /* in the arena */
	size_t count;
};

/* Read the rows of a statement and finalize it, whatever comes of it. */
enum dt_err dt_sql_read_rows(sqlite3_stmt *stmt, struct dt_arena *arena,
                             struct dt_sql_rows *rows,
                             struct dt_fail *fail) DT_MUST_CHECK;

#endif
