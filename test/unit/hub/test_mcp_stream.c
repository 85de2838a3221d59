#include "mcp.h"

#define WAITS "test_elicitation_sep1034_defaults" /* for its form */

static void decline(struct dt_workspace *ws, struct world *w,
                    const char *session, unsigned id)
{
	assert_int_equal(
		post_status(ws, w, session,
	                    text_of(w,
	                            "{\"jsonrpc\":\"2.0\",\"id\":%u,"
	                            "\"result\":{\"action\":\"decline\"}}",
	                            id)),
		202);
}

static struct client *resume(struct dt_workspace *ws, struct world *w,
                             const char *session, const char *id)
{
	return open_http(ws, w, "GET",
	                 text_of(w, "%sLast-Event-ID: %s\r\n", session, id),
	                 "");
}

/* A message of the last session's that belongs to no request. */
static void tell(struct dt_workspace *ws, const char *text)
{
	dt_peer_notify(last_session(ws)->agent.peer, text, DT_STR(""));
}

world_test(an_answer_that_comes_alone_is_json)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve_fixtures(w);
	const char *session = begin_http(ws, w, "2025-11-25", "");
	struct client *c = open_http(ws, w, "POST", session,
	                             call_body(w, 1, "test_simple_text"));

	assert_string_equal(header_of(c, "content-type"), "application/json");
	assert_non_null(at(w, body_of(c), "result.content.0.text"));
}

world_test(what_comes_before_the_answer_makes_it_a_stream)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve_fixtures(w);
	struct client *c = post_modern(ws, w, "test_tool_with_progress", "");

	wait_for(w, is_whole(c));
	assert_string_equal(header_of(c, "content-type"), "text/event-stream");
	assert_string_equal(header_of(c, "x-accel-buffering"), "no");
	assert_int_equal(seen(c, "notifications/progress"), 3);
	assert_int_equal(seen(c, "Progress was reported."), 1);
	/* The modern era has no way to come back, so nothing has a name. */
	assert_int_equal(seen(c, "\nid:"), 0);
}

world_test(who_takes_no_events_gets_the_answer_alone)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve_fixtures(w);
	const char *session = text_of(w, "%sAccept: application/json\r\n",
	                              begin_http(ws, w, "2025-11-25", ""));
	struct client *c = open_http(ws, w, "POST", session,
	                             call_body(w, 1, "test_tool_with_logging"));

	assert_string_equal(at(w, body_of(c), "result.content.0.text"),
	                    "Logs were sent.");
}

/* A question cannot go with that answer, and must not get lost. */
world_test(who_takes_no_events_is_asked_by_the_general_stream)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve_fixtures(w);
	const char *session = begin_http(ws, w, "2025-11-25", ELICITS);
	struct client *get = open_http(ws, w, "GET", session, "");
	struct client *c =
		open_http(ws, w, "POST",
	                  text_of(w, "%sAccept: application/json\r\n", session),
	                  call_body(w, 1, WAITS));

	wait_for(w, seen(get, "elicitation/create"));
	decline(ws, w, session, 0);
	assert_string_equal(at(w, body_of(c), "result.content.0.text"),
	                    "User response: {\"action\":\"decline\"}");
}

/* From the id of the event without data on, nothing is missed. */
world_test(a_stream_begins_with_an_id_from_before_its_first_message)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve_fixtures(w);
	const char *session = begin_http(ws, w, "2025-11-25", ELICITS);
	struct client *c =
		open_http(ws, w, "POST", session, call_body(w, 1, WAITS));

	wait_for(w, seen(c, "elicitation/create"));
	assert_int_equal(seen(c, "id: 4-0\n"), 1);
	assert_int_equal(seen(c, "id: 4-1\n"), 1);
	drop(c);
	c = resume(ws, w, session, "4-0");
	wait_for(w, seen(c, "elicitation/create"));
}

/* Some have taken an event without data for a broken message. */
world_test(older_clients_get_no_event_without_data)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve_fixtures(w);
	const char *session = begin_http(ws, w, "2025-06-18", ELICITS);
	struct client *c =
		open_http(ws, w, "POST", session, call_body(w, 1, WAITS));

	wait_for(w, seen(c, "elicitation/create"));
	assert_int_equal(seen(c, "\nid:"), 1);
}

world_test(an_answer_nobody_waited_for_is_there_when_they_come_back)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve_fixtures(w);
	const char *session = begin_http(ws, w, "2025-11-25", ELICITS);
	struct client *c =
		open_http(ws, w, "POST", session, call_body(w, 9, WAITS));

	wait_for(w, seen(c, "elicitation/create"));
	drop(c);
	decline(ws, w, session, 0);
	assert_int_equal(dt_peer_request_count(last_session(ws)->agent.peer),
	                 0);
	c = resume(ws, w, session, "4-1");
	wait_for(w, is_whole(c));
	assert_int_equal(seen(c, "elicitation/create"), 0);
	assert_int_equal(seen(c, "\"id\":9,\"result\""), 1);
	/* It is told once. */
	c = resume(ws, w, session, "4-1");
	assert_int_equal(status_of(c), 400);
}

world_test(a_call_goes_on_by_the_connection_that_comes_back)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve_fixtures(w);
	const char *session = begin_http(ws, w, "2025-11-25", ELICITS);
	struct client *c =
		open_http(ws, w, "POST", session, call_body(w, 9, WAITS));

	wait_for(w, seen(c, "elicitation/create"));
	drop(c);
	c = resume(ws, w, session, "4-1");
	wait_for(w, status_of(c) == 200);
	decline(ws, w, session, 0);
	wait_for(w, is_whole(c));
	assert_int_equal(seen(c, "\"id\":9,\"result\""), 1);
}

world_test(events_are_replayed_in_order_once_and_of_one_stream)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve_fixtures(w);
	const char *session = begin_http(ws, w, "2025-11-25", ELICITS);
	struct client *get = open_http(ws, w, "GET", session, "");
	struct client *call;
	const char *body;

	wait_for(w, status_of(get) == 200);
	for (int i = 1; i <= 3; i++)
		tell(ws, text_of(w, "event%d", i));
	wait_for(w, seen(get, "event3"));
	call = open_http(ws, w, "POST", session, call_body(w, 1, WAITS));
	wait_for(w, seen(call, "elicitation/create"));
	drop(get);
	get = resume(ws, w, session, "1-1");
	wait_for(w, seen(get, "event3"));
	tell(ws, "event4");
	wait_for(w, seen(get, "event4"));
	assert_int_equal(seen(get, "event1"), 0);
	assert_int_equal(seen(get, "event2"), 1);
	assert_int_equal(seen(get, "event3"), 1);
	assert_int_equal(seen(get, "elicitation"), 0);
	body = dt_buf_z(&get->in);
	assert_true(strstr(body, "event2") < strstr(body, "event3"));
	assert_true(strstr(body, "event3") < strstr(body, "event4"));
}

world_test(who_comes_back_without_an_id_gets_only_what_nobody_got)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve_fixtures(w);
	const char *session = begin_http(ws, w, "2025-11-25", "");
	struct client *get;

	tell(ws, "early");
	get = open_http(ws, w, "GET", session, "");
	wait_for(w, seen(get, "early"));
	drop(get);
	tell(ws, "late");
	get = open_http(ws, w, "GET", session, "");
	wait_for(w, seen(get, "late"));
	assert_int_equal(seen(get, "early"), 0);
}

world_test(a_stream_that_never_was_cannot_be_resumed)
{
	static const char *const odd[] = { "99-1", "1", "x-1", "1-x", "" };
	struct world *w = *state;
	struct dt_workspace *ws = serve_fixtures(w);
	const char *session = begin_http(ws, w, "2025-11-25", "");
	struct client *get = open_http(ws, w, "GET", session, "");

	assert_int_equal(status_of(get), 200);
	for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
		struct client *c = resume(ws, w, session, odd[i]);

		assert_int_equal(status_of(c), 400);
	}
	/* And the one that is there goes on. */
	tell(ws, "still-here");
	wait_for(w, seen(get, "still-here"));
}

world_test(a_second_general_stream_takes_the_place_of_the_first)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve_fixtures(w);
	const char *session = begin_http(ws, w, "2025-11-25", "");
	struct client *first = open_http(ws, w, "GET", session, "");
	struct client *second;

	assert_int_equal(status_of(first), 200);
	second = open_http(ws, w, "GET", session, "");
	assert_int_equal(status_of(second), 200);
	wait_for(w, is_whole(first));
	tell(ws, "told");
	wait_for(w, seen(second, "told"));
	assert_int_equal(seen(first, "told"), 0);
}

world_test(old_events_are_dropped_and_new_ones_kept)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve_fixtures(w);
	const char *session = begin_http(ws, w, "2025-11-25", "");
	struct client *get;

	for (int i = 1; i <= 150; i++)
		tell(ws, text_of(w, "event-%d-", i));
	get = resume(ws, w, session, "1-0");
	wait_for(w, seen(get, "event-150-"));
	assert_int_equal(seen(get, "event-50-"), 0);
	assert_int_equal(seen(get, "event-51-"), 1);
}

/* those who do not read */

#define PIECE 60000

/* Log so much that the connection is above its mark; what follows is dropped. */
static void fill(struct dt_workspace *ws, struct world *w)
{
	struct dt_session *s = last_session(ws);
	char *text = dt_arena_alloc(&w->arena, PIECE + 3);

	memset(text, 'x', PIECE + 2);
	text[0] = text[PIECE + 1] = '"';
	for (int i = 0;
	     i < 2000 && !dt_link_is_clogged(dt_peer_link(s->agent.peer));
	     i++) {
		dt_peer_notify(s->agent.peer, "filler", dt_str(text));
		dt_loop_run(w->loop);
	}
	assert_true(dt_link_is_clogged(dt_peer_link(s->agent.peer)));
}

world_test(a_slow_reader_is_not_worked_for_and_loses_nothing)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve_fixtures(w);
	struct client *c = connect_lines(ws, w, &fixture_dialect);

	begin_as(c, "2025-11-25", "");
	expect_nothing_but_pong(c);
	dt_stream_pause(c->stream);
	fill(ws, w);
	request(c, "tools/call",
	        "{\"name\":\"test_tool_with_progress\",\"_meta\":{"
	        "\"progressToken\":1}}");
	call_plain(c, "test_tool_with_logging");
	run_for(w, 100);
	dt_stream_resume(c->stream);
	for (;;) {
		const char *heard = hear(c);

		if (!at(w, heard, "method")) {
			assert_string_equal(
				at(w, heard, "result.content.0.text"),
				"Progress was reported.");
			break;
		}
	}
	/* The call began when it had read; so its logs came, too. */
	for (int i = 0; i < 3; i++)
		assert_string_equal(at(w, hear(c), "method"),
		                    "notifications/message");
	expect_text(c, c->id, "Logs were sent.");
}

#define LINES 400

/* Tells more than a connection takes at once. */
static void flood(struct dt_call *call, const void *args)
{
	char *line = dt_arena_alloc(call->arena, PIECE + 1);

	(void)args;
	memset(line, 'x', PIECE);
	memcpy(line, "\"flood", 6);
	line[PIECE - 1] = '"';
	for (uint64_t i = 1; i <= LINES; i++) {
		dt_call_log(call, DT_LEVEL_ERROR, "flood", dt_str(line));
		dt_call_progress(call, &(struct dt_progress){ i, LINES, NULL });
	}
	dt_call_reply_text(call, "The end.");
}

static const struct dt_tool flood_tool = {
	.name = "flood",
	.args = { .fields = dt_no_fields },
	.run = flood,
};
static const struct dt_tool_group flood_group = {
	.name = "flood",
	.tools = &flood_tool,
	.count = 1,
};
static const struct dt_tool_group *const flood_groups[] = { &flood_group,
	                                                    NULL };

/* By HTTP, in either era. */
world_test(events_beyond_the_mark_are_dropped_and_the_answer_is_not)
{
	static struct dt_dialect dialect;
	struct world *w = *state;
	struct dt_workspace *ws = serve_fixtures(w);
	const char *session;
	struct client *c;

	dialect = fixture_dialect;
	dialect.groups = flood_groups;
	dt_mcp_http_free(ws->mcp);
	ws->mcp = dt_mcp_http_new(ws, &dialect);
	session = begin_http(ws, w, "2025-11-25", "");
	c = open_http(ws, w, "POST", session, call_body(w, 1, "flood"));
	wait_for(w, is_whole(c));
	assert_in_range(seen(c, "\"floodx"), 1, LINES - 1);
	assert_int_equal(seen(c, "The end."), 1);
	c = post_modern(ws, w, "flood", "");
	wait_for(w, is_whole(c));
	assert_int_equal(seen(c, "The end."), 1);
}

/* One answer after another that is never taken; the rest is not harmed. */
world_test(a_client_that_never_reads_is_cut)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve_fixtures(w);
	const char *session = begin_http(ws, w, "2025-11-25", "");
	struct client *get = open_http(ws, w, "GET", session, "");
	char *text = dt_alloc(DT_LIMIT_MESSAGE / 2);

	assert_int_equal(status_of(get), 200);
	dt_stream_pause(get->stream);
	memset(text, 'x', DT_LIMIT_MESSAGE / 2);
	text[0] = text[DT_LIMIT_MESSAGE / 2 - 1] = '"';
	for (int i = 0; i < 10; i++) {
		dt_peer_notify(last_session(ws)->agent.peer, "huge",
		               (struct dt_str){ text, DT_LIMIT_MESSAGE / 2 });
		run_for(w, 5);
	}
	free(text);
	dt_stream_resume(get->stream);
	wait_for(w, get->is_closed);
	assert_int_equal(ws->session_count, 1);
	assert_int_equal(post_status(ws, w, session,
	                             call_body(w, 1, "test_simple_text")),
	                 200);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_world(an_answer_that_comes_alone_is_json),
		test_in_world(what_comes_before_the_answer_makes_it_a_stream),
		test_in_world(who_takes_no_events_gets_the_answer_alone),
		test_in_world(
			who_takes_no_events_is_asked_by_the_general_stream),
		test_in_world(
			a_stream_begins_with_an_id_from_before_its_first_message),
		test_in_world(older_clients_get_no_event_without_data),
		test_in_world(
			an_answer_nobody_waited_for_is_there_when_they_come_back),
		test_in_world(a_call_goes_on_by_the_connection_that_comes_back),
		test_in_world(
			events_are_replayed_in_order_once_and_of_one_stream),
		test_in_world(
			who_comes_back_without_an_id_gets_only_what_nobody_got),
		test_in_world(a_stream_that_never_was_cannot_be_resumed),
		test_in_world(
			a_second_general_stream_takes_the_place_of_the_first),
		test_in_world(old_events_are_dropped_and_new_ones_kept),
		test_in_world(
			a_slow_reader_is_not_worked_for_and_loses_nothing),
		test_in_world(
			events_beyond_the_mark_are_dropped_and_the_answer_is_not),
		test_in_world(a_client_that_never_reads_is_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
