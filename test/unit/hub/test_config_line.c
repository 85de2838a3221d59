#include "unit.h"

#include "hub/config_line.h"

static struct dt_config_line read_one(struct dt_str text)
{
	struct dt_config_line line = { 0 };

	assert_true(dt_config_next_line(&text, &line));
	assert_int_equal(text.len, 0);
	return line;
}

test(blank_lines_and_comments_are_blank)
{
	assert_int_equal(read_one(DT_STR("\n")).kind, DT_CONFIG_LINE_BLANK);
	assert_int_equal(read_one(DT_STR(" \t\r\n")).kind,
	                 DT_CONFIG_LINE_BLANK);
	assert_int_equal(read_one(DT_STR("# a = b")).kind,
	                 DT_CONFIG_LINE_BLANK);
	assert_int_equal(read_one(DT_STR(" ;[a]")).kind, DT_CONFIG_LINE_BLANK);
}

test(a_value_keeps_what_is_inside_it)
{
	struct dt_config_line line = read_one(DT_STR(" k\t= a = #b  \r\n"));

	assert_int_equal(line.kind, DT_CONFIG_LINE_SETTING);
	assert_str(line.name, "k");
	assert_str(line.value, "a = #b");
}

test(brackets_without_a_name_and_settings_without_one_are_wrong)
{
	assert_int_equal(read_one(DT_STR("[]")).kind, DT_CONFIG_LINE_WRONG);
	assert_int_equal(read_one(DT_STR("[a")).kind, DT_CONFIG_LINE_WRONG);
	assert_int_equal(read_one(DT_STR("[")).kind, DT_CONFIG_LINE_WRONG);
	assert_int_equal(read_one(DT_STR("= b")).kind, DT_CONFIG_LINE_WRONG);
	assert_int_equal(read_one(DT_STR("word")).kind, DT_CONFIG_LINE_WRONG);
}

test(lines_are_counted_and_know_their_section)
{
	struct dt_str text = DT_STR("a=1\n[s]\n\nb=2");
	struct dt_config_line line = { 0 };

	assert_true(dt_config_next_line(&text, &line));
	assert_int_equal(line.number, 1);
	assert_int_equal(line.section.len, 0);
	assert_str(line.whole, "a=1\n");
	assert_true(dt_config_next_line(&text, &line));
	assert_int_equal(line.kind, DT_CONFIG_LINE_SECTION);
	assert_true(dt_config_next_line(&text, &line));
	assert_true(dt_config_next_line(&text, &line));
	assert_int_equal(line.number, 4);
	assert_str(line.section, "s");
	assert_str(line.whole, "b=2");
	assert_false(dt_config_next_line(&text, &line));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blank_lines_and_comments_are_blank),
		cmocka_unit_test(a_value_keeps_what_is_inside_it),
		cmocka_unit_test(
			brackets_without_a_name_and_settings_without_one_are_wrong),
		cmocka_unit_test(lines_are_counted_and_know_their_section),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
