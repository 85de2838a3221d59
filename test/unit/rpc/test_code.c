/* test/unit/rpc/test_code.c - every error has its code, and back. */
#include "rpc/code.h"

#include "unit.h"

#include <limits.h>

test(every_error_has_a_code_of_its_own)
{
	for (int a = DT_E_OK + 1; a < DT_E_COUNT; a++) {
		int code = dt_rpc_code((enum dt_err)a);

		/* Reserved for the protocol or for implementations. */
		assert_in_range(code + 32768, 0, 768);
		for (int b = DT_E_OK + 1; b < a; b++)
			assert_int_not_equal(code, dt_rpc_code((enum dt_err)b));
	}
}

test(every_code_leads_back_to_its_error)
{
	for (int err = DT_E_OK + 1; err < DT_E_COUNT; err++)
		assert_int_equal(dt_rpc_err(dt_rpc_code((enum dt_err)err)),
		                 err);
}

test(the_codes_of_the_specification_are_used)
{
	assert_int_equal(dt_rpc_code(DT_E_PROTO), -32600);
	assert_int_equal(dt_rpc_code(DT_E_METHOD), -32601);
	assert_int_equal(dt_rpc_code(DT_E_ARGS), -32602);
	assert_int_equal(dt_rpc_code(DT_E_SYS), -32603);
}

test(what_is_unknown_is_a_failure)
{
	assert_int_equal(dt_rpc_code(DT_E_COUNT), DT_RPC_INTERNAL);
	assert_int_equal(dt_rpc_err(0), DT_E_SYS);
	assert_int_equal(dt_rpc_err(1), DT_E_SYS);
	assert_int_equal(dt_rpc_err(DT_RPC_PARSE_ERROR), DT_E_SYS);
	assert_int_equal(dt_rpc_err(INT_MIN), DT_E_SYS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_error_has_a_code_of_its_own),
		cmocka_unit_test(every_code_leads_back_to_its_error),
		cmocka_unit_test(the_codes_of_the_specification_are_used),
		cmocka_unit_test(what_is_unknown_is_a_failure),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
