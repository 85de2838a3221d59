/* test/unit/backend/test_lsp.c - questions to the real clangd, and to all. */
#include "backend/lsp_fake.h"
#include "backend/lsp_world.h"

static bool has_program(const char *name)
{
	struct dt_arena arena = { 0 };
	bool is_there = dt_spawn_find(&arena, name, getenv("PATH"));

	dt_arena_done(&arena);
	if (!is_there)
		print_message("there is no %s\n", name);
	return is_there;
}

#define needs(name)                                                            \
	do {                                                                   \
		if (!has_program(name))                                        \
			skip();                                                \
	} while (0)

static void set_overlay(struct lsp_world *w, const char *path, const char *text)
{
	struct dt_document *doc = NULL;

	assert_ok(dt_documents_open(&w->docs, path, &doc, NULL));
	dt_document_set_overlay(&w->docs, doc, dt_str(text));
}

test(clangd_answers_a_hover)
{
	struct lsp_world w;
	const char *path;

	needs("clangd");
	lsp_world_begin(&w, state);
	path = lsp_world_put(&w, "a.c", "int answer = 42;\n");
	lsp_world_hover(&w, path, 0, 5);
	assert_string_equal(w.fail.msg, "");
	assert_string_equal(w.server, "clangd");
	assert_non_null(strstr(w.result, "answer"));
	lsp_world_end(&w);
}

/* Behind an emoji a UTF-16 column is one more than characters and two less than
 * bytes. */
test(clangd_counts_as_we_do_on_a_line_that_is_not_ascii)
{
	struct lsp_world w;
	const char *path;

	needs("clangd");
	lsp_world_begin(&w, state);
	path = lsp_world_put(&w, "a.c",
	                     "/* \xf0\x9f\x98\x80\xc3\xa9 */ int x, second;\n");
	lsp_world_start(&w, path, "textDocument/definition", 0, 17,
	                PATIENCE_MS);
	lsp_world_wait(&w);
	assert_non_null(strstr(w.result, "\"start\":{\"character\":17,"));
	lsp_world_end(&w);
}

test(clangd_sees_unsaved_text_and_what_changed_on_disk)
{
	struct lsp_world w;
	const char *path;
	const char *header;
	int tries = 0;

	needs("clangd");
	lsp_world_begin(&w, state);
	header = lsp_world_put(&w, "a.h", "int from_disk;\n");
	path = lsp_world_put(&w, "a.c",
	                     "#include \"a.h\"\nint *p = &from_disk;\n");
	lsp_world_start(&w, path, "textDocument/definition", 1, 12,
	                PATIENCE_MS);
	lsp_world_wait(&w);
	assert_non_null(strstr(w.result, "a.h"));
	/* The header, by somebody who told us. */
	lsp_world_put(&w, "a.h", "\n\nint from_disk;\n");
	lsp_world_changed(&w, header);
	/* It reads headers beside answering questions. */
	do {
		assert_true(tries++ < 1000);
		lsp_world_start(&w, path, "textDocument/definition", 1, 12,
		                PATIENCE_MS);
		lsp_world_wait(&w);
	} while (!strstr(w.result, "\"line\":2"));
	/* The header, unsaved: the name is on another line now. */
	set_overlay(&w, header, "\n\n\nint from_disk;\n");
	lsp_world_ask(&w, header, "textDocument/documentSymbol");
	assert_non_null(strstr(w.result, "\"line\":3"));
	/* The file itself, by somebody else. */
	lsp_world_put(&w, "a.c", "int other;\nint *p = &other;\n");
	lsp_world_start(&w, path, "textDocument/definition", 1, 12,
	                PATIENCE_MS);
	lsp_world_wait(&w);
	assert_non_null(strstr(w.result, "a.c"));
	assert_non_null(strstr(w.result, "\"line\":0"));
	lsp_world_end(&w);
}

test(clangd_reports_what_is_wrong_with_the_text_of_now)
{
	struct lsp_world w;
	struct dt_items files;
	const struct dt_diagnostic *d;
	const char *path;

	needs("clangd");
	lsp_world_begin(&w, state);
	path = lsp_world_put(&w, "a.c", "int f(void) { return nothing; }\n");
	lsp_world_refresh(&w, path);
	assert_string_equal(w.fail.msg, "");
	files = dt_problems_get(w.problems, &w.arena, path);
	assert_int_equal(files.count, 1);
	d = ((struct dt_file_diagnostics *)files.ptr)->items.ptr;
	assert_int_equal(d->severity, DT_SEV_ERROR);
	assert_int_equal(d->range.start.character, 21);
	assert_string_equal(d->source, "clang");
	assert_non_null(strstr(d->message.ptr, "nothing"));
	set_overlay(&w, path, "int f(void) { return 0; }\n");
	lsp_world_refresh(&w, path);
	assert_int_equal(dt_problems_get(w.problems, &w.arena, path).count, 0);
	lsp_world_end(&w);
}

/* What is wrong with a file that has one fault, and then none. */
static void check_fault(struct lsp_world *w, const char *name,
                        const char *wrong, const char *right,
                        const char *message)
{
	const char *path = lsp_world_put(w, name, wrong);
	const struct dt_diagnostic *d;
	struct dt_items files;

	lsp_world_refresh(w, path);
	assert_string_equal(w->fail.msg, "");
	files = dt_problems_get(w->problems, &w->arena, path);
	assert_int_equal(files.count, 1);
	d = ((struct dt_file_diagnostics *)files.ptr)->items.ptr;
	assert_non_null(strstr(d->message.ptr, message));
	lsp_world_put(w, name, right);
	lsp_world_refresh(w, path);
	assert_string_equal(w->fail.msg, "");
	assert_int_equal(dt_problems_get(w->problems, &w->arena, path).count,
	                 0);
	lsp_world_hover(w, path, 0, 0);
	assert_string_equal(w->fail.msg, "");
}

test(pyright_is_talked_with)
{
	struct lsp_world w;

	needs("pyright-langserver");
	lsp_world_begin(&w, state);
	check_fault(&w, "a.py", "x: int = \"text\"\n", "x: int = 1\n", "int");
	assert_string_equal(w.server, "pyright");
	assert_non_null(strstr(w.result, "(variable) x"));
	lsp_world_end(&w);
}

test(typescript_language_server_is_talked_with)
{
	struct lsp_world w;

	needs("typescript-language-server");
	lsp_world_begin(&w, state);
	lsp_world_put(&w, "tsconfig.json", "{}");
	check_fault(&w, "a.ts", "let x: number = \"text\"; export { x };\n",
	            "let x: number = 1; export { x };\n", "number");
	assert_string_equal(w.server, "typescript-language-server");
	lsp_world_end(&w);
}

/* questions to all */

static struct dt_lsp_request *whole;
static int drop_at;
static int late;

static void on_part(const struct dt_lsp_reply *reply,
                    const struct dt_fail *fail, void *owner)
{
	struct lsp_world *w = owner;

	lsp_world_on_reply(reply, fail, owner);
	if (fail && fail->code == DT_E_TIMEOUT)
		late++;
	if (!reply && !fail)
		w->server = "the end";
	if (w->ended == drop_at)
		dt_lsp_drop(whole);
}

static void ask_all_and(struct lsp_world *w, const char *method,
                        const char *file)
{
	struct dt_names files = { &file, file ? 1 : 0 };

	w->ended = 0;
	w->server = NULL;
	whole = dt_lsp_ask_all(w->lsp,
	                       &(struct dt_lsp_ask){ .method = method,
	                                             .params = DT_STR("{}"),
	                                             .deadline_ms = 1000 },
	                       &files, on_part, w);
	assert_int_equal(w->ended, 0);
}

static void ask_all(struct lsp_world *w, const char *method)
{
	ask_all_and(w, method, NULL);
}

test(all_servers_that_run_are_asked)
{
	struct lsp_world w;

	lsp_world_begin(&w, state);
	lsp_world_fake(&w, "");
	drop_at = 0;
	/* Nothing runs, and nothing is to be started. */
	ask_all(&w, "fake/any");
	lsp_world_until(&w, w.server);
	assert_int_equal(w.ended, 1);
	assert_string_equal(w.server, "the end");
	/* The server of a file is started, and runs then. */
	ask_all_and(&w, "fake/any", lsp_world_put(&w, "a.c", ""));
	lsp_world_until(&w, w.server && !strcmp(w.server, "the end"));
	assert_int_equal(w.ended, 2);
	ask_all_and(&w, "fake/any", lsp_world_path(&w, "a.c"));
	lsp_world_until(&w, w.server && !strcmp(w.server, "the end"));
	assert_int_equal(w.ended, 2);
	/* One that knows of single files alone is not asked. */
	lsp_world_ask(&w, lsp_world_put(&w, "a.json", ""), "fake/any");
	lsp_world_ask(&w, lsp_world_put(&w, "a.py", ""), "fake/any");
	ask_all(&w, "fake/any");
	lsp_world_until(&w, w.server && !strcmp(w.server, "the end"));
	assert_int_equal(w.ended, 3);
	/* A language without a server is a failure beside the others. */
	ask_all_and(&w, "fake/any", lsp_world_put(&w, "README", ""));
	lsp_world_until(&w, w.server && !strcmp(w.server, "the end"));
	assert_int_equal(w.ended, 4);
	/* One that does not answer is told as such. */
	late = 0;
	ask_all(&w, "fake/hang");
	lsp_world_until(&w, w.server && !strcmp(w.server, "the end"));
	assert_int_equal(late, 2);
	lsp_world_end(&w);
}

test(a_question_to_all_can_be_dropped)
{
	struct lsp_world w;

	lsp_world_begin(&w, state);
	lsp_world_fake(&w, "");
	drop_at = 0;
	lsp_world_ask(&w, lsp_world_put(&w, "a.c", ""), "fake/any");
	lsp_world_ask(&w, lsp_world_put(&w, "a.py", ""), "fake/any");
	ask_all(&w, "fake/any");
	dt_lsp_drop(whole);
	/* And in the middle, by whoever is told. */
	drop_at = 1;
	ask_all(&w, "fake/any");
	lsp_world_until(&w, w.ended == 1);
	drop_at = 0;
	ask_all(&w, "fake/hang"); /* dropped with the pool */
	assert_int_equal(w.ended, 0);
	lsp_world_end(&w);
}

#define with_folder(name)                                                      \
	cmocka_unit_test_setup_teardown(name, tempdir_open, tempdir_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		with_folder(clangd_answers_a_hover),
		with_folder(clangd_counts_as_we_do_on_a_line_that_is_not_ascii),
		with_folder(clangd_sees_unsaved_text_and_what_changed_on_disk),
		with_folder(clangd_reports_what_is_wrong_with_the_text_of_now),
		with_folder(pyright_is_talked_with),
		with_folder(typescript_language_server_is_talked_with),
		with_folder(all_servers_that_run_are_asked),
		with_folder(a_question_to_all_can_be_dropped),
	};

	fake_run();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
