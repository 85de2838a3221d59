#include "unit.h"

#include "dialect/dialect.h"
#include "hub/bridge_tools.h"
#include "hub/catalog.h"

static struct dt_buf text;

static int start(void **state)
{
	(void)state;
	dt_buf_init(&text, 1 << 20);
	return 0;
}

static int end(void **state)
{
	(void)state;
	dt_buf_done(&text);
	return 0;
}

/* Each tool's name must stand in what was printed, in the order of the tables. */
static void assert_all_tools(void)
{
	const char *at = dt_buf_z(&text);

	for (size_t d = 0; d < dt_dialect_count; d++) {
		const struct dt_tool *tool;

		for (size_t i = 0; (tool = dt_dialect_tool(dt_dialects[d], i));
		     i++) {
			at = strstr(at, tool->name);
			assert_non_null(at);
		}
	}
}

test(the_list_has_every_tool)
{
	dt_catalog_write_text(&text);
	assert_all_tools();
}

test(the_documentation_has_every_tool_and_argument)
{
	dt_catalog_write_markdown(&text);
	assert_all_tools();
	assert_non_null(strstr(dt_buf_z(&text), "| `new_file_contents` |"));
	assert_non_null(strstr(dt_buf_z(&text), "No arguments."));
	assert_null(strstr(dt_buf_z(&text), "(null)"));
}

static const char *const rows[] = {
#define X(names, why) names,
#include "tool/not_offered.def"
#undef X
};

/* A tool that came since is taken out of the table. */
test(nothing_is_both_offered_and_not)
{
	const struct dt_dialect *mcp = dt_dialect_find("mcp");

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct dt_str rest = dt_str(rows[i]);

		while (rest.len) {
			struct dt_str name = dt_str_cut(&rest, ' ');

			if (dt_dialect_find_tool(mcp, name))
				fail_msg("%.*s is offered", DT_STR_ARG(name));
		}
	}
	dt_catalog_write_markdown(&text);
	assert_non_null(strstr(dt_buf_z(&text), "| `formatAndSave` | "));
}

static bool is_refused(struct dt_str wanted)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct dt_str rest = dt_str(rows[i]);

		while (rest.len) {
			if (dt_str_eq(dt_str_cut(&rest, ' '), wanted))
				return true;
		}
	}
	return false;
}

/* Who knows a name from there finds it here, or why it is not. */
test(every_tool_of_the_bridge_is_offered_or_explained)
{
	const struct dt_dialect *mcp = dt_dialect_find("mcp");
	struct dt_str rest = dt_str(bridge_tools);
	size_t count = 0;

	for (; rest.len; count++) {
		struct dt_str name = dt_str_cut(&rest, ' ');

		if (!dt_dialect_find_tool(mcp, name) && !is_refused(name))
			fail_msg("%.*s is nowhere", DT_STR_ARG(name));
	}
	assert_true(count > 170);
}

/* A list of all would cost a model more than it gives. */
test(the_short_list_stays_short)
{
	const struct dt_dialect *mcp = dt_dialect_find("mcp");
	const struct dt_tool *tool;
	size_t count = 0;

	for (size_t i = 0; (tool = dt_dialect_tool(mcp, i)); i++)
		count += !(tool->flags & DT_TOOL_EXTRA);
	assert_in_range(count, 55, 62);
}

test(what_is_not_in_the_short_list_is_marked)
{
	dt_catalog_write_text(&text);
	assert_non_null(strstr(
		dt_buf_z(&text),
		"watchActivityLog           reads (not in the short list)\n"));
	assert_non_null(
		strstr(dt_buf_z(&text), "searchTools                reads\n"));
}

test(the_json_is_json_with_a_schema_for_each_tool)
{
	struct dt_json_out out = dt_json_out(&text);
	struct dt_arena arena = { 0 };
	const struct dt_json *dialects;
	size_t count = 0;

	dt_catalog_write_json(&out);
	assert_ok(dt_json_read(&arena, dt_buf_str(&text), &dialects, NULL));
	dt_json_each(dialect, dialects) {
		dt_json_each(tool, dt_json_get(dialect, "tools")) {
			const struct dt_json *schema =
				dt_json_get(tool, "inputSchema");

			assert_non_null(schema);
			assert_str(dt_json_get(schema, "type")->raw,
			           "\"object\"");
			count++;
		}
	}
	assert_int_equal(dialects->count, dt_dialect_count);
	assert_true(count >= 12);
	dt_arena_done(&arena);
}

test(one_tool_is_explained)
{
	assert_false(dt_catalog_write_tool(&text, "noSuchTool"));
	assert_int_equal(text.len, 0);
	assert_true(dt_catalog_write_tool(&text, "openFile"));
	assert_non_null(strstr(dt_buf_z(&text), "dovetail call openFile"));
	assert_non_null(strstr(dt_buf_z(&text), "filePath (string, required)"));
	for (struct dt_str rest = dt_buf_str(&text); rest.len;)
		assert_true(dt_str_cut(&rest, '\n').len <= 76);
}

int main(void)
{
#define CATALOG_TEST(name) cmocka_unit_test_setup_teardown(name, start, end)
	const struct CMUnitTest tests[] = {
		CATALOG_TEST(the_list_has_every_tool),
		CATALOG_TEST(the_documentation_has_every_tool_and_argument),
		CATALOG_TEST(the_json_is_json_with_a_schema_for_each_tool),
		CATALOG_TEST(nothing_is_both_offered_and_not),
		CATALOG_TEST(every_tool_of_the_bridge_is_offered_or_explained),
		CATALOG_TEST(the_short_list_stays_short),
		CATALOG_TEST(what_is_not_in_the_short_list_is_marked),
		CATALOG_TEST(one_tool_is_explained),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
