/* test/unit/store/test_store.c - calls, their order and what survives. */
#include "store/store.h"

#include "store/call.h"
#include "store/fixture.h"
#include "store/migrate.h"
#include "store/sql.h"

#include <grp.h>
#include <signal.h>
#include <sys/resource.h>

#define SOME_UID 65534

test(a_store_opens_and_closes)
{
	struct fixture f;

	begin(&f);
	assert_string_equal(f.note, "");
	end(&f);
}

test(closing_needs_no_callback)
{
	struct fixture f;

	begin(&f);
	dt_store_close(f.store, NULL, NULL);
	dt_loop_run(f.loop);
	dt_loop_free(f.loop);
	remove_dir(&f);
}

static void count_list(struct dt_store *store,
                       const struct dt_review_record *reviews, size_t count,
                       const struct dt_fail *fail, void *owner)
{
	struct fixture *f = owner;

	(void)reviews;
	assert_int_equal(count, 1);
	on_done(store, fail, f);
	assert_int_equal(f->done, 3);
}

test(calls_made_before_it_is_open_run_in_order_and_end_before_it_closes)
{
	struct dt_review_filter all = { 0 };
	struct dt_review_record review = { .id = ID_A, .workspace = "w" };
	struct fixture f;

	make_dir(&f);
	f.loop = dt_loop_new();
	f.store = dt_store_open(f.loop, f.path, on_opened, &f);
	dt_store_put_review(f.store, &review, on_done, &f);
	dt_store_list_reviews(f.store, &all, count_list, &f);
	assert_int_equal(f.done, 0);
	end(&f);
	assert_int_equal(f.done, 3);
}

test(what_is_passed_in_may_be_freed_at_once)
{
	char *id = dt_strdup(ID_A);
	char *workspace = dt_strdup("w");
	char *text = dt_strdup("text");
	struct dt_entry_record *entry = dt_alloc(sizeof(*entry));
	struct dt_review_record *review = dt_alloc(sizeof(*review));
	struct fixture f;

	begin(&f);
	*entry = (struct dt_entry_record){ .path = text,
		                           .proposed_text = dt_str(text) };
	*review = (struct dt_review_record){ .id = id,
		                             .workspace = workspace,
		                             .entries = entry,
		                             .entry_count = 1 };
	dt_store_put_review(f.store, review, on_done, &f);
	free(id);
	free(workspace);
	free(text);
	free(entry);
	free(review);
	settle(&f);
	assert_string_equal(f.fail.msg, "");
	end(&f);
}

/* A call that reports how durable its transaction is, and may fail in it. */
struct probe {
	struct dt_store_call call;
	struct fixture *f;
	bool must_fail;
	int64_t *out_synchronous;
};

static enum dt_err run_probe(struct dt_store_call *call, sqlite3 *db,
                             struct dt_fail *fail)
{
	struct probe *probe = (struct probe *)call;
	enum dt_err err = dt_sql_read_int(db, "PRAGMA synchronous",
	                                  probe->out_synchronous, fail);

	if (!err && call->mode != DT_STORE_READS)
		err = dt_sql_exec(db, "PRAGMA user_version=7", fail);
	if (!err && probe->must_fail)
		err = dt_fail(fail, DT_E_ARGS, "as told");
	return err;
}

static void end_probe(struct dt_store_call *call)
{
	on_done(call->store, &call->fail, ((struct probe *)call)->f);
}

static int64_t synchronous_in(struct fixture *f, enum dt_store_mode mode,
                              bool must_fail)
{
	struct probe *probe = dt_store_call_new(f->store, sizeof(*probe));
	int64_t synchronous = -1;

	probe->call.mode = mode;
	probe->call.run = run_probe;
	probe->call.end = end_probe;
	probe->f = f;
	probe->must_fail = must_fail;
	probe->out_synchronous = &synchronous;
	dt_store_call_post(&probe->call);
	settle(f);
	assert_int_equal(f->fail.code, must_fail ? DT_E_ARGS : DT_E_OK);
	return synchronous;
}

#define NORMAL 1
#define FULL 2

test(only_a_commit_waits_for_the_disk)
{
	struct fixture f;

	begin(&f);
	assert_int_equal(synchronous_in(&f, DT_STORE_READS, false), NORMAL);
	assert_int_equal(synchronous_in(&f, DT_STORE_COMMITS, false), FULL);
	assert_int_equal(synchronous_in(&f, DT_STORE_WRITES, false), NORMAL);
	assert_int_equal(synchronous_in(&f, DT_STORE_COMMITS, true), FULL);
	assert_int_equal(synchronous_in(&f, DT_STORE_WRITES, true), NORMAL);
	end(&f);
}

test(a_call_that_fails_is_undone)
{
	struct fixture f;

	begin(&f);
	synchronous_in(&f, DT_STORE_WRITES, true);
	assert_int_equal(query(f.path, "PRAGMA user_version"),
	                 dt_migration_count);
	synchronous_in(&f, DT_STORE_COMMITS, true);
	assert_int_equal(query(f.path, "PRAGMA user_version"),
	                 dt_migration_count);
	synchronous_in(&f, DT_STORE_WRITES, false);
	assert_int_equal(query(f.path, "PRAGMA user_version"), 7);
	end(&f);
}

static void get_nothing(struct dt_store *store,
                        const struct dt_review_record *review,
                        const struct dt_fail *fail, void *owner)
{
	CHECK(review == NULL);
	on_done(store, fail, owner);
}

static void list_nothing(struct dt_store *store,
                         const struct dt_review_record *reviews, size_t count,
                         const struct dt_fail *fail, void *owner)
{
	(void)reviews;
	CHECK(count == 0);
	on_done(store, fail, owner);
}

/* Every call ends, each with the sentence the opening ended with. */
static void expect_all_fail(struct fixture *f)
{
	struct dt_review_filter all = { 0 };
	struct dt_fail why = f->fail;

	CHECK(why.code == DT_E_SYS);
	CHECK(strstr(why.msg, f->path) != NULL);
	put(f, ID_A, "w", 1, DT_STR("new"));
	CHECK(!strcmp(f->fail.msg, why.msg));
	decide(f, ID_A, DT_REVIEW_ACCEPTED, 2, DT_STR("new"));
	CHECK(!strcmp(f->fail.msg, why.msg));
	dt_store_get_review(f->store, ID_A, get_nothing, f);
	settle(f);
	CHECK(!strcmp(f->fail.msg, why.msg));
	dt_store_list_reviews(f->store, &all, list_nothing, f);
	settle(f);
	CHECK(!strcmp(f->fail.msg, why.msg));
	dt_store_orphan_waiting(f->store, 3, on_done, f);
	settle(f);
	CHECK(!strcmp(f->fail.msg, why.msg));
	dt_store_prune(f->store, 3, on_done, f);
	settle(f);
	CHECK(!strcmp(f->fail.msg, why.msg));
	CHECK(f->done == 7);
	close_store(f);
	CHECK(f->closed == 1);
}

/* Root may write anywhere. */
static void give_up_root(void)
{
	CHECK(setgroups(0, NULL) == 0);
	CHECK(setresuid(SOME_UID, SOME_UID, SOME_UID) == 0);
}

static void use_as_another(struct fixture *f)
{
	if (geteuid() == 0)
		give_up_root();
	open_store(f);
	CHECK(f->fail.sys_errno == EACCES);
	expect_all_fail(f);
}

test(a_folder_that_cannot_be_written_fails_every_call_in_a_sentence)
{
	struct fixture f;

	make_dir(&f);
	if (geteuid() == 0)
		assert_int_equal(chown(f.dir, SOME_UID, (gid_t)-1), 0);
	assert_int_equal(chmod(f.dir, 0500), 0);
	assert_int_equal(in_child(use_as_another, &f), 0);
	assert_int_equal(chmod(f.dir, 0700), 0);
	remove_dir(&f);
}

test(a_missing_folder_fails_every_call_in_a_sentence)
{
	struct fixture f;

	make_dir(&f);
	remove_dir(&f);
	open_store(&f);
	assert_int_equal(f.fail.sys_errno, ENOENT);
	expect_all_fail(&f);
}

static void limit_files(rlim_t bytes)
{
	struct rlimit limit = { .rlim_cur = bytes, .rlim_max = bytes };

	CHECK(signal(SIGXFSZ, SIG_IGN) != SIG_ERR);
	CHECK(setrlimit(RLIMIT_FSIZE, &limit) == 0);
}

static void use_without_space(struct fixture *f)
{
	limit_files(0);
	open_store(f);
	expect_all_fail(f);
}

test(no_space_at_the_start_fails_every_call_in_a_sentence)
{
	struct fixture f;

	make_dir(&f);
	assert_int_equal(in_child(use_without_space, &f), 0);
	/* Nothing was taken for damage, and with space again all is well. */
	assert_int_equal(count_files(&f, "corrupt"), 0);
	open_store(&f);
	assert_string_equal(f.fail.msg, "");
	assert_string_equal(f.note, "");
	f.closed = 0;
	end(&f);
}

static void run_out_of_space(struct fixture *f)
{
	size_t len = 1024 * 1024;
	char *large = dt_alloc(len);

	limit_files(256 * 1024);
	open_store(f);
	CHECK(f->fail.code == DT_E_OK);
	put(f, ID_A, "w", 1, (struct dt_str){ large, len });
	CHECK(f->fail.code == DT_E_SYS);
	CHECK(strstr(f->fail.msg, f->path) != NULL);
	/* What is small enough still goes in, verdict and all. */
	put(f, ID_B, "w", 1, DT_STR("new"));
	CHECK(f->fail.code == DT_E_OK);
	decide(f, ID_B, DT_REVIEW_ACCEPTED, 2, (struct dt_str){ large, len });
	CHECK(f->fail.code == DT_E_SYS);
	decide(f, ID_B, DT_REVIEW_ACCEPTED, 2, DT_STR("new"));
	CHECK(f->fail.code == DT_E_OK);
	close_store(f);
	CHECK(f->closed == 1);
}

test(running_out_of_space_loses_only_what_did_not_fit)
{
	struct fixture f;

	make_dir(&f);
	assert_int_equal(in_child(run_out_of_space, &f), 0);
	assert_int_equal(query(f.path, "SELECT count(*) FROM review"), 1);
	assert_int_equal(query(f.path, "SELECT count(*) FROM entry"), 1);
	assert_int_equal(query(f.path, "SELECT state FROM review"),
	                 DT_REVIEW_ACCEPTED);
	remove_dir(&f);
}

static void decide_and_die(struct fixture *f)
{
	open_store(f);
	put(f, ID_A, "w", 1, DT_STR("new"));
	put(f, ID_B, "w", 1, DT_STR("new"));
	decide(f, ID_A, DT_REVIEW_ACCEPTED, 2, DT_STR("edited"));
	CHECK(f->fail.code == DT_E_OK);
	kill(getpid(), SIGKILL);
}

test(a_verdict_that_was_told_survives_kill_9)
{
	struct fixture f;
	int status;

	make_dir(&f);
	status = in_child(decide_and_die, &f);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	assert_int_equal(count_files(&f, "-wal"), 1);
	open_store(&f);
	assert_string_equal(f.fail.msg, "");
	assert_string_equal(f.note, "");
	close_store(&f);
	assert_int_equal(
		query(f.path, "SELECT state FROM review WHERE id LIKE 'a00%'"),
		DT_REVIEW_ACCEPTED);
	assert_int_equal(query(f.path, "SELECT final_text = x'656469746564'"
	                               " FROM outcome"),
	                 1);
	assert_int_equal(
		query(f.path, "SELECT state FROM review WHERE id LIKE 'a10%'"),
		DT_REVIEW_WAITING);
	remove_dir(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_store_opens_and_closes),
		cmocka_unit_test(closing_needs_no_callback),
		cmocka_unit_test(
			calls_made_before_it_is_open_run_in_order_and_end_before_it_closes),
		cmocka_unit_test(what_is_passed_in_may_be_freed_at_once),
		cmocka_unit_test(only_a_commit_waits_for_the_disk),
		cmocka_unit_test(a_call_that_fails_is_undone),
		cmocka_unit_test(
			a_folder_that_cannot_be_written_fails_every_call_in_a_sentence),
		cmocka_unit_test(
			a_missing_folder_fails_every_call_in_a_sentence),
		cmocka_unit_test(
			no_space_at_the_start_fails_every_call_in_a_sentence),
		cmocka_unit_test(
			running_out_of_space_loses_only_what_did_not_fit),
		cmocka_unit_test(a_verdict_that_was_told_survives_kill_9),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
