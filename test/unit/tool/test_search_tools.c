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
	             "\"tool\":\"dovetail\",\"note\":\"Not all is listed, "
	             "and totalMatches counts what is: make the query or "
	             "fileGlob narrower, or raise "
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

/* getAIComments */

static struct dt_search_match line_of(uint32_t line, const char *text)
{
	return (struct dt_search_match){
		.path = "/w/a",
		.range = { { line, 0 }, { line, 1 } },
		.text = dt_str(text),
	};
}

test(comments_are_sorted_by_severity)
{
	struct dt_search_match lines[] = {
		line_of(0, "\tx(); // AI: look at this"),
		line_of(1, "# AI:TODO - later"),
		line_of(2, "/* AI: Fix: the loop */"),
		line_of(3, "http://x <!--AI: question why? -->"),
		line_of(4, "-- AI:"),
		line_of(5, "# AI: fixture is wrong"),
		line_of(6, "// no AI: here"),
	};
	struct dt_search_result all = { .matches = { lines, 7 } };
	const struct step once[] = { { &dt_op_search, &all }, { 0 } };
	struct script s;

#define COMMENT(line, text, syntax, full, severity)                            \
	"{\"filePath\":\"/w/a\",\"line\":" #line ",\"comment\":\"" text        \
	"\",\"syntax\":\"" syntax "\",\"fullLine\":\"" full                    \
	"\",\"severity\":\"" severity "\"}"
	script_begin(&s);
	call(&s, "getAIComments", "{}", once);
	assert_asked(&s, "searchText{\"query\":\"(//|#|--|/\\\\*|<!--)[ "
	                 "\\\\t]*AI:\",\"regex\":true,\"caseSensitive\":"
	                 "true,\"max\":200,\"context\":0}\n");
	assert_reply(
		&s,
		"{\"count\":6,\"comments\":[" COMMENT(3, "the loop", "/*", "/* AI: Fix: the loop */", "fix") "," COMMENT(
			4, "why?", "<!--", "http://x <!--AI: question why? -->",
			"question") "," COMMENT(2, "later", "#",
	                                        "# AI:TODO - later",
	                                        "todo") "," COMMENT(1,
	                                                            "look at this",
	                                                            "//",
	                                                            "\\tx(); // AI: look at this",
	                                                            "task") "," COMMENT(5,
	                                                                                "",
	                                                                                "--",
	                                                                                "-- AI:",
	                                                                                "task") "," COMMENT(6,
	                                                                                                    "fixture is wrong",
	                                                                                                    "#",
	                                                                                                    "# AI: fixture is wrong",
	                                                                                                    "task") "],\"summary\":["
														    "{\"severity\":\"fix\",\"count\":1},"
														    "{\"severity\":\"warn\",\"count\":0},"
														    "{\"severity\":\"question\",\"count\":1},"
														    "{\"severity\":\"todo\",\"count\":1},"
														    "{\"severity\":\"task\",\"count\":3}],"
														    "\"truncated\":false}\n");
	script_end(&s);
}

test(what_asks_is_a_question)
{
	struct dt_search_match lines[] = {
		line_of(0, "// AI: why is this so slow?"),
		line_of(1, "/* AI: Why not a list */"),
		line_of(2, "# AI: fix the why?"),
		line_of(3, "// AI: ?"),
	};
	struct dt_search_result all = { .matches = { lines, 4 } };
	const struct step once[] = { { &dt_op_search, &all }, { 0 } };
	struct script s;

	script_begin(&s);
	call(&s, "getAIComments", "{}", once);
	assert_non_null(strstr(dt_buf_z(&s.replied),
	                       "{\"severity\":\"fix\",\"count\":1},"
	                       "{\"severity\":\"warn\",\"count\":0},"
	                       "{\"severity\":\"question\",\"count\":2},"
	                       "{\"severity\":\"todo\",\"count\":0},"
	                       "{\"severity\":\"task\",\"count\":1}]"));
	script_end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_and_columns_are_counted_from_one),
		cmocka_unit_test(what_is_cut_says_how_to_get_the_rest),
		cmocka_unit_test(limits_are_said),
		cmocka_unit_test(comments_are_sorted_by_severity),
		cmocka_unit_test(what_asks_is_a_question),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
