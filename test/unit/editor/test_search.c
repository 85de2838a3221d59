/* test/unit/editor/test_search.c - twin of src/editor/search.c */
#include "editor/search.h"

#include "base/buf.h"
#include "unit.h"

test(a_match_is_written_with_what_stands_around_it)
{
	const char *before[] = { "one" };
	struct dt_search_match match = {
		.path = "/w/a",
		.range = { { 1, 2 }, { 1, 5 } },
		.text = DT_STR("x two"),
		.before = { before, 1 },
	};
	struct dt_search_result result = {
		.matches = { &match, 1 },
		.source = "ripgrep",
	};
	struct dt_buf buf;
	struct dt_json_out out;

	dt_buf_init(&buf, 1000);
	out = dt_json_out(&buf);
	dt_shape_write(&dt_op_search.result, &result, &out);
	assert_string_equal(
		dt_buf_z(&buf),
		"{\"matches\":[{\"path\":\"/w/a\",\"range\":{\"start\":{"
		"\"line\":1,\"character\":2},\"end\":{\"line\":1,\"character\":"
		"5}},\"text\":\"x two\",\"before\":[\"one\"],\"after\":[]}],"
		"\"cut\":false,\"source\":\"ripgrep\"}");
	dt_buf_done(&buf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_match_is_written_with_what_stands_around_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
