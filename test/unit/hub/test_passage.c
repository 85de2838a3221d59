/* test/unit/hub/test_passage.c - twin of src/hub/passage.c */
#include "agent.h"

#include "editor/diagnostics.h"
#include "editor/files.h"
#include "hub/passage.h"

/* How an operation ended for the agent. */
struct ended {
	struct dt_answer answer;
	int count;
	char text[64];
	struct dt_fail fail;
};

static void on_end(struct dt_answer *answer, const void *result,
                   const struct dt_fail *fail, void *owner)
{
	struct ended *ended = owner;

	(void)answer;
	ended->count++;
	if (fail)
		ended->fail = *fail;
	else
		snprintf(ended->text, sizeof(ended->text), "%.*s",
		         DT_STR_ARG(
				 ((const struct dt_selection *)result)->text));
}

/* An editor that answers when it is told to. */
static struct {
	const struct dt_backend *real;
	struct dt_backend backend;
	struct dt_answer *pending;
	int dropped;
} slow;

static void on_drop(struct dt_answer *answer, void *performer)
{
	(void)answer;
	(void)performer;
	slow.pending = NULL;
	slow.dropped++;
}

static void keep(struct dt_editor *editor, const struct dt_operation *op,
                 const void *args, struct dt_answer *answer)
{
	(void)editor;
	(void)op;
	(void)args;
	slow.pending = answer;
	answer->on_drop = on_drop;
}

static struct dt_workspace *serve_slowly(struct world *w)
{
	struct dt_workspace *ws = serve(w);

	slow.real = ws->editor->backend;
	slow.backend = *slow.real;
	slow.backend.perform = keep;
	slow.dropped = 0;
	ws->editor->backend = &slow.backend;
	connect_agent(ws, w);
	return ws;
}

static void perform(struct dt_workspace *ws, const struct dt_operation *op,
                    const void *args, struct ended *ended)
{
	struct dt_caller *caller = &last_session(ws)->agent.caller;

	*ended = (struct ended){ 0 };
	slow.pending = NULL;
	dt_answer_init(&ended->answer, on_end, ended);
	caller->perform(caller, op, args, &ended->answer);
}

world_test(an_answer_may_come_later)
{
	static const struct dt_get_selection_args args = { 0 };
	struct dt_selection found = { .path = "/w/a", .text = DT_STR("x") };
	struct world *w = *state;
	struct dt_workspace *ws = serve_slowly(w);
	struct ended ended;

	perform(ws, &dt_op_get_selection, &args, &ended);
	assert_int_equal(ended.count, 0);
	dt_answer_end(slow.pending, &found);
	assert_int_equal(ended.count, 1);
	assert_string_equal(ended.text, "x");
	found.path = "/w/.env";
	perform(ws, &dt_op_get_selection, &args, &ended);
	dt_answer_end(slow.pending, &found);
	assert_int_equal(ended.count, 1);
	assert_int_equal(ended.fail.code, DT_E_DENIED);
	assert_string_equal(ended.text, "");
	perform(ws, &dt_op_get_selection, &args, &ended);
	dt_answer_failf(slow.pending, DT_E_STATE, "no");
	assert_int_equal(ended.count, 1);
	assert_string_equal(ended.fail.msg, "no");
	ws->editor->backend = slow.real;
}

world_test(the_gate_is_that_of_the_workspace_that_was_asked)
{
	static const struct dt_get_selection_args args = { 0 };
	struct world *w = *state;
	struct dt_selection found = { .text = DT_STR("x") };
	struct dt_workspace *ws;
	struct ended ended;

	make_file(w, ".dovetail.conf", "[context]\ndeny = *.txt\n");
	found.path = make_file(w, "a.txt", "x");
	ws = serve_slowly(w);
	perform(ws, &dt_op_get_selection, &args, &ended);
	dt_session_move(last_session(ws), serve_at(w, make_folder(w, "other")));
	dt_answer_end(slow.pending, &found);
	assert_int_equal(ended.count, 1);
	assert_int_equal(ended.fail.code, DT_E_DENIED);
	ws->editor->backend = slow.real;
}

world_test(an_answer_that_nobody_waits_for_is_dropped_once)
{
	static const struct dt_get_selection_args args = { 0 };
	struct world *w = *state;
	struct dt_workspace *ws = serve_slowly(w);
	struct ended ended;

	perform(ws, &dt_op_get_selection, &args, &ended);
	dt_answer_drop(&ended.answer);
	dt_answer_drop(&ended.answer);
	assert_int_equal(ended.count, 0);
	assert_int_equal(slow.dropped, 1);
	ws->editor->backend = slow.real;
}

world_test(an_editor_is_not_asked_about_one_file_that_is_denied)
{
	struct dt_diagnostics_args args = { "/w/.env", 0 };
	struct world *w = *state;
	struct dt_workspace *ws = serve_slowly(w);
	struct ended ended;

	perform(ws, &dt_op_get_diagnostics, &args, &ended);
	assert_null(slow.pending);
	assert_int_equal(ended.fail.code, DT_E_DENIED);
	ws->editor->backend = slow.real;
}

world_test(every_operation_is_known)
{
	struct dt_path_args args = { "/w/a" };
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct dt_fail fail = { 0 };

	connect_agent(ws, w);
	for (size_t i = 0; i < DT_OP_COUNT; i++) {
		const struct dt_operation *op = dt_operations[i];
		char zeroes[256] = { 0 };
		enum dt_err err = dt_passage_check(
			&last_session(ws)->agent.caller, op, zeroes, &fail);

		/* No agent selects for the person. */
		if (err && op != &dt_op_select)
			fail_msg("%s is forgotten", op->name);
	}
	assert_int_equal(dt_passage_check(&last_session(ws)->agent.caller,
	                                  &dt_op_select, &args, NULL),
	                 DT_E_DENIED);
	assert_string_equal(fail.msg,
	                    "select is not known to the context gate, so "
	                    "nothing of it leaves");
}

/* A new operation has to say how it passes, also to people. */
world_test(every_operation_is_in_the_page_about_the_gate)
{
	struct dt_buf page;

	(void)state;
	dt_buf_init(&page, DT_MIB);
	assert_ok(dt_file_read(DT_MAN_DIR "/../docs/internals/gate.md", &page,
	                       NULL));
	for (size_t i = 0; i < DT_OP_COUNT; i++) {
		char *name = dt_asprintf("`%s`", dt_operations[i]->name);

		if (!strstr(dt_buf_z(&page), name))
			fail_msg("%s is not in docs/internals/gate.md", name);
		free(name);
	}
	dt_buf_done(&page);
}

/* problems */

static size_t told_problems;

static void on_problems(struct dt_answer *answer, const void *result,
                        const struct dt_fail *fail, void *owner)
{
	const struct dt_diagnostics_result *found = result;
	const struct dt_file_diagnostics *file = found->items.ptr;

	(void)answer;
	(void)fail;
	(void)owner;
	told_problems = 0;
	for (size_t i = 0; i < found->items.count; i++) {
		const struct dt_diagnostic *d = file[i].items.ptr;

		for (size_t k = 0; k < file[i].items.count; k++)
			told_problems +=
				!dt_str_is(d[k].message, "SECRET") ? 1 : 100;
	}
}

world_test(problems_that_speak_of_a_kept_file_are_not_told)
{
	static const struct dt_diagnostics_args args = { 0 };
	struct world *w = *state;
	struct dt_workspace *ws = serve_slowly(w);
	const char *about[] = { "/w/a.h", "/w/.env.h" };
	struct dt_diagnostic problems[] = {
		{ .message = DT_STR("one"), .about = { about, 1 } },
		{ .message = DT_STR("SECRET"), .about = { about, 2 } },
		{ .message = DT_STR("two") },
	};
	struct dt_diagnostic kept = { .message = DT_STR("SECRET") };
	struct dt_file_diagnostics files[] = {
		{ "/w/a.c", { problems, 3 } },
		{ "/w/.env", { &kept, 1 } },
	};
	struct dt_diagnostics_result found = { .items = { files, 2 } };
	struct dt_caller *caller = &last_session(ws)->agent.caller;
	struct dt_answer answer;

	dt_answer_init(&answer, on_problems, NULL);
	caller->perform(caller, &dt_op_get_diagnostics, &args, &answer);
	dt_answer_end(slow.pending, &found);
	assert_int_equal(told_problems, 2);
	ws->editor->backend = slow.real;
}

/* files */

static void on_file(struct dt_answer *answer, const void *result,
                    const struct dt_fail *fail, void *owner)
{
	struct ended *ended = owner;

	(void)answer;
	ended->count++;
	if (fail)
		ended->fail = *fail;
	else
		snprintf(ended->text, sizeof(ended->text), "%.*s",
		         DT_STR_ARG(((const struct dt_read_file_result *)result)
		                            ->text));
}

static void read_file(struct dt_workspace *ws, const char *path,
                      struct ended *ended)
{
	struct dt_caller *caller = &last_session(ws)->agent.caller;
	struct dt_read_file_args args = { .path = path };

	*ended = (struct ended){ 0 };
	dt_answer_init(&ended->answer, on_file, ended);
	caller->perform(caller, &dt_op_read_file, &args, &ended->answer);
	assert_int_equal(ended->count, 1);
}

world_test(files_are_read_by_who_may_see_them)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	char *plain = make_file(w, "a", "plain");
	char *link = text_of(w, "%s/b", w->project);
	const char *log;
	struct ended ended;

	make_file(w, ".env", "secret");
	assert_int_equal(symlink(".env", link), 0);
	connect_agent(ws, w);
	read_file(ws, plain, &ended);
	assert_string_equal(ended.text, "plain");
	read_file(ws, text_of(w, "%s/.env", w->project), &ended);
	assert_int_equal(ended.fail.code, DT_E_DENIED);
	assert_string_equal(ended.text, "");
	read_file(ws, link, &ended);
	assert_int_equal(ended.fail.code, DT_E_DENIED);
	assert_string_equal(ended.text, "");
	log = ask(connect_command(w), "log/list", "{\"what\":\"audit\"}");
	assert_string_equal(at(w, log, "result.items.0.kind"), "file");
	assert_string_equal(at(w, log, "result.items.0.path"), plain);
	assert_string_equal(at(w, log, "result.items.0.bytes"), "5");
	assert_non_null(at(w, log, "result.items.1.denied"));
	assert_string_equal(at(w, log, "result.items.2.path"), link);
}

/* proposals */

/* What an operation told of its first change: "old|text". */
static char told[sizeof(((struct dt_fail *)NULL)->msg)];

static void on_told(struct dt_answer *answer, const void *result,
                    const struct dt_fail *fail, void *owner)
{
	const struct dt_operation *op = owner;
	const struct dt_submit_result *submitted = result;
	const struct dt_propose_result *verdict = result;
	const struct dt_change *change;

	(void)answer;
	if (fail) {
		snprintf(told, sizeof(told), "%s", fail->msg);
		return;
	}
	change = op == &dt_op_submit_review ? submitted->changes.ptr
	                                    : verdict->changes.ptr;
	snprintf(told, sizeof(told), "%.*s|%.*s", DT_STR_ARG(change->old_text),
	         DT_STR_ARG(change->text));
}

static bool asks = true; /* whoever submits shows a form */

static void submit(struct dt_workspace *ws, const struct dt_change *change)
{
	static struct dt_answer answer;
	struct dt_change copy = *change;
	struct dt_submit_args args = {
		.proposal = { .title = "t", .changes = { &copy, 1 } },
		.asks = asks,
	};
	struct dt_caller *caller = &last_session(ws)->agent.caller;

	told[0] = '\0';
	dt_answer_init(&answer, on_told,
	               (void *)(uintptr_t)&dt_op_submit_review);
	caller->perform(caller, &dt_op_submit_review, &args, &answer);
}

/* Accept the review that was submitted, and have its agent wait for that. */
static void accept(struct dt_workspace *ws, struct world *w)
{
	static struct dt_answer answer;
	struct dt_review *r = last_review(w);
	struct dt_await_args args = { .id = text_of(w, "%s", r->id) };
	struct dt_caller *caller = &last_session(ws)->agent.caller;

	told[0] = '\0';
	dt_answer_init(&answer, on_told,
	               (void *)(uintptr_t)&dt_op_await_review);
	caller->perform(caller, &dt_op_await_review, &args, &answer);
	decide(connect_command(w), r->id, "\"verdict\":\"accept\"");
	wait_for(w, told[0]);
}

world_test(what_a_denied_file_held_is_not_told_with_a_verdict)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct dt_change change = { .kind = DT_CHANGE_EDIT,
		                    .text = DT_STR("new") };

	connect_agent(ws, w);
	change.path = make_file(w, "a", "plain");
	submit(ws, &change);
	assert_string_equal(told, "plain|new");
	accept(ws, w);
	assert_string_equal(told, "plain|new");
	change.path = make_file(w, ".env", "secret");
	submit(ws, &change);
	assert_string_equal(told, "|new");
	accept(ws, w);
	assert_string_equal(told, "|new");
	change.kind = DT_CHANGE_RENAME;
	change.new_path = text_of(w, "%s/free.txt", w->project);
	change.text = (struct dt_str){ 0 };
	submit(ws, &change);
	assert_non_null(strstr(told, "it is not moved or deleted from here"));
}

world_test(nobody_guesses_what_is_in_a_denied_file)
{
	struct dt_text_edit edit = { DT_STR("sec"), DT_STR("x"), false };
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct dt_change change = { .kind = DT_CHANGE_EDIT,
		                    .edits = { &edit, 1 } };

	connect_agent(ws, w);
	change.path = make_file(w, ".env", "secret");
	submit(ws, &change);
	assert_non_null(strstr(told, ".env is kept from agents"));
	edit.old_text = DT_STR("no such");
	submit(ws, &change);
	assert_non_null(strstr(told, ".env is kept from agents"));
	assert_true(dt_list_is_empty(&w->hub.inbox.list));
}

/* Outside of the workspace nothing is read for an agent. */
world_test(what_is_outside_is_kept_from_agents)
{
	struct dt_text_edit edit = { DT_STR("far"), DT_STR("x"), false };
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct dt_change change = { .kind = DT_CHANGE_EDIT,
		                    .text = DT_STR("new") };
	char *far = text_of(w, "%s/far", w->dir);
	char *link = text_of(w, "%s/link", w->project);

	put_file(far, "far away");
	assert_int_equal(symlink(far, link), 0);
	connect_agent(ws, w);
	for (int i = 0; i < 2; i++) {
		change.path = i ? link : far;
		submit(ws, &change);
		assert_string_equal(told, "|new");
		accept(ws, w);
		assert_string_equal(told, "|new");
	}
	change.text = (struct dt_str){ 0 };
	change.edits = (struct dt_items){ &edit, 1 };
	for (int i = 0; i < 4; i++) {
		edit.old_text = i % 2 ? DT_STR("far") : DT_STR("near");
		change.path = i / 2 ? link : far;
		submit(ws, &change);
		assert_non_null(strstr(told, "outside the workspace"));
	}
	assert_true(dt_list_is_empty(&w->hub.inbox.list));
	assert_null(at(
		w, ask(connect_command(w), "log/list", "{\"what\":\"audit\"}"),
		"result.items.0"));
}

world_test(an_old_text_that_is_told_is_in_the_audit)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct dt_change change = { .kind = DT_CHANGE_EDIT,
		                    .text = DT_STR("new") };
	const char *log;

	connect_agent(ws, w);
	change.path = make_file(w, "a", "plain");
	submit(ws, &change);
	log = ask(connect_command(w), "log/list", "{\"what\":\"audit\"}");
	assert_string_equal(at(w, log, "result.items.0.path"), change.path);
	assert_string_equal(at(w, log, "result.items.0.bytes"), "5");
	change.path = make_file(w, "b", "other");
	asks = false;
	submit(ws, &change);
	log = ask(connect_command(w), "log/list", "{\"what\":\"audit\"}");
	assert_null(at(w, log, "result.items.1"));
	accept(ws, w);
	log = ask(connect_command(w), "log/list", "{\"what\":\"audit\"}");
	assert_string_equal(at(w, log, "result.items.1.path"), change.path);
	asks = true;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_world(an_answer_may_come_later),
		test_in_world(the_gate_is_that_of_the_workspace_that_was_asked),
		test_in_world(an_answer_that_nobody_waits_for_is_dropped_once),
		test_in_world(
			an_editor_is_not_asked_about_one_file_that_is_denied),
		test_in_world(every_operation_is_known),
		test_in_world(every_operation_is_in_the_page_about_the_gate),
		test_in_world(problems_that_speak_of_a_kept_file_are_not_told),
		test_in_world(files_are_read_by_who_may_see_them),
		test_in_world(
			what_a_denied_file_held_is_not_told_with_a_verdict),
		test_in_world(nobody_guesses_what_is_in_a_denied_file),
		test_in_world(what_is_outside_is_kept_from_agents),
		test_in_world(an_old_text_that_is_told_is_in_the_audit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
