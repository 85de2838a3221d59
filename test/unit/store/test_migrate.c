/* test/unit/store/test_migrate.c - one rung after the other. */
#include "store/migrate.h"

#include "store/sql.h"
#include "unit.h"

static const char *const ladder[] = {
	"CREATE TABLE a (x); INSERT INTO a VALUES (1)",
	"ALTER TABLE a ADD COLUMN y DEFAULT 2",
	"UPDATE a SET x = x + y",
};

static const char *const broken[] = {
	"CREATE TABLE a (x); INSERT INTO a VALUES (1)",
	"INSERT INTO a VALUES (2); INSERT INTO nowhere VALUES (3)",
	"INSERT INTO a VALUES (4)",
};

static sqlite3 *open_memory(void)
{
	sqlite3 *db;

	assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
	return db;
}

static void expect(sqlite3 *db, const char *sql, int64_t value)
{
	int64_t found = -1;

	assert_ok(dt_sql_read_int(db, sql, &found, NULL));
	assert_int_equal(found, value);
}

test(a_new_database_takes_every_step_in_order)
{
	sqlite3 *db = open_memory();

	assert_ok(dt_migrate(db, ladder, 3, NULL));
	expect(db, "PRAGMA user_version", 3);
	expect(db, "SELECT x FROM a", 3);
	sqlite3_close(db);
}

test(steps_taken_before_are_not_taken_again)
{
	sqlite3 *db = open_memory();

	assert_ok(dt_migrate(db, ladder, 1, NULL));
	expect(db, "PRAGMA user_version", 1);
	assert_ok(dt_migrate(db, ladder, 3, NULL));
	assert_ok(dt_migrate(db, ladder, 3, NULL));
	expect(db, "PRAGMA user_version", 3);
	expect(db, "SELECT x FROM a", 3);
	sqlite3_close(db);
}

test(a_step_that_fails_leaves_the_rung_below)
{
	sqlite3 *db = open_memory();
	struct dt_fail fail = { 0 };

	assert_int_equal(dt_migrate(db, broken, 3, &fail), DT_E_SYS);
	assert_non_null(strstr(fail.msg, "no such table: nowhere"));
	expect(db, "PRAGMA user_version", 1);
	expect(db, "SELECT count(*) FROM a", 1);
	assert_int_not_equal(sqlite3_get_autocommit(db), 0);
	sqlite3_close(db);
}

test(a_database_ahead_of_the_ladder_is_refused)
{
	sqlite3 *db = open_memory();
	struct dt_fail fail = { 0 };

	assert_ok(dt_migrate(db, ladder, 3, NULL));
	assert_int_equal(dt_migrate(db, ladder, 2, &fail), DT_E_UNSUPPORTED);
	assert_non_null(strstr(fail.msg, "format 3, this one knows 2"));
	expect(db, "PRAGMA user_version", 3);
	assert_ok(dt_sql_exec(db, "PRAGMA user_version=-1", NULL));
	assert_int_equal(dt_migrate(db, ladder, 3, NULL), DT_E_UNSUPPORTED);
	sqlite3_close(db);
}

test(our_own_ladder_leads_to_the_tables_we_use)
{
	sqlite3 *db = open_memory();

	assert_ok(dt_migrate(db, dt_migrations, dt_migration_count, NULL));
	expect(db, "PRAGMA user_version", dt_migration_count);
	expect(db,
	       "SELECT count(*) FROM sqlite_schema WHERE type = 'table'"
	       " AND name IN ('review', 'entry', 'outcome', 'session',"
	       " 'audit')",
	       5);
	sqlite3_close(db);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_new_database_takes_every_step_in_order),
		cmocka_unit_test(steps_taken_before_are_not_taken_again),
		cmocka_unit_test(a_step_that_fails_leaves_the_rung_below),
		cmocka_unit_test(a_database_ahead_of_the_ladder_is_refused),
		cmocka_unit_test(our_own_ladder_leads_to_the_tables_we_use),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
