/* test/unit/editor/test_run.c - commands in words, and where they run. */
#include "editor/run.h"

#include "unit.h"

static void check(const char *expected, const char *command,
                  const char *const *args)
{
	const char *words[8] = { NULL };
	struct dt_names names = { .ptr = words };
	struct dt_buf out;

	for (; args[names.count]; names.count++)
		words[names.count] = args[names.count];
	dt_buf_init(&out, 1000);
	dt_run_words(&out, command, &names);
	assert_string_equal(dt_buf_z(&out), expected);
	dt_buf_done(&out);
}

#define CHECK(expected, command, ...)                                          \
	check(expected, command, (const char *const[]){ __VA_ARGS__, NULL })

test(plain_words_stay_as_they_are)
{
	CHECK("git log --oneline -5 main..HEAD", "git", "log", "--oneline",
	      "-5", "main..HEAD");
	check("make", "make", (const char *const[]){ NULL });
}

test(what_a_shell_would_take_apart_is_quoted)
{
	CHECK("echo 'a b' '' '$HOME' '*' 'it'\\''s' '~' '#'", "echo", "a b", "",
	      "$HOME", "*", "it's", "~", "#");
	CHECK("'A=b' c", "A=b", "c");
	CHECK("'a b' c", "a b", "c");
	CHECK("echo '\xc3\xa9'", "echo", "\xc3\xa9");
}

test(what_cannot_be_seen_is_written_as_an_escape)
{
	CHECK("echo $'a\\nb' $'\\x1b[2J' $'\\t' $'\\x7f'", "echo", "a\nb",
	      "\x1b[2J", "\t", "\x7f");
	/* Turned round, of no width, another blank, C1, a tag. */
	CHECK("echo $'\\u202egnp' $'a\\u200bb' $'a\\u00a0b' $'\\u009b'", "echo",
	      "\xe2\x80\xae"
	      "gnp",
	      "a\xe2\x80\x8b"
	      "b",
	      "a\xc2\xa0"
	      "b",
	      "\xc2\x9b");
	CHECK("echo $'\\U000e0041'", "echo", "\xf3\xa0\x81\x81");
	CHECK("echo $'it\\'s \\\\n\\n'", "echo", "it's \\n\n");
	CHECK("$'A=\\n' b", "A=\n", "b");
}

test(a_folder_is_taken_from_the_main_one)
{
	struct dt_arena arena = { 0 };

	assert_string_equal(dt_run_cwd(&arena, "/w", NULL), "/w");
	assert_string_equal(dt_run_cwd(&arena, "/w", "sub/./x"), "/w/sub/x");
	assert_string_equal(dt_run_cwd(&arena, "/w", "../x"), "/x");
	assert_string_equal(dt_run_cwd(&arena, "/w", "/etc"), "/etc");
	assert_string_equal(dt_run_cwd(&arena, "/w", "file:///w/a%20b"),
	                    "/w/a b");
	dt_arena_done(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plain_words_stay_as_they_are),
		cmocka_unit_test(what_a_shell_would_take_apart_is_quoted),
		cmocka_unit_test(what_cannot_be_seen_is_written_as_an_escape),
		cmocka_unit_test(a_folder_is_taken_from_the_main_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
