/* test/unit/tool/test_manifest.c - twin of src/tool/manifest.c */
#include "tool/manifest.h"

#include "unit.h"

static struct dt_arena arena;

static struct dt_manifest read_one(const char *name, const char *text)
{
	struct dt_manifest m = { 0 };

	dt_manifest_read(&m, &arena, name, dt_str(text));
	return m;
}

#define assert_manifest(m, n, v, t)                                            \
	do {                                                                   \
		assert_string_equal((m).name ? (m).name : "-", n);             \
		assert_string_equal((m).version ? (m).version : "-", v);       \
		assert_string_equal((m).tests ? (m).tests : "-", t);           \
	} while (0)

test(package_json_has_scripts)
{
	struct dt_manifest m = read_one(
		"package.json",
		"{\"name\":\"p\",\"version\":\"1.2\",\"scripts\":{\"build\":"
		"\"tsc\",\"test\":\"x\",\"bad\":7},\"devDependencies\":{"
		"\"vitest\":\"^1\"}}");

	assert_manifest(m, "p", "1.2", "vitest");
	assert_int_equal(m.script_count, 2);
	assert_string_equal(m.scripts[0].name, "build");
	assert_string_equal(m.scripts[0].command, "tsc");
	m = read_one("package.json", "{\"scripts\":{\"test\":\"node x\"}}");
	assert_manifest(m, "-", "-", "npm");
	m = read_one("package.json", "{\"name\":[],\"scripts\":\"x\"}");
	assert_manifest(m, "-", "-", "-");
	m = read_one("package.json", "nonsense");
	assert_manifest(m, "-", "-", "-");
	m = read_one("package.json", "[]");
	assert_manifest(m, "-", "-", "-");
}

test(toml_is_read_by_its_tables)
{
	struct dt_manifest m =
		read_one("pyproject.toml",
	                 "[other]\nname = \"no\"\n[project]\r\nname = \"p\"\r\n"
	                 "version='2' # x\n[tool.pytest.ini_options]\n");

	assert_manifest(m, "p", "2", "pytest");
	m = read_one("Cargo.toml",
	             "[package]\nname = \"c\"\nversion.workspace = true\n");
	assert_manifest(m, "c", "-", "cargo");
	m = read_one("Cargo.toml", "[package]\nname =\nversion = \"");
	assert_manifest(m, "-", "-", "cargo");
}

test(others_are_one_line)
{
	struct dt_manifest m =
		read_one("go.mod", "// x\nmodule example.org/m\n\ngo 1.22\n");

	assert_manifest(m, "example.org/m", "-", "go");
	m = read_one("meson.build", "project('d', 'c',\n  version: '0.1')\n");
	assert_manifest(m, "d", "0.1", "meson");
	m = read_one("meson.build", "project(");
	assert_manifest(m, "-", "-", "meson");
	m = read_one("meson.build", "");
	assert_manifest(m, "-", "-", "meson");
	assert_string_equal(
		read_one(".git/HEAD", "ref: refs/heads/a/b\n").branch, "a/b");
	assert_string_equal(read_one(".git/HEAD", "0123abcd\n").branch,
	                    "0123abcd");
	assert_null(read_one("README", "name = \"x\"").name);
}

test(the_first_that_says_something_counts)
{
	struct dt_manifest m = read_one("package.json", "{\"name\":\"p\"}");

	dt_manifest_read(&m, &arena, "Cargo.toml",
	                 DT_STR("[package]\nname = \"c\"\nversion = \"3\"\n"));
	assert_manifest(m, "p", "3", "cargo");
}

test(some_files_say_what_runs_the_tests)
{
	assert_string_equal(dt_manifest_tests("pytest.ini"), "pytest");
	assert_string_equal(dt_manifest_tests("CMakeLists.txt"), "ctest");
	assert_null(dt_manifest_tests("README"));
}

static int end(void **state)
{
	(void)state;
	dt_arena_done(&arena);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(package_json_has_scripts),
		cmocka_unit_test(toml_is_read_by_its_tables),
		cmocka_unit_test(others_are_one_line),
		cmocka_unit_test(the_first_that_says_something_counts),
		cmocka_unit_test(some_files_say_what_runs_the_tests),
	};

	return cmocka_run_group_tests(tests, NULL, end);
}
