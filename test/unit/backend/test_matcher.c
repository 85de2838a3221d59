/* test/unit/backend/test_matcher.c - twin of src/backend/matcher.c */
#include "backend/matcher.h"

#include "base/buf.h"
#include "unit.h"

#include <stdlib.h>

/* Lines as "line:start-end text|"; `how` has r for a regular expression and i
 * for any case. */
static char *find(const char *query, const char *how, struct dt_str text)
{
	struct dt_matcher_spec spec = {
		.query = dt_str(query),
		.is_regex = strchr(how, 'r') != NULL,
		.is_case_sensitive = !strchr(how, 'i'),
	};
	struct dt_scan scan = { .text = text };
	struct dt_matcher *matcher;
	struct dt_hit hit;
	struct dt_buf out;
	char *found;

	assert_ok(dt_matcher_new(&spec, &matcher, NULL));
	dt_buf_init(&out, 1u << 20);
	while (dt_matcher_next(matcher, &scan, &hit))
		dt_buf_addf(&out, "%u:%zu-%zu %.*s|", hit.line, hit.start,
		            hit.end, DT_STR_ARG(hit.text));
	if (dt_matcher_gave_up(matcher))
		dt_buf_add_z(&out, "gave up");
	dt_matcher_free(matcher);
	found = dt_buf_take(&out);
	return found;
}

#define assert_found(query, how, text, wanted)                                 \
	do {                                                                   \
		char *found = find(query, how, DT_STR(text));                  \
		assert_string_equal(found, wanted);                            \
		free(found);                                                   \
	} while (0)

#define TEXT "one\ntwo two\r\n\nOne"

test(a_text_is_found_line_by_line)
{
	assert_found("two", "", TEXT, "1:0-3 two two|");
	assert_found("o", "", TEXT, "0:0-1 one|1:2-3 two two|");
	assert_found("three", "", TEXT, "");
	assert_found("x", "", "", "");
	assert_found("ne", "", "\n\nne", "2:0-2 ne|");
}

test(a_text_stands_for_itself)
{
	assert_found("a.c", "", "abc\na.c", "1:0-3 a.c|");
	assert_found("A.C", "i", "abc\na.c", "1:0-3 a.c|");
	assert_found("(", "i", "f(", "0:1-2 f(|");
}

test(case_counts_or_not)
{
	assert_found("one", "i", TEXT, "0:0-3 one|3:0-3 One|");
	assert_found("\xc3\x84", "i", "x \xc3\xa4", "0:2-4 x \xc3\xa4|");
}

test(an_expression_is_tried_on_each_line)
{
	assert_found("^t.*o$", "r", TEXT, "1:0-7 two two|");
	assert_found("^$", "r", TEXT, "2:0-0 |");
	assert_found("e\\s+t", "r", TEXT, "");
	assert_found("(?<=t)wo", "r", TEXT, "1:1-3 two two|");
	assert_found("t\\Kwo", "r", TEXT, "1:1-3 two two|");
}

test(bytes_that_are_no_text_do_not_hide_the_rest)
{
	assert_found("b+", "r", "\xff\xfe bb\nb", "0:3-5 \xff\xfe bb|1:0-1 b|");
}

test(what_is_too_much_for_one_line_is_passed_over)
{
	assert_found("(a+)+$", "r",
	             "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab\na",
	             "1:0-1 a|gave up");
}

test(what_is_no_expression_is_refused)
{
	struct dt_matcher_spec spec = {
		.query = DT_STR("a("),
		.is_regex = true,
		.is_case_sensitive = true,
	};
	struct dt_matcher *matcher = NULL;
	struct dt_fail fail = { 0 };

	assert_int_equal(dt_matcher_new(&spec, &matcher, &fail), DT_E_ARGS);
	assert_string_equal(fail.msg,
	                    "query: the pattern is wrong at character 3: "
	                    "missing closing parenthesis; leave out isRegex to "
	                    "look for the text itself");
	assert_null(matcher);
	dt_matcher_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_text_is_found_line_by_line),
		cmocka_unit_test(a_text_stands_for_itself),
		cmocka_unit_test(case_counts_or_not),
		cmocka_unit_test(an_expression_is_tried_on_each_line),
		cmocka_unit_test(bytes_that_are_no_text_do_not_hide_the_rest),
		cmocka_unit_test(what_is_too_much_for_one_line_is_passed_over),
		cmocka_unit_test(what_is_no_expression_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
