/*
 * test/unit/store/fixture.h - a folder, a loop and a store for one test.
 *
 * The loop ends when the store has nothing left to do, so a call followed by
 * settle() is a call and its callback.
 */
#ifndef DT_TEST_STORE_FIXTURE_H
#define DT_TEST_STORE_FIXTURE_H

#include "base/str.h"
#include "store/reviews.h"
#include "unit.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

struct fixture {
	char dir[64];
	char path[80]; /* of the database */
	struct dt_loop *loop;
	struct dt_store *store;
	int done;   /* callbacks so far */
	int closed; /* on_closed so far */
	char note[512];
	struct dt_fail fail; /* of the last callback */
};

#define ID_A "a0000000000000000000000000000001"
#define ID_B "a1000000000000000000000000000002"
#define ID_C "b0000000000000000000000000000003"

/* What a child process finds wrong, it says and ends with. */
#define CHECK(condition)                                                       \
	do {                                                                   \
		if (!(condition)) {                                            \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__,     \
			        #condition);                                   \
			_exit(1);                                              \
		}                                                              \
	} while (0)

static inline void on_opened(struct dt_store *store, const char *note,
                             const struct dt_fail *fail, void *owner)
{
	struct fixture *f = owner;

	(void)store;
	f->done++;
	f->fail = *fail;
	snprintf(f->note, sizeof(f->note), "%s", note ? note : "");
}

static inline void on_done(struct dt_store *store, const struct dt_fail *fail,
                           void *owner)
{
	struct fixture *f = owner;

	(void)store;
	f->done++;
	f->fail = *fail;
}

static inline void on_closed(void *owner)
{
	struct fixture *f = owner;

	f->closed++;
}

static inline void make_dir(struct fixture *f)
{
	*f = (struct fixture){ .dir = "/tmp/dovetail-store-XXXXXX" };
	assert_non_null(mkdtemp(f->dir));
	snprintf(f->path, sizeof(f->path), "%s/history.db", f->dir);
}

static inline int remove_one(const char *path, const struct stat *st, int type,
                             struct FTW *where)
{
	(void)st;
	(void)type;
	(void)where;
	return remove(path);
}

static inline void remove_dir(struct fixture *f)
{
	assert_int_equal(nftw(f->dir, remove_one, 8, FTW_DEPTH | FTW_PHYS), 0);
}

static inline void settle(struct fixture *f)
{
	f->fail = (struct dt_fail){ .msg = "no callback came" };
	dt_loop_run(f->loop);
}

static inline void open_store(struct fixture *f)
{
	f->loop = dt_loop_new();
	f->store = dt_store_open(f->loop, f->path, on_opened, f);
	settle(f);
}

static inline void close_store(struct fixture *f)
{
	dt_store_close(f->store, on_closed, f);
	dt_loop_run(f->loop);
	dt_loop_free(f->loop);
}

static inline void begin(struct fixture *f)
{
	make_dir(f);
	open_store(f);
	assert_string_equal(f->fail.msg, "");
	assert_int_equal(f->done, 1);
}

static inline void end(struct fixture *f)
{
	close_store(f);
	assert_int_equal(f->closed, 1);
	remove_dir(f);
}

/* A review of one change, its texts as given. */
static inline void put(struct fixture *f, const char *id, const char *workspace,
                       int64_t opened_ms, struct dt_str proposed)
{
	struct dt_entry_record entry = {
		.kind = DT_ENTRY_CHANGE,
		.path = "/w/a.c",
		.old_text = DT_STR("old\n"),
		.proposed_text = proposed,
	};
	struct dt_review_record review = {
		.id = id,
		.workspace = workspace,
		.opened_ms = opened_ms,
		.entries = &entry,
		.entry_count = 1,
	};

	dt_store_put_review(f->store, &review, on_done, f);
	settle(f);
}

static inline void decide(struct fixture *f, const char *id,
                          enum dt_review_state state, int64_t decided_ms,
                          struct dt_str final)
{
	struct dt_outcome_record outcome = {
		.accepted = state == DT_REVIEW_ACCEPTED,
		.final_text = final,
	};
	struct dt_verdict_record verdict = {
		.review = id,
		.state = state,
		.decided_ms = decided_ms,
		.outcomes = &outcome,
		.outcome_count = 1,
	};

	dt_store_put_verdict(f->store, &verdict, on_done, f);
	settle(f);
}

/* Run SQL on the file from outside, as a person with sqlite3(1) would. */
static inline void tamper(const char *path, const char *sql)
{
	sqlite3 *db;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static inline int64_t query(const char *path, const char *sql)
{
	sqlite3_stmt *stmt;
	sqlite3 *db;
	int64_t value;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &stmt, NULL),
	                 SQLITE_OK);
	assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
	value = sqlite3_column_int64(stmt, 0);
	sqlite3_finalize(stmt);
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
	return value;
}

/* How many files in the folder have `part` in their name. */
static inline int count_files(struct fixture *f, const char *part)
{
	DIR *dir = opendir(f->dir);
	struct dirent *entry;
	int count = 0;

	assert_non_null(dir);
	while ((entry = readdir(dir)))
		count += strstr(entry->d_name, part) != NULL;
	closedir(dir);
	return count;
}

static inline void write_file(const char *path, off_t at, struct dt_str bytes)
{
	int fd = open(path, O_WRONLY | O_CREAT, 0600);

	assert_true(fd >= 0);
	assert_int_equal(pwrite(fd, bytes.ptr, bytes.len, at),
	                 (ssize_t)bytes.len);
	close(fd);
}

/* The child's exit status; it ends in fn(), or well when that returns. */
static inline int in_child(void (*fn)(struct fixture *f), struct fixture *f)
{
	pid_t pid = fork();
	int status;

	assert_true(pid >= 0);
	if (pid == 0) {
		fn(f);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return status;
}

#endif
