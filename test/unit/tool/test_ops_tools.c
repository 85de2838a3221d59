/* test/unit/tool/test_ops_tools.c - twin of src/tool/ops_tools.c */
#include "tool/ops_tools.h"

#include "editor/bridge.h"
#include "tool/fixture.h"

static const struct dt_tool *tool_named(const char *name)
{
	for (size_t i = 0; i < dt_tools_bridge.count; i++) {
		if (!strcmp(dt_tools_bridge.tools[i].name, name))
			return &dt_tools_bridge.tools[i];
	}
	fail_msg("no tool %s", name);
	return NULL;
}

/* Run with all fields of the arguments, and of the result, set. */
static void run_filled(struct fixture *f, const struct dt_tool *tool)
{
	begin(f);
	f->how = ANSWERS;
	if (start_json(f, tool, fill_json(&f->arena, &tool->args, "/w/a.c"),
	               NULL))
		fail_msg("%s: %s", tool->name, f->fail.msg);
	assert_int_equal(f->performed, 1);
	assert_int_equal(f->ended, 1);
	assert_false(f->is_error);
	end(f);
}

test(every_tool_asks_the_hub_once_and_replies)
{
	assert_int_equal(dt_tools_bridge.count, 5);
	for (size_t i = 0; i < dt_tools_bridge.count; i++) {
		struct fixture f;

		run_filled(&f, &dt_tools_bridge.tools[i]);
		assert_true(f.first[0] == '{');
	}
}

test(every_tool_only_reads_and_says_what_it_answers)
{
	for (size_t i = 0; i < dt_tools_bridge.count; i++) {
		const struct dt_tool *tool = &dt_tools_bridge.tools[i];

		assert_int_equal(tool->effect, DT_READS);
		assert_true(tool->title && tool->doc[0]);
		assert_non_null(tool->result.fields[0].name);
		assert_true(tool->deadline_ms > 0);
	}
}

static void refuse(const char *name, const char *args, const char *sentence)
{
	struct fixture f;

	begin(&f);
	assert_ok(start(&f, tool_named(name), args));
	assert_int_equal(f.performed, 0);
	assert_true(f.is_error);
	assert_string_equal(f.first, sentence);
	end(&f);
}

test(what_is_too_much_is_refused_by_a_sentence)
{
	refuse("getActivityLog", "{\"last\":501}", "last: at most 500");
	refuse("watchActivityLog", "{\"maxEntries\":501}",
	       "maxEntries: at most 500");
	refuse("watchActivityLog", "{\"timeoutMs\":55001}",
	       "timeoutMs: at most 55000");
	refuse("searchTools", "{\"limit\":51}", "limit: at most 50");
}

/* What an operation was asked with. */
static struct dt_wait_activity_args waited;
static struct dt_list_activity_args listed;
static bool has_status;

static void remember(struct dt_caller *caller, const struct dt_operation *op,
                     const void *args, struct dt_answer *answer)
{
	struct dt_capability tools[] = {
		{ .name = "works", .is_available = true },
		{ .name = "misses", .missing = "An editor." },
	};
	struct dt_capabilities_result result = {
		.editor = "e",
		.tier = "t",
		.tools = { tools, 2 },
	};

	(void)caller;
	if (op == &dt_op_wait_activity)
		waited = *(const struct dt_wait_activity_args *)args;
	if (op == &dt_op_list_activity) {
		listed = *(const struct dt_list_activity_args *)args;
		has_status = listed.status;
	}
	if (op == &dt_op_get_capabilities)
		dt_answer_end(answer, &result);
	else
		dt_answer_failf(answer, DT_E_STATE, "remembered");
}

static void run(struct fixture *f, const char *name, const char *args)
{
	begin(f);
	f->caller.perform = remember;
	assert_ok(start(f, tool_named(name), args));
	end(f);
}

test(a_wait_begins_now_unless_it_is_told_where)
{
	struct fixture f;

	run(&f, "watchActivityLog", "{}");
	assert_false(waited.has_since);
	assert_int_equal(waited.timeout_ms, 30000);
	assert_int_equal(waited.max, 50);
	assert_string_equal(waited.without, "watchActivityLog");
	run(&f, "watchActivityLog", "{\"sinceId\":0,\"timeoutMs\":5}");
	assert_true(waited.has_since);
	assert_int_equal(waited.since_id, 0);
	assert_int_equal(waited.timeout_ms, 5);
}

test(a_log_is_of_any_status_unless_told)
{
	struct fixture f;

	run(&f, "getActivityLog", "{}");
	assert_false(has_status);
	assert_int_equal(listed.last, 50);
	for (size_t i = 0; dt_call_statuses[i]; i++) {
		char args[64];

		snprintf(args, sizeof(args), "{\"status\":\"%s\"}",
		         dt_call_statuses[i]);
		run(&f, "getActivityLog", args);
		assert_true(has_status);
	}
}

test(what_works_is_listed_only_when_asked_for)
{
	struct fixture f;

	run(&f, "getToolCapabilities", "{}");
	assert_null(strstr(f.first, "works"));
	assert_non_null(strstr(f.first, "An editor."));
	run(&f, "getToolCapabilities", "{\"verbose\":true}");
	assert_non_null(strstr(f.first, "works"));
	assert_non_null(strstr(f.first, "An editor."));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_tool_asks_the_hub_once_and_replies),
		cmocka_unit_test(
			every_tool_only_reads_and_says_what_it_answers),
		cmocka_unit_test(what_is_too_much_is_refused_by_a_sentence),
		cmocka_unit_test(a_wait_begins_now_unless_it_is_told_where),
		cmocka_unit_test(a_log_is_of_any_status_unless_told),
		cmocka_unit_test(what_works_is_listed_only_when_asked_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
