#include "hub/agent.h"

#include "dialect/claude_tools.h"
#include "hub/events.h"

#define READY_MS 1000

/* What an editor would report; `lasting`: it still shows it. */
static void select_text(struct dt_workspace *ws, const char *path,
                        const char *text, bool is_lasting)
{
	struct dt_event event = {
		.type = DT_EVENT_SELECTION,
		.selection = {
			.path = path,
			.text = dt_str(text),
			.range = { { 1, 2 }, { 3, 4 } },
			.is_lasting = is_lasting,
		},
	};

	ws->editor->on_event(ws->editor, &event, ws->editor->owner);
}

#define SELECTED(text, is_empty)                                               \
	"{\"jsonrpc\":\"2.0\",\"method\":\"selection_changed\",\"params\":{"   \
	"\"text\":\"" text "\",\"filePath\":\"/w/caf\xc3\xa9#1\","             \
	"\"fileUrl\":\"file:///w/caf%%C3%%A9%%231\",\"selection\":{"           \
	"\"start\":{\"line\":1,\"character\":2},\"end\":{\"line\":3,"          \
	"\"character\":4},\"isEmpty\":" is_empty "}}}"
#define PATH "/w/caf\xc3\xa9#1"

world_test(a_selection_has_the_shape_the_cli_reads)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct client *c = connect_ready_agent(ws, w);

	select_text(ws, PATH, "a\"b\n", false);
	expect(c, SELECTED("a\\\"b\\n", "false"));
	select_text(ws, PATH, "", false);
	expect(c, SELECTED("", "true"));
}

world_test(words_that_wait_outlive_a_selection)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct client *c = connect_ready_agent(ws, w);
	struct dt_session *s =
		DT_LIST_OF(ws->sessions.next, struct dt_session, link);
	struct dt_buf words;

	dt_claude_keep_words(&s->agent, false, "/w/a", "no");
	select_text(ws, PATH, "a\"b\n", false);
	expect(c, SELECTED("a\\\"b\\n", "false"));
	dt_buf_init(&words, DT_KIB);
	dt_claude_take_words(&s->agent, &words);
	assert_string_equal(dt_buf_z(&words),
	                    "The person rejected your change of /w/a: no\n");
	dt_buf_done(&words);
}

world_test(a_cleared_selection_has_empty_texts_and_a_range)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct client *c = connect_ready_agent(ws, w);
	struct client *command = connect_command(w);

	ask(command, "select",
	    text_of(w, "{\"folder\":\"%s\",\"clear\":true}", w->project));
	expect(c, "{\"jsonrpc\":\"2.0\",\"method\":\"selection_changed\","
	          "\"params\":{\"text\":\"\",\"filePath\":\"\",\"fileUrl\":"
	          "\"\",\"selection\":{\"start\":{\"line\":0,\"character\":0}"
	          ",\"end\":{\"line\":0,\"character\":0},\"isEmpty\":true}}}");
}

world_test(events_come_no_sooner_than_the_cli_takes_them)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct client *c = connect_agent(ws, w);
	uint64_t listed;

	select_text(ws, PATH, "x", true);
	expect_silence(c, READY_MS + 100);
	assert_false(last_session(ws)->agent.is_ready);
	ask(c, "tools/list", "{}");
	listed = heard_at(c);
	expect(c, SELECTED("x", "false"));
	assert_in_range(heard_at(c) - listed, READY_MS - 5, 10 * READY_MS);
	/* Once: another list changes nothing. */
	ask(c, "tools/list", "{}");
	expect_silence(c, READY_MS + 100);
}

world_test(an_agent_that_leaves_before_it_is_ready_is_forgotten)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct client *c = connect_agent(ws, w);

	ask(c, "tools/list", "{}");
	drop(c);
	wait_for(w, ws->session_count == 0);
	run_for(w, READY_MS + 50);
}

world_test(a_lasting_selection_is_sent_again_after_each_prompt)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct client *c = connect_ready_agent(ws, w);

	select_text(ws, PATH, "x", true);
	expect(c, SELECTED("x", "false"));
	for (int i = 0; i < 2; i++) {
		check_call(c, "closeAllDiffTabs", "{}", "CLOSED_0_DIFF_TABS");
		expect(c, SELECTED("x", "false"));
	}
	expect_silence(c, 600);
}

world_test(what_was_said_once_is_not_sent_again)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct client *c = connect_ready_agent(ws, w);

	select_text(ws, PATH, "x", true);
	expect(c, SELECTED("x", "false"));
	select_text(ws, PATH, "y", false);
	expect(c, SELECTED("y", "false"));
	check_call(c, "closeAllDiffTabs", "{}", "CLOSED_0_DIFF_TABS");
	expect_silence(c, 700);
}

/* The editor lost it while the prompt was on its way. */
world_test(a_selection_that_ends_in_between_is_not_sent_again)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct client *c = connect_ready_agent(ws, w);

	select_text(ws, PATH, "x", true);
	expect(c, SELECTED("x", "false"));
	check_call(c, "closeAllDiffTabs", "{}", "CLOSED_0_DIFF_TABS");
	select_text(ws, NULL, "", false);
	assert_string_equal(at(w, hear(c), "params.filePath"), "");
	expect_silence(c, 700);
}

world_test(a_prompt_is_remembered_with_its_time)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct client *c = connect_agent(ws, w);

	assert_int_equal(last_session(ws)->agent.prompted_ms, 0);
	check_call(c, "closeAllDiffTabs", "{}", "CLOSED_0_DIFF_TABS");
	assert_true(dt_clock_wall_ms() - last_session(ws)->agent.prompted_ms <
	            5000);
}

static void mention(struct dt_workspace *ws, struct dt_maybe_u32 first,
                    struct dt_maybe_u32 last)
{
	struct dt_mention what = { "/w/a", first, last };
	struct dt_session *told;

	assert_ok(dt_events_mention(ws, &what, NULL, &told, NULL));
	assert_non_null(told);
}

world_test(a_mention_leaves_out_what_is_not_known)
{
	struct dt_maybe_u32 none = { 0 };
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct client *c = connect_ready_agent(ws, w);

	mention(ws, none, none);
	expect(c, "{\"jsonrpc\":\"2.0\",\"method\":\"at_mentioned\","
	          "\"params\":{\"filePath\":\"/w/a\"}}");
	mention(ws, (struct dt_maybe_u32){ true, 0 },
	        (struct dt_maybe_u32){ true, 2 });
	expect(c, "{\"jsonrpc\":\"2.0\",\"method\":\"at_mentioned\","
	          "\"params\":{\"filePath\":\"/w/a\",\"lineStart\":0,"
	          "\"lineEnd\":2}}");
	/* Only a start makes the CLI drop the lines. */
	mention(ws, (struct dt_maybe_u32){ true, 7 }, none);
	expect(c, "{\"jsonrpc\":\"2.0\",\"method\":\"at_mentioned\","
	          "\"params\":{\"filePath\":\"/w/a\",\"lineStart\":7,"
	          "\"lineEnd\":7}}");
}

static void say_connected(struct client *c, const char *params)
{
	say(c, text_of(c->w,
	               "{\"jsonrpc\":\"2.0\",\"method\":\"ide_connected\"%s}",
	               params));
	ask(c, "ping", "{}");
}

world_test(the_agents_pid_is_kept_when_it_is_one)
{
	static const char *const bad[] = {
		"",
		",\"params\":{}",
		",\"params\":[]",
		",\"params\":{\"pid\":\"7\"}",
		",\"params\":{\"pid\":0}",
		",\"params\":{\"pid\":-7}",
		",\"params\":{\"pid\":1.5}",
		",\"params\":{\"pid\":null}",
		",\"params\":{\"pid\":4294967297}",
		",\"params\":{\"pid\":99999999999999999999}",
	};
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct client *c = connect_agent(ws, w);

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		say_connected(c, bad[i]);
		assert_int_equal(last_session(ws)->agent.pid, 0);
	}
	say_connected(c, ",\"params\":{\"pid\":16774}");
	assert_int_equal(last_session(ws)->agent.pid, 16774);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_world(a_selection_has_the_shape_the_cli_reads),
		test_in_world(words_that_wait_outlive_a_selection),
		test_in_world(a_cleared_selection_has_empty_texts_and_a_range),
		test_in_world(events_come_no_sooner_than_the_cli_takes_them),
		test_in_world(
			an_agent_that_leaves_before_it_is_ready_is_forgotten),
		test_in_world(
			a_lasting_selection_is_sent_again_after_each_prompt),
		test_in_world(what_was_said_once_is_not_sent_again),
		test_in_world(
			a_selection_that_ends_in_between_is_not_sent_again),
		test_in_world(a_prompt_is_remembered_with_its_time),
		test_in_world(a_mention_leaves_out_what_is_not_known),
		test_in_world(the_agents_pid_is_kept_when_it_is_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
