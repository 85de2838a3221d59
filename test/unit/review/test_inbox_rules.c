/* test/unit/review/test_inbox_rules.c - reviews that no person is asked about. */
#include "review/inbox.h"

#include "base/file.h"
#include "base/limits.h"
#include "review/box.h"
#include "unit.h"

static void rule(struct dt_rules *rules, enum dt_rule_action action,
                 const char *text)
{
	struct dt_rule added = {
		.action = action,
		.text = text,
		.file = "conf",
		.line = 7,
	};

	*rules = (struct dt_rules){ 0 };
	assert_ok(dt_rules_add(rules, &added, NULL));
}

static void assert_accepted(const struct asked *asked)
{
	assert_int_equal(asked->ended, 1);
	assert_false(asked->has_failed);
	assert_int_equal(asked->shown, 1);
	assert_int_equal(asked->outcome, DT_ACCEPTED);
	assert_string_equal(asked->comment, "(none)");
	assert_int_equal(asked->count, 1);
	assert_int_equal(asked->changes[0].kind, DT_CHANGE_EDIT);
	assert_str(asked->changes[0].text, "new\n");
}

test(what_is_allowed_is_accepted_at_once_and_leaves_no_trace)
{
	for (enum memory memory = KEPT; memory < MEMORIES; memory++) {
		struct dt_rules rules;
		struct asked asked;
		struct box box;

		box_begin(&box, memory);
		rule(&rules, DT_RULE_ALLOW, "*.c");
		box.rules = &rules;
		ask(&box, &asked, "s", "t");
		assert_accepted(&asked);
		assert_int_equal(box.inbox.count, 0);
		assert_int_equal(box.changes, 0);
		run(&box);
		assert_kept(&box, DT_REVIEW_WAITING, 0);
		assert_kept(&box, DT_REVIEW_WRITING, 0);
		box_end(&box);
		dt_rules_done(&rules);
	}
}

test(what_is_recorded_is_accepted_without_waiting)
{
	for (enum memory memory = KEPT; memory < MEMORIES; memory++) {
		struct dt_rules rules;
		struct asked asked;
		struct box box;

		box_begin(&box, memory);
		rule(&rules, DT_RULE_RECORD, "*.c");
		box.rules = &rules;
		ask(&box, &asked, "s", "t");
		/* Nobody is told of a review that waits. */
		assert_int_equal(box.changes, 1);
		assert_int_equal(box.last, DT_REVIEW_WRITING);
		run(&box);
		assert_accepted(&asked);
		assert_int_equal(box.inbox.count, 0);
		assert_kept(&box, DT_REVIEW_WAITING, 0);
		assert_kept(&box, DT_REVIEW_WRITING, 1);
		if (memory == KEPT)
			assert_int_equal(asked.kept_state, DT_REVIEW_WRITING);
		box_end(&box);
		dt_rules_done(&rules);
	}
}

static void check_record(struct dt_store *store,
                         const struct dt_review_record *review,
                         const struct dt_fail *fail, void *owner)
{
	struct box *box = owner;

	(void)store;
	assert_int_equal(fail->code, DT_E_OK);
	assert_int_equal(review->state, DT_REVIEW_WRITING);
	assert_string_equal(review->decided_by, "policy");
	assert_string_equal(review->surface, "policy");
	assert_string_equal(review->comment, "conf:7: record = *.c");
	assert_int_equal(review->entry_count, 1);
	assert_string_equal(review->entries[0].path, box->file);
	assert_str(review->entries[0].old_text, "old\n");
	assert_str(review->entries[0].proposed_text, "new\n");
	assert_str(review->entries[0].final_text, "new\n");
	assert_true(review->entries[0].accepted);
	box->f.done++;
}

test(what_is_recorded_has_its_texts_and_its_rule_in_the_history)
{
	struct dt_rules rules;
	struct asked asked;
	struct box box;
	char id[DT_ID_TEXT];
	int done;

	box_begin(&box, KEPT);
	rule(&rules, DT_RULE_RECORD, "*.c");
	box.rules = &rules;
	ask(&box, &asked, "s", "t");
	memcpy(id, newest(&box)->id, sizeof(id));
	run(&box);
	done = box.f.done;
	dt_store_get_review(box.f.store, id, check_record, &box);
	run(&box);
	assert_int_equal(box.f.done, done + 1);
	box_end(&box);
	dt_rules_done(&rules);
}

test(what_is_denied_fails_and_is_kept_as_rejected)
{
	for (enum memory memory = KEPT; memory < MEMORIES; memory++) {
		struct dt_rules rules;
		struct asked asked;
		struct box box;

		box_begin(&box, memory);
		rule(&rules, DT_RULE_DENY, "*.c");
		box.rules = &rules;
		ask(&box, &asked, "s", "t");
		run(&box);
		assert_int_equal(asked.ended, 1);
		assert_true(asked.has_failed);
		assert_int_equal(asked.fail.code, DT_E_DENIED);
		assert_string_equal(asked.fail.msg,
		                    "Dovetail's policy denies this change "
		                    "(conf:7: deny = *.c).");
		assert_int_equal(box.inbox.count, 0);
		assert_kept(&box, DT_REVIEW_REJECTED, 1);
		box_end(&box);
		dt_rules_done(&rules);
	}
}

test(what_no_rule_fits_waits_for_a_person)
{
	struct dt_rules rules;
	struct asked asked;
	struct box box;

	box_begin(&box, KEPT);
	rule(&rules, DT_RULE_ALLOW, "*.h");
	box.rules = &rules;
	ask(&box, &asked, "s", "t");
	run(&box);
	assert_int_equal(asked.ended, 0);
	assert_int_equal(newest(&box)->state, DT_REVIEW_WAITING);
	assert_kept(&box, DT_REVIEW_WAITING, 1);
	box_end(&box);
	dt_rules_done(&rules);
}

test(rules_decide_though_as_many_wait_as_may)
{
	struct asked *asked = dt_alloc(DT_LIMIT_REVIEWS * sizeof(*asked));
	struct dt_rules rules;
	struct asked more;
	struct box box;

	box_begin(&box, NONE);
	for (unsigned i = 0; i < DT_LIMIT_REVIEWS; i++)
		ask(&box, &asked[i], "s", "t");
	rule(&rules, DT_RULE_RECORD, "*.c");
	box.rules = &rules;
	ask(&box, &more, "s", "t");
	assert_accepted(&more);
	box_end(&box);
	dt_rules_done(&rules);
	free(asked);
}

test(an_agent_that_goes_meanwhile_changes_nothing)
{
	struct dt_rules rules;
	struct asked asked;
	struct box box;

	box_begin(&box, KEPT);
	rule(&rules, DT_RULE_RECORD, "*.c");
	box.rules = &rules;
	ask(&box, &asked, "s", "t");
	dt_answer_drop(&asked.answer);
	run(&box);
	assert_int_equal(asked.ended, 0);
	assert_kept(&box, DT_REVIEW_WRITING, 1);
	box_end(&box);
	dt_rules_done(&rules);
}

test(it_can_be_asked_whether_a_change_would_be_denied)
{
	static const enum dt_rule_action actions[] = {
		DT_RULE_ALLOW, DT_RULE_RECORD, DT_RULE_ASK, DT_RULE_DENY
	};
	struct box box;
	struct dt_change change = { .kind = DT_CHANGE_EDIT };
	struct dt_propose_args args = { .changes = { &change, 1 } };
	struct dt_review_spec spec = { .agent = "a", .args = &args };

	box_begin(&box, NONE);
	spec.docs = &box.docs;
	change.path = box.file;
	assert_false(dt_inbox_denies(&spec));
	for (size_t i = 0; i < 4; i++) {
		struct dt_rules rules;

		rule(&rules, actions[i], "*.c");
		spec.rules = &rules;
		assert_int_equal(dt_inbox_denies(&spec),
		                 actions[i] == DT_RULE_DENY);
		dt_rules_done(&rules);
	}
	/* What cannot be read is for opening to say. */
	change.path = box.f.dir;
	assert_false(dt_inbox_denies(&spec));
	assert_int_equal(box.changes, 0);
	box_end(&box);
}

static void assert_text(const char *path, const char *text)
{
	struct dt_buf now;

	dt_buf_init(&now, DT_MIB);
	assert_ok(dt_file_read(path, &now, NULL));
	assert_string_equal(dt_buf_z(&now), text);
	dt_buf_done(&now);
}

/* Nothing is kept of it, but while it is written several files could be torn. */
test(several_files_that_are_allowed_are_written_down_meanwhile)
{
	char *second;
	struct dt_change changes[2];
	struct dt_propose_args args = { "t", NULL, { changes, 2 } };
	struct dt_review_spec spec = { .workspace = "workspace",
		                       .session = "s",
		                       .agent = "agent",
		                       .args = &args,
		                       .writes = true };
	struct dt_rules rules;
	struct asked asked = { 0 };
	struct box box;

	box_begin(&box, KEPT);
	second = dt_asprintf("%s/b.c", box.f.dir);
	write_file(second, 0, DT_STR("old\n"));
	for (int i = 0; i < 2; i++)
		changes[i] = (struct dt_change){ .kind = DT_CHANGE_EDIT,
			                         .path = i ? second : box.file,
			                         .text = DT_STR("new\n") };
	rule(&rules, DT_RULE_ALLOW, "*.c");
	spec.docs = &box.docs;
	spec.rules = &rules;
	asked.box = &box;
	dt_answer_init(&asked.answer, on_asked_end, &asked);
	dt_inbox_open(&box.inbox, &spec, &asked.answer);
	/* The store is quick, and the loop does not run: nothing is written. */
	while (query(box.f.path, "SELECT count(*) FROM review WHERE state=5 "
	                         "AND writer=4") != 1)
		usleep(1000);
	assert_text(box.file, "old\n");
	run(&box);
	assert_int_equal(asked.ended, 1);
	assert_text(box.file, "new\n");
	assert_text(second, "new\n");
	assert_int_equal(query(box.f.path, "SELECT count(*) FROM review"), 0);
	assert_int_equal(query(box.f.path, "SELECT count(*) FROM entry"), 0);
	assert_int_equal(box.changes, 0);
	free(second);
	box_end(&box);
	dt_rules_done(&rules);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			several_files_that_are_allowed_are_written_down_meanwhile),
		cmocka_unit_test(
			what_is_allowed_is_accepted_at_once_and_leaves_no_trace),
		cmocka_unit_test(what_is_recorded_is_accepted_without_waiting),
		cmocka_unit_test(
			what_is_recorded_has_its_texts_and_its_rule_in_the_history),
		cmocka_unit_test(what_is_denied_fails_and_is_kept_as_rejected),
		cmocka_unit_test(what_no_rule_fits_waits_for_a_person),
		cmocka_unit_test(rules_decide_though_as_many_wait_as_may),
		cmocka_unit_test(an_agent_that_goes_meanwhile_changes_nothing),
		cmocka_unit_test(
			it_can_be_asked_whether_a_change_would_be_denied),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
