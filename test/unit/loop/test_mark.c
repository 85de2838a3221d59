/* test/unit/loop/test_mark.c - by what an agent's children are known. */
#include "loop/mark.h"

#include "process.h"

#include <stdio.h>
#include <string.h>

test(each_mark_is_found_by_its_whole_name)
{
	for (size_t i = 0; i < dt_mark_count; i++) {
		char pair[80];
		char longer[80];
		char *env[] = { "HOME=/", pair, NULL };
		char *other[] = { longer, "X=CLAUDECODE=1", NULL };
		bool is_hidden = true;
		pid_t pid;

		snprintf(pair, sizeof(pair), "%s=1", dt_marks[i].variable);
		snprintf(longer, sizeof(longer), "X%s=1", dt_marks[i].variable);
		pid = start_with(env);
		assert_ptr_equal(dt_mark_of(pid, &is_hidden), &dt_marks[i]);
		assert_false(is_hidden);
		end_process(pid);
		pid = start_with(other);
		assert_null(dt_mark_of(pid, &is_hidden));
		end_process(pid);
	}
}

test(of_several_the_one_that_says_most_is_told)
{
	char *env[] = { "AI_AGENT=x", "DOVETAIL_AGENT=claude", "CLAUDECODE=1",
		        NULL };
	bool is_hidden;
	pid_t pid = start_with(env);

	assert_string_equal(dt_mark_of(pid, &is_hidden)->variable,
	                    "CLAUDECODE");
	end_process(pid);
}

test(what_has_ended_is_hidden)
{
	char *env[] = { NULL };
	bool is_hidden = false;
	pid_t pid = start_with(env);

	assert_null(dt_mark_of(pid, &is_hidden));
	assert_false(is_hidden);
	end_process(pid);
	assert_null(dt_mark_of(pid, &is_hidden));
	assert_true(is_hidden);
}

test(our_own_are_taken_off)
{
	setenv("CLAUDECODE", "1", 1);
	setenv(DT_MARK_AGENT, "claude", 1);
	dt_mark_clear();
	assert_null(getenv("CLAUDECODE"));
	assert_null(getenv(DT_MARK_AGENT));
	assert_non_null(getenv("PATH"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_mark_is_found_by_its_whole_name),
		cmocka_unit_test(of_several_the_one_that_says_most_is_told),
		cmocka_unit_test(what_has_ended_is_hidden),
		cmocka_unit_test(our_own_are_taken_off),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
