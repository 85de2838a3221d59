/*
 * test/unit/backend/test_linters.c - programs that act as linters.
 *
 * They are scripts in bin/ of the test's folder, found there and nowhere else.
 * Each counts its runs in a file.
 */
#include "backend/linters.h"

#include "backend/lsp_world.h"
#include "base/file.h"

struct fixture {
	struct lsp_world w;
	struct dt_linters *linters;
	int ended;
	char told[2000]; /* "NAME ...; NAME: error" */
	const char *off;
};

static const char *find(void *owner, const char *asker, struct dt_arena *arena,
                        const char *program)
{
	struct fixture *f = owner;
	const char *file =
		dt_arena_printf(arena, "%s/bin/%s", f->w.dir, program);

	(void)asker;
	return access(file, X_OK) ? NULL : file;
}

static char **env(void *owner, const char *asker, struct dt_arena *arena)
{
	return lsp_world_env(&((struct fixture *)owner)->w, asker, arena);
}

static const char *setting(void *owner, const char *key)
{
	struct fixture *f = owner;

	return !strcmp(key, "lint.off") ? f->off : NULL;
}

static void begin(struct fixture *f, void **state)
{
	memset(f, 0, sizeof(*f));
	lsp_world_begin(&f->w, state);
	tempdir_mkdir(f->w.dir, "bin");
	f->linters = dt_linters_new(
		&(struct dt_world){
			.loop = f->w.loop,
			.docs = &f->w.docs,
			.owner = f,
			.env = env,
			.find = find,
			.setting = setting,
		},
		f->w.problems);
}

static void end(struct fixture *f)
{
	dt_linters_free(f->linters);
	lsp_world_end(&f->w);
}

static void program(struct fixture *f, const char *name, const char *script)
{
	char *file = dt_asprintf("bin/%s", name);
	char *text = dt_asprintf("#!/bin/sh\necho x >>%s/runs\n%s\n", f->w.dir,
	                         script);

	tempdir_put(f->w.dir, file, text);
	assert_int_equal(
		chmod(dt_arena_printf(&f->w.arena, "%s/%s", f->w.dir, file),
	              0755),
		0);
	free(file);
	free(text);
}

static size_t runs(struct fixture *f)
{
	struct dt_buf text;
	size_t count;

	dt_buf_init(&text, 1000);
	(void)!dt_file_read(dt_arena_printf(&f->w.arena, "%s/runs", f->w.dir),
	                    &text, NULL);
	count = text.len / 2;
	dt_buf_done(&text);
	return count;
}

static void on_lint(const struct dt_lint_end *found, void *owner)
{
	struct fixture *f = owner;
	const struct dt_linter_error *errors = found->errors.ptr;
	struct dt_buf text;

	dt_buf_init(&text, sizeof(f->told) - 1);
	for (size_t i = 0; i < found->names.count; i++)
		dt_buf_addf(&text, "%s ", found->names.ptr[i]);
	for (size_t i = 0; i < found->errors.count; i++)
		dt_buf_addf(&text, "; %s: %s", errors[i].linter,
		            errors[i].message);
	memcpy(f->told, dt_buf_z(&text), text.len + 1);
	dt_buf_done(&text);
	f->ended++;
}

static void lint(struct fixture *f, const char *path)
{
	int ended = f->ended;

	assert_non_null(dt_linters_start(f->linters, path, on_lint, f));
	assert_int_equal(f->ended, ended);
	lsp_world_until(&f->w, f->ended > ended);
}

static const struct dt_diagnostic *problem(struct fixture *f, const char *path)
{
	struct dt_items files =
		dt_problems_get(f->w.problems, &f->w.arena, path);
	const struct dt_file_diagnostics *file = files.ptr;

	return files.count ? file->items.ptr : NULL;
}

/* The file's time is such that two changes can be told apart. */
static const char *put(struct fixture *f, const char *name, const char *text)
{
	const char *path = lsp_world_put(&f->w, name, text);

	usleep(25000);
	return path;
}

#define JQ_FAILS "echo 'parse error: Bad at line 1, column 5' >&2; exit 2"

test(what_a_linter_finds_is_a_problem_until_the_file_is_mended)
{
	struct fixture f;
	const char *path;

	begin(&f, state);
	program(&f, "jq", JQ_FAILS);
	path = put(&f, "a.json", "\"\xc3\xa9\xf0\x9f\x98\x80\",");
	lint(&f, path);
	assert_string_equal(f.told, "jq ");
	assert_non_null(problem(&f, path));
	assert_string_equal(problem(&f, path)->message.ptr, "Bad");
	assert_string_equal(problem(&f, path)->source, "jq");
	/* Its column 4 is a byte within the fifth to eighth. */
	assert_int_equal(problem(&f, path)->range.start.character, 2);
	program(&f, "jq", "exit 0");
	put(&f, "a.json", "1");
	lint(&f, path);
	assert_null(problem(&f, path));
	end(&f);
}

test(a_file_that_has_not_changed_is_not_looked_at_again)
{
	struct fixture f;
	const char *path;

	begin(&f, state);
	program(&f, "jq", JQ_FAILS);
	path = put(&f, "a.json", "x");
	lint(&f, path);
	lint(&f, path);
	assert_int_equal(runs(&f), 1);
	put(&f, "a.json", "xy");
	lint(&f, path);
	assert_int_equal(runs(&f), 2);
	end(&f);
}

test(a_linter_that_cannot_look_says_so)
{
	struct fixture f;
	const char *path;

	begin(&f, state);
	program(&f, "jq", "echo; echo 'jq: broken library' >&2; exit 127");
	path = put(&f, "a.json", "x");
	lint(&f, path);
	assert_string_equal(f.told,
	                    "jq ; jq: exit code 127: jq: broken library");
	/* Also the next one who asks is told. */
	lint(&f, path);
	assert_non_null(strstr(f.told, "broken library"));
	program(&f, "shellcheck", "echo 'no JSON'; exit 1");
	lint(&f, put(&f, "a.sh", "x"));
	assert_non_null(strstr(f.told, "; shellcheck: "));
	assert_non_null(strstr(f.told, "(exit code 1): no JSON"));
	end(&f);
}

test(one_run_tells_of_all_files_of_a_folder)
{
	struct fixture f;
	const char *a;
	const char *b;

	begin(&f, state);
	tempdir_mkdir(f.w.root, "sub");
	program(&f, "tsc",
	        "echo 'a.ts(1,1): error TS1: one'; "
	        "echo '../b.ts(1,2): error TS2: two'; "
	        "echo '/etc/passwd(1,2): error TS2: far away'; exit 2");
	put(&f, "sub/tsconfig.json", "{}");
	a = put(&f, "sub/a.ts", "x");
	b = put(&f, "b.ts", "xyz");
	lint(&f, a);
	assert_string_equal(problem(&f, a)->message.ptr, "one");
	assert_string_equal(problem(&f, b)->message.ptr, "two");
	assert_null(problem(&f, "/etc/passwd"));
	/* What it does not tell of any more is gone. */
	program(&f, "tsc", "echo 'a.ts(1,1): error TS1: one'; exit 2");
	put(&f, "sub/a.ts", "xx");
	lint(&f, a);
	assert_non_null(problem(&f, a));
	assert_null(problem(&f, b));
	/* And all of it when somebody better looks. */
	dt_linters_forget(f.linters, a);
	assert_null(problem(&f, a));
	end(&f);
}

test(without_its_configuration_a_linter_is_not_run)
{
	struct fixture f;

	begin(&f, state);
	program(&f, "tsc", "exit 0");
	assert_null(
		dt_linters_start(f.linters, put(&f, "a.ts", "x"), on_lint, &f));
	assert_null(dt_linters_start(f.linters, put(&f, "a.json", "x"), on_lint,
	                             &f));
	assert_null(
		dt_linters_start(f.linters, "/etc/hosts.json", on_lint, &f));
	end(&f);
}

test(of_a_group_the_first_that_is_there_is_run)
{
	struct fixture f;
	const char *path;

	begin(&f, state);
	program(&f, "pylint", "echo '[]'");
	program(&f, "python3", "exit 0");
	path = put(&f, "a.py", "x");
	lint(&f, path);
	assert_string_equal(f.told, "pylint ");
	f.off = "pyl*";
	lint(&f, path);
	assert_string_equal(f.told, "python ");
	f.off = "*";
	assert_null(dt_linters_start(f.linters, path, on_lint, &f));
	end(&f);
}

test(who_asks_while_it_runs_waits_for_it)
{
	struct fixture f;
	const char *path;
	struct dt_lint *dropped;

	begin(&f, state);
	program(&f, "jq", "sleep 0.2; " JQ_FAILS);
	path = put(&f, "a.json", "x");
	assert_non_null(dt_linters_start(f.linters, path, on_lint, &f));
	assert_non_null(dt_linters_start(f.linters, path, on_lint, &f));
	dropped = dt_linters_start(f.linters, path, on_lint, &f);
	dt_lint_drop(dropped);
	lsp_world_until(&f.w, f.ended == 2);
	assert_int_equal(runs(&f), 1);
	/* What is changed meanwhile is looked at behind it. */
	put(&f, "a.json", "xy");
	assert_non_null(dt_linters_start(f.linters, path, on_lint, &f));
	put(&f, "a.json", "xyz");
	assert_non_null(dt_linters_start(f.linters, path, on_lint, &f));
	lsp_world_until(&f.w, f.ended == 4);
	assert_int_equal(runs(&f), 3);
	end(&f);
}

/* Each has a column to be found in its line, all of them in one turn. */
test(many_findings_in_a_large_file_are_told_soon)
{
	enum { LINES = 1 << 19 };
	static const char line[] = "\xc3\xa4 = 1;\n";
	size_t len = sizeof(line) - 1;
	char *text = dt_alloc(LINES * len + 1);
	const struct dt_diagnostic *found;
	uint64_t began_ms;
	struct fixture f;
	const char *path;

	for (size_t i = 0; i < LINES; i++)
		memcpy(text + i * len, line, len);
	begin(&f, state);
	program(&f, "gcc",
	        "{ seq -f \"$PWD/a.c:%.0f:4: warning: x\" 523001 523900; "
	        "echo \"$PWD/a.c:2:4: warning: y\"; } >&2");
	path = put(&f, "a.c", text);
	free(text);
	began_ms = dt_clock_ms();
	lint(&f, path);
	assert_in_range(dt_clock_ms() - began_ms, 0, PATIENCE_MS / 4);
	found = problem(&f, path);
	assert_non_null(found);
	assert_int_equal(found[0].range.start.line, 523000);
	assert_int_equal(found[0].range.start.character, 2);
	assert_int_equal(found[900].range.start.line, 1);
	assert_int_equal(found[900].range.start.character, 2);
	end(&f);
}

test(those_that_cannot_be_started_do_not_hold_up_the_rest)
{
	enum { FILES = 2 * DT_LIMIT_LINT_AT_ONCE + 1 };
	struct fixture f;

	begin(&f, state);
	program(&f, "jq", "sleep 1");
	for (int i = 0; i < FILES; i++)
		assert_non_null(dt_linters_start(
			f.linters,
			put(&f, dt_arena_printf(&f.w.arena, "%d.json", i), "1"),
			on_lint, &f));
	unlink(dt_arena_printf(&f.w.arena, "%s/bin/jq", f.w.dir));
	lsp_world_until(&f.w, f.ended == FILES);
	assert_int_equal(runs(&f), DT_LIMIT_LINT_AT_ONCE);
	end(&f);
}

test(what_runs_ends_with_the_linters)
{
	struct fixture f;

	begin(&f, state);
	program(&f, "jq", "sleep 600");
	assert_non_null(dt_linters_start(f.linters, put(&f, "a.json", "x"),
	                                 on_lint, &f));
	end(&f);
	assert_int_equal(f.ended, 0);
}

test(text_that_is_not_saved_is_not_what_was_looked_at)
{
	struct fixture f;
	struct dt_document *doc;
	const char *path;

	begin(&f, state);
	program(&f, "jq", "exit 0");
	path = put(&f, "a.json", "1");
	assert_ok(dt_documents_open(&f.w.docs, path, &doc, NULL));
	dt_document_set_overlay(&f.w.docs, doc, DT_STR("{"));
	lint(&f, path);
	assert_non_null(strstr(f.told, "; all: "));
	assert_non_null(strstr(f.told, "not saved"));
	end(&f);
}

#define with_folder(t)                                                         \
	cmocka_unit_test_setup_teardown(t, tempdir_open, tempdir_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		with_folder(
			what_a_linter_finds_is_a_problem_until_the_file_is_mended),
		with_folder(a_file_that_has_not_changed_is_not_looked_at_again),
		with_folder(a_linter_that_cannot_look_says_so),
		with_folder(one_run_tells_of_all_files_of_a_folder),
		with_folder(without_its_configuration_a_linter_is_not_run),
		with_folder(of_a_group_the_first_that_is_there_is_run),
		with_folder(who_asks_while_it_runs_waits_for_it),
		with_folder(many_findings_in_a_large_file_are_told_soon),
		with_folder(
			those_that_cannot_be_started_do_not_hold_up_the_rest),
		with_folder(what_runs_ends_with_the_linters),
		with_folder(text_that_is_not_saved_is_not_what_was_looked_at),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
