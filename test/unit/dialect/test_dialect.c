#include "unit.h"

#include "dialect/dialect.h"

#include <ctype.h>
#include <string.h>

test(every_dialect_is_complete)
{
	assert_true(dt_dialect_count > 0);
	for (size_t i = 0; i < dt_dialect_count; i++) {
		const struct dt_dialect *d = dt_dialects[i];

		assert_true(d->name[0] && d->doc[0]);
		assert_true(d->reach != 0);
		assert_true(d->path[0] == '/');
		assert_non_null(dt_dialect_tool(d, 0));
		if (d->announce)
			assert_true(d->presence && d->withdraw && d->clean);
		assert_true(d->on_request && d->on_notify && d->on_event &&
		            d->on_close);
	}
}

test(headers_of_tokens_are_lower_case_as_they_are_compared)
{
	for (size_t i = 0; i < dt_dialect_count; i++) {
		const char *name = dt_dialects[i]->auth_header;

		for (; name && *name; name++)
			assert_false(isupper(*name));
	}
}

test(no_two_dialects_share_a_name)
{
	for (size_t i = 0; i < dt_dialect_count; i++) {
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(dt_dialects[i]->name,
			                        dt_dialects[k]->name);
	}
}

test(every_tool_is_complete_and_named_once)
{
	for (size_t i = 0; i < dt_dialect_count; i++) {
		const struct dt_dialect *d = dt_dialects[i];
		const struct dt_tool *tool;

		for (size_t k = 0; (tool = dt_dialect_tool(d, k)); k++) {
			assert_true(tool->name && tool->doc);
			assert_non_null(tool->args.fields);
			assert_non_null(tool->run);
			assert_ptr_equal(
				dt_dialect_find_tool(d, dt_str(tool->name)),
				tool);
		}
		assert_null(dt_dialect_find_tool(d, DT_STR("none")));
	}
}

static bool can_wait(const struct dt_tool *tool)
{
	for (const struct dt_field *f = tool->args.fields; f->name; f++) {
		if (!strcmp(f->name, "wait"))
			return true;
	}
	/* What is run or typed may need a permit. */
	return tool->effect == DT_ASKS || tool->needs == &dt_op_run_command ||
	       (tool->effect == DT_RUNS && tool->deadline_ms == 0);
}

/* Only a person takes longer than ten minutes. */
test(every_tool_that_does_not_ask_has_a_deadline)
{
	for (size_t i = 0; i < dt_dialect_count; i++) {
		const struct dt_dialect *d = dt_dialects[i];
		const struct dt_tool *tool;

		for (size_t k = 0; (tool = dt_dialect_tool(d, k)); k++) {
			if (can_wait(tool))
				assert_int_equal(tool->deadline_ms, 0);
			else
				assert_in_range(tool->deadline_ms, 1, 600000);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_dialect_is_complete),
		cmocka_unit_test(
			headers_of_tokens_are_lower_case_as_they_are_compared),
		cmocka_unit_test(no_two_dialects_share_a_name),
		cmocka_unit_test(every_tool_is_complete_and_named_once),
		cmocka_unit_test(every_tool_that_does_not_ask_has_a_deadline),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
