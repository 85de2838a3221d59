/*
 * store/migrate.c - the schema, as the ladder of changes that made it.
 *
 * What the columns mean is told in store/reviews.h, store/sessions.h,
 * store/audit.h and store/activity.h.  The invariant: a step and its version
 * number are committed together, so a database is always on one rung and never
 * between two.
 */
#include "store/migrate.h"

#include "store/sql.h"

#include <stdio.h>

/*
 * What a review proposes never changes and is large; what became of it is
 * small and committed while an agent waits.  SQLite rewrites a row whole, so
 * the two are kept in tables of their own.
 */
const char *const dt_migrations[] = {
	"CREATE TABLE review ("
	" id TEXT PRIMARY KEY NOT NULL,"
	" workspace TEXT NOT NULL,"
	" session TEXT,"
	" agent TEXT,"
	" title TEXT,"
	" reason TEXT,"
	" state INTEGER NOT NULL,"
	" opened_ms INTEGER NOT NULL,"
	" decided_ms INTEGER,"
	" comment TEXT,"
	" decided_by TEXT,"
	" surface TEXT"
	") STRICT;"
	"CREATE INDEX review_opened ON review (opened_ms);"
	"CREATE INDEX review_workspace ON review (workspace, opened_ms);"
	"CREATE TABLE entry ("
	" review TEXT NOT NULL REFERENCES review (id) ON DELETE CASCADE,"
	" position INTEGER NOT NULL,"
	" kind INTEGER NOT NULL,"
	" path TEXT NOT NULL,"
	" new_path TEXT,"
	" base_digest TEXT,"
	" old_text BLOB,"
	" proposed_text BLOB,"
	" PRIMARY KEY (review, position)"
	") STRICT;"
	"CREATE TABLE outcome ("
	" review TEXT NOT NULL,"
	" position INTEGER NOT NULL,"
	" accepted INTEGER NOT NULL,"
	" final_text BLOB," /* NULL: as proposed */
	" PRIMARY KEY (review, position),"
	" FOREIGN KEY (review, position)"
	"  REFERENCES entry (review, position) ON DELETE CASCADE"
	") STRICT;",
	"CREATE TABLE session ("
	" id TEXT PRIMARY KEY NOT NULL,"
	" workspace TEXT NOT NULL,"
	" root TEXT,"
	" agent TEXT,"
	" version TEXT,"
	" connected_ms INTEGER NOT NULL,"
	" disconnected_ms INTEGER" /* NULL: it is connected */
	") STRICT;"
	"CREATE INDEX session_connected ON session (connected_ms);",
	"CREATE TABLE audit ("
	" number INTEGER PRIMARY KEY,"
	" id TEXT NOT NULL UNIQUE,"
	" workspace TEXT NOT NULL,"
	" root TEXT,"
	" session TEXT,"
	" agent TEXT,"
	" kind INTEGER NOT NULL,"
	" path TEXT NOT NULL,"
	" at_ms INTEGER NOT NULL,"
	" bytes INTEGER NOT NULL,"
	" lines INTEGER NOT NULL,"
	" times INTEGER NOT NULL,"
	" denied TEXT" /* NULL: it left */
	") STRICT;"
	"CREATE INDEX audit_at ON audit (at_ms);",
	"CREATE TABLE activity ("
	" id INTEGER PRIMARY KEY AUTOINCREMENT," /* never given twice */
	" at_ms INTEGER NOT NULL,"
	" kind INTEGER NOT NULL,"
	" what TEXT NOT NULL,"
	" status TEXT,"
	" workspace TEXT,"
	" session TEXT,"
	" agent TEXT,"
	" took_us INTEGER NOT NULL,"
	" message TEXT"
	") STRICT;"
	"CREATE INDEX activity_at ON activity (at_ms);"
	"CREATE INDEX activity_kind ON activity (kind, id);",
	/* A review may be of a command instead of files. */
	"ALTER TABLE review ADD COLUMN command TEXT;"
	"ALTER TABLE review ADD COLUMN folder TEXT;"
	"ALTER TABLE review ADD COLUMN timeout_ms INTEGER;",
	/* A review may be taken up again by the call that opened it. */
	"ALTER TABLE review ADD COLUMN call TEXT;"
	"CREATE INDEX review_call ON review (call) WHERE call IS NOT NULL;",
	/* Who carries out what was accepted, and why it is not on disk. */
	"ALTER TABLE review ADD COLUMN writer INTEGER NOT NULL DEFAULT 0;"
	"ALTER TABLE review ADD COLUMN problem TEXT;"
	"ALTER TABLE review ADD COLUMN settled_ms INTEGER;",
};

const unsigned dt_migration_count =
	sizeof(dt_migrations) / sizeof(dt_migrations[0]);

static enum dt_err take(sqlite3 *db, const char *step, unsigned version,
                        struct dt_fail *fail)
{
	char set_version[64];
	enum dt_err err = dt_sql_exec(db, "BEGIN IMMEDIATE", fail);

	snprintf(set_version, sizeof(set_version), "PRAGMA user_version=%u",
	         version);
	if (!err)
		err = dt_sql_exec(db, step, fail);
	if (!err)
		err = dt_sql_exec(db, set_version, fail);
	if (!err)
		err = dt_sql_exec(db, "COMMIT", fail);
	/* The failure is already told; some failures have rolled back. */
	if (err && !sqlite3_get_autocommit(db))
		sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
	return err;
}

enum dt_err dt_migrate(sqlite3 *db, const char *const *steps, unsigned count,
                       struct dt_fail *fail)
{
	int64_t version;
	enum dt_err err =
		dt_sql_read_int(db, "PRAGMA user_version", &version, fail);

	if (!err && (version < 0 || version > count))
		return dt_migrate_refuse(sqlite3_db_filename(db, "main"),
		                         (unsigned)version, count, fail);
	for (unsigned at = (unsigned)version; !err && at < count; at++)
		err = take(db, steps[at], at + 1, fail);
	return err;
}

enum dt_err dt_migrate_refuse(const char *path, unsigned version,
                              unsigned count, struct dt_fail *fail)
{
	return dt_fail(fail, DT_E_UNSUPPORTED,
	               "%s is from a newer Dovetail (format %u, this one knows "
	               "%u); it was left as it is",
	               path, version, count);
}
