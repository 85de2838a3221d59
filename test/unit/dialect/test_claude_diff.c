#include "hub/agent.h"

#include "dialect/claude_tools.h"

#define TAB "\xe2\x9c\xbb [Claude Code] a.txt (ea687b) \xe2\xa7\x89"

world_test(an_accepted_change_is_told_with_its_text)
{
	struct world *w = *state;
	struct client *c = connect_agent(serve(w), w);
	char *path = make_file(w, "a.txt", "one\n");
	struct dt_review *r = propose(c, path, "ONE\n", TAB);

	assert_string_equal(r->title, TAB);
	assert_int_equal(r->set.count, 1);
	assert_int_equal(r->set.entries[0].kind, DT_CHANGE_EDIT);
	assert_null(r->set.entries[0].new_path);
	assert_false(r->set.entries[0].is_outside);
	assert_false(has_heard(c));
	decide(connect_command(w), r->id, "\"verdict\":\"accept\"");
	expect_texts(c, c->id, "FILE_SAVED", "ONE\n");
	assert_string_equal(file_text(w, path), "one\n");
}

world_test(the_persons_own_text_is_told_as_it_is)
{
	static const char *const texts[] = { "mine", "mine\r\n", "" };
	struct world *w = *state;
	struct client *c = connect_agent(serve(w), w);
	struct client *command = connect_command(w);
	char *path = make_file(w, "a.txt", "one\n");

	for (size_t i = 0; i < 3; i++) {
		struct dt_review *r = propose(c, path, "ONE\n", TAB);

		decide(command, r->id,
		       text_of(w, "\"verdict\":\"accept\",\"text\":%s",
		               quoted(w, texts[i])));
		expect_texts(c, c->id, "FILE_SAVED", texts[i]);
	}
}

world_test(a_rejected_change_is_told_with_its_tab)
{
	struct world *w = *state;
	struct client *c = connect_agent(serve(w), w);
	struct dt_review *r =
		propose(c, make_file(w, "a.txt", "one\n"), "ONE\n", TAB);

	decide(connect_command(w), r->id,
	       "\"verdict\":\"reject\",\"comment\":\"no\"");
	expect_texts(c, c->id, "DIFF_REJECTED", TAB);
}

/* The session of the only agent that is connected. */
static struct dt_agent *agent_of(struct world *w)
{
	struct dt_workspace *ws =
		DT_LIST_OF(w->hub.workspaces.next, struct dt_workspace, link);

	return &DT_LIST_OF(ws->sessions.next, struct dt_session, link)->agent;
}

world_test(words_of_a_verdict_wait_for_a_prompt)
{
	struct world *w = *state;
	struct client *c = connect_agent(serve(w), w);
	struct client *command = connect_command(w);
	char *path = make_file(w, "a.txt", "one\n");
	struct dt_buf words;

	decide(command, propose(c, path, "ONE\n", TAB)->id,
	       "\"verdict\":\"reject\",\"comment\":\"no\"");
	expect_texts(c, c->id, "DIFF_REJECTED", TAB);
	decide(command, propose(c, path, "ONE\n", TAB)->id,
	       "\"verdict\":\"accept\",\"comment\":\"but\"");
	expect_texts(c, c->id, "FILE_SAVED", "ONE\n");
	decide(command, propose(c, path, "ONE\n", TAB)->id,
	       "\"verdict\":\"reject\"");
	expect_texts(c, c->id, "DIFF_REJECTED", TAB);
	dt_buf_init(&words, DT_KIB);
	dt_claude_take_words(agent_of(w), &words);
	assert_string_equal(
		dt_buf_z(&words),
		text_of(w,
	                "The person rejected your change of %s: no\n"
	                "The person accepted your change of %s and says: but\n",
	                path, path));
	dt_buf_clear(&words);
	dt_claude_take_words(agent_of(w), &words);
	assert_int_equal(words.len, 0);
	dt_buf_done(&words);
}

world_test(an_empty_proposal_empties_the_file)
{
	struct world *w = *state;
	struct client *c = connect_agent(serve(w), w);
	struct dt_review *r =
		propose(c, make_file(w, "a.txt", "one\n"), "", TAB);

	decide(connect_command(w), r->id, "\"verdict\":\"accept\"");
	expect_texts(c, c->id, "FILE_SAVED", "");
}

world_test(close_tab_withdraws_the_review_of_that_name)
{
	struct world *w = *state;
	struct client *c = connect_agent(serve(w), w);
	char *path = make_file(w, "a.txt", "one\n");
	unsigned first;
	unsigned second;

	propose(c, path, "ONE\n", "tab 1");
	first = c->id;
	propose(c, path, "TWO\n", "tab 2");
	second = c->id;
	call(c, "close_tab", "{\"tab_name\":\"tab 1\"}");
	expect_is_error(c, first, "The agent took the change back.");
	expect_text(c, c->id, "TAB_CLOSED");
	assert_int_equal(w->hub.inbox.count, 1);
	check_call(c, "close_tab", "{\"tab_name\":\"tab 1\"}", "TAB_CLOSED");
	call(c, "close_tab", "{\"tab_name\":\"tab 2\"}");
	expect_is_error(c, second, "The agent took the change back.");
	expect_text(c, c->id, "TAB_CLOSED");
}

world_test(close_all_diff_tabs_closes_only_the_callers_own)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct client *a = connect_agent(ws, w);
	struct client *b = connect_agent(ws, w);
	char *path = make_file(w, "a.txt", "one\n");
	unsigned first;
	unsigned second;

	check_call(a, "closeAllDiffTabs", "{}", "CLOSED_0_DIFF_TABS");
	propose(a, path, "1", "same");
	first = a->id;
	propose(a, path, "2", "tab");
	second = a->id;
	propose(b, path, "3", "same");
	call(a, "closeAllDiffTabs", "{}");
	expect_is_error(a, first, "The agent took the change back.");
	expect_is_error(a, second, "The agent took the change back.");
	expect_text(a, a->id, "CLOSED_2_DIFF_TABS");
	assert_int_equal(w->hub.inbox.count, 1);
	call(a, "close_tab", "{\"tab_name\":\"same\"}");
	expect_text(a, a->id, "TAB_CLOSED");
	assert_int_equal(w->hub.inbox.count, 1);
	decide(connect_command(w), last_review(w)->id,
	       "\"verdict\":\"accept\"");
	expect_texts(b, b->id, "FILE_SAVED", "3");
}

world_test(the_new_path_may_be_absent)
{
	struct world *w = *state;
	struct client *c = connect_agent(serve(w), w);
	char *path = make_file(w, "a.txt", "one\n");

	call(c, "openDiff",
	     text_of(w,
	             "{\"old_file_path\":\"%s\",\"new_file_contents\":\"x\","
	             "\"tab_name\":\"t\"}",
	             path));
	assert_null(last_review(w)->set.entries[0].new_path);
	decide(connect_command(w), last_review(w)->id,
	       "\"verdict\":\"accept\"");
	expect_texts(c, c->id, "FILE_SAVED", "x");
}

world_test(a_file_outside_the_workspace_is_marked)
{
	struct world *w = *state;
	struct client *c = connect_agent(serve(w), w);
	char *outside = text_of(w, "%s/outside.txt", w->dir);
	char *inside = text_of(w, "%s/link.txt", w->project);
	struct dt_review *r;

	put_file(outside, "one\n");
	assert_int_equal(symlink(outside, inside), 0);
	r = propose(c, outside, "ONE\n", "t1");
	assert_true(r->set.entries[0].is_outside);
	assert_str(r->set.entries[0].old_text, "one\n");
	r = propose(c, inside, "ONE\n", "t2");
	assert_true(r->set.entries[0].is_outside);
	r = propose(c, text_of(w, "%s/new.txt", w->dir), "ONE\n", "t3");
	assert_true(r->set.entries[0].is_outside);
	assert_int_equal(r->set.entries[0].kind, DT_CHANGE_CREATE);
}

world_test(bad_arguments_open_no_review)
{
	static const char *const bad[][2] = {
		{ "{}", "old_file_path: missing" },
		{ "{\"old_file_path\":\"a\",\"new_file_contents\":\"\","
		  "\"tab_name\":\"t\"}",
		  "old_file_path: not an absolute path" },
		{ "{\"old_file_path\":\"/a\",\"tab_name\":\"t\"}",
		  "new_file_contents: missing" },
		{ "{\"old_file_path\":\"/a\",\"new_file_contents\":null,"
		  "\"tab_name\":\"t\"}",
		  "new_file_contents: expected string" },
		{ "{\"old_file_path\":\"/a\",\"new_file_contents\":\"\"}",
		  "tab_name: missing" },
		{ "{\"old_file_path\":\"/a\",\"new_file_contents\":\"\","
		  "\"tab_name\":\"t\",\"new_file_path\":7}",
		  "new_file_path: expected string" },
	};
	struct world *w = *state;
	struct client *c = connect_agent(serve(w), w);

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		call(c, "openDiff", bad[i][0]);
		expect_is_error(c, c->id, bad[i][1]);
	}
	call(c, "openDiff",
	     text_of(w,
	             "{\"old_file_path\":\"%s\",\"new_file_contents\":\"\","
	             "\"tab_name\":\"t\"}",
	             w->project));
	assert_string_equal(at(w, hear(c), "result.isError"), "true");
	assert_int_equal(w->hub.inbox.count, 0);
}

/* What an agent of this kind gets for a new file with the text "x\n". */
static const char *text_for(struct world *w, const char *name,
                            const char *version, const char *path)
{
	struct dt_workspace *ws = serve(w);
	struct client *c = connect_agent_as(ws, w, name, version);
	struct dt_review *r = propose(c, path, "x\n", "t");

	decide(connect_command(w), r->id, "\"verdict\":\"accept\"");
	return at(w, hear(c), "result.content.1.text");
}

world_test(a_new_file_gets_the_newline_that_the_client_loses)
{
	static const char *const losing[] = { "2.1.0", "2.1.325", "2.2.0",
		                              "3.0.0" };
	static const char *const keeping[] = { "2.0.99", "1.9.9", "99.0.0",
		                               "x",      "2.1",   "" };
	struct world *w = *state;
	char *new = text_of(w, "%s/new.txt", w->project);
	char *old = make_file(w, "old.txt", "");

	for (size_t i = 0; i < 4; i++) {
		assert_string_equal(text_for(w, "claude-code", losing[i], new),
		                    "x\n\n");
		assert_string_equal(text_for(w, "claude-code", losing[i], old),
		                    "x\n");
	}
	for (size_t i = 0; i < 6; i++)
		assert_string_equal(text_for(w, "claude-code", keeping[i], new),
		                    "x\n");
	assert_string_equal(text_for(w, "another", "2.1.325", new), "x\n");
}

world_test(a_new_file_may_be_accepted_empty)
{
	struct world *w = *state;
	struct client *c = connect_agent(serve(w), w);
	struct dt_review *r =
		propose(c, text_of(w, "%s/new", w->project), "x\n", "t");

	decide(connect_command(w), r->id,
	       "\"verdict\":\"accept\",\"text\":\"\"");
	expect_texts(c, c->id, "FILE_SAVED", "\n");
}

world_test(stopping_withdraws_what_waits_with_a_sentence)
{
	struct world *w = *state;
	struct client *c = connect_agent(serve(w), w);

	propose(c, make_file(w, "a.txt", "one\n"), "ONE\n", TAB);
	dt_hub_stop(&w->hub);
	expect_is_error(c, c->id, "Dovetail stopped before a decision.");
	wait_for(w, c->is_closed);
	assert_string_equal(c->why.msg, "closed by the peer (1001)");
}

world_test(an_agent_that_hangs_up_leaves_an_orphan)
{
	struct world *w = *state;
	struct client *c = connect_agent(serve(w), w);

	propose(c, make_file(w, "a.txt", "one\n"), "ONE\n", TAB);
	hang_up(c);
	wait_for(w, w->hub.inbox.count == 0);
	assert_true(log_has(w, "waiting -> orphaned"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_world(an_accepted_change_is_told_with_its_text),
		test_in_world(the_persons_own_text_is_told_as_it_is),
		test_in_world(a_rejected_change_is_told_with_its_tab),
		test_in_world(words_of_a_verdict_wait_for_a_prompt),
		test_in_world(an_empty_proposal_empties_the_file),
		test_in_world(close_tab_withdraws_the_review_of_that_name),
		test_in_world(close_all_diff_tabs_closes_only_the_callers_own),
		test_in_world(the_new_path_may_be_absent),
		test_in_world(a_file_outside_the_workspace_is_marked),
		test_in_world(bad_arguments_open_no_review),
		test_in_world(
			a_new_file_gets_the_newline_that_the_client_loses),
		test_in_world(a_new_file_may_be_accepted_empty),
		test_in_world(stopping_withdraws_what_waits_with_a_sentence),
		test_in_world(an_agent_that_hangs_up_leaves_an_orphan),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
