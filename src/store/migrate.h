/* store/migrate.h - from any older form of the database to today's. */
#ifndef DT_STORE_MIGRATE_H
#define DT_STORE_MIGRATE_H

#include "base/err.h"

#include <sqlite3.h>

/*
 * The ladder.  Step N leads from version N to N + 1, and the version of a
 * database (PRAGMA user_version) is the number of steps it has taken.  Steps
 * are only ever appended: one that was released is never edited.
 */
extern const char *const dt_migrations[];
extern const unsigned dt_migration_count;

/*
 * Take the steps that are missing, each with its new version in a transaction
 * of its own.  DT_E_UNSUPPORTED, with nothing changed, when the database is
 * ahead of the ladder.
 */
enum dt_err dt_migrate(sqlite3 *db, const char *const *steps, unsigned count,
                       struct dt_fail *fail) DT_MUST_CHECK;

/* The refusal of a database that is ahead, wherever that is seen. */
enum dt_err dt_migrate_refuse(const char *path, unsigned version,
                              unsigned count, struct dt_fail *fail);

#endif
