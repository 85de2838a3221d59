#include "editor/git_write.h"
#include "tool/git_tools.h"
#include "tool/script.h"
#include "unit.h"

static void check(const char *name, const char *args,
                  const struct dt_operation *op, const char *output,
                  const char *asked, const char *replied)
{
	struct dt_github_result gh = { dt_str(output), false };
	const struct step steps[] = { { op, &gh }, { 0 } };
	struct script s;

	script_begin(&s);
	script_call(&s, script_find(dt_tools_github.tools, name), args, steps);
	assert_non_null(strstr(dt_buf_z(&s.asked), asked));
	assert_reply(&s, replied);
	script_end(&s);
}

static void refuse(const char *name, const char *args, const char *sentence)
{
	static const struct step none[] = { { 0 } };
	struct script s;

	script_begin(&s);
	script_call(&s, script_find(dt_tools_github.tools, name), args, none);
	assert_failure(&s, sentence);
	script_end(&s);
}

test(issues_are_listed_read_made_and_answered)
{
	check("githubIssue", "{\"operation\":\"list\",\"label\":\"bug\"}",
	      &dt_op_github_read, "[]",
	      "[\"issue\",\"list\",\"--state=open\",\"--limit=20\",\"--json=",
	      "{\"issues\":[],\"count\":0}\n");
	check("githubIssue", "{\"operation\":\"get\",\"number\":2}",
	      &dt_op_github_read, "{\"number\":2,\"title\":\"t\"}",
	      "[\"issue\",\"view\",\"2\",\"--json=",
	      "{\"number\":2,\"title\":\"t\",\"details\":{\"number\":2,"
	      "\"title\":\"t\"}}\n");
	check("githubIssue",
	      "{\"operation\":\"create\",\"title\":\"t\",\"label\":\"x\"}",
	      &dt_op_github_write, "https://github.com/a/b/issues/9\n",
	      "[\"issue\",\"create\",\"--title=t\",\"--body=\",\"--label=x\"]",
	      "{\"number\":9,\"url\":\"https://github.com/a/b/issues/9\","
	      "\"title\":\"t\"}\n");
	check("githubIssue",
	      "{\"operation\":\"comment\",\"number\":9,\"body\":\"-x\"}",
	      &dt_op_github_write, "https://github.com/a/b/issues/9#c-1\n",
	      "[\"issue\",\"comment\",\"9\",\"--body=-x\"]",
	      "{\"number\":9,\"url\":\"https://github.com/a/b/issues/9#c-1\"}"
	      "\n");
	refuse("githubIssue", "{\"operation\":\"get\"}",
	       "number: missing; list tells the numbers\n");
	refuse("githubIssue", "{\"operation\":\"comment\",\"number\":1}",
	       "body: missing\n");
}

test(runs_are_listed_and_their_logs_told_from_the_end)
{
	check("githubActions", "{\"operation\":\"listRuns\",\"branch\":\"m\"}",
	      &dt_op_github_read, "[{\"databaseId\":1}]",
	      "[\"run\",\"list\",\"--limit=10\",\"--branch=m\",\"--json=",
	      "{\"runs\":[{\"databaseId\":1}],\"count\":1}\n");
	check("githubActions",
	      "{\"operation\":\"getRunLogs\",\"runId\":5000000000}",
	      &dt_op_github_read, "log",
	      "{\"words\":[\"run\",\"view\",\"5000000000\",\"--log-failed\"],"
	      "\"tail\":true}",
	      "{\"runId\":5000000000,\"failedOnly\":true,\"logs\":\"log\"}\n");
	check("githubActions", "{\"operation\":\"getRunLogs\",\"runId\":1}",
	      &dt_op_github_read, "", "\"view\"",
	      "{\"runId\":1,\"failedOnly\":true,\"logs\":\"\",\"note\":\"No "
	      "step failed; pass failedOnly false for the whole log.\"}\n");
	refuse("githubActions", "{\"operation\":\"getRunLogs\"}",
	       "runId: missing; listRuns tells the ids\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(issues_are_listed_read_made_and_answered),
		cmocka_unit_test(
			runs_are_listed_and_their_logs_told_from_the_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
