/* test/unit/store/test_reviews_write.c - reviews put, ended and forgotten. */
#include "store/reviews.h"

#include "store/fixture.h"

#include <stdatomic.h>
#include <sys/syscall.h>

/* SQLite's way to wait for the disk, counted on its way to the kernel. */
static atomic_int syncs;

__attribute__((visibility("default"))) int fdatasync(int fildes)
{
	syncs++;
	return (int)syscall(SYS_fdatasync, fildes);
}

static int64_t state_of(struct fixture *f, const char *id)
{
	char sql[128];

	snprintf(sql, sizeof(sql), "SELECT state FROM review WHERE id = '%s'",
	         id);
	return query(f->path, sql);
}

static int64_t count(struct fixture *f, const char *table)
{
	char sql[64];

	snprintf(sql, sizeof(sql), "SELECT count(*) FROM %s", table);
	return query(f->path, sql);
}

test(a_review_begins_waiting_whatever_its_record_says)
{
	struct dt_review_record review = { .id = ID_A,
		                           .workspace = "w",
		                           .state = DT_REVIEW_ACCEPTED,
		                           .decided_ms = 5,
		                           .comment = "none yet" };
	struct fixture f;

	begin(&f);
	dt_store_put_review(f.store, &review, on_done, &f);
	settle(&f);
	assert_string_equal(f.fail.msg, "");
	assert_int_equal(state_of(&f, ID_A), DT_REVIEW_WAITING);
	assert_int_equal(query(f.path, "SELECT decided_ms IS NULL AND comment"
	                               " IS NULL FROM review"),
	                 1);
	end(&f);
}

test(the_same_review_is_not_put_twice)
{
	struct fixture f;

	begin(&f);
	put(&f, ID_A, "w", 1, DT_STR("new"));
	assert_string_equal(f.fail.msg, "");
	put(&f, ID_A, "w", 1, DT_STR("new"));
	assert_int_equal(f.fail.code, DT_E_STATE);
	assert_int_equal(count(&f, "entry"), 1);
	end(&f);
}

test(a_review_with_an_impossible_entry_is_not_put_at_all)
{
	struct dt_entry_record entries[] = { { .path = "/w/a" },
		                             { .path = NULL } };
	struct dt_review_record review = { .id = ID_A,
		                           .workspace = "w",
		                           .entries = entries,
		                           .entry_count = 2 };
	struct fixture f;

	begin(&f);
	dt_store_put_review(f.store, &review, on_done, &f);
	settle(&f);
	assert_int_equal(f.fail.code, DT_E_STATE);
	assert_int_equal(count(&f, "review"), 0);
	assert_int_equal(count(&f, "entry"), 0);
	end(&f);
}

test(a_review_ends_once)
{
	struct fixture f;

	begin(&f);
	put(&f, ID_A, "w", 1, DT_STR("new"));
	decide(&f, ID_A, DT_REVIEW_REJECTED, 2, (struct dt_str){ 0 });
	assert_string_equal(f.fail.msg, "");
	decide(&f, ID_A, DT_REVIEW_ACCEPTED, 3, DT_STR("new"));
	assert_int_equal(f.fail.code, DT_E_STATE);
	assert_string_equal(f.fail.msg,
	                    "review " ID_A " has already been rejected");
	assert_int_equal(state_of(&f, ID_A), DT_REVIEW_REJECTED);
	assert_int_equal(query(f.path, "SELECT accepted FROM outcome"), 0);
	end(&f);
}

test(a_review_that_is_not_there_cannot_end)
{
	struct fixture f;

	begin(&f);
	decide(&f, ID_A, DT_REVIEW_REJECTED, 2, (struct dt_str){ 0 });
	assert_int_equal(f.fail.code, DT_E_MISSING);
	assert_non_null(strstr(f.fail.msg, ID_A));
	end(&f);
}

test(a_verdict_with_too_many_outcomes_is_undone_whole)
{
	struct dt_outcome_record outcomes[2] = { { .accepted = true },
		                                 { .accepted = true } };
	struct dt_verdict_record verdict = { .review = ID_A,
		                             .state = DT_REVIEW_ACCEPTED,
		                             .outcomes = outcomes,
		                             .outcome_count = 2 };
	struct fixture f;

	begin(&f);
	put(&f, ID_A, "w", 1, DT_STR("new"));
	dt_store_put_verdict(f.store, &verdict, on_done, &f);
	settle(&f);
	assert_int_equal(f.fail.code, DT_E_ARGS);
	assert_int_equal(state_of(&f, ID_A), DT_REVIEW_WAITING);
	assert_int_equal(count(&f, "outcome"), 0);
	end(&f);
}

test(a_verdict_is_on_the_disk_before_it_is_told)
{
	struct fixture f;
	int before;

	begin(&f);
	put(&f, ID_A, "w", 1, DT_STR("new"));
	before = syncs;
	put(&f, ID_B, "w", 1, DT_STR("new"));
	assert_int_equal(syncs, before);
	decide(&f, ID_A, DT_REVIEW_ACCEPTED, 2, DT_STR("new"));
	assert_true(syncs > before);
	end(&f);
}

test(a_text_accepted_as_proposed_is_kept_once)
{
	struct fixture f;

	begin(&f);
	put(&f, ID_A, "w", 1, DT_STR("new"));
	decide(&f, ID_A, DT_REVIEW_ACCEPTED, 2, DT_STR("new"));
	assert_int_equal(query(f.path, "SELECT final_text IS NULL AND accepted"
	                               " FROM outcome"),
	                 1);
	end(&f);
}

test(an_orphan_can_still_be_decided)
{
	struct fixture f;

	begin(&f);
	put(&f, ID_A, "w", 1, DT_STR("new"));
	decide(&f, ID_A, DT_REVIEW_ORPHANED, 2, DT_STR("half edited"));
	assert_string_equal(f.fail.msg, "");
	decide(&f, ID_A, DT_REVIEW_ACCEPTED, 3, DT_STR("edited"));
	assert_string_equal(f.fail.msg, "");
	assert_int_equal(state_of(&f, ID_A), DT_REVIEW_ACCEPTED);
	assert_int_equal(query(f.path, "SELECT final_text = x'656469746564'"
	                               " FROM outcome"),
	                 1);
	end(&f);
}

test(only_waiting_reviews_become_orphans)
{
	struct fixture f;

	begin(&f);
	put(&f, ID_A, "w", 1, DT_STR("new"));
	put(&f, ID_B, "other", 1, DT_STR("new"));
	put(&f, ID_C, "w", 1, DT_STR("new"));
	decide(&f, ID_B, DT_REVIEW_ACCEPTED, 2, DT_STR("new"));
	dt_store_orphan_waiting(f.store, 77, on_done, &f);
	settle(&f);
	assert_string_equal(f.fail.msg, "");
	assert_int_equal(state_of(&f, ID_A), DT_REVIEW_ORPHANED);
	assert_int_equal(state_of(&f, ID_B), DT_REVIEW_ACCEPTED);
	assert_int_equal(state_of(&f, ID_C), DT_REVIEW_ORPHANED);
	assert_int_equal(query(f.path, "SELECT sum(decided_ms) FROM review"),
	                 77 + 77 + 2);
	end(&f);
}

/* Nobody would run it any more. */
test(a_waiting_command_is_withdrawn_with_its_daemon)
{
	struct dt_review_record review = {
		.id = ID_A, .workspace = "w", .command = "make", .folder = "/w"
	};
	struct fixture f;

	begin(&f);
	dt_store_put_review(f.store, &review, on_done, &f);
	dt_store_orphan_waiting(f.store, 77, on_done, &f);
	settle(&f);
	assert_int_equal(state_of(&f, ID_A), DT_REVIEW_WITHDRAWN);
	end(&f);
}

static struct dt_review_record found; /* its texts are not kept */

static void on_found(struct dt_store *store,
                     const struct dt_review_record *review,
                     const struct dt_fail *fail, void *owner)
{
	found = review ? *review : (struct dt_review_record){ 0 };
	on_done(store, fail, owner);
}

/* Its caller is back: what it finds. */
static void come_back(struct fixture *f, const char *call)
{
	dt_store_reopen_review(f->store, call, on_done, f);
	dt_store_get_call(f->store, call, on_found, f);
	settle(f);
}

test(an_undecided_review_waits_again_when_its_caller_is_back)
{
	struct dt_review_record review = { .id = ID_A,
		                           .workspace = "w",
		                           .call = "one" };
	struct dt_verdict_record verdict = { .review = ID_B,
		                             .state = DT_REVIEW_REJECTED,
		                             .decided_ms = 5 };
	struct fixture f;

	begin(&f);
	dt_store_put_review(f.store, &review, on_done, &f);
	review.id = ID_B;
	review.call = "two";
	dt_store_put_review(f.store, &review, on_done, &f);
	review.id = ID_C;
	review.call = NULL;
	dt_store_put_review(f.store, &review, on_done, &f);
	dt_store_put_verdict(f.store, &verdict, on_done, &f);
	dt_store_orphan_waiting(f.store, 77, on_done, &f);
	come_back(&f, "one");
	assert_int_equal(found.state, DT_REVIEW_WAITING);
	assert_int_equal(state_of(&f, ID_A), DT_REVIEW_WAITING);
	assert_int_equal(query(f.path, "SELECT count(*) FROM review"
	                               " WHERE decided_ms IS NULL"),
	                 1);
	come_back(&f, "two");
	assert_int_equal(found.state, DT_REVIEW_REJECTED);
	assert_int_equal(state_of(&f, ID_B), DT_REVIEW_REJECTED);
	assert_int_equal(state_of(&f, ID_C), DT_REVIEW_ORPHANED);
	come_back(&f, "three");
	assert_int_equal(f.fail.code, DT_E_MISSING);
	end(&f);
}

test(pruning_forgets_what_ended_before_and_shrinks_the_file)
{
	size_t len = 1024 * 1024;
	char *large = dt_alloc(len);
	struct fixture f;
	struct stat st;

	begin(&f);
	put(&f, ID_A, "w", 1, (struct dt_str){ large, len });
	put(&f, ID_B, "w", 1, DT_STR("new"));
	put(&f, ID_C, "w", 1, DT_STR("new"));
	decide(&f, ID_A, DT_REVIEW_ACCEPTED, 10, DT_STR("other"));
	decide(&f, ID_B, DT_REVIEW_ACCEPTED, 20, DT_STR("new"));
	dt_store_prune(f.store, 20, on_done, &f);
	settle(&f);
	assert_string_equal(f.fail.msg, "");
	assert_int_equal(count(&f, "review"), 2);
	assert_int_equal(count(&f, "entry"), 2);
	assert_int_equal(count(&f, "outcome"), 1);
	assert_int_equal(state_of(&f, ID_C), DT_REVIEW_WAITING);
	close_store(&f);
	assert_int_equal(stat(f.path, &st), 0);
	assert_true(st.st_size < 128 * 1024);
	remove_dir(&f);
	free(large);
}

static void put_edit(struct fixture *f, const char *id, struct dt_str text)
{
	dt_store_put_edit(f->store, id, 0, text, on_done, f);
	settle(f);
}

test(an_edit_is_kept_until_a_person_decides)
{
	static const char edits[] =
		"SELECT count(*) FROM outcome WHERE accepted = 0 AND"
		" final_text = x'6D696E65'";
	struct fixture f;

	begin(&f);
	put(&f, ID_A, "w", 1, DT_STR("new"));
	put(&f, ID_B, "w", 1, DT_STR("new"));
	put(&f, ID_C, "w", 1, DT_STR("new"));
	put_edit(&f, ID_A, DT_STR("mine"));
	assert_string_equal(f.fail.msg, "");
	dt_store_orphan_waiting(f.store, 5, on_done, &f);
	settle(&f);
	assert_int_equal(query(f.path, edits), 1);
	put_edit(&f, ID_B, DT_STR("mine"));
	assert_string_equal(f.fail.msg, "");
	assert_int_equal(query(f.path, edits), 2);
	/* What equals the proposal is none. */
	put_edit(&f, ID_B, DT_STR("new"));
	assert_int_equal(query(f.path, edits), 1);
	put_edit(&f, ID_B, DT_STR("mine"));
	put_edit(&f, ID_B, (struct dt_str){ 0 });
	assert_int_equal(query(f.path, edits), 1);
	dt_store_put_edit(f.store, ID_B, 1, DT_STR("mine"), on_done, &f);
	settle(&f);
	assert_int_equal(f.fail.code, DT_E_STATE); /* it has one entry */
	decide(&f, ID_C, DT_REVIEW_REJECTED, 6, (struct dt_str){ 0 });
	put_edit(&f, ID_C, DT_STR("mine"));
	assert_int_equal(f.fail.code, DT_E_STATE);
	put_edit(&f, "b0000000000000000000000000000009", DT_STR("mine"));
	assert_int_equal(f.fail.code, DT_E_MISSING);
	end(&f);
}

test(a_withdrawn_review_ends_again_only_when_applied)
{
	struct dt_verdict_record verdict = {
		.review = ID_A,
		.state = DT_REVIEW_ACCEPTED,
		.decided_ms = 9,
	};
	struct fixture f;

	begin(&f);
	put(&f, ID_A, "w", 1, DT_STR("new"));
	decide(&f, ID_A, DT_REVIEW_WITHDRAWN, 2, (struct dt_str){ 0 });
	dt_store_put_verdict(f.store, &verdict, on_done, &f);
	settle(&f);
	assert_int_equal(f.fail.code, DT_E_STATE);
	verdict.is_applied = true;
	dt_store_put_verdict(f.store, &verdict, on_done, &f);
	settle(&f);
	assert_string_equal(f.fail.msg, "");
	assert_int_equal(state_of(&f, ID_A), DT_REVIEW_ACCEPTED);
	verdict.is_applied = false;
	dt_store_put_verdict(f.store, &verdict, on_done, &f);
	settle(&f);
	assert_int_equal(f.fail.code, DT_E_STATE);
	end(&f);
}

test(what_became_of_an_accepted_one_is_kept)
{
	struct dt_verdict_record verdict = {
		.review = ID_A,
		.state = DT_REVIEW_WRITING,
		.writer = DT_WRITER_WE,
		.decided_ms = 2,
	};
	struct fixture f;

	begin(&f);
	put(&f, ID_A, "w", 1, DT_STR("new"));
	/* Of what is not on its way nothing changes. */
	dt_store_put_written(f.store, ID_A, DT_REVIEW_ACCEPTED, NULL, on_done,
	                     &f);
	settle(&f);
	assert_int_equal(state_of(&f, ID_A), DT_REVIEW_WAITING);
	dt_store_put_verdict(f.store, &verdict, on_done, &f);
	dt_store_put_written(f.store, ID_A, DT_REVIEW_UNWRITTEN, "why not",
	                     on_done, &f);
	settle(&f);
	assert_int_equal(state_of(&f, ID_A), DT_REVIEW_UNWRITTEN);
	assert_int_equal(query(f.path, "SELECT count(*) FROM review WHERE "
	                               "problem='why not' AND writer=1 AND "
	                               "settled_ms > 0"),
	                 1);
	/* Somebody applies it. */
	verdict.is_applied = true;
	dt_store_put_verdict(f.store, &verdict, on_done, &f);
	dt_store_put_written(f.store, ID_A, DT_REVIEW_ACCEPTED, NULL, on_done,
	                     &f);
	settle(&f);
	assert_int_equal(state_of(&f, ID_A), DT_REVIEW_ACCEPTED);
	assert_int_equal(query(f.path, "SELECT count(*) FROM review WHERE "
	                               "problem IS NULL"),
	                 1);
	end(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			a_review_begins_waiting_whatever_its_record_says),
		cmocka_unit_test(the_same_review_is_not_put_twice),
		cmocka_unit_test(
			a_review_with_an_impossible_entry_is_not_put_at_all),
		cmocka_unit_test(a_review_ends_once),
		cmocka_unit_test(a_review_that_is_not_there_cannot_end),
		cmocka_unit_test(
			a_verdict_with_too_many_outcomes_is_undone_whole),
		cmocka_unit_test(a_verdict_is_on_the_disk_before_it_is_told),
		cmocka_unit_test(a_text_accepted_as_proposed_is_kept_once),
		cmocka_unit_test(an_orphan_can_still_be_decided),
		cmocka_unit_test(only_waiting_reviews_become_orphans),
		cmocka_unit_test(
			a_waiting_command_is_withdrawn_with_its_daemon),
		cmocka_unit_test(
			pruning_forgets_what_ended_before_and_shrinks_the_file),
		cmocka_unit_test(
			an_undecided_review_waits_again_when_its_caller_is_back),
		cmocka_unit_test(an_edit_is_kept_until_a_person_decides),
		cmocka_unit_test(
			a_withdrawn_review_ends_again_only_when_applied),
		cmocka_unit_test(what_became_of_an_accepted_one_is_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
