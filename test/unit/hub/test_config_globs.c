/* test/unit/hub/test_config_globs.c - lists of patterns, as lines of a file. */
#include "hub/config_globs.h"

#include "hub/config.h"
#include "unit.h"

#include <stdlib.h>

static struct dt_config *config;

static int start(void **state)
{
	(void)state;
	config = dt_config_new();
	return 0;
}

static int end(void **state)
{
	(void)state;
	dt_config_free(config);
	return 0;
}

static void read_text(const char *text, bool is_repository)
{
	dt_config_read_text(config, is_repository ? "r" : "f", dt_str(text),
	                    is_repository);
}

static void assert_glob(size_t n, const char *text, const char *file,
                        unsigned line)
{
	const struct dt_config_globs *globs =
		dt_config_globs(config, "context.deny");

	assert_true(n < globs->count);
	assert_string_equal(globs->list[n].text, text);
	assert_string_equal(globs->list[n].file, file);
	assert_int_equal(globs->list[n].line, line);
	assert_int_equal(globs->list[n].is_repository, file[0] == 'r');
}

test(there_are_none_at_first)
{
	assert_int_equal(dt_config_globs(config, "context.deny")->count, 0);
	assert_int_equal(dt_config_globs(config, "context.mute")->count, 0);
	assert_false(dt_config_is_context_broken(config));
}

test(words_are_patterns_and_lines_add_up)
{
	read_text("[context]\ndeny = a  *.b c/**\nallow = x\ndeny = d\n",
	          false);
	read_text("[context]\n\ndeny = e\n", true);
	assert_int_equal(dt_config_warning_count(config), 0);
	assert_int_equal(dt_config_globs(config, "context.deny")->count, 5);
	assert_glob(0, "a", "f", 2);
	assert_glob(1, "*.b", "f", 2);
	assert_glob(2, "c/**", "f", 2);
	assert_glob(3, "d", "f", 4);
	assert_glob(4, "e", "r", 3);
	assert_string_equal(dt_config_get(config, "context.deny"),
	                    "a  *.b c/** d e");
	assert_string_equal(dt_config_get(config, "context.allow"), "x");
}

test(an_empty_value_adds_nothing)
{
	read_text("[context]\ndeny = a\ndeny =\n", false);
	assert_int_equal(dt_config_globs(config, "context.deny")->count, 1);
	assert_false(dt_config_is_context_broken(config));
}

test(a_repository_denies_more_and_allows_nothing)
{
	read_text("[context]\nallow = *\nmute = claude\ndeny = a\n", true);
	assert_int_equal(dt_config_warning_count(config), 2);
	assert_string_equal(
		dt_config_warning(config, 0),
		"r:2: context.allow does not count in a repository");
	assert_int_equal(dt_config_globs(config, "context.allow")->count, 0);
	assert_int_equal(dt_config_globs(config, "context.mute")->count, 0);
	assert_glob(0, "a", "r", 4);
}

test(a_line_of_the_persons_that_is_wrong_breaks_the_section)
{
	static const char *const wrong[] = {
		"deny = {a\n", "deny = ok a/\n", "denny = a\n",
		"deny\n",      "allow = ~/x\n",
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		char *text = dt_asprintf("[context]\n%s", wrong[i]);

		read_text(text, true);
		assert_false(dt_config_is_context_broken(config));
		read_text(text, false);
		if (!dt_config_is_context_broken(config))
			fail_msg("%s passed", wrong[i]);
		assert_int_equal(dt_config_globs(config, "context.deny")->count,
		                 0);
		free(text);
		dt_config_free(config);
		config = dt_config_new();
	}
	read_text("[log]\nlevel = loud\n", false);
	assert_false(dt_config_is_context_broken(config));
}

test(a_file_that_cannot_be_read_may_have_said_anything)
{
	dt_config_read(config, "/nonexistent/dovetail.conf", false);
	dt_config_read(config, "/", true);
	assert_false(dt_config_is_context_broken(config));
	dt_config_read(config, "/", false);
	assert_true(dt_config_is_context_broken(config));
}

int main(void)
{
#define CONFIG_TEST(name) cmocka_unit_test_setup_teardown(name, start, end)
	const struct CMUnitTest tests[] = {
		CONFIG_TEST(there_are_none_at_first),
		CONFIG_TEST(words_are_patterns_and_lines_add_up),
		CONFIG_TEST(an_empty_value_adds_nothing),
		CONFIG_TEST(a_repository_denies_more_and_allows_nothing),
		CONFIG_TEST(
			a_line_of_the_persons_that_is_wrong_breaks_the_section),
		CONFIG_TEST(a_file_that_cannot_be_read_may_have_said_anything),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
