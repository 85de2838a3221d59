/* test/unit/app/test_program.c - twin of src/app/program.c */
#include "app/program.h"

#include "unit.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

test(a_program_on_no_path_is_named_by_where_it_is)
{
	struct dt_arena arena = { 0 };
	const char *name;

	setenv("PATH", "/nowhere:/usr/bin", 1);
	name = dt_program_name(&arena);
	assert_int_equal(name[0], '/');
	assert_non_null(strstr(name, "test_app_program"));
	dt_arena_done(&arena);
}

test(a_program_on_the_path_is_named_as_people_know_it)
{
	char folder[] = "/tmp/dt-program-XXXXXX";
	struct dt_arena arena = { 0 };
	const char *link;
	const char *self;

	assert_non_null(mkdtemp(folder));
	unsetenv("PATH");
	self = dt_program_name(&arena);
	link = dt_arena_printf(&arena, "%s/dovetail", folder);
	assert_int_equal(symlink(self, link), 0);
	setenv("PATH", dt_arena_printf(&arena, "/nowhere:%s", folder), 1);
	assert_string_equal(dt_program_name(&arena), "dovetail");
	assert_string_equal(dt_program_run_agent(&arena),
	                    "dovetail run claude");
	unlink(link);
	rmdir(folder);
	dt_arena_done(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_program_on_no_path_is_named_by_where_it_is),
		cmocka_unit_test(
			a_program_on_the_path_is_named_as_people_know_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
