#include "unit.h"

#include "app/shown.h"
#include "base/file.h"
#include "base/limits.h"
#include "base/path.h"

#include <stdlib.h>
#include <unistd.h>

static struct dt_arena arena;
static char folder[] = "/tmp/dt-shown-XXXXXX";

static int start(void **state)
{
	(void)state;
	memcpy(folder + sizeof(folder) - 7, "XXXXXX", 6);
	if (!mkdtemp(folder))
		return -1;
	return dt_file_make_dirs(dt_path_join(&arena, folder, "a/sub"), NULL) ||
	       dt_file_make_dirs(dt_path_join(&arena, folder, "b/sub"), NULL);
}

static int end(void **state)
{
	(void)state;
	dt_file_remove_tree(folder);
	dt_arena_done(&arena);
	return 0;
}

static void put(const char *name, const char *text)
{
	assert_ok(dt_file_write(dt_path_join(&arena, folder, name),
	                        dt_str(text), 0600, NULL));
}

static void expect(const char *name, const char *wanted)
{
	struct dt_buf text;

	dt_buf_init(&text, DT_LIMIT_FILE);
	assert_ok(
		dt_file_read(dt_path_join(&arena, folder, name), &text, NULL));
	assert_string_equal(dt_buf_z(&text), wanted);
	dt_buf_done(&text);
}

test(plain_trees_are_shown_as_they_are)
{
	const char *shown;

	put("a/sub/x", "one\r\n\ttwo\n");
	put("b/sub/x", "gr\xc3\xbcn\n");
	assert_ok(dt_shown_make(&arena, folder, &shown, NULL));
	assert_string_equal(shown, folder);
	assert_int_equal(access(dt_path_join(&arena, folder, "shown"), F_OK),
	                 -1);
}

test(what_hides_is_spelled_out_in_copies)
{
	const char *shown;

	put("a/sub/x", "one\n");
	put("b/sub/x", "if (is_admin\xe2\x80\xae)\n");
	assert_ok(dt_shown_make(&arena, folder, &shown, NULL));
	assert_string_equal(shown, dt_path_join(&arena, folder, "shown"));
	expect("shown/a/sub/x", "one\n");
	expect("shown/b/sub/x", "if (is_admin<U+202E>)\n");
	expect("b/sub/x", "if (is_admin\xe2\x80\xae)\n");
	/* The person edits and looks again. */
	put("b/sub/x", "two \x1b[8m\n");
	assert_ok(dt_shown_make(&arena, folder, &shown, NULL));
	expect("shown/b/sub/x", "two <U+001B>[8m\n");
}

test(names_are_spelled_out)
{
	const char *shown;

	put("b/sub/x\xe2\x80\x8b.c", "same\n");
	assert_ok(dt_shown_make(&arena, folder, &shown, NULL));
	expect("shown/b/sub/x<U+200B>.c", "same\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			plain_trees_are_shown_as_they_are, start, end),
		cmocka_unit_test_setup_teardown(
			what_hides_is_spelled_out_in_copies, start, end),
		cmocka_unit_test_setup_teardown(names_are_spelled_out, start,
		                                end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
