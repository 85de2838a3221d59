#include "tool/methods.h"
#include "tool/script.h"
#include "unit.h"

static void get(struct script *s, const char *args)
{
	script_call(s, script_find(dt_methods, "prompts/get"), args, NULL);
}

test(a_prompt_is_one_text)
{
	struct script s;

	script_begin(&s);
	get(&s, "{\"name\":\"quick-tests\",\"arguments\":{\"filter\":"
	        "\"\\u0061 b\\n\"},\"_meta\":{}}");
	assert_false(s.is_error);
	assert_non_null(strstr(dt_buf_z(&s.replied),
	                       "Run \xc2\xab"
	                       "a b\xc2\xbb with `runTests`"));
	script_end(&s);
}

test(tools_that_are_offered_are_not_called_missing)
{
	struct script s;

	script_begin(&s);
	get(&s, "{\"name\":\"debug-context\"}");
	assert_false(s.is_error);
	assert_non_null(strstr(dt_buf_z(&s.replied), "`getOpenEditors`"));
	assert_null(strstr(dt_buf_z(&s.replied), "Not offered here: "));
	script_end(&s);
}

test(no_arguments_may_be_given_in_three_ways)
{
	struct script s;

	script_begin(&s);
	get(&s, "{\"name\":\"build-check\"}");
	assert_false(s.is_error);
	get(&s, "{\"name\":\"build-check\",\"arguments\":null}");
	assert_false(s.is_error);
	get(&s, "{\"name\":\"build-check\",\"arguments\":{}}");
	assert_false(s.is_error);
	script_end(&s);
}

test(what_is_wrong_is_a_sentence)
{
	struct script s;

	script_begin(&s);
	get(&s, "{\"name\":\"no-such\"}");
	assert_failure(&s, "no prompt is named no-such\n");
	get(&s, "{\"name\":\"review-file\"}");
	assert_failure(&s, "file: missing; the prompt review-file needs it\n");
	get(&s, "{\"name\":\"review-file\",\"arguments\":{\"file\":7}}");
	assert_failure(&s, "arguments.file: expected string\n");
	get(&s, "{\"name\":\"review-file\",\"arguments\":[]}");
	assert_failure(&s, "arguments: expected object\n");
	get(&s, "{\"name\":\"set-effort\",\"arguments\":{\"level\":\"much\"}}");
	assert_failure(&s, "level: must be one of low, medium, high, max\n");
	script_end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_prompt_is_one_text),
		cmocka_unit_test(tools_that_are_offered_are_not_called_missing),
		cmocka_unit_test(no_arguments_may_be_given_in_three_ways),
		cmocka_unit_test(what_is_wrong_is_a_sentence),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
