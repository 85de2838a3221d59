/*
 * test/unit/review/test_inbox_submit.c - reviews that outlive their calls, with a
 * memory, without one, and with one that failed.
 */
#include "base/clock.h"
#include "base/file.h"
#include "base/limits.h"
#include "review/box.h"
#include "review/inbox.h"
#include "unit.h"

struct submitted {
	struct dt_answer answer;
	int ended;
	struct dt_fail fail;
	char id[DT_ID_TEXT];
	bool is_waiting;
	char old_text[32];
	char text[32];
};

static void on_submitted(struct dt_answer *answer, const void *result,
                         const struct dt_fail *fail, void *owner)
{
	const struct dt_submit_result *told = result;
	struct submitted *s = owner;
	const struct dt_change *change;

	(void)answer;
	s->ended++;
	if (fail) {
		s->fail = *fail;
		return;
	}
	change = told->changes.ptr;
	snprintf(s->id, sizeof(s->id), "%s", told->id);
	s->is_waiting = told->is_waiting;
	snprintf(s->old_text, sizeof(s->old_text), "%s", change->old_text.ptr);
	snprintf(s->text, sizeof(s->text), "%s",
	         change->text.ptr ? change->text.ptr : "");
}

static void submit_about(struct box *box, struct submitted *s, const char *path,
                         bool writes)
{
	struct dt_change change = {
		.kind = DT_CHANGE_EDIT,
		.path = path,
		.text = DT_STR("new\n"),
	};
	struct dt_propose_args args = { "t", NULL, { &change, 1 } };
	struct dt_review_spec spec = {
		.workspace = "workspace",
		.session = "s",
		.agent = "agent",
		.args = &args,
		.docs = &box->docs,
		.rules = box->rules,
		.writes = writes,
	};

	*s = (struct submitted){ 0 };
	dt_answer_init(&s->answer, on_submitted, s);
	dt_inbox_submit(&box->inbox, &spec, &s->answer);
	assert_int_equal(s->ended, 1);
}

static void submit(struct box *box, struct submitted *s)
{
	submit_about(box, s, box->file, false);
	assert_int_equal(s->fail.code, DT_E_OK);
}

static void await(struct box *box, struct asked *asked, const char *id,
                  bool is_lasting)
{
	struct dt_await_args args = { .id = id, .is_lasting = is_lasting };

	*asked = (struct asked){ .box = box, .kept_state = -1 };
	dt_answer_init(&asked->answer, on_asked_end, asked);
	dt_inbox_await(&box->inbox, "workspace", &args, &asked->answer);
}

test(a_submitted_review_is_told_at_once_and_waits)
{
	for (enum memory memory = KEPT; memory < MEMORIES; memory++) {
		struct submitted s;
		struct box box;

		box_begin(&box, memory);
		submit(&box, &s);
		assert_string_equal(s.id, newest(&box)->id);
		assert_true(s.is_waiting);
		assert_string_equal(s.old_text, "old\n");
		assert_string_equal(s.text, "new\n");
		assert_int_equal(box.last, DT_REVIEW_WAITING);
		run(&box);
		assert_kept(&box, DT_REVIEW_WAITING, 1);
		box_end(&box);
	}
}

test(whoever_knows_the_id_waits_for_the_verdict)
{
	for (enum memory memory = KEPT; memory < MEMORIES; memory++) {
		struct submitted s;
		struct asked asked;
		struct box box;

		box_begin(&box, memory);
		submit(&box, &s);
		await(&box, &asked, s.id, false);
		accept(&box, newest(&box));
		run(&box);
		assert_int_equal(asked.ended, 1);
		assert_int_equal(asked.outcome, DT_ACCEPTED);
		assert_string_equal(asked.texts[0], "new\n");
		assert_int_equal(box.inbox.count, 0);
		box_end(&box);
	}
}

test(a_verdict_is_put_by_until_somebody_asks_and_told_once)
{
	for (enum memory memory = KEPT; memory < MEMORIES; memory++) {
		struct submitted s;
		struct asked asked;
		struct box box;

		box_begin(&box, memory);
		submit(&box, &s);
		accept(&box, newest(&box));
		run(&box);
		assert_int_equal(box.decided, 1);
		assert_int_equal(box.inbox.count, 0);
		assert_int_equal(box.inbox.put_by_count, 1);
		await(&box, &asked, s.id, true);
		assert_int_equal(asked.ended, 1);
		assert_int_equal(asked.outcome, DT_ACCEPTED);
		assert_int_equal(box.inbox.put_by_count, 0);
		await(&box, &asked, s.id, true);
		assert_int_equal(asked.fail.code, DT_E_MISSING);
		box_end(&box);
	}
}

/* The verdict is on its way to the disk. */
test(who_asks_just_then_is_told_too)
{
	struct submitted s;
	struct asked asked;
	struct box box;

	box_begin(&box, KEPT);
	submit(&box, &s);
	accept(&box, newest(&box));
	await(&box, &asked, s.id, false);
	assert_int_equal(asked.ended, 0);
	run(&box);
	assert_int_equal(asked.ended, 1);
	assert_int_equal(box.inbox.put_by_count, 0);
	box_end(&box);
}

test(a_look_takes_nobodys_place)
{
	for (enum memory memory = KEPT; memory < MEMORIES; memory++) {
		struct dt_await_args args = { .is_look = true };
		struct asked waits;
		struct asked looks;
		struct submitted s;
		struct box box;

		box_begin(&box, memory);
		submit(&box, &s);
		await(&box, &waits, s.id, false);
		args.id = s.id;
		looks = (struct asked){ .box = &box };
		dt_answer_init(&looks.answer, on_asked_end, &looks);
		dt_inbox_await(&box.inbox, "workspace", &args, &looks.answer);
		assert_int_equal(looks.ended, 1);
		assert_int_equal(looks.outcome, DT_UNDECIDED);
		assert_int_equal(waits.ended, 0);
		/* It is still the one who waits that keeps it. */
		dt_answer_drop(&waits.answer);
		assert_int_equal(box.inbox.count, 0);
		box_end(&box);
	}
}

test(one_who_leaves_ends_it_unless_it_is_lasting)
{
	for (enum memory memory = KEPT; memory < MEMORIES; memory++) {
		struct submitted s;
		struct asked asked;
		struct box box;

		box_begin(&box, memory);
		submit(&box, &s);
		await(&box, &asked, s.id, true);
		dt_answer_drop(&asked.answer);
		assert_int_equal(box.inbox.count, 1);
		await(&box, &asked, s.id, false);
		dt_answer_drop(&asked.answer);
		assert_int_equal(box.inbox.count, 0);
		assert_int_equal(box.last, DT_REVIEW_ORPHANED);
		run(&box);
		assert_kept(&box, DT_REVIEW_ORPHANED, 1);
		box_end(&box);
	}
}

test(of_two_who_wait_the_second_is_told)
{
	struct submitted s;
	struct asked first;
	struct asked second;
	struct box box;

	box_begin(&box, KEPT);
	submit(&box, &s);
	await(&box, &first, s.id, false);
	await(&box, &second, s.id, false);
	assert_int_equal(first.ended, 1);
	assert_int_equal(first.fail.code, DT_E_CANCELLED);
	dt_answer_drop(&first.answer);
	assert_int_equal(box.inbox.count, 1);
	accept(&box, newest(&box));
	run(&box);
	assert_int_equal(second.ended, 1);
	assert_int_equal(second.fail.code, DT_E_OK);
	box_end(&box);
}

test(only_what_was_submitted_here_is_found)
{
	struct submitted s;
	struct asked asked;
	struct asked tab;
	struct box box;

	box_begin(&box, KEPT);
	ask(&box, &tab, "s", "t");
	assert_null(
		dt_inbox_submitted(&box.inbox, "workspace", newest(&box)->id));
	await(&box, &asked, newest(&box)->id, false);
	assert_int_equal(asked.fail.code, DT_E_MISSING);
	assert_int_equal(tab.ended, 0);
	submit(&box, &s);
	assert_null(dt_inbox_submitted(&box.inbox, "other", s.id));
	assert_ptr_equal(dt_inbox_submitted(&box.inbox, "workspace", s.id),
	                 newest(&box));
	accept(&box, newest(&box));
	assert_null(dt_inbox_submitted(&box.inbox, "workspace", s.id));
	box_end(&box);
}

test(one_taken_back_is_not_found_any_more)
{
	struct submitted s;
	struct asked asked;
	struct box box;

	box_begin(&box, KEPT);
	submit(&box, &s);
	assert_int_equal(dt_inbox_withdraw(&box.inbox, "s", NULL, "x"), 1);
	await(&box, &asked, s.id, false);
	assert_int_equal(asked.fail.code, DT_E_MISSING);
	box_end(&box);
}

static void withdraw_at_once(struct box *box, struct dt_review *r)
{
	box->react = NULL;
	dt_inbox_withdraw(&box->inbox, r->session, NULL, "x");
}

test(one_taken_back_while_it_opens_is_no_use)
{
	struct submitted s;
	struct box box;

	box_begin(&box, KEPT);
	box.react = withdraw_at_once;
	submit_about(&box, &s, box.file, false);
	assert_int_equal(s.fail.code, DT_E_CANCELLED);
	box_end(&box);
}

test(what_cannot_be_read_is_not_submitted)
{
	struct submitted s;
	struct box box;

	box_begin(&box, KEPT);
	submit_about(&box, &s, box.f.dir, false);
	assert_int_equal(s.fail.code, DT_E_ARGS);
	assert_int_equal(box.inbox.count, 0);
	box_end(&box);
}

test(what_could_not_be_written_is_not_submitted)
{
	struct submitted s;
	struct box box;

	box_begin(&box, KEPT);
	submit_about(&box, &s, "/elsewhere/new", true);
	assert_int_equal(s.fail.code, DT_E_DENIED);
	assert_non_null(strstr(s.fail.msg, "outside the workspace"));
	assert_int_equal(box.inbox.count, 0);
	/* An agent that writes it itself may ask. */
	submit_about(&box, &s, "/elsewhere/new", false);
	assert_int_equal(s.fail.code, DT_E_OK);
	box_end(&box);
}

test(what_nobody_waits_for_ends_in_time)
{
	const uint64_t limit = DT_LIMIT_UNATTENDED_MS;
	uint64_t now = dt_clock_ms();
	struct submitted s[3];
	struct asked asked;
	struct asked tab;
	struct box box;

	box_begin(&box, KEPT);
	assert_int_equal(dt_inbox_expire(&box.inbox, now), 0);
	ask(&box, &tab, "s", "t");
	assert_int_equal(dt_inbox_expire(&box.inbox, now + 2 * limit), 0);
	submit(&box, &s[0]);
	accept(&box, newest(&box));
	run(&box);
	submit(&box, &s[1]);
	submit(&box, &s[2]);
	await(&box, &asked, s[2].id, true);
	assert_true(dt_inbox_expire(&box.inbox, dt_clock_ms()) <= limit);
	assert_int_equal(box.inbox.count, 3);
	/* One is waited for, however long that takes. */
	assert_int_equal(dt_inbox_expire(&box.inbox, dt_clock_ms() + limit),
	                 limit);
	assert_int_equal(box.inbox.put_by_count, 0);
	assert_int_equal(box.inbox.count, 2);
	assert_int_equal(box.last, DT_REVIEW_ORPHANED);
	assert_int_equal(tab.ended, 0);
	dt_answer_drop(&asked.answer);
	assert_int_equal(
		dt_inbox_expire(&box.inbox, dt_clock_ms() + limit + 1000), 0);
	assert_int_equal(box.inbox.count, 1);
	box_end(&box);
}

test(only_so_many_verdicts_are_put_by)
{
	struct submitted first;
	struct asked asked;
	struct box box;

	box_begin(&box, NONE);
	for (unsigned i = 0; i <= DT_LIMIT_UNATTENDED; i++) {
		struct submitted s;

		submit(&box, &s);
		if (i == 0)
			first = s;
		accept(&box, newest(&box));
	}
	assert_int_equal(box.inbox.put_by_count, DT_LIMIT_UNATTENDED);
	await(&box, &asked, first.id, false);
	assert_int_equal(asked.fail.code, DT_E_MISSING);
	box_end(&box);
}

/* writing */

static void assert_file(struct box *box, const char *text)
{
	struct dt_buf now;

	dt_buf_init(&now, DT_MIB);
	assert_ok(dt_file_read(box->file, &now, NULL));
	assert_string_equal(dt_buf_z(&now), text);
	dt_buf_done(&now);
}

test(what_is_accepted_is_written_though_nobody_waits)
{
	for (enum memory memory = KEPT; memory < MEMORIES; memory++) {
		struct submitted s;
		struct box box;

		box_begin(&box, memory);
		submit_about(&box, &s, box.file, true);
		accept(&box, newest(&box));
		run(&box);
		/* What cannot be kept is not begun. */
		assert_file(&box, memory == BROKEN ? "old\n" : "new\n");
		assert_int_equal(box.decided_state,
		                 memory == BROKEN ? DT_REVIEW_UNWRITTEN
		                                  : DT_REVIEW_ACCEPTED);
		assert_int_equal(box.last, box.decided_state);
		assert_kept(&box, DT_REVIEW_ACCEPTED, 1);
		box_end(&box);
	}
}

/* What is in the history when the first file changes. */
static void look_before_writing(struct box *box, struct dt_review *r)
{
	if (r->state != DT_REVIEW_ACCEPTED)
		return;
	assert_file(box, "new\n");
	assert_kept(box, DT_REVIEW_WRITING, 1);
	assert_int_equal(
		query(box->f.path, "SELECT writer FROM review WHERE state=5"),
		DT_WRITER_WE);
}

test(the_intent_is_kept_before_a_file_is_written)
{
	struct submitted s;
	struct box box;

	box_begin(&box, KEPT);
	submit_about(&box, &s, box.file, true);
	box.react = look_before_writing;
	accept(&box, newest(&box));
	assert_file(&box, "old\n");
	run(&box);
	assert_kept(&box, DT_REVIEW_WRITING, 0);
	assert_kept(&box, DT_REVIEW_ACCEPTED, 1);
	box_end(&box);
}

test(what_is_rejected_or_stale_is_not_written)
{
	struct submitted s;
	struct box box;

	box_begin(&box, KEPT);
	submit_about(&box, &s, box.file, true);
	assert_ok(judge(&box, newest(&box), DT_REJECTED, NULL));
	run(&box);
	assert_file(&box, "old\n");
	submit_about(&box, &s, box.file, true);
	write_file(box.file, 0, DT_STR("oh!\n"));
	accept(&box, newest(&box));
	run(&box);
	assert_file(&box, "oh!\n");
	assert_int_equal(box.decided_state, DT_REVIEW_UNWRITTEN);
	assert_kept(&box, DT_REVIEW_UNWRITTEN, 1);
	assert_int_equal(query(box.f.path,
	                       "SELECT count(*) FROM review WHERE problem "
	                       "LIKE '%has changed since%'"),
	                 1);
	assert_int_equal(box.decided_fail.code, DT_E_STATE);
	assert_non_null(strstr(box.decided_fail.msg, "nothing is written"));
	box_end(&box);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_submitted_review_is_told_at_once_and_waits),
		cmocka_unit_test(whoever_knows_the_id_waits_for_the_verdict),
		cmocka_unit_test(
			a_verdict_is_put_by_until_somebody_asks_and_told_once),
		cmocka_unit_test(who_asks_just_then_is_told_too),
		cmocka_unit_test(a_look_takes_nobodys_place),
		cmocka_unit_test(one_who_leaves_ends_it_unless_it_is_lasting),
		cmocka_unit_test(of_two_who_wait_the_second_is_told),
		cmocka_unit_test(only_what_was_submitted_here_is_found),
		cmocka_unit_test(one_taken_back_is_not_found_any_more),
		cmocka_unit_test(one_taken_back_while_it_opens_is_no_use),
		cmocka_unit_test(what_cannot_be_read_is_not_submitted),
		cmocka_unit_test(what_could_not_be_written_is_not_submitted),
		cmocka_unit_test(what_nobody_waits_for_ends_in_time),
		cmocka_unit_test(only_so_many_verdicts_are_put_by),
		cmocka_unit_test(
			what_is_accepted_is_written_though_nobody_waits),
		cmocka_unit_test(the_intent_is_kept_before_a_file_is_written),
		cmocka_unit_test(what_is_rejected_or_stale_is_not_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
