/* test/unit/backend/test_lsp_call.c - questions and what becomes of them. */
#include "backend/lsp_fake.h"
#include "backend/lsp_world.h"

static const char *begin(struct lsp_world *w, void **state, const char *mode)
{
	lsp_world_begin(w, state);
	lsp_world_fake(w, mode);
	return lsp_world_put(w, "a.c", "text\n");
}

#define assert_failed(w, err, sentence)                                        \
	do {                                                                   \
		assert_string_equal((w)->fail.msg, sentence);                  \
		assert_int_equal((w)->fail.code, err);                         \
	} while (0)

test(what_a_server_cannot_do_is_not_asked)
{
	static const struct {
		const char *provider;
		bool can;
	} cases[] = {
		{ "hoverProvider", true },
		{ "renameProvider", true },
		{ "renameProvider.prepareProvider", true },
		{ "renameProvider.nothing", false },
		{ "hoverProvider.nothing", false },
		{ "foldingRangeProvider", false },
		{ "nothing", false },
	};
	struct lsp_world w;
	const char *path = begin(&w, state, "");

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		dt_lsp_ask(w.lsp,
		           &(struct dt_lsp_ask){ .path = path,
		                                 .method = "fake/any",
		                                 .provider = cases[i].provider,
		                                 .params = DT_STR("{}"),
		                                 .deadline_ms = PATIENCE_MS },
		           lsp_world_on_reply, &w);
		lsp_world_wait(&w);
		if (cases[i].can)
			assert_int_equal(w.fail.code, DT_E_OK);
		else
			assert_failed(&w, DT_E_UNSUPPORTED,
			              "clangd cannot do fake/any");
	}
	lsp_world_end(&w);
}

test(an_error_of_the_server_is_told)
{
	struct lsp_world w;
	const char *path = begin(&w, state, "");

	lsp_world_ask(&w, path, "fake/error");
	assert_failed(&w, DT_E_ARGS, "clangd: no such line");
	lsp_world_end(&w);
}

test(what_changed_meanwhile_is_asked_again)
{
	struct lsp_world w;
	const char *path = begin(&w, state, "");

	lsp_world_ask(&w, path, "fake/modified");
	assert_string_equal(w.result, "\"done\"");
	lsp_world_end(&w);
}

test(a_question_that_hangs_ends_at_its_deadline_and_is_cancelled)
{
	struct lsp_world w;
	const char *path = begin(&w, state, "");

	lsp_world_ask(&w, path, "fake/log");
	lsp_world_start(&w, path, "fake/hang", 0, 0, 50);
	lsp_world_wait(&w);
	assert_failed(&w, DT_E_TIMEOUT, "clangd did not answer in 50 ms");
	lsp_world_ask(&w, path, "fake/log");
	assert_string_equal(w.result, "\"$/cancelRequest {\\\"id\\\":2}|\"");
	lsp_world_end(&w);
}

test(a_question_that_is_dropped_is_cancelled_and_not_told)
{
	struct lsp_world w;
	const char *path = begin(&w, state, "");
	struct dt_lsp_request *r;

	lsp_world_ask(&w, path, "fake/log");
	r = lsp_world_start(&w, path, "fake/hang", 0, 0, PATIENCE_MS);
	dt_lsp_drop(r);
	lsp_world_ask(&w, path, "fake/log");
	assert_string_equal(w.result, "\"$/cancelRequest {\\\"id\\\":2}|\"");
	assert_int_equal(w.ended, 2);
	/* Also one that waits for the start, and one that has failed. */
	dt_lsp_restart(w.lsp, NULL);
	dt_lsp_drop(lsp_world_start(&w, path, "fake/any", 0, 0, 10));
	dt_lsp_drop(lsp_world_start(&w, "/no/such.c", "fake/any", 0, 0, 10));
	lsp_world_ask(&w, path, "fake/any");
	assert_int_equal(w.ended, 3);
	lsp_world_end(&w);
}

test(a_large_question_is_asked_whole)
{
	size_t len = 2u * DT_MIB;
	char *text = dt_alloc(len + 1);
	struct lsp_world w;
	const char *path = begin(&w, state, "");
	struct dt_lsp_ask ask = {
		.path = path,
		.method = "fake/ask",
		.deadline_ms = PATIENCE_MS,
	};

	memset(text, ' ', len);
	ask.params = dt_str(dt_arena_printf(
		&w.arena, "{\"method\":\"x\",%s\"params\":{}}", text));
	free(text);
	dt_lsp_ask(w.lsp, &ask, lsp_world_on_reply, &w);
	lsp_world_wait(&w);
	assert_string_equal(w.fail.msg, "");
	assert_non_null(strstr(w.result, "dovetail does not do this"));
	lsp_world_end(&w);
}

/* As when the daemon stops: the server may still answer, or just go. */
test(a_question_to_a_server_that_is_stopped_fails_once)
{
	struct lsp_world w;
	const char *path = begin(&w, state, "");

	lsp_world_ask(&w, path, "fake/any");
	lsp_world_start(&w, path, "fake/any", 0, 0, PATIENCE_MS);
	lsp_world_start(&w, path, "fake/hang", 0, 0, PATIENCE_MS);
	assert_int_equal(dt_lsp_restart(w.lsp, NULL), 1);
	lsp_world_until(&w, !strcmp(lsp_world_info(&w).state, "stopped"));
	assert_int_equal(w.ended, 3);
	assert_failed(&w, DT_E_CLOSED, "clangd was stopped");
	lsp_world_end(&w);
}

test(a_server_that_hangs_altogether_is_ended)
{
	struct lsp_world w;
	const char *path = begin(&w, state, "");
	int64_t pid;

	lsp_world_ask(&w, path, "fake/any");
	pid = lsp_world_info(&w).pid;
	for (int i = 0; i < 3; i++) {
		lsp_world_start(&w, path, "fake/hang", 0, 0, 40);
		lsp_world_wait(&w);
		assert_int_equal(w.fail.code, DT_E_TIMEOUT);
	}
	lsp_world_until(&w, lsp_world_info(&w).error);
	assert_string_equal(lsp_world_info(&w).error,
	                    "clangd hung: no word for 0 s");
	lsp_world_ask(&w, path, "fake/any");
	assert_int_equal(w.fail.code, DT_E_OK);
	assert_int_not_equal(lsp_world_info(&w).pid, pid);
	lsp_world_end(&w);
}

#define with_folder(name)                                                      \
	cmocka_unit_test_setup_teardown(name, tempdir_open, tempdir_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		with_folder(what_a_server_cannot_do_is_not_asked),
		with_folder(an_error_of_the_server_is_told),
		with_folder(what_changed_meanwhile_is_asked_again),
		with_folder(
			a_question_that_hangs_ends_at_its_deadline_and_is_cancelled),
		with_folder(
			a_question_that_is_dropped_is_cancelled_and_not_told),
		with_folder(a_large_question_is_asked_whole),
		with_folder(a_question_to_a_server_that_is_stopped_fails_once),
		with_folder(a_server_that_hangs_altogether_is_ended),
	};

	fake_run();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
