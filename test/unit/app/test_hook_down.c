#include "unit.h"

#include "app/hook_down.h"
#include "data/json.h"

#include <stdlib.h>

static struct dt_arena arena;

static int end(void **state)
{
	(void)state;
	unsetenv("CLAUDE_CODE_SESSION_ATTENDED");
	dt_arena_done(&arena);
	return 0;
}

/* The answer with this line in dovetail.conf. */
static const struct dt_json *answer(const char *conf)
{
	struct dt_config *config = dt_config_new();
	const struct dt_json *json;
	struct dt_buf out;
	struct dt_str text;

	dt_config_read_text(config, "conf", dt_str(conf), false);
	dt_buf_init(&out, 65536);
	dt_hook_down(config, "it is \"gone\"", &out);
	text = (struct dt_str){ dt_arena_strndup(&arena, out.ptr, out.len),
		                out.len };
	assert_ok(dt_json_read(&arena, text, &json, NULL));
	dt_buf_done(&out);
	dt_config_free(config);
	return json;
}

static const char *member(const struct dt_json *of, const char *name)
{
	const struct dt_json *value = dt_json_get(of, name);
	struct dt_str text;

	if (!value)
		return "none";
	text = dt_json_text(&arena, value);
	return dt_arena_strndup(&arena, text.ptr, text.len);
}

static const char *decision(const char *conf)
{
	const struct dt_json *answered =
		dt_json_get(answer(conf), "hookSpecificOutput");

	if (!answered)
		return "none";
	assert_string_equal(member(answered, "hookEventName"), "PreToolUse");
	return member(answered, "permissionDecision");
}

test(the_cli_asks_unless_the_person_chose)
{
	assert_string_equal(decision(""), "ask");
	assert_string_equal(decision("[hook]\nwhen_down = deny\n"), "deny");
	assert_string_equal(decision("[hook]\nwhen_down = ask\n"), "ask");
	/* What cannot be read lets nothing pass. */
	assert_string_equal(decision("[hook]\nwhen_down = pass\n"), "ask");
	assert_string_equal(decision("when_down = allow\n"), "ask");
}

test(with_nobody_there_to_be_asked_it_is_denied)
{
	setenv("CLAUDE_CODE_SESSION_ATTENDED", "0", 1);
	assert_string_equal(decision(""), "deny");
	setenv("CLAUDE_CODE_SESSION_ATTENDED", "1", 1);
	assert_string_equal(decision(""), "ask");
}

test(who_chose_so_goes_on_as_without_a_hook_and_is_told)
{
	const struct dt_json *json = answer("[hook]\nwhen_down = allow\n");

	assert_null(dt_json_get(json, "hookSpecificOutput"));
	assert_non_null(
		strstr(member(json, "systemMessage"), "it is \"gone\""));
}

test(the_reason_says_what_to_do)
{
	const char *reason =
		member(dt_json_get(answer(""), "hookSpecificOutput"),
	               "permissionDecisionReason");

	assert_non_null(strstr(reason, "it is \"gone\""));
	assert_non_null(strstr(reason, "dovetail start"));
	assert_non_null(strstr(reason, "dovetail.log"));
	assert_non_null(strstr(reason, "dovetail hook uninstall claude"));
}

int main(void)
{
#define DOWN_TEST(name) cmocka_unit_test_teardown(name, end)
	const struct CMUnitTest tests[] = {
		DOWN_TEST(the_cli_asks_unless_the_person_chose),
		DOWN_TEST(with_nobody_there_to_be_asked_it_is_denied),
		DOWN_TEST(who_chose_so_goes_on_as_without_a_hook_and_is_told),
		DOWN_TEST(the_reason_says_what_to_do),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
