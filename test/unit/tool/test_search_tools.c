/* test/unit/tool/test_search_tools.c - twin of src/tool/search_tools.c */
#include "tool/search_tools.h"

#include "editor/search.h"
#include "tool/script.h"
#include "unit.h"

static void call(struct script *s, const char *name, const char *args,
                 const struct step *steps)
{
	script_call(s, script_find(dt_tools_search.tools, name), args, steps);
}

/* searchWorkspace */

static const char *before[] = { "one" };
static struct dt_search_match match = {
	.path = "/w/a",
	.range = { { 1, 2 }, { 1, 5 } },
	.text = { "x two", 5 },
	.before = { before, 1 },
};
static struct dt_search_result found = {
	.matches = { &match, 1 },
	.source = "ripgrep",
};
static const struct step steps[] = { { &dt_op_search, &found }, { 0 } };

test(lines_and_columns_are_counted_from_one)
{
	struct script s;

	script_begin(&s);
	call(&s, "searchWorkspace",
	     "{\"query\":\"two\",\"fileGlob\":\"*.c\",\"contextLines\":1}",
	     steps);
	assert_asked(&s, "searchText{\"query\":\"two\",\"glob\":\"*.c\","
	                 "\"regex\":false,\"caseSensitive\":true,\"max\":100,"
	                 "\"context\":1}\n");
	assert_reply(&s, "{\"matches\":[{\"filePath\":\"/w/a\",\"line\":2,"
	                 "\"column\":3,\"endColumn\":6,\"text\":\"x two\","
	                 "\"before\":[\"one\"]}],\"totalMatches\":1,"
	                 "\"truncated\":false,\"tool\":\"ripgrep\"}\n");
	script_end(&s);
}

test(what_is_cut_says_how_to_get_the_rest)
{
	struct dt_search_result cut = { .is_cut = true, .source = "dovetail" };
	const struct step once[] = { { &dt_op_search, &cut }, { 0 } };
	struct script s;

	script_begin(&s);
	call(&s, "searchWorkspace", "{\"query\":\"two\",\"isRegex\":true}",
	     once);
	assert_reply(&s,
	             "{\"matches\":[],\"totalMatches\":0,\"truncated\":true,"
	             "\"tool\":\"dovetail\",\"note\":\"Not all is listed: "
	             "make the query or fileGlob narrower, or raise "
	             "maxResults, which may be 200.\"}\n");
	script_end(&s);
}

test(limits_are_said)
{
	struct script s;

	script_begin(&s);
	call(&s, "searchWorkspace", "{\"query\":\"a\",\"maxResults\":201}",
	     NULL);
	assert_failure(&s, "maxResults: must be 1 to 200\n");
	call(&s, "searchWorkspace", "{\"query\":\"a\",\"maxResults\":0}", NULL);
	assert_failure(&s, "maxResults: must be 1 to 200\n");
	call(&s, "searchWorkspace", "{\"query\":\"a\",\"contextLines\":6}",
	     NULL);
	assert_failure(&s, "contextLines: must be 0 to 5\n");
	script_end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_and_columns_are_counted_from_one),
		cmocka_unit_test(what_is_cut_says_how_to_get_the_rest),
		cmocka_unit_test(limits_are_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
