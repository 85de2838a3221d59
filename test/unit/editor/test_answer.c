/* test/unit/editor/test_answer.c - one end, whichever. */
#include "editor/answer.h"

#include "abort.h"
#include "base/utf8.h"
#include "unit.h"

struct seen {
	int ended;
	int shown;
	int dropped;
	const void *result;
	bool has_failed;
	struct dt_fail fail;
};

static void on_end(struct dt_answer *answer, const void *result,
                   const struct dt_fail *fail, void *owner)
{
	struct seen *seen = owner;

	assert_true(answer->has_ended);
	seen->ended++;
	seen->result = result;
	seen->has_failed = fail != NULL;
	if (fail)
		seen->fail = *fail;
}

static void on_shown(struct dt_answer *answer, void *owner)
{
	struct seen *seen = owner;

	assert_false(answer->has_ended);
	seen->shown++;
}

static void on_drop(struct dt_answer *answer, void *performer)
{
	struct seen *seen = performer;

	assert_true(answer->has_ended);
	seen->dropped++;
}

test(an_answer_ends_with_its_result)
{
	struct seen seen = { 0 };
	struct dt_answer answer;
	int result = 7;

	dt_answer_init(&answer, on_end, &seen);
	dt_answer_end(&answer, &result);
	assert_int_equal(seen.ended, 1);
	assert_ptr_equal(seen.result, &result);
	assert_false(seen.has_failed);
}

test(an_answer_fails_with_a_reason)
{
	struct dt_fail fail = { .code = DT_E_SYS, .sys_errno = 5, .msg = "no" };
	struct seen seen = { .result = &fail };
	struct dt_answer answer;

	dt_answer_init(&answer, on_end, &seen);
	dt_answer_fail(&answer, &fail);
	assert_int_equal(seen.ended, 1);
	assert_null(seen.result);
	assert_memory_equal(&seen.fail, &fail, sizeof(fail));
}

test(a_reason_can_be_put_together)
{
	struct seen seen = { 0 };
	struct dt_answer answer;

	dt_answer_init(&answer, on_end, &seen);
	dt_answer_failf(&answer, DT_E_LIMIT, "%s %d", "no more than", 3);
	assert_int_equal(seen.fail.code, DT_E_LIMIT);
	assert_string_equal(seen.fail.msg, "no more than 3");
}

test(a_reason_that_is_too_long_ends_with_a_whole_character)
{
	struct seen seen = { 0 };
	struct dt_answer answer;
	char text[600];

	for (size_t shift = 0; shift < 3; shift++) {
		size_t len = shift;

		memset(text, 'a', shift);
		while (len + 3 < sizeof(text)) {
			memcpy(text + len, "\xe2\x82\xac", 3);
			len += 3;
		}
		text[len] = '\0';
		dt_answer_init(&answer, on_end, &seen);
		dt_answer_failf(&answer, DT_E_ARGS, "%s", text);
		assert_true(strlen(seen.fail.msg) > 230);
		assert_true(dt_utf8_is_valid(dt_str(seen.fail.msg)));
	}
}

test(shown_comes_before_the_end_and_only_if_asked_for)
{
	struct seen seen = { 0 };
	struct dt_answer answer;

	dt_answer_init(&answer, on_end, &seen);
	dt_answer_shown(&answer);
	assert_int_equal(seen.shown, 0);
	answer.on_shown = on_shown;
	dt_answer_shown(&answer);
	assert_int_equal(seen.shown, 1);
	assert_int_equal(seen.ended, 0);
	dt_answer_end(&answer, NULL);
	assert_int_equal(seen.ended, 1);
}

test(a_dropped_answer_tells_the_performer_once_and_the_owner_never)
{
	struct seen seen = { 0 };
	struct dt_answer answer;

	dt_answer_init(&answer, on_end, &seen);
	answer.on_drop = on_drop;
	answer.performer = &seen;
	dt_answer_drop(&answer);
	dt_answer_drop(&answer);
	assert_int_equal(seen.dropped, 1);
	assert_int_equal(seen.ended, 0);
}

test(an_answer_without_a_performer_can_be_dropped)
{
	struct seen seen = { 0 };
	struct dt_answer answer;

	dt_answer_init(&answer, on_end, &seen);
	dt_answer_drop(&answer);
	assert_true(answer.has_ended);
	assert_int_equal(seen.ended, 0);
}

test(dropping_what_has_ended_does_nothing)
{
	struct seen seen = { 0 };
	struct dt_answer answer;

	dt_answer_init(&answer, on_end, &seen);
	answer.on_drop = on_drop;
	answer.performer = &seen;
	dt_answer_end(&answer, NULL);
	dt_answer_drop(&answer);
	assert_int_equal(seen.ended, 1);
	assert_int_equal(seen.dropped, 0);
}

static void end_twice(void)
{
	struct seen seen = { 0 };
	struct dt_answer answer;

	dt_answer_init(&answer, on_end, &seen);
	dt_answer_end(&answer, NULL);
	dt_answer_end(&answer, NULL);
}

static void end_and_fail(void)
{
	struct seen seen = { 0 };
	struct dt_answer answer;

	dt_answer_init(&answer, on_end, &seen);
	dt_answer_end(&answer, NULL);
	dt_answer_failf(&answer, DT_E_ARGS, "too late");
}

static void drop_and_end(void)
{
	struct seen seen = { 0 };
	struct dt_answer answer;

	dt_answer_init(&answer, on_end, &seen);
	dt_answer_drop(&answer);
	dt_answer_end(&answer, NULL);
}

test(a_second_end_is_a_bug_and_aborts)
{
	assert_aborts(end_twice);
	assert_aborts(end_and_fail);
	assert_aborts(drop_and_end);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_answer_ends_with_its_result),
		cmocka_unit_test(an_answer_fails_with_a_reason),
		cmocka_unit_test(a_reason_can_be_put_together),
		cmocka_unit_test(
			a_reason_that_is_too_long_ends_with_a_whole_character),
		cmocka_unit_test(
			shown_comes_before_the_end_and_only_if_asked_for),
		cmocka_unit_test(
			a_dropped_answer_tells_the_performer_once_and_the_owner_never),
		cmocka_unit_test(an_answer_without_a_performer_can_be_dropped),
		cmocka_unit_test(dropping_what_has_ended_does_nothing),
		cmocka_unit_test(a_second_end_is_a_bug_and_aborts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
