#include "unit.h"

#include "app/toml_table.h"

#include <stdio.h>

static const struct dt_toml_place place = { "mcp_servers", "dt" };
#define TABLE "[mcp_servers.dt]\ncommand = \"x\"\n"

static struct dt_arena arena;

static int stop(void **state)
{
	(void)state;
	dt_arena_done(&arena);
	return 0;
}

static void assert_set(const char *text, const char *table, const char *made)
{
	struct dt_str out = { 0 };

	assert_ok(dt_toml_table_set(&arena, dt_str(text), &place, table, &out,
	                            NULL));
	assert_string_equal(dt_arena_strndup(&arena, out.ptr, out.len), made);
}

static void assert_refused(const char *text)
{
	struct dt_str out = { 0 };

	assert_int_equal(dt_toml_table_set(&arena, dt_str(text), &place, TABLE,
	                                   &out, NULL),
	                 DT_E_ARGS);
}

test(a_table_is_added_behind_all_else)
{
	assert_set("", TABLE, TABLE);
	assert_set(NULL, TABLE, TABLE);
	assert_set("a = 1\n", TABLE, "a = 1\n\n" TABLE);
	assert_set("[x]\na = 1", TABLE, "[x]\na = 1\n\n" TABLE);
}

test(a_table_that_is_there_is_replaced)
{
	assert_set("a = 1\n[mcp_servers.dt] # ours\nold = 2\n\n[z]\nb = 1\n",
	           TABLE, "a = 1\n" TABLE "\n[z]\nb = 1\n");
	assert_set(TABLE, TABLE, TABLE);
	assert_set("  [mcp_servers.dt]\nold = 2", TABLE, TABLE);
}

test(tables_below_it_stay_with_it)
{
	static const char env[] = "\n[mcp_servers.dt.env]\nA = \"b\"\n";
	char text[200];
	char made[200];

	snprintf(text, sizeof(text), "[mcp_servers.dt]\nold = 1\n%s[z]\n", env);
	snprintf(made, sizeof(made), TABLE "%s[z]\n", env);
	assert_set(text, TABLE, made);
	assert_set(text, NULL, "[z]\n");
}

test(taken_out_it_leaves_what_was_there)
{
	assert_set("a = 1\n\n" TABLE, NULL, "a = 1\n");
	assert_set(TABLE "\n[z]\n", NULL, "[z]\n");
	assert_set("a = 1\n", NULL, "a = 1\n");
	assert_set("", NULL, "");
}

test(what_comes_behind_it_is_not_its_own)
{
	static const char *const behind[] = {
		"\n[[z]]\na = 1\n", "\n# of z\n[z]\n", "# of z\n[[z]]\n",
		"\n# the end\n",    "\r\n\r\n[z]\r\n",
	};
	char text[200];
	char made[200];

	for (size_t i = 0; i < sizeof(behind) / sizeof(behind[0]); i++) {
		snprintf(text, sizeof(text), "[mcp_servers.dt]\nold = 1\n%s",
		         behind[i]);
		snprintf(made, sizeof(made), TABLE "%s", behind[i]);
		assert_set(text, TABLE, made);
		snprintf(text, sizeof(text), "a = 1\n\n" TABLE "%s", behind[i]);
		snprintf(made, sizeof(made), "a = 1\n%s", behind[i]);
		assert_set(text, NULL, made);
	}
	assert_set(
		"[mcp_servers.dt]\nold = 1\n[[mcp_servers.dt.list]]\n[[z]]\n",
		NULL, "[[z]]\n");
}

test(blanks_in_a_header_do_not_matter)
{
	assert_set("[ mcp_servers.dt ]\nold = 1\n", TABLE, TABLE);
	assert_set("[mcp_servers\t. dt] # ours\nold = 1\n", TABLE, TABLE);
	assert_set("[ mcp_servers.dt ]\n[ mcp_servers . dt . env ]\n[ z ]\n",
	           NULL, "[ z ]\n");
	assert_refused("[ mcp_servers ]\ndt = {}\n");
	assert_refused("[ mcp_servers . \"dt\" ]\n");
}

test(a_header_in_a_text_is_none)
{
	static const char text[] = "a = \"\"\"\n[mcp_servers.dt]\n\"\"\"\n"
				   "# [mcp_servers.dt]\n";
	char made[200];

	snprintf(made, sizeof(made), "%s\n%s", text, TABLE);
	assert_set(text, TABLE, made);
}

test(other_names_are_not_ours)
{
	assert_set("[mcp_servers.dtx]\na = 1\n", NULL,
	           "[mcp_servers.dtx]\na = 1\n");
	assert_set("[x.mcp_servers.dt]\n", NULL, "[x.mcp_servers.dt]\n");
	assert_set("mcp_serversx = 1\n", NULL, "mcp_serversx = 1\n");
}

test(what_is_written_otherwise_is_left_alone)
{
	assert_refused("mcp_servers = { dt = {} }\n");
	assert_refused("mcp_servers.dt.command = \"x\"\n");
	assert_refused("[mcp_servers]\ndt = {}\n");
	assert_refused("[mcp_servers]\ndt.command = \"x\"\n");
	assert_refused("[mcp_servers.\"dt\"]\n");
	assert_refused("[\"mcp_servers\".dt]\n");
	assert_refused("[[mcp_servers.dt]]\n");
	assert_refused("[mcp_servers.'dt'.env]\n");
	assert_refused("[mcp_servers.dt.env]\nA = \"b\"\n");
	assert_refused(TABLE TABLE);
	assert_refused("[mcp_servers.dt]\na = '''\n[x]\n'''\n");
}

#define entry(name) cmocka_unit_test_teardown(name, stop)

int main(void)
{
	const struct CMUnitTest tests[] = {
		entry(a_table_is_added_behind_all_else),
		entry(a_table_that_is_there_is_replaced),
		entry(tables_below_it_stay_with_it),
		entry(taken_out_it_leaves_what_was_there),
		entry(what_comes_behind_it_is_not_its_own),
		entry(blanks_in_a_header_do_not_matter),
		entry(a_header_in_a_text_is_none),
		entry(other_names_are_not_ours),
		entry(what_is_written_otherwise_is_left_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
