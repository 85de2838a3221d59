#include "tool/methods.h"

#include "unit.h"

test(every_method_is_there_once_and_only_reads)
{
	static const char *const wanted[] = {
		"prompts/get",    "completion/complete",
		"resources/list", "resources/templates/list",
		"resources/read", NULL,
	};
	size_t count = 0;

	for (; dt_methods[count].name; count++) {
		const struct dt_tool *method = &dt_methods[count];

		assert_string_equal(method->name, wanted[count]);
		assert_int_equal(method->effect, DT_READS);
		assert_true(method->deadline_ms > 0);
		assert_non_null(method->run);
		assert_non_null(method->args.fields);
		assert_int_equal(method->result.size, 0);
	}
	assert_null(wanted[count]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_method_is_there_once_and_only_reads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
