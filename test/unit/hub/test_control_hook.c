#include "agent.h"

#include "dialect/claude_tools.h"

/* A hook that was run before the CLI changes a.txt; a command for the person. */
struct scene {
	struct dt_workspace *ws;
	struct client *hook;
	struct client *command;
	char *path;
};

static struct scene open_scene(struct world *w)
{
	struct scene s = { .ws = serve(w) };

	s.hook = connect_command(w);
	s.command = connect_command(w);
	s.path = make_file(w, "a.txt", "one\n");
	return s;
}

/* hook/claude with this tool and input; the answer is still to be heard. */
static void run_hook(struct scene *s, const char *mode, const char *tool,
                     const char *input)
{
	struct world *w = s->hook->w;

	request(s->hook, "hook/claude",
	        text_of(w,
	                "{\"input\":{\"session_id\":\"cli-1\",\"cwd\":\"%s\","
	                "\"permission_mode\":\"%s\",\"hook_event_name\":"
	                "\"PreToolUse\",\"tool_name\":\"%s\","
	                "\"tool_input\":%s}}",
	                w->project, mode, tool, input));
}

static const char *edit_of(struct scene *s, const char *from, const char *to)
{
	return text_of(s->hook->w,
	               "{\"file_path\":\"%s\",\"old_string\":\"%s\","
	               "\"new_string\":\"%s\"}",
	               s->path, from, to);
}

/* An edit of the scene's file that waits; its review. */
static struct dt_review *open_edit(struct scene *s)
{
	run_hook(s, "auto", "Edit", edit_of(s, "one", "two"));
	return last_review(s->hook->w);
}

/* What the hook prints. */
static const char *output(struct scene *s)
{
	return at(s->hook->w, hear(s->hook), "result.output");
}

/* A member of what the hook tells the CLI. */
static const char *told(struct scene *s, const char *printed, const char *name)
{
	return at(s->hook->w, printed,
	          text_of(s->hook->w, "hookSpecificOutput.%s", name));
}

#define DECISION "permissionDecision"
#define REASON "permissionDecisionReason"

static void assert_asks(struct scene *s, const char *why)
{
	const char *printed = output(s);

	assert_string_equal(told(s, printed, DECISION), "ask");
	assert_non_null(strstr(told(s, printed, REASON), why));
	assert_true(dt_list_is_empty(&s->hook->w->hub.inbox.list));
}

/* verdicts */

world_test(an_edit_waits_as_a_review_of_the_clis_session)
{
	struct world *w = *state;
	struct scene s = open_scene(w);
	struct dt_review *r = open_edit(&s);

	assert_string_equal(r->session, "cli-1");
	assert_string_equal(r->agent, "claude-code");
	assert_string_equal(r->title, "a.txt");
	assert_string_equal(r->workspace, s.ws->record.id);
	assert_int_equal(r->set.entries[0].kind, DT_CHANGE_EDIT);
	assert_str(r->set.entries[0].old_text, "one\n");
	assert_str(r->set.entries[0].proposed, "two\n");
	expect_silence(s.hook, 20);
}

world_test(an_accepted_edit_is_allowed_as_it_is)
{
	struct world *w = *state;
	struct scene s = open_scene(w);
	const char *printed;

	decide(s.command, open_edit(&s)->id, "\"verdict\":\"accept\"");
	printed = output(&s);
	assert_string_equal(told(&s, printed, DECISION), "allow");
	assert_null(told(&s, printed, "updatedInput"));
	assert_string_equal(file_text(w, s.path), "one\n");
}

world_test(the_persons_text_is_the_new_input)
{
	struct world *w = *state;
	struct scene s = open_scene(w);
	const char *printed;

	decide(s.command, open_edit(&s)->id,
	       "\"verdict\":\"accept\",\"text\":\"mi\\u0000ne\"");
	printed = output(&s);
	assert_string_equal(told(&s, printed, DECISION), "allow");
	assert_string_equal(told(&s, printed, "updatedInput.old_string"),
	                    "one\n");
	assert_non_null(strstr(printed, "\"new_string\":\"mi\\u0000ne\""));
}

world_test(a_rejection_carries_the_comment)
{
	struct world *w = *state;
	struct scene s = open_scene(w);
	const char *printed;

	decide(s.command, open_edit(&s)->id,
	       "\"verdict\":\"reject\",\"comment\":\"not \\\"so\\\"\"");
	printed = output(&s);
	assert_string_equal(told(&s, printed, DECISION), "deny");
	assert_string_equal(told(&s, printed, REASON),
	                    "The person rejected this change: not \"so\"");
	decide(s.command, open_edit(&s)->id, "\"verdict\":\"reject\"");
	assert_string_equal(told(&s, output(&s), REASON),
	                    "The person rejected this change.");
}

world_test(a_new_file_is_a_creation)
{
	struct world *w = *state;
	struct scene s = open_scene(w);
	struct dt_review *r;

	run_hook(&s, "acceptEdits", "Write",
	         text_of(w, "{\"file_path\":\"%s/b\",\"content\":\"new\"}",
	                 w->project));
	r = last_review(w);
	assert_int_equal(r->set.entries[0].kind, DT_CHANGE_CREATE);
	assert_str(r->set.entries[0].proposed, "new");
	decide(s.command, r->id, "\"verdict\":\"accept\"");
	assert_string_equal(told(&s, output(&s), DECISION), "allow");
}

world_test(a_file_changed_meanwhile_is_denied)
{
	struct world *w = *state;
	struct scene s = open_scene(w);
	const char *id = open_edit(&s)->id;
	const char *printed;

	put_file(s.path, "other\n");
	decide(s.command, id, "\"verdict\":\"accept\"");
	printed = output(&s);
	assert_string_equal(told(&s, printed, DECISION), "deny");
	assert_non_null(strstr(told(&s, printed, REASON), "was changed"));

	put_file(s.path, "one\n");
	id = open_edit(&s)->id;
	unlink(s.path);
	decide(s.command, id, "\"verdict\":\"accept\"");
	assert_string_equal(told(&s, output(&s), DECISION), "deny");
}

world_test(a_text_the_tool_cannot_write_is_denied)
{
	struct world *w = *state;
	struct scene s = open_scene(w);
	const char *printed;

	decide(s.command, open_edit(&s)->id,
	       "\"verdict\":\"accept\",\"text\":\"one\\n\"");
	printed = output(&s);
	assert_string_equal(told(&s, printed, DECISION), "deny");
	assert_string_equal(told(&s, printed, REASON),
	                    "The person left the file as it was.");
}

/* ends without a verdict */

world_test(a_killed_hook_takes_its_edit_back)
{
	struct world *w = *state;
	struct scene s = open_scene(w);
	char *id = text_of(w, "%s", open_edit(&s)->id);
	const char *got;

	drop(s.hook);
	wait_for(w, dt_list_is_empty(&w->hub.inbox.list));
	got = ask(s.command, "review/get", text_of(w, "{\"id\":\"%s\"}", id));
	assert_string_equal(at(w, got, "result.state"), "withdrawn");
}

world_test(a_review_that_is_taken_back_is_no_answer)
{
	struct world *w = *state;
	struct scene s = open_scene(w);

	open_edit(&s);
	dt_inbox_withdraw(&w->hub.inbox, "cli-1", NULL, "gone");
	assert_string_equal(at(w, hear(s.hook), "error.message"), "gone");
}

/* The hook of the scene asks, under a name of its own. */
static void run_named(struct scene *s, struct client *hook, bool is_again)
{
	struct world *w = hook->w;

	s->hook = hook;
	request(hook, "hook/claude",
	        text_of(w,
	                "{\"call\":\"c0ffee\",\"isAgain\":%s,\"input\":{"
	                "\"session_id\":\"cli-1\",\"cwd\":\"%s\","
	                "\"permission_mode\":\"auto\",\"hook_event_name\":"
	                "\"PreToolUse\",\"tool_name\":\"Edit\","
	                "\"tool_input\":%s}}",
	                is_again ? "true" : "false", w->project,
	                edit_of(s, "one", "two")));
}

/* A review whose hook has lost its connection; its id. */
static char *lose_hook(struct world *w, struct scene *s)
{
	char *id;

	run_named(s, s->hook, false);
	id = text_of(w, "%s", last_review(w)->id);
	/* As when the daemon goes and not the hook. */
	w->hub.is_stopping = true;
	drop(s->hook);
	wait_for(w, dt_list_is_empty(&w->hub.inbox.list));
	w->hub.is_stopping = false;
	return id;
}

world_test(a_hook_that_is_back_goes_on_with_its_review)
{
	struct world *w = *state;
	struct scene s = open_scene(w);
	char *id = lose_hook(w, &s);
	struct dt_review *r;
	int64_t opened_ms;
	const char *got =
		ask(s.command, "review/get", text_of(w, "{\"id\":\"%s\"}", id));

	assert_string_equal(at(w, got, "result.state"), "orphaned");
	ask(s.command, "review/keep",
	    text_of(w, "{\"id\":\"%s\",\"text\":\"mine\\n\"}", id));
	opened_ms = atoll(at(w, got, "result.openedMs"));
	run_named(&s, connect_command(w), true);
	r = last_review(w);
	assert_string_equal(r->id, id);
	assert_int_equal(r->state, DT_REVIEW_WAITING);
	assert_int_equal(r->opened_ms, opened_ms);
	assert_str(r->set.entries[0].final, "mine\n");
	assert_str(r->set.entries[0].old_text, "one\n");
	assert_str(r->set.entries[0].proposed, "two\n");
	decide(s.command, id, "\"verdict\":\"accept\"");
	assert_string_equal(told(&s, output(&s), DECISION), "allow");
}

world_test(a_verdict_given_meanwhile_is_told_at_once)
{
	struct world *w = *state;
	struct scene s = open_scene(w);
	char *id = lose_hook(w, &s);
	const char *printed;

	decide(s.command, id, "\"verdict\":\"reject\",\"comment\":\"not so\"");
	run_named(&s, connect_command(w), true);
	printed = output(&s);
	assert_string_equal(told(&s, printed, DECISION), "deny");
	assert_non_null(strstr(told(&s, printed, REASON), "not so"));
	assert_true(dt_list_is_empty(&w->hub.inbox.list));
}

world_test(a_change_written_meanwhile_is_not_made_twice)
{
	struct world *w = *state;
	struct scene s = open_scene(w);
	char *id = lose_hook(w, &s);

	ask(s.command, "review/apply", text_of(w, "{\"id\":\"%s\"}", id));
	assert_string_equal(file_text(w, s.path), "two\n");
	run_named(&s, connect_command(w), true);
	assert_string_equal(told(&s, output(&s), DECISION), "deny");
}

world_test(a_hook_of_which_nothing_was_kept_begins_once_more)
{
	struct world *w = *state;
	struct scene s = open_scene(w);

	run_named(&s, s.hook, true);
	decide(s.command, last_review(w)->id, "\"verdict\":\"accept\"");
	assert_string_equal(told(&s, output(&s), DECISION), "allow");
}

world_test(a_hook_that_dies_while_it_is_looked_for_takes_its_edit_back)
{
	struct world *w = *state;
	struct scene s = open_scene(w);
	char *id = lose_hook(w, &s);
	struct client *back = connect_command(w);

	run_named(&s, back, true);
	drop(back);
	wait_for(w, dt_list_is_empty(&w->hub.inbox.list) &&
	                    !strcmp(at(w,
	                               ask(s.command, "review/get",
	                                   text_of(w, "{\"id\":\"%s\"}", id)),
	                               "result.state"),
	                            "withdrawn"));
}

world_test(a_hub_that_stops_leaves_no_hook_waiting)
{
	struct world *w = *state;
	struct scene s = open_scene(w);

	open_edit(&s);
	stop_hub(w);
	assert_false(w->has_hub);
}

/* what is not reviewed here */

/* The CLI the hook belongs to: this process is both. */
static struct dt_session *connect_cli(struct scene *s)
{
	struct world *w = s->hook->w;

	say(connect_agent(s->ws, w),
	    text_of(w,
	            "{\"jsonrpc\":\"2.0\",\"method\":\"ide_connected\","
	            "\"params\":{\"pid\":%d}}",
	            (int)getpid()));
	wait_for(w, last_session(s->ws)->agent.pid == getpid());
	return last_session(s->ws);
}

world_test(a_cli_that_asks_by_itself_is_left_to_it)
{
	struct world *w = *state;
	struct scene s = open_scene(w);

	connect_cli(&s);
	run_hook(&s, "default", "Edit", edit_of(&s, "one", "two"));
	assert_string_equal(output(&s), "");
	run_hook(&s, "plan", "Edit", edit_of(&s, "one", "two"));
	assert_string_equal(output(&s), "");
	assert_true(dt_list_is_empty(&w->hub.inbox.list));
	open_edit(&s);
}

/* Lines of which only those from `from` to `to` are new. */
static const char *lines_of(struct world *w, int count, int from, int to)
{
	struct dt_buf text;
	char *made;

	dt_buf_init(&text, DT_MIB);
	for (int i = 0; i < count; i++)
		dt_buf_add_z(&text,
		             text_of(w, "%s %d\n",
		                     i >= from && i < to ? "new" : "old", i));
	made = text_of(w, "%s", dt_buf_z(&text));
	dt_buf_done(&text);
	return made;
}

static void on_decided(struct dt_review *r, const struct dt_fail *fail,
                       void *owner)
{
	(void)r;
	(void)fail;
	(void)owner;
}

/* Its verdict would be lost on the way. */
world_test(a_large_rewrite_is_asked_about_here_though_the_cli_would)
{
	static const struct {
		const char *mode;
		int from;
		int to;
		bool is_asked;
	} cases[] = {
		{ "default", 0, 3000, true },
		{ "default", 1000, 1800, true },
		{ "default", 1000, 1700, false },
		{ "default", 0, 0, false },
		{ "plan", 0, 3000, false },
	};
	/* Every client of this test is a child of the CLI. */
	struct dt_verdict verdict = { .outcome = DT_ACCEPTED };
	struct world *w = *state;
	struct scene s = open_scene(w);

	connect_cli(&s);
	put_file(s.path, lines_of(w, 3000, 0, 0));
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *text =
			lines_of(w, 3000, cases[i].from, cases[i].to);

		run_hook(&s, cases[i].mode, "Write",
		         text_of(w, "{\"file_path\":\"%s\",\"content\":%s}",
		                 s.path, quoted(w, text)));
		if (cases[i].is_asked)
			assert_ok(dt_inbox_decide(last_review(w), &verdict,
			                          on_decided, NULL, NULL));
		if (cases[i].is_asked)
			assert_string_equal(told(&s, output(&s), DECISION),
			                    "allow");
		else
			assert_string_equal(output(&s), "");
	}
}

static const char *prompted(struct scene *s)
{
	request(s->hook, "hook/prompt",
	        "{\"input\":{\"session_id\":\"cli-1\",\"hook_event_name\":"
	        "\"UserPromptSubmit\",\"prompt\":\"go on\"}}");
	return output(s);
}

world_test(words_of_a_verdict_over_the_link_go_with_the_next_prompt)
{
	struct world *w = *state;
	struct scene s = open_scene(w);
	struct dt_session *cli = connect_cli(&s);

	assert_string_equal(prompted(&s), "");
	dt_claude_keep_words(&cli->agent, false, "/w/a", "too \"long\"");
	dt_claude_keep_words(&cli->agent, true, "/w/b", "fine");
	dt_claude_keep_words(&cli->agent, true, "/w/c", NULL);
	assert_string_equal(told(&s, prompted(&s), "additionalContext"),
	                    "The person rejected your change of /w/a: too "
	                    "\"long\"\n"
	                    "The person accepted your change of /w/b and says: "
	                    "fine\n");
	assert_string_equal(prompted(&s), "");
}

world_test(a_prompt_of_a_cli_without_a_link_carries_nothing)
{
	struct world *w = *state;
	struct scene s = open_scene(w);

	assert_string_equal(prompted(&s), "");
}

world_test(a_session_knows_its_hook_and_its_reviews)
{
	struct world *w = *state;
	struct scene s = open_scene(w);
	struct dt_session *session = connect_cli(&s);
	int64_t before = dt_clock_wall_ms();

	assert_int_equal(session->hook.called_ms, 0);
	assert_int_equal(dt_session_waiting(session), 0);
	open_edit(&s);
	assert_true(session->hook.called_ms >= before);
	assert_string_equal(session->hook.mode, "auto");
	assert_string_equal(session->hook.session, "cli-1");
	assert_int_equal(dt_session_waiting(session), 1);
	connect_agent(s.ws, w);
	assert_int_equal(dt_session_waiting(last_session(s.ws)), 0);
}

world_test(a_cli_without_a_link_is_reviewed_in_manual_mode_too)
{
	struct world *w = *state;
	struct scene s = open_scene(w);

	run_hook(&s, "default", "Edit", edit_of(&s, "one", "two"));
	last_review(w);
}

/* The same process started `dovetail mcp`, before its IDE link was there. */
world_test(an_mcp_session_of_the_cli_is_not_its_link)
{
	struct world *w = *state;
	struct scene s = open_scene(w);
	struct dt_session *mcp;
	struct dt_session *cli;

	ask(connect_command(w), "mcp.attach",
	    text_of(w, "{\"workspace\":\"%s\",\"client\":%d}", w->project,
	            (int)getpid()));
	wait_for(w, s.ws->session_count == 1);
	mcp = last_session(s.ws);
	run_hook(&s, "default", "Edit", edit_of(&s, "one", "two"));
	last_review(w);
	assert_int_equal(mcp->hook.called_ms, 0);
	cli = connect_cli(&s);
	run_hook(&s, "default", "Edit", edit_of(&s, "one", "two"));
	assert_string_equal(output(&s), "");
	assert_true(cli->hook.called_ms > 0);
}

world_test(other_tools_are_none_of_our_business)
{
	struct world *w = *state;
	struct scene s = open_scene(w);

	run_hook(&s, "auto", "Bash", "{\"command\":\"ls\"}");
	assert_string_equal(output(&s), "");
}

world_test(what_cannot_be_shown_the_cli_asks_about)
{
	struct world *w = *state;
	struct scene s = open_scene(w);

	run_hook(&s, "auto", "Edit", edit_of(&s, "three", "two"));
	assert_asks(&s, "old_string is not in the file");
	put_file(s.path, "caf\xe9 one\n");
	run_hook(&s, "auto", "Edit", edit_of(&s, "one", "two"));
	assert_asks(&s, "not UTF-8");
	run_hook(&s, "auto", "Write",
	         text_of(w, "{\"file_path\":\"%s\",\"content\":\"\"}",
	                 w->project));
	assert_asks(&s, "Dovetail cannot show this change");
}

world_test(a_file_outside_is_reviewed_where_the_cli_works)
{
	struct world *w = *state;
	struct scene s = open_scene(w);
	struct dt_review *r;

	run_hook(&s, "auto", "Write",
	         text_of(w, "{\"file_path\":\"%s/b\",\"content\":\"x\"}",
	                 w->home));
	r = last_review(w);
	assert_string_equal(r->workspace, s.ws->record.id);
	assert_true(r->set.entries[0].is_outside ||
	            r->set.entries[0].kind == DT_CHANGE_CREATE);
}

world_test(a_folder_that_is_not_served_is_served)
{
	struct world *w = *state;
	struct scene s = {
		.hook = connect_command(w),
		.path = make_file(w, "a.txt", "one\n"),
	};
	struct dt_review *r = open_edit(&s);

	assert_string_equal(
		r->workspace,
		dt_workspace_by_root(&w->hub, w->project)->record.id);
}

world_test(malformed_input_is_a_failure)
{
	struct world *w = *state;
	struct scene s = open_scene(w);
	const char *heard = ask(s.hook, "hook/claude", "{\"input\":7}");

	assert_non_null(at(w, heard, "error.message"));
	heard = ask(s.hook, "hook/claude", "{}");
	assert_string_equal(at(w, heard, "error.message"), "input: missing");
	run_hook(&s, "auto", "Edit", "{}");
	assert_string_equal(at(w, hear(s.hook), "error.message"),
	                    "tool_input: names no file");
}

/* A path as a hook would send it, to a file with that name and mode. */
static const char *by_file(struct scene *s, const char *name, unsigned mode)
{
	struct world *w = s->hook->w;
	char *path = text_of(w, "%s/%s", w->hub.dirs.run, name);

	unlink(path);
	put_file(path, text_of(w,
	                       "{\"session_id\":\"s\",\"cwd\":\"%s\","
	                       "\"hook_event_name\":\"PreToolUse\","
	                       "\"tool_name\":\"Bash\",\"tool_input\":{}}",
	                       w->project));
	assert_int_equal(chmod(path, mode), 0);
	return ask(s->hook, "hook/claude",
	           text_of(w, "{\"inputFile\":\"%s\"}", path));
}

world_test(a_large_input_comes_by_a_private_file_that_is_removed)
{
	struct world *w = *state;
	struct scene s = open_scene(w);
	const char *heard = by_file(&s, "hook-1", 0600);

	assert_string_equal(at(w, heard, "result.output"), "");
	assert_false(is_there(text_of(w, "%s/hook-1", w->hub.dirs.run)));
	heard = by_file(&s, "hook-1", 0644);
	assert_string_equal(at(w, heard, "error.code"), "-32010");
	heard = by_file(&s, "other", 0600);
	assert_string_equal(at(w, heard, "error.code"), "-32010");
	assert_true(is_there(text_of(w, "%s/other", w->hub.dirs.run)));
	/* Wherever it is said to be, it is looked for there alone. */
	put_file(text_of(w, "%s/hook-2", w->project), "{}");
	heard = ask(s.hook, "hook/claude",
	            text_of(w, "{\"inputFile\":\"%s/hook-2\"}", w->project));
	assert_string_equal(at(w, heard, "error.code"), "-32010");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_world(an_edit_waits_as_a_review_of_the_clis_session),
		test_in_world(an_accepted_edit_is_allowed_as_it_is),
		test_in_world(the_persons_text_is_the_new_input),
		test_in_world(a_rejection_carries_the_comment),
		test_in_world(a_new_file_is_a_creation),
		test_in_world(a_file_changed_meanwhile_is_denied),
		test_in_world(a_text_the_tool_cannot_write_is_denied),
		test_in_world(a_killed_hook_takes_its_edit_back),
		test_in_world(a_review_that_is_taken_back_is_no_answer),
		test_in_world(a_hook_that_is_back_goes_on_with_its_review),
		test_in_world(a_verdict_given_meanwhile_is_told_at_once),
		test_in_world(a_change_written_meanwhile_is_not_made_twice),
		test_in_world(
			a_hook_of_which_nothing_was_kept_begins_once_more),
		test_in_world(
			a_hook_that_dies_while_it_is_looked_for_takes_its_edit_back),
		test_in_world(a_hub_that_stops_leaves_no_hook_waiting),
		test_in_world(a_cli_that_asks_by_itself_is_left_to_it),
		test_in_world(
			words_of_a_verdict_over_the_link_go_with_the_next_prompt),
		test_in_world(a_prompt_of_a_cli_without_a_link_carries_nothing),
		test_in_world(a_session_knows_its_hook_and_its_reviews),
		test_in_world(
			a_cli_without_a_link_is_reviewed_in_manual_mode_too),
		test_in_world(
			a_large_rewrite_is_asked_about_here_though_the_cli_would),
		test_in_world(an_mcp_session_of_the_cli_is_not_its_link),
		test_in_world(other_tools_are_none_of_our_business),
		test_in_world(what_cannot_be_shown_the_cli_asks_about),
		test_in_world(a_file_outside_is_reviewed_where_the_cli_works),
		test_in_world(a_folder_that_is_not_served_is_served),
		test_in_world(malformed_input_is_a_failure),
		test_in_world(
			a_large_input_comes_by_a_private_file_that_is_removed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
