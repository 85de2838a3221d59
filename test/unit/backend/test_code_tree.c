/* test/unit/backend/test_code_tree.c - callers, as servers tell them. */
#include "backend/code_scene.h"
#include "editor/code.h"

#define RANGE(line, from, to)                                                  \
	"{\"start\":{\"line\":" #line ",\"character\":" #from                  \
	"},\"end\":{\"line\":" #line ",\"character\":" #to "}}"
#define ITEM                                                                   \
	"{\"name\":\"f\",\"kind\":12,\"uri\":\"$/a.c\",\"range\":" RANGE(      \
		0, 0, 9) ",\"selectionRange\":" RANGE(0, 4, 5) "}"

#define TWICE                                                                  \
	RANGE(7, 8, 9)                                                         \
	"," RANGE(3, 2, 3) "," RANGE(7, 8, 9) "," RANGE(3, 1, 2)
#define ONCE RANGE(3, 1, 2) "," RANGE(3, 2, 3) "," RANGE(7, 8, 9)

test(a_call_that_is_told_twice_is_one)
{
	static const char answers[] =
		"{\"textDocument/prepareCallHierarchy\":[" ITEM "],"
		"\"callHierarchy/incomingCalls\":[{\"from\":" ITEM
		",\"fromRanges\":[" TWICE "]}]}";
	struct code_scene s;
	struct dt_hierarchy_args args = { .direction = DT_CODE_UP };
	const char *told;

	code_scene_begin(&s, state, "int f(void);\n");
	code_scene_can(&s, answers);
	args.place = (struct dt_code_place){ .path = s.file, .at = { 0, 4 } };
	told = code_scene_perform(&s, &dt_op_get_call_hierarchy, &args);
	assert_non_null(strstr(told, "\"sites\":[" ONCE "]"));
	code_scene_end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			a_call_that_is_told_twice_is_one, tempdir_open,
			tempdir_close),
	};

	fake_run();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
