#include "hub/typed.h"

#include "unit.h"

#include <string.h>

static void check(const char *text, const char *why)
{
	struct dt_fail fail = { 0 };
	enum dt_err err = dt_typed_check(DT_TYPED_ALLOW, text, &fail);

	if (!why && err)
		fail_msg("%s: %s", text, fail.msg);
	if (why && (err != DT_E_DENIED || !strstr(fail.msg, why)))
		fail_msg("%s: %s", text, fail.msg);
}

test(a_plain_command_of_an_allowed_program_may_be_typed)
{
	check("git status", NULL);
	check("  npm run test -- --watch", NULL);
	check("cargo", NULL);
}

test(another_program_may_not)
{
	check("ls", "ls is not among");
	check("gitk", "gitk is not among");
	check("./git status", "not among");
	check("", "not among");
	check("y", "not among");
}

test(what_a_shell_takes_for_more_may_not)
{
	static const char *const lines[] = {
		"git status; ls",
		"git status && ls",
		"git log | cat",
		"git log > x",
		"git $(ls)",
		"git `ls`",
		"git {a,b}",
		"git a\\b",
		"git ~",
		"!git",
		"git 'a b'",
		"git a\nls",
		"git a\rls",
		"git\xc2\xa0status",
		"git a=b",
		"git \x1b[A",
		"git %1",
		"git *",
		NULL,
	};

	for (size_t i = 0; lines[i]; i++)
		check(lines[i], "more than words");
}

test(keys_that_end_a_program_may_be_typed)
{
	check("\x03", NULL);
	check("\x03\x03", NULL);
	check("\x1c", NULL);
	check("\x03git", "more than words");
	check("\x04", "more than words");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			a_plain_command_of_an_allowed_program_may_be_typed),
		cmocka_unit_test(another_program_may_not),
		cmocka_unit_test(what_a_shell_takes_for_more_may_not),
		cmocka_unit_test(keys_that_end_a_program_may_be_typed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
