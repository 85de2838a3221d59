#include "editor/git_write.h"
#include "tool/git_tools.h"
#include "tool/script.h"
#include "unit.h"

/* One operation, its result, and what both sides see. */
static void check(const char *name, const char *args,
                  const struct dt_operation *op, const void *result,
                  const char *asked, const char *replied)
{
	const struct step steps[] = { { op, result }, { 0 } };
	struct script s;

	script_begin(&s);
	script_call(&s, script_find(dt_tools_git_write.tools, name), args,
	            steps);
	assert_asked(&s, asked);
	assert_reply(&s, replied);
	script_end(&s);
}

test(what_is_staged_is_counted)
{
	const char *names[] = { "/w/a", "/w/b" };
	struct dt_git_add_result result = { { names, 2 } };

	check("gitAdd", "{\"files\":[\"a\"],\"addUntracked\":true}",
	      &dt_op_git_add, &result,
	      "gitAdd{\"files\":[\"a\"],\"untracked\":true}\n",
	      "{\"staged\":[\"/w/a\",\"/w/b\"],\"count\":2}\n");
}

test(a_commit_tells_its_id_and_files)
{
	const char *names[] = { "/w/a" };
	struct dt_git_commit_result result = { "h", NULL, "s", { names, 1 } };

	check("gitCommit", "{\"message\":\"s\\n\\nb\",\"addAll\":true}",
	      &dt_op_git_commit, &result,
	      "gitCommit{\"message\":\"s\\n\\nb\",\"all\":true}\n",
	      "{\"hash\":\"h\",\"message\":\"s\",\"files\":[\"/w/a\"],"
	      "\"count\":1}\n");
}

test(a_new_branch_is_called_created)
{
	struct dt_git_checkout_result result = { "t", "main" };

	check("gitCheckout", "{\"branch\":\"t\",\"create\":true}",
	      &dt_op_git_checkout, &result,
	      "gitCheckout{\"branch\":\"t\",\"create\":true}\n",
	      "{\"branch\":\"t\",\"previousBranch\":\"main\","
	      "\"created\":true}\n");
}

test(stashes_are_named_by_their_ids)
{
	struct dt_git_stash_result result = { "h" };

	check("gitStash", "{\"includeUntracked\":true}", &dt_op_git_stash,
	      &result, "gitStash{\"untracked\":true}\n",
	      "{\"stashed\":true,\"stashRef\":\"h\"}\n");
	check("gitStashPop", "{\"index\":2,\"directory\":\"/w/s\"}",
	      &dt_op_git_stash_pop, &result,
	      "gitStashPop{\"path\":\"/w/s\",\"index\":2}\n",
	      "{\"restored\":true,\"stashRef\":\"h\"}\n");
}

test(remotes_say_what_is_new)
{
	struct dt_git_ref_change ref = { "refs/tags/v1", NULL, "h" };
	struct dt_git_fetch_result fetched = { { NULL, 0 } };
	struct dt_git_pull_result pulled = { "a", "a" };
	struct dt_git_push_result pushed = { "o", "b", "h", "new" };

	check("gitFetch", "{}", &dt_op_git_fetch, &fetched,
	      "gitFetch{\"all\":false}\n",
	      "{\"fetched\":true,\"nothingNew\":true,\"refs\":[]}\n");
	fetched.refs = (struct dt_items){ &ref, 1 };
	check("gitFetch", "{\"remote\":\"o\"}", &dt_op_git_fetch, &fetched,
	      "gitFetch{\"remote\":\"o\",\"all\":false}\n",
	      "{\"fetched\":true,\"nothingNew\":false,\"refs\":[{\"name\":"
	      "\"refs/tags/v1\",\"after\":\"h\"}]}\n");
	check("gitPull", "{\"rebase\":true}", &dt_op_git_pull, &pulled,
	      "gitPull{\"rebase\":true}\n",
	      "{\"alreadyUpToDate\":true,\"before\":\"a\",\"after\":\"a\"}\n");
	pulled.before = NULL;
	check("gitPull", "{}", &dt_op_git_pull, &pulled,
	      "gitPull{\"rebase\":false}\n",
	      "{\"alreadyUpToDate\":false,\"after\":\"a\"}\n");
	check("gitPush", "{\"setUpstream\":true,\"force\":true}",
	      &dt_op_git_push, &pushed,
	      "gitPush{\"setUpstream\":true,\"force\":true}\n",
	      "{\"remote\":\"o\",\"branch\":\"b\",\"hash\":\"h\","
	      "\"state\":\"new\"}\n");
}

/* Policy and annotations go by these. */
test(each_says_that_it_runs_and_who_goes_abroad)
{
	for (size_t i = 0; i < dt_tools_git_write.count; i++) {
		const struct dt_tool *tool = &dt_tools_git_write.tools[i];
		bool is_abroad = !strcmp(tool->name, "gitFetch") ||
		                 !strcmp(tool->name, "gitPull") ||
		                 !strcmp(tool->name, "gitPush");

		assert_int_equal(tool->effect, DT_RUNS);
		assert_int_equal(!!(tool->flags & DT_TOOL_ABROAD), is_abroad);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_staged_is_counted),
		cmocka_unit_test(a_commit_tells_its_id_and_files),
		cmocka_unit_test(a_new_branch_is_called_created),
		cmocka_unit_test(stashes_are_named_by_their_ids),
		cmocka_unit_test(remotes_say_what_is_new),
		cmocka_unit_test(each_says_that_it_runs_and_who_goes_abroad),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
