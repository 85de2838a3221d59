#include "agent.h"

#include "editor/bridge.h"
#include "editor/change.h"
#include "editor/files.h"
#include "editor/fill.h"
#include "hub/route.h"

/* How an operation ended, asked for in the name of the last session. */
struct ended {
	struct dt_answer answer;
	const struct dt_operation *op;
	int count;
	uint32_t number;
	struct dt_fail fail;
	char text[400]; /* of a file, or names one a line */
};

static void copy_list(struct ended *ended,
                      const struct dt_list_files_result *list)
{
	size_t len = 0;

	for (size_t i = 0; i < list->paths.count; i++)
		len += (size_t)snprintf(ended->text + len,
		                        sizeof(ended->text) - len, "%s\n",
		                        list->paths.ptr[i]);
}

static void on_end(struct dt_answer *answer, const void *result,
                   const struct dt_fail *fail, void *owner)
{
	struct ended *ended = owner;

	(void)answer;
	ended->count++;
	if (fail)
		ended->fail = *fail;
	else if (ended->op == &dt_op_withdraw)
		ended->number =
			((const struct dt_withdraw_result *)result)->count;
	else if (ended->op == &dt_op_list_files)
		copy_list(ended, result);
	else if (ended->op == &dt_op_read_file)
		snprintf(
			ended->text, sizeof(ended->text), "%s",
			((const struct dt_read_file_result *)result)->text.ptr);
}

static void perform(struct dt_workspace *ws, const struct dt_operation *op,
                    const void *args, struct ended *ended)
{
	struct dt_caller *caller = &last_session(ws)->agent.caller;

	*ended = (struct ended){ .op = op };
	dt_answer_init(&ended->answer, on_end, ended);
	caller->perform(caller, op, args, &ended->answer);
}

world_test(what_nobody_can_do_is_answered_with_a_sentence)
{
	struct dt_path_args args = { "/w/a" };
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct ended ended;

	connect_agent(ws, w);
	perform(ws, &dt_op_format_document, &args, &ended);
	assert_int_equal(ended.count, 1);
	assert_int_equal(ended.fail.code, DT_E_UNSUPPORTED);
	assert_string_equal(ended.fail.msg,
	                    "formatDocument needs an editor that can do it, "
	                    "and none is attached.");
}

/* What waits for a person, who does not come. */
static bool is_waiting(const struct dt_operation *op)
{
	return op == &dt_op_propose || op == &dt_op_git_stash_pop ||
	       op == &dt_op_git_pull || op == &dt_op_git_push;
}

/* Each operation of the table ends exactly once, whoever does it. */
world_test(every_operation_finds_somebody)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	char *path = make_file(w, "a", "1\n");
	struct dt_change change = { .path = path, .text = DT_STR("2\n") };
	struct dt_propose_args propose_args = {
		.title = "t",
		.changes = { &change, 1 },
	};

	connect_agent(ws, w);
	for (size_t i = 0; i < DT_OP_COUNT; i++) {
		const struct dt_operation *op = dt_operations[i];
		struct dt_arena arena = { 0 };
		void *args = fill_struct(&arena, &op->args, path);
		struct ended ended;

		perform(ws, op, op == &dt_op_propose ? &propose_args : args,
		        &ended);
		if (is_waiting(op))
			run_for(w, 20);
		else
			wait_for(w, ended.count > 0);
		assert_int_equal(ended.count, is_waiting(op) ? 0 : 1);
		dt_answer_drop(&ended.answer);
		free(args);
		dt_arena_done(&arena);
	}
}

world_test(behind_the_stop_nothing_is_done)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	char *path = make_file(w, "a", "1\n");
	struct dt_change change = { .path = path, .text = DT_STR("2\n") };
	struct dt_submit_args args = {
		.proposal = { .title = "t", .changes = { &change, 1 } },
		.writes = true,
	};
	struct ended ended;

	connect_agent(ws, w);
	dt_hub_stop(&w->hub);
	perform(ws, &dt_op_submit_review, &args, &ended);
	assert_int_equal(ended.count, 1);
	assert_int_equal(ended.fail.code, DT_E_CLOSED);
}

world_test(proposals_carry_who_asked)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct client *c = connect_agent(ws, w);
	struct dt_review *r = propose(c, make_file(w, "a", "1\n"), "2", "t");

	assert_string_equal(r->workspace, ws->record.id);
	assert_string_equal(r->session, last_session(ws)->id);
	assert_string_equal(r->agent, "claude-code");
	assert_string_equal(r->title, "t");
}

world_test(withdrawing_says_how_many)
{
	struct dt_withdraw_args args = { "t2" };
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct client *c = connect_agent(ws, w);
	char *path = make_file(w, "a", "1\n");
	struct ended ended;

	propose(c, path, "2", "t1");
	propose(c, path, "3", "t2");
	propose(c, path, "4", "t3");
	perform(ws, &dt_op_withdraw, &args, &ended);
	assert_int_equal(ended.number, 1);
	args.title = NULL;
	perform(ws, &dt_op_withdraw, &args, &ended);
	assert_int_equal(ended.number, 2);
	perform(ws, &dt_op_withdraw, &args, &ended);
	assert_int_equal(ended.number, 0);
}

/* files */

static enum dt_err read_file(struct dt_workspace *ws, const char *path,
                             struct ended *ended)
{
	struct dt_read_file_args args = { .path = path };

	perform(ws, &dt_op_read_file, &args, ended);
	assert_int_equal(ended->count, 1);
	return ended->fail.code;
}

world_test(a_file_is_read_inside_the_workspace_only)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	char *path = make_file(w, "a", "text\n");
	char *outside = text_of(w, "%s/outside", w->dir);
	char *link = text_of(w, "%s/link", w->project);
	struct ended ended;

	put_file(outside, "secret\n");
	assert_int_equal(symlink(outside, link), 0);
	connect_agent(ws, w);
	assert_ok(read_file(ws, path, &ended));
	assert_string_equal(ended.text, "text\n");
	assert_int_equal(read_file(ws, outside, &ended), DT_E_DENIED);
	assert_int_equal(read_file(ws, link, &ended), DT_E_DENIED);
	assert_int_equal(
		read_file(ws, text_of(w, "%s/../outside", w->project), &ended),
		DT_E_DENIED);
	assert_string_equal(ended.text, "");
}

world_test(what_is_not_saved_is_read_first)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	char *path = make_file(w, "a", "saved\n");
	struct dt_document *doc = NULL;
	struct ended ended;

	connect_agent(ws, w);
	assert_ok(dt_documents_open(&ws->docs, path, &doc, NULL));
	dt_document_set_overlay(&ws->docs, doc, DT_STR("unsaved\n"));
	assert_ok(read_file(ws, path, &ended));
	assert_string_equal(ended.text, "unsaved\n");
}

world_test(files_are_listed_by_the_workspaces_own_git)
{
	struct dt_list_files_args args = { .limit = { true, 2 } };
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	const char *nowhere[] = { "PATH=/nonexistent" };
	struct ended ended;

	make_file(w, "b", "");
	make_file(w, "a", "");
	connect_agent(ws, w);
	perform(ws, &dt_op_list_files, &args, &ended);
	assert_int_equal(ended.count, 0);
	wait_for(w, ended.count);
	assert_string_equal(ended.text,
	                    text_of(w, "%s/a\n%s/b\n", w->project, w->project));
	dt_workspace_set_env(ws, &(struct dt_names){ nowhere, 1 });
	perform(ws, &dt_op_list_files, &args, &ended);
	wait_for(w, ended.count);
	assert_int_equal(ended.fail.code, DT_E_OK);
}

world_test(a_listing_ends_with_its_agent)
{
	struct dt_list_files_args args = { 0 };
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct ended ended;

	connect_agent(ws, w);
	perform(ws, &dt_op_list_files, &args, &ended);
	dt_answer_drop(&ended.answer);
	stop_hub(w);
	assert_int_equal(ended.count, 0);
}

world_test(policy_is_asked_for_every_tool)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	const struct dt_tool *tool;
	struct dt_caller *caller;

	connect_agent(ws, w);
	caller = &last_session(ws)->agent.caller;
	assert_ptr_equal(caller->loop, w->loop);
	for (size_t i = 0; (tool = dt_dialect_tool(dt_dialects[0], i)); i++)
		assert_ok(caller->allow(caller, tool, NULL));
}

world_test(who_can_do_what_is_known_before)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);

	assert_true(dt_route_can(ws, &dt_op_propose));
	assert_true(dt_route_can(ws, &dt_op_open_file));
	assert_false(dt_route_can(ws, &dt_op_format_document));
}

world_test(every_call_is_counted_and_kept)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct client *c = connect_agent(ws, w);

	call(c, "getWorkspaceFolders", "{}");
	hear(c);
	call(c, "openFile", "{}"); /* without its path */
	hear(c);
	assert_int_equal(ws->metrics.tool_count, 2);
	assert_string_equal(ws->metrics.tools[0].tool->name,
	                    "getWorkspaceFolders");
	assert_int_equal(ws->metrics.tools[0].by_status[DT_CALL_DONE], 1);
	assert_int_equal(ws->metrics.tools[1].by_status[DT_CALL_REFUSED], 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_world(what_nobody_can_do_is_answered_with_a_sentence),
		test_in_world(every_operation_finds_somebody),
		test_in_world(behind_the_stop_nothing_is_done),
		test_in_world(proposals_carry_who_asked),
		test_in_world(withdrawing_says_how_many),
		test_in_world(a_file_is_read_inside_the_workspace_only),
		test_in_world(what_is_not_saved_is_read_first),
		test_in_world(files_are_listed_by_the_workspaces_own_git),
		test_in_world(a_listing_ends_with_its_agent),
		test_in_world(policy_is_asked_for_every_tool),
		test_in_world(who_can_do_what_is_known_before),
		test_in_world(every_call_is_counted_and_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
