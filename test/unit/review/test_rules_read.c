#include "unit.h"

#include "editor/operation.h"
#include "review/rules.h"

#include <stdio.h>

static struct dt_condition only(const char *word)
{
	struct dt_str text = dt_str(word);
	struct dt_condition c;
	bool is_other;

	assert_ok(dt_condition_next(&text, &c, &is_other, NULL));
	assert_false(is_other);
	assert_int_equal(dt_condition_next(&text, &c, &is_other, NULL),
	                 DT_E_MISSING);
	return c;
}

static void assert_lines(const char *word, uint32_t min, uint32_t max)
{
	struct dt_condition c = only(word);

	assert_int_equal(c.type, DT_CONDITION_LINES);
	assert_int_equal(c.min, min);
	assert_int_equal(c.max, max);
}

test(each_sort_of_condition_is_read)
{
	struct dt_condition c = only("src/**");

	assert_int_equal(c.type, DT_CONDITION_PATH);
	assert_false(c.is_negated);
	assert_str(c.glob, "src/**");
	c = only("  !agent:claude* ");
	assert_int_equal(c.type, DT_CONDITION_AGENT);
	assert_true(c.is_negated);
	assert_str(c.glob, "claude*");
	c = only("kind:delete,test,outside");
	assert_int_equal(c.type, DT_CONDITION_KIND);
	assert_int_equal(c.kinds,
	                 DT_RULE_DELETE | DT_RULE_TEST | DT_RULE_OUTSIDE);
	assert_lines("lines>200", 201, UINT32_MAX);
	assert_lines("lines>=200", 200, UINT32_MAX);
	assert_lines("lines<200", 0, 199);
	assert_lines("lines<=200", 0, 200);
	assert_int_equal(only("lines").type, DT_CONDITION_PATH);
	assert_int_equal(only("kind").type, DT_CONDITION_PATH);
}

test(every_kind_has_the_name_of_its_bit)
{
	for (unsigned bit = 0; dt_rule_kinds[bit]; bit++) {
		char word[32];

		snprintf(word, sizeof(word), "kind:%s", dt_rule_kinds[bit]);
		assert_int_equal(only(word).kinds, 1u << bit);
	}
	assert_string_equal(dt_rule_kinds[7], "outside");
	assert_null(dt_rule_kinds[8]);
	assert_string_equal(dt_rule_actions[DT_RULE_DENY], "deny");
	/* The review's own kinds come first, in their order. */
	for (int kind = 0; dt_change_kinds[kind]; kind++)
		assert_string_equal(dt_rule_kinds[kind], dt_change_kinds[kind]);
}

test(a_bar_begins_another_alternative)
{
	struct dt_str text = DT_STR("a\tb |c  |  d");
	static const char *const globs[] = { "a", "b" };
	struct dt_condition c;
	bool is_other;

	for (int i = 0; i < 2; i++) {
		assert_ok(dt_condition_next(&text, &c, &is_other, NULL));
		assert_false(is_other);
		assert_true(dt_str_is(c.glob, globs[i]));
	}
	/* "|c" is a word, and no path. */
	assert_int_equal(dt_condition_next(&text, &c, &is_other, NULL),
	                 DT_E_ARGS);
	assert_ok(dt_condition_next(&text, &c, &is_other, NULL));
	assert_true(is_other);
	assert_str(c.glob, "d");
}

test(what_is_nearly_a_condition_is_refused_in_words)
{
	static const char *const rows[][2] = {
		{ "kind:tests", "there is no kind \"tests\" of change" },
		{ "kind:", "there is no kind \"\" of change" },
		{ "kind:test|create", "there is no kind \"test|create\"" },
		{ "lines>", "lines>200" },
		{ "lines>2OO", "lines>200" },
		{ "lines=200", "lines>200" },
		{ "lines>-1", "lines>200" },
		{ "lines>4294967295", "lines>200" },
		{ "lines<0", "lines>200" },
		{ "lines>=99999999999", "lines>200" },
		{ "line>200", "\"line>200\" is no condition" },
		{ "knid:test", "write ? for :" },
		{ "a|b", "write ? for |" },
		{ "!!a", "write ? for !" },
		{ "src/", "write src/** for all below it" },
		{ "./src", "relative to the workspace" },
		{ "../src", "relative to the workspace" },
		{ "~/.ssh/**", "relative to the workspace" },
		{ "src/{a,b", "opens a brace" },
		{ "agent:", "a pattern has from 1" },
		{ "agent:{a", "opens a brace" },
		{ "!", "a pattern has from 1" },
		{ "|", "behind a \"|\"" },
		{ "| |", "behind a \"|\"" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct dt_str text = dt_str(rows[i][0]);
		struct dt_fail fail = { 0 };
		struct dt_condition c;
		bool is_other;

		assert_int_equal(dt_condition_next(&text, &c, &is_other, &fail),
		                 DT_E_ARGS);
		if (!strstr(fail.msg, rows[i][1]))
			fail_msg("%s: %s", rows[i][0], fail.msg);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_sort_of_condition_is_read),
		cmocka_unit_test(every_kind_has_the_name_of_its_bit),
		cmocka_unit_test(a_bar_begins_another_alternative),
		cmocka_unit_test(
			what_is_nearly_a_condition_is_refused_in_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
