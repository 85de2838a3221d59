/*
 * test/unit/review/test_inbox_parts.c - changes of several files of which a
 * person accepts some.
 */
#include "review/box.h"
#include "review/inbox.h"
#include "unit.h"

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

static void check_part(struct dt_store *store,
                       const struct dt_review_record *review,
                       const struct dt_fail *fail, void *owner)
{
	struct box *box = owner;

	(void)store;
	assert_int_equal(fail->code, DT_E_OK);
	assert_int_equal(review->state, DT_REVIEW_WRITING);
	assert_false(review->entries[0].accepted);
	assert_true(review->entries[1].accepted);
	assert_null(review->entries[0].final_text.ptr);
	assert_str(review->entries[1].final_text, "mine");
	box->f.done++;
}

test(what_a_person_leaves_out_is_not_accepted_with_the_rest)
{
	struct dt_final finals[] = { { .is_left_out = true },
		                     { .text = DT_STR("mine") } };
	struct dt_verdict verdict = {
		.outcome = DT_ACCEPTED,
		.finals = finals,
		.final_count = 2,
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
	dt_store_get_review(box.f.store, id, check_part, &box);
	run(&box);
	assert_int_equal(box.f.done, done + 1);
	assert_true(asked.changes[0].is_left_out);
	assert_null(asked.changes[0].text.ptr);
	assert_false(asked.changes[0].is_edited);
	assert_false(asked.changes[1].is_left_out);
	assert_true(asked.changes[1].is_edited);
	assert_str(asked.changes[1].text, "mine");
	box_end(&box);
}

test(to_leave_out_all_is_not_to_accept)
{
	struct dt_final finals[] = { { .is_left_out = true },
		                     { .is_left_out = true } };
	struct dt_verdict verdict = {
		.outcome = DT_ACCEPTED,
		.finals = finals,
		.final_count = 2,
	};
	struct asked asked;
	struct box box;

	box_begin(&box, NONE);
	ask_two(&box, &asked);
	assert_int_equal(
		dt_inbox_decide(newest(&box), &verdict, on_decided, &box, NULL),
		DT_E_ARGS);
	assert_int_equal(newest(&box)->state, DT_REVIEW_WAITING);
	verdict.outcome = DT_REJECTED;
	assert_ok(dt_inbox_decide(newest(&box), &verdict, on_decided, &box,
	                          NULL));
	box_end(&box);
}

test(a_change_that_was_taken_back_is_withdrawn_when_it_is_dropped)
{
	struct asked asked;
	struct box box;

	box_begin(&box, KEPT);
	ask(&box, &asked, "s", "t");
	assert_string_equal(dt_inbox_retract(&asked.answer), newest(&box)->id);
	assert_int_equal(newest(&box)->state, DT_REVIEW_WAITING);
	dt_answer_drop(&asked.answer);
	run(&box);
	assert_kept(&box, DT_REVIEW_WITHDRAWN, 1);
	ask(&box, &asked, "s", "t");
	assert_ok(judge(&box, newest(&box), DT_ACCEPTED, NULL));
	run(&box);
	assert_null(dt_inbox_retract(&asked.answer));
	box_end(&box);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			what_a_person_leaves_out_is_not_accepted_with_the_rest),
		cmocka_unit_test(to_leave_out_all_is_not_to_accept),
		cmocka_unit_test(
			a_change_that_was_taken_back_is_withdrawn_when_it_is_dropped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
