/* test/unit/hub/test_bridge_activity.c - twin of src/hub/bridge_activity.c */
#include "ask_op.h"

#include "editor/bridge.h"
#include "hub/activity.h"

static void call_twice(struct client *c)
{
	call(c, "getWorkspaceFolders", "{}");
	hear(c);
	call(c, "openFile", "{}");
	hear(c);
}

world_test(an_agent_reads_what_happened)
{
	struct dt_list_activity_args args = { .has_stats = true };
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	const char *log;

	call_twice(connect_agent(ws, w));
	log = ask_op(w, ws, &dt_op_list_activity, &args);
	assert_string_equal(at(w, log, "count"), "6");
	assert_string_equal(at(w, log, "lastId"), "6");
	assert_string_equal(at(w, log, "timedOut"), "false");
	assert_string_equal(at(w, log, "entries.0.kind"), "daemon");
	assert_string_equal(at(w, log, "entries.4.what"),
	                    "getWorkspaceFolders");
	assert_string_equal(at(w, log, "entries.4.status"), "done");
	assert_string_equal(at(w, log, "entries.4.agent"), "claude-code");
	assert_string_equal(at(w, log, "entries.4.session"),
	                    text_of(w, "%.8s", last_session(ws)->id));
	assert_string_equal(at(w, log, "entries.5.status"), "refused");
	assert_non_null(at(w, log, "entries.5.message"));
	assert_string_equal(at(w, log, "stats.0.tool"), "getWorkspaceFolders");
	assert_string_equal(at(w, log, "stats.1.failed"), "1");
}

world_test(a_log_can_be_of_one_tool_status_or_session)
{
	struct dt_list_activity_args args = { .tool = "openFile" };
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	const char *log;

	call_twice(connect_agent(ws, w));
	log = ask_op(w, ws, &dt_op_list_activity, &args);
	assert_string_equal(at(w, log, "count"), "1");
	args = (struct dt_list_activity_args){ .status = "done" };
	log = ask_op(w, ws, &dt_op_list_activity, &args);
	assert_string_equal(at(w, log, "count"), "1");
	assert_string_equal(at(w, log, "entries.0.what"),
	                    "getWorkspaceFolders");
	args = (struct dt_list_activity_args){ .last = 2 };
	log = ask_op(w, ws, &dt_op_list_activity, &args);
	assert_string_equal(at(w, log, "entries.1.what"), "openFile");
	args = (struct dt_list_activity_args){ .session = "zz" };
	log = ask_op(w, ws, &dt_op_list_activity, &args);
	assert_string_equal(at(w, log, "count"), "0");
}

world_test(another_workspace_is_not_told_of)
{
	struct dt_list_activity_args args = { 0 };
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct dt_workspace *other = serve_at(w, make_folder(w, "q"));
	const char *log;

	call_twice(connect_agent(ws, w));
	connect_agent(other, w);
	log = ask_op(w, other, &dt_op_list_activity, &args);
	assert_string_equal(at(w, log, "count"), "4");
	assert_null(strstr(log, w->project));
}

world_test(a_wait_ends_with_what_happens_next)
{
	struct dt_wait_activity_args args = { .timeout_ms = 10000 };
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct client *c = connect_agent(ws, w);
	struct asked asked;

	begin_op(&asked, w, ws, &dt_op_wait_activity, &args);
	run_for(w, 400);
	assert_int_equal(asked.ended, 0);
	call(c, "getWorkspaceFolders", "{}");
	hear(c);
	wait_for(w, asked.ended);
	assert_string_equal(at(w, asked.json, "count"), "1");
	assert_string_equal(at(w, asked.json, "entries.0.what"),
	                    "getWorkspaceFolders");
	assert_string_equal(at(w, asked.json, "lastId"), "5");
	assert_string_equal(at(w, asked.json, "timedOut"), "false");
}

world_test(a_wait_behind_a_number_begins_with_what_is_there)
{
	struct dt_wait_activity_args args = {
		.has_since = true, .since_id = 1, .max = 2, .timeout_ms = 10000
	};
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	const char *log;

	connect_agent(ws, w);
	log = ask_op(w, ws, &dt_op_wait_activity, &args);
	assert_string_equal(at(w, log, "count"), "2");
	assert_string_equal(at(w, log, "entries.0.what"), "served");
	assert_string_equal(at(w, log, "lastId"), "3");
	args.since_id = 3;
	args.without = "initialized";
	args.timeout_ms = 300;
	log = ask_op(w, ws, &dt_op_wait_activity, &args);
	assert_string_equal(at(w, log, "timedOut"), "true");
}

world_test(a_wait_in_vain_says_so)
{
	struct dt_wait_activity_args args = { .timeout_ms = 30 };
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	const char *log;

	connect_agent(ws, w);
	log = ask_op(w, ws, &dt_op_wait_activity, &args);
	assert_string_equal(at(w, log, "count"), "0");
	assert_string_equal(at(w, log, "timedOut"), "true");
	assert_string_equal(at(w, log, "lastId"), "4");
}

world_test(nobody_is_told_who_does_not_wait_any_more)
{
	struct dt_wait_activity_args wait = { .timeout_ms = 10000 };
	struct dt_list_activity_args list = { 0 };
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct asked one;
	struct asked two;
	struct asked three;

	connect_agent(ws, w);
	begin_op(&one, w, ws, &dt_op_list_activity, &list);
	dt_answer_drop(&one.answer);
	begin_op(&two, w, ws, &dt_op_wait_activity, &wait);
	dt_answer_drop(&two.answer);
	begin_op(&three, w, ws, &dt_op_wait_activity, &wait);
	run_for(w, 100);
	dt_answer_drop(&three.answer);
	run_for(w, 100);
	assert_int_equal(one.ended + two.ended + three.ended, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_world(an_agent_reads_what_happened),
		test_in_world(a_log_can_be_of_one_tool_status_or_session),
		test_in_world(another_workspace_is_not_told_of),
		test_in_world(a_wait_ends_with_what_happens_next),
		test_in_world(a_wait_behind_a_number_begins_with_what_is_there),
		test_in_world(a_wait_in_vain_says_so),
		test_in_world(nobody_is_told_who_does_not_wait_any_more),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
