/* test/unit/backend/test_lsp_answers.c - what a server asks its client. */
#include "backend/lsp_fake.h"
#include "backend/lsp_world.h"

static const char *begin(struct lsp_world *w, void **state, const char *name)
{
	lsp_world_begin(w, state);
	lsp_world_fake(w, "");
	return lsp_world_put(w, name, "text\n");
}

/* What the client answers to a question of the server. */
static void check(struct lsp_world *w, const char *path, const char *question,
                  const char *answer)
{
	dt_lsp_ask(w->lsp,
	           &(struct dt_lsp_ask){ .path = path,
	                                 .method = "fake/ask",
	                                 .params = dt_str(question),
	                                 .deadline_ms = PATIENCE_MS },
	           lsp_world_on_reply, w);
	lsp_world_wait(w);
	assert_string_equal(w->fail.msg, "");
	assert_string_equal(w->result, answer);
}

test(every_question_of_a_server_is_answered)
{
	static const struct {
		const char *question;
		const char *answer;
	} cases[] = {
		{ "{\"method\":\"window/workDoneProgress/create\",\"params\":{"
		  "\"token\":1}}",
		  "null" },
		{ "{\"method\":\"window/showMessageRequest\",\"params\":{"
		  "\"type\":1,\"message\":\"m\",\"actions\":[{\"title\":\"t\"}]"
		  "}}",
		  "null" },
		{ "{\"method\":\"window/showDocument\",\"params\":{"
		  "\"uri\":\"file:///a\"}}",
		  "{\"success\":false}" },
		{ "{\"method\":\"client/unregisterCapability\",\"params\":{"
		  "\"unregisterations\":[]}}",
		  "null" },
		{ "{\"method\":\"client/registerCapability\",\"params\":{}}",
		  "null" },
		{ "{\"method\":\"workspace/diagnostic/refresh\","
		  "\"params\":null}",
		  "null" },
		{ "{\"method\":\"workspace/semanticTokens/refresh\"}", "null" },
		{ "{\"method\":\"workspace/configuration\",\"params\":{"
		  "\"items\":[{\"section\":\"clangd\"},{}]}}",
		  "[null,null]" },
		{ "{\"method\":\"workspace/configuration\",\"params\":{}}",
		  "{\"code\":-32602,\"message\":\"items: expected array\"}" },
		{ "{\"method\":\"no/such\",\"params\":{}}",
		  "{\"code\":-32601,\"message\":\"dovetail does not do "
		  "this\"}" },
	};
	struct lsp_world w;
	const char *path = begin(&w, state, "a.c");
	char *folders;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		check(&w, path, cases[i].question, cases[i].answer);
	folders =
		dt_asprintf("[{\"uri\":\"file://%s\",\"name\":\"w\"}]", w.root);
	check(&w, path, "{\"method\":\"workspace/workspaceFolders\"}", folders);
	free(folders);
	lsp_world_end(&w);
}

test(settings_are_found_by_their_section)
{
	struct lsp_world w;
	const char *path = begin(&w, state, "a.py");

	check(&w, path,
	      "{\"method\":\"workspace/configuration\",\"params\":{\"items\":["
	      "{\"section\":\"python.analysis.diagnosticMode\"},"
	      "{\"section\":\"python.nothing\"},{\"section\":\"python.analysis."
	      "diagnosticMode.too.deep\"}]}}",
	      "[\"openFilesOnly\",null,null]");
	lsp_world_end(&w);
}

test(an_edit_nobody_asked_for_is_refused)
{
	struct lsp_world w;
	const char *path = begin(&w, state, "a.c");

	check(&w, path,
	      "{\"method\":\"workspace/applyEdit\",\"params\":{\"edit\":{}}}",
	      "{\"applied\":false,\"failureReason\":\"nobody asked for a "
	      "change\"}");
	assert_int_equal(w.edits, 0);
	lsp_world_ask(&w, path, "fake/edit");
	assert_int_equal(w.edits, 1);
	assert_non_null(strstr(w.result, "\"applied\":false"));
	w.takes_edits = true;
	lsp_world_ask(&w, path, "fake/edit");
	assert_int_equal(w.edits, 2);
	assert_string_equal(w.result, "{\"applied\":true}");
	lsp_world_end(&w);
}

/* A server tells its progress, and is busy until it says otherwise. */
static const char *progress(struct lsp_world *w, const char *value)
{
	struct dt_lsp_server *server =
		DT_LIST_OF(w->lsp->servers.next, struct dt_lsp_server, link);
	char *text = dt_arena_printf(&w->arena,
	                             "{\"token\":\"t\",\"value\":%s}", value);
	const struct dt_json *json = NULL;

	assert_ok(dt_json_read(&w->arena, dt_str(text), &json, NULL));
	dt_lsp_hear(server, "$/progress", json);
	return lsp_world_info(w).progress;
}

test(progress_is_kept_until_it_ends)
{
	struct lsp_world w;
	const char *path = begin(&w, state, "a.c");

	lsp_world_ask(&w, path, "fake/any");
	assert_null(lsp_world_info(&w).progress);
	assert_string_equal(progress(&w, "{\"kind\":\"begin\",\"title\":"
	                                 "\"indexing\"}"),
	                    "indexing");
	assert_string_equal(progress(&w, "{\"kind\":\"report\",\"message\":"
	                                 "\"3/7\",\"percentage\":40}"),
	                    "indexing: 3/7 40 %");
	assert_string_equal(progress(&w, "{\"kind\":\"report\","
	                                 "\"percentage\":60}"),
	                    "indexing: 60 %");
	assert_string_equal(progress(&w, "7"), "indexing: 60 %");
	/* It is told to who waited in vain. */
	lsp_world_start(&w, path, "fake/hang", 0, 0, 30);
	lsp_world_wait(&w);
	assert_string_equal(w.fail.msg,
	                    "clangd did not answer in 30 ms (indexing: 60 %)");
	assert_null(progress(&w, "{\"kind\":\"end\"}"));
	lsp_world_end(&w);
}

#define with_folder(name)                                                      \
	cmocka_unit_test_setup_teardown(name, tempdir_open, tempdir_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		with_folder(every_question_of_a_server_is_answered),
		with_folder(settings_are_found_by_their_section),
		with_folder(an_edit_nobody_asked_for_is_refused),
		with_folder(progress_is_kept_until_it_ends),
	};

	fake_run();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
