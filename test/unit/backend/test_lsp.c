/* test/unit/backend/test_lsp.c - questions to the real clangd. */
#include "backend/lsp_world.h"

static bool has_clangd(void)
{
	struct dt_arena arena = { 0 };
	bool is_there = dt_spawn_find(&arena, "clangd", getenv("PATH"));

	dt_arena_done(&arena);
	if (!is_there)
		print_message("there is no clangd\n");
	return is_there;
}

#define needs_clangd()                                                         \
	do {                                                                   \
		if (!has_clangd())                                             \
			skip();                                                \
	} while (0)

test(clangd_answers_a_hover)
{
	struct lsp_world w;
	const char *path;

	needs_clangd();
	lsp_world_begin(&w, state);
	path = lsp_world_put(&w, "a.c", "int answer = 42;\n");
	lsp_world_hover(&w, path, 0, 5);
	assert_string_equal(w.fail.msg, "");
	assert_string_equal(w.server, "clangd");
	assert_non_null(strstr(w.result, "answer"));
	lsp_world_end(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(clangd_answers_a_hover,
		                                tempdir_open, tempdir_close),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
