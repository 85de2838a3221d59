/* test/unit/tool/test_code_tools.c - what agents are told about a place. */
#include "tool/code_tools.h"

#include "editor/code_file.h"
#include "tool/script.h"

static void call(struct script *s, const char *name, const char *args,
                 const struct step *steps)
{
	script_call(s, script_find(dt_tools_code.tools, name), args, steps);
}

static struct dt_location places[] = {
	{ "/w/a.c", { { 0, 4 }, { 0, 7 } }, { "int foo;", 8 } },
	{ "/usr/include/b.h", { { 9, 0 }, { 9, 3 } }, { 0 } },
};
static const struct dt_locations_result two = {
	.items = { places, 2 },
	.total = 5,
	.source = { .server = "clangd",
	            .busy = "indexing 3/4",
	            .moved = { { 2, 1 }, "the nearest" } },
};

#define FOO                                                                    \
	"{\"filePath\":\"/w/a.c\",\"range\":{\"start\":{\"line\":1,"           \
	"\"column\":5},\"end\":{\"line\":1,\"column\":8}},\"preview\":"        \
	"\"int foo;\"}"
#define B_H                                                                     \
	"{\"filePath\":\"/usr/include/b.h\",\"range\":{\"start\":{\"line\":10," \
	"\"column\":1},\"end\":{\"line\":10,\"column\":4}}}"

test(places_count_from_1_and_say_what_is_not_sure)
{
	const struct step steps[] = { { &dt_op_find_references, &two }, { 0 } };
	struct script s;

	script_begin(&s);
	call(&s, "findReferences",
	     "{\"filePath\":\"/w/x.c\",\"line\":3,\"column\":7,"
	     "\"symbol\":\"foo\",\"cursor\":2}",
	     steps);
	assert_asked(&s, "findReferences{\"path\":\"/w/x.c\",\"line\":2,"
	                 "\"character\":6,\"symbol\":\"foo\",\"offset\":2,"
	                 "\"limit\":100}\n");
	assert_reply(&s,
	             "{\"found\":true,\"references\":[" FOO "," B_H
	             "],\"count\":2,\"total\":5,\"nextCursor\":4,"
	             "\"adjusted\":{\"line\":3,\"column\":2,\"note\":\"the "
	             "nearest\"},\"server\":\"clangd\",\"note\":\"clangd has "
	             "not seen the whole workspace yet (indexing 3/4): there "
	             "may be more, ask again\"}\n");
	script_end(&s);
}

test(nothing_found_is_told_with_what_to_do)
{
	static const struct dt_locations_result none = { .total = 0 };
	const struct step steps[] = { { &dt_op_go_to_definition, &none },
		                      { 0 } };
	struct script s;

	script_begin(&s);
	call(&s, "goToDefinition", "{\"filePath\":\"/w/x.c\",\"line\":3}",
	     steps);
	assert_asked(&s, "goToDefinition{\"path\":\"/w/x.c\",\"line\":2,"
	                 "\"character\":0,\"known\":\"line\","
	                 "\"limit\":100}\n");
	assert_reply(&s, "{\"found\":false,\"message\":\"The language server "
	                 "knows of none for what is at this place. Check line "
	                 "and column, or give the symbol.\",\"locations\":[],"
	                 "\"count\":0,\"total\":0}\n");
	script_end(&s);
}

test(a_failure_is_never_a_result)
{
	const struct step steps[] = { { &dt_op_get_hover, NULL,
		                        DT_E_UNSUPPORTED, "install something" },
		                      { 0 } };
	struct script s;

	script_begin(&s);
	call(&s, "getHover", "{\"filePath\":\"/w/x.c\",\"line\":1}", steps);
	assert_failure(&s, "install something\n");
	call(&s, "getHover", "{\"filePath\":\"/w/x.c\",\"line\":0}", NULL);
	assert_failure(&s, "line: counts from 1\n");
	call(&s, "getHover",
	     "{\"filePath\":\"/w/x.c\",\"line\":1,\"column\":0}", NULL);
	assert_failure(&s, "column: counts from 1\n");
	call(&s, "getCallHierarchy",
	     "{\"filePath\":\"/w/x.c\",\"line\":1,\"maxResults\":0}", NULL);
	assert_failure(&s, "maxResults: must be 1 to 500\n");
	script_end(&s);
}

static void assert_signature(const char *hover, const char *wanted)
{
	const struct dt_hover_result result = {
		.is_found = true,
		.text = dt_str(hover),
	};
	const struct step steps[] = { { &dt_op_get_hover, &result }, { 0 } };
	struct script s;

	script_begin(&s);
	call(&s, "getTypeSignature", "{\"filePath\":\"/w/x.c\",\"line\":1}",
	     steps);
	assert_reply(&s, wanted);
	script_end(&s);
}

test(a_signature_is_the_first_code_of_a_hover)
{
	assert_signature("a\n```c\nint f(void)\n```\n```c\nno\n```",
	                 "{\"found\":true,\"signature\":\"int f(void)\"}\n");
	assert_signature("```c\nint f(",
	                 "{\"found\":true,\"signature\":\"int f(\"}\n");
	assert_signature("words", "{\"found\":false,\"raw\":\"words\"}\n");
	assert_signature("```", "{\"found\":false,\"raw\":\"```\"}\n");
}

test(the_cursor_must_be_somewhere)
{
	static const struct dt_selection none = { 0 };
	static const struct dt_selection here = {
		.path = "/w/x.c",
		.range = { { 4, 2 }, { 4, 2 } },
	};
	static const struct dt_hover_result hover = { .is_found = false };
	const struct step nowhere[] = { { &dt_op_get_selection, &none },
		                        { 0 } };
	const struct step steps[] = { { &dt_op_get_selection, &here },
		                      { &dt_op_get_hover, &hover },
		                      { 0 } };
	struct script s;

	script_begin(&s);
	call(&s, "getHoverAtCursor", "{}", nowhere);
	assert_failure(&s, "nothing is selected and no document is active; use "
	                   "getHover with a place\n");
	call(&s, "getHoverAtCursor", "{}", steps);
	assert_asked(&s, "getSelection{\"latest\":false}\n"
	                 "getHover{\"path\":\"/w/x.c\",\"line\":4,"
	                 "\"character\":2}\n");
	script_end(&s);
}

test(one_way_that_cannot_be_told_is_named)
{
	static struct dt_range site = { { 3, 0 }, { 3, 2 } };
	static struct dt_hierarchy_item caller = {
		.name = "main",
		.kind = "function",
		.path = "/w/m.c",
		.range = { { 1, 0 }, { 9, 1 } },
		.selection = { { 1, 4 }, { 1, 8 } },
		.sites = { &site, 1 },
	};
	static const struct dt_hierarchy_result tree = {
		.is_found = true,
		.name = "f",
		.up = { &caller, 1 },
		.missing = "clangd cannot tell what a function calls",
	};
	const struct step steps[] = { { &dt_op_get_call_hierarchy, &tree },
		                      { 0 } };
	struct script s;

	script_begin(&s);
	call(&s, "getCallHierarchy",
	     "{\"filePath\":\"/w/x.c\",\"line\":1,\"direction\":\"incoming\"}",
	     steps);
	assert_asked(&s, "getCallHierarchy{\"path\":\"/w/x.c\",\"line\":0,"
	                 "\"character\":0,\"known\":\"line\","
	                 "\"direction\":\"up\"}\n");
	assert_non_null(strstr(dt_buf_z(&s.replied),
	                       "\"message\":\"clangd cannot tell"));
	assert_non_null(strstr(dt_buf_z(&s.replied),
	                       "\"callSites\":[{\"start\":{\"line\":4,"
	                       "\"column\":1},\"end\":{\"line\":4,"
	                       "\"column\":3}}]"));
	script_end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(places_count_from_1_and_say_what_is_not_sure),
		cmocka_unit_test(nothing_found_is_told_with_what_to_do),
		cmocka_unit_test(a_failure_is_never_a_result),
		cmocka_unit_test(a_signature_is_the_first_code_of_a_hover),
		cmocka_unit_test(the_cursor_must_be_somewhere),
		cmocka_unit_test(one_way_that_cannot_be_told_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
