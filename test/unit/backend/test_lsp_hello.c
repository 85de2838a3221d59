/* test/unit/backend/test_lsp_hello.c - the first words. */
#include "backend/lsp_fake.h"
#include "backend/lsp_world.h"

static void ask(struct lsp_world *w, void **state, const char *mode)
{
	lsp_world_begin(w, state);
	lsp_world_fake(w, mode);
	lsp_world_ask(w, lsp_world_put(w, "a.c", "text\n"), "fake/any");
}

test(columns_in_other_units_are_refused)
{
	struct lsp_world w;

	ask(&w, state, "utf-8");
	assert_int_equal(w.fail.code, DT_E_CLOSED);
	assert_string_equal(w.fail.msg,
	                    "clangd insists on columns in \"utf-8\", only "
	                    "utf-16 was offered");
	lsp_world_end(&w);
}

test(a_server_that_does_not_want_to_start_is_believed)
{
	struct lsp_world w;

	ask(&w, state, "refuse");
	assert_int_equal(w.fail.code, DT_E_CLOSED);
	assert_string_equal(w.fail.msg,
	                    "clangd did not want to start: no licence");
	lsp_world_until(&w, !lsp_world_info(&w).pid);
	assert_string_equal(lsp_world_info(&w).state, "refused");
	/* It would only say so again: it is not even started. */
	w.mode = "";
	lsp_world_ask(&w, lsp_world_path(&w, "a.c"), "fake/any");
	assert_string_equal(w.fail.msg,
	                    "clangd did not want to start: no licence");
	assert_string_equal(lsp_world_info(&w).error, w.fail.msg);
	assert_int_equal(dt_lsp_restart(w.lsp, NULL), 1);
	lsp_world_ask(&w, lsp_world_path(&w, "a.c"), "fake/any");
	assert_string_equal(w.fail.msg, "");
	assert_string_equal(lsp_world_info(&w).state, "ready");
	assert_null(lsp_world_info(&w).error);
	lsp_world_end(&w);
}

test(a_long_reason_ends_with_a_whole_word)
{
	struct lsp_world w;

	ask(&w, state, "refuse-at-length");
	assert_int_equal(w.fail.code, DT_E_CLOSED);
	assert_memory_equal(w.fail.msg,
	                    "clangd did not want to start: There is no "
	                    "licence. Buy0",
	                    55);
	assert_string_equal(w.fail.msg + strlen(w.fail.msg) - 6, "000…");
	lsp_world_end(&w);
}

/* pyright has settings in the table: they are told, and its folder is that of
 * the nearest marker. */
test(settings_are_told_behind_initialized)
{
	struct lsp_world w;

	lsp_world_begin(&w, state);
	lsp_world_fake(&w, "");
	tempdir_mkdir(w.root, "deep");
	lsp_world_put(&w, "deep/pyproject.toml", "");
	lsp_world_ask(&w, lsp_world_put(&w, "deep/a.py", "x = 1\n"),
	              "fake/log");
	assert_string_equal(w.server, "pyright");
	assert_memory_equal(w.result,
	                    "\"initialized {}|"
	                    "workspace/didChangeConfiguration {\\\"settings\\\""
	                    ":{\\\"python\\\":",
	                    68);
	assert_string_equal(lsp_world_info(&w).folder,
	                    lsp_world_path(&w, "deep"));
	lsp_world_end(&w);
}

#define with_folder(name)                                                      \
	cmocka_unit_test_setup_teardown(name, tempdir_open, tempdir_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		with_folder(columns_in_other_units_are_refused),
		with_folder(a_server_that_does_not_want_to_start_is_believed),
		with_folder(a_long_reason_ends_with_a_whole_word),
		with_folder(settings_are_told_behind_initialized),
	};

	fake_run();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
