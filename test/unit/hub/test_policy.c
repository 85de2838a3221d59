#include "unit.h"

#include "hub/policy.h"

test(nothing_an_agent_can_reach_today_is_denied)
{
	for (int effect = DT_READS; effect <= DT_RUNS; effect++) {
		struct dt_fail fail = { 0 };

		assert_ok(
			dt_policy_allow((enum dt_effect)effect, "tool", &fail));
		assert_string_equal(fail.msg, "");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_an_agent_can_reach_today_is_denied),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
