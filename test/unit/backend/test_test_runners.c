/* test/unit/backend/test_test_runners.c - what files say about tests. */
#include "backend/test_runners.h"

#include "base/tempdir.h"
#include "editor/run.h"
#include "unit.h"

struct fixture {
	struct dt_documents docs;
	struct dt_headless h;
	struct dt_arena arena;
	const char *dir;
	const char *found; /* "name: command in folder" a line */
	struct dt_fail fail;
};

static void begin(struct fixture *f, void **state)
{
	*f = (struct fixture){ .dir = *state };
	dt_documents_init(&f->docs, &f->dir, 1);
	f->h.docs = &f->docs;
}

static void end(struct fixture *f)
{
	dt_documents_done(&f->docs);
	dt_arena_done(&f->arena);
}

static void on_end(struct dt_answer *answer, const void *result,
                   const struct dt_fail *fail, void *owner)
{
	const struct dt_find_tests_result *found = result;
	struct fixture *f = owner;
	const struct dt_test_runner *r;
	struct dt_buf text;

	(void)answer;
	if (fail) {
		f->fail = *fail;
		return;
	}
	r = found->runners.ptr;
	dt_buf_init(&text, 10000);
	for (size_t i = 0; i < found->runners.count; i++) {
		dt_buf_addf(&text, "%s: ", r[i].name);
		dt_run_words(&text, r[i].command, &r[i].args);
		dt_buf_addf(&text, "%s\n", r[i].cwd + strlen(f->dir));
	}
	f->found = dt_arena_strdup(&f->arena, dt_buf_z(&text));
	dt_buf_done(&text);
}

static const char *find(struct fixture *f, const char *cwd, const char *filter)
{
	struct dt_find_tests_args args = { .cwd = cwd, .filter = filter };
	struct dt_answer answer;

	f->found = NULL;
	dt_answer_init(&answer, on_end, f);
	dt_test_runners_find(&f->h, &args, &answer);
	return f->found;
}

test(nothing_is_found_in_nothing)
{
	struct fixture f;

	begin(&f, state);
	assert_string_equal(find(&f, NULL, NULL), "");
	tempdir_put(f.dir, "package.json", "not JSON");
	tempdir_put(f.dir, "Makefile", "all:\n\ttrue\n");
	tempdir_put(f.dir, "pyproject.toml", "[project]\n");
	assert_string_equal(find(&f, NULL, NULL), "");
	tempdir_put(f.dir, "package.json",
	            "{\"scripts\":{\"test\":\"echo \\\"Error: no test "
	            "specified\\\" && exit 1\"}}");
	assert_string_equal(find(&f, NULL, NULL), "");
	end(&f);
}

test(each_kind_of_project_has_its_command)
{
	struct fixture f;

	begin(&f, state);
	tempdir_put(f.dir, "pyproject.toml",
	            "[project]\n[tool.pytest.ini_options]\n");
	tempdir_put(f.dir, "Cargo.toml", "");
	tempdir_put(f.dir, "go.mod", "");
	tempdir_put(f.dir, "package.json",
	            "{\"scripts\":{\"test\":\"vitest\"}}");
	tempdir_mkdir(f.dir, "build");
	tempdir_mkdir(f.dir, "build/meson-info");
	tempdir_put(f.dir, "Makefile", "all:\n\ncheck: all\n");
	assert_string_equal(find(&f, NULL, NULL),
	                    "pytest: pytest -q --tb=short -rfE\n"
	                    "cargo: cargo test --no-fail-fast\n"
	                    "go: go test -json ./...\n"
	                    "vitest: vitest run --reporter=json\n"
	                    "meson: meson test -C build --print-errorlogs\n"
	                    "make: make check\n");
	assert_string_equal(find(&f, NULL, "a b"),
	                    "pytest: pytest -q --tb=short -rfE -k 'a b'\n"
	                    "cargo: cargo test --no-fail-fast 'a b'\n"
	                    "go: go test -json -run 'a b' ./...\n"
	                    "vitest: vitest run --reporter=json -t 'a b'\n"
	                    "meson: meson test -C build --print-errorlogs 'a "
	                    "b'\n"
	                    "make: make check\n");
	end(&f);
}

test(python_without_settings_is_told_by_its_tests)
{
	struct fixture f;

	begin(&f, state);
	tempdir_put(f.dir, "test_x.py", "class T(unittest.TestCase):\n");
	assert_string_equal(find(&f, NULL, "n"),
	                    "unittest: python3 -m unittest discover -v -k n\n");
	tempdir_put(f.dir, "test_x.py", "def test_x():\n");
	assert_string_equal(find(&f, NULL, NULL),
	                    "pytest: pytest -q --tb=short -rfE\n");
	end(&f);
}

test(python_tests_in_folders_below_are_found)
{
	struct fixture f;

	begin(&f, state);
	tempdir_mkdir(f.dir, "node_modules");
	tempdir_put(f.dir, "node_modules/test_no.py", "");
	tempdir_mkdir(f.dir, "away");
	tempdir_mkdir(f.dir, "away/x");
	tempdir_put(f.dir, "away/x/testing.py", "");
	assert_string_equal(find(&f, NULL, NULL), "");
	tempdir_put(f.dir, "away/x/calc_test.py", "def test_x(): pass\n");
	assert_string_equal(find(&f, NULL, "x"),
	                    "pytest: pytest -q --tb=short -rfE -k x\n");
	tempdir_mkdir(f.dir, "tests");
	tempdir_put(f.dir, "tests/test_a.py", "class A(unittest.TestCase):\n");
	assert_string_equal(find(&f, NULL, NULL),
	                    "unittest: python3 -m unittest discover -v -s "
	                    "tests\n");
	tempdir_put(f.dir, "tests/__init__.py", "");
	assert_string_equal(find(&f, NULL, "b"),
	                    "unittest: python3 -m unittest discover -v -s "
	                    "tests -t . -k b\n");
	/* The project's own language comes first. */
	tempdir_put(f.dir, "Makefile", "check: all\n");
	assert_string_equal(find(&f, NULL, NULL),
	                    "make: make check\n"
	                    "unittest: python3 -m unittest discover -v -s "
	                    "tests -t .\n");
	end(&f);
}

test(a_link_to_a_folder_is_not_looked_into)
{
	struct fixture f;

	begin(&f, state);
	tempdir_mkdir(f.dir, "w");
	tempdir_mkdir(f.dir, "out");
	tempdir_put(f.dir, "out/test_a.py", "");
	tempdir_link(f.dir, "w/tests", "../out");
	tempdir_put(f.dir, "w/pytest.txt", "");
	dt_documents_done(&f.docs);
	f.dir = dt_arena_printf(&f.arena, "%s/w", f.dir);
	dt_documents_init(&f.docs, &f.dir, 1);
	assert_string_equal(find(&f, NULL, NULL), "");
	end(&f);
}

test(scripts_are_run_by_their_package_manager)
{
	struct fixture f;

	begin(&f, state);
	tempdir_put(f.dir, "package.json",
	            "{\"scripts\":{\"test\":\"node --test\"}}");
	assert_string_equal(find(&f, NULL, NULL), "npm: npm test\n");
	tempdir_put(f.dir, "yarn.lock", "");
	assert_string_equal(find(&f, NULL, NULL), "yarn: yarn test\n");
	tempdir_put(f.dir, "pnpm-lock.yaml", "");
	assert_string_equal(find(&f, NULL, NULL), "pnpm: pnpm test\n");
	tempdir_put(f.dir, "package.json", "{\"scripts\":{\"test\":\"jest\"}}");
	assert_string_equal(find(&f, NULL, NULL), "jest: jest --ci --json\n");
	end(&f);
}

test(a_folder_without_tests_is_served_by_one_above)
{
	struct fixture f;

	begin(&f, state);
	tempdir_put(f.dir, "Cargo.toml", "");
	tempdir_mkdir(f.dir, "sub");
	tempdir_mkdir(f.dir, "sub/deep");
	assert_string_equal(find(&f, "sub/deep", NULL),
	                    "cargo: cargo test --no-fail-fast\n");
	tempdir_mkdir(f.dir, "sub/build-x");
	tempdir_put(f.dir, "sub/build-x/CTestTestfile.cmake", "");
	assert_string_equal(find(&f, "sub/deep", NULL),
	                    "ctest: ctest --test-dir build-x "
	                    "--output-on-failure/sub\n");
	end(&f);
}

test(what_cannot_be_asked_is_a_sentence)
{
	struct fixture f;

	begin(&f, state);
	assert_null(find(&f, "..", NULL));
	assert_int_equal(f.fail.code, DT_E_DENIED);
	assert_null(find(&f, NULL, "--x"));
	assert_int_equal(f.fail.code, DT_E_ARGS);
	end(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_tempdir(nothing_is_found_in_nothing),
		test_in_tempdir(each_kind_of_project_has_its_command),
		test_in_tempdir(python_without_settings_is_told_by_its_tests),
		test_in_tempdir(python_tests_in_folders_below_are_found),
		test_in_tempdir(a_link_to_a_folder_is_not_looked_into),
		test_in_tempdir(scripts_are_run_by_their_package_manager),
		test_in_tempdir(a_folder_without_tests_is_served_by_one_above),
		test_in_tempdir(what_cannot_be_asked_is_a_sentence),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
