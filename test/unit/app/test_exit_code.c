#include "unit.h"

#include "app/exit_code.h"

/* What dovetail(1) promises. */
static const int promised[DT_E_COUNT] = {
	[DT_E_OK] = 0,      [DT_E_ARGS] = 2,      [DT_E_METHOD] = 1,
	[DT_E_PROTO] = 1,   [DT_E_LIMIT] = 1,     [DT_E_DENIED] = 4,
	[DT_E_MISSING] = 3, [DT_E_STATE] = 1,     [DT_E_UNSUPPORTED] = 1,
	[DT_E_TIMEOUT] = 3, [DT_E_CANCELLED] = 1, [DT_E_CLOSED] = 1,
	[DT_E_SYS] = 1,
};

test(every_error_has_the_exit_code_the_manual_promises)
{
	for (int err = 0; err < DT_E_COUNT; err++)
		assert_int_equal(dt_exit_code((enum dt_err)err), promised[err]);
}

test(only_success_exits_with_zero)
{
	for (int err = DT_E_OK + 1; err < DT_E_COUNT; err++)
		assert_int_not_equal(dt_exit_code((enum dt_err)err), 0);
	assert_int_equal(dt_exit_code(DT_E_COUNT), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			every_error_has_the_exit_code_the_manual_promises),
		cmocka_unit_test(only_success_exits_with_zero),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
