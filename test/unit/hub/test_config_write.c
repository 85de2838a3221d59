#include "unit.h"

#include "base/buf.h"
#include "base/file.h"
#include "hub/config.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/dt-config-XXXXXX";
static char path[64];
static char link_path[64];

static int start(void **state)
{
	(void)state;
	snprintf(folder, sizeof(folder), "/tmp/dt-config-XXXXXX");
	if (!mkdtemp(folder))
		return -1;
	snprintf(path, sizeof(path), "%s/dovetail.conf", folder);
	snprintf(link_path, sizeof(link_path), "%s/link.conf", folder);
	return 0;
}

static int end(void **state)
{
	(void)state;
	unlink(path);
	unlink(link_path);
	return rmdir(folder);
}

static void put(const char *text)
{
	assert_ok(dt_file_write(path, dt_str(text), 0644, NULL));
}

static void set(const char *key, const char *value)
{
	struct dt_fail fail = { 0 };

	if (dt_config_write(path, key, value, &fail))
		fail_msg("%s", fail.msg);
}

static void assert_file(const char *wanted)
{
	struct dt_buf text;

	dt_buf_init(&text, 1 << 20);
	assert_ok(dt_file_read(path, &text, NULL));
	assert_string_equal(dt_buf_z(&text), wanted);
	dt_buf_done(&text);
}

test(a_new_file_gets_section_and_key)
{
	struct stat st;

	set("log.level", "debug");
	assert_file("[log]\nlevel = debug\n");
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
}

test(a_line_is_replaced_and_everything_else_kept)
{
	put("# mine\n\n[log]\n  level=info\n; end\n\n[who]\nknows = this\n"
	    "rubbish");
	set("log.level", "error");
	assert_file("# mine\n\n[log]\nlevel = error\n; end\n\n[who]\n"
	            "knows = this\nrubbish");
}

test(the_mode_of_the_file_stays)
{
	struct stat st;

	put("");
	set("log.level", "info");
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0644);
}

test(of_two_lines_the_one_that_counts_is_replaced)
{
	put("[log]\nlevel = info\nlevel = warn\n");
	set("log.level", "error");
	assert_file("[log]\nlevel = info\nlevel = error\n");
}

test(a_new_key_goes_behind_its_section)
{
	put("[review]\npager = less\n\n[log]\nlevel = info\n");
	set("review.editor", "vi");
	assert_file("[review]\npager = less\neditor = vi\n\n[log]\n"
	            "level = info\n");
}

test(a_new_section_goes_to_the_end_even_without_a_line_break)
{
	put("[log]\nlevel = info");
	set("review.editor", "vi");
	assert_file("[log]\nlevel = info\n\n[review]\neditor = vi\n");
}

test(a_key_behind_an_unfinished_line_gets_its_own)
{
	put("[review]\npager = less");
	set("review.editor", "vi");
	assert_file("[review]\npager = less\neditor = vi\n");
}

test(a_link_stays_a_link)
{
	struct stat st;

	put("");
	assert_int_equal(symlink(path, link_path), 0);
	assert_ok(dt_config_write(link_path, "log.level", "info", NULL));
	assert_file("[log]\nlevel = info\n");
	assert_int_equal(lstat(link_path, &st), 0);
	assert_true(S_ISLNK(st.st_mode));
}

test(wrong_keys_and_values_change_nothing)
{
	struct dt_fail fail = { 0 };

	put("x");
	assert_int_equal(dt_config_write(path, "log.colour", "red", &fail),
	                 DT_E_MISSING);
	assert_string_equal(fail.msg, "there is no key log.colour");
	assert_int_equal(dt_config_write(path, "log.level", "loud", NULL),
	                 DT_E_ARGS);
	assert_int_equal(dt_config_write(path, "limits.sessions", "-1", NULL),
	                 DT_E_ARGS);
	assert_int_equal(
		dt_config_write(path, "review.editor", "vi\nx = y", NULL),
		DT_E_ARGS);
	assert_file("x");
}

test(a_list_on_several_lines_is_left_to_the_person)
{
	struct dt_fail fail = { 0 };

	put("[context]\ndeny = a\n");
	set("context.deny", "b c");
	assert_file("[context]\ndeny = b c\n");
	put("[context]\ndeny = a\ndeny = b\n");
	assert_int_equal(dt_config_write(path, "context.deny", "c", &fail),
	                 DT_E_STATE);
	assert_string_equal(fail.msg,
	                    "context.deny stands on 2 lines, which all count: "
	                    "change the file by hand");
	assert_file("[context]\ndeny = a\ndeny = b\n");
	assert_int_equal(dt_config_write(path, "context.mute", "{", NULL),
	                 DT_E_ARGS);
}

int main(void)
{
#define WRITE_TEST(name) cmocka_unit_test_setup_teardown(name, start, end)
	const struct CMUnitTest tests[] = {
		WRITE_TEST(a_new_file_gets_section_and_key),
		WRITE_TEST(a_line_is_replaced_and_everything_else_kept),
		WRITE_TEST(the_mode_of_the_file_stays),
		WRITE_TEST(of_two_lines_the_one_that_counts_is_replaced),
		WRITE_TEST(a_new_key_goes_behind_its_section),
		WRITE_TEST(
			a_new_section_goes_to_the_end_even_without_a_line_break),
		WRITE_TEST(a_key_behind_an_unfinished_line_gets_its_own),
		WRITE_TEST(a_link_stays_a_link),
		WRITE_TEST(wrong_keys_and_values_change_nothing),
		WRITE_TEST(a_list_on_several_lines_is_left_to_the_person),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
