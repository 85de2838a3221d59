/* test/unit/backend/test_imports.c - twin of src/backend/imports.c */
#include "backend/imports.h"

#include "base/buf.h"
#include "unit.h"

#include <stdlib.h>

static void note(const struct dt_import_line *line, void *owner)
{
	dt_buf_addf(owner, "%u%s%.*s|", line->line, line->is_local ? "." : ":",
	            DT_STR_ARG(line->name));
}

static void assert_scan(const char *language, const char *text,
                        const char *wanted)
{
	struct dt_buf out;

	dt_buf_init(&out, 1000);
	dt_imports_scan(language, dt_str(text), note, &out);
	assert_string_equal(dt_buf_z(&out), wanted);
	dt_buf_done(&out);
}

test(includes_of_c)
{
	assert_scan("c", "#include \"a/b.h\"\r\n # include <stdio.h>\n",
	            "0.a/b.h|1:stdio.h|");
	assert_scan("cpp", "#include \"a\n#include\n#includes\nx\n", "");
}

test(imports_of_scripts)
{
	assert_scan("typescript",
	            "import a from './a';\nimport \"x\";\n"
	            "import {\n  b,\n} from \"../b.js\"\n"
	            "export * from './c'\nconst d = require('./d')\n"
	            "await import(`./e`)\nimporter('./no')\n",
	            "0../a|1:x|4.../b.js|5../c|6../d|7../e|");
	assert_scan("javascript", "import\nimport '\nfrom 'x'\n", "");
}

test(imports_of_python)
{
	assert_scan(
		"python",
		"import os, a.b as c\nfrom .x import y\nfrom . import p, q\n"
		"from z import (\n  k)\nfrom\nimportant = 1\n",
		"0:os|0:a.b|1..x|2.p|2.q|3:z|");
}

test(imports_of_go)
{
	assert_scan("go",
	            "import \"fmt\"\nimport (\n\tx \"m/util\"\n\t\"os\"\n)\n"
	            "var s = \"no\"\n",
	            "0:fmt|2:m/util|3:os|");
}

test(modules_of_rust)
{
	assert_scan("rust",
	            "mod a;\npub mod b;\npub(crate) mod c;\nmod d { }\n"
	            "use crate::e::F;\nuse std::io;\nmodel = 1;\n",
	            "0.a|1.b|2.c|4:crate::e::F|5:std::io|");
}

test(other_languages_are_not_known)
{
	assert_false(dt_imports_knows("cobol"));
	assert_true(dt_imports_knows("typescriptreact"));
	assert_scan("cobol", "import x\n", "");
}

/* places */

static bool has_place(const char *language, const char *name, bool is_local,
                      const char *path)
{
	struct dt_importer from = {
		.path = "/w/lib/m.x",
		.language = language,
		.root = "/w",
		.module = "ex.org/m",
	};
	struct dt_import_line line = { dt_str(name), 0, is_local };
	struct dt_arena arena = { 0 };
	const char **place = dt_imports_places(&arena, &from, &line);
	bool is_there = false;

	for (; *place; place++)
		is_there |= !strcmp(*place, path);
	dt_arena_done(&arena);
	return is_there;
}

test(a_file_may_be_at_several_places)
{
	assert_true(has_place("c", "a.h", true, "/w/lib/a.h"));
	assert_true(has_place("c", "a.h", false, "/w/include/a.h"));
	assert_false(has_place("c", "a.h", false, "/w/lib/a.h"));
	assert_true(has_place("typescript", "./a", true, "/w/lib/a/index.ts"));
	assert_true(has_place("typescript", "../a.js", true, "/w/a.ts"));
	assert_false(has_place("typescript", "react", false, "/w/lib/react"));
	assert_true(has_place("python", "..p.q", true, "/w/p/q.py"));
	assert_true(has_place("python", "p.q", false, "/w/src/p/q.py"));
	assert_true(has_place("python", "p", true, "/w/lib/p/__init__.py"));
	assert_true(has_place("go", "ex.org/m/u/v", false, "/w/u/v"));
	assert_false(has_place("go", "ex.org/mm/u", false, "/w/u"));
	assert_true(has_place("rust", "a", true, "/w/lib/m/a.rs"));
	assert_true(has_place("rust", "crate::a::B", false, "/w/src/a.rs"));
	assert_false(has_place("rust", "std::io", false, "/w/src/io.rs"));
	assert_false(has_place("cobol", "a", true, "/w/lib/a"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(includes_of_c),
		cmocka_unit_test(imports_of_scripts),
		cmocka_unit_test(imports_of_python),
		cmocka_unit_test(imports_of_go),
		cmocka_unit_test(modules_of_rust),
		cmocka_unit_test(other_languages_are_not_known),
		cmocka_unit_test(a_file_may_be_at_several_places),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
