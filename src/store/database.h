/* store/database.h - the database file: opened, judged, moved aside. */
#ifndef DT_STORE_DATABASE_H
#define DT_STORE_DATABASE_H

#include "base/arena.h"
#include "base/err.h"

#include <sqlite3.h>

/* "DVTL" in the file's header says that a database is ours. */
#define DT_DATABASE_ID 0x4456544c

/*
 * Open the database at `path`, made with mode 0600 when it is missing, in
 * today's form.  Blocks; called on the store's thread.
 *
 * A file that is damaged or not ours is renamed to PATH.corrupt-TIME with what
 * lies beside it, a new one is begun, and `*out_note` says so in a sentence in
 * `arena`, also when the new one fails; it is NULL otherwise.  A file from a
 * newer Dovetail is refused and left untouched.
 */
enum dt_err dt_database_open(const char *path, struct dt_arena *arena,
                             sqlite3 **out, const char **out_note,
                             struct dt_fail *fail) DT_MUST_CHECK;

void dt_database_close(sqlite3 *db); /* NULL is fine */

#endif
