/* test/unit/editor/test_language.c - names of files and their languages. */
#include "editor/language.h"

#include "unit.h"

test(an_extension_tells_the_language)
{
	assert_string_equal(dt_language_of("/w/a.c"), "c");
	assert_string_equal(dt_language_of("/w/a.h"), "c");
	assert_string_equal(dt_language_of("/w/a.cc"), "cpp");
	assert_string_equal(dt_language_of("/w/a.tsx"), "typescriptreact");
	assert_string_equal(dt_language_of("/w/a.yml"), "yaml");
	assert_string_equal(dt_language_of("/w/a.zig"), "zig");
	assert_string_equal(dt_language_of("a.py"), "python");
}

test(only_the_last_extension_counts)
{
	assert_string_equal(dt_language_of("/w/a.c.md"), "markdown");
	assert_string_equal(dt_language_of("/w/a.py.orig"), "plaintext");
}

test(a_whole_name_tells_the_language)
{
	assert_string_equal(dt_language_of("/w/Makefile"), "makefile");
	assert_string_equal(dt_language_of("/w/rules.mk"), "makefile");
	assert_string_equal(dt_language_of("/w/Dockerfile"), "dockerfile");
	assert_string_equal(dt_language_of("/w/meson.build"), "meson");
}

test(a_whole_name_comes_before_an_extension)
{
	assert_string_equal(dt_language_of("/w/tsconfig.json"), "jsonc");
	assert_string_equal(dt_language_of("/w/a.json"), "json");
	assert_string_equal(dt_language_of("/w/CMakeLists.txt"), "cmake");
	assert_string_equal(dt_language_of("/w/a.txt"), "plaintext");
	assert_string_equal(dt_language_of("/w/go.mod"), "go.mod");
}

test(a_whole_name_is_no_ending)
{
	assert_string_equal(dt_language_of("/w/MyMakefile"), "plaintext");
	assert_string_equal(dt_language_of("/w/Makefile.old"), "plaintext");
	assert_string_equal(dt_language_of("/w/other.meson.build"),
	                    "plaintext");
}

test(a_dot_file_has_no_extension)
{
	assert_string_equal(dt_language_of("/w/.c"), "plaintext");
	assert_string_equal(dt_language_of("/w/.bash"), "plaintext");
	assert_string_equal(dt_language_of("/w/.a.c"), "c");
}

test(folders_tell_nothing)
{
	assert_string_equal(dt_language_of("/w.c/notes"), "plaintext");
	assert_string_equal(dt_language_of("/w/a.c/"), "plaintext");
}

test(what_is_not_known_is_plain_text)
{
	assert_string_equal(dt_language_of("/w/a.unknown"), "plaintext");
	assert_string_equal(dt_language_of("/w/c"), "plaintext");
	assert_string_equal(dt_language_of("/"), "plaintext");
	assert_string_equal(dt_language_of(""), "plaintext");
	assert_string_equal(dt_language_of("/w/a."), "plaintext");
	assert_string_equal(dt_language_of("/w/a.C"), "plaintext");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_extension_tells_the_language),
		cmocka_unit_test(only_the_last_extension_counts),
		cmocka_unit_test(a_whole_name_tells_the_language),
		cmocka_unit_test(a_whole_name_comes_before_an_extension),
		cmocka_unit_test(a_whole_name_is_no_ending),
		cmocka_unit_test(a_dot_file_has_no_extension),
		cmocka_unit_test(folders_tell_nothing),
		cmocka_unit_test(what_is_not_known_is_plain_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
