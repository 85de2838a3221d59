/* test/unit/hub/test_policy.c - what agents may run. */
#include "hub/policy.h"

#include "base/file.h"
#include "base/tempdir.h"
#include "hub/config.h"
#include "unit.h"

#include <unistd.h>

test(by_effect_nothing_is_denied)
{
	for (int effect = DT_READS; effect <= DT_RUNS; effect++) {
		struct dt_fail fail = { 0 };

		assert_ok(
			dt_policy_allow((enum dt_effect)effect, "tool", &fail));
		assert_string_equal(fail.msg, "");
	}
}

/* The sentence why a line would be asked about; "": it is not. */
static const char *asked(const char *allow, const char *root, const char *line)
{
	static struct dt_fail fail;
	struct dt_names roots = { .ptr = &root, .count = 1 };

	struct dt_wish command = { .folder = root };
	struct dt_arena arena = { 0 };
	struct dt_needs needs;

	fail = (struct dt_fail){ 0 };
	if (!dt_policy_read_line(&arena, line, &command, &fail) &&
	    !dt_policy_check_wish(&arena, allow, &roots, &command, &needs,
	                          &fail))
		assert_string_equal(fail.msg, "");
	dt_arena_done(&arena);
	return fail.msg;
}

test(only_names_on_the_list_run)
{
	assert_string_equal(asked("git make", "/w", "make check"), "");
	assert_string_equal(asked("git make", "/w", "mak check"),
	                    "mak is not among the programs that may run "
	                    "without asking");
	assert_string_equal(asked("", "/w", "git"),
	                    "git is not among the programs that may run "
	                    "without asking");
	assert_string_equal(asked("./x", "/w", "./x"),
	                    "./x is not a plain name of a program");
	assert_true(*asked("git", "/w", "GIT status"));
	assert_true(*asked("git", "/w", "/usr/bin/git status"));
	assert_true(*asked("git", "/w", ""));
}

test(what_only_a_shell_understands_is_asked_about)
{
	static const char *const lines[] = {
		"git status; rm x",
		"git status | sh",
		"git log > x",
		"git log $X",
		"git log `x`",
		"git log \"x\"",
		"git log *",
		"git log\nrm x",
		"A=b git log",
		"git log & x",
		"git ~/x",
		"git {a,b}",
		"git a\\b",
		"!git",
		"git 'a b'",
		"git a\rls",
		"git a=b",
		"git\xc2\xa0status",
		"git \x1b[A",
		"git %1",
		"git\tstatus",
		"\x03git",
		"\x04",
		"git ^x",
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		assert_true(*asked("git", "/w", lines[i]));
}

test(paths_outside_the_workspace_are_asked_about)
{
	const char *dir = *state;
	struct dt_arena arena = { 0 };
	const char *root = dt_arena_printf(&arena, "%s/w", dir);

	tempdir_mkdir(dir, "w");
	tempdir_mkdir(dir, "w/sub");
	tempdir_put(dir, "w/sub/a", "a");
	tempdir_put(dir, "secret", "s");
	assert_int_equal(
		symlink("../secret", dt_arena_printf(&arena, "%s/link", root)),
		0);
	assert_int_equal(symlink("..", dt_arena_printf(&arena, "%s/up", root)),
	                 0);
	assert_int_equal(symlink("sub", dt_arena_printf(&arena, "%s/in", root)),
	                 0);
	assert_string_equal(asked("git", root, "git init up/new/y"),
	                    "up/new/y is outside the workspace");
	assert_string_equal(asked("git", root, "git add up/../x"),
	                    "up/../x is outside the workspace");
	assert_string_equal(asked("git", root, "git init in/new/y"), "");
	assert_string_equal(asked("git", root, "git add sub/a"), "");
	assert_string_equal(asked("git", root, "git add sub/../sub/a"), "");
	assert_string_equal(
		asked("git", root,
	              dt_arena_printf(&arena, "git add %s/sub", root)),
		"");
	assert_string_equal(asked("git", root, "git log main..HEAD"), "");
	assert_string_equal(asked("git", root, "git add ../secret"),
	                    "../secret is outside the workspace");
	assert_string_equal(asked("git", root, "git add /etc/passwd"),
	                    "/etc/passwd is outside the workspace");
	assert_string_equal(asked("git", root, "git -C .. status"),
	                    ".. is outside the workspace");
	/* What follows -C counts from there. */
	assert_string_equal(asked("git", root, "git -C sub add ../x"), "");
	assert_string_equal(asked("git", root, "git -C sub add ../../x"),
	                    "../../x is outside the workspace");
	assert_string_equal(asked("git", root, "git -C sub -C ../.. add x"),
	                    "../.. is outside the workspace");
	assert_string_equal(asked("git", root, "git add link"),
	                    "link is outside the workspace");
	assert_string_equal(asked("sed", root, "sed -f/etc/x"),
	                    "/etc/x is outside the workspace");
	assert_string_equal(asked("sed", root, "sed sub/../../secret"),
	                    "sub/../../secret is outside the workspace");
	dt_arena_done(&arena);
}

/* It would take minutes and gigabytes to look at all there could be. */
test(too_many_paths_are_asked_about)
{
	struct dt_arena arena = { 0 };
	char *many = dt_arena_alloc(&arena, 100001);
	const char *words[] = { "commit", "-m", many };
	const char *root = "/w";
	struct dt_names roots = { .ptr = &root, .count = 1 };
	struct dt_wish command = { "git", { words, 3 }, root };
	struct dt_needs needs;
	struct dt_fail fail = { 0 };

	memset(many, 'a', 100000);
	assert_ok(dt_policy_check_wish(&arena, "git", &roots, &command, &needs,
	                               NULL));
	for (size_t i = 0; i < 100000; i += 100)
		many[i] = ':';
	assert_ok(dt_policy_check_wish(&arena, "git", &roots, &command, &needs,
	                               NULL));
	memset(many, ':', 100000);
	assert_int_equal(dt_policy_check_wish(&arena, "git", &roots, &command,
	                                      &needs, &fail),
	                 DT_E_DENIED);
	assert_string_equal(fail.msg,
	                    "too many paths could be in its arguments");
	dt_arena_done(&arena);
}

test(programs_that_run_anything_are_known_with_their_versions)
{
	static const char *const all[] = { "bash", "sh",         "python3",
		                           "node", "python3.12", "make",
		                           "env",  "sudo",       "perl5.36",
		                           "PHP",  "ts-node",    "/bin/zsh" };
	static const char *const none[] = { "git",   "shellcheck", "pytest",
		                            "cmake", "ruff",       "7z" };

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		assert_true(dt_policy_runs_anything(all[i]));
	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		assert_false(dt_policy_runs_anything(none[i]));
}

test(names_are_added_and_removed)
{
	struct dt_arena arena = { 0 };

	assert_string_equal(dt_policy_add(&arena, "git", "make"), "git make");
	assert_string_equal(dt_policy_add(&arena, "", "make"), "make");
	assert_string_equal(dt_policy_add(&arena, "git make", "git"),
	                    "git make");
	assert_string_equal(dt_policy_remove(&arena, "a  b c", "b"), "a c");
	assert_string_equal(dt_policy_remove(&arena, "a", "a"), "");
	assert_true(dt_policy_has(" a b ", "b"));
	assert_false(dt_policy_has("ab", "a"));
	dt_arena_done(&arena);
}

test(names_are_names)
{
	static const char *const bad[] = { "",   "a b", "../x", "/x",
		                           "-x", "a=b", "a\n",  ".x" };

	assert_ok(dt_policy_check_name("clang-format-19", NULL));
	assert_ok(dt_policy_check_name("g++", NULL));
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(dt_policy_check_name(bad[i], NULL), DT_E_ARGS);
}

static void assert_allowed(const char *conf, const char *expected)
{
	struct dt_config *config = dt_config_new();

	dt_config_read(config, conf, false);
	assert_string_equal(dt_config_get(config, "run.allow"), expected);
	dt_config_free(config);
}

test(the_list_is_written_into_the_file)
{
	struct dt_arena arena = { 0 };
	const char *conf = dt_arena_printf(&arena, "%s/c", (char *)*state);
	struct dt_names one = { .ptr = (const char *[]){ "ruff" }, .count = 1 };
	struct dt_names two = { .ptr = (const char *[]){ "a", "no/name" },
		                .count = 2 };
	struct dt_fail fail = { 0 };

	tempdir_put(*state, "c", "# mine\n[run]\nallow = git\n");
	assert_ok(dt_policy_write(conf, &one, false, NULL));
	assert_allowed(conf, "git ruff");
	/* All of it or nothing. */
	assert_int_equal(dt_policy_write(conf, &two, false, &fail), DT_E_ARGS);
	assert_allowed(conf, "git ruff");
	fail = (struct dt_fail){ 0 };
	assert_ok(dt_policy_write(conf, &one, true, NULL));
	assert_allowed(conf, "git");
	assert_int_equal(dt_policy_write(conf, &one, true, &fail),
	                 DT_E_MISSING);
	assert_string_equal(fail.msg, "ruff is not allowed");
	dt_arena_done(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(by_effect_nothing_is_denied),
		cmocka_unit_test(only_names_on_the_list_run),
		cmocka_unit_test(what_only_a_shell_understands_is_asked_about),
		test_in_tempdir(paths_outside_the_workspace_are_asked_about),
		cmocka_unit_test(too_many_paths_are_asked_about),
		cmocka_unit_test(
			programs_that_run_anything_are_known_with_their_versions),
		cmocka_unit_test(names_are_added_and_removed),
		cmocka_unit_test(names_are_names),
		test_in_tempdir(the_list_is_written_into_the_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
