/* test/unit/hub/test_config_policy.c - the rules of [policy] as lines. */
#include "hub/config.h"

#include "unit.h"

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

static const struct dt_rules *read_text(const char *text, bool is_repository)
{
	dt_config_read_text(config, is_repository ? "r" : "f", dt_str(text),
	                    is_repository);
	return dt_config_rules(config);
}

static void assert_warned(size_t n, const char *sentence)
{
	assert_true(n < dt_config_warning_count(config));
	assert_string_equal(dt_config_warning(config, n), sentence);
}

static void assert_rule(const struct dt_rule *rule, enum dt_rule_action action,
                        const char *text, unsigned line)
{
	assert_int_equal(rule->action, action);
	assert_string_equal(rule->text, text);
	assert_int_equal(rule->line, line);
}

test(there_are_no_rules_without_a_policy)
{
	const struct dt_rules *rules =
		read_text("[log]\nlevel = info\n", false);

	assert_int_equal(rules->count, 0);
	assert_false(rules->is_broken);
}

test(rules_keep_their_order_and_their_lines)
{
	const struct dt_rules *rules =
		read_text("[policy]\n"
	                  "ask = **/migrations/** | kind:test\n"
	                  "\n"
	                  "ask = lines>=200\r\n"
	                  "[log]\n"
	                  "level = info\n"
	                  "[policy]\n"
	                  "  record =*  \n",
	                  false);

	assert_int_equal(dt_config_warning_count(config), 0);
	assert_int_equal(rules->count, 3);
	assert_rule(&rules->list[0], DT_RULE_ASK,
	            "**/migrations/** | kind:test", 2);
	assert_rule(&rules->list[1], DT_RULE_ASK, "lines>=200", 4);
	assert_rule(&rules->list[2], DT_RULE_RECORD, "*", 8);
	assert_string_equal(rules->list[2].file, "f");
	assert_false(rules->list[2].is_repository);
	assert_false(rules->is_broken);
	assert_string_equal(dt_config_get(config, "log.level"), "info");
}

test(a_wrong_rule_is_warned_of_with_its_line_and_breaks_the_policy)
{
	static const char *const rows[][2] = {
		{ "[policy]\nask = kind:tset\n",
		  "f:2: there is no kind \"tset\" of change" },
		{ "[policy]\naks = *\n",
		  "f:2: [policy] knows allow, record, ask and deny, not \"aks\"" },
		{ "[policy]\nask\n", "f:2: neither [section] nor key = value" },
		{ "[policy]\nask =\n",
		  "f:2: the rule is empty; * stands for every file" },
		{ "[policy]\nask = a\x01\n",
		  "f:2: policy.ask must be one line of text" },
		{ "[policy]\nask = \xff\n", "f:2: policy.ask must be UTF-8" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		dt_config_free(config);
		config = dt_config_new();
		assert_true(read_text(rows[i][0], false)->is_broken);
		assert_warned(0, rows[i][1]);
	}
}

test(what_is_wrong_elsewhere_does_not_break_the_policy)
{
	assert_false(read_text("[policy]\nallow = *\n[log]\nlevel = loud\nx\n",
	                       false)
	                     ->is_broken);
	assert_int_equal(dt_config_warning_count(config), 2);
}

test(a_repository_adds_what_is_stricter)
{
	const struct dt_rules *rules =
		read_text("[policy]\nask = a\nallow = *\nrecord = *\nnonsense\n"
	                  "deny = b\n",
	                  true);

	assert_int_equal(rules->count, 2);
	assert_rule(&rules->list[0], DT_RULE_ASK, "a", 2);
	assert_rule(&rules->list[1], DT_RULE_DENY, "b", 6);
	assert_true(rules->list[0].is_repository);
	assert_string_equal(rules->list[0].file, "r");
	assert_warned(0, "r:3: a repository cannot allow changes, only ask and "
	                 "deny");
	assert_warned(1, "r:4: a repository cannot record changes, only ask "
	                 "and deny");
	assert_int_equal(dt_config_warning_count(config), 3);
	assert_false(rules->is_broken);
}

int main(void)
{
#define CONFIG_TEST(name) cmocka_unit_test_setup_teardown(name, start, end)
	const struct CMUnitTest tests[] = {
		CONFIG_TEST(there_are_no_rules_without_a_policy),
		CONFIG_TEST(rules_keep_their_order_and_their_lines),
		CONFIG_TEST(
			a_wrong_rule_is_warned_of_with_its_line_and_breaks_the_policy),
		CONFIG_TEST(what_is_wrong_elsewhere_does_not_break_the_policy),
		CONFIG_TEST(a_repository_adds_what_is_stricter),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
