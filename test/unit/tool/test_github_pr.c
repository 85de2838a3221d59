#include "editor/git_write.h"
#include "tool/git_tools.h"
#include "tool/script.h"
#include "unit.h"

static const struct dt_tool *tool(void)
{
	return script_find(dt_tools_github_pr.tools, "githubPR");
}

static void check(const char *args, const struct dt_operation *op,
                  const char *output, const char *asked, const char *replied)
{
	struct dt_github_result gh = { dt_str(output), false };
	const struct step steps[] = { { op, &gh }, { 0 } };
	struct script s;

	script_begin(&s);
	script_call(&s, tool(), args, steps);
	assert_non_null(strstr(dt_buf_z(&s.asked), asked));
	assert_reply(&s, replied);
	script_end(&s);
}

static void refuse(const char *args, const char *sentence)
{
	static const struct step none[] = { { 0 } };
	struct script s;

	script_begin(&s);
	script_call(&s, tool(), args, none);
	assert_failure(&s, sentence);
	script_end(&s);
}

test(values_stay_with_their_options)
{
	check("{\"operation\":\"create\",\"title\":\"--web\",\"base\":\"m\","
	      "\"draft\":true}",
	      &dt_op_github_write, "warning\nhttps://github.com/a/b/pull/7\n",
	      "{\"words\":[\"pr\",\"create\",\"--title=--web\",\"--body=\","
	      "\"--base=m\",\"--draft\"]",
	      "{\"number\":7,\"url\":\"https://github.com/a/b/pull/7\","
	      "\"title\":\"--web\"}\n");
}

test(pull_requests_are_read_as_data)
{
	check("{\"operation\":\"view\",\"number\":3}", &dt_op_github_read,
	      "{\"number\":3,\"title\":\"t\",\"state\":\"OPEN\","
	      "\"url\":\"u\",\"body\":\"b\",\"isDraft\":true}",
	      "[\"pr\",\"view\",\"3\",\"--json=number,",
	      "{\"number\":3,\"url\":\"u\",\"title\":\"t\",\"state\":\"OPEN\","
	      "\"body\":\"b\",\"details\":{\"number\":3,\"title\":\"t\","
	      "\"state\":\"OPEN\",\"url\":\"u\",\"body\":\"b\","
	      "\"isDraft\":true}}\n");
	check("{\"operation\":\"list\",\"author\":\"x\"}", &dt_op_github_read,
	      "[{\"number\":1}]",
	      "[\"pr\",\"list\",\"--state=open\",\"--limit=20\","
	      "\"--author=x\",\"--json=",
	      "{\"prs\":[{\"number\":1}],\"count\":1}\n");
	check("{\"operation\":\"list\"}", &dt_op_github_read, "what?",
	      "\"list\"", "{\"output\":\"what?\"}\n");
}

test(a_review_never_reads_files)
{
	check("{\"operation\":\"postReview\",\"number\":3,\"body\":\"@/etc\","
	      "\"event\":\"REQUEST_CHANGES\",\"comments\":[{\"path\":\"a.c\","
	      "\"line\":9,\"body\":\"@x\"}]}",
	      &dt_op_github_write, "{\"id\":5000000000,\"html_url\":\"u\"}",
	      "[\"api\",\"--method=POST\","
	      "\"repos/{owner}/{repo}/pulls/3/reviews\",\"-f\","
	      "\"event=REQUEST_CHANGES\",\"-f\",\"body=@/etc\",\"-f\","
	      "\"comments[][path]=a.c\",\"-F\",\"comments[][line]=9\",\"-f\","
	      "\"comments[][side]=RIGHT\",\"-f\",\"comments[][body]=@x\"]",
	      "{\"number\":3,\"url\":\"u\",\"reviewId\":5000000000,"
	      "\"commentsPosted\":1,\"event\":\"REQUEST_CHANGES\"}\n");
	check("{\"operation\":\"approve\",\"number\":3}", &dt_op_github_write,
	      "{\"id\":1}", "\"event=APPROVE\"]",
	      "{\"number\":3,\"reviewId\":1,\"event\":\"APPROVE\"}\n");
}

test(a_merge_tells_the_commit)
{
	check("{\"operation\":\"merge\",\"number\":3,\"mergeMethod\":"
	      "\"squash\",\"commitTitle\":\"t\"}",
	      &dt_op_github_write,
	      "{\"merged\":true,\"sha\":\"h\",\"message\":\"m\"}",
	      "[\"api\",\"--method=PUT\",\"repos/{owner}/{repo}/pulls/3/merge\","
	      "\"-f\",\"merge_method=squash\",\"-f\",\"commit_title=t\"]",
	      "{\"number\":3,\"merged\":true,\"sha\":\"h\","
	      "\"message\":\"m\"}\n");
}

test(a_diff_passes_the_gate_file_by_file)
{
	struct dt_git_diff_result diff = { .left_out = 1 };
	const struct step steps[] = { { &dt_op_github_diff, &diff }, { 0 } };
	struct script s;

	script_begin(&s);
	script_call(&s, tool(), "{\"operation\":\"getDiff\",\"number\":3}",
	            steps);
	assert_asked(&s, "githubDiff{\"words\":[\"pr\",\"diff\",\"3\","
	                 "\"--color=never\"],\"tail\":false}\n");
	assert_reply(&s, "{\"number\":3,\"diff\":\"\",\"leftOut\":1,"
	                 "\"note\":\"1 file is left out: its contents are "
	                 "kept from agents.\"}\n");
	script_end(&s);
}

test(what_an_operation_needs_is_asked_for)
{
	refuse("{\"operation\":\"merge\"}",
	       "number: missing; list tells the numbers\n");
	refuse("{\"operation\":\"create\"}", "title: missing\n");
	refuse("{\"operation\":\"postReview\",\"number\":1}",
	       "body: missing\n");
	refuse("{\"operation\":\"list\",\"limit\":101}",
	       "limit: must be 1 to 100\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_stay_with_their_options),
		cmocka_unit_test(pull_requests_are_read_as_data),
		cmocka_unit_test(a_review_never_reads_files),
		cmocka_unit_test(a_merge_tells_the_commit),
		cmocka_unit_test(a_diff_passes_the_gate_file_by_file),
		cmocka_unit_test(what_an_operation_needs_is_asked_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
