#include "unit.h"

#include "app/option.h"

#include <stdlib.h>

struct options {
	bool is_json;
	const char *folder;
	struct dt_maybe_u32 port;
	bool is_followed;
};

static const struct dt_option table[] = {
	DT_OPTION(struct options, is_json, FLAG, "print JSON", .name = "json"),
	DT_OPTION(struct options, is_followed, FLAG, "go on", .name = "follow",
	          .letter = 'f'),
	DT_OPTION(struct options, folder, TEXT, "where", .name = "folder",
	          .value = "DIR"),
	DT_OPTION(struct options, port, NUMBER, "which", .name = "port",
	          .value = "N"),
	DT_OPTION_END,
};

static struct options out;
static bool wants_help;
static struct dt_fail why;

static int start(void **state)
{
	(void)state;
	out = (struct options){ 0 };
	why = (struct dt_fail){ 0 };
	return 0;
}

#define ARGV(...) ((char *[]){ __VA_ARGS__, NULL })

static enum dt_err read_line(char **argv)
{
	return dt_options_read(table, argv, &out, &wants_help, &why);
}

static void assert_refused(char **argv, const char *sentence)
{
	assert_int_equal(read_line(argv), DT_E_ARGS);
	assert_string_equal(why.msg, sentence);
}

test(options_stand_anywhere_and_words_are_left)
{
	char **argv = ARGV("a", "--json", "b", "--folder", "x", "--port=7");

	assert_ok(read_line(argv));
	assert_true(out.is_json);
	assert_string_equal(out.folder, "x");
	assert_true(out.port.is_set);
	assert_int_equal(out.port.value, 7);
	assert_string_equal(argv[0], "a");
	assert_string_equal(argv[1], "b");
	assert_null(argv[2]);
	assert_false(wants_help);
}

test(nothing_is_an_option_behind_two_dashes)
{
	char **argv = ARGV("claude", "--", "--json", "--", "-x");

	assert_ok(read_line(argv));
	assert_false(out.is_json);
	assert_string_equal(argv[0], "claude");
	assert_string_equal(argv[1], "--json");
	assert_string_equal(argv[2], "--");
	assert_string_equal(argv[3], "-x");
	assert_null(argv[4]);
}

test(what_is_not_given_is_not_set)
{
	assert_ok(read_line(ARGV("-")));
	assert_null(out.folder);
	assert_false(out.port.is_set);
}

test(a_value_may_be_empty_or_look_like_an_option)
{
	assert_ok(read_line(ARGV("--folder=")));
	assert_string_equal(out.folder, "");
	assert_ok(read_line(ARGV("--folder", "--json")));
	assert_string_equal(out.folder, "--json");
	assert_false(out.is_json);
}

test(unknown_options_and_abbreviations_are_refused)
{
	assert_refused(ARGV("--jso"), "there is no option --jso");
	why = (struct dt_fail){ 0 };
	assert_refused(ARGV("-j"), "there is no option -j");
	why = (struct dt_fail){ 0 };
	assert_refused(ARGV("--=x"), "there is no option --=x");
}

test(a_flag_may_have_a_letter)
{
	assert_ok(read_line(ARGV("a", "-f")));
	assert_true(out.is_followed);
	start(NULL);
	assert_refused(ARGV("-fx"), "there is no option -fx");
	start(NULL);
	assert_refused(ARGV("-json"), "there is no option -json");
}

test(a_missing_or_needless_value_is_refused)
{
	assert_refused(ARGV("--folder"), "--folder needs a value: DIR");
	why = (struct dt_fail){ 0 };
	assert_refused(ARGV("--json=yes"), "--json takes no value");
}

test(a_number_must_be_one)
{
	assert_refused(ARGV("--port", "7x"),
	               "--port takes a number, not \"7x\"");
	why = (struct dt_fail){ 0 };
	assert_refused(ARGV("--port=-1"), "--port takes a number, not \"-1\"");
	why = (struct dt_fail){ 0 };
	assert_refused(ARGV("--port="), "--port takes a number, not \"\"");
}

test(help_wins_over_what_is_wrong_behind_it)
{
	assert_ok(read_line(ARGV("--help", "--nonsense")));
	assert_true(wants_help);
	assert_ok(read_line(ARGV("-h")));
	assert_true(wants_help);
}

test(a_command_without_options_takes_none)
{
	assert_ok(dt_options_read(NULL, ARGV("a"), NULL, &wants_help, &why));
	assert_int_equal(
		dt_options_read(NULL, ARGV("--x"), NULL, &wants_help, &why),
		DT_E_ARGS);
}

test(help_is_made_from_the_table)
{
	char *text = NULL;
	size_t size = 0;
	FILE *to = open_memstream(&text, &size);

	dt_options_print_help(table, to);
	fclose(to);
	assert_string_equal(text, "  --json              print JSON\n"
	                          "  -f, --follow        go on\n"
	                          "  --folder DIR        where\n"
	                          "  --port N            which\n");
	free(text);
}

int main(void)
{
#define OPTION_TEST(name) cmocka_unit_test_setup(name, start)
	const struct CMUnitTest tests[] = {
		OPTION_TEST(options_stand_anywhere_and_words_are_left),
		OPTION_TEST(nothing_is_an_option_behind_two_dashes),
		OPTION_TEST(what_is_not_given_is_not_set),
		OPTION_TEST(a_value_may_be_empty_or_look_like_an_option),
		OPTION_TEST(unknown_options_and_abbreviations_are_refused),
		OPTION_TEST(a_flag_may_have_a_letter),
		OPTION_TEST(a_missing_or_needless_value_is_refused),
		OPTION_TEST(a_number_must_be_one),
		OPTION_TEST(help_wins_over_what_is_wrong_behind_it),
		OPTION_TEST(a_command_without_options_takes_none),
		OPTION_TEST(help_is_made_from_the_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
