/* test/unit/backend/test_lsp_watched.c - what a server hears of files that
 * changed on disk. */
#include "backend/lsp_fake.h"
#include "backend/lsp_world.h"

/* What it was told since the last time. */
static const char *told(struct lsp_world *w, const char *path)
{
	lsp_world_ask(w, path, "fake/log");
	assert_string_equal(w->fail.msg, "");
	return w->result;
}

static const char *begin(struct lsp_world *w, void **state)
{
	const char *path;

	lsp_world_begin(w, state);
	lsp_world_fake(w, "");
	path = lsp_world_put(w, "a.c", "one\n");
	/* It says which text it reports on. */
	lsp_world_refresh(w, path);
	(void)told(w, path);
	return path;
}

/* Have the server say this to us. */
static void hear(struct lsp_world *w, const char *path, const char *method,
                 const char *params)
{
	char *message = dt_asprintf("{\"method\":\"client/%s\",\"params\":%s}",
	                            method, params);

	dt_lsp_ask(w->lsp,
	           &(struct dt_lsp_ask){ .path = path,
	                                 .method = "fake/ask",
	                                 .params = dt_str(message),
	                                 .deadline_ms = PATIENCE_MS },
	           lsp_world_on_reply, w);
	lsp_world_wait(w);
	assert_string_equal(w->result, "null");
	free(message);
}

#define REGISTER(options)                                                      \
	"{\"registrations\":[{\"id\":\"other\",\"method\":\"x/y\"},"           \
	"{\"id\":\"1\",\"method\":\"workspace/didChangeWatchedFiles\"" options \
	"}]}"
#define WATCHERS(list) ",\"registerOptions\":{\"watchers\":[" list "]}"

/* "NAME TYPE|" of each change it was told of, in one message. */
static const char *heard(struct lsp_world *w, const char *path)
{
	static const char head[] = "\"workspace/didChangeWatchedFiles ";
	const char *log = told(w, path);
	struct dt_buf text;
	const char *at = log;

	if (!strcmp(log, "\"\""))
		return "";
	dt_buf_init(&text, DT_MIB);
	assert_memory_equal(log, head, sizeof(head) - 1);
	assert_null(strstr(log + sizeof(head), head + 1));
	while ((at = strstr(at, w->root))) {
		const char *end = strchr(at, '\\');

		at += strlen(w->root) + 1;
		dt_buf_addf(&text, "%.*s %c|", (int)(end - at), at,
		            strstr(end, "type")[7]);
	}
	log = dt_arena_strdup(&w->arena, dt_buf_z(&text));
	dt_buf_done(&text);
	return log;
}

/* Changes of three files that nobody has open. */
static void change_some(struct lsp_world *w)
{
	struct dt_file_change list[] = {
		{ lsp_world_path(w, "d/new.txt"), DT_FILE_CREATED, false },
		{ lsp_world_path(w, "gone.txt"), DT_FILE_DELETED, false },
		{ lsp_world_path(w, "x.json"), DT_FILE_CHANGED, true },
		{ "/elsewhere/y.json", DT_FILE_CHANGED, false },
	};

	dt_lsp_changed(w->lsp, &(struct dt_file_changes){ list, 4, false });
}

test(who_registered_is_told_in_one_message)
{
	struct lsp_world w;
	const char *path = begin(&w, state);

	change_some(&w);
	assert_string_equal(told(&w, path), "\"\"");
	hear(&w, path, "registerCapability", REGISTER(""));
	change_some(&w);
	/* What took a name may be new there. */
	assert_string_equal(heard(&w, path),
	                    "d/new.txt 1|gone.txt 3|x.json 1|x.json 2|");
	hear(&w, path, "unregisterCapability",
	     "{\"unregisterations\":[{\"id\":\"2\",\"method\":"
	     "\"workspace/didChangeWatchedFiles\"}]}");
	change_some(&w);
	assert_string_not_equal(told(&w, path), "\"\"");
	hear(&w, path, "unregisterCapability",
	     "{\"unregisterations\":[{\"id\":\"1\",\"method\":"
	     "\"workspace/didChangeWatchedFiles\"}]}");
	change_some(&w);
	assert_string_equal(told(&w, path), "\"\"");
	lsp_world_end(&w);
}

test(patterns_and_kinds_are_obeyed)
{
	static const struct {
		const char *watchers;
		const char *heard;
	} cases[] = {
		{ "{\"globPattern\":\"**/*.txt\"}", "d/new.txt 1|gone.txt 3|" },
		{ "{\"globPattern\":\"*.txt\"}", "gone.txt 3|" },
		{ "{\"globPattern\":\"**/*.{json,toml}\"}",
		  "x.json 1|x.json 2|" },
		{ "{\"globPattern\":\"**\",\"kind\":4}",
		  "gone.txt 3|x.json 1|x.json 2|" },
		{ "{\"globPattern\":\"**/*.txt\",\"kind\":1}", "d/new.txt 1|" },
		/* Two of them, of which one fits. */
		{ "{\"globPattern\":\"*.py\"},{\"globPattern\":\"d/*\"}",
		  "d/new.txt 1|" },
		/* What we do not understand is taken for everything. */
		{ "{\"globPattern\":\"**/*.[jt]son\"}",
		  "d/new.txt 1|gone.txt 3|x.json 1|x.json 2|" },
		{ "{\"globPattern\":7}",
		  "d/new.txt 1|gone.txt 3|x.json 1|x.json 2|" },
		{ "", "" },
	};
	struct lsp_world w;
	const char *path = begin(&w, state);

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *params = dt_asprintf(REGISTER(WATCHERS("%s")),
		                           cases[i].watchers);

		hear(&w, path, "registerCapability", params);
		change_some(&w);
		assert_string_equal(heard(&w, path), cases[i].heard);
		hear(&w, path, "unregisterCapability",
		     "{\"unregisterations\":[{\"id\":\"1\",\"method\":"
		     "\"workspace/didChangeWatchedFiles\"}]}");
		free(params);
	}
	lsp_world_end(&w);
}

test(a_pattern_may_have_a_folder_of_its_own)
{
	struct lsp_world w;
	const char *path = begin(&w, state);
	char *params = dt_asprintf(
		REGISTER(
			WATCHERS("{\"globPattern\":{\"baseUri\":\"file://%s/d\""
	                         ",\"pattern\":\"*.txt\"}},"
	                         "{\"globPattern\":{\"baseUri\":{\"uri\":"
	                         "\"file://%s/e\"},\"pattern\":\"**\"}},"
	                         "{\"globPattern\":\"%s/x.*\"}")),
		w.root, w.root, w.root);

	hear(&w, path, "registerCapability", params);
	change_some(&w);
	assert_string_equal(heard(&w, path), "d/new.txt 1|x.json 1|x.json 2|");
	free(params);
	lsp_world_end(&w);
}

test(too_many_patterns_are_taken_for_everything)
{
	struct lsp_world w;
	const char *path = begin(&w, state);
	struct dt_buf list;
	char *params;

	dt_buf_init(&list, DT_MIB);
	for (int i = 0; i < 3 * DT_LIMIT_LSP_WATCHERS; i++)
		dt_buf_addf(&list, "%s{\"globPattern\":\"no%d\"}", i ? "," : "",
		            i);
	params = dt_asprintf(REGISTER(WATCHERS("%s")), dt_buf_z(&list));
	hear(&w, path, "registerCapability", params);
	change_some(&w);
	assert_string_equal(heard(&w, path),
	                    "d/new.txt 1|gone.txt 3|x.json 1|x.json 2|");
	free(params);
	dt_buf_done(&list);
	lsp_world_end(&w);
}

test(what_it_may_have_read_makes_it_look_again)
{
	struct lsp_world w;
	const char *path = begin(&w, state);

	/* Not of its languages, not in its folder. */
	lsp_world_changed(&w, lsp_world_put(&w, "a.py", "py"));
	lsp_world_changed(&w, "/elsewhere/b.h");
	assert_string_equal(told(&w, path), "\"\"");
	lsp_world_changed(&w, lsp_world_put(&w, "a.h", "h"));
	assert_string_equal(told(&w, path), "\"didSave a.c|\"");
	lsp_world_changed(&w, lsp_world_path(&w, "missing.h"));
	assert_string_equal(told(&w, path), "\"didSave a.c|\"");
	lsp_world_changed(&w, lsp_world_put(&w, ".clangd", ""));
	assert_string_equal(told(&w, path), "\"didSave a.c|\"");
	/* It is not known what happened. */
	dt_lsp_changed(w.lsp, &(struct dt_file_changes){ .is_lost = true });
	assert_string_equal(told(&w, path), "\"didSave a.c|\"");
	lsp_world_end(&w);
}

test(a_report_is_waited_for_a_while_when_others_changed)
{
	struct lsp_world w;
	const char *path = begin(&w, state);
	uint64_t began_ms;

	lsp_world_refresh(&w, path);
	began_ms = dt_clock_ms();
	lsp_world_refresh(&w, path);
	assert_true(dt_clock_ms() - began_ms < w.lsp->times.news_ms);
	lsp_world_changed(&w, lsp_world_put(&w, "a.h", "h"));
	began_ms = dt_clock_ms();
	lsp_world_refresh(&w, path);
	assert_int_equal(w.fail.code, DT_E_OK);
	assert_true(dt_clock_ms() - began_ms >= w.lsp->times.news_ms - 5);
	/* Once. */
	began_ms = dt_clock_ms();
	lsp_world_refresh(&w, path);
	assert_true(dt_clock_ms() - began_ms < w.lsp->times.news_ms);
	lsp_world_end(&w);
}

static size_t problem_count(struct lsp_world *w, const char *path)
{
	struct dt_items files = dt_problems_get(w->problems, &w->arena, path);
	const struct dt_file_diagnostics *file = files.ptr;

	return files.count ? file->items.count : 0;
}

test(one_that_watches_nothing_gets_what_changed_opened)
{
	struct lsp_world w;
	const char *path;
	const char *gone;

	lsp_world_begin(&w, state);
	lsp_world_fake(&w, "quiet");
	path = lsp_world_put(&w, "a.c", "one\n");
	(void)told(&w, path);
	gone = lsp_world_path(&w, "gone.h");
	lsp_world_changed(&w, lsp_world_put(&w, "a.h", "h"));
	lsp_world_changed(&w, gone);
	lsp_world_changed(&w, lsp_world_put(&w, "a.py", "py"));
	assert_string_equal(told(&w, path),
	                    "\"didSave a.c|didOpen a.h 1 \\\"h\\\"|"
	                    "didSave a.h|\"");
	lsp_world_end(&w);
}

/* A file that uses another, which is changed so that it is wrong, and back. */
static void check_use(void **state, const char *program,
                      const char *const *name, const char *const *text)
{
	struct lsp_world w;
	const char *used;
	const char *path;

	lsp_world_begin(&w, state);
	if (!lsp_world_find(&w, NULL, &w.arena, program)) {
		print_message("%s is not here\n", program);
		lsp_world_end(&w);
		skip();
	}
	used = lsp_world_put(&w, name[0], text[0]);
	path = lsp_world_put(&w, name[1], text[2]);
	if (name[2])
		lsp_world_put(&w, name[2], "{}");
	lsp_world_refresh(&w, path);
	assert_string_equal(w.fail.msg, "");
	assert_int_equal(problem_count(&w, path), 0);
	lsp_world_put(&w, name[0], text[1]);
	lsp_world_changed(&w, used);
	lsp_world_refresh(&w, path);
	assert_int_equal(problem_count(&w, path), 1);
	lsp_world_put(&w, name[0], text[0]);
	lsp_world_changed(&w, used);
	lsp_world_refresh(&w, path);
	assert_int_equal(problem_count(&w, path), 0);
	lsp_world_end(&w);
}

test(clangd_reports_what_a_changed_header_does)
{
	static const char *const names[] = { "a.h", "a.c", NULL };
	static const char *const texts[] = {
		"int f(int);\n",
		"int f(int, int);\n",
		"#include \"a.h\"\nint g(void)\n{\n\treturn f(1);\n}\n",
	};

	check_use(state, "clangd", names, texts);
}

test(pyright_reports_what_a_changed_module_does)
{
	static const char *const names[] = { "b.py", "a.py", NULL };
	static const char *const texts[] = {
		"def f(x: int) -> int:\n    return x\n",
		"def f(x: str) -> int:\n    return 1\n",
		"from b import f\n\ny: int = f(1)\n",
	};

	check_use(state, "pyright-langserver", names, texts);
}

test(typescript_reports_what_a_changed_module_does)
{
	static const char *const names[] = { "b.ts", "a.ts", "tsconfig.json" };
	static const char *const texts[] = {
		"export function f(x: number) { return x }\n",
		"export function f(x: string) { return x }\n",
		"import { f } from \"./b\"\nexport const y = f(1)\n",
	};

	check_use(state, "typescript-language-server", names, texts);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_tempdir(who_registered_is_told_in_one_message),
		test_in_tempdir(patterns_and_kinds_are_obeyed),
		test_in_tempdir(a_pattern_may_have_a_folder_of_its_own),
		test_in_tempdir(too_many_patterns_are_taken_for_everything),
		test_in_tempdir(what_it_may_have_read_makes_it_look_again),
		test_in_tempdir(
			a_report_is_waited_for_a_while_when_others_changed),
		test_in_tempdir(
			one_that_watches_nothing_gets_what_changed_opened),
		test_in_tempdir(clangd_reports_what_a_changed_header_does),
		test_in_tempdir(pyright_reports_what_a_changed_module_does),
		test_in_tempdir(typescript_reports_what_a_changed_module_does),
	};

	fake_run();
	return cmocka_run_group_tests_name("lsp_watched", tests, NULL, NULL);
}
