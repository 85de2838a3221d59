/* test/unit/tool/test_code_place.c - places found by a name. */
#include "tool/code_place.h"

#include "tool/code_tools.h"
#include "tool/script.h"

static const struct dt_hover_result hover = {
	.is_found = true,
	.text = { "int f", 5 },
	.source = { .path = "/w/a.c",
	            .server = "clangd",
	            .moved = { { 4, 5 }, "found by its name" } },
};

static struct dt_symbol symbol(const char *name, const char *container,
                               uint32_t line, uint32_t last)
{
	return (struct dt_symbol){
		.name = name,
		.kind = "function",
		.container = container,
		.path = "/w/a.c",
		.range = { { line, 0 }, { last, 1 } },
		.selection = { { line, 5 }, { line, 6 } },
	};
}

static void ask(struct script *s, const char *args, const struct step *steps)
{
	script_begin(s);
	script_call(s, script_find(dt_tools_code.tools, "getHover"), args,
	            steps);
}

test(without_a_line_it_is_where_the_file_declares_it)
{
	struct dt_symbol list[] = {
		symbol("fa", NULL, 0, 9),
		symbol("f", NULL, 1, 1),
		symbol("f(int)", NULL, 4, 8),
	};
	const struct dt_symbols_result outline = { .items = { list, 3 } };
	const struct step steps[] = { { &dt_op_get_document_symbols, &outline },
		                      { &dt_op_get_hover, &hover },
		                      { 0 } };
	struct script s;

	ask(&s, "{\"filePath\":\"/w/a.c\",\"symbol\":\"f\"}", steps);
	/* The declaration and the definition: the longer. */
	assert_asked(&s, "getDocumentSymbols{\"path\":\"/w/a.c\"}\n"
	                 "getHover{\"path\":\"/w/a.c\",\"line\":4,"
	                 "\"character\":5,\"symbol\":\"f\",\"note\":\"found by "
	                 "its name\"}\n");
	assert_reply(&s,
	             "{\"found\":true,\"contents\":\"int f\",\"range\":{"
	             "\"start\":{\"line\":1,\"column\":1},\"end\":{\"line\":1,"
	             "\"column\":1}},\"adjusted\":{\"filePath\":\"/w/a.c\","
	             "\"line\":5,\"column\":6,\"note\":\"found by its name\"},"
	             "\"server\":\"clangd\"}\n");
	script_end(&s);
}

test(a_name_that_is_not_declared_is_left_to_the_editor)
{
	static const struct dt_symbols_result none;
	const struct step found[] = { { &dt_op_get_document_symbols, &none },
		                      { &dt_op_get_hover, &hover },
		                      { 0 } };
	const struct step failed[] = { { &dt_op_get_document_symbols, NULL,
		                         DT_E_UNSUPPORTED, "it cannot" },
		                       { &dt_op_get_hover, NULL,
		                         DT_E_UNSUPPORTED, "install it" },
		                       { 0 } };
	struct script s;

	ask(&s, "{\"filePath\":\"/w/a.c\",\"symbol\":\"f\"}", found);
	assert_asked(&s, "getDocumentSymbols{\"path\":\"/w/a.c\"}\n"
	                 "getHover{\"path\":\"/w/a.c\",\"line\":0,"
	                 "\"character\":0,\"symbol\":\"f\","
	                 "\"known\":\"file\"}\n");
	script_end(&s);
	ask(&s, "{\"filePath\":\"/w/a.c\",\"symbol\":\"f\"}", failed);
	assert_failure(&s, "install it\n");
	script_end(&s);
}

test(without_a_file_it_is_the_only_one_of_the_workspace)
{
	struct dt_symbol list[] = {
		symbol("f", "A", 1, 1),
		symbol("f", "Outer::B", 4, 4),
	};
	const struct dt_symbols_result both = { .items = { list, 2 } };
	const struct step alone[] = { { &dt_op_search_symbols, &both }, { 0 } };
	const struct step steps[] = { { &dt_op_search_symbols, &both },
		                      { &dt_op_get_hover, &hover },
		                      { 0 } };
	struct script s;

	ask(&s, "{\"symbol\":\"B::f\"}", steps);
	assert_asked(&s, "searchSymbols{\"query\":\"f\",\"limit\":100}\n"
	                 "getHover{\"path\":\"/w/a.c\",\"line\":4,"
	                 "\"character\":5,\"symbol\":\"f\",\"note\":\"found by "
	                 "its name\"}\n");
	script_end(&s);
	ask(&s, "{\"symbol\":\"f\"}", alone);
	assert_failure(&s, "2 symbols are called f: give filePath and line of "
	                   "one: /w/a.c:2, /w/a.c:5\n");
	script_end(&s);
}

test(what_a_symbol_is_in_need_not_be_told)
{
	struct dt_symbol list[] = {
		symbol("f", NULL, 4, 4),
		symbol("f", NULL, 7, 7),
	};
	struct dt_symbols_result result = { .items = { list, 1 } };
	const struct step alone[] = { { &dt_op_search_symbols, &result },
		                      { 0 } };
	const struct step steps[] = { { &dt_op_search_symbols, &result },
		                      { &dt_op_get_hover, &hover },
		                      { 0 } };
	struct script s;

	list[0].kind = list[1].kind = "method";
	ask(&s, "{\"symbol\":\"B.f\"}", steps);
	assert_false(s.is_error);
	script_end(&s);
	/* Two methods of who knows what are not one. */
	result.items.count = 2;
	ask(&s, "{\"symbol\":\"B.f\"}", alone);
	assert_true(s.is_error);
	script_end(&s);
}

test(what_is_not_found_says_what_to_do)
{
	struct dt_symbols_result none = { 0 };
	const struct step steps[] = { { &dt_op_search_symbols, &none }, { 0 } };
	struct script s;

	ask(&s, "{\"symbol\":\"f\"}", steps);
	assert_failure(&s, "no symbol of the workspace is called f: give "
	                   "filePath and line, or look for it with "
	                   "searchWorkspace\n");
	script_end(&s);
	none.source.busy = "indexing 3/4";
	ask(&s, "{\"symbol\":\"f\"}", steps);
	assert_failure(&s, "no symbol called f is known yet, but not all of "
	                   "the workspace was looked at (indexing 3/4): ask "
	                   "again\n");
	script_end(&s);
	ask(&s, "{\"filePath\":\"/w/a.c\"}", NULL);
	assert_failure(&s, "line: missing\n");
	script_end(&s);
	ask(&s, "{\"line\":1}", NULL);
	assert_failure(&s, "filePath: missing\n");
	script_end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			without_a_line_it_is_where_the_file_declares_it),
		cmocka_unit_test(
			a_name_that_is_not_declared_is_left_to_the_editor),
		cmocka_unit_test(
			without_a_file_it_is_the_only_one_of_the_workspace),
		cmocka_unit_test(what_a_symbol_is_in_need_not_be_told),
		cmocka_unit_test(what_is_not_found_says_what_to_do),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
