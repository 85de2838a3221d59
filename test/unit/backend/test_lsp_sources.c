/* test/unit/backend/test_lsp_sources.c - source files that a server is told of. */
#include "backend/lsp_fake.h"
#include "backend/lsp_world.h"

static const char *begin(struct lsp_world *w, void **state)
{
	lsp_world_begin(w, state);
	lsp_world_fake(w, "");
	w->lsp->tells_sources = true;
	w->idle_minutes = "0";
	return lsp_world_put(w, "a.c", "text\n");
}

static struct dt_lsp_server *server_of(struct lsp_world *w)
{
	return DT_LIST_OF(w->lsp->servers.next, struct dt_lsp_server, link);
}

/* What was told of files, without the root; "": nothing. */
static const char *told(struct lsp_world *w, const char *path)
{
	static const char method[] =
		"workspace/didChangeConfiguration {\"settings\":"
		"{\"compilationDatabaseChanges\":";
	struct dt_arena *arena = &w->arena;
	const struct dt_json *log = NULL;
	struct dt_str all;
	char *text;
	char *at;

	lsp_world_hover(w, path, 0, 0);
	lsp_world_until(w, !server_of(w)->sources);
	lsp_world_ask(w, path, "fake/log");
	assert_int_equal(dt_json_read(arena, dt_str(w->result), &log, NULL),
	                 DT_E_OK);
	all = dt_json_text(arena, log);
	text = dt_arena_strndup(arena, all.ptr, all.len);
	at = strstr(text, method);
	if (!at)
		return "";
	text = at + strlen(method);
	*strchr(text, '|') = '\0';
	while ((at = strstr(text, w->root)))
		memmove(at, at + strlen(w->root),
		        strlen(at + strlen(w->root)) + 1);
	return text;
}

test(each_source_has_the_flags_of_the_nearest_file)
{
	struct lsp_world w;
	const char *path = begin(&w, state);

	tempdir_mkdir(w.root, "sub");
	lsp_world_put(&w, "compile_flags.txt", "-Iinclude\r\n\n  -DA=\"1\"\n");
	lsp_world_put(&w, "sub/compile_flags.txt", "-DB\n");
	lsp_world_put(&w, "sub/b.cc", "text\n");
	lsp_world_put(&w, "a.h", "text\n");
	assert_string_equal(
		told(&w, path),
		"{\"/a.c\":{\"workingDirectory\":\"\","
		"\"compilationCommand\":[\"clang\",\"-Iinclude\","
		"\"-DA=\\\"1\\\"\",\"/a.c\"]},"
		"\"/sub/b.cc\":{\"workingDirectory\":\"/sub\","
		"\"compilationCommand\":[\"clang\",\"-DB\",\"/sub/b.cc\"]}}"
		"}}");
	assert_null(server_of(&w)->doubt);
	lsp_world_end(&w);
}

test(what_is_guessed_is_said)
{
	struct lsp_world w;
	const char *path = begin(&w, state);

	assert_string_equal(told(&w, path),
	                    "{\"/a.c\":{\"workingDirectory\":\"\","
	                    "\"compilationCommand\":[\"clang\",\"/a.c\"]}}"
	                    "}}");
	assert_non_null(strstr(server_of(&w)->doubt,
	                       "there is no compile_commands.json"));
	lsp_world_end(&w);
}

test(what_a_database_speaks_for_is_left_to_it)
{
	struct lsp_world w;
	const char *path = begin(&w, state);

	lsp_world_put(&w, "compile_commands.json", "[]");
	assert_string_equal(told(&w, path), "");
	assert_null(server_of(&w)->doubt);
	lsp_world_end(&w);
}

test(a_database_below_speaks_for_its_folder)
{
	struct lsp_world w;
	const char *path = begin(&w, state);

	tempdir_mkdir(w.root, "sub");
	tempdir_mkdir(w.root, "sub/build");
	lsp_world_put(&w, "sub/b.c", "text\n");
	lsp_world_put(&w, "sub/build/compile_commands.json", "[]");
	lsp_world_put(&w, "compile_flags.txt", "-DA\n");
	assert_string_equal(told(&w, path),
	                    "{\"/a.c\":{\"workingDirectory\":\"\","
	                    "\"compilationCommand\":[\"clang\",\"-DA\","
	                    "\"/a.c\"]}}}}");
	lsp_world_end(&w);
}

test(a_database_that_the_project_names_speaks_for_it)
{
	struct lsp_world w;
	const char *path = begin(&w, state);

	lsp_world_put(&w, ".clangd",
	              "CompileFlags:\n  CompilationDatabase: out\n");
	/* Also where flags are nearer. */
	tempdir_mkdir(w.root, "sub");
	lsp_world_put(&w, "sub/compile_flags.txt", "-DA\n");
	lsp_world_put(&w, "sub/b.c", "text\n");
	assert_string_equal(told(&w, path), "");
	lsp_world_end(&w);
}

test(other_settings_of_the_project_do_not_matter)
{
	struct lsp_world w;
	const char *path = begin(&w, state);

	lsp_world_put(&w, ".clangd", "CompileFlags:\n  Add: [-Wall]\n");
	lsp_world_put(&w, "compile_flags.txt", "");
	assert_string_equal(told(&w, path),
	                    "{\"/a.c\":{\"workingDirectory\":\"\","
	                    "\"compilationCommand\":[\"clang\",\"/a.c\"]}}"
	                    "}}");
	assert_null(server_of(&w)->doubt);
	lsp_world_end(&w);
}

test(it_is_busy_until_it_has_begun_with_them)
{
	struct lsp_world w;
	const char *path = begin(&w, state);

	lsp_world_hover(&w, path, 0, 0);
	assert_string_equal(dt_lsp_server_progress(server_of(&w)),
	                    "looking for the source files");
	lsp_world_until(&w, !server_of(&w)->sources);
	assert_null(dt_lsp_server_progress(server_of(&w)));
	lsp_world_end(&w);
}

test(it_may_end_while_they_are_looked_for)
{
	struct lsp_world w;
	const char *path = begin(&w, state);

	lsp_world_hover(&w, path, 0, 0);
	lsp_world_ask(&w, path, "fake/crash");
	assert_int_equal(w.fail.code, DT_E_CLOSED);
	assert_null(server_of(&w)->sources);
	/* And with the pool. */
	lsp_world_hover(&w, path, 0, 0);
	assert_int_equal(w.fail.code, DT_E_OK);
	assert_non_null(server_of(&w)->sources);
	lsp_world_end(&w);
}

test(a_database_that_is_made_brings_another_server)
{
	struct lsp_world w;
	const char *path = begin(&w, state);

	lsp_world_hover(&w, path, 0, 0);
	assert_int_equal(w.lsp->server_count, 1);
	lsp_world_put(&w, "compile_commands.json", "[]");
	lsp_world_hover(&w, path, 0, 0);
	assert_int_equal(w.lsp->server_count, 2);
	lsp_world_hover(&w, path, 0, 0);
	assert_int_equal(w.lsp->server_count, 2);
	lsp_world_end(&w);
}

#define with_folder(name)                                                      \
	cmocka_unit_test_setup_teardown(name, tempdir_open, tempdir_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		with_folder(each_source_has_the_flags_of_the_nearest_file),
		with_folder(what_is_guessed_is_said),
		with_folder(what_a_database_speaks_for_is_left_to_it),
		with_folder(a_database_below_speaks_for_its_folder),
		with_folder(a_database_that_the_project_names_speaks_for_it),
		with_folder(other_settings_of_the_project_do_not_matter),
		with_folder(it_is_busy_until_it_has_begun_with_them),
		with_folder(it_may_end_while_they_are_looked_for),
		with_folder(a_database_that_is_made_brings_another_server),
	};

	fake_run();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
