/* test/unit/tool/test_code_many_tools.c - several questions in one call. */
#include "tool/code_many_tools.h"

#include "editor/code_file.h"
#include "tool/script.h"

static void call(struct script *s, const char *name, const char *args,
                 const struct step *steps)
{
	script_call(s, script_find(dt_tools_code_many.tools, name), args,
	            steps);
}

#define PLACE "{\"filePath\":\"/w/a\",\"line\":1}"

static const struct dt_hover_result hover = {
	.is_found = true,
	.text = { "doc", 3 },
	.source = { .server = "clangd" },
};
static struct dt_location place = { "/w/b", { { 1, 1 }, { 1, 2 } }, { 0 } };
static const struct dt_locations_result located = {
	.items = { &place, 1 },
	.total = 30,
	.source = { .server = "clangd", .busy = "indexing" },
};
static const struct dt_hierarchy_result tree = {
	.is_found = true,
	.name = "f",
	.missing = "clangd cannot tell what a function calls",
};

test(one_place_that_fails_does_not_take_the_others_away)
{
	const struct step steps[] = {
		{ &dt_op_get_hover, &hover },
		{ &dt_op_get_hover, NULL, DT_E_MISSING, "it is gone" },
		{ 0 },
	};
	struct script s;

	script_begin(&s);
	call(&s, "batchGetHover", "{\"items\":[" PLACE "," PLACE "]}", steps);
	assert_reply(&s,
	             "{\"results\":[{\"filePath\":\"/w/a\",\"line\":1,"
	             "\"found\":true,\"server\":\"clangd\","
	             "\"contents\":\"doc\"},{\"filePath\":\"/w/a\",\"line\":1,"
	             "\"found\":false,\"error\":\"it is gone\"}],"
	             "\"count\":1}\n");
	script_end(&s);
}

test(definitions_are_asked_one_by_one)
{
	const struct step steps[] = { { &dt_op_go_to_definition, &located },
		                      { 0 } };
	struct script s;

	script_begin(&s);
	call(&s, "batchGoToDefinition", "{\"items\":[" PLACE "]}", steps);
	assert_false(s.is_error);
	assert_non_null(strstr(dt_buf_z(&s.replied),
	                       "\"locations\":[{\"filePath\":\"/w/b\""));
	script_end(&s);
}

test(a_batch_has_1_to_10_places)
{
	struct script s;

	script_begin(&s);
	call(&s, "batchGetHover", "{\"items\":[]}", NULL);
	assert_failure(&s, "items: must be 1 to 10 places\n");
	call(&s, "batchFindImplementations",
	     "{\"items\":[{\"filePath\":\"/w/a\",\"line\":0}]}", NULL);
	assert_failure(&s, "line: counts from 1\n");
	script_end(&s);
}

test(a_symbol_is_explained_with_what_could_be_told)
{
	const struct step steps[] = {
		{ &dt_op_get_hover, &hover },
		{ &dt_op_go_to_definition, NULL, DT_E_UNSUPPORTED,
		  "it cannot" },
		{ &dt_op_find_references, &located },
		{ &dt_op_get_call_hierarchy, &tree },
		{ 0 },
	};
	struct script s;

	script_begin(&s);
	call(&s, "explainSymbol", PLACE, steps);
	assert_reply(
		&s,
		"{\"hover\":\"doc\",\"definition\":[],\"references\":[{"
		"\"filePath\":\"/w/b\",\"range\":{\"start\":{\"line\":2,"
		"\"column\":2},\"end\":{\"line\":2,\"column\":3}}}],"
		"\"referencesTotal\":30,\"callers\":[],\"callees\":[],"
		"\"missing\":[\"definition: it cannot\",\"clangd cannot tell "
		"what a function calls\"],\"server\":\"clangd\",\"note\":"
		"\"clangd has not seen the whole workspace yet (indexing): "
		"there may be more, ask again\"}\n");
	script_end(&s);
}

test(a_symbol_of_which_nothing_can_be_told_is_a_failure)
{
	const struct step steps[] = {
		{ &dt_op_get_hover, NULL, DT_E_UNSUPPORTED, "install it" },
		{ &dt_op_go_to_definition, NULL, DT_E_UNSUPPORTED, "x" },
		{ &dt_op_find_references, NULL, DT_E_UNSUPPORTED, "x" },
		{ &dt_op_get_call_hierarchy, NULL, DT_E_UNSUPPORTED, "x" },
		{ &dt_op_get_type_hierarchy, NULL, DT_E_UNSUPPORTED, "x" },
		{ 0 },
	};
	const struct step denied[] = {
		{ &dt_op_get_hover, NULL, DT_E_DENIED, "kept from agents" },
		{ 0 },
	};
	struct script s;

	script_begin(&s);
	call(&s, "explainSymbol",
	     "{\"filePath\":\"/w/a\",\"line\":1,"
	     "\"includeTypeHierarchy\":true}",
	     steps);
	assert_failure(&s, "install it\n");
	call(&s, "explainSymbol", PLACE, denied);
	assert_failure(&s, "kept from agents\n");
	script_end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			one_place_that_fails_does_not_take_the_others_away),
		cmocka_unit_test(definitions_are_asked_one_by_one),
		cmocka_unit_test(a_batch_has_1_to_10_places),
		cmocka_unit_test(a_symbol_is_explained_with_what_could_be_told),
		cmocka_unit_test(
			a_symbol_of_which_nothing_can_be_told_is_a_failure),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
