#include "mcp.h"

#include "hub/events.h"

static void select_text(struct dt_workspace *ws, const char *text,
                        bool is_lasting)
{
	struct dt_event event = {
		.type = DT_EVENT_SELECTION,
		.selection = {
			.path = "/w/a",
			.text = dt_str(text),
			.is_lasting = is_lasting,
		},
	};

	ws->editor->on_event(ws->editor, &event, ws->editor->owner);
}

static void expect_selected(struct client *c, const char *text)
{
	const char *message = hear(c);

	assert_string_equal(at(c->w, message, "method"), "selection_changed");
	assert_string_equal(at(c->w, message, "params.text"), text);
}

static void expect_mentioned(struct client *c, const char *path)
{
	expect(c,
	       "{\"jsonrpc\":\"2.0\",\"method\":\"at_mentioned\",\"params\":{"
	       "\"filePath\":\"%s\"}}",
	       path);
}

static struct dt_session *mention(struct dt_workspace *ws, const char *path,
                                  const char *agent)
{
	struct dt_mention what = { .path = path };
	struct dt_session *told;

	assert_ok(dt_events_mention(ws, &what, agent, &told, NULL));
	return told;
}

static void ignore_end(struct dt_answer *answer, const void *result,
                       const struct dt_fail *fail, void *owner)
{
	(void)answer;
	(void)result;
	(void)owner;
	assert_null(fail);
}

/* selections */

world_test(a_selection_reaches_every_agent_that_listens)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct client *a = connect_ready_agent(ws, w);
	struct client *b = connect_ready_agent(ws, w);
	struct client *deaf = connect_agent(ws, w);

	select_text(ws, "x", false);
	expect_selected(a, "x");
	expect_selected(b, "x");
	expect_silence(deaf, 50);
	assert_false(has_heard(a) || has_heard(b));
}

world_test(events_are_counted)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct client *c = connect_ready_agent(ws, w);
	uint64_t before = w->hub.sequence;

	select_text(ws, "x", false);
	mention(ws, "/w/a", NULL);
	assert_int_equal(w->hub.sequence, before + 2);
	expect_selected(c, "x");
	expect_mentioned(c, "/w/a");
}

/* A dialect that writes down what it is told. */
static struct dt_dialect listener;
static char noted[200];

static void note_event(struct dt_agent *agent, const struct dt_event *event)
{
	size_t len = strlen(noted);

	(void)agent;
	snprintf(noted + len, sizeof(noted) - len, "%d %s %d; ", event->type,
	         event->path ? event->path : "-", event->change);
}

world_test(news_of_documents_reach_every_agent_that_listens)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct dt_open_args open = { .path = make_file(w, "a", "") };
	struct dt_event news = { .type = DT_EVENT_DIAGNOSTICS };
	const struct dt_dialect *before;
	struct dt_session *s;
	struct dt_answer answer;
	uint64_t sequence;

	connect_ready_agent(ws, w);
	s = last_session(ws);
	before = s->agent.dialect;
	listener = *before;
	listener.on_event = note_event;
	s->agent.dialect = &listener;
	connect_agent(ws, w); /* it does not listen */
	sequence = w->hub.sequence;
	dt_answer_init(&answer, ignore_end, NULL);
	ws->editor->backend->perform(ws->editor, &dt_op_open_file, &open,
	                             &answer);
	ws->editor->on_event(ws->editor, &news, ws->editor->owner);
	assert_string_equal(noted,
	                    text_of(w, "%d %s %d; %d - 0; ", DT_EVENT_DOCUMENTS,
	                            open.path, DT_DOCUMENT_OPENED,
	                            DT_EVENT_DIAGNOSTICS));
	assert_int_equal(w->hub.sequence, sequence + 2);
	s->agent.dialect = before;
}

world_test(claude_code_is_not_bothered_with_news)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct client *c = connect_ready_agent(ws, w);
	struct dt_event news = { .type = DT_EVENT_DOCUMENTS, .path = "/w/a" };

	ws->editor->on_event(ws->editor, &news, ws->editor->owner);
	expect_silence(c, 50);
}

world_test(what_an_editor_shows_reaches_who_comes_later)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);

	select_text(ws, "old", true);
	select_text(ws, "new", true);
	expect_selected(connect_ready_agent(ws, w), "new");
	expect_selected(connect_ready_agent(ws, w), "new");
}

world_test(what_was_said_once_reaches_the_first_that_comes)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);

	select_text(ws, "once", false);
	expect_selected(connect_ready_agent(ws, w), "once");
	expect_silence(connect_ready_agent(ws, w), 100);
}

world_test(other_workspaces_hear_nothing)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct dt_workspace *other = serve_at(w, make_folder(w, "q"));
	struct client *c = connect_ready_agent(other, w);

	connect_ready_agent(ws, w);
	select_text(ws, "x", true);
	mention(ws, "/w/a", NULL);
	expect_silence(c, 50);
}

/* mentions */

world_test(a_mention_reaches_the_agent_that_connected_last)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct client *a = connect_ready_agent(ws, w);
	struct client *b = connect_ready_agent(ws, w);

	assert_ptr_equal(mention(ws, "/w/a", NULL), last_session(ws));
	expect_mentioned(b, "/w/a");
	expect_silence(a, 50);
}

world_test(a_mention_reaches_the_agent_that_was_prompted_last)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct client *a = connect_ready_agent(ws, w);
	struct client *b = connect_ready_agent(ws, w);

	check_call(b, "closeAllDiffTabs", "{}", "CLOSED_0_DIFF_TABS");
	run_for(w, 5);
	check_call(a, "closeAllDiffTabs", "{}", "CLOSED_0_DIFF_TABS");
	assert_non_null(mention(ws, "/w/a", NULL));
	expect_mentioned(a, "/w/a");
	expect_silence(b, 50);
}

world_test(a_mention_reaches_the_agent_that_is_named)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct client *a = connect_agent_as(ws, w, "alpha", "1");
	struct dt_session *of_a = last_session(ws);
	struct client *b = connect_ready_agent(ws, w);

	ask(a, "tools/list", "{}");
	wait_for(w, of_a->agent.is_ready);
	check_call(b, "closeAllDiffTabs", "{}", "CLOSED_0_DIFF_TABS");
	assert_ptr_equal(mention(ws, "/w/1", "alpha"), of_a);
	expect_mentioned(a, "/w/1");
	assert_ptr_equal(mention(ws, "/w/2", text_of(w, "%.6s", of_a->id)),
	                 of_a);
	expect_mentioned(a, "/w/2");
	/* Three digits of an id are too few to mean it. */
	assert_null(mention(ws, "/w/3", text_of(w, "%.3s", of_a->id)));
	/* All agents of the dialect are meant by its name. */
	assert_ptr_equal(mention(ws, "/w/4", "claude-code"), last_session(ws));
	expect_mentioned(b, "/w/4");
}

world_test(a_mention_waits_for_an_agent)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct client *c;

	assert_null(mention(ws, "/w/1", NULL));
	assert_null(mention(ws, "/w/2", "nobody"));
	assert_null(mention(ws, "/w/3", "claude-code"));
	assert_int_equal(ws->mention_count, 3);
	c = connect_ready_agent(ws, w);
	expect_mentioned(c, "/w/1");
	expect_mentioned(c, "/w/3");
	expect_silence(c, 50);
	assert_int_equal(ws->mention_count, 1);
}

world_test(an_agent_that_does_not_listen_yet_gets_it_when_it_does)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct client *c = connect_agent(ws, w);

	assert_null(mention(ws, "/w/a", NULL));
	ask(c, "tools/list", "{}");
	expect_mentioned(c, "/w/a");
}

world_test(too_many_mentions_do_not_wait)
{
	struct dt_mention what = { .path = "/w/a" };
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct dt_session *told;
	struct dt_fail fail = { 0 };

	for (unsigned i = 0; i < DT_LIMIT_MENTIONS; i++)
		mention(ws, "/w/a", NULL);
	assert_int_equal(dt_events_mention(ws, &what, NULL, &told, &fail),
	                 DT_E_LIMIT);
	assert_string_equal(fail.msg, "16 mentions wait for an agent already");
}

/* An MCP client has no use for a mention, so it takes none from those who have. */
world_test(a_mention_goes_by_those_who_would_drop_it)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct client *c = connect_ready_agent(ws, w);
	struct client *other = connect_mcp(ws, w, "", NULL);

	begin_as(other, "2025-11-25", "");
	expect_nothing_but_pong(other);
	assert_true(last_session(ws)->agent.is_ready);
	assert_non_null(mention(ws, "/w/a", NULL));
	expect_mentioned(c, "/w/a");
	assert_null(mention(ws, "/w/b", "mcp"));
	expect_nothing_but_pong(other);
}

world_test(what_was_said_once_waits_for_those_who_hear_it)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct client *other = connect_mcp(ws, w, "", NULL);

	begin_as(other, "2025-11-25", "");
	expect_nothing_but_pong(other);
	select_text(ws, "x", false);
	/* It hears that there is one; the text has not left. */
	assert_int_equal(w->hub.audit_count, 0);
	expect_selected(connect_ready_agent(ws, w), "x");
	assert_int_equal(w->hub.audit_count, 1);
}

/* tools */

world_test(a_list_that_is_another_one_is_told_of_and_no_other)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve_fixtures(w);
	struct client *c = connect_lines(ws, w, &fixture_dialect);

	begin_as(c, "2025-11-25", "");
	expect_nothing_but_pong(c);
	dt_hub_reload(&w->hub);
	configure(w, "[mcp]\nhide = nothing*\n");
	dt_hub_reload(&w->hub);
	expect_nothing_but_pong(c);
	configure(w, "[mcp]\nhide = test_simple_text,test_sampling\n");
	dt_hub_reload(&w->hub);
	expect_at(c, "method", "notifications/tools/list_changed");
	assert_string_equal(
		at(w, ask(c, "tools/list", "{}"), "result.tools.0.name"),
		"test_image_content");
	/* The same ones, written in another way. */
	configure(w, "[mcp]\nhide = test_samplin?, test_simple_text\n");
	dt_hub_reload(&w->hub);
	expect_silence(c, 2200);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_world(a_selection_reaches_every_agent_that_listens),
		test_in_world(events_are_counted),
		test_in_world(news_of_documents_reach_every_agent_that_listens),
		test_in_world(claude_code_is_not_bothered_with_news),
		test_in_world(what_an_editor_shows_reaches_who_comes_later),
		test_in_world(what_was_said_once_reaches_the_first_that_comes),
		test_in_world(other_workspaces_hear_nothing),
		test_in_world(a_mention_reaches_the_agent_that_connected_last),
		test_in_world(
			a_mention_reaches_the_agent_that_was_prompted_last),
		test_in_world(a_mention_reaches_the_agent_that_is_named),
		test_in_world(a_mention_waits_for_an_agent),
		test_in_world(
			an_agent_that_does_not_listen_yet_gets_it_when_it_does),
		test_in_world(too_many_mentions_do_not_wait),
		test_in_world(a_mention_goes_by_those_who_would_drop_it),
		test_in_world(what_was_said_once_waits_for_those_who_hear_it),
		test_in_world(
			a_list_that_is_another_one_is_told_of_and_no_other),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
