/*
 * test/unit/tool/test_test_report.c - what runners really printed, in reports/.
 * That of go was written by hand after its documentation.
 */
#include "tool/test_report.h"

#include "base/buf.h"
#include "base/file.h"
#include "base/limits.h"
#include "unit.h"

#include <stdlib.h>

static struct dt_arena arena;

static struct dt_str report_text(const char *name)
{
	const char *path =
		dt_arena_printf(&arena, "%s/%s", DT_REPORTS_DIR, name);
	struct dt_str text;
	struct dt_buf buf;

	dt_buf_init(&buf, DT_MIB);
	assert_ok(dt_file_read(path, &buf, NULL));
	text.ptr = dt_arena_strndup(&arena, buf.ptr, buf.len);
	text.len = buf.len;
	dt_buf_done(&buf);
	return text;
}

static struct dt_test_report report;

static void check(uint32_t passed, uint32_t failed, uint32_t skipped)
{
	assert_true(report.is_known);
	assert_int_equal(report.passed, passed);
	assert_int_equal(report.failed, failed);
	assert_int_equal(report.skipped, skipped);
	assert_false(report.is_cut);
}

static void check_failure(size_t at, const char *name, const char *file,
                          uint32_t line, const char *message)
{
	const struct dt_test_failure *f = report.failures.ptr;

	assert_true(at < report.failures.count);
	assert_string_equal(f[at].name, name);
	if (file)
		assert_string_equal(f[at].file, file);
	else
		assert_null(f[at].file);
	assert_int_equal(f[at].line, line);
	assert_string_equal(f[at].message, message);
}

static void read_out(const char *runner, const char *name)
{
	dt_test_report_read(&arena, runner, report_text(name),
	                    (struct dt_str){ 0 }, &report);
}

static int forget(void **state)
{
	(void)state;
	dt_arena_done(&arena);
	return 0;
}

test(pytest_is_understood)
{
	read_out("pytest", "pytest");
	check(2, 4, 1);
	assert_int_equal(report.failures.count, 4);
	check_failure(0, "test_a.py::test_error", "test_a.py", 28,
	              "RuntimeError: no fixture");
	check_failure(1, "test_a.py::test_bad", "test_a.py", 14,
	              "assert 1 == 2");
	check_failure(2, "test_a.py::TestC::test_deep", "test_a.py", 5,
	              "AssertionError: not two\nassert 3 == 2");
	check_failure(3, "test_a.py::test_param[2]", "test_a.py", 37,
	              "assert 2 == 1");
}

test(what_is_left_of_a_cut_report_of_pytest_is_understood)
{
	struct dt_str text = report_text("pytest");
	const char *summary = strstr(text.ptr, "FAILED ");

	text.len -= (size_t)(summary - text.ptr);
	text.ptr = summary;
	dt_test_report_read(&arena, "pytest", text, (struct dt_str){ 0 },
	                    &report);
	check(2, 4, 1);
	check_failure(0, "test_a.py::test_bad", "test_a.py", 0,
	              "assert 1 == 2");
	dt_test_report_read(&arena, "pytest",
	                    DT_STR("\nno tests ran in 0.01s\n"),
	                    (struct dt_str){ 0 }, &report);
	check(0, 0, 0);
	dt_test_report_read(&arena, "pytest",
	                    DT_STR("==== 2 passed in 61.2s (0:01:01) ====\n"),
	                    (struct dt_str){ 0 }, &report);
	check(2, 0, 0);
}

test(unittest_is_understood)
{
	dt_test_report_read(&arena, "unittest", (struct dt_str){ 0 },
	                    report_text("unittest"), &report);
	check(1, 2, 1);
	check_failure(0, "test_error (test_u.T.test_error)",
	              "/project/test_u.py", 12, "KeyError: 'x'");
	check_failure(1, "test_bad (test_u.T.test_bad)", "/project/test_u.py",
	              9, "AssertionError: 1 != 2");
}

test(cargo_is_understood)
{
	read_out("cargo", "cargo");
	check(1, 1, 1);
	check_failure(
		0, "tests::bad", "src/lib.rs", 7,
		"assertion `left == right` failed: no\n  left: 1\n right: "
		"2");
}

test(ctest_is_understood)
{
	read_out("ctest", "ctest");
	check(1, 1, 1);
	check_failure(0, "bad", NULL, 0, "it broke");
}

test(meson_is_understood)
{
	read_out("meson", "meson");
	check(1, 1, 1);
	assert_int_equal(report.failures.count, 1);
	check_failure(0, "x:unit / bad", NULL, 0, "it broke");
}

test(go_is_understood)
{
	read_out("go", "go");
	check(1, 2, 1);
	check_failure(0, "TestBad", "x_test.go", 8,
	              "x_test.go:8: got 1, want 2");
	check_failure(1, "example.com/x/broken", "broken/b.go", 3,
	              "# example.com/x/broken\nbroken/b.go:3:1: syntax error");
}

test(jest_and_vitest_are_understood)
{
	read_out("jest", "jest");
	check(1, 1, 1);
	check_failure(0, "sum bad", "/project/b.test.js", 1, "Error: no");
	read_out("vitest", "vitest");
	check(1, 1, 1);
	check_failure(0, "sum bad", "/project/a.test.js", 4,
	              "AssertionError: expected 1 to be 2 // Object.is "
	              "equality");
}

/* npm test prints what its script prints. */
test(a_runner_behind_a_script_is_recognised)
{
	read_out("npm", "node");
	check(1, 3, 1);
	assert_int_equal(report.failures.count, 2);
	check_failure(0, "bad", "/project/a.test.js", 4,
	              "Expected values to be strictly equal:\n1 !== 2");
	check_failure(1, "deep bad", "/project/a.test.js", 6, "no");
	read_out("npm", "node-spec");
	check(1, 3, 1);
	check_failure(0, "bad (2.113466ms)", "a.test.js", 4,
	              "AssertionError [ERR_ASSERTION]: Expected values to be "
	              "strictly equal:");
	read_out("npm", "mocha");
	check(1, 1, 1);
	check_failure(0, "sum bad", "b.spec.cjs", 1, "Error: no");
	dt_test_report_read(&arena, "yarn", (struct dt_str){ 0 },
	                    report_text("jest-err"), &report);
	check(1, 1, 1);
	check_failure(0, "sum \xe2\x80\xba bad", "b.test.js", 1, "no");
	read_out("make", "meson");
	check(1, 1, 1);
	read_out("make", "pytest");
	check(2, 4, 1);
}

test(what_is_not_understood_is_not_guessed)
{
	static const char *const runners[] = { "pytest", "unittest", "cargo",
		                               "ctest",  "meson",    "go",
		                               "jest",   "npm",      "" };
	struct dt_str text = DT_STR("checked\n\n::\n1/\n---- \n___\nE   x\n{");

	for (size_t i = 0; i < sizeof(runners) / sizeof(runners[0]); i++) {
		dt_test_report_read(&arena, runners[i], text, text, &report);
		assert_false(report.is_known);
		dt_test_report_read(&arena, runners[i], (struct dt_str){ 0 },
		                    (struct dt_str){ 0 }, &report);
		assert_false(report.is_known);
	}
}

/* Cut anywhere, nothing is read that is not there. */
test(no_cut_report_is_too_much)
{
	static const char *const names[] = { "pytest", "unittest", "cargo",
		                             "ctest",  "meson",    "go",
		                             "jest",   "node",     "mocha" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct dt_str text = report_text(names[i]);

		for (size_t len = 0; len < text.len; len += 7) {
			char *copy = len ? dt_alloc(len) : NULL;
			struct dt_str part = { copy, len };

			if (len)
				memcpy(copy, text.ptr, len);
			dt_test_report_read(&arena, names[i], part, part,
			                    &report);
			free(copy);
		}
		dt_arena_done(&arena);
	}
}

test(only_so_many_failures_are_told)
{
	struct dt_buf text;

	dt_buf_init(&text, DT_MIB);
	for (int i = 0; i < 200; i++)
		dt_buf_addf(&text, "FAILED a.py::t%d - x\n", i);
	dt_buf_add_z(&text, "200 failed in 1.0s\n");
	dt_test_report_read(&arena, "pytest", dt_buf_str(&text),
	                    (struct dt_str){ 0 }, &report);
	assert_true(report.is_cut);
	assert_int_equal(report.failures.count, DT_TEST_FAILURES_MAX);
	assert_int_equal(report.failed, 200);
	dt_buf_done(&text);
}

int main(void)
{
#define forgetting(name) cmocka_unit_test_teardown(name, forget)
	const struct CMUnitTest tests[] = {
		forgetting(pytest_is_understood),
		forgetting(
			what_is_left_of_a_cut_report_of_pytest_is_understood),
		forgetting(unittest_is_understood),
		forgetting(cargo_is_understood),
		forgetting(ctest_is_understood),
		forgetting(meson_is_understood),
		forgetting(go_is_understood),
		forgetting(jest_and_vitest_are_understood),
		forgetting(a_runner_behind_a_script_is_recognised),
		forgetting(what_is_not_understood_is_not_guessed),
		forgetting(no_cut_report_is_too_much),
		forgetting(only_so_many_failures_are_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
