/* test/unit/tool/test_symbol_place.c - twin of src/tool/symbol_place.c */
#include "tool/symbol_place.h"

#include "editor/code_edit.h"
#include "editor/code_file.h"
#include "editor/files.h"
#include "tool/fix_tools.h"
#include "tool/script.h"
#include "unit.h"

static struct dt_read_file_result file = {
	.path = "/w/a",
	.language = "c",
	.text = DT_STR("int fun;\n"
	               "/* \xc3\xa4 */ x(fun, funny, fun);\n"
	               "void last(void);\n"),
};
static struct dt_can_rename_result can = { .can_rename = true,
	                                   .placeholder = "fun" };

/* Where prepareRename asks when it is called with a place. */
static void assert_place(const char *args, unsigned line, unsigned character)
{
	const struct step steps[] = {
		{ &dt_op_read_file, &file },
		{ &dt_op_prepare_rename, &can },
		{ 0 },
	};
	char *json = dt_asprintf("{\"filePath\":\"/w/a\",%s}", args);
	char *asked = dt_asprintf("readFile{\"path\":\"/w/a\"}\n"
	                          "prepareRename{\"path\":\"/w/a\","
	                          "\"position\":{\"line\":%u,"
	                          "\"character\":%u}}\n",
	                          line, character);
	struct script s;

	script_begin(&s);
	script_call(&s, script_find(dt_tools_fix.tools, "prepareRename"), json,
	            steps);
	assert_asked(&s, asked);
	script_end(&s);
	free(json);
	free(asked);
}

static void assert_refused(const char *args, const char *sentence)
{
	const struct step steps[] = { { &dt_op_read_file, &file }, { 0 } };
	char *json = dt_asprintf("{\"filePath\":\"/w/a\",%s}", args);
	struct script s;

	script_begin(&s);
	script_call(&s, script_find(dt_tools_fix.tools, "prepareRename"), json,
	            steps);
	assert_true(s.is_error);
	assert_non_null(strstr(dt_buf_z(&s.replied), sentence));
	script_end(&s);
	free(json);
}

test(a_place_without_a_name_is_taken_as_it_is)
{
	assert_place("\"line\":2,\"column\":3", 1, 2);
	assert_refused("\"line\":2", "column: missing");
	assert_refused("\"line\":2,\"symbol\":\"\"", "column: missing");
}

test(of_a_name_the_nearest_whole_word_counts)
{
	assert_place("\"line\":2,\"symbol\":\"fun\"", 1, 10);
	assert_place("\"line\":2,\"column\":20,\"symbol\":\"fun\"", 1, 22);
	assert_place("\"line\":2,\"column\":99,\"symbol\":\"a::fun\"", 1, 22);
	assert_place("\"line\":2,\"column\":1,\"symbol\":\"funny\"", 1, 15);
	assert_place("\"line\":3,\"symbol\":\"fun\"", 1, 10);
	assert_place("\"line\":1,\"symbol\":\"last\"", 2, 5);
	assert_refused("\"line\":1,\"symbol\":\"fu\"", "fu is not near");
	assert_refused("\"line\":90,\"symbol\":\"fun\"", "fun is not near");
}

/* Nobody knows what the file declares. */
test(without_a_line_it_is_the_first_of_the_file)
{
	const struct step steps[] = {
		{ &dt_op_get_document_symbols, NULL, DT_E_MISSING, "none" },
		{ &dt_op_read_file, &file },
		{ &dt_op_prepare_rename, &can },
		{ 0 },
	};
	struct script s;

	script_begin(&s);
	script_call(&s, script_find(dt_tools_fix.tools, "prepareRename"),
	            "{\"filePath\":\"/w/a\",\"symbol\":\"last\"}", steps);
	assert_asked(&s, "getDocumentSymbols{\"path\":\"/w/a\"}\n"
	                 "readFile{\"path\":\"/w/a\"}\n"
	                 "prepareRename{\"path\":\"/w/a\",\"position\":"
	                 "{\"line\":2,\"character\":5}}\n");
	script_end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_place_without_a_name_is_taken_as_it_is),
		cmocka_unit_test(of_a_name_the_nearest_whole_word_counts),
		cmocka_unit_test(without_a_line_it_is_the_first_of_the_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
