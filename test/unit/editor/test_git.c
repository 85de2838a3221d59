/* test/unit/editor/test_git.c - twin of src/editor/git.c; that all fields are
 * decoded and encoded is for test_operation.c. */
#include "editor/git.h"

#include "editor/operation.h"
#include "unit.h"

#include <string.h>

static bool is_ours(const struct dt_operation *op)
{
	return !strncmp(op->name, "git", strlen("git"));
}

/* Who performs takes the first member for the path. */
test(all_arguments_begin_with_a_path)
{
	int count = 0;

	for (unsigned i = 0; i < DT_OP_COUNT; i++) {
		const struct dt_field *first = dt_operations[i]->args.fields;

		if (!is_ours(dt_operations[i]))
			continue;
		count++;
		assert_string_equal(first->name, "path");
		assert_int_equal(first->type, DT_T_PATH);
		assert_int_equal(first->offset, 0);
	}
	assert_int_equal(count, 19);
}

/* The gate takes what is shown of a commit for a diff. */
test(a_commit_that_is_shown_begins_with_its_diff)
{
	assert_int_equal(offsetof(struct dt_git_show_result, diff), 0);
}

test(what_changes_something_runs_and_the_rest_reads)
{
	assert_int_equal(dt_op_git_status.effect, DT_READS);
	assert_int_equal(dt_op_git_hotspots.effect, DT_READS);
	assert_int_equal(dt_op_git_add.effect, DT_RUNS);
	assert_int_equal(dt_op_git_push.effect, DT_RUNS);
	assert_int_equal(dt_op_github_read.effect, DT_READS);
	assert_int_equal(dt_op_github_write.effect, DT_RUNS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_arguments_begin_with_a_path),
		cmocka_unit_test(a_commit_that_is_shown_begins_with_its_diff),
		cmocka_unit_test(
			what_changes_something_runs_and_the_rest_reads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
