/*
 * test/unit/backend/test_lint_json.c - what linters really printed as JSON.
 *
 * Recorded with eslint 10.14, pyright 1.1.414, pylint 2.16, shellcheck 0.9 and cargo
 * 1.95; what is long and not looked at was taken out.  That of ruff is by its
 * documentation.
 */
#include "backend/lint_check.h"

static const char eslint[] =
	"[{\"filePath\":\"/w/bad.js\",\"messages\":[{\"ruleId\":nul"
	"l,\"fatal\":true,\"severity\":2,\"message\":\"Parsing erro"
	"r: The keyword 'let' is reserved\",\"line\":3,\"column\":1"
	"}],\"suppressedMessages\":[],\"errorCount\":1,\"fatalError"
	"Count\":1,\"warningCount\":0,\"fixableErrorCount\":0,\"fix"
	"ableWarningCount\":0},{\"filePath\":\"/w/lint.js\",\"messa"
	"ges\":[{\"ruleId\":\"semi\",\"severity\":2,\"message\":\"M"
	"issing semicolon.\",\"line\":1,\"column\":27,\"messageId\""
	":\"missingSemi\",\"endLine\":2,\"endColumn\":1,\"fix\":{\""
	"range\":[26,26],\"text\":\";\"}},{\"ruleId\":\"no-undef\","
	"\"severity\":1,\"message\":\"'foo' is not defined.\",\"lin"
	"e\":2,\"column\":1,\"messageId\":\"undef\",\"endLine\":2,\""
	"endColumn\":4},{\"ruleId\":\"semi\",\"severity\":2,\"messa"
	"ge\":\"Missing semicolon.\",\"line\":3,\"column\":23,\"mes"
	"sageId\":\"missingSemi\",\"endLine\":3,\"endColumn\":24,\""
	"fix\":{\"range\":[56,56],\"text\":\";\"}}],\"suppressedMes"
	"sages\":[],\"errorCount\":2,\"fatalErrorCount\":0,\"warnin"
	"gCount\":1,\"fixableErrorCount\":2,\"fixableWarningCount\""
	":0}]";

static const char pyright[] =
	"{\"version\":\"1.1.414\",\"time\":\"1794734710274\",\"gene"
	"ralDiagnostics\":[{\"file\":\"/w/bad.py\",\"severity\":\"e"
	"rror\",\"message\":\"Type \\\"int\\\" is not assignable to"
	" return type \\\"str\\\"\\n\302\240\302\240\\\"int\\\" is "
	"not assignable to \\\"str\\\"\",\"range\":{\"start\":{\"li"
	"ne\":2,\"character\":22},\"end\":{\"line\":2,\"character\""
	":23}},\"rule\":\"reportReturnType\"},{\"file\":\"/w/bad.py"
	"\",\"severity\":\"error\",\"message\":\"\\\"undefined_name"
	"\\\" is not defined\",\"range\":{\"start\":{\"line\":3,\"c"
	"haracter\":6},\"end\":{\"line\":3,\"character\":20}},\"rul"
	"e\":\"reportUndefinedVariable\"}],\"summary\":{\"filesAnal"
	"yzed\":1,\"errorCount\":2,\"warningCount\":0,\"information"
	"Count\":0,\"timeInSec\":2.557}}";

static const char pylint[] =
	"[{\"type\":\"convention\",\"module\":\"bad\",\"obj\":\"\","
	"\"line\":1,\"column\":0,\"endLine\":null,\"endColumn\":nul"
	"l,\"path\":\"bad.py\",\"symbol\":\"missing-module-docstrin"
	"g\",\"message\":\"Missing module docstring\",\"message-id\""
	":\"C0114\"},{\"type\":\"convention\",\"module\":\"bad\",\""
	"obj\":\"f\",\"line\":3,\"column\":18,\"endLine\":3,\"endCo"
	"lumn\":26,\"path\":\"bad.py\",\"symbol\":\"multiple-statem"
	"ents\",\"message\":\"More than one statement on a single l"
	"ine\",\"message-id\":\"C0321\"},{\"type\":\"error\",\"modu"
	"le\":\"bad\",\"obj\":\"\",\"line\":4,\"column\":6,\"endLin"
	"e\":4,\"endColumn\":20,\"path\":\"bad.py\",\"symbol\":\"un"
	"defined-variable\",\"message\":\"Undefined variable 'undef"
	"ined_name'\",\"message-id\":\"E0602\"}]";

static const char shellcheck[] =
	"{\"comments\":[{\"file\":\"/w/bad.sh\",\"line\":2,\"endLin"
	"e\":2,\"column\":10,\"endColumn\":21,\"level\":\"error\",\""
	"code\":2045,\"message\":\"Iterating over ls output is frag"
	"ile. Use globs.\",\"fix\":null},{\"file\":\"/w/bad.sh\",\""
	"line\":2,\"endLine\":2,\"column\":15,\"endColumn\":16,\"le"
	"vel\":\"info\",\"code\":2035,\"message\":\"Use ./*glob* or"
	" -- *glob* so names with dashes won't become options.\",\""
	"fix\":null},{\"file\":\"/w/bad.sh\",\"line\":3,\"endLine\""
	":3,\"column\":7,\"endColumn\":9,\"level\":\"info\",\"code\""
	":2086,\"message\":\"Double quote to prevent globbing and w"
	"ord splitting.\",\"fix\":null}]}";

static const char cargo[] =
	"{\"reason\":\"compiler-message\",\"package_id\":\"path+fil"
	"e:///w#bad@0.1.0\",\"manifest_path\":\"/w/Cargo.toml\",\"t"
	"arget\":{\"kind\":[\"bin\"],\"crate_types\":[\"bin\"],\"na"
	"me\":\"bad\",\"src_path\":\"/w/src/main.rs\",\"edition\":\""
	"2021\",\"doc\":true,\"doctest\":false,\"test\":true},\"mes"
	"sage\":{\"rendered\":\"\",\"$message_type\":\"diagnostic\""
	",\"children\":[],\"level\":\"error\",\"message\":\"mismatc"
	"hed types\",\"spans\":[{\"byte_end\":55,\"byte_start\":54,"
	"\"column_end\":36,\"column_start\":35,\"expansion\":null,\""
	"file_name\":\"src/main.rs\",\"is_primary\":true,\"label\":"
	"\"expected `i32`, found `&str`\",\"line_end\":2,\"line_sta"
	"rt\":2,\"suggested_replacement\":null,\"suggestion_applica"
	"bility\":null,\"text\":[{\"highlight_end\":36,\"highlight_"
	"start\":35,\"text\":\"    let s = \\\"\303\251\360\237\230\200"
	"\\\"; let unused = 1; s\"}]},{\"byte_end\":13,\"byte_start"
	"\":10,\"column_end\":14,\"column_start\":11,\"expansion\":"
	"null,\"file_name\":\"src/main.rs\",\"is_primary\":false,\""
	"label\":\"expected `i32` because of return type\",\"line_e"
	"nd\":1,\"line_start\":1,\"suggested_replacement\":null,\"s"
	"uggestion_applicability\":null,\"text\":[{\"highlight_end\""
	":14,\"highlight_start\":11,\"text\":\"fn f() -> i32 {\"}]}"
	"],\"code\":{\"code\":\"E0308\",\"explanation\":null}}}\n"
	"{\"reason\":\"compiler-message\",\"package_id\":\"path+fil"
	"e:///w#bad@0.1.0\",\"manifest_path\":\"/w/Cargo.toml\",\"t"
	"arget\":{\"kind\":[\"bin\"],\"crate_types\":[\"bin\"],\"na"
	"me\":\"bad\",\"src_path\":\"/w/src/main.rs\",\"edition\":\""
	"2021\",\"doc\":true,\"doctest\":false,\"test\":true},\"mes"
	"sage\":{\"rendered\":\"\",\"$message_type\":\"diagnostic\""
	",\"children\":[],\"level\":\"failure-note\",\"message\":\""
	"For more information about this error, try `rustc --explai"
	"n E0308`.\",\"spans\":[],\"code\":null}}\n"
	"{\"reason\":\"build-finished\",\"success\":false}\n";

static const char ruff[] =
	"[{\"cell\":null,\"code\":\"F401\",\"end_location\":{\"colu"
	"mn\":10,\"row\":1},\"filename\":\"/w/bad.py\",\"fix\":{\"a"
	"pplicability\":\"safe\"},\"location\":{\"column\":8,\"row\""
	":1},\"message\":\"`os` imported but unused\",\"noqa_row\":"
	"1,\"url\":\"https://docs.astral.sh/ruff/rules/unused-impor"
	"t\"},{\"cell\":null,\"code\":null,\"end_location\":{\"colu"
	"mn\":1,\"row\":3},\"filename\":\"/w/bad.py\",\"location\":"
	"{\"column\":7,\"row\":2},\"message\":\"SyntaxError: Expect"
	"ed an expression\"},{\"code\":\"F821\",\"filename\":\"/w/b"
	"ad.py\",\"location\":{\"column\":7,\"row\":4},\"message\":"
	"\"Undefined name `x`\"}]";

test(eslint_has_files_with_messages)
{
	check(dt_lint_parse_eslint, eslint,
	      "/w/bad.js 2:0-2:0 0 - Parsing error: The keyword 'let' is "
	      "reserved\n"
	      "/w/lint.js 0:26-1:0 0 semi Missing semicolon.\n"
	      "/w/lint.js 1:0-1:3 1 no-undef 'foo' is not defined.\n"
	      "/w/lint.js 2:22-2:23 0 semi Missing semicolon.\n");
}

test(pyright_counts_from_zero)
{
	check(dt_lint_parse_pyright, pyright,
	      "/w/bad.py 2:22-2:23 0 reportReturnType Type \"int\" is not "
	      "assignable to return type \"str\"\n"
	      "\302\240\302\240\"int\" is not assignable to \"str\"\n"
	      "/w/bad.py 3:6-3:20 0 reportUndefinedVariable "
	      "\"undefined_name\" is not defined\n");
}

test(pylint_counts_lines_from_one_and_columns_from_zero)
{
	check(dt_lint_parse_pylint, pylint,
	      "bad.py 0:0-0:0 2 missing-module-docstring Missing module "
	      "docstring\n"
	      "bad.py 2:18-2:26 2 multiple-statements More than one statement "
	      "on a single line\n"
	      "bad.py 3:6-3:20 0 undefined-variable Undefined variable "
	      "'undefined_name'\n");
}

test(shellcheck_has_levels_and_numbers)
{
	check(dt_lint_parse_shellcheck, shellcheck,
	      "/w/bad.sh 1:9-1:20 0 SC2045 Iterating over ls output is "
	      "fragile. Use globs.\n"
	      "/w/bad.sh 1:14-1:15 2 SC2035 Use ./*glob* or -- *glob* so "
	      "names with dashes won't become options.\n"
	      "/w/bad.sh 2:6-2:8 2 SC2086 Double quote to prevent globbing "
	      "and word splitting.\n");
}

test(cargo_prints_an_object_a_line)
{
	check(dt_lint_parse_cargo, cargo,
	      "src/main.rs 1:34-1:35 0 E0308 mismatched types: expected "
	      "`i32`, found `&str`\n");
	check(dt_lint_parse_cargo, "a build script says this\n", "");
}

test(ruff_has_rules_and_errors)
{
	check(dt_lint_parse_ruff, ruff,
	      "/w/bad.py 0:7-0:9 1 F401 `os` imported but unused\n"
	      "/w/bad.py 1:6-2:0 0 - SyntaxError: Expected an expression\n"
	      "/w/bad.py 3:6-3:6 0 F821 Undefined name `x`\n");
}

static const struct {
	dt_lint_parse_fn *parse;
	const char *text;
} all[] = {
	{ dt_lint_parse_eslint, eslint },
	{ dt_lint_parse_pyright, pyright },
	{ dt_lint_parse_pylint, pylint },
	{ dt_lint_parse_shellcheck, shellcheck },
	{ dt_lint_parse_ruff, ruff },
};

test(what_is_no_such_json_is_an_error)
{
	static const char *const others[] = { "Oops: a crash\n", "null", "{}",
		                              "{\"comments\":3}", "[" };

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		for (size_t k = 0; k < sizeof(others) / sizeof(others[0]);
		     k++) {
			struct dt_arena arena = { 0 };
			struct dt_lint_out out = { .arena = &arena };
			struct dt_fail fail = { 0 };

			assert_int_not_equal(
				all[i].parse(&out, dt_str(others[k]), &fail),
				DT_E_OK);
			assert_true(fail.msg[0]);
			dt_arena_done(&arena);
		}
		check_cuts(all[i].parse, all[i].text);
	}
	check_cuts(dt_lint_parse_cargo, cargo);
}

test(members_that_are_missing_or_of_another_type_are_not_said)
{
	check(dt_lint_parse_eslint,
	      "[{\"filePath\":1,\"messages\":[{}]},{\"messages\":2},3]",
	      " 0:0-0:0 0 - \n");
	check(dt_lint_parse_pyright, "{\"generalDiagnostics\":[{}]}",
	      " 0:0-0:0 2 - \n");
	check(dt_lint_parse_cargo,
	      "{\"reason\":\"compiler-message\",\"message\":{\"spans\":[1]}}\n"
	      "{\"reason\":\"compiler-message\",\"message\":5}\n",
	      "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(eslint_has_files_with_messages),
		cmocka_unit_test(pyright_counts_from_zero),
		cmocka_unit_test(
			pylint_counts_lines_from_one_and_columns_from_zero),
		cmocka_unit_test(shellcheck_has_levels_and_numbers),
		cmocka_unit_test(cargo_prints_an_object_a_line),
		cmocka_unit_test(ruff_has_rules_and_errors),
		cmocka_unit_test(what_is_no_such_json_is_an_error),
		cmocka_unit_test(
			members_that_are_missing_or_of_another_type_are_not_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
