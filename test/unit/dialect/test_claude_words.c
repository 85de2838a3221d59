#include "unit.h"

#include "base/limits.h"
#include "dialect/claude_words.h"

static struct dt_buf out;

static int begin(void **state)
{
	(void)state;
	dt_buf_init(&out, DT_MIB);
	return 0;
}

static int end(void **state)
{
	(void)state;
	dt_buf_done(&out);
	return 0;
}

static const char *accepted(struct dt_str proposed, struct dt_str final,
                            const char *comment)
{
	struct dt_claude_accepted a = {
		.proposed = proposed,
		.final = final,
		.comment = comment,
	};

	dt_buf_clear(&out);
	dt_claude_words_accepted("/w/a.txt", &a, &out);
	return dt_buf_z(&out);
}

#define HEAD                                                                   \
	"The person changed this edit before accepting it: a.txt does not "    \
	"hold the text you proposed. From your text (-) to what the file "     \
	"holds now (+):\n"

test(what_is_accepted_as_it_is_needs_no_words)
{
	assert_string_equal(accepted(DT_STR("a\n"), DT_STR("a\n"), NULL), "");
	assert_string_equal(accepted(DT_STR("a\n"), DT_STR("a\n"), ""), "");
	assert_string_equal(accepted(DT_STR("a\n"), DT_STR("a\n"), "thanks"),
	                    "The person accepted this change and says: thanks");
}

test(what_the_person_changed_is_a_diff_from_the_proposal)
{
	assert_string_equal(
		accepted(DT_STR("a\nb\nc"), DT_STR("a\nB\nc"), NULL),
		HEAD "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n"
		     "\\ No newline at end of file\n");
	assert_string_equal(accepted(DT_STR("a\n"), DT_STR(""), "no file"),
	                    HEAD "@@ -1,1 +0,0 @@\n-a\n"
	                         "The person says: no file");
}

test(a_long_difference_ends_with_how_much_is_left)
{
	static char text[200 * 100];
	const char *words;

	for (size_t i = 0; i < sizeof(text); i++)
		text[i] = i % 100 == 99 ? '\n' : 'x';
	words = accepted(DT_STR(""), (struct dt_str){ text, sizeof(text) },
	                 "sorry");
	assert_in_range(strlen(words), DT_CLAUDE_WORDS_DIFF - 200,
	                DT_CLAUDE_WORDS_DIFF + 400);
	assert_non_null(strstr(words,
	                       "\n... and 160 more lines; read the file again\n"
	                       "The person says: sorry"));
}

test(a_line_longer_than_the_budget_is_left_out_whole)
{
	static char text[2 * DT_CLAUDE_WORDS_DIFF];

	memset(text, 'x', sizeof(text));
	assert_string_equal(accepted(DT_STR("a\n"),
	                             (struct dt_str){ text, sizeof(text) },
	                             NULL),
	                    HEAD "@@ -1,1 +1,1 @@\n-a\n"
	                         "... and 1 more lines; read the file again\n");
}

test(a_long_comment_is_cut_between_characters)
{
	static char comment[2 * DT_CLAUDE_WORDS_COMMENT];
	const char *words;

	for (size_t i = 0; i + 2 < sizeof(comment); i += 2)
		memcpy(&comment[i], "\xc3\xa9", 2);
	words = accepted(DT_STR("a"), DT_STR("a"), comment);
	assert_non_null(strstr(words, "\xc3\xa9 [...]"));
	assert_in_range(strlen(words), 0, DT_CLAUDE_WORDS_COMMENT + 200);
}

test(a_reason_carries_the_comment)
{
	dt_claude_words_reason("It changed.", NULL, &out);
	assert_string_equal(dt_buf_z(&out), "It changed.");
	dt_buf_clear(&out);
	dt_claude_words_reason("It changed.", "hm", &out);
	assert_string_equal(dt_buf_z(&out), "It changed. The person says: hm");
}

test(words_for_the_next_prompt_name_verdict_and_file)
{
	dt_claude_words_later(false, "/w/a", "too \"long\"", &out);
	dt_claude_words_later(true, "/w/b", "fine", &out);
	assert_string_equal(dt_buf_z(&out),
	                    "The person rejected your change of /w/a: "
	                    "too \"long\"\n"
	                    "The person accepted your change of /w/b and says: "
	                    "fine\n");
	dt_buf_clear(&out);
	dt_claude_words_prompt(DT_STR("a \"b\""), &out);
	assert_string_equal(
		dt_buf_z(&out),
		"{\"hookSpecificOutput\":{\"hookEventName\":"
		"\"UserPromptSubmit\",\"additionalContext\":\"a \\\"b\\\"\"}}");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			what_is_accepted_as_it_is_needs_no_words, begin, end),
		cmocka_unit_test_setup_teardown(
			what_the_person_changed_is_a_diff_from_the_proposal,
			begin, end),
		cmocka_unit_test_setup_teardown(
			a_long_difference_ends_with_how_much_is_left, begin,
			end),
		cmocka_unit_test_setup_teardown(
			a_line_longer_than_the_budget_is_left_out_whole, begin,
			end),
		cmocka_unit_test_setup_teardown(
			a_long_comment_is_cut_between_characters, begin, end),
		cmocka_unit_test_setup_teardown(a_reason_carries_the_comment,
		                                begin, end),
		cmocka_unit_test_setup_teardown(
			words_for_the_next_prompt_name_verdict_and_file, begin,
			end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
