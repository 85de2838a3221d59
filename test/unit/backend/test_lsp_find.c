/* test/unit/backend/test_lsp_find.c - which server is asked about a file. */
#include "backend/lsp_fake.h"
#include "backend/lsp_world.h"

test(what_has_no_server_is_said_with_what_to_install)
{
	struct lsp_world w;

	lsp_world_begin(&w, state);
	lsp_world_ask(&w, lsp_world_put(&w, "a.txt", ""), "any");
	assert_int_equal(w.fail.code, DT_E_UNSUPPORTED);
	assert_string_equal(w.fail.msg, "no language server is known for "
	                                "plaintext (a.txt)");
	w.has_no_programs = true;
	lsp_world_ask(&w, lsp_world_put(&w, "a.c", ""), "any");
	assert_int_equal(w.fail.code, DT_E_UNSUPPORTED);
	assert_string_equal(w.fail.msg,
	                    "no language server for c is installed; to have "
	                    "one: apt install clangd");
	lsp_world_ask(&w, "/elsewhere/a.c", "any");
	assert_int_equal(w.fail.code, DT_E_DENIED);
	assert_string_equal(w.fail.msg,
	                    "/elsewhere/a.c is outside the workspace");
	lsp_world_end(&w);
}

static const char *begin(struct lsp_world *w, void **state)
{
	lsp_world_begin(w, state);
	lsp_world_fake(w, "");
	return lsp_world_put(w, "a.c", "text\n");
}

test(another_environment_is_another_server)
{
	struct lsp_world w;
	const char *path = begin(&w, state);

	lsp_world_ask(&w, path, "fake/any");
	w.virtual_env = "/venv";
	lsp_world_ask(&w, path, "fake/any");
	assert_int_equal(dt_lsp_list(w.lsp, &w.arena).count, 2);
	/* And back: the first one is still there. */
	w.virtual_env = NULL;
	lsp_world_ask(&w, path, "fake/any");
	assert_int_equal(dt_lsp_list(w.lsp, &w.arena).count, 2);
	lsp_world_end(&w);
}

test(each_root_has_a_server_of_its_own)
{
	struct lsp_world w;
	const char *path = begin(&w, state);

	tempdir_mkdir(w.root, "deep");
	lsp_world_put(&w, "deep/compile_flags.txt", "");
	lsp_world_ask(&w, path, "fake/any");
	lsp_world_ask(&w, lsp_world_put(&w, "deep/b.c", ""), "fake/any");
	assert_int_equal(dt_lsp_list(w.lsp, &w.arena).count, 2);
	lsp_world_end(&w);
}

/* Sixteen folders have one each; the seventeenth takes the oldest's place. */
test(the_one_nobody_needed_for_long_makes_room)
{
	struct lsp_world w;
	const char *oldest;
	struct dt_items items;

	(void)begin(&w, state);
	for (int i = 0; i <= DT_LIMIT_LSP_SERVERS; i++) {
		char *name = dt_asprintf("%d", i);
		char *marker = dt_asprintf("%d/compile_flags.txt", i);
		char *file = dt_asprintf("%d/a.c", i);

		tempdir_mkdir(w.root, name);
		lsp_world_put(&w, marker, "");
		lsp_world_ask(&w, lsp_world_put(&w, file, "bad\n"), "fake/any");
		assert_string_equal(w.fail.msg, "");
		free(name);
		free(marker);
		free(file);
	}
	items = dt_lsp_list(w.lsp, &w.arena);
	assert_int_equal(items.count, DT_LIMIT_LSP_SERVERS);
	oldest = lsp_world_path(&w, "0");
	for (size_t i = 0; i < items.count; i++)
		assert_string_not_equal(
			((struct dt_lsp_info *)items.ptr)[i].folder, oldest);
	lsp_world_end(&w);
}

#define with_folder(name)                                                      \
	cmocka_unit_test_setup_teardown(name, tempdir_open, tempdir_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		with_folder(what_has_no_server_is_said_with_what_to_install),
		with_folder(another_environment_is_another_server),
		with_folder(each_root_has_a_server_of_its_own),
		with_folder(the_one_nobody_needed_for_long_makes_room),
	};

	fake_run();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
