#include "unit.h"

#include "app/command.h"
#include "base/buf.h"
#include "base/file.h"
#include "base/str.h"

#include <stdlib.h>

static struct dt_fail why;

static int start(void **state)
{
	(void)state;
	why = (struct dt_fail){ 0 };
	return 0;
}

#define ARGV(...) ((char *[]){ __VA_ARGS__, NULL })

static void assert_line_fits(const char *text, size_t columns)
{
	struct dt_str rest = dt_str(text);

	while (rest.len > 0)
		assert_true(dt_str_cut(&rest, '\n').len <= columns);
}

static void check_entry(const struct dt_command *command)
{
	assert_non_null(command->name);
	assert_non_null(command->run);
	assert_true(command->summary[0] >= 'A' && command->summary[0] <= 'Z');
	assert_line_fits(command->summary, 60);
	assert_line_fits(command->doc, 80);
	assert_true(command->min_args <= command->max_args);
	assert_true(command->max_args == 0 || command->args);
	for (const struct dt_option *o = command->options; o && o->name; o++) {
		assert_true((o->type == DT_OPTION_FLAG) == !o->value);
		assert_true(o->offset < command->options_size);
		assert_line_fits(o->doc, 56);
	}
}

test(every_entry_is_complete_and_fits_a_terminal)
{
	for (size_t i = 0; dt_commands[i]; i++) {
		const struct dt_command *const *subs =
			dt_commands[i]->subcommands;

		check_entry(dt_commands[i]);
		for (; subs && *subs; subs++)
			check_entry(*subs);
	}
}

test(commands_are_found_by_their_whole_name)
{
	const struct dt_command *review =
		dt_command_find(dt_commands, "review");

	assert_non_null(review);
	assert_null(dt_command_find(dt_commands, "rev"));
	assert_null(dt_command_find(dt_commands, ""));
	assert_non_null(dt_command_find(review->subcommands, "accept"));
	assert_null(dt_command_find(NULL, "accept"));
}

test(a_wrong_command_line_is_a_sentence_and_no_more)
{
	assert_int_equal(dt_command_run(ARGV("nonsense"), &why), DT_E_ARGS);
	assert_string_equal(why.msg, "there is no command \"nonsense\"; "
	                             "`dovetail help` lists them");
	start(NULL);
	assert_int_equal(dt_command_run(ARGV("mention"), &why), DT_E_ARGS);
	assert_string_equal(why.msg, "mention needs FILE[:LINE[-LINE]]");
	start(NULL);
	assert_int_equal(dt_command_run(ARGV("stop", "now"), &why), DT_E_ARGS);
	assert_string_equal(why.msg,
	                    "stop does not know what to do with \"now\"");
	start(NULL);
	assert_int_equal(dt_command_run(ARGV("review", "lits"), &why),
	                 DT_E_ARGS);
	assert_string_equal(why.msg,
	                    "review does not know what to do with \"lits\"");
	start(NULL);
	assert_int_equal(dt_command_run(ARGV("status", "--jason"), &why),
	                 DT_E_ARGS);
	assert_string_equal(why.msg, "there is no option --jason");
}

test(help_shows_usage_commands_and_options)
{
	const struct dt_command *review =
		dt_command_find(dt_commands, "review");
	const struct dt_command *accept_entry =
		dt_command_find(review->subcommands, "accept");
	char *text = NULL;
	size_t size = 0;
	FILE *to = open_memstream(&text, &size);

	dt_command_print_help(review, accept_entry, to);
	dt_command_print_help(NULL, review, to);
	fclose(to);
	assert_non_null(
		strstr(text, "usage: dovetail review accept [OPTIONS] [ID]\n"));
	assert_non_null(strstr(text, "--text-file FILE"));
	assert_non_null(strstr(text, "Commands:\n  list "));
	free(text);
}

test(names_and_summaries_stand_apart)
{
	char *text;
	size_t len;
	FILE *to = open_memstream(&text, &len);

	dt_command_print_all(to);
	fclose(to);
	assert_line_fits(text, 80);
	for (size_t i = 0; dt_commands[i]; i++) {
		char *end = dt_asprintf("  %s\n", dt_commands[i]->summary);

		assert_non_null(strstr(text, end));
		free(end);
	}
	free(text);
}

static void check_manual(const char *page, const struct dt_command *parent,
                         const struct dt_command *command)
{
	char *name = dt_asprintf(".Cm %s%s%s", parent ? parent->name : "",
	                         parent ? " " : "", command->name);
	const char *at = strstr(page, name);

	if (!at)
		fail_msg("dovetail(1) has no %s", name);
	for (const struct dt_option *o = command->options; o && o->name; o++) {
		char *option = dt_asprintf("Fl -%s", o->name);

		if (!strstr(at, option))
			fail_msg("dovetail(1) has no --%s", o->name);
		free(option);
	}
	free(name);
}

test(the_manual_has_every_command_and_option)
{
	struct dt_buf page;

	dt_buf_init(&page, 1 << 20);
	assert_ok(dt_file_read(DT_MAN_DIR "/dovetail.1", &page, NULL));
	for (size_t i = 0; dt_commands[i]; i++) {
		const struct dt_command *const *subs =
			dt_commands[i]->subcommands;

		check_manual(dt_buf_z(&page), NULL, dt_commands[i]);
		for (; subs && *subs; subs++)
			check_manual(dt_buf_z(&page), dt_commands[i], *subs);
	}
	dt_buf_done(&page);
}

int main(void)
{
#define COMMAND_TEST(name) cmocka_unit_test_setup(name, start)
	const struct CMUnitTest tests[] = {
		COMMAND_TEST(every_entry_is_complete_and_fits_a_terminal),
		COMMAND_TEST(commands_are_found_by_their_whole_name),
		COMMAND_TEST(a_wrong_command_line_is_a_sentence_and_no_more),
		COMMAND_TEST(help_shows_usage_commands_and_options),
		COMMAND_TEST(names_and_summaries_stand_apart),
		COMMAND_TEST(the_manual_has_every_command_and_option),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
