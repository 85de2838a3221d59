/* test/unit/tool/test_tools.c - the tools of every dialect, each run once. */
#include "base/limits.h"
#include "dialect/claude_tools.h"
#include "dialect/dialect.h"
#include "tool/fixture.h"
#include "unit.h"

/* Every tool is run with all fields set, as style asks of tables whose structs
 * the compiler cannot check. */
static void run_tool(const struct dt_dialect *dialect,
                     const struct dt_tool *tool, enum how how)
{
	struct dt_agent agent = { .dialect = dialect, .name = "agent" };
	struct dt_buf words;
	struct fixture f;

	begin(&f);
	f.how = how;
	agent.state = dt_alloc(dialect->state_size);
	if (start_json(&f, tool, fill_json(&f.arena, &tool->args, "/w/a.c"),
	               &agent))
		fail_msg("%s: %s", tool->name, f.fail.msg);
	assert_int_equal(f.asked, 1);
	assert_true(f.performed > 0);
	if (how == HOLDS) {
		assert_int_equal(f.ended, 0);
		dt_call_drop(f.call);
		assert_int_equal(f.dropped, 1);
	} else if (f.ended != 1) {
		fail_msg("%s ended %d times", tool->name, f.ended);
	} else {
		assert_true(f.count > 0);
		if (how == ANSWERS && f.is_error)
			fail_msg("%s: %s", tool->name, f.first);
	}
	/* What a person said waits for a prompt. */
	dt_buf_init(&words, DT_LIMIT_MESSAGE);
	dt_claude_take_words(&agent, &words);
	dt_buf_done(&words);
	free(agent.state);
	end(&f);
}

static void run_all(enum how how)
{
	assert_true(dt_dialect_count > 0);
	for (size_t i = 0; i < dt_dialect_count; i++) {
		const struct dt_dialect *dialect = dt_dialects[i];
		const struct dt_tool *tool;

		for (size_t k = 0; (tool = dt_dialect_tool(dialect, k)); k++)
			run_tool(dialect, tool, how);
	}
}

test(every_tool_replies_once_with_all_fields_set)
{
	run_all(ANSWERS);
}

test(every_tool_replies_once_when_nobody_can_help)
{
	run_all(REFUSES);
}

test(every_tool_can_be_dropped_while_it_waits)
{
	run_all(HOLDS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_tool_replies_once_with_all_fields_set),
		cmocka_unit_test(every_tool_replies_once_when_nobody_can_help),
		cmocka_unit_test(every_tool_can_be_dropped_while_it_waits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
