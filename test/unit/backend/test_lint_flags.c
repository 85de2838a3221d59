/* test/unit/backend/test_lint_flags.c - how a file is compiled, harmlessly. */
#include "backend/lint_flags.h"

#include "base/buf.h"
#include "base/path.h"
#include "base/tempdir.h"
#include "unit.h"

static void check(const char *root, const char *path, const char *wanted)
{
	struct dt_arena arena = { 0 };
	char **flags =
		dt_lint_flags(&arena, root, dt_path_join(&arena, root, path));
	struct dt_buf text;

	dt_buf_init(&text, 10000);
	for (; *flags; flags++)
		dt_buf_addf(&text, "%s|", *flags);
	assert_string_equal(dt_buf_z(&text), wanted);
	dt_buf_done(&text);
	dt_arena_done(&arena);
}

/* A database with one entry for src/a.c. */
static void put(const char *root, const char *name, const char *rest)
{
	char *text = dt_asprintf("[{\"directory\":\"/b\",\"file\":"
	                         "\"%s/src/a.c\",%s}]",
	                         root, rest);

	tempdir_put(root, name, text);
	free(text);
}

test(what_only_says_how_to_read_the_file_is_kept)
{
	tempdir_mkdir(*state, "src");
	put(*state, "compile_commands.json",
	    "\"arguments\":[\"cc\",\"-Iinc\",\"-isystem\",\"/usr/x\",\"-D\","
	    "\"A=b c\",\"-UB\",\"-std=c11\",\"-Wall\",\"-pthread\",3,"
	    "\"-include\",\"pre.h\",\"-x\",\"c++\",\"a.c\"]");
	check(*state, "src/a.c",
	      "-I|/b/inc|-isystem|/usr/x|-D|A=b c|-U|B|-std=c11|-Wall|"
	      "-pthread|-include|/b/pre.h|-x|c++|");
	check(*state, "src/b.c", "");
}

test(what_would_run_or_write_something_is_not)
{
	tempdir_mkdir(*state, "src");
	put(*state, "compile_commands.json",
	    "\"arguments\":[\"cc\",\"-fplugin=evil.so\",\"-o\",\"/etc/x\","
	    "\"-Wl,-z\",\"-Wp,-MD,f\",\"-wrapper\",\"sh\",\"@file\","
	    "\"-Bevil\",\"-specs=evil\",\"-include-pch\",\"p\",\"-load\","
	    "\"-Xclang\",\"-MF\",\"x\",\"-save-temps\",\"-DLAST\"]");
	check(*state, "src/a.c", "-D|LAST|");
}

test(a_command_is_taken_apart_as_a_shell_does)
{
	tempdir_mkdir(*state, "src");
	tempdir_mkdir(*state, "build");
	put(*state, "build/compile_commands.json",
	    "\"command\":\"cc  '-DA=\\\"x y\\\"' -DB=\\\\\\\"z -I\\\"a b\\\""
	    "\\t-DC -I\"");
	check(*state, "src/a.c", "-D|A=\"x y\"|-D|B=\"z|-I|/b/a b|-D|C|-I|/b|");
}

/* Each word takes memory of its own size, not of all that follows. */
test(a_command_of_very_many_words_is_taken_apart)
{
	size_t len = 1u << 20;
	char *words = dt_alloc(len + 1);
	char *rest;

	memset(words, 'x', len);
	for (size_t i = 1; i < len; i += 2)
		words[i] = ' ';
	rest = dt_asprintf("\"command\":\"cc %s -DLAST\"", words);
	tempdir_mkdir(*state, "src");
	put(*state, "compile_commands.json", rest);
	check(*state, "src/a.c", "-D|LAST|");
	free(rest);
	free(words);
}

test(a_database_that_cannot_be_read_says_nothing)
{
	static const char *const texts[] = {
		"",
		"{}",
		"[3]",
		"[{\"directory\":\"/b\"}]",
		"[{\"directory\":\"rel\",\"file\":\"a.c\"}]",
		"[{",
	};

	tempdir_mkdir(*state, "src");
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		tempdir_put(*state, "compile_commands.json", texts[i]);
		check(*state, "src/a.c", "");
	}
}

#define with_folder(t)                                                         \
	cmocka_unit_test_setup_teardown(t, tempdir_open, tempdir_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		with_folder(what_only_says_how_to_read_the_file_is_kept),
		with_folder(what_would_run_or_write_something_is_not),
		with_folder(a_command_is_taken_apart_as_a_shell_does),
		with_folder(a_command_of_very_many_words_is_taken_apart),
		with_folder(a_database_that_cannot_be_read_says_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
