#include "unit.h"

#include "app/target.h"
#include "base/str.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static struct dt_arena arena;
static struct dt_target target;
static struct dt_fail why;
static char folder[] = "/tmp/dt-target-XXXXXX";

static const char *const names[] = { "a.c", "a.c:3", "x:y", "10:20-30" };
#define NAME_COUNT (sizeof(names) / sizeof(names[0]))

static int make_files(void **state)
{
	(void)state;
	if (!mkdtemp(folder) || chdir(folder))
		return -1;
	for (size_t i = 0; i < NAME_COUNT; i++) {
		FILE *file = fopen(names[i], "w");

		if (!file || fclose(file))
			return -1;
	}
	return 0;
}

static int remove_files(void **state)
{
	(void)state;
	for (size_t i = 0; i < NAME_COUNT; i++)
		unlink(names[i]);
	return chdir("/") || rmdir(folder);
}

static int start(void **state)
{
	(void)state;
	why = (struct dt_fail){ 0 };
	return 0;
}

static int end(void **state)
{
	(void)state;
	dt_arena_done(&arena);
	return 0;
}

/* The path relative to the folder and the four numbers must be these. */
static void assert_target(const char *text, const char *name,
                          const unsigned numbers[4])
{
	if (dt_target_read(&arena, text, &target, &why))
		fail_msg("%s", why.msg);
	assert_string_equal(target.path,
	                    dt_arena_printf(&arena, "%s/%s", folder, name));
	assert_int_equal(target.start.line, numbers[0]);
	assert_int_equal(target.start.column, numbers[1]);
	assert_int_equal(target.end.line, numbers[2]);
	assert_int_equal(target.end.column, numbers[3]);
}

#define NUMBERS(...) ((const unsigned[4]){ __VA_ARGS__ })

test(a_name_alone_has_no_position)
{
	assert_target("a.c", "a.c", NUMBERS(0));
	assert_target("./a.c", "a.c", NUMBERS(0));
}

test(lines_columns_and_ranges_are_read)
{
	assert_target("a.c:12", "a.c", NUMBERS(12));
	assert_target("a.c:12:4", "a.c", NUMBERS(12, 4));
	assert_target("a.c:2-7", "a.c", NUMBERS(2, 0, 7));
	assert_target("a.c:2:4-2:12", "a.c", NUMBERS(2, 4, 2, 12));
	assert_target("a.c:2-7:1", "a.c", NUMBERS(2, 0, 7, 1));
}

test(a_file_that_is_there_wins_over_a_position)
{
	assert_target("a.c:3", "a.c:3", NUMBERS(0));
	assert_target("a.c:3:5", "a.c:3", NUMBERS(5));
	assert_target("x:y", "x:y", NUMBERS(0));
	assert_target("x:y:4", "x:y", NUMBERS(4));
	assert_target("10:20-30", "10:20-30", NUMBERS(0));
	assert_target("10:20-30:1-2", "10:20-30", NUMBERS(1, 0, 2));
}

test(an_absolute_path_stays)
{
	assert_target(dt_arena_printf(&arena, "%s/a.c:1", folder), "a.c",
	              NUMBERS(1));
}

static void assert_missing(const char *text, const char *sentence)
{
	why = (struct dt_fail){ 0 };
	assert_int_equal(dt_target_read(&arena, text, &target, &why),
	                 DT_E_MISSING);
	assert_string_equal(why.msg, sentence);
}

test(what_is_not_there_is_named_without_its_position)
{
	assert_missing("b.c", "there is no file b.c");
	assert_missing("b.c:3", "there is no file b.c");
	assert_missing("b.c:3:4", "there is no file b.c");
	assert_missing("b.c:3-4", "there is no file b.c");
	assert_missing("", "there is no file ");
	assert_missing(":3", "there is no file :3");
}

test(what_is_no_position_belongs_to_the_name)
{
	assert_missing("a.c:", "there is no file a.c:");
	assert_missing("a.c:0", "there is no file a.c:0");
	assert_missing("a.c:x", "there is no file a.c:x");
	assert_missing("a.c:1-", "there is no file a.c:1-");
	assert_missing("a.c:-1", "there is no file a.c:-1");
	assert_missing("a.c:1:0", "there is no file a.c:1:0");
	assert_missing("a.c:99999999999", "there is no file a.c:99999999999");
}

int main(void)
{
#define TARGET_TEST(name) cmocka_unit_test_setup_teardown(name, start, end)
	const struct CMUnitTest tests[] = {
		TARGET_TEST(a_name_alone_has_no_position),
		TARGET_TEST(lines_columns_and_ranges_are_read),
		TARGET_TEST(a_file_that_is_there_wins_over_a_position),
		TARGET_TEST(an_absolute_path_stays),
		TARGET_TEST(what_is_not_there_is_named_without_its_position),
		TARGET_TEST(what_is_no_position_belongs_to_the_name),
	};

	return cmocka_run_group_tests(tests, make_files, remove_files);
}
