#include "tool/impact_tools.h"

#include "editor/code.h"
#include "editor/code_file.h"
#include "editor/diagnostics.h"
#include "tool/script.h"
#include "unit.h"

static void call(struct script *s, const char *args, const struct step *steps)
{
	script_call(s, script_find(dt_tools_impact.tools, "getChangeImpact"),
	            args, steps);
}

static struct dt_diagnostic problem = { .message = DT_STR("bad") };
static struct dt_file_diagnostics file = { "/w/a", { &problem, 1 } };
static const struct dt_diagnostics_result found = {
	.items = { &file, 1 },
	.is_watched = true,
};
static struct dt_location uses[] = { { .path = "/w/a" },
	                             { .path = "/w/b" },
	                             { .path = "/w/b" } };

test(each_symbol_is_asked_about)
{
	struct dt_symbol symbols[] = {
		{ .name = "other" },
		{ .name = "second", .selection.start = { 6, 4 } },
	};
	struct dt_symbols_result listed = { .items = { symbols, 2 } };
	struct dt_locations_result own = { .items = { uses, 1 }, .total = 1 };
	struct dt_locations_result wide = { .items = { uses, 3 }, .total = 9 };
	struct step steps[] = { { &dt_op_get_diagnostics, &found },
		                { &dt_op_find_references, &own },
		                { &dt_op_get_document_symbols, &listed },
		                { &dt_op_find_references, &wide },
		                { 0 } };
	struct script s;

	script_begin(&s);
	call(&s,
	     "{\"filePath\":\"/w/a\",\"changedSymbols\":[{\"name\":\"first\","
	     "\"line\":3},{\"name\":\"second\"}]}",
	     steps);
	assert_non_null(strstr(dt_buf_z(&s.asked), "\"line\":2"));
	assert_non_null(strstr(dt_buf_z(&s.asked), "\"line\":6"));
	assert_non_null(strstr(
		dt_buf_z(&s.replied),
		"\"symbolImpact\":[{\"name\":\"first\",\"references\":1,"
		"\"files\":[\"/w/a\"]},{\"name\":\"second\",\"references\":9,"
		"\"files\":[\"/w/a\",\"/w/b\"]}],\"blastRadius\":\"few\","
		"\"summary\":\"1 errors and 0 warnings; 10 uses of 2 symbols "
		"in 2 files\"}"));
	script_end(&s);
}

test(what_is_not_found_makes_the_reach_unknown)
{
	struct dt_symbols_result listed = { .items = { NULL, 0 } };
	struct step steps[] = { { &dt_op_get_diagnostics, &found },
		                { &dt_op_get_document_symbols, &listed },
		                { &dt_op_find_references, NULL,
		                  DT_E_UNSUPPORTED, "no server" },
		                { 0 } };
	struct script s;

	script_begin(&s);
	call(&s,
	     "{\"filePath\":\"/w/a\",\"changedSymbols\":[{\"name\":\"a\"},"
	     "{\"name\":\"b\",\"line\":1}]}",
	     steps);
	assert_non_null(strstr(dt_buf_z(&s.replied),
	                       "\"error\":\"a is not declared in /w/a\""));
	assert_non_null(
		strstr(dt_buf_z(&s.replied), "\"error\":\"no server\""));
	assert_non_null(
		strstr(dt_buf_z(&s.replied), "\"blastRadius\":\"unknown\""));
	script_end(&s);
}

test(symbols_have_a_limit_and_lines_count_from_one)
{
	struct step steps[] = { { &dt_op_get_diagnostics, &found }, { 0 } };
	struct dt_buf args;
	struct script s;

	script_begin(&s);
	dt_buf_init(&args, 1000);
	dt_buf_add_z(&args, "{\"filePath\":\"/w/a\",\"changedSymbols\":[");
	for (int i = 0; i < 11; i++)
		dt_buf_addf(&args, "%s{\"name\":\"x\"}", i ? "," : "");
	dt_buf_add_z(&args, "]}");
	call(&s, dt_buf_z(&args), NULL);
	assert_failure(&s, "changedSymbols: at most 10\n");
	dt_buf_done(&args);
	call(&s,
	     "{\"filePath\":\"/w/a\",\"changedSymbols\":[{\"name\":\"a\","
	     "\"line\":0}]}",
	     NULL);
	assert_failure(&s, "changedSymbols[0].line: counts from 1\n");
	call(&s, "{\"filePath\":\"/w/a\"}", steps);
	assert_non_null(
		strstr(dt_buf_z(&s.replied), "\"blastRadius\":\"none\""));
	script_end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_symbol_is_asked_about),
		cmocka_unit_test(what_is_not_found_makes_the_reach_unknown),
		cmocka_unit_test(symbols_have_a_limit_and_lines_count_from_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
