#include "tool/diagnostics_tools.h"

#include "editor/code.h"
#include "editor/diagnostics.h"
#include "editor/files.h"
#include "tool/script.h"
#include "unit.h"

static void call(struct script *s, const char *name, const char *args,
                 const struct step *steps)
{
	script_call(s, script_find(dt_tools_diagnostics.tools, name), args,
	            steps);
}

static struct dt_diagnostic problems[] = {
	{ .message = DT_STR("odd"),
	  .severity = DT_SEV_HINT,
	  .range = { { 2, 0 }, { 2, 1 } } },
	{ .message = DT_STR("bad"),
	  .severity = DT_SEV_ERROR,
	  .range = { { 2, 4 }, { 2, 5 } },
	  .source = "lint",
	  .code = "E1" },
	{ .message = DT_STR("far"),
	  .severity = DT_SEV_ERROR,
	  .range = { { 40, 0 }, { 40, 0 } } },
};
static struct dt_file_diagnostics file = { "/w/a", { problems, 3 } };
static const char *names[] = { "lint" };
static const struct dt_diagnostics_result found = {
	.items = { &file, 1 },
	.is_watched = true,
	.who = { names, 1 },
	.version = 7,
};

#define BAD                                                                    \
	"{\"filePath\":\"/w/a\",\"line\":3,\"column\":5,\"endLine\":3,"        \
	"\"endColumn\":6,\"severity\":\"error\",\"message\":\"bad\","          \
	"\"source\":\"lint\",\"code\":\"E1\"}"
#define ODD                                                                    \
	"{\"filePath\":\"/w/a\",\"line\":3,\"column\":1,\"endLine\":3,"        \
	"\"endColumn\":2,\"severity\":\"hint\",\"message\":\"odd\"}"
#define ERRORS                                                                 \
	"{\"available\":true,\"diagnostics\":[" BAD                            \
	"],\"summary\":{\"errors\":2,\"warnings\":0,\"infos\":0,\"hints\":0}," \
	"\"truncated\":true,\"pending\":false,\"linters\":[\"lint\"],"         \
	"\"linterErrors\":[],\"timestamp\":7}"

test(problems_are_asked_for_by_file_severity_and_number)
{
	struct step steps[] = { { &dt_op_get_diagnostics, &found }, { 0 } };
	struct script s;

	script_begin(&s);
	call(&s, "getDiagnostics",
	     "{\"uri\":\"file:///w/a\",\"severity\":\"error\",\"maxResults\":1}",
	     steps);
	assert_asked(&s,
	             "getDiagnostics{\"path\":\"/w/a\",\"waitMs\":25000}\n");
	assert_reply(&s, ERRORS "\n");
	call(&s, "getDiagnostics", "{\"filePath\":\"/w/a\"}", steps);
	assert_asked(&s,
	             "getDiagnostics{\"path\":\"/w/a\",\"waitMs\":25000}\n");
	call(&s, "getDiagnostics", "{}", steps);
	assert_asked(&s, "getDiagnostics{\"waitMs\":10000}\n");
	assert_non_null(strstr(dt_buf_z(&s.replied), "\"hints\":1}"));
	script_end(&s);
}

test(a_file_that_nobody_can_look_at_is_a_failure)
{
	struct dt_linter_error why = { "language server", "install one" };
	struct dt_diagnostics_result nobody = { .errors = { &why, 1 } };
	struct dt_watch_diagnostics_result watched = { .found = nobody };
	struct step get[] = { { &dt_op_get_diagnostics, &nobody }, { 0 } };
	struct step watch[] = { { &dt_op_watch_diagnostics, &watched }, { 0 } };
	struct script s;

	script_begin(&s);
	call(&s, "getDiagnostics", "{\"filePath\":\"/w/a\"}", get);
	assert_failure(&s, "nobody can look for problems in /w/a: install "
	                   "one\n");
	call(&s, "explainDiagnostic", "{\"filePath\":\"/w/a\",\"line\":1}",
	     get);
	assert_failure(&s, "nobody can look for problems in /w/a: install "
	                   "one\n");
	call(&s, "watchDiagnostics", "{\"filePath\":\"/w/a\"}", watch);
	assert_failure(&s, "nobody can look for problems in /w/a: install "
	                   "one\n");
	/* Of all files it says so, and that it proves nothing. */
	call(&s, "getDiagnostics", "{}", get);
	assert_non_null(strstr(dt_buf_z(&s.replied), "{\"available\":false,"));
	assert_non_null(strstr(dt_buf_z(&s.replied),
	                       "\"linterErrors\":[{\"linter\":\"language "
	                       "server\",\"message\":\"install one\"}]"));
	script_end(&s);
}

test(a_change_is_waited_for_since_a_timestamp)
{
	struct dt_watch_diagnostics_result watched = { .found = found,
		                                       .is_changed = true };
	struct step steps[] = { { &dt_op_watch_diagnostics, &watched }, { 0 } };
	struct script s;

	script_begin(&s);
	call(&s, "watchDiagnostics",
	     "{\"filePath\":\"/w/a\",\"sinceTimestamp\":5,\"timeoutMs\":9,"
	     "\"severity\":\"error\"}",
	     steps);
	assert_asked(&s, "watchDiagnostics{\"path\":\"/w/a\",\"since\":5,"
	                 "\"waitMs\":9}\n");
	assert_non_null(strstr(dt_buf_z(&s.replied),
	                       "{\"changed\":true,\"timestamp\":7,"
	                       "\"problems\":{\"available\":true,"));
	call(&s, "watchDiagnostics", "{}", steps);
	assert_asked(&s, "watchDiagnostics{\"waitMs\":30000}\n");
	call(&s, "watchDiagnostics", "{\"timeoutMs\":120001}", NULL);
	assert_failure(&s, "timeoutMs: at most 120000\n");
	call(&s, "watchDiagnostics", "{\"sinceTimestamp\":-1}", NULL);
	assert_failure(&s, "sinceTimestamp: not below 0\n");
	script_end(&s);
}

test(a_problem_is_explained_by_what_is_around_it)
{
	struct dt_read_file_result text = {
		.path = "/w/a",
		.text = DT_STR("one\ntwo\nthree\nfour\n"),
	};
	struct step steps[] = {
		{ &dt_op_get_diagnostics, &found },
		{ &dt_op_read_file, &text },
		{ &dt_op_get_hover, NULL, DT_E_UNSUPPORTED, "no server" },
		{ &dt_op_go_to_definition, NULL, DT_E_UNSUPPORTED, "neither" },
		{ 0 },
	};
	struct script s;

	script_begin(&s);
	call(&s, "explainDiagnostic", "{\"filePath\":\"/w/a\",\"line\":3}",
	     steps);
	assert_reply(&s,
	             "{\"diagnostic\":" BAD ",\"codeContext\":\""
	             "     1  one\\n     2  two\\n>    3  three\\n"
	             "     4  four\\n     5  \\n\",\"others\":[" ODD "]}\n");
	/* The column chooses, and a line may be a little off. */
	call(&s, "explainDiagnostic",
	     "{\"filePath\":\"/w/a\",\"line\":5,\"column\":1}", steps);
	assert_non_null(strstr(dt_buf_z(&s.replied), "{\"diagnostic\":" ODD));
	assert_non_null(strstr(dt_buf_z(&s.replied),
	                       "\"note\":\"There is none in line 5;"));
	script_end(&s);
}

test(what_a_server_says_of_the_place_is_told_too)
{
	struct dt_read_file_result text = { .path = "/w/a",
		                            .text = DT_STR("one\n") };
	struct dt_hover_result hover = { .is_found = true,
		                         .text = DT_STR("int one") };
	struct dt_location at = { .path = "/w/b" };
	struct dt_locations_result defined = { .items = { &at, 1 },
		                               .total = 1 };
	struct step steps[] = { { &dt_op_get_diagnostics, &found },
		                { &dt_op_read_file, &text },
		                { &dt_op_get_hover, &hover },
		                { &dt_op_go_to_definition, &defined },
		                { 0 } };
	struct script s;

	script_begin(&s);
	call(&s, "explainDiagnostic", "{\"filePath\":\"/w/a\",\"line\":3}",
	     steps);
	assert_non_null(strstr(dt_buf_z(&s.replied), "\"hover\":\"int one\","));
	assert_non_null(strstr(dt_buf_z(&s.replied),
	                       "\"definition\":[{\"filePath\":\"/w/b\""));
	script_end(&s);
}

test(what_is_not_there_is_not_explained)
{
	struct dt_diagnostics_result none = { .is_watched = true,
		                              .is_pending = true };
	struct step steps[] = { { &dt_op_get_diagnostics, &found }, { 0 } };
	struct step nothing[] = { { &dt_op_get_diagnostics, &none }, { 0 } };
	struct script s;

	script_begin(&s);
	call(&s, "explainDiagnostic", "{\"filePath\":\"/w/a\",\"line\":20}",
	     steps);
	assert_failure(&s, "no problem is known near line 20 of /w/a; the "
	                   "nearest is in line 3\n");
	call(&s, "explainDiagnostic", "{\"filePath\":\"/w/a\",\"line\":1}",
	     nothing);
	assert_failure(&s, "no problem is known in /w/a yet: somebody is still "
	                   "looking\n");
	call(&s, "explainDiagnostic", "{\"filePath\":\"/w/a\",\"line\":0}",
	     NULL);
	assert_failure(&s, "line: counts from 1\n");
	call(&s, "explainDiagnostic",
	     "{\"filePath\":\"/w/a\",\"line\":1,\"column\":0}", NULL);
	assert_failure(&s, "column: counts from 1\n");
	script_end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			problems_are_asked_for_by_file_severity_and_number),
		cmocka_unit_test(a_file_that_nobody_can_look_at_is_a_failure),
		cmocka_unit_test(a_change_is_waited_for_since_a_timestamp),
		cmocka_unit_test(a_problem_is_explained_by_what_is_around_it),
		cmocka_unit_test(what_a_server_says_of_the_place_is_told_too),
		cmocka_unit_test(what_is_not_there_is_not_explained),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
