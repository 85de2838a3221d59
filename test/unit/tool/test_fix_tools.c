/* test/unit/tool/test_fix_tools.c - what can be done about code.  What is changed
 * then is tested by test/suites/cli.py, with real servers. */
#include "tool/fix_tools.h"

#include "editor/code_edit.h"
#include "tool/script.h"

#define RANGE                                                                  \
	"\"filePath\":\"/w/a.ts\",\"startLine\":1,\"startColumn\":1,"          \
	"\"endLine\":1,\"endColumn\":2"

test(actions_that_cannot_be_done_are_counted)
{
	struct dt_code_action list[] = {
		{ .title = "Extract", .disabled = "No function" },
		{ .title = "Fix", .kind = "quickfix", .is_preferred = true },
		{ .title = "Inline", .disabled = "Nothing to inline" },
	};
	const struct dt_actions_result result = {
		.actions = { list, 3 },
		.source = "server",
	};
	const struct step steps[] = { { &dt_op_get_code_actions, &result },
		                      { 0 } };
	struct script s;

	script_begin(&s);
	script_call(&s, script_find(dt_tools_fix.tools, "getCodeActions"),
	            "{" RANGE "}", steps);
	assert_reply(&s, "{\"actions\":[{\"title\":\"Fix\",\"kind\":"
	                 "\"quickfix\",\"isPreferred\":true}],"
	                 "\"disabledCount\":2,\"source\":\"server\"}\n");
	script_end(&s);
	script_begin(&s);
	script_call(&s, script_find(dt_tools_fix.tools, "getCodeActions"),
	            "{" RANGE ",\"includeDisabled\":true}", steps);
	assert_reply(&s,
	             "{\"actions\":[{\"title\":\"Extract\",\"disabled\":\"No "
	             "function\"},{\"title\":\"Fix\",\"kind\":\"quickfix\","
	             "\"isPreferred\":true},{\"title\":\"Inline\","
	             "\"disabled\":\"Nothing to inline\"}],\"source\":"
	             "\"server\"}\n");
	script_end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(actions_that_cannot_be_done_are_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
