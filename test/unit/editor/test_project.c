/* test/unit/editor/test_project.c - twin of src/editor/project.c */
#include "editor/project.h"

#include "base/buf.h"
#include "editor/operation.h"
#include "unit.h"

static void assert_written(const struct dt_shape *shape, const void *value,
                           const char *wanted)
{
	struct dt_json_out out;
	struct dt_buf buf;

	dt_buf_init(&buf, 1000);
	out = dt_json_out(&buf);
	dt_shape_write(shape, value, &out);
	assert_string_equal(dt_buf_z(&buf), wanted);
	dt_buf_done(&buf);
}

test(what_is_not_there_is_left_out)
{
	struct dt_import import = { .from = "/w/a", .name = "b", .line = 1 };
	struct dt_imports_result imports = {
		.path = "/w/a",
		.language = "c",
		.imports = { &import, 1 },
		.file_count = 1,
	};
	struct dt_note_result none = { 0 };

	assert_written(&dt_op_get_note.result, &none, "{}");
	assert_written(
		&dt_op_get_imports.result, &imports,
		"{\"path\":\"/w/a\",\"language\":\"c\",\"imports\":[{"
		"\"from\":\"/w/a\",\"name\":\"b\",\"line\":1,\"depth\":0}],"
		"\"files\":1,\"cut\":false}");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_not_there_is_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
