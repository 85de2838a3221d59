#include "unit.h"

#include "app/claude_settings.h"
#include "data/json.h"

#define COMMAND "'/x y/dovetail' hook claude"

static struct dt_arena arena;

static int end(void **state)
{
	(void)state;
	dt_arena_done(&arena);
	return 0;
}

static const char *add_as(const char *settings, const char *command)
{
	struct dt_fail fail = { 0 };
	struct dt_str out = { 0 };

	if (dt_claude_settings_add(&arena, dt_str(settings), command, &out,
	                           &fail)) {
		assert_int_equal(fail.code, DT_E_ARGS);
		return dt_arena_strdup(&arena, fail.msg);
	}
	return dt_arena_strndup(&arena, out.ptr, out.len);
}

static const char *add(const char *settings)
{
	return add_as(settings, COMMAND);
}

static const char *without(const char *settings)
{
	struct dt_fail fail = { 0 };
	struct dt_str out = { 0 };

	if (dt_claude_settings_remove(&arena, dt_str(settings), &out, &fail))
		return dt_arena_strdup(&arena, fail.msg);
	return dt_arena_strndup(&arena, out.ptr, out.len);
}

#define ENTRY                                                                  \
	"{\n"                                                                  \
	"        \"matcher\": \"Edit|MultiEdit|Write|NotebookEdit\",\n"        \
	"        \"hooks\": [\n"                                               \
	"          {\n"                                                        \
	"            \"type\": \"command\",\n"                                 \
	"            \"command\": \"" COMMAND "\",\n"                          \
	"            \"timeout\": 86400,\n"                                    \
	"            \"onFailure\": \"block\",\n"                              \
	"            \"statusMessage\": \"Waiting for your review: dovetail "  \
	"review\"\n"                                                           \
	"          }\n"                                                        \
	"        ]\n"                                                          \
	"      }"
#define PRE "\"PreToolUse\": [\n      " ENTRY "\n    ]"
#define PROMPT                                                                 \
	"\"UserPromptSubmit\": [\n"                                            \
	"      {\n"                                                            \
	"        \"hooks\": [\n"                                               \
	"          {\n"                                                        \
	"            \"type\": \"command\",\n"                                 \
	"            \"command\": \"" COMMAND "\",\n"                          \
	"            \"timeout\": 5\n"                                         \
	"          }\n"                                                        \
	"        ]\n"                                                          \
	"      }\n"                                                            \
	"    ]"
#define BOTH PRE ",\n    " PROMPT
#define HOOKS "\"hooks\": {\n    " BOTH "\n  }"

/* As they were before there was one for prompts. */
#define OLD_HOOKS "\"hooks\": {\n    " PRE "\n  }"
#define PAIR "\"DOVETAIL_AGENT\": \"claude\""
#define MARK "\"env\": {\n    " PAIR "\n  }"

test(nothing_becomes_settings_with_the_hook)
{
	assert_string_equal(add(""), "{\n  " HOOKS ",\n  " MARK "\n}\n");
	assert_string_equal(add("{}\n"), "{\n  " HOOKS ",\n  " MARK "\n}\n");
}

test(every_other_byte_is_kept)
{
	assert_string_equal(add("{\n  \"a\" : [1,  2],\n  \"b\": 1e2\n}\n"),
	                    "{\n  \"a\" : [1,  2],\n  \"b\": 1e2,\n  " HOOKS
	                    ",\n  " MARK "\n}\n");
	assert_string_equal(add("{\"hooks\": {\"Stop\": []}, \"z\": 1}"),
	                    "{\"hooks\": {\"Stop\": [],\n    " BOTH
	                    "}, \"z\": 1,\n  " MARK "}");
	assert_string_equal(add("{\"hooks\": {\"PreToolUse\": []}}"),
	                    "{\"hooks\": {\"PreToolUse\": [\n      " ENTRY
	                    "\n    ],\n    " PROMPT "},\n  " MARK "}");
	assert_string_equal(
		add("{\"hooks\":{\"PreToolUse\":[{\"hooks\":[]}]}}"),
		"{\"hooks\":{\"PreToolUse\":[{\"hooks\":[]},\n"
		"      " ENTRY "],\n    " PROMPT "},\n  " MARK "}");
}

/* Background jobs lose their parents but not their environment. */
test(what_the_cli_runs_is_marked)
{
	assert_string_equal(add("{\"env\": {\"A\": \"1\"}, " HOOKS "}"),
	                    "{\"env\": {\"A\": \"1\",\n    " PAIR "}, " HOOKS
	                    "}");
	assert_string_equal(without("{\"env\": {\"A\": \"1\", " PAIR "}}"),
	                    "{\"env\": {\"A\": \"1\"}}");
	assert_string_equal(without("{" MARK ", \"a\": 1}"), "{\"a\": 1}");
	assert_string_equal(add("{\"env\":7}"),
	                    "\"env\" in the settings is not an object");
}

test(what_is_added_can_be_read_and_is_added_once)
{
	static const char *const all[] = {
		"",
		"{}",
		"{\"hooks\":{}}",
		"{" OLD_HOOKS "}",
		"{\"hooks\":{\"PreToolUse\":[]},\"a\":0}",
		"{\"a\":{\"hooks\":7}}",
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		const char *once = add(all[i]);
		const struct dt_json *json;

		assert_ok(dt_json_read(&arena, dt_str(once), &json, NULL));
		assert_string_equal(add(once), once);
	}
}

test(a_hook_for_other_tools_is_replaced)
{
	assert_string_equal(
		add("{\"hooks\":{\"PreToolUse\":[{\"matcher\":\"Bash\","
	            "\"hooks\":[{\"command\":\"" COMMAND "\"}]}]}}"),
		"{\n  " HOOKS ",\n  " MARK "\n}");
}

test(a_hook_that_fails_open_is_replaced)
{
	static const char *const rests[] = {
		"",
		",\"onFailure\":\"block\"",
		",\"onFailure\":\"ignore\",\"statusMessage\":\"m\"",
		",\"onFailure\":true,\"statusMessage\":\"m\"",
	};
	const char *whole =
		"{\"hooks\":{\"PreToolUse\":[{\"hooks\":[{"
		"\"command\":\"" COMMAND "\",\"onFailure\":\"block\","
		"\"statusMessage\":\"mine\"}]}]," PROMPT "}," MARK "}";

	for (size_t i = 0; i < sizeof(rests) / sizeof(rests[0]); i++)
		assert_string_equal(
			add(dt_arena_printf(
				&arena,
				"{\"hooks\":{\"PreToolUse\":[{\"hooks\":[{"
				"\"command\":\"" COMMAND "\"%s}]}]}}",
				rests[i])),
			"{\n  " HOOKS ",\n  " MARK "\n}");
	assert_string_equal(add(whole), whole);
}

test(the_hook_before_a_prompt_is_added_where_it_lacks)
{
	assert_string_equal(add("{\n  " OLD_HOOKS "\n}\n"),
	                    "{\n  " HOOKS ",\n  " MARK "\n}\n");
}

test(what_was_added_is_taken_out_to_the_byte)
{
	static const char *const all[] = {
		"{\n  \"a\": 1\n}\n",
		"{\"a\":1,\"hooks\":{\"Stop\":[1]}}",
		"{\"env\":{\"A\":\"1\"}}",
		"{ \"hooks\" : { \"PreToolUse\" : [ {} ] } }",
		"{\"hooks\":{\"UserPromptSubmit\":[{\"hooks\":[7]}]}}",
		("{\"hooks\":{\"PreToolUse\":[{\"matcher\":\"Bash\",\"hooks\":"
		 "[{\"type\":\"command\",\"command\":\"x\"}]}]},\"z\":0}\r\n"),
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		assert_string_equal(without(add(all[i])), all[i]);
}

test(what_would_be_left_empty_goes_too)
{
	assert_string_equal(without("{\n  " HOOKS "\n}\n"), "{}\n");
	assert_string_equal(without("{\n  " OLD_HOOKS "\n}\n"), "{}\n");
	assert_string_equal(without("{" HOOKS ", \"a\": 1}"), "{\"a\": 1}");
	assert_string_equal(without("{\"hooks\": {" PRE ", \"Stop\": 1}}"),
	                    "{\"hooks\": {\"Stop\": 1}}");
}

test(a_hook_beside_others_goes_alone)
{
#define WITH(hooks) "{\"hooks\":{\"PreToolUse\":[{\"hooks\":[" hooks "]}]}}"
#define HOOK(command) "{\"command\":\"" command "\"}"
	assert_string_equal(
		without(WITH(HOOK("a") ", " HOOK("dovetail hook claude"))),
		WITH(HOOK("a")));
	assert_string_equal(
		without(WITH(HOOK(COMMAND) ", " HOOK("a") ", " HOOK(COMMAND))),
		WITH(HOOK("a")));
}

test(what_is_not_ours_stays)
{
	static const char *const all[] = {
		"{}",
		"",
		WITH(HOOK("dovetail hook")),
		WITH(HOOK("echo hook claude")),
		WITH("{\"command\":7}, null, \"dovetail hook claude\""),
		"{\"hooks\":{\"PreToolUse\":[7,{\"hooks\":{}}]}}",
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		assert_string_equal(without(all[i]), all[i]);
}

test(a_dovetail_that_moved_is_replaced)
{
	const char *before = add_as("{}", "'/old/dovetail' hook claude");

	assert_string_equal(add(before), add("{}"));
}

test(what_cannot_be_settings_is_refused)
{
	assert_string_equal(add("[]"), "the settings are not an object");
	assert_non_null(strstr(add("{// no\n}"), "are not JSON"));
	assert_string_equal(add("{\"hooks\":[]}"),
	                    "\"hooks\" in the settings is not an object");
	assert_string_equal(without("{\"hooks\":{\"PreToolUse\":{}}}"),
	                    "\"PreToolUse\" in the settings is not an array");
}

test(the_command_is_this_program_quoted)
{
	const char *command = dt_claude_settings_command(&arena);

	assert_non_null(strstr(command, "exec '/"));
	assert_non_null(
		strstr(command, "test_app_claude_settings' hook claude"));
	/* It is known again. */
	assert_string_equal(without(add_as("{\"a\":1}", command)), "{\"a\":1}");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_becomes_settings_with_the_hook),
		cmocka_unit_test(every_other_byte_is_kept),
		cmocka_unit_test(what_the_cli_runs_is_marked),
		cmocka_unit_test(what_is_added_can_be_read_and_is_added_once),
		cmocka_unit_test(a_hook_for_other_tools_is_replaced),
		cmocka_unit_test(a_hook_that_fails_open_is_replaced),
		cmocka_unit_test(
			the_hook_before_a_prompt_is_added_where_it_lacks),
		cmocka_unit_test(what_was_added_is_taken_out_to_the_byte),
		cmocka_unit_test(what_would_be_left_empty_goes_too),
		cmocka_unit_test(a_hook_beside_others_goes_alone),
		cmocka_unit_test(what_is_not_ours_stays),
		cmocka_unit_test(a_dovetail_that_moved_is_replaced),
		cmocka_unit_test(what_cannot_be_settings_is_refused),
		cmocka_unit_test(the_command_is_this_program_quoted),
	};

	return cmocka_run_group_tests(tests, NULL, end);
}
