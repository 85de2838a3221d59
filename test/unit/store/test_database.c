/* test/unit/store/test_database.c - which files are taken, and which are
 * moved aside or left alone. */
#include "store/database.h"

#include "base/buf.h"
#include "store/fixture.h"
#include "store/migrate.h"

#define PAGE 4096

/* Open and close the database once; true when that went well. */
static bool open_once(struct fixture *f)
{
	struct dt_arena arena = { 0 };
	sqlite3 *db = NULL;
	const char *note;
	enum dt_err err;

	f->fail = (struct dt_fail){ 0 };
	err = dt_database_open(f->path, &arena, &db, &note, &f->fail);
	snprintf(f->note, sizeof(f->note), "%s", note ? note : "");
	assert_int_equal(err, f->fail.code);
	if (!err)
		dt_database_close(db);
	dt_arena_done(&arena);
	return !err;
}

/* A sound database of ours with a few pages of content. */
static void make_database(struct fixture *f)
{
	make_dir(f);
	assert_true(open_once(f));
	tamper(f->path, "WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL"
	                " SELECT i + 1 FROM n WHERE i < 1000)"
	                " INSERT INTO review (id, workspace, state, opened_ms)"
	                " SELECT printf('%032x', i), 'w', 0, i FROM n");
}

static mode_t mode_of(const char *path)
{
	struct stat st;

	assert_int_equal(stat(path, &st), 0);
	return st.st_mode & 07777;
}

/* A new database was begun, and the old one is there under another name. */
static void expect_moved(struct fixture *f, const char *why)
{
	assert_true(open_once(f));
	assert_non_null(strstr(f->note, f->path));
	assert_non_null(strstr(f->note, why));
	assert_non_null(strstr(f->note, ".corrupt-"));
	assert_int_equal(query(f->path, "SELECT count(*) FROM review"), 0);
	assert_int_equal(mode_of(f->path), 0600);
	/* And it was a lasting cure. */
	assert_true(open_once(f));
	assert_string_equal(f->note, "");
}

test(a_new_database_is_private_marked_and_in_wal_mode)
{
	struct fixture f;

	make_dir(&f);
	assert_true(open_once(&f));
	assert_string_equal(f.note, "");
	assert_int_equal(mode_of(f.path), 0600);
	assert_int_equal(query(f.path, "PRAGMA application_id"),
	                 DT_DATABASE_ID);
	assert_int_equal(query(f.path, "PRAGMA user_version"),
	                 dt_migration_count);
	assert_int_equal(query(f.path, "SELECT journal_mode = 'wal'"
	                               " FROM pragma_journal_mode"),
	                 1);
	assert_int_equal(query(f.path, "PRAGMA auto_vacuum"), 2);
	remove_dir(&f);
}

test(the_log_is_as_private_as_the_database)
{
	struct dt_arena arena = { 0 };
	struct fixture f;
	const char *note;
	char wal[100];
	sqlite3 *db;

	make_dir(&f);
	write_file(f.path, 0, DT_STR(""));
	assert_int_equal(chmod(f.path, 0644), 0);
	assert_ok(dt_database_open(f.path, &arena, &db, &note, NULL));
	assert_int_equal(sqlite3_exec(db,
	                              "INSERT INTO review (id, workspace,"
	                              " state, opened_ms)"
	                              " VALUES ('a', 'w', 0, 0)",
	                              NULL, NULL, NULL),
	                 SQLITE_OK);
	snprintf(wal, sizeof(wal), "%s-wal", f.path);
	assert_int_equal(mode_of(f.path), 0600);
	assert_int_equal(mode_of(wal), 0600);
	dt_database_close(db);
	dt_arena_done(&arena);
	remove_dir(&f);
}

test(an_existing_database_is_opened_as_it_is)
{
	struct fixture f;

	make_database(&f);
	assert_true(open_once(&f));
	assert_string_equal(f.note, "");
	assert_int_equal(query(f.path, "SELECT count(*) FROM review"), 1000);
	remove_dir(&f);
}

test(a_file_that_is_no_database_is_moved_aside_whole)
{
	struct fixture f;
	char text[32] = { 0 };
	char *aside;
	int fd;

	make_dir(&f);
	write_file(f.path, 0, DT_STR("my shopping list"));
	assert_true(open_once(&f));
	aside = strstr(f.note, "moved to ");
	assert_non_null(aside);
	aside += strlen("moved to ");
	*strchr(aside, ' ') = '\0';
	fd = open(aside, O_RDONLY);
	assert_true(fd >= 0);
	assert_int_equal(read(fd, text, sizeof(text)), 16);
	assert_string_equal(text, "my shopping list");
	close(fd);
	remove_dir(&f);
}

test(files_moved_in_the_same_second_get_names_of_their_own)
{
	struct fixture f;

	make_dir(&f);
	for (int i = 1; i <= 3; i++) {
		/* From the second time on, over the header of one of ours. */
		write_file(f.path, 0, DT_STR("SQLite format 2"));
		expect_moved(&f, "is not a history of Dovetail's");
		assert_int_equal(count_files(&f, ".corrupt-"), i);
	}
	remove_dir(&f);
}

test(a_database_of_another_program_is_moved_aside)
{
	struct fixture f;

	make_dir(&f);
	tamper(f.path, "PRAGMA application_id=7; CREATE TABLE theirs (x)");
	expect_moved(&f, "is not a history of Dovetail's");
	remove_dir(&f);

	make_dir(&f);
	tamper(f.path, "CREATE TABLE theirs (x)");
	expect_moved(&f, "is not a history of Dovetail's");
	remove_dir(&f);
}

test(what_lies_beside_the_file_is_moved_with_it)
{
	struct fixture f;
	char beside[100];

	make_dir(&f);
	write_file(f.path, 0, DT_STR("my shopping list"));
	snprintf(beside, sizeof(beside), "%s-wal", f.path);
	write_file(beside, 0, DT_STR("log"));
	snprintf(beside, sizeof(beside), "%s-journal", f.path);
	write_file(beside, 0, DT_STR("journal"));
	expect_moved(&f, "is not a history of Dovetail's");
	assert_int_equal(count_files(&f, ".corrupt-"), 3);
	remove_dir(&f);
}

test(a_damaged_schema_is_moved_aside)
{
	struct fixture f;
	char noise[PAGE - 100];

	make_database(&f);
	memset(noise, 0xa5, sizeof(noise));
	write_file(f.path, 100, (struct dt_str){ noise, sizeof(noise) });
	expect_moved(&f, "is damaged");
	remove_dir(&f);
}

test(a_file_cut_short_is_moved_aside)
{
	struct fixture f;

	make_database(&f);
	assert_int_equal(truncate(f.path, 2 * PAGE), 0);
	expect_moved(&f, "is damaged");
	remove_dir(&f);
}

test(damage_inside_is_found_after_an_unclean_end)
{
	struct fixture f;
	char noise[PAGE];
	char wal[100];

	make_database(&f);
	memset(noise, 0xa5, sizeof(noise));
	write_file(f.path, 9 * PAGE, (struct dt_str){ noise, sizeof(noise) });
	assert_true(open_once(&f)); /* a clean end: not looked at */
	assert_string_equal(f.note, "");
	snprintf(wal, sizeof(wal), "%s-wal", f.path);
	write_file(wal, 0, DT_STR("left behind"));
	expect_moved(&f, "is damaged");
	assert_int_equal(count_files(&f, "Z-wal"), 1);
	remove_dir(&f);
}

test(a_sound_database_stays_after_an_unclean_end)
{
	struct fixture f;
	char wal[100];

	make_database(&f);
	snprintf(wal, sizeof(wal), "%s-wal", f.path);
	write_file(wal, 0, DT_STR("left behind"));
	assert_true(open_once(&f));
	assert_string_equal(f.note, "");
	assert_int_equal(query(f.path, "SELECT count(*) FROM review"), 1000);
	remove_dir(&f);
}

static void read_whole(const char *path, struct dt_buf *out)
{
	int fd = open(path, O_RDONLY);
	ssize_t n;

	assert_true(fd >= 0);
	while ((n = read(fd, dt_buf_reserve(out, PAGE), PAGE)) > 0)
		dt_buf_grew(out, (size_t)n);
	assert_int_equal(n, 0);
	close(fd);
}

test(a_newer_database_is_refused_and_not_touched)
{
	struct fixture f;
	struct dt_buf before;
	struct dt_buf after;

	make_database(&f);
	tamper(f.path, "PRAGMA user_version=99");
	dt_buf_init(&before, 1 << 24);
	dt_buf_init(&after, 1 << 24);
	read_whole(f.path, &before);
	assert_false(open_once(&f));
	assert_int_equal(f.fail.code, DT_E_UNSUPPORTED);
	assert_non_null(strstr(f.fail.msg, "newer Dovetail (format 99"));
	read_whole(f.path, &after);
	assert_int_equal(before.len, after.len);
	assert_memory_equal(before.ptr, after.ptr, before.len);
	assert_int_equal(count_files(&f, "history.db"), 1);
	dt_buf_done(&before);
	dt_buf_done(&after);
	remove_dir(&f);
}

/* The newer version may stand in a log that its writer left behind. */
static void upgrade_and_die(struct fixture *f)
{
	sqlite3 *db;

	CHECK(sqlite3_open(f->path, &db) == SQLITE_OK);
	CHECK(sqlite3_exec(db, "PRAGMA user_version=99", NULL, NULL, NULL) ==
	      SQLITE_OK);
}

test(a_newer_version_that_stands_in_the_log_is_refused_too)
{
	struct fixture f;

	make_database(&f);
	assert_int_equal(in_child(upgrade_and_die, &f), 0);
	assert_int_equal(count_files(&f, "-wal"), 1);
	assert_false(open_once(&f));
	assert_int_equal(f.fail.code, DT_E_UNSUPPORTED);
	assert_int_equal(count_files(&f, ".corrupt-"), 0);
	assert_int_equal(count_files(&f, "-wal"), 1);
	assert_int_equal(query(f.path, "SELECT count(*) FROM review"), 1000);
	remove_dir(&f);
}

test(a_folder_in_its_place_is_refused)
{
	struct fixture f;

	make_dir(&f);
	assert_int_equal(mkdir(f.path, 0700), 0);
	assert_false(open_once(&f));
	assert_int_equal(f.fail.code, DT_E_SYS);
	remove_dir(&f);
}

test(a_pipe_in_its_place_is_refused_without_waiting)
{
	struct fixture f;

	make_dir(&f);
	assert_int_equal(mkfifo(f.path, 0600), 0);
	assert_false(open_once(&f));
	assert_non_null(strstr(f.fail.msg, "is not a regular file"));
	remove_dir(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			a_new_database_is_private_marked_and_in_wal_mode),
		cmocka_unit_test(the_log_is_as_private_as_the_database),
		cmocka_unit_test(an_existing_database_is_opened_as_it_is),
		cmocka_unit_test(
			a_file_that_is_no_database_is_moved_aside_whole),
		cmocka_unit_test(
			files_moved_in_the_same_second_get_names_of_their_own),
		cmocka_unit_test(a_database_of_another_program_is_moved_aside),
		cmocka_unit_test(what_lies_beside_the_file_is_moved_with_it),
		cmocka_unit_test(a_damaged_schema_is_moved_aside),
		cmocka_unit_test(a_file_cut_short_is_moved_aside),
		cmocka_unit_test(damage_inside_is_found_after_an_unclean_end),
		cmocka_unit_test(a_sound_database_stays_after_an_unclean_end),
		cmocka_unit_test(a_newer_database_is_refused_and_not_touched),
		cmocka_unit_test(
			a_newer_version_that_stands_in_the_log_is_refused_too),
		cmocka_unit_test(a_folder_in_its_place_is_refused),
		cmocka_unit_test(
			a_pipe_in_its_place_is_refused_without_waiting),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
