/*
 * test/unit/backend/test_lint_parse.c - what linters really printed.
 *
 * Recorded with gcc 12.2, clang 14.0, go 1.19, luacheck 1.1, yamllint 1.29,
 * tsc 7.0, biome 2.6 and jq 1.6; the last lines of tsc and biome are made up
 * after their like.
 */
#include "backend/lint_check.h"

static const char gcc[] =
	"bad.c: In function \342\200\230add\342\200\231:\n"
	"bad.c:4:20: error: \342\200\230c\342\200\231 undeclared (f"
	"irst use in this function)\n"
	"bad.c:4:20: note: each undeclared identifier is reported o"
	"nly once for each function it appears in\n"
	"bad.c:3:6: warning: unused variable \342\200\230unused\342\200\231"
	" [-Wunused-variable]\n";

static const char clang[] =
	"/w/bad.c:4:11: warning: adding 'int' to a string does not "
	"append to the string [-Wstring-plus-int]\n"
	"/w/bad.c:4:11: note: use array indexing to silence this wa"
	"rning\n"
	"/w/bad.c:4:20: error: use of undeclared identifier 'c'\n"
	"/w/bad.c:4:11: warning: adding 'int' to a string does not "
	"append to the string [-Wstring-plus-int]\n"
	"/w/bad.c:4:11: note: use array indexing to silence this wa"
	"rning\n";

static const char go[] =
	"# bad\n"
	"./main.go:6:2: fmt.Printf format %d has arg \"x\" of wrong"
	" type string\n"
	"# bad\n"
	"vet: ./main.go:5:2: undeclared name: y\n";

static const char luacheck[] =
	"/w/bad.lua:3:4-7: (E011) expected condition near 'then'\n"
	"/w/lint.lua:1:7-7: (W211) unused variable 'x'\n"
	"/w/lint.lua:2:16-18: (W113) accessing undefined variable '"
	"foo'\n";

static const char yamllint[] =
	"/w/bad.yaml:1:1: [warning] missing document start \"---\" "
	"(document-start)\n"
	"/w/bad.yaml:2:4: [error] too many spaces after colon (colo"
	"ns)\n"
	"/w/bad.yaml:2:8: [error] too few spaces after comma (comma"
	"s)\n"
	"/w/bad.yaml:3:2: [error] syntax error: expected ',' or ']'"
	", but got ':' (syntax)\n";

static const char tsc[] =
	"bad.ts(1,7): error TS2322: Type 'string' is not assignable"
	" to type 'number'.\n"
	"bad.ts(4,8): error TS2322: Type 'string' is not assignable"
	" to type 'number'.\n"
	"app.ts(7,3): error TS2345: Argument of type '{ a: string; "
	"}' is not assignable to parameter of type 'P'.\n"
	"  Types of property 'a' are incompatible.\n"
	"    Type 'string' is not assignable to type 'number'.\n"
	"error TS5083: Cannot read file 'base.json'.\n";

static const char biome[] =
	"::error title=lint/suspicious/noDoubleEquals,file=/w/lint."
	"js,line=3,endLine=3,col=7,endColumn=9::Using == may be uns"
	"afe if you are relying on type coercion.\n"
	"::error title=lint/suspicious/noDebugger,file=/w/lint.js,l"
	"ine=3,endLine=3,col=15,endColumn=23::This is an unexpected"
	" use of the debugger statement.\n"
	"::notice title=a,file=/w/a b.js,line=1,endLine=2,col=3,end"
	"Column=1::One :: two\n";

static const char jq[] =
	"parse error: Expected another array element at line 2, col"
	"umn 13\n";

test(compilers_print_place_severity_and_option)
{
	check(dt_lint_parse_gcc, gcc,
	      "bad.c 3:19-3:19 0 - \342\200\230c\342\200\231 undeclared "
	      "(first use in this function)\n"
	      "bad.c 2:5-2:5 1 -Wunused-variable unused variable "
	      "\342\200\230unused\342\200\231\n");
	check(dt_lint_parse_gcc, clang,
	      "/w/bad.c 3:10-3:10 1 -Wstring-plus-int adding 'int' to a "
	      "string does not append to the string\n"
	      "/w/bad.c 3:19-3:19 0 - use of undeclared identifier 'c'\n"
	      "/w/bad.c 3:10-3:10 1 -Wstring-plus-int adding 'int' to a "
	      "string does not append to the string\n");
	check(dt_lint_parse_gcc,
	      "a:b.c:2:1: fatal error: x.h: No such file [in a.c]\r\n"
	      "a.c:3: error: no column\n",
	      "a:b.c 1:0-1:0 0 - x.h: No such file [in a.c]\n"
	      "a.c 2:0-2:0 0 - no column\n");
}

test(go_vet_tells_what_does_not_compile_from_what_is_odd)
{
	check(dt_lint_parse_go, go,
	      "./main.go 5:1-5:1 1 - fmt.Printf format %d has arg \"x\" of "
	      "wrong type string\n"
	      "./main.go 4:1-4:1 0 - undeclared name: y\n");
}

test(luacheck_has_ranges_and_codes)
{
	check(dt_lint_parse_luacheck, luacheck,
	      "/w/bad.lua 2:3-2:7 0 E011 expected condition near 'then'\n"
	      "/w/lint.lua 0:6-0:7 1 W211 unused variable 'x'\n"
	      "/w/lint.lua 1:15-1:18 1 W113 accessing undefined variable "
	      "'foo'\n");
}

test(yamllint_has_its_rule_behind_the_message)
{
	check(dt_lint_parse_yamllint, yamllint,
	      "/w/bad.yaml 0:0-0:0 1 document-start missing document start "
	      "\"---\"\n"
	      "/w/bad.yaml 1:3-1:3 0 colons too many spaces after colon\n"
	      "/w/bad.yaml 1:7-1:7 0 commas too few spaces after comma\n"
	      "/w/bad.yaml 2:1-2:1 0 syntax syntax error: expected ',' or "
	      "']', but got ':'\n");
}

test(tsc_goes_on_with_a_message_in_lines_that_are_indented)
{
	check(dt_lint_parse_tsc, tsc,
	      "bad.ts 0:6-0:6 0 TS2322 Type 'string' is not assignable to "
	      "type 'number'.\n"
	      "bad.ts 3:7-3:7 0 TS2322 Type 'string' is not assignable to "
	      "type 'number'.\n"
	      "app.ts 6:2-6:2 0 TS2345 Argument of type '{ a: string; }' is "
	      "not assignable to parameter of type 'P'.\n"
	      "  Types of property 'a' are incompatible.\n"
	      "    Type 'string' is not assignable to type 'number'.\n"
	      "tsconfig.json 0:0-0:0 0 TS5083 Cannot read file "
	      "'base.json'.\n");
}

test(biome_prints_as_github_wants_it)
{
	check(dt_lint_parse_biome, biome,
	      "/w/lint.js 2:6-2:8 0 lint/suspicious/noDoubleEquals Using == "
	      "may be unsafe if you are relying on type coercion.\n"
	      "/w/lint.js 2:14-2:22 0 lint/suspicious/noDebugger This is an "
	      "unexpected use of the debugger statement.\n"
	      "/w/a b.js 0:2-1:0 2 a One :: two\n");
}

test(jq_names_no_file)
{
	check(dt_lint_parse_jq, jq,
	      " 1:12-1:12 0 - Expected another array element\n");
	check(dt_lint_parse_jq,
	      "jq: parse error: Unfinished JSON term at EOF at line 3, column "
	      "0 (while parsing 'x')\njq: error: Could not open file\n",
	      " 2:0-2:0 0 - Unfinished JSON term at EOF\n");
}

test(other_lines_and_cut_ones_are_no_fault)
{
	static const struct {
		dt_lint_parse_fn *parse;
		const char *text;
	} cases[] = {
		{ dt_lint_parse_gcc, gcc },
		{ dt_lint_parse_go, go },
		{ dt_lint_parse_luacheck, luacheck },
		{ dt_lint_parse_yamllint, yamllint },
		{ dt_lint_parse_tsc, tsc },
		{ dt_lint_parse_biome, biome },
		{ dt_lint_parse_jq, jq },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		check(cases[i].parse, "", "");
		check(cases[i].parse, "Segmentation fault\n", "");
		check(cases[i].parse, ":::\n(1,2\n:1:\n", "");
		check_cuts(cases[i].parse, cases[i].text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(compilers_print_place_severity_and_option),
		cmocka_unit_test(
			go_vet_tells_what_does_not_compile_from_what_is_odd),
		cmocka_unit_test(luacheck_has_ranges_and_codes),
		cmocka_unit_test(yamllint_has_its_rule_behind_the_message),
		cmocka_unit_test(
			tsc_goes_on_with_a_message_in_lines_that_are_indented),
		cmocka_unit_test(biome_prints_as_github_wants_it),
		cmocka_unit_test(jq_names_no_file),
		cmocka_unit_test(other_lines_and_cut_ones_are_no_fault),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
