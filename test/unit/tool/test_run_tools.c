#include "tool/run_tools.h"

#include "base/limits.h"
#include "editor/run.h"
#include "tool/script.h"
#include "unit.h"

static void call(struct script *s, const char *name, const char *args,
                 const struct step *steps)
{
	script_begin(s);
	script_call(s, script_find(dt_tools_run.tools, name), args, steps);
}

static void assert_replied(struct script *s, const char *text)
{
	assert_string_equal(dt_buf_z(&s->replied), text);
	script_end(s);
}

/* runCommand */

static struct dt_run_command_result ended = {
	.program = "/usr/bin/git",
	.cwd = "/w",
	.out = { "out\n", 4 },
	.err = { "", 0 },
	.took_ms = 5,
};

test(a_command_is_run_and_told)
{
	struct step steps[] = { { &dt_op_run_command, &ended }, { 0 } };
	struct script s;

	call(&s, "runCommand",
	     "{\"command\":\"git\",\"args\":[\"status\",\"-s\"],\"cwd\":\"sub\","
	     "\"timeout\":600000}",
	     steps);
	assert_asked(&s, "runCommand{\"command\":\"git\",\"args\":[\"status\","
	                 "\"-s\"],\"cwd\":\"sub\",\"timeoutMs\":600000}\n");
	assert_replied(&s, "{\"exitCode\":0,\"stdout\":\"out\\n\",\"stderr\":"
	                   "\"\",\"durationMs\":5,\"timedOut\":false,"
	                   "\"truncated\":false}\n");
}

test(all_that_is_special_is_said)
{
	struct dt_run_command_result late = ended;
	struct step steps[] = { { &dt_op_run_command, &late }, { 0 } };
	struct script s;

	late.exit_code = 143;
	late.signal = "SIGTERM";
	late.is_late = true;
	late.is_out_cut = true;
	call(&s, "runCommand", "{\"command\":\"git\",\"timeout\":7}", steps);
	assert_replied(&s,
	               "{\"exitCode\":143,\"signal\":\"SIGTERM\",\"stdout\":"
	               "\"out\\n\",\"stderr\":\"\",\"durationMs\":5,"
	               "\"timedOut\":true,\"truncated\":true,"
	               "\"stdoutTruncated\":true,\"maxBytes\":524288,"
	               "\"note\":\"It was ended after 7 ms with all it had "
	               "started; a longer timeout lets it run on.\"}\n");
	late = ended;
	late.left_running = 2;
	call(&s, "runCommand", "{\"command\":\"git\"}", steps);
	assert_non_null(strstr(dt_buf_z(&s.replied), "\"leftRunning\":2,"
	                                             "\"note\":\"It left "));
	script_end(&s);
}

test(a_limit_that_cannot_be_kept_is_refused)
{
	struct script s;

	call(&s, "runCommand", "{\"command\":\"git\",\"timeout\":600001}",
	     NULL);
	assert_replied(&s, "timeout: 600001 is not from 1 to 600000 "
	                   "milliseconds\n");
	call(&s, "runCommand", "{\"command\":\"git\",\"timeout\":0}", NULL);
	assert_true(s.is_error);
	script_end(&s);
	call(&s, "runCommand", "{\"command\":\"\"}", NULL);
	assert_replied(&s, "command: empty\n");
	call(&s, "runTests", "{\"timeoutMs\":1800001}", NULL);
	assert_replied(&s, "timeoutMs: 1800001 is not from 1 to 1800000 "
	                   "milliseconds\n");
}

/* runTests */

static const char *pytest_args[] = { "-q", "-k", "x" };
static const char *make_args[] = { "check" };
static struct dt_test_runner runners[] = {
	{ .name = "pytest",
	  .command = "pytest",
	  .args = { pytest_args, 3 },
	  .cwd = "/w",
	  .because = "x",
	  .has_filter = true },
	{ .name = "make",
	  .command = "make",
	  .args = { make_args, 1 },
	  .cwd = "/w",
	  .because = "x" },
};
static struct dt_find_tests_result found = { { runners, 2 } };

test(tests_are_found_run_and_understood)
{
	struct dt_run_command_result result = ended;
	struct step steps[] = { { &dt_op_find_tests, &found },
		                { &dt_op_run_command, &result },
		                { 0 } };
	struct script s;

	result.exit_code = 1;
	result.out = DT_STR("____ test_x ____\na.py:3: in test_x\nE   no\n"
	                    "FAILED a.py::test_x - no\n1 failed in 0.1s\n");
	call(&s, "runTests", "{\"filter\":\"x\",\"cwd\":\"sub\"}", steps);
	assert_asked(&s,
	             "findTests{\"cwd\":\"sub\",\"filter\":\"x\"}\n"
	             "runCommand{\"command\":\"pytest\",\"args\":[\"-q\","
	             "\"-k\",\"x\"],\"cwd\":\"/w\",\"timeoutMs\":300000}\n");
	assert_replied(&s,
	               "{\"runner\":\"pytest\",\"command\":\"pytest -q -k x\","
	               "\"cwd\":\"/w\",\"runners\":[\"pytest\",\"make\"],"
	               "\"success\":false,\"exitCode\":1,\"parsed\":true,"
	               "\"passed\":0,\"failed\":1,\"skipped\":0,\"failures\":[{"
	               "\"name\":\"a.py::test_x\",\"file\":\"/w/a.py\","
	               "\"line\":3,\"message\":\"no\"}],\"truncated\":false,"
	               "\"durationMs\":5,\"timedOut\":false}\n");
}

test(an_output_nobody_understands_is_shown)
{
	struct step steps[] = { { &dt_op_find_tests, &found },
		                { &dt_op_run_command, &ended },
		                { 0 } };
	struct script s;

	call(&s, "runTests",
	     "{\"runner\":\"make\",\"filter\":\"x\",\"timeoutMs\":1800000}",
	     steps);
	assert_non_null(strstr(dt_buf_z(&s.replied), "\"parsed\":false"));
	assert_non_null(strstr(dt_buf_z(&s.replied), "\"output\":\"out\\n\""));
	assert_non_null(
		strstr(dt_buf_z(&s.replied), "This runner takes no filter"));
	script_end(&s);
}

test(a_project_without_tests_is_a_sentence)
{
	struct dt_find_tests_result none = { { NULL, 0 } };
	struct step nothing[] = { { &dt_op_find_tests, &none }, { 0 } };
	struct step steps[] = { { &dt_op_find_tests, &found }, { 0 } };
	struct script s;

	call(&s, "runTests", "{}", nothing);
	assert_replied(&s, "No tests of a known kind were found here: say in "
	                   "cwd where they are, or run them with "
	                   "runCommand.\n");
	call(&s, "runTests", "{\"runner\":\"go\"}", steps);
	assert_replied(&s, "runner: this project has pytest, make, not go\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_command_is_run_and_told),
		cmocka_unit_test(all_that_is_special_is_said),
		cmocka_unit_test(a_limit_that_cannot_be_kept_is_refused),
		cmocka_unit_test(tests_are_found_run_and_understood),
		cmocka_unit_test(an_output_nobody_understands_is_shown),
		cmocka_unit_test(a_project_without_tests_is_a_sentence),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
