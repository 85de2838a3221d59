#include "unit.h"

#include "app/environment.h"
#include "hub/env.h"

#include <stdlib.h>

static struct dt_arena arena;

static int end(void **state)
{
	(void)state;
	dt_arena_done(&arena);
	return 0;
}

static bool passes(const char *entry)
{
	char *env[] = { (char *)(uintptr_t)entry, NULL };

	return dt_environment_pick(&arena, env).count == 1;
}

test(search_paths_locale_and_language_managers_pass)
{
	static const char *const entries[] = {
		"PATH=/bin",
		"VIRTUAL_ENV=/v",
		"CONDA_PREFIX=/c",
		"PYENV_ROOT=/p",
		"NVM_DIR=/n",
		"GOPATH=/g",
		"CARGO_HOME=/c",
		"JAVA_HOME=/j",
		"SSH_AUTH_SOCK=/s",
		"DISPLAY=:0",
		"LANG=C",
		"LC_ALL=C.UTF-8",
		"TZ=UTC",
		"TERM=xterm",
		"EDITOR=vi",
		"no_proxy=a,b",
		"NO_PROXY=*",
		"PATH=",
		"WAYLAND_DISPLAY=wayland-0",
	};

	for (size_t i = 0; i < sizeof(entries) / sizeof(entries[0]); i++)
		assert_true(passes(entries[i]));
}

test(nothing_else_passes)
{
	static const char *const entries[] = {
		"HOME=/h",
		"LD_PRELOAD=x",
		"ANTHROPIC_API_KEY=x",
		"AWS_SECRET=x",
		"PATHS=/bin",
		"MYPATH=/bin",
		"path=/bin",
		"LANGUAGE=de",
		"=x",
		"PATH",
		"",
		"BASH_FUNC_x%%=() {",
		"CLAUDE_CODE_SSE_PORT=1",
	};

	for (size_t i = 0; i < sizeof(entries) / sizeof(entries[0]); i++)
		assert_false(passes(entries[i]));
}

test(a_secret_does_not_hide_behind_a_pattern)
{
	assert_false(passes("CONDA_TOKEN=x"));
	assert_false(passes("PYENV_api_key=x"));
	assert_false(passes("NVM_SecretThing=x"));
	assert_false(passes("LC_PASSWORD=x"));
	assert_true(passes("LC_MONETARY=C"));
}

test(a_proxy_passes_only_without_a_user)
{
	assert_true(passes("http_proxy=http://proxy:3128"));
	assert_true(passes("HTTPS_PROXY=http://proxy:3128"));
	assert_false(passes("http_proxy=http://ann:pw@proxy:3128"));
	assert_false(passes("HTTPS_PROXY=ann@proxy"));
}

test(what_is_not_utf8_does_not_pass)
{
	assert_true(passes("PATH=/\xc3\xa4"));
	assert_false(passes("PATH=/\xe4"));
}

test(the_order_is_kept)
{
	char *env[] = { "TZ=UTC", "HOME=/h", "LANG=C", NULL };
	struct dt_names picked = dt_environment_pick(&arena, env);

	assert_int_equal(picked.count, 2);
	assert_string_equal(picked.ptr[0], "TZ=UTC");
	assert_string_equal(picked.ptr[1], "LANG=C");
}

static void assert_no_proxy(const char *value, const char *other,
                            const char *wanted)
{
	assert_string_equal(dt_environment_no_proxy(&arena, value, other),
	                    wanted);
}

test(loopback_is_added_to_no_proxy_once)
{
	assert_no_proxy(NULL, NULL, "127.0.0.1,localhost");
	assert_no_proxy("", NULL, "127.0.0.1,localhost");
	assert_no_proxy("corp", NULL, "corp,127.0.0.1,localhost");
	assert_no_proxy("corp, localhost", NULL, "corp, localhost,127.0.0.1");
	assert_no_proxy("127.0.0.1,localhost", NULL, "127.0.0.1,localhost");
	assert_no_proxy("localhost.corp", NULL,
	                "localhost.corp,127.0.0.1,localhost");
	assert_no_proxy("*", NULL, "*");
}

test(an_unset_spelling_takes_over_the_other)
{
	assert_no_proxy(NULL, "corp", "corp,127.0.0.1,localhost");
	assert_no_proxy("mine", "corp", "mine,127.0.0.1,localhost");
}

test(the_marks_of_agents_are_forgotten)
{
	setenv("CLAUDECODE", "1", 1);
	setenv("CLAUDECODES", "1", 1);
	setenv("GEMINI_CLI", "1", 1);
	setenv("CLAUDE_CODE_SSE_PORT", "1", 1);
	setenv("DOVETAIL_HOOK", "run:1", 1);
	setenv("CLAUDE_CONFIG_DIR", "/c", 1);
	unsetenv(DT_ENV_STARTED_BY);
	dt_environment_forget_agents();
	assert_null(getenv("CLAUDECODE"));
	assert_null(getenv("GEMINI_CLI"));
	assert_null(getenv("CLAUDE_CODE_SSE_PORT"));
	assert_null(getenv("DOVETAIL_HOOK"));
	assert_string_equal(getenv("CLAUDE_CONFIG_DIR"), "/c");
	assert_string_equal(getenv("CLAUDECODES"), "1");
	assert_non_null(getenv("PATH"));
	/* The rest is what the daemon leaves of an agent's environment. */
	assert_non_null(getenv(DT_ENV_STARTED_BY));
	unsetenv(DT_ENV_STARTED_BY);
	dt_environment_forget_agents();
	assert_null(getenv(DT_ENV_STARTED_BY));
}

int main(void)
{
#define ENV_TEST(name) cmocka_unit_test_teardown(name, end)
	const struct CMUnitTest tests[] = {
		ENV_TEST(search_paths_locale_and_language_managers_pass),
		ENV_TEST(nothing_else_passes),
		ENV_TEST(a_secret_does_not_hide_behind_a_pattern),
		ENV_TEST(a_proxy_passes_only_without_a_user),
		ENV_TEST(what_is_not_utf8_does_not_pass),
		ENV_TEST(the_order_is_kept),
		ENV_TEST(loopback_is_added_to_no_proxy_once),
		ENV_TEST(an_unset_spelling_takes_over_the_other),
		ENV_TEST(the_marks_of_agents_are_forgotten),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
