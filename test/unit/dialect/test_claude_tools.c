#include "hub/agent.h"

#include "dialect/claude_tools.h"
#include "editor/diagnostics.h"

/* An agent that gets no events, so that only answers come. */
static struct client *agent_in(struct world *w)
{
	return connect_agent(serve(w), w);
}

static char *path_args(struct world *w, const char *name, const char *path)
{
	return text_of(w, "{\"%s\":%s}", name, quoted(w, path));
}

/* openFile */

world_test(open_file_shows_a_file)
{
	struct world *w = *state;
	struct client *c = agent_in(w);
	char *path = make_file(w, "a.py", "one\ntwo\n");

	check_call(c, "openFile", path_args(w, "filePath", path),
	           text_of(w, "Opened file: %s", path));
	check_call(c, "openFile",
	           path_args(w, "filePath", text_of(w, "file://%s", path)),
	           text_of(w, "Opened file: %s", path));
	assert_int_equal(serve(w)->docs.count, 1);
}

world_test(open_file_tells_more_of_one_in_the_background)
{
	struct world *w = *state;
	struct client *c = agent_in(w);
	char *path = make_file(w, "a.py", "one\ntwo\n");

	check_call(c, "openFile",
	           text_of(w, "{\"filePath\":\"%s\",\"makeFrontmost\":false}",
	                   path),
	           text_of(w,
	                   "{\"success\":true,\"filePath\":\"%s\","
	                   "\"languageId\":\"python\",\"lineCount\":3}",
	                   path));
	assert_null(serve(w)->docs.active);
}

world_test(open_file_selects_between_two_texts)
{
	struct world *w = *state;
	struct client *c = agent_in(w);
	char *path = make_file(w, "a.txt", "x = 1\ny = 2 # two\nz = 3\n");

	check_call(c, "openFile",
	           text_of(w,
	                   "{\"filePath\":\"%s\",\"preview\":true,"
	                   "\"startText\":\"= 1\",\"endText\":\"y =\","
	                   "\"selectToEndOfLine\":false,"
	                   "\"makeFrontmost\":true}",
	                   path),
	           text_of(w, "Opened file: %s", path));
	check_call(c, "getCurrentSelection", "{}",
	           text_of(w,
	                   "{\"success\":true,\"text\":\"= 1\\ny =\","
	                   "\"filePath\":\"%s\",\"selection\":{\"start\":{"
	                   "\"line\":0,\"character\":2},\"end\":{\"line\":1,"
	                   "\"character\":3}}}",
	                   path));
	check_call(c, "openFile",
	           text_of(w,
	                   "{\"filePath\":\"%s\",\"startText\":\"y\","
	                   "\"selectToEndOfLine\":true}",
	                   path),
	           text_of(w, "Opened file: %s", path));
	check_call(c, "getCurrentSelection", "{}",
	           text_of(w,
	                   "{\"success\":true,\"text\":\"y = 2 # two\","
	                   "\"filePath\":\"%s\",\"selection\":{\"start\":{"
	                   "\"line\":1,\"character\":0},\"end\":{\"line\":1,"
	                   "\"character\":11}}}",
	                   path));
}

world_test(open_file_refuses_what_it_cannot_open)
{
	struct world *w = *state;
	struct client *c = agent_in(w);
	char *outside = text_of(w, "%s/outside", w->dir);

	put_file(outside, "secret\n");
	call(c, "openFile", path_args(w, "filePath", outside));
	expect_is_error(c, c->id,
	                text_of(w, "%s is outside the workspace", outside));
	assert_int_equal(symlink(outside, text_of(w, "%s/link", w->project)),
	                 0);
	call(c, "openFile",
	     path_args(w, "filePath", text_of(w, "%s/link", w->project)));
	assert_string_equal(at(w, hear(c), "result.isError"), "true");
	call(c, "openFile",
	     path_args(w, "filePath", text_of(w, "%s/none", w->project)));
	assert_string_equal(at(w, hear(c), "result.isError"), "true");
	call(c, "openFile", "{\"filePath\":\"a.py\"}");
	expect_is_error(c, c->id, "filePath: not an absolute path");
	call(c, "openFile", "{\"filePath\":\"/a\",\"preview\":1}");
	expect_is_error(c, c->id, "preview: expected boolean");
	call(c, "openFile", "{\"filePath\":\"/a\",\"startText\":[]}");
	expect_is_error(c, c->id, "startText: expected string");
}

/* selections */

world_test(without_a_document_there_is_no_selection)
{
	struct client *c = agent_in(*state);

	check_call(c, "getCurrentSelection", "{}",
	           "{\"success\":false,\"message\":\"No active editor "
	           "found\"}");
	check_call(c, "getLatestSelection", "{}",
	           "{\"success\":false,\"message\":\"No selection "
	           "available\"}");
}

static void select_in(struct world *w, const char *path)
{
	struct client *command = connect_command(w);
	const char *answer = ask(
		command, "select",
		text_of(w, "{\"path\":\"%s\",\"startLine\":1,\"endLine\":1}",
	                path));

	assert_non_null(at(w, answer, "result.path"));
}

world_test(the_latest_selection_need_not_be_in_the_active_document)
{
	struct world *w = *state;
	struct client *c = agent_in(w);
	char *active = make_file(w, "active", "a\n");
	char *other = make_file(w, "other", "first \xf0\x9f\x98\x80\nsecond\n");

	call(c, "openFile", path_args(w, "filePath", active));
	hear(c);
	select_in(w, other);
	check_call(c, "getLatestSelection", "{}",
	           text_of(w,
	                   "{\"success\":true,\"text\":\"first "
	                   "\xf0\x9f\x98\x80\",\"filePath\":\"%s\","
	                   "\"selection\":{\"start\":{\"line\":0,"
	                   "\"character\":0},\"end\":{\"line\":0,"
	                   "\"character\":8}}}",
	                   other));
	/* Nothing is selected where the person looks: empty, never null. */
	check_call(c, "getCurrentSelection", "{}",
	           text_of(w,
	                   "{\"success\":true,\"text\":\"\",\"filePath\":"
	                   "\"%s\",\"selection\":{\"start\":{\"line\":0,"
	                   "\"character\":0},\"end\":{\"line\":0,"
	                   "\"character\":0}}}",
	                   active));
}

/* lists */

world_test(open_editors_are_listed_with_what_is_known)
{
	struct world *w = *state;
	struct client *c = agent_in(w);
	char *one = make_file(w, "o ne.js", "");
	char *two = make_file(w, "two", "");
	struct dt_workspace *ws = serve(w);

	check_call(c, "getOpenEditors", "{}", "{\"tabs\":[]}");
	check_call(c, "get_all_opened_file_paths", "{}", "");
	call(c, "openFile", path_args(w, "filePath", one));
	hear(c);
	call(c, "openFile", path_args(w, "filePath", two));
	hear(c);
	dt_document_set_overlay(&ws->docs, dt_documents_find(&ws->docs, one),
	                        DT_STR("unsaved"));
	check_call(c, "getOpenEditors", "{}",
	           text_of(w,
	                   "{\"tabs\":[{\"uri\":\"file://%s/o%%20ne.js\","
	                   "\"isActive\":false,\"label\":\"o ne.js\","
	                   "\"languageId\":\"javascript\",\"isDirty\":true},"
	                   "{\"uri\":\"file://%s\",\"isActive\":true,"
	                   "\"label\":\"two\",\"languageId\":\"plaintext\","
	                   "\"isDirty\":false}]}",
	                   w->project, two));
	check_call(c, "get_all_opened_file_paths", "{}",
	           text_of(w, "%s\n%s", one, two));
}

world_test(workspace_folders_are_the_roots)
{
	struct world *w = *state;

	check_call(agent_in(w), "getWorkspaceFolders", "{}",
	           text_of(w,
	                   "{\"success\":true,\"folders\":[{\"name\":\"p\","
	                   "\"uri\":\"file://%s\",\"path\":\"%s\"}],"
	                   "\"rootPath\":\"%s\"}",
	                   w->project, w->project, w->project));
}

/* getDiagnostics, from an editor that has some */

static struct dt_diagnostic diagnostics[] = {
	{ DT_STR("bad"), DT_SEV_ERROR, { { 0, 1 }, { 0, 2 } }, "lint", "E7" },
	{ DT_STR("w"), DT_SEV_WARNING, { { 0 } }, NULL, NULL },
	{ DT_STR("i"), DT_SEV_INFO, { { 0 } }, NULL, NULL },
	{ DT_STR("h"), DT_SEV_HINT, { { 0 } }, NULL, NULL },
};
static struct dt_file_diagnostics file_diagnostics = {
	.path = "/w/caf\xc3\xa9#1 .txt",
	.items = { diagnostics, 4 },
};
static const char *asked_for;
static uint32_t asked_ms;

static void perform_diagnostics(struct dt_editor *editor,
                                const struct dt_operation *op, const void *args,
                                struct dt_answer *answer)
{
	struct dt_diagnostics_result result = {
		.items = { &file_diagnostics, 1 },
	};
	const struct dt_diagnostics_args *wanted = args;

	(void)editor;
	asked_for = NULL;
	asked_ms = wanted->wait_ms;
	if (op != &dt_op_get_diagnostics) {
		dt_answer_failf(answer, DT_E_SYS, "broken");
		return;
	}
	asked_for = wanted->path ? strdup(wanted->path) : NULL;
	dt_answer_end(answer, &result);
}

static void perform_nothing(struct dt_editor *editor,
                            const struct dt_operation *op, const void *args,
                            struct dt_answer *answer)
{
	(void)editor;
	(void)op;
	(void)args;
	dt_answer_failf(answer, DT_E_SYS, "broken");
}

#define RANGE0                                                                 \
	"{\"start\":{\"line\":0,\"character\":0},\"end\":{\"line\":0,"         \
	"\"character\":0}}"

world_test(diagnostics_have_the_shape_the_cli_reads)
{
	static const struct dt_backend fake = { .perform =
		                                        perform_diagnostics };
	static const char shape[] =
		"[{\"uri\":\"file:///w/caf\xc3\xa9#1 .txt\","
		"\"diagnostics\":[{\"message\":\"bad\",\"severity\":"
		"\"Error\",\"range\":{\"start\":{\"line\":0,\"character\":"
		"1},\"end\":{\"line\":0,\"character\":2}},\"source\":"
		"\"lint\",\"code\":\"E7\"},{\"message\":\"w\","
		"\"severity\":\"Warning\",\"range\":" RANGE0 "},{"
		"\"message\":\"i\",\"severity\":\"Info\",\"range\":" RANGE0
		"},{\"message\":\"h\",\"severity\":\"Hint\",\"range\":" RANGE0
		"}]}]";
	struct world *w = *state;
	struct client *c = agent_in(w);
	struct dt_editor *editor = serve(w)->editor;
	const struct dt_backend *real = editor->backend;

	check_call(c, "getDiagnostics", "{}", "[]");
	editor->backend = &fake;
	check_call(c, "getDiagnostics", "{\"uri\":\"file:///w/a b\"}", shape);
	assert_string_equal(asked_for, "/w/a b");
	free((char *)(uintptr_t)asked_for);
	/* The CLI writes no file before it has the answer, and waits 500 ms;
	 * for that about all files it waits 2 s. */
	assert_in_range(asked_ms, 1, 400);
	check_call(c, "getDiagnostics", "{}", shape);
	assert_in_range(asked_ms, 1000, 1800);
	editor->backend = real;
}

world_test(diagnostics_that_cannot_be_had_are_none)
{
	static const struct dt_backend fake = { .perform = perform_nothing };
	struct world *w = *state;
	struct client *c = agent_in(w);
	struct dt_editor *editor = serve(w)->editor;
	const struct dt_backend *real = editor->backend;

	editor->backend = &fake;
	check_call(c, "getDiagnostics", "{}", "[]");
	editor->backend = real;
	call(c, "getDiagnostics", "{\"uri\":\"untitled:1\"}");
	expect_is_error(c, c->id, "uri: not an absolute path");
}

/* documents */

world_test(a_document_without_unsaved_text_is_clean_and_saves_at_once)
{
	struct world *w = *state;
	struct client *c = agent_in(w);
	char *path = make_file(w, "a", "text\n");
	char *args = path_args(w, "filePath", path);

	call(c, "openFile", args);
	hear(c);
	check_call(c, "checkDocumentDirty", args,
	           text_of(w,
	                   "{\"success\":true,\"filePath\":\"%s\","
	                   "\"isDirty\":false,\"isUntitled\":false}",
	                   path));
	check_call(c, "saveDocument", args,
	           text_of(w,
	                   "{\"success\":true,\"filePath\":\"%s\","
	                   "\"saved\":true,\"message\":\"Document saved "
	                   "successfully\"}",
	                   path));
	assert_string_equal(file_text(w, path), "text\n");
}

world_test(unsaved_text_is_dirty_until_it_is_saved)
{
	struct world *w = *state;
	struct client *c = agent_in(w);
	char *path = make_file(w, "a", "text\n");
	char *args = path_args(w, "filePath", path);
	struct dt_workspace *ws = serve(w);

	call(c, "openFile", args);
	hear(c);
	dt_document_set_overlay(&ws->docs, dt_documents_find(&ws->docs, path),
	                        DT_STR("new\n"));
	call(c, "checkDocumentDirty", args);
	assert_non_null(strstr(hear(c), "\\\"isDirty\\\":true"));
	call(c, "saveDocument", args);
	wait_for(w, w->hub.inbox.count == 1);
	assert_string_equal(file_text(w, path), "text\n");
	decide(connect_command(w), last_review(w)->id,
	       "\"verdict\":\"accept\"");
	hear(c);
	assert_string_equal(file_text(w, path), "new\n");
	call(c, "checkDocumentDirty", args);
	assert_non_null(strstr(hear(c), "\\\"isDirty\\\":false"));
}

world_test(a_document_that_is_not_open_is_named)
{
	struct client *c = agent_in(*state);
	static const char *const tools[] = { "checkDocumentDirty",
		                             "saveDocument" };

	for (size_t i = 0; i < 2; i++) {
		check_call(c, tools[i], "{\"filePath\":\"/w/\\\"x\\\"\"}",
		           "{\"success\":false,\"message\":\"Document not "
		           "open: /w/\\\"x\\\"\"}");
		call(c, tools[i], "{}");
		expect_is_error(c, c->id, "filePath: missing");
	}
}

world_test(a_tab_is_closed_by_the_path_of_its_file)
{
	struct world *w = *state;
	struct client *c = agent_in(w);
	char *path = make_file(w, "a", "text\n");

	call(c, "openFile", path_args(w, "filePath", path));
	hear(c);
	check_call(c, "close_tab", path_args(w, "tab_name", path),
	           "TAB_CLOSED");
	assert_int_equal(serve(w)->docs.count, 0);
	/* Twice, as the CLI does, and what never was there. */
	check_call(c, "close_tab", path_args(w, "tab_name", path),
	           "TAB_CLOSED");
	check_call(c, "close_tab", "{\"tab_name\":\"none\"}", "TAB_CLOSED");
	check_call(c, "close_tab", "{\"tab_name\":\"\"}", "TAB_CLOSED");
	call(c, "close_tab", "{}");
	expect_is_error(c, c->id, "tab_name: missing");
}

/* what needs an editor */

world_test(code_does_not_run_without_a_kernel)
{
	struct client *c = agent_in(*state);

	call(c, "executeCode", "{\"code\":\"1+1\"}");
	expect_is_error(c, c->id,
	                "No kernel is attached: code runs only in a notebook "
	                "that is open in an attached editor.");
	call(c, "executeCode", "{}");
	expect_is_error(c, c->id, "code: missing");
}

static void perform_code(struct dt_editor *editor,
                         const struct dt_operation *op, const void *args,
                         struct dt_answer *answer)
{
	const struct dt_run_code_args *code = args;
	struct dt_run_code_result result = { .output = code->code };

	(void)editor;
	(void)op;
	dt_answer_end(answer, &result);
}

world_test(code_runs_in_an_editor_that_has_a_kernel)
{
	static const struct dt_backend echo = { .perform = perform_code };
	static const struct dt_backend broken = { .perform = perform_nothing };
	struct world *w = *state;
	struct client *c = agent_in(w);
	struct dt_editor *editor = serve(w)->editor;
	const struct dt_backend *real = editor->backend;

	editor->can[DT_OP_run_code] = true;
	editor->backend = &echo;
	check_call(c, "executeCode", "{\"code\":\"1+1\"}", "1+1");
	editor->backend = &broken;
	call(c, "executeCode", "{\"code\":\"1+1\"}");
	expect_is_error(c, c->id, "broken");
	editor->backend = real;
}

static void perform_format(struct dt_editor *editor,
                           const struct dt_operation *op, const void *args,
                           struct dt_answer *answer)
{
	(void)editor;
	(void)op;
	(void)args;
	dt_answer_end(answer, NULL);
}

world_test(formatting_needs_an_editor)
{
	static const struct dt_backend fake = { .perform = perform_format };
	struct world *w = *state;
	struct client *c = agent_in(w);
	struct dt_editor *editor = serve(w)->editor;
	const struct dt_backend *real = editor->backend;

	call(c, "reformat_file", "{\"file_path\":\"/w/a\"}");
	expect_is_error(c, c->id,
	                "formatDocument needs an editor that can do it, and "
	                "none is attached.");
	call(c, "reformat_file", "{}");
	expect_is_error(c, c->id, "file_path: missing");
	editor->can[DT_OP_format_document] = true;
	editor->backend = &fake;
	check_call(c, "reformat_file", "{\"file_path\":\"/w/a\"}", "OK");
	editor->backend = real;
}

/* open_files */

world_test(open_files_opens_what_it_can)
{
	struct world *w = *state;
	struct client *c = agent_in(w);
	char *a = make_file(w, "a", "");
	char *b = make_file(w, "b", "");

	check_call(
		c, "open_files",
		text_of(w, "{\"file_paths\":[\"%s\",\"/none\",\"%s\"]}", a, b),
		text_of(w, "{\"opened_files\":[\"%s\",\"%s\"]}", a, b));
	check_call(c, "open_files", "{\"file_paths\":[]}",
	           "{\"opened_files\":[]}");
	check_call(c, "get_all_opened_file_paths", "{}",
	           text_of(w, "%s\n%s", a, b));
}

world_test(open_files_refuses_bad_lists)
{
	struct world *w = *state;
	struct client *c = agent_in(w);
	char *many = text_of(w, "\"/a\"");

	call(c, "open_files", "{}");
	expect_is_error(c, c->id, "file_paths: missing");
	call(c, "open_files", "{\"file_paths\":\"/a\"}");
	expect_is_error(c, c->id, "file_paths: expected array");
	call(c, "open_files", "{\"file_paths\":[\"/a\",\"b\"]}");
	expect_is_error(c, c->id, "file_paths[1]: not an absolute path");
	for (int i = 0; i < 100; i++)
		many = text_of(w, "%s,\"/a\"", many);
	call(c, "open_files", text_of(w, "{\"file_paths\":[%s]}", many));
	expect_is_error(c, c->id, "at most 100 files at a time");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_world(open_file_shows_a_file),
		test_in_world(open_file_tells_more_of_one_in_the_background),
		test_in_world(open_file_selects_between_two_texts),
		test_in_world(open_file_refuses_what_it_cannot_open),
		test_in_world(without_a_document_there_is_no_selection),
		test_in_world(
			the_latest_selection_need_not_be_in_the_active_document),
		test_in_world(open_editors_are_listed_with_what_is_known),
		test_in_world(workspace_folders_are_the_roots),
		test_in_world(diagnostics_have_the_shape_the_cli_reads),
		test_in_world(diagnostics_that_cannot_be_had_are_none),
		test_in_world(
			a_document_without_unsaved_text_is_clean_and_saves_at_once),
		test_in_world(unsaved_text_is_dirty_until_it_is_saved),
		test_in_world(a_document_that_is_not_open_is_named),
		test_in_world(a_tab_is_closed_by_the_path_of_its_file),
		test_in_world(code_does_not_run_without_a_kernel),
		test_in_world(code_runs_in_an_editor_that_has_a_kernel),
		test_in_world(formatting_needs_an_editor),
		test_in_world(open_files_opens_what_it_can),
		test_in_world(open_files_refuses_bad_lists),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
