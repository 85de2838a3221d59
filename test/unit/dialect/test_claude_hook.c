#include "unit.h"

#include "base/limits.h"
#include "dialect/claude_hook.h"

#define MARK "\xef\xbb\xbf"

static struct dt_arena arena;

static int end(void **state)
{
	(void)state;
	dt_arena_done(&arena);
	return 0;
}

static const struct dt_json *json_of(const char *text)
{
	const struct dt_json *json;
	struct dt_fail fail = { 0 };

	if (dt_json_read(&arena, dt_str(text), &json, &fail))
		fail_msg("%s in %s", fail.msg, text);
	return json;
}

/* What the CLI says before it uses a tool. */
static const char *input_of(const char *tool, const char *input)
{
	return dt_arena_printf(&arena,
	                       "{\"session_id\":\"s1\",\"cwd\":\"/w\","
	                       "\"permission_mode\":\"auto\","
	                       "\"hook_event_name\":\"PreToolUse\","
	                       "\"tool_name\":\"%s\",\"tool_input\":%s,"
	                       "\"tool_use_id\":\"t1\"}",
	                       tool, input);
}

static enum dt_err read_text(const char *text, struct dt_claude_hook *out)
{
	struct dt_fail fail = { 0 };
	enum dt_err err =
		dt_claude_hook_read(&arena, json_of(text), out, &fail);

	assert_int_equal(err, fail.code);
	return err;
}

static struct dt_claude_hook hook_of(const char *tool, const char *input)
{
	struct dt_claude_hook hook = { 0 };

	assert_ok(read_text(input_of(tool, input), &hook));
	return hook;
}

#define EDIT(fields) hook_of("Edit", "{\"file_path\":\"/w/a\"," fields "}")
#define MULTI(edits)                                                           \
	hook_of("MultiEdit", "{\"file_path\":\"/w/a\",\"edits\":[" edits "]}")
#define WRITE(text)                                                            \
	hook_of("Write", "{\"file_path\":\"/w/a\",\"content\":" text "}")

/* The proposal, or NULL when the edit does not fit with this failure. */
static const char *propose(struct dt_claude_hook hook, struct dt_str old,
                           enum dt_err wanted)
{
	struct dt_fail fail = { 0 };
	struct dt_str text = { 0 };
	enum dt_err err =
		dt_claude_hook_propose(&arena, &hook, old, &text, &fail);

	if (err != wanted)
		fail_msg("%d: %s", err, fail.msg);
	if (err)
		assert_string_not_equal(fail.msg, "");
	return err ? NULL : dt_arena_strndup(&arena, text.ptr, text.len);
}

#define assert_proposes(hook, old, text)                                       \
	assert_string_equal(propose(hook, DT_STR(old), DT_E_OK), text)
#define assert_unfit(hook, old)                                                \
	assert_null(propose(hook, DT_STR(old), DT_E_ARGS))

/* reading */

test(an_edit_is_read_with_session_folder_and_mode)
{
	struct dt_claude_hook hook = EDIT("\"old_string\":\"\"");

	assert_string_equal(hook.session, "s1");
	assert_string_equal(hook.folder, "/w");
	assert_string_equal(hook.mode, "auto");
	assert_string_equal(hook.path, "/w/a");
	assert_int_equal(hook.tool, DT_CLAUDE_EDIT);
}

test(each_tool_that_edits_is_known)
{
	assert_int_equal(MULTI("").tool, DT_CLAUDE_MULTI_EDIT);
	assert_int_equal(WRITE("\"\"").tool, DT_CLAUDE_WRITE);
	assert_int_equal(
		hook_of("NotebookEdit", "{\"notebook_path\":\"/n\"}").tool,
		DT_CLAUDE_NOTEBOOK_EDIT);
}

test(a_relative_path_is_below_the_clis_folder)
{
	struct dt_claude_hook hook =
		hook_of("Write", "{\"file_path\":\"x/../b\"}");

	assert_string_equal(hook.path, "/w/b");
}

test(without_a_mode_it_is_the_default)
{
	struct dt_claude_hook hook = { 0 };

	assert_ok(read_text("{\"session_id\":\"s\",\"cwd\":\"/w\","
	                    "\"hook_event_name\":\"PreToolUse\","
	                    "\"tool_name\":\"Write\","
	                    "\"tool_input\":{\"file_path\":\"/w/a\"}}",
	                    &hook));
	assert_string_equal(hook.mode, "default");
}

test(what_is_no_edit_is_none_of_our_business)
{
	struct dt_claude_hook hook = { 0 };

	assert_int_equal(read_text(input_of("Bash", "{}"), &hook),
	                 DT_E_UNSUPPORTED);
	assert_int_equal(read_text("{\"session_id\":\"s\",\"cwd\":\"/w\","
	                           "\"hook_event_name\":\"PostToolUse\","
	                           "\"tool_name\":\"Edit\"}",
	                           &hook),
	                 DT_E_UNSUPPORTED);
}

test(malformed_input_is_refused)
{
	static const char *const bad[] = {
		"{}",
		"[]",
		"7",
		"{\"session_id\":1}",
		("{\"session_id\":\"s\",\"cwd\":\"w\","
		 "\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"Edit\"}"),
	};
	struct dt_claude_hook hook = { 0 };

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(read_text(bad[i], &hook), DT_E_ARGS);
	assert_int_equal(read_text(input_of("Edit", "{}"), &hook), DT_E_ARGS);
	assert_int_equal(read_text(input_of("Edit", "null"), &hook), DT_E_ARGS);
	assert_int_equal(
		read_text(input_of("Write", "{\"file_path\":\"\"}"), &hook),
		DT_E_ARGS);
	assert_int_equal(
		read_text(input_of("Write", "{\"file_path\":\"/a\\u0000\"}"),
	                  &hook),
		DT_E_ARGS);
}

/* proposals */

#define ONE_TO_TWO "\"old_string\":\"one\",\"new_string\":\"two\""

test(an_edit_replaces_once)
{
	assert_proposes(EDIT(ONE_TO_TWO), "a one b", "a two b");
	assert_proposes(EDIT(ONE_TO_TWO), "one", "two");
}

test(what_is_not_there_or_twice_there_does_not_fit)
{
	assert_unfit(EDIT(ONE_TO_TWO), "three");
	assert_unfit(EDIT(ONE_TO_TWO), "one one");
	assert_unfit(EDIT(ONE_TO_TWO), "");
	assert_null(propose(EDIT(ONE_TO_TWO), (struct dt_str){ 0 }, DT_E_ARGS));
}

test(replace_all_replaces_everywhere_without_looking_at_its_own)
{
	assert_proposes(EDIT("\"old_string\":\"a\",\"new_string\":\"aa\","
	                     "\"replace_all\":true"),
	                "a-a", "aa-aa");
	assert_proposes(EDIT("\"old_string\":\"aa\",\"new_string\":\"b\","
	                     "\"replace_all\":true"),
	                "aaaaa", "bba");
}

test(an_empty_old_string_fills_a_file_that_is_missing_empty_or_blank)
{
#define FILL EDIT("\"old_string\":\"\",\"new_string\":\"new\\n\"")
	assert_string_equal(propose(FILL, (struct dt_str){ 0 }, DT_E_OK),
	                    "new\n");
	assert_proposes(FILL, "", "new\n");
	assert_proposes(FILL, " \n\t\n", "new\n");
	assert_unfit(FILL, "\nx");
}

test(what_is_deleted_goes_with_its_line_end)
{
#define DELETE(text) EDIT("\"old_string\":\"" text "\",\"new_string\":\"\"")
	assert_proposes(DELETE("b"), "a\nb\nc\n", "a\nc\n");
	assert_proposes(DELETE("b\\n"), "a\nb\n\nc\n", "a\n\nc\n");
	assert_proposes(DELETE("b"), "abc\n", "ac\n");
	assert_proposes(DELETE("b"), "ab", "a");
	assert_proposes(EDIT("\"old_string\":\"b\",\"new_string\":\"\","
	                     "\"replace_all\":true"),
	                "x b\nb y\nb\n", "x b y\n");
}

test(line_ends_and_mark_of_the_file_are_kept)
{
#define LINES EDIT("\"old_string\":\"a\\nb\",\"new_string\":\"A\\nB\\nC\"")
	assert_proposes(LINES, "a\r\nb\r\n", "A\r\nB\r\nC\r\n");
	assert_proposes(LINES, MARK "a\r\nb\nc\n", MARK "A\nB\nC\nc\n");
	assert_proposes(LINES, "a\nb", "A\nB\nC");
}

test(what_is_no_utf_8_text_is_not_proposed)
{
	assert_null(propose(EDIT(ONE_TO_TWO), DT_STR("one \xe9"),
	                    DT_E_UNSUPPORTED));
	assert_null(propose(WRITE("\"x\""), DT_STR("a\0b"), DT_E_UNSUPPORTED));
}

test(several_edits_apply_one_after_the_other)
{
	assert_proposes(MULTI("{\"old_string\":\"a\",\"new_string\":\"b\"},"
	                      "{\"old_string\":\"b\",\"new_string\":\"c\"}"),
	                "a", "c");
	assert_unfit(MULTI("{\"old_string\":\"a\",\"new_string\":\"b\"},"
	                   "{\"old_string\":\"a\",\"new_string\":\"c\"}"),
	             "a");
	assert_unfit(MULTI("{\"old_string\":\"a\"}"), "a");
}

test(a_written_file_keeps_its_mark_and_the_models_line_ends)
{
	assert_proposes(WRITE("\"x\\r\\ny\\n\""), "a\r\n", "x\r\ny\n");
	assert_proposes(WRITE("\"x\\n\""), MARK "a\r\n", MARK "x\n");
	assert_proposes(WRITE("\"\""), "a", "");
	assert_unfit(WRITE("7"), "a");
}

test(a_text_beyond_the_limit_is_not_proposed)
{
	static char old[64 * DT_KIB];
	static char longer[DT_LIMIT_FILE / sizeof(old) + 2];
	struct dt_claude_hook hook;

	memset(old, 'a', sizeof(old));
	memset(longer, 'b', sizeof(longer) - 1);
	hook = hook_of("Edit", dt_arena_printf(&arena,
	                                       "{\"file_path\":\"/w/a\","
	                                       "\"old_string\":\"a\","
	                                       "\"new_string\":\"%s\","
	                                       "\"replace_all\":true}",
	                                       longer));
	assert_null(
		propose(hook, (struct dt_str){ old, sizeof(old) }, DT_E_LIMIT));
}

/* answers */

#define ANSWER(decision, reason)                                               \
	"{\"hookSpecificOutput\":{\"hookEventName\":\"PreToolUse\","           \
	"\"permissionDecision\":\"" decision                                   \
	"\",\"permissionDecisionReason\":\"" reason "\""
#define EDITED                                                                 \
	ANSWER("allow", "Accepted in Dovetail, with changes by the person.")   \
	",\"updatedInput\":"

/* What the model is told is test_claude_words.c's. */
static const char *without_words(const char *text)
{
	const char *words = strstr(text, ",\"additionalContext\":\"");

	if (!words)
		return text;
	return dt_arena_printf(&arena, "%.*s}}", (int)(words - text), text);
}

/* What is printed for a verdict; the failure's sentence when there is one. */
static const char *allow(struct dt_claude_hook hook, struct dt_str old,
                         struct dt_str final)
{
	struct dt_claude_accepted accepted = { .old = old, .final = final };
	struct dt_fail fail = { 0 };
	struct dt_buf out;
	const char *text;
	enum dt_err err;

	accepted.proposed = dt_str(propose(hook, old, DT_E_OK));
	dt_buf_init(&out, DT_MIB);
	err = dt_claude_hook_allow(&arena, &hook, &accepted, &out, &fail);
	if (err) {
		assert_int_equal(err, DT_E_UNSUPPORTED);
		assert_int_equal(out.len, 0);
	}
	text = dt_arena_strdup(&arena, err ? fail.msg : dt_buf_z(&out));
	dt_buf_done(&out);
	return without_words(text);
}

#define assert_allows(hook, old, final, text)                                  \
	assert_string_equal(allow(hook, DT_STR(old), DT_STR(final)), text)

test(what_is_accepted_as_proposed_is_allowed_as_it_is)
{
	assert_allows(EDIT(ONE_TO_TWO), "one", "two",
	              ANSWER("allow", "Accepted in Dovetail.") "}}");
}

test(the_persons_text_replaces_the_whole_file)
{
	assert_allows(EDIT(ONE_TO_TWO), "one\n", "mine \t\n\xc3\xa9",
	              EDITED "{\"file_path\":\"/w/a\",\"old_string\":\"one\\n\""
	                     ",\"new_string\":\"mine \\t\\n\xc3\xa9\","
	                     "\"replace_all\":false}}}");
	assert_allows(MULTI("{" ONE_TO_TWO "}"), "one\n", "",
	              EDITED "{\"file_path\":\"/w/a\",\"edits\":[{"
	                     "\"old_string\":\"one\\n\",\"new_string\":\"\","
	                     "\"replace_all\":false}]}}}");
	assert_allows(WRITE("\"x\""), "one\n", "mine\r\n",
	              EDITED "{\"file_path\":\"/w/a\","
	                     "\"content\":\"mine\\r\\n\"}}}");
}

test(the_cli_is_given_a_file_as_it_sees_it)
{
	assert_allows(EDIT(ONE_TO_TWO), MARK "one\r\n", MARK "a\r\nb",
	              EDITED "{\"file_path\":\"/w/a\",\"old_string\":\"one\\n\""
	                     ",\"new_string\":\"a\\r\\nb\","
	                     "\"replace_all\":false}}}");
}

test(the_model_is_told_what_the_person_made_of_it)
{
	struct dt_claude_hook hook = EDIT(ONE_TO_TWO);
	struct dt_claude_accepted accepted = {
		.old = DT_STR("one\n"),
		.proposed = DT_STR("two\n"),
		.final = DT_STR("mine\n"),
		.comment = "mind the \"name\"",
	};
	struct dt_buf out;

	dt_buf_init(&out, DT_MIB);
	assert_ok(dt_claude_hook_allow(&arena, &hook, &accepted, &out, NULL));
	assert_non_null(strstr(dt_buf_z(&out), "\"updatedInput\":{"));
	assert_non_null(strstr(dt_buf_z(&out), "-two\\n+mine\\n"));
	assert_non_null(strstr(dt_buf_z(&out), "says: mind the \\\"name"));
	dt_buf_clear(&out);
	accepted.final = accepted.proposed;
	assert_ok(dt_claude_hook_allow(&arena, &hook, &accepted, &out, NULL));
	assert_string_equal(
		dt_buf_z(&out),
		ANSWER("allow",
	               "Accepted in Dovetail.") ",\"additionalContext\":\"The person accepted this "
						"change and says: mind the \\\"name\\\"\"}}");
	dt_buf_done(&out);
}

test(a_new_file_is_made_of_nothing)
{
	const char *text = allow(FILL, (struct dt_str){ 0 }, DT_STR("mine"));

	assert_string_equal(text, EDITED
	                    "{\"file_path\":\"/w/a\",\"old_string\":\"\","
	                    "\"new_string\":\"mine\",\"replace_all\":false}}}");
	assert_string_equal(
		allow(WRITE("\"x\""), (struct dt_str){ 0 }, DT_STR("")),
		EDITED "{\"file_path\":\"/w/a\",\"content\":\"\"}}}");
}

test(what_the_tool_cannot_write_is_told_in_a_sentence)
{
	assert_allows(EDIT(ONE_TO_TWO), "one\n", "one\n",
	              "The person left the file as it was.");
	assert_string_equal(allow(FILL, (struct dt_str){ 0 }, DT_STR("")),
	                    "The person left the file as it was.");
	assert_non_null(strstr(
		allow(EDIT(ONE_TO_TWO), DT_STR("one\r\n"), DT_STR("mine\n")),
		"CRLF"));
	assert_non_null(
		strstr(allow(WRITE("\"x\""), DT_STR(MARK "a"), DT_STR("mine")),
	               "byte order mark"));
	assert_non_null(
		strstr(allow(EDIT(ONE_TO_TWO), DT_STR("one"), DT_STR("\xe9")),
	               "not UTF-8"));
}

test(an_answer_beyond_its_limit_is_a_failure)
{
	struct dt_claude_hook hook = EDIT(ONE_TO_TWO);
	struct dt_claude_accepted accepted = {
		.old = DT_STR("one"),
		.proposed = DT_STR("two"),
		.final = DT_STR("mine"),
	};
	struct dt_buf out;

	dt_buf_init(&out, 64);
	assert_int_equal(
		dt_claude_hook_allow(&arena, &hook, &accepted, &out, NULL),
		DT_E_LIMIT);
	dt_buf_done(&out);
}

test(to_deny_and_to_ask_carry_the_reason)
{
	struct dt_buf out;

	dt_buf_init(&out, DT_KIB);
	dt_claude_hook_answer(DT_CLAUDE_DENY, "say \"no\"", &out);
	assert_string_equal(dt_buf_z(&out),
	                    ANSWER("deny", "say \\\"no\\\"") "}}");
	dt_buf_clear(&out);
	dt_claude_hook_answer(DT_CLAUDE_ASK, "why", &out);
	assert_string_equal(dt_buf_z(&out), ANSWER("ask", "why") "}}");
	dt_buf_done(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_edit_is_read_with_session_folder_and_mode),
		cmocka_unit_test(each_tool_that_edits_is_known),
		cmocka_unit_test(a_relative_path_is_below_the_clis_folder),
		cmocka_unit_test(without_a_mode_it_is_the_default),
		cmocka_unit_test(what_is_no_edit_is_none_of_our_business),
		cmocka_unit_test(malformed_input_is_refused),
		cmocka_unit_test(an_edit_replaces_once),
		cmocka_unit_test(what_is_not_there_or_twice_there_does_not_fit),
		cmocka_unit_test(
			replace_all_replaces_everywhere_without_looking_at_its_own),
		cmocka_unit_test(
			an_empty_old_string_fills_a_file_that_is_missing_empty_or_blank),
		cmocka_unit_test(what_is_deleted_goes_with_its_line_end),
		cmocka_unit_test(line_ends_and_mark_of_the_file_are_kept),
		cmocka_unit_test(what_is_no_utf_8_text_is_not_proposed),
		cmocka_unit_test(several_edits_apply_one_after_the_other),
		cmocka_unit_test(
			a_written_file_keeps_its_mark_and_the_models_line_ends),
		cmocka_unit_test(a_text_beyond_the_limit_is_not_proposed),
		cmocka_unit_test(
			what_is_accepted_as_proposed_is_allowed_as_it_is),
		cmocka_unit_test(the_persons_text_replaces_the_whole_file),
		cmocka_unit_test(the_cli_is_given_a_file_as_it_sees_it),
		cmocka_unit_test(the_model_is_told_what_the_person_made_of_it),
		cmocka_unit_test(a_new_file_is_made_of_nothing),
		cmocka_unit_test(
			what_the_tool_cannot_write_is_told_in_a_sentence),
		cmocka_unit_test(an_answer_beyond_its_limit_is_a_failure),
		cmocka_unit_test(to_deny_and_to_ask_carry_the_reason),
	};

	return cmocka_run_group_tests(tests, NULL, end);
}
