/* test/unit/hub/test_seen.c - which files define what runs, and which are seen. */
#include "hub/seen.h"

#include "base/file.h"
#include "base/tempdir.h"
#include "unit.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_among(const char *program, const char *glob)
{
	struct dt_arena arena = { 0 };
	struct dt_names globs = dt_seen_globs(&arena, program);
	bool is_found = false;

	for (size_t i = 0; i < globs.count; i++)
		is_found |= !strcmp(globs.ptr[i], glob);
	dt_arena_done(&arena);
	return is_found;
}

test(each_program_has_its_files)
{
	assert_true(is_among("npm", "package.json"));
	assert_true(is_among("jest", "package.json"));
	assert_true(is_among("pytest", "conftest.py"));
	assert_true(is_among("cargo", "build.rs"));
	assert_true(is_among("go", "go.mod"));
	assert_true(is_among("make", "Makefile"));
	assert_true(is_among("git", ".husky/*"));
	assert_true(is_among("go", ".gitignore"));
	assert_false(is_among("go", "package.json"));
	assert_false(is_among("npm", "conftest.py"));
	assert_true(is_among(NULL, "conftest.py"));
	assert_true(is_among(NULL, "package.json"));
}

test(files_are_known_in_any_folder)
{
	assert_true(dt_seen_is_defining("/w/package.json"));
	assert_true(dt_seen_is_defining("/w/a/b/conftest.py"));
	assert_true(dt_seen_is_defining("/w/.cargo/config.toml"));
	assert_true(dt_seen_is_defining("/w/.husky/pre-commit"));
	assert_true(dt_seen_is_defining("/w/jest.config.mjs"));
	assert_false(dt_seen_is_defining("/w/src/main.c"));
	assert_false(dt_seen_is_defining("/w/config.toml"));
}

test(what_was_seen_is_remembered_by_its_text)
{
	const char *dir = *state;
	struct dt_arena arena = { 0 };
	const char *path = dt_arena_printf(&arena, "%s/package.json", dir);
	struct dt_seen_file file;
	struct dt_seen_file gone;
	struct stat st;

	tempdir_put(dir, "package.json", "{}");
	file = dt_seen_read(path);
	assert_false(dt_seen_has(dir, &file));
	assert_ok(dt_seen_add(dir, &file, 1, NULL));
	assert_true(dt_seen_has(dir, &file));
	assert_int_equal(stat(dt_arena_printf(&arena, "%s/seen", dir), &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	tempdir_put(dir, "package.json", "{\"scripts\":{}}");
	file = dt_seen_read(path);
	assert_false(dt_seen_has(dir, &file));
	assert_ok(dt_seen_add(dir, &file, 1, NULL));
	assert_true(dt_seen_has(dir, &file));
	/* That it is not there is something to see, too. */
	unlink(path);
	gone = dt_seen_read(path);
	assert_string_equal(gone.digest, "");
	assert_false(dt_seen_has(dir, &gone));
	assert_ok(dt_seen_add(dir, &gone, 1, NULL));
	assert_true(dt_seen_has(dir, &gone));
	assert_true(dt_seen_has(dir, &file));
	dt_arena_done(&arena);
}

test(what_cannot_be_told_is_never_seen)
{
	const char *dir = *state;
	struct dt_arena arena = { 0 };
	const char *path = dt_arena_printf(&arena, "%s/Makefile", dir);
	struct dt_seen_file file = { .path = "a\nb", .digest = "0" };

	assert_ok(dt_seen_add(dir, &file, 1, NULL));
	assert_false(dt_seen_has(dir, &file));
	tempdir_mkdir(dir, "Makefile");
	file = dt_seen_read(path);
	assert_string_equal(file.digest, "?");
	assert_ok(dt_seen_add(dir, &file, 1, NULL));
	assert_false(dt_seen_has(dir, &file));
	dt_arena_done(&arena);
}

/* The oldest are forgotten, the youngest are not. */
test(the_memory_stays_small)
{
	const char *dir = *state;
	struct dt_arena arena = { 0 };
	struct dt_seen_file file = { .digest = "d" };
	struct stat st;

	for (int i = 0; i < 2000; i++) {
		file.path = dt_arena_printf(&arena, "/%0200d", i);
		assert_ok(dt_seen_add(dir, &file, 1, NULL));
	}
	assert_true(dt_seen_has(dir, &file));
	assert_int_equal(stat(dt_arena_printf(&arena, "%s/seen", dir), &st), 0);
	assert_true(st.st_size < 256 * 1024);
	dt_arena_done(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_program_has_its_files),
		cmocka_unit_test(files_are_known_in_any_folder),
		test_in_tempdir(what_was_seen_is_remembered_by_its_text),
		test_in_tempdir(what_cannot_be_told_is_never_seen),
		test_in_tempdir(the_memory_stays_small),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
