#include "unit.h"

#include "app/mcp_client.h"
#include "data/json.h"

#include <stdio.h>
#include <stdlib.h>

static const struct dt_mcp_command command = { .program = "/x y/dovetail" };
static const char *const names[] = { "claude-desktop", "claude-code",
	                             "codex",          "cursor",
	                             "gemini",         "opencode",
	                             "vscode" };
#define COUNT (sizeof(names) / sizeof(names[0]))

static struct dt_arena arena;

static int start(void **state)
{
	(void)state;
	setenv("HOME", "/home/me", 1);
	unsetenv("XDG_CONFIG_HOME");
	unsetenv("CLAUDE_CONFIG_DIR");
	unsetenv("CODEX_HOME");
	return 0;
}

static int stop(void **state)
{
	(void)state;
	dt_arena_done(&arena);
	return 0;
}

static const struct dt_mcp_client *find(const char *name)
{
	const struct dt_mcp_client *client;

	assert_ok(dt_mcp_client_find(name, &client, NULL));
	return client;
}

static const char *path_of(const char *name)
{
	const char *path;

	assert_ok(dt_mcp_client_path(find(name), &arena, &path, NULL));
	return path;
}

static const char *add(const char *name, const char *text)
{
	struct dt_str out = { 0 };

	assert_ok(dt_mcp_client_add(find(name), &arena, dt_str(text), &command,
	                            &out, NULL));
	return dt_arena_strndup(&arena, out.ptr, out.len);
}

static const char *take_out(const char *name, const char *text)
{
	struct dt_str out = { 0 };

	assert_ok(dt_mcp_client_remove(find(name), &arena, dt_str(text), &out,
	                               NULL));
	return dt_arena_strndup(&arena, out.ptr, out.len);
}

test(files_are_where_the_environment_says)
{
	assert_string_equal(path_of("cursor"), "/home/me/.cursor/mcp.json");
	assert_string_equal(path_of("gemini"),
	                    "/home/me/.gemini/settings.json");
	assert_string_equal(path_of("vscode"), ".vscode/mcp.json");
	assert_string_equal(path_of("claude-code"), "/home/me/.claude.json");
	assert_string_equal(path_of("codex"), "/home/me/.codex/config.toml");
	assert_string_equal(path_of("opencode"),
	                    "/home/me/.config/opencode/opencode.json");
	setenv("XDG_CONFIG_HOME", "/c", 1);
	setenv("CLAUDE_CONFIG_DIR", "/d", 1);
	setenv("CODEX_HOME", "/e", 1);
	assert_string_equal(path_of("claude-code"), "/d/.claude.json");
	assert_string_equal(path_of("codex"), "/e/config.toml");
	assert_string_equal(path_of("claude-desktop"),
	                    "/c/Claude/claude_desktop_config.json");
}

test(without_a_home_there_is_no_file)
{
	const char *path;

	unsetenv("HOME");
	assert_int_equal(
		dt_mcp_client_path(find("opencode"), &arena, &path, NULL),
		DT_E_MISSING);
	assert_int_equal(
		dt_mcp_client_path(find("cursor"), &arena, &path, NULL),
		DT_E_MISSING);
}

test(a_client_that_is_not_there_is_told)
{
	const struct dt_mcp_client *client;
	struct dt_fail fail = { 0 };

	assert_int_equal(dt_mcp_client_find("emacs", &client, &fail),
	                 DT_E_ARGS);
	assert_non_null(strstr(fail.msg, "claude-desktop, claude-code, codex"));
}

test(a_new_file_holds_us_alone)
{
	for (size_t i = 0; i < COUNT; i++)
		assert_string_equal(
			add(names[i], ""),
			dt_mcp_client_config(find(names[i]), &arena, &command));
}

test(twice_is_once_and_out_again_is_nothing)
{
	for (size_t i = 0; i < COUNT; i++) {
		const char *once = add(names[i], "");

		assert_string_equal(add(names[i], once), once);
		assert_null(strstr(take_out(names[i], once), "dovetail"));
		assert_string_equal(take_out(names[i], ""), "");
	}
}

test(json_clients_get_json)
{
	for (size_t i = 0; i < COUNT; i++) {
		const struct dt_json *json;

		if (!strcmp(names[i], "codex"))
			continue;
		assert_ok(dt_json_read(&arena, dt_str(add(names[i], "{}")),
		                       &json, NULL));
		assert_ok(dt_json_read(&arena,
		                       dt_str(add(names[i], "{\"a\":1}")),
		                       &json, NULL));
	}
}

test(other_servers_stay_as_they_are)
{
	static const char before[] =
		"{\"mcpServers\": {\"a\": {}}, \"z\": 1}\n";

	assert_string_equal(add("cursor", before),
	                    "{\"mcpServers\": {\"a\": {},\n"
	                    "    \"dovetail\": {\n"
	                    "      \"command\": \"/x y/dovetail\",\n"
	                    "      \"args\": [\"mcp\"]\n    }}, \"z\": 1}\n");
	assert_string_equal(take_out("cursor", add("cursor", before)), before);
}

test(an_older_entry_is_replaced)
{
	assert_string_equal(
		add("opencode", "{\"mcp\": {\"dovetail\": {\"old\": 1}}}"),
		"{\"mcp\": {\"dovetail\": {\n      \"type\": \"local\",\n"
		"      \"command\": [\"/x y/dovetail\", \"mcp\"],\n"
		"      \"enabled\": true\n    }}}");
}

test(a_workspace_is_named_where_it_is_wanted)
{
	struct dt_mcp_command named = command;

	assert_non_null(strstr(add("vscode", ""), "${workspaceFolder}"));
	named.workspace = "/p";
	assert_non_null(
		strstr(dt_mcp_client_config(find("codex"), &arena, &named),
	               "args = [\"mcp\", \"--workspace\", \"/p\"]"));
	named.is_full = true;
	assert_non_null(strstr(
		dt_mcp_client_config(find("codex"), &arena, &named),
		"args = [\"mcp\", \"--workspace\", \"/p\", \"--full\"]"));
	named.workspace = NULL;
	assert_non_null(
		strstr(dt_mcp_client_config(find("codex"), &arena, &named),
	               "args = [\"mcp\", \"--full\"]"));
}

test(what_is_not_plain_json_is_left_alone)
{
	static const char *const bad[] = { "{ // c\n}", "[]", "{\"a\":1,}",
		                           "{\"mcpServers\":[]}" };

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct dt_str out;

		assert_int_equal(dt_mcp_client_add(find("cursor"), &arena,
		                                   dt_str(bad[i]), &command,
		                                   &out, NULL),
		                 DT_E_ARGS);
		assert_int_equal(dt_mcp_client_remove(find("cursor"), &arena,
		                                      dt_str(bad[i]), &out,
		                                      NULL),
		                 DT_E_ARGS);
	}
}

#define entry(name) cmocka_unit_test_setup_teardown(name, start, stop)

test(a_client_that_gives_up_early_is_told_to_wait)
{
	static const char *const waits[][2] = {
		{ "codex", "args = [\"mcp\"]\ntool_timeout_sec = 86400\n" },
		{ "gemini",
		  "\"args\": [\"mcp\"],\n      \"timeout\": 86400000\n" },
	};

	for (size_t i = 0; i < 2; i++)
		assert_non_null(strstr(dt_mcp_client_config(find(waits[i][0]),
		                                            &arena, &command),
		                       waits[i][1]));
	assert_null(
		strstr(dt_mcp_client_config(find("opencode"), &arena, &command),
	               "timeout"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		entry(files_are_where_the_environment_says),
		entry(without_a_home_there_is_no_file),
		entry(a_client_that_is_not_there_is_told),
		entry(a_new_file_holds_us_alone),
		entry(twice_is_once_and_out_again_is_nothing),
		entry(json_clients_get_json),
		entry(other_servers_stay_as_they_are),
		entry(an_older_entry_is_replaced),
		entry(a_workspace_is_named_where_it_is_wanted),
		entry(what_is_not_plain_json_is_left_alone),
		entry(a_client_that_gives_up_early_is_told_to_wait),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
