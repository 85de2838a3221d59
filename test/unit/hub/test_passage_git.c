/* test/unit/hub/test_passage_git.c - patches pass without what is denied. */
#include "agent.h"

#include "editor/git_write.h"
#include "hub/passage_git.h"

/* An editor that answers when it is told to. */
static struct dt_answer *pending;

static void keep(struct dt_editor *editor, const struct dt_operation *op,
                 const void *args, struct dt_answer *answer)
{
	(void)editor;
	(void)op;
	(void)args;
	pending = answer;
}

/* Names and texts of a patch as the agent gets them, and how many are missing. */
static void on_patch(struct dt_answer *answer, const void *result,
                     const struct dt_fail *fail, void *owner)
{
	const struct dt_git_diff_result *diff = result;
	const struct dt_git_file_diff *file;
	struct dt_buf *text = owner;

	(void)answer;
	dt_buf_clear(text);
	if (fail) {
		dt_buf_add_z(text, fail->msg);
		return;
	}
	file = diff->files.ptr;
	for (size_t i = 0; i < diff->files.count; i++)
		dt_buf_addf(text, "%s=%.*s ", file[i].path,
		            DT_STR_ARG(file[i].text));
	dt_buf_addf(text, "and %u", diff->left_out);
}

static void ask_patch(struct dt_workspace *ws, const struct dt_operation *op,
                      const void *args, const void *result, struct dt_buf *text)
{
	struct dt_caller *caller = &last_session(ws)->agent.caller;
	struct dt_answer answer;

	pending = NULL;
	dt_answer_init(&answer, on_patch, text);
	caller->perform(caller, op, args, &answer);
	if (pending)
		dt_answer_end(pending, result);
}

world_test(denied_files_are_taken_out_of_a_patch)
{
	struct dt_git_file_diff files[] = {
		{ .path = "/w/.env", .text = DT_STR("secret") },
		{ .path = "/w/a", .text = DT_STR("free") },
		{ .path = "/w/b", .old_path = "/w/.env", .text = DT_STR("x") },
		/* Numbers alone. */
		{ .path = "/w/.env", .added = 1 },
	};
	struct dt_git_show_result shown = { .diff = {
						    { files, 4 }, false, 1 } };
	struct dt_github_args github = { 0 };
	struct dt_git_show_args show = { 0 };
	struct dt_git_diff_args diff = { 0 };
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	const struct dt_backend *real = ws->editor->backend;
	struct dt_backend slow = { .name = "slow", .perform = keep };
	struct dt_buf text;

	ws->editor->backend = &slow;
	connect_agent(ws, w);
	dt_buf_init(&text, DT_MIB);
	ask_patch(ws, &dt_op_git_diff, &diff, &shown.diff, &text);
	assert_string_equal(dt_buf_z(&text), "/w/a=free /w/.env= and 3");
	/* What is shown of a commit begins with a diff. */
	ask_patch(ws, &dt_op_git_show, &show, &shown, &text);
	assert_string_equal(dt_buf_z(&text), "/w/a=free /w/.env= and 3");
	ask_patch(ws, &dt_op_github_diff, &github, &shown.diff, &text);
	assert_string_equal(dt_buf_z(&text), "/w/a=free /w/.env= and 3");
	diff.path = "/w/.env";
	ask_patch(ws, &dt_op_git_diff, &diff, &shown.diff, &text);
	assert_non_null(strstr(dt_buf_z(&text), ".env is kept from agents"));
	ask_patch(ws, &dt_op_git_blame,
	          &(struct dt_git_blame_args){ "/w/.env" }, NULL, &text);
	assert_non_null(strstr(dt_buf_z(&text), ".env is kept from agents"));
	dt_buf_done(&text);
	ws->editor->backend = real;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_world(denied_files_are_taken_out_of_a_patch),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
