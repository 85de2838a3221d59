/* test/unit/tool/test_verdict_form.c - what counts as a verdict. */
#include "tool/verdict_form.h"

#include "unit.h"

#include <stdlib.h>

static struct dt_arena arena;

static int release(void **state)
{
	(void)state;
	dt_arena_done(&arena);
	return 0;
}

static struct dt_verdict_answer read_text(const char *text)
{
	const struct dt_json *json = NULL;

	assert_ok(dt_json_read(&arena, dt_str(text), &json, NULL));
	return dt_verdict_read(&arena, json);
}

test(a_form_that_was_sent_off_decides)
{
	struct dt_verdict_answer a =
		read_text("{\"action\":\"accept\",\"content\":{\"verdict\":"
	                  "\"accept\",\"comment\":\"n\\u00edce\"}}");

	assert_true(a.has_outcome);
	assert_int_equal(a.outcome, DT_ACCEPTED);
	assert_string_equal(a.comment, "n\xc3\xad"
	                               "ce");
	a = read_text("{\"action\":\"accept\",\"content\":{\"verdict\":"
	              "\"reject\",\"comment\":\"\"}}");
	assert_true(a.has_outcome);
	assert_int_equal(a.outcome, DT_REJECTED);
	assert_null(a.comment);
}

test(declining_rejects)
{
	struct dt_verdict_answer a = read_text("{\"action\":\"decline\"}");

	assert_true(a.has_outcome);
	assert_int_equal(a.outcome, DT_REJECTED);
}

test(nothing_else_is_a_verdict)
{
	static const char *const texts[] = {
		"{\"action\":\"cancel\"}",
		"{\"action\":\"cancel\",\"content\":{\"verdict\":\"accept\"}}",
		"{\"action\":\"accept\"}",
		"{\"action\":\"accept\",\"content\":{}}",
		"{\"action\":\"accept\",\"content\":{\"verdict\":true}}",
		"{\"action\":\"accept\",\"content\":{\"verdict\":\"yes\"}}",
		"{\"action\":\"accept\",\"content\":[\"accept\"]}",
		"{\"content\":{\"verdict\":\"accept\"}}",
		"{\"action\":null}",
		"{}",
		"[]",
		"\"accept\"",
		"null",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct dt_verdict_answer a = read_text(texts[i]);

		if (a.has_outcome || a.is_missing)
			fail_msg("%s", texts[i]);
	}
	assert_true(dt_verdict_read(&arena, NULL).is_missing);
	assert_false(dt_verdict_read(&arena, NULL).has_outcome);
}

test(a_comment_with_a_nul_is_left_out)
{
	struct dt_verdict_answer a =
		read_text("{\"action\":\"accept\",\"content\":{\"verdict\":"
	                  "\"accept\",\"comment\":\"a\\u0000b\"}}");

	assert_true(a.has_outcome);
	assert_null(a.comment);
}

test(the_message_says_what_and_why)
{
	struct dt_verdict_question q = {
		.title = "Title",
		.reason = "Because.",
		.files = DT_STR("change a\n"),
		.diff = DT_STR("-a\n+b\n"),
	};

	assert_str(dt_verdict_message(&arena, &q),
	           "Title\n\nBecause.\n\nchange a\n\n-a\n+b\n");
	q.reason = NULL;
	q.diff = (struct dt_str){ 0 };
	assert_str(dt_verdict_message(&arena, &q), "Title\n\nchange a\n\n");
	q.is_cut = true;
	assert_str(dt_verdict_message(&arena, &q),
	           "Title\n\nchange a\n\n... and much more: `dovetail review` "
	           "shows all of it.\n");
}

test(a_long_diff_is_cut_at_a_line)
{
	char *diff = dt_alloc(10001);
	struct dt_verdict_question q = { .title = "t", .reason = "" };
	struct dt_str m;

	for (size_t i = 0; i < 10000; i++)
		diff[i] = i % 10 == 9 ? '\n' : 'x';
	q.diff = dt_str(diff);
	m = dt_verdict_message(&arena, &q);
	assert_true(m.len < 4300);
	assert_non_null(
		memmem(m.ptr, m.len, "xxxxxxxxx\n... and 591 more", 26));
	/* One endless line cannot be shown at all. */
	memset(diff, 'x', 10000);
	diff[9999] = '\n';
	m = dt_verdict_message(&arena, &q);
	assert_non_null(memmem(m.ptr, m.len, "t\n\n\n... and 1 more", 17));
	free(diff);
}

test(the_form_is_json_that_asks_for_a_verdict)
{
	struct dt_str form =
		dt_verdict_form(&arena, DT_STR("\x01\"\\ message"));
	const struct dt_json *json = NULL;
	const struct dt_json *schema;

	assert_ok(dt_json_read(&arena, form, &json, NULL));
	assert_str(dt_json_text(&arena, dt_json_get(json, "message")),
	           "\x01\"\\ message");
	schema = dt_json_get(json, "requestedSchema");
	assert_str(dt_json_get(schema, "required")->raw, "[\"verdict\"]");
	assert_int_equal(dt_json_get(schema, "properties")->count, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_form_that_was_sent_off_decides),
		cmocka_unit_test(declining_rejects),
		cmocka_unit_test(nothing_else_is_a_verdict),
		cmocka_unit_test(a_comment_with_a_nul_is_left_out),
		cmocka_unit_test(the_message_says_what_and_why),
		cmocka_unit_test(a_long_diff_is_cut_at_a_line),
		cmocka_unit_test(the_form_is_json_that_asks_for_a_verdict),
	};

	return cmocka_run_group_tests(tests, NULL, release);
}
