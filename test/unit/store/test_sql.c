/* test/unit/store/test_sql.c - values in and out, and errors in words. */
#include "store/sql.h"

#include "store/fixture.h"

static sqlite3 *open_memory(void)
{
	sqlite3 *db;

	assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
	assert_ok(dt_sql_exec(db, "CREATE TABLE t (x UNIQUE)", NULL));
	return db;
}

/* What comes back when `bytes` were put in. */
static struct dt_str there_and_back(struct dt_arena *arena, struct dt_str bytes)
{
	sqlite3 *db = open_memory();
	struct dt_str out;
	sqlite3_stmt *stmt;
	bool has_row;

	assert_ok(dt_sql_prepare(db, "INSERT INTO t VALUES (?1)", &stmt, NULL));
	dt_sql_bind_bytes(stmt, 1, bytes);
	assert_ok(dt_sql_run(stmt, NULL));
	sqlite3_finalize(stmt);
	assert_ok(dt_sql_prepare(db, "SELECT x FROM t", &stmt, NULL));
	assert_ok(dt_sql_step(stmt, &has_row, NULL));
	assert_true(has_row);
	out = dt_sql_bytes(stmt, 0, arena);
	assert_ok(dt_sql_step(stmt, &has_row, NULL));
	assert_false(has_row);
	sqlite3_finalize(stmt);
	sqlite3_close(db);
	return out;
}

test(bytes_come_back_exactly_and_absent_is_not_empty)
{
	struct dt_arena arena = { 0 };
	struct dt_str out;

	out = there_and_back(&arena, DT_STR("a\0b\xff\xc3("));
	assert_str(out, "a\0b\xff\xc3(");
	out = there_and_back(&arena, DT_STR(""));
	assert_non_null(out.ptr);
	assert_int_equal(out.len, 0);
	out = there_and_back(&arena, (struct dt_str){ 0 });
	assert_null(out.ptr);
	assert_int_equal(out.len, 0);
	dt_arena_done(&arena);
}

test(a_name_may_be_null)
{
	struct dt_arena arena = { 0 };
	sqlite3 *db = open_memory();
	sqlite3_stmt *stmt;
	bool has_row;

	assert_ok(dt_sql_prepare(db, "SELECT ?1, ?2", &stmt, NULL));
	dt_sql_bind_z(stmt, 1, NULL);
	dt_sql_bind_z(stmt, 2, "caf\xc3\xa9");
	assert_ok(dt_sql_step(stmt, &has_row, NULL));
	assert_null(dt_sql_z(stmt, 0, &arena));
	assert_string_equal(dt_sql_z(stmt, 1, &arena), "caf\xc3\xa9");
	sqlite3_finalize(stmt);
	sqlite3_close(db);
	dt_arena_done(&arena);
}

test(a_number_that_is_not_there_is_zero)
{
	sqlite3 *db = open_memory();
	int64_t value = 7;

	assert_ok(dt_sql_read_int(db, "SELECT x FROM t", &value, NULL));
	assert_int_equal(value, 0);
	assert_ok(dt_sql_read_int(db, "SELECT -5000000000", &value, NULL));
	assert_int_equal(value, -5000000000);
	sqlite3_close(db);
}

test(a_broken_rule_is_told_from_a_fault_of_the_world)
{
	sqlite3 *db = open_memory();
	struct dt_fail fail = { 0 };
	sqlite3_stmt *stmt;

	assert_ok(dt_sql_exec(db, "INSERT INTO t VALUES (1)", NULL));
	assert_int_equal(dt_sql_exec(db, "INSERT INTO t VALUES (1)", &fail),
	                 DT_E_STATE);
	assert_string_equal(fail.msg,
	                    "the history: UNIQUE constraint failed: t.x");
	fail = (struct dt_fail){ 0 };
	assert_int_equal(dt_sql_prepare(db, "SELECT nonsense", &stmt, &fail),
	                 DT_E_SYS);
	assert_null(stmt);
	sqlite3_close(db);
}

test(an_error_names_the_file_and_the_cause)
{
	struct fixture f;
	struct dt_fail fail = { 0 };
	sqlite3 *db;

	make_dir(&f);
	assert_int_equal(
		sqlite3_open_v2(f.path, &db, SQLITE_OPEN_READWRITE, NULL),
		SQLITE_CANTOPEN);
	assert_int_equal(dt_sql_fail(db, &fail), DT_E_SYS);
	assert_non_null(strstr(fail.msg, "(No such file or directory)"));
	sqlite3_close(db);

	tamper(f.path, "CREATE TABLE t (x)");
	assert_int_equal(
		sqlite3_open_v2(f.path, &db, SQLITE_OPEN_READONLY, NULL),
		SQLITE_OK);
	fail = (struct dt_fail){ 0 };
	assert_int_equal(dt_sql_exec(db, "DROP TABLE t", &fail), DT_E_SYS);
	assert_non_null(strstr(fail.msg, f.path));
	assert_non_null(strstr(fail.msg, "readonly"));
	sqlite3_close(db);
	remove_dir(&f);
}

static void read_number(sqlite3_stmt *stmt, struct dt_arena *arena, void *out)
{
	(void)arena;
	*(int *)out = sqlite3_column_int(stmt, 0);
}

test(rows_become_records_up_to_the_most_there_may_be)
{
	struct dt_arena arena = { 0 };
	sqlite3 *db = open_memory();
	struct dt_sql_rows rows = { .read = read_number, .size = sizeof(int) };
	const int *numbers;
	sqlite3_stmt *stmt;

	assert_ok(dt_sql_exec(db, "INSERT INTO t VALUES (7), (8), (9)", NULL));
	for (rows.max = 0; rows.max < 5; rows.max++) {
		assert_ok(dt_sql_prepare(db, "SELECT x FROM t ORDER BY x",
		                         &stmt, NULL));
		assert_ok(dt_sql_read_rows(stmt, &arena, &rows, NULL));
		assert_int_equal(rows.count, rows.max < 3 ? rows.max : 3);
		numbers = rows.ptr;
		for (size_t i = 0; i < rows.count; i++)
			assert_int_equal(numbers[i], 7 + i);
	}
	/* It closes only when no statement is left. */
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
	dt_arena_done(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			bytes_come_back_exactly_and_absent_is_not_empty),
		cmocka_unit_test(a_name_may_be_null),
		cmocka_unit_test(a_number_that_is_not_there_is_zero),
		cmocka_unit_test(
			a_broken_rule_is_told_from_a_fault_of_the_world),
		cmocka_unit_test(an_error_names_the_file_and_the_cause),
		cmocka_unit_test(
			rows_become_records_up_to_the_most_there_may_be),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
