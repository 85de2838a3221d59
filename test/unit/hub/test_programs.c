/* test/unit/hub/test_programs.c - rows of the table are found by their words. */
#include "hub/programs.h"

#include "unit.h"

#include <string.h>

static const char *found(const char *program, const char *first,
                         const char *second)
{
	const struct dt_row *row =
		dt_program_row(dt_program_find(program), first, second);

	return row ? row->name : NULL;
}

test(rows_are_found_by_one_word_or_two)
{
	assert_null(dt_program_find("nothing"));
	assert_string_equal(found("git", "stash", NULL), "stash");
	assert_string_equal(found("git", "stash", "list"), "stash list");
	assert_string_equal(found("git", "stash", "-u"), "stash");
	assert_string_equal(found("git", "", NULL), "");
	assert_string_equal(found("npm", "test", "--"), "test");
	assert_null(found("git", "stash list", NULL));
	assert_null(found("git", "stas", NULL));
	assert_null(found("git", "worktree ", "list"));
	assert_null(found("go", "mod", NULL));
}

/* Who is asked about anyway needs nothing else. */
test(rows_with_a_reason_have_nothing_else)
{
	static const char *const names[] = { "git",   "npm",  "yarn", "cargo",
		                             "go",    "jest", "make", "rg",
		                             "biome", "tsc" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const struct dt_program *p = dt_program_find(names[i]);

		assert_non_null(p);
		assert_non_null(dt_program_row(p, "", NULL));
		for (size_t r = 0; r < p->row_count; r++) {
			const struct dt_row *row = &p->rows[r];

			assert_true(!row->why || (!row->fine && !row->needs));
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_found_by_one_word_or_two),
		cmocka_unit_test(rows_with_a_reason_have_nothing_else),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
