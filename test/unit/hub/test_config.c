#include "unit.h"

#include "base/buf.h"
#include "base/file.h"
#include "hub/config.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

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

static void read_text(const char *text)
{
	dt_config_read_text(config, "f", dt_str(text), false);
}

static void assert_warned(const char *sentence)
{
	assert_int_equal(dt_config_warning_count(config), 1);
	assert_string_equal(dt_config_warning(config, 0), sentence);
}

test(every_default_is_a_value_its_key_may_have)
{
	for (size_t i = 0; i < dt_config_key_count; i++) {
		const struct dt_config_key *key = &dt_config_keys[i];
		char *text = dt_asprintf("[%s]\n%s = %s\n", key->section,
		                         key->name, key->def);

		read_text(text);
		free(text);
		assert_int_equal(dt_config_warning_count(config), 0);
	}
}

test(the_defaults_are_what_the_manual_says)
{
	assert_string_equal(dt_config_get(config, "log.level"), "warn");
	assert_string_equal(dt_config_get(config, "claude.ide_name"),
	                    "Dovetail");
	assert_string_equal(dt_config_get(config, "review.pager"), "");
	assert_string_equal(dt_config_get(config, "review.editor"), "");
	assert_int_equal(dt_config_number(config, "limits.sessions"), 64);
	assert_int_equal(dt_config_number(config, "limits.message_mib"), 64);
}

test(lines_of_servers_add_up_and_each_is_checked)
{
	read_text("[lsp]\nserver = clangd: clangd-16\nserver = x\n"
	          "server = a b: c\nserver =\n");
	assert_string_equal(dt_config_get(config, "lsp.server"),
	                    "clangd: clangd-16\na b: c");
	assert_warned("f:3: lsp.server must be \"NAME LANGUAGE,...: COMMAND "
	              "...\"");
}

test(a_file_sets_values_in_sections)
{
	read_text("# mine\n"
	          "[log]\n"
	          "  level=debug\r\n"
	          "[ review ]\n"
	          "editor =  vim -u NONE \n"
	          "pager =\n"
	          "\n"
	          "[limits]\n"
	          "sessions = 3");
	assert_int_equal(dt_config_warning_count(config), 0);
	assert_string_equal(dt_config_get(config, "log.level"), "debug");
	assert_string_equal(dt_config_get(config, "review.editor"),
	                    "vim -u NONE");
	assert_string_equal(dt_config_get(config, "review.pager"), "");
	assert_int_equal(dt_config_number(config, "limits.sessions"), 3);
}

test(the_last_of_several_settings_counts)
{
	read_text("[log]\nlevel = info\nlevel = error\n");
	assert_string_equal(dt_config_get(config, "log.level"), "error");
}

test(an_unknown_key_is_warned_of_with_its_line_and_the_rest_counts)
{
	read_text("[log]\n\ncolour = red\nlevel = info\n");
	assert_warned("f:3: there is no key \"colour\" in [log]");
	assert_string_equal(dt_config_get(config, "log.level"), "info");
}

test(a_setting_before_the_first_section_is_warned_of)
{
	read_text("level = info\n");
	assert_warned("f:1: \"level\" stands before the first [section]");
}

test(a_line_that_is_nothing_is_warned_of)
{
	read_text("[log]\nlevel\n");
	assert_warned("f:2: neither [section] nor key = value");
}

test(a_value_of_the_wrong_type_leaves_the_old_one)
{
	read_text("[limits]\nsessions = 9\nsessions = many\n");
	assert_warned("f:3: limits.sessions must be a number from 1 to 500");
	assert_int_equal(dt_config_number(config, "limits.sessions"), 9);
}

test(numbers_outside_their_range_are_refused)
{
	read_text("[limits]\nsessions = 0\nmessage_mib = 257\n"
	          "sessions = 1025\nsessions = 99999999999\n");
	assert_int_equal(dt_config_warning_count(config), 4);
	assert_int_equal(dt_config_number(config, "limits.sessions"), 64);
	assert_int_equal(dt_config_number(config, "limits.message_mib"), 64);
}

test(a_choice_that_is_none_names_those_there_are)
{
	read_text("[log]\nlevel = loud\n");
	assert_warned("f:2: log.level must be one of error, warn, info, debug");
}

test(text_that_is_not_utf8_or_holds_controls_is_refused)
{
	read_text("[claude]\nide_name = \xff\nide_name = a\x1b[31m\n");
	assert_int_equal(dt_config_warning_count(config), 2);
	assert_string_equal(dt_config_get(config, "claude.ide_name"),
	                    "Dovetail");
}

test(a_repository_changes_nothing_that_is_not_marked_safe)
{
	dt_config_read_text(config, ".dovetail.conf",
	                    DT_STR("[review]\neditor = rm -rf /\n"), true);
	assert_warned(".dovetail.conf:2: review.editor does not count in a "
	              "repository");
	assert_string_equal(dt_config_get(config, "review.editor"), "");
}

test(warnings_end_before_they_flood)
{
	struct dt_buf text;

	dt_buf_init(&text, 100000);
	for (int i = 0; i < 1000; i++)
		dt_buf_add_z(&text, "nonsense\n");
	read_text(dt_buf_z(&text));
	dt_buf_done(&text);
	assert_int_equal(dt_config_warning_count(config), 20);
	assert_string_equal(dt_config_warning(config, 19),
	                    "f:20: and more lines after this one are wrong");
	assert_null(dt_config_warning(config, 20));
}

test(a_missing_file_is_fine_and_a_folder_is_warned_of)
{
	dt_config_read(config, "/nonexistent/dovetail.conf", false);
	assert_int_equal(dt_config_warning_count(config), 0);
	dt_config_read(config, "/", false);
	assert_int_equal(dt_config_warning_count(config), 1);
}

test(keys_are_found_by_their_full_name_only)
{
	assert_ptr_equal(dt_config_find("log.level"), &dt_config_keys[0]);
	assert_null(dt_config_find("level"));
	assert_null(dt_config_find("log."));
	assert_null(dt_config_find("log.level.x"));
	assert_null(dt_config_find(""));
}

/* The manual as it is written, without its macros. */
static char *manual(void)
{
	struct dt_buf page;

	dt_buf_init(&page, 1 << 20);
	assert_ok(dt_file_read(DT_MAN_DIR "/dovetail.conf.5", &page, NULL));
	return dt_buf_take(&page);
}

test(the_manual_has_every_key_with_its_default_and_sentence)
{
	char *page = manual();

	for (size_t i = 0; i < dt_config_key_count; i++) {
		const struct dt_config_key *key = &dt_config_keys[i];
		char *item = dt_asprintf(".It Ic %s No = Ar", key->name);

		assert_non_null(strstr(page, key->section));
		assert_non_null(strstr(page, item));
		assert_non_null(strstr(page, key->doc));
		assert_non_null(strstr(page, key->def));
		free(item);
	}
	free(page);
}

int main(void)
{
#define CONFIG_TEST(name) cmocka_unit_test_setup_teardown(name, start, end)
	const struct CMUnitTest tests[] = {
		CONFIG_TEST(every_default_is_a_value_its_key_may_have),
		CONFIG_TEST(the_defaults_are_what_the_manual_says),
		CONFIG_TEST(lines_of_servers_add_up_and_each_is_checked),
		CONFIG_TEST(a_file_sets_values_in_sections),
		CONFIG_TEST(the_last_of_several_settings_counts),
		CONFIG_TEST(
			an_unknown_key_is_warned_of_with_its_line_and_the_rest_counts),
		CONFIG_TEST(a_setting_before_the_first_section_is_warned_of),
		CONFIG_TEST(a_line_that_is_nothing_is_warned_of),
		CONFIG_TEST(a_value_of_the_wrong_type_leaves_the_old_one),
		CONFIG_TEST(numbers_outside_their_range_are_refused),
		CONFIG_TEST(a_choice_that_is_none_names_those_there_are),
		CONFIG_TEST(text_that_is_not_utf8_or_holds_controls_is_refused),
		CONFIG_TEST(
			a_repository_changes_nothing_that_is_not_marked_safe),
		CONFIG_TEST(warnings_end_before_they_flood),
		CONFIG_TEST(a_missing_file_is_fine_and_a_folder_is_warned_of),
		CONFIG_TEST(keys_are_found_by_their_full_name_only),
		CONFIG_TEST(
			the_manual_has_every_key_with_its_default_and_sentence),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
