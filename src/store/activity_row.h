/* store/activity_row.h - one row of the table, for those who write it. */
#ifndef DT_STORE_ACTIVITY_ROW_H
#define DT_STORE_ACTIVITY_ROW_H

#include "store/activity.h"

#include <sqlite3.h>

/* The statement that dt_activity_insert() runs, any number of times. */
enum dt_err dt_activity_prepare(sqlite3 *db, sqlite3_stmt **out,
                                struct dt_fail *fail) DT_MUST_CHECK;
enum dt_err dt_activity_insert(sqlite3_stmt *stmt,
                               const struct dt_activity_record *record,
                               struct dt_fail *fail) DT_MUST_CHECK;

#endif
