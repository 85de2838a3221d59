/* test/unit/tool/test_import_tools.c - twin of src/tool/import_tools.c */
#include "tool/import_tools.h"

#include "editor/project.h"
#include "tool/script.h"
#include "unit.h"

static struct dt_import imports[] = {
	{ "/a", "/b", "b", 0, 0 }, { "/a", NULL, "x", 3, 0 },
	{ "/b", "/c", "c", 0, 1 }, { "/c", "/b", "b", 0, 2 },
	{ "/c", "/a", "a", 1, 2 },
};
static struct dt_imports_result found = {
	.path = "/a",
	.language = "c",
	.imports = { imports, 5 },
	.file_count = 3,
};
static const struct step steps[] = { { &dt_op_get_imports, &found }, { 0 } };

test(a_tree_has_its_cycles)
{
	struct script s;

	script_begin(&s);
	script_call(&s, dt_tools_imports.tools, "{\"filePath\":\"/a\"}", steps);
	assert_asked(&s, "getImports{\"path\":\"/a\",\"depth\":4,\"external\":"
	                 "false}\n");
	assert_reply(
		&s,
		"{\"filePath\":\"/a\",\"languageId\":\"c\",\"tree\":["
		"{\"filePath\":\"/a\",\"depth\":0,\"imports\":[{\"name\":\"b\","
		"\"filePath\":\"/b\",\"line\":1},{\"name\":\"x\",\"line\":4}]},"
		"{\"filePath\":\"/b\",\"depth\":1,\"imports\":[{\"name\":\"c\","
		"\"filePath\":\"/c\",\"line\":1}]},"
		"{\"filePath\":\"/c\",\"depth\":2,\"imports\":[{\"name\":\"b\","
		"\"filePath\":\"/b\",\"line\":1},{\"name\":\"a\",\"filePath\":"
		"\"/a\",\"line\":2}]}],\"cycles\":[{\"files\":[\"/b\",\"/c\"]},"
		"{\"files\":[\"/a\",\"/b\",\"/c\"]}],\"totalFiles\":3,"
		"\"maxDepth\":5,\"truncated\":false}\n");
	script_end(&s);
}

test(the_depth_has_a_limit)
{
	struct script s;

	script_begin(&s);
	script_call(&s, dt_tools_imports.tools,
	            "{\"filePath\":\"/a\",\"maxDepth\":11}", NULL);
	assert_failure(&s, "maxDepth: must be 1 to 10\n");
	script_call(&s, dt_tools_imports.tools,
	            "{\"filePath\":\"/a\",\"maxDepth\":0}", NULL);
	assert_failure(&s, "maxDepth: must be 1 to 10\n");
	script_end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_tree_has_its_cycles),
		cmocka_unit_test(the_depth_has_a_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
