/*
 * test/unit/review/test_inbox.c - how reviews open, wait and end.
 *
 * What holds with a memory must hold without one, and with one that failed, so
 * most tests run with all three.
 */
#include "review/inbox.h"

#include "base/limits.h"
#include "base/log.h"
#include "review/box.h"
#include "unit.h"

/* opening */

static void check_live(const struct dt_review *r)
{
	assert_string_equal(r->workspace, "workspace");
	assert_string_equal(r->session, "s");
	assert_string_equal(r->agent, "agent");
	assert_string_equal(r->title, "t");
	assert_string_equal(r->reason, "because");
	assert_int_equal(strlen(r->id), DT_ID_TEXT - 1);
	assert_true(r->opened_ms > 0);
	assert_int_equal(r->state, DT_REVIEW_WAITING);
	assert_int_equal(r->set.count, 1);
}

test(a_review_waits_and_is_shown)
{
	for (enum memory memory = KEPT; memory < MEMORIES; memory++) {
		struct asked asked;
		struct box box;

		box_begin(&box, memory);
		ask(&box, &asked, "s", "t");
		check_live(newest(&box));
		assert_int_equal(box.inbox.count, 1);
		assert_int_equal(asked.shown, 1);
		assert_int_equal(box.changes, 1);
		assert_int_equal(box.last, DT_REVIEW_WAITING);
		run(&box);
		assert_int_equal(asked.ended, 0);
		assert_kept(&box, DT_REVIEW_WAITING, 1);
		box_end(&box);
	}
}

static void check_record(struct dt_store *store,
                         const struct dt_review_record *review,
                         const struct dt_fail *fail, void *owner)
{
	struct box *box = owner;
	const struct dt_entry_record *e;

	(void)store;
	assert_int_equal(fail->code, DT_E_OK);
	e = &review->entries[0];
	assert_string_equal(review->workspace, "workspace");
	assert_string_equal(review->session, "s");
	assert_string_equal(review->agent, "agent");
	assert_string_equal(review->title, "t");
	assert_string_equal(review->reason, "because");
	assert_int_equal(review->opened_ms, newest(box)->opened_ms);
	assert_int_equal(review->entry_count, 1);
	assert_int_equal(e->kind, DT_ENTRY_CHANGE);
	assert_string_equal(e->path, box->file);
	assert_string_equal(e->base_digest, newest(box)->set.entries[0].digest);
	assert_str(e->old_text, "old\n");
	assert_str(e->proposed_text, "new\n");
	box->f.done++;
}

test(a_review_is_kept_with_all_it_has)
{
	struct asked asked;
	struct box box;
	int done;

	box_begin(&box, KEPT);
	ask(&box, &asked, "s", "t");
	done = box.f.done;
	dt_store_get_review(box.f.store, newest(&box)->id, check_record, &box);
	run(&box);
	assert_int_equal(box.f.done, done + 1);
	box_end(&box);
}

test(what_cannot_be_read_is_not_reviewed)
{
	for (enum memory memory = KEPT; memory < MEMORIES; memory++) {
		struct dt_change change = { .kind = DT_CHANGE_EDIT };
		struct dt_items changes = { &change, 1 };
		struct asked asked;
		struct box box;

		box_begin(&box, memory);
		change.path = box.f.dir;
		ask_about(&box, &asked, "s", "t", &changes);
		assert_int_equal(asked.ended, 1);
		assert_int_equal(asked.fail.code, DT_E_ARGS);
		assert_int_equal(asked.shown, 0);
		assert_int_equal(box.inbox.count, 0);
		assert_int_equal(box.changes, 0);
		run(&box);
		assert_kept(&box, DT_REVIEW_WAITING, 0);
		box_end(&box);
	}
}

test(a_session_has_only_so_many_reviews_waiting)
{
	struct asked *asked = dt_alloc(DT_LIMIT_REVIEWS * sizeof(*asked));
	struct asked more;
	struct box box;

	box_begin(&box, KEPT);
	for (unsigned i = 0; i < DT_LIMIT_REVIEWS; i++)
		ask(&box, &asked[i], "s", "t");
	ask(&box, &more, "s", "t");
	assert_int_equal(more.ended, 1);
	assert_int_equal(more.fail.code, DT_E_LIMIT);
	assert_int_equal(box.inbox.count, DT_LIMIT_REVIEWS);
	ask(&box, &more, "other", "t");
	assert_int_equal(more.ended, 0);
	/* One that is decided does not wait, though it is still here. */
	accept(&box, DT_LIST_OF(box.inbox.list.next, struct dt_review, link));
	ask(&box, &more, "s", "t");
	assert_int_equal(more.ended, 0);
	box_end(&box);
	free(asked);
}

/* deciding */

test(an_accepted_review_ends_with_what_was_proposed)
{
	for (enum memory memory = KEPT; memory < MEMORIES; memory++) {
		struct asked asked;
		struct box box;

		box_begin(&box, memory);
		ask(&box, &asked, "s", "t");
		accept(&box, newest(&box));
		run(&box);
		assert_int_equal(asked.ended, 1);
		assert_false(asked.has_failed);
		assert_int_equal(asked.outcome, DT_ACCEPTED);
		assert_string_equal(asked.comment, "good");
		assert_int_equal(asked.count, 1);
		assert_int_equal(asked.changes[0].kind, DT_CHANGE_EDIT);
		assert_str(asked.changes[0].text, "new\n");
		assert_int_equal(box.decided, 1);
		assert_int_equal(box.decided_state, DT_REVIEW_WRITING);
		assert_int_equal(box.decided_fail.code != DT_E_OK,
		                 memory == BROKEN);
		assert_int_equal(box.inbox.count, 0);
		assert_int_equal(box.changes, 2);
		assert_int_equal(box.last, DT_REVIEW_WRITING);
		box_end(&box);
	}
}

test(a_rejected_review_ends_without_a_text)
{
	for (enum memory memory = KEPT; memory < MEMORIES; memory++) {
		struct dt_verdict verdict = { .outcome = DT_REJECTED };
		struct asked asked;
		struct box box;

		box_begin(&box, memory);
		ask(&box, &asked, "s", "t");
		assert_ok(dt_inbox_decide(newest(&box), &verdict, on_decided,
		                          &box, NULL));
		run(&box);
		assert_int_equal(asked.ended, 1);
		assert_int_equal(asked.outcome, DT_REJECTED);
		assert_string_equal(asked.comment, "(none)");
		assert_null(asked.changes[0].text.ptr);
		assert_int_equal(box.decided_state, DT_REVIEW_REJECTED);
		assert_kept(&box, DT_REVIEW_REJECTED, 1);
		box_end(&box);
	}
}

test(the_verdict_is_on_disk_before_the_agent_is_told)
{
	struct asked asked;
	struct box box;

	box_begin(&box, KEPT);
	ask(&box, &asked, "s", "t");
	accept(&box, newest(&box));
	assert_int_equal(asked.ended, 0);
	assert_int_equal(box.decided, 0);
	assert_int_equal(box.inbox.count, 1);
	run(&box);
	assert_int_equal(asked.ended, 1);
	assert_int_equal(asked.kept_state, DT_REVIEW_WRITING);
	assert_int_equal(query(box.f.path,
	                       "SELECT count(*) FROM review WHERE comment="
	                       "'good' AND decided_by='me' AND surface="
	                       "'terminal' AND decided_ms >= opened_ms"),
	                 1);
	box_end(&box);
}

test(it_is_known_why_reviews_are_not_kept)
{
	for (enum memory memory = KEPT; memory < MEMORIES; memory++) {
		struct dt_verdict verdict = { .outcome = DT_REJECTED };
		struct asked asked;
		struct box box;

		box_begin(&box, memory);
		ask(&box, &asked, "s", "t");
		assert_ok(dt_inbox_decide(newest(&box), &verdict, on_decided,
		                          &box, NULL));
		run(&box);
		assert_int_equal(box.inbox.unkept.code != DT_E_OK,
		                 memory == BROKEN);
		box_end(&box);
	}
}

test(the_first_verdict_wins)
{
	struct dt_fail fail = { 0 };
	struct dt_review *found = NULL;
	struct asked asked;
	struct box box;

	box_begin(&box, KEPT);
	ask(&box, &asked, "s", "t");
	accept(&box, newest(&box));
	/* It is on its way, so a second person still finds it. */
	assert_ok(dt_inbox_find(&box.inbox, newest(&box)->id, &found, NULL));
	assert_int_equal(judge(&box, found, DT_REJECTED, &fail), DT_E_STATE);
	assert_non_null(strstr(fail.msg, "accepted"));
	assert_int_equal(dt_inbox_withdraw(&box.inbox, "s", NULL, "x"), 0);
	run(&box);
	assert_int_equal(box.decided, 1);
	assert_int_equal(asked.ended, 1);
	assert_int_equal(asked.outcome, DT_ACCEPTED);
	assert_str(asked.changes[0].text, "new\n");
	assert_kept(&box, DT_REVIEW_WRITING, 1);
	assert_kept(&box, DT_REVIEW_REJECTED, 0);
	box_end(&box);
}

test(a_verdict_stands_though_the_agent_went_meanwhile)
{
	struct asked asked;
	struct box box;

	box_begin(&box, KEPT);
	ask(&box, &asked, "s", "t");
	accept(&box, newest(&box));
	dt_answer_drop(&asked.answer);
	assert_int_equal(box.inbox.count, 1);
	run(&box);
	assert_int_equal(asked.ended, 0);
	assert_int_equal(box.decided, 1);
	assert_int_equal(box.decided_state, DT_REVIEW_WRITING);
	assert_int_equal(box.inbox.count, 0);
	assert_kept(&box, DT_REVIEW_WRITING, 1);
	box_end(&box);
}

static void ask_two(struct box *box, struct asked *asked)
{
	static const struct dt_str text = DT_STR("n\0w");
	struct dt_change changes[2] = {
		{ .kind = DT_CHANGE_EDIT, .path = box->file, .text = text },
		{ .kind = DT_CHANGE_EDIT, .path = "/none/b", .text = text },
	};
	struct dt_items items = { changes, 2 };

	ask_about(box, asked, "s", "t", &items);
}

test(what_a_person_edited_takes_the_place_of_the_proposal)
{
	for (enum memory memory = KEPT; memory < MEMORIES; memory++) {
		struct dt_final finals[] = { { .text = DT_STR("ed\0t") },
			                     { .text = { 0 } } };
		struct dt_verdict verdict = {
			.outcome = DT_ACCEPTED,
			.finals = finals,
			.final_count = 2,
		};
		struct asked asked;
		struct box box;

		box_begin(&box, memory);
		ask_two(&box, &asked);
		assert_ok(dt_inbox_decide(newest(&box), &verdict, on_decided,
		                          &box, NULL));
		run(&box);
		assert_int_equal(asked.count, 2);
		assert_int_equal(asked.changes[0].kind, DT_CHANGE_EDIT);
		assert_str(asked.changes[0].text, "ed\0t");
		assert_int_equal(asked.changes[1].kind, DT_CHANGE_CREATE);
		assert_str(asked.changes[1].text, "n\0w");
		box_end(&box);
	}
}

static void check_outcome(struct dt_store *store,
                          const struct dt_review_record *review,
                          const struct dt_fail *fail, void *owner)
{
	struct box *box = owner;

	(void)store;
	assert_int_equal(fail->code, DT_E_OK);
	assert_int_equal(review->entry_count, 2);
	assert_true(review->entries[0].accepted);
	assert_true(review->entries[1].accepted);
	assert_str(review->entries[0].final_text, "ed\0t");
	assert_str(review->entries[1].final_text, "n\0w");
	box->f.done++;
}

test(final_texts_are_kept_byte_for_byte)
{
	struct dt_final edited = { .text = DT_STR("ed\0t") };
	struct dt_verdict verdict = {
		.outcome = DT_ACCEPTED,
		.finals = &edited,
		.final_count = 1, /* fewer than there are entries */
	};
	char id[DT_ID_TEXT];
	struct asked asked;
	struct box box;
	int done;

	box_begin(&box, KEPT);
	ask_two(&box, &asked);
	memcpy(id, newest(&box)->id, sizeof(id));
	assert_ok(dt_inbox_decide(newest(&box), &verdict, on_decided, &box,
	                          NULL));
	done = box.f.done;
	dt_store_get_review(box.f.store, id, check_outcome, &box);
	run(&box);
	assert_int_equal(box.f.done, done + 1);
	box_end(&box);
}

test(an_edit_may_make_a_file_empty)
{
	struct dt_final empty = { .text = DT_STR("") };
	struct dt_verdict verdict = { .finals = &empty, .final_count = 1 };
	struct asked asked;
	struct box box;

	box_begin(&box, NONE);
	ask(&box, &asked, "s", "t");
	assert_ok(dt_inbox_decide(newest(&box), &verdict, on_decided, &box,
	                          NULL));
	assert_non_null(asked.changes[0].text.ptr);
	assert_int_equal(asked.changes[0].text.len, 0);
	box_end(&box);
}

test(an_accepted_deletion_has_no_text)
{
	for (enum memory memory = KEPT; memory < MEMORIES; memory++) {
		struct dt_change change = { .kind = DT_CHANGE_DELETE };
		struct dt_items changes = { &change, 1 };
		struct asked asked;
		struct box box;

		box_begin(&box, memory);
		change.path = box.file;
		ask_about(&box, &asked, "s", "t", &changes);
		accept(&box, newest(&box));
		run(&box);
		assert_int_equal(asked.changes[0].kind, DT_CHANGE_DELETE);
		assert_null(asked.changes[0].text.ptr);
		box_end(&box);
	}
}

/* ending otherwise */

test(a_dropped_answer_orphans_its_review)
{
	for (enum memory memory = KEPT; memory < MEMORIES; memory++) {
		struct asked gone;
		struct asked other;
		struct box box;

		box_begin(&box, memory);
		ask(&box, &gone, "s", "t");
		ask(&box, &other, "s", "t");
		dt_answer_drop(&gone.answer);
		assert_int_equal(box.inbox.count, 1);
		assert_int_equal(box.last, DT_REVIEW_ORPHANED);
		dt_answer_drop(&gone.answer);
		run(&box);
		assert_int_equal(gone.ended, 0);
		assert_int_equal(other.ended, 0);
		assert_kept(&box, DT_REVIEW_ORPHANED, 1);
		assert_kept(&box, DT_REVIEW_WAITING, 1);
		box_end(&box);
	}
}

test(a_session_takes_back_all_that_is_its_own)
{
	for (enum memory memory = KEPT; memory < MEMORIES; memory++) {
		struct asked mine[2];
		struct asked other;
		struct box box;

		box_begin(&box, memory);
		ask(&box, &mine[0], "s", "t");
		ask(&box, &other, "other", "t");
		ask(&box, &mine[1], "s", "u");
		assert_int_equal(
			dt_inbox_withdraw(&box.inbox, "s", NULL, "Gone."), 2);
		for (int i = 0; i < 2; i++) {
			assert_int_equal(mine[i].ended, 1);
			assert_int_equal(mine[i].fail.code, DT_E_CANCELLED);
			assert_string_equal(mine[i].fail.msg, "Gone.");
		}
		assert_int_equal(other.ended, 0);
		assert_int_equal(box.inbox.count, 1);
		assert_int_equal(box.last, DT_REVIEW_WITHDRAWN);
		run(&box);
		assert_kept(&box, DT_REVIEW_WITHDRAWN, 2);
		assert_kept(&box, DT_REVIEW_WAITING, 1);
		box_end(&box);
	}
}

test(a_session_takes_back_what_has_that_title)
{
	for (enum memory memory = KEPT; memory < MEMORIES; memory++) {
		struct asked asked[4];
		struct box box;

		box_begin(&box, memory);
		ask(&box, &asked[0], "s", "t");
		ask(&box, &asked[1], "s", "u");
		ask(&box, &asked[2], "s", "t");
		ask(&box, &asked[3], "other", "t");
		assert_int_equal(
			dt_inbox_withdraw(&box.inbox, "s", "t", "Gone."), 2);
		assert_int_equal(asked[0].ended, 1);
		assert_int_equal(asked[1].ended, 0);
		assert_int_equal(asked[2].ended, 1);
		assert_int_equal(asked[3].ended, 0);
		assert_int_equal(
			dt_inbox_withdraw(&box.inbox, "s", "t", "Gone."), 0);
		assert_int_equal(
			dt_inbox_withdraw(&box.inbox, "s", "", "Gone."), 0);
		box_end(&box);
	}
}

test(what_waits_at_the_end_is_orphaned)
{
	for (enum memory memory = KEPT; memory < MEMORIES; memory++) {
		struct asked asked[2];
		struct box box;

		box_begin(&box, memory);
		ask(&box, &asked[0], "s", "t");
		ask(&box, &asked[1], "other", "t");
		dt_inbox_done(&box.inbox);
		assert_int_equal(box.inbox.count, 0);
		/* Their callers may go after it. */
		dt_answer_drop(&asked[0].answer);
		dt_answer_drop(&asked[1].answer);
		assert_int_equal(asked[0].ended, 0);
		run(&box);
		assert_kept(&box, DT_REVIEW_ORPHANED, 2);
		box_end(&box);
	}
}

test(a_verdict_on_its_way_survives_the_end)
{
	struct asked asked;
	struct box box;

	box_begin(&box, KEPT);
	ask(&box, &asked, "s", "t");
	accept(&box, newest(&box));
	dt_inbox_done(&box.inbox);
	dt_answer_drop(&asked.answer);
	run(&box);
	assert_int_equal(box.decided, 1);
	assert_int_equal(asked.ended, 0);
	assert_kept(&box, DT_REVIEW_WRITING, 1);
	box_end(&box);
}

/* whoever is told may act at once */

static void accept_at_once(struct box *box, struct dt_review *r)
{
	if (r->state == DT_REVIEW_WAITING)
		accept(box, r);
}

test(a_review_may_be_decided_as_soon_as_it_opens)
{
	for (enum memory memory = KEPT; memory < MEMORIES; memory++) {
		struct asked asked;
		struct box box;

		box_begin(&box, memory);
		box.react = accept_at_once;
		ask(&box, &asked, "s", "t");
		run(&box);
		assert_int_equal(asked.shown, 1);
		assert_int_equal(asked.ended, 1);
		assert_int_equal(asked.outcome, DT_ACCEPTED);
		assert_int_equal(box.decided, 1);
		box_end(&box);
	}
}

static void drop_at_once(struct box *box, struct dt_review *r)
{
	(void)box;
	if (r->state == DT_REVIEW_WAITING)
		dt_answer_drop(r->answer);
}

test(a_review_may_be_dropped_as_soon_as_it_opens)
{
	for (enum memory memory = KEPT; memory < MEMORIES; memory++) {
		struct asked asked;
		struct box box;

		box_begin(&box, memory);
		box.react = drop_at_once;
		ask(&box, &asked, "s", "t");
		assert_int_equal(asked.ended, 0);
		assert_int_equal(box.inbox.count, 0);
		run(&box);
		assert_kept(&box, DT_REVIEW_ORPHANED, 1);
		box_end(&box);
	}
}

test(nobody_needs_to_be_told)
{
	struct asked asked;
	struct box box;

	box_begin(&box, NONE);
	box.inbox.on_change = NULL;
	ask(&box, &asked, "s", "t");
	accept(&box, newest(&box));
	assert_int_equal(asked.ended, 1);
	box_end(&box);
}

/* finding */

static enum dt_err find(struct box *box, const char *prefix,
                        struct dt_review **out, const char *sentence)
{
	struct dt_fail fail = { 0 };
	enum dt_err err = dt_inbox_find(&box->inbox, prefix, out, &fail);

	assert_int_equal(err, fail.code);
	if (sentence)
		assert_non_null(strstr(fail.msg, sentence));
	return err;
}

test(a_review_is_found_by_any_unique_beginning)
{
	struct dt_review *found = NULL;
	struct asked asked[3];
	struct box box;

	box_begin(&box, NONE);
	ask(&box, &asked[0], "s", "t");
	memcpy(newest(&box)->id, ID_A, DT_ID_TEXT);
	ask(&box, &asked[1], "s", "t");
	memcpy(newest(&box)->id, "a0000000000000000000000000000002", 33);
	ask(&box, &asked[2], "s", "t");
	memcpy(newest(&box)->id, ID_C, DT_ID_TEXT);

	assert_ok(find(&box, "b000", &found, NULL));
	assert_string_equal(found->id, ID_C);
	assert_ok(find(&box, ID_A, &found, NULL));
	assert_string_equal(found->id, ID_A);
	found = NULL;
	assert_int_equal(find(&box, "a000", &found, "several"), DT_E_ARGS);
	assert_int_equal(find(&box, "b00", &found, "4 digits"), DT_E_ARGS);
	assert_int_equal(find(&box, "", &found, "4 digits"), DT_E_ARGS);
	assert_int_equal(find(&box, ID_A "0", &found, "not a review"),
	                 DT_E_ARGS);
	assert_int_equal(find(&box, "c000", &found, "c000"), DT_E_MISSING);
	assert_int_equal(find(&box, "b001", &found, NULL), DT_E_MISSING);
	assert_null(found);
	box_end(&box);
}

static int be_quiet(void **state)
{
	(void)state;
	dt_log_set(DT_LOG_ERROR, open("/dev/null", O_WRONLY | O_CLOEXEC));
	return 0;
}

test(a_text_that_was_kept_stays_unless_it_is_accepted)
{
	static const char edits[] = "SELECT count(*) FROM outcome"
				    " WHERE final_text = x'6D696E65'";
	struct asked asked;
	struct box box;

	box_begin(&box, KEPT);
	ask(&box, &asked, "s", "t1");
	dt_inbox_keep(newest(&box), 0, DT_STR("first"));
	dt_inbox_keep(newest(&box), 0, DT_STR("mine"));
	assert_int_equal(dt_inbox_withdraw(&box.inbox, "s", "t1", "away"), 1);
	run(&box);
	assert_int_equal(query(box.f.path, edits), 1);
	ask(&box, &asked, "s", "t2");
	dt_inbox_keep(newest(&box), 0, DT_STR("mine"));
	assert_ok(judge(&box, newest(&box), DT_ACCEPTED, NULL));
	run(&box);
	assert_string_equal(asked.texts[0], "new\n");
	assert_int_equal(query(box.f.path, edits), 1);
	box_end(&box);
}

/* commands */

static void ask_card(struct box *box, struct asked *asked)
{
	struct dt_card card = {
		.command = "make check",
		.folder = "/w",
		.timeout_ms = 5,
		.program = "make",
	};
	struct dt_propose_args args = { .title = "make", .reason = "why" };
	struct dt_review_spec spec = {
		.workspace = "workspace",
		.session = "s",
		.agent = "agent",
		.args = &args,
		.card = &card,
		.docs = &box->docs,
		.rules = box->rules,
	};

	*asked = (struct asked){ .box = box, .kept_state = -1 };
	dt_answer_init(&asked->answer, on_asked_end, asked);
	dt_inbox_open(&box->inbox, &spec, &asked->answer);
}

static void check_card(struct dt_store *store,
                       const struct dt_review_record *review,
                       const struct dt_fail *fail, void *owner)
{
	struct box *box = owner;

	(void)store;
	assert_int_equal(fail->code, DT_E_OK);
	assert_string_equal(review->command, "make check");
	assert_string_equal(review->folder, "/w");
	assert_int_equal(review->timeout_ms, 5);
	assert_int_equal(review->entry_count, 0);
	box->f.done++;
}

test(a_command_waits_and_is_decided_as_a_change_is)
{
	for (enum memory memory = KEPT; memory < MEMORIES; memory++) {
		struct asked asked;
		struct box box;
		int done;

		box_begin(&box, memory);
		ask_card(&box, &asked);
		assert_string_equal(newest(&box)->card.command, "make check");
		done = box.f.done;
		if (memory == KEPT) {
			dt_store_get_review(box.f.store, newest(&box)->id,
			                    check_card, &box);
			run(&box);
			assert_int_equal(box.f.done, done + 1);
		}
		accept(&box, newest(&box));
		run(&box);
		assert_int_equal(asked.ended, 1);
		assert_int_equal(asked.outcome, DT_ACCEPTED);
		assert_int_equal(asked.count, 0);
		assert_kept(&box, DT_REVIEW_ACCEPTED, 1);
		box_end(&box);
	}
}

test(a_command_without_its_agent_is_withdrawn)
{
	for (enum memory memory = KEPT; memory < MEMORIES; memory++) {
		struct asked asked;
		struct box box;

		box_begin(&box, memory);
		ask_card(&box, &asked);
		dt_answer_drop(&asked.answer);
		assert_int_equal(box.inbox.count, 0);
		assert_int_equal(box.last, DT_REVIEW_WITHDRAWN);
		run(&box);
		assert_kept(&box, DT_REVIEW_WITHDRAWN, 1);
		box_end(&box);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_command_waits_and_is_decided_as_a_change_is),
		cmocka_unit_test(a_command_without_its_agent_is_withdrawn),
		cmocka_unit_test(a_review_waits_and_is_shown),
		cmocka_unit_test(a_review_is_kept_with_all_it_has),
		cmocka_unit_test(what_cannot_be_read_is_not_reviewed),
		cmocka_unit_test(a_session_has_only_so_many_reviews_waiting),
		cmocka_unit_test(
			an_accepted_review_ends_with_what_was_proposed),
		cmocka_unit_test(a_rejected_review_ends_without_a_text),
		cmocka_unit_test(
			the_verdict_is_on_disk_before_the_agent_is_told),
		cmocka_unit_test(it_is_known_why_reviews_are_not_kept),
		cmocka_unit_test(the_first_verdict_wins),
		cmocka_unit_test(
			a_verdict_stands_though_the_agent_went_meanwhile),
		cmocka_unit_test(
			what_a_person_edited_takes_the_place_of_the_proposal),
		cmocka_unit_test(final_texts_are_kept_byte_for_byte),
		cmocka_unit_test(an_edit_may_make_a_file_empty),
		cmocka_unit_test(an_accepted_deletion_has_no_text),
		cmocka_unit_test(a_dropped_answer_orphans_its_review),
		cmocka_unit_test(a_session_takes_back_all_that_is_its_own),
		cmocka_unit_test(a_session_takes_back_what_has_that_title),
		cmocka_unit_test(what_waits_at_the_end_is_orphaned),
		cmocka_unit_test(a_verdict_on_its_way_survives_the_end),
		cmocka_unit_test(a_review_may_be_decided_as_soon_as_it_opens),
		cmocka_unit_test(a_review_may_be_dropped_as_soon_as_it_opens),
		cmocka_unit_test(nobody_needs_to_be_told),
		cmocka_unit_test(a_review_is_found_by_any_unique_beginning),
		cmocka_unit_test(
			a_text_that_was_kept_stays_unless_it_is_accepted),
	};

	return cmocka_run_group_tests(tests, be_quiet, NULL);
}
