/*
 * store/database.c - the file behind the store.
 *
 * Here is decided whether a file is ours, sound and of an age we know; its
 * tables belong to others.  The invariant: a file that we know we cannot use is
 * renamed or left alone, never written to and never removed.
 *
 * The first look is at the file's header and not through SQLite, which would
 * already recover and change a foreign or newer database.  For that look to be
 * true, our id is written before the file enters WAL mode, and the log is
 * emptied into the file after a migration.
 */
#include "store/database.h"

#include "base/clock.h"
#include "base/str.h"
#include "store/migrate.h"
#include "store/sql.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* https://www.sqlite.org/fileformat.html, section 1.3 */
#define HEADER_BYTES 100
#define HEADER_MAGIC "SQLite format 3"
#define HEADER_VERSION 60
#define HEADER_ID 68

#define BUSY_MS 5000
#define NAMES_TRIED 100

/* An idle daemon is small: no mapping, few pages, no pool of small blocks. */
#define SETTINGS                                                               \
	"PRAGMA trusted_schema=OFF;"                                           \
	"PRAGMA foreign_keys=ON;"                                              \
	"PRAGMA cache_size=-256;"                                              \
	"PRAGMA mmap_size=0;"                                                  \
	"PRAGMA temp_store=MEMORY;"                                            \
	"PRAGMA synchronous=NORMAL;"                                           \
	"PRAGMA journal_size_limit=1048576;"

static uint32_t read_u32(const unsigned char *at)
{
	return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 |
	       (uint32_t)at[2] << 8 | at[3];
}

/* Is the file ours, or empty and about to be?  A newer one is refused. */
static enum dt_err judge(const char *path, int fd, bool *out_ours,
                         struct dt_fail *fail)
{
	unsigned char header[HEADER_BYTES];
	struct stat st;
	ssize_t n;

	if (fstat(fd, &st) < 0)
		return dt_fail_sys(fail, "cannot read %s", path);
	if (!S_ISREG(st.st_mode))
		return dt_fail(fail, DT_E_STATE, "%s is not a regular file",
		               path);
	n = pread(fd, header, sizeof(header), 0);
	if (n < 0)
		return dt_fail_sys(fail, "cannot read %s", path);
	*out_ours = n == 0 ||
	            (n == HEADER_BYTES &&
	             !memcmp(header, HEADER_MAGIC, sizeof(HEADER_MAGIC)) &&
	             read_u32(header + HEADER_ID) == DT_DATABASE_ID);
	if (n > 0 && *out_ours &&
	    read_u32(header + HEADER_VERSION) > dt_migration_count)
		return dt_migrate_refuse(path,
		                         read_u32(header + HEADER_VERSION),
		                         dt_migration_count, fail);
	/* A file system without modes refuses this; the folder is private. */
	if ((st.st_mode & 077) != 0)
		(void)!fchmod(fd, 0600);
	return DT_E_OK;
}

static enum dt_err look(const char *path, bool *out_ours, struct dt_fail *fail)
{
	/* SQLite would make the file with 0644; its -wal and -shm then take
	 * the mode of the file. */
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0600);
	enum dt_err err;

	if (fd < 0)
		return dt_fail_sys(fail, "cannot open %s", path);
	err = judge(path, fd, out_ours, fail);
	/* Closing drops every lock this process holds on the file, so it must
	 * be done before SQLite takes one. */
	close(fd);
	return err;
}

/* A free name of the form PATH.corrupt-20261115T020137Z. */
static enum dt_err choose_name(const char *path, struct dt_arena *arena,
                               const char **out, struct dt_fail *fail)
{
	time_t now = (time_t)(dt_clock_wall_ms() / 1000);
	char stamp[24];
	struct tm tm;
	struct stat st;

	gmtime_r(&now, &tm);
	strftime(stamp, sizeof(stamp), "%Y%m%dT%H%M%SZ", &tm);
	for (int i = 0; i < NAMES_TRIED; i++) {
		const char *name =
			i == 0 ? dt_arena_printf(arena, "%s.corrupt-%s", path,
		                                 stamp)
			       : dt_arena_printf(arena, "%s.corrupt-%s.%d",
		                                 path, stamp, i);

		if (lstat(name, &st) < 0 && errno == ENOENT) {
			*out = name;
			return DT_E_OK;
		}
	}
	return dt_fail(fail, DT_E_STATE,
	               "cannot move %s aside: no name is free", path);
}

static enum dt_err move_aside(const char *path, const char *why,
                              struct dt_arena *arena, const char **out_note,
                              struct dt_fail *fail)
{
	/* The file goes last: if we are stopped half way the next start moves
	 * it too, while SQLite would remove a log it finds without one. */
	static const char *const parts[] = { "-wal", "-shm", "-journal", "" };
	const char *name = NULL;
	enum dt_err err = choose_name(path, arena, &name, fail);

	if (err)
		return err;
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		const char *from =
			dt_arena_printf(arena, "%s%s", path, parts[i]);
		const char *to = dt_arena_printf(arena, "%s%s", name, parts[i]);

		if (rename(from, to) < 0 && errno != ENOENT)
			return dt_fail_sys(fail, "cannot move %s aside", from);
	}
	*out_note = dt_arena_printf(
		arena, "%s %s; it was moved to %s and a new one begun", path,
		why, name);
	return DT_E_OK;
}

/* Only SQLite's word that the file is bad counts, not that it cannot read. */
static bool is_damaged(sqlite3 *db)
{
	sqlite3_stmt *stmt = NULL;
	bool is_bad = false;
	int rc = sqlite3_prepare_v2(db, "PRAGMA quick_check(1)", -1, &stmt,
	                            NULL);

	if (rc == SQLITE_OK)
		rc = sqlite3_step(stmt);
	if (rc == SQLITE_ROW)
		is_bad = strcmp((const char *)sqlite3_column_text(stmt, 0),
		                "ok") != 0;
	sqlite3_finalize(stmt);
	return is_bad || rc == SQLITE_CORRUPT || rc == SQLITE_NOTADB;
}

static enum dt_err prepare(sqlite3 *db, struct dt_fail *fail)
{
	int64_t pages;
	char set_id[64];
	enum dt_err err = dt_sql_exec(db, SETTINGS, fail);

	if (!err)
		err = dt_sql_read_int(db, "PRAGMA page_count", &pages, fail);
	if (!err && pages == 0) {
		snprintf(set_id, sizeof(set_id),
		         "PRAGMA auto_vacuum=INCREMENTAL;"
		         "PRAGMA application_id=%d",
		         DT_DATABASE_ID);
		err = dt_sql_exec(db, set_id, fail);
	}
	if (!err)
		err = dt_sql_exec(db, "PRAGMA journal_mode=WAL", fail);
	if (!err)
		err = dt_migrate(db, dt_migrations, dt_migration_count, fail);
	/* What cannot be emptied now will be later. */
	if (!err)
		sqlite3_wal_checkpoint_v2(db, NULL, SQLITE_CHECKPOINT_TRUNCATE,
		                          NULL, NULL);
	return err;
}

/* A log that was left behind: whoever had the file open did not close it. */
static bool was_closed(const char *path, struct dt_arena *arena)
{
	struct stat st;

	return stat(dt_arena_printf(arena, "%s-wal", path), &st) < 0 ||
	       st.st_size == 0;
}

static enum dt_err open_checked(const char *path, struct dt_arena *arena,
                                sqlite3 **out, bool *out_damaged,
                                struct dt_fail *fail)
{
	bool is_suspect = !was_closed(path, arena);
	sqlite3 *db = NULL;
	enum dt_err err = DT_E_OK;

	*out_damaged = false;
	if (sqlite3_open_v2(path, &db,
	                    SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX,
	                    NULL) != SQLITE_OK)
		err = dt_sql_fail(db, fail);
	if (!err) {
		sqlite3_busy_timeout(db, BUSY_MS);
		sqlite3_db_config(db, SQLITE_DBCONFIG_LOOKASIDE, NULL, 0, 0);
	}
	if (!err && is_suspect && is_damaged(db)) {
		*out_damaged = true;
		err = dt_fail(fail, DT_E_STATE, "%s is damaged", path);
	}
	if (!err) {
		err = prepare(db, fail);
		*out_damaged = err && is_damaged(db);
	}
	if (!err) {
		*out = db;
		return DT_E_OK;
	}
	/* Closing would write the log into a file that is not for us. */
	sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
	dt_database_close(db);
	return err;
}

enum dt_err dt_database_open(const char *path, struct dt_arena *arena,
                             sqlite3 **out, const char **out_note,
                             struct dt_fail *fail)
{
	bool is_ours = false;
	bool is_bad;
	enum dt_err err = look(path, &is_ours, fail);

	*out_note = NULL;
	if (err)
		return err;
	if (is_ours) {
		struct dt_fail why = { 0 };

		err = open_checked(path, arena, out, &is_bad, &why);
		if (!err)
			return DT_E_OK;
		if (!is_bad)
			return dt_fail(fail, err, "%s", why.msg);
	}
	err = move_aside(
		path, is_ours ? "is damaged" : "is not a history of Dovetail's",
		arena, out_note, fail);
	if (!err)
		err = look(path, &is_ours, fail); /* makes the new one */
	if (!err)
		err = open_checked(path, arena, out, &is_bad, fail);
	return err;
}

void dt_database_close(sqlite3 *db)
{
	sqlite3_close(db);
}
