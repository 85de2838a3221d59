/*
 * test/unit/hub/test_session_resume.c - a session by WebSocket that outlives its
 * link for a time of grace.
 */
#include "mcp.h"

static const char *session_line(struct world *w, const char *id)
{
	return text_of(w, "Mcp-Session-Id: %s\r\n", id);
}

/* A call that waits for a person. */
static void call_waiting(struct client *c)
{
	request(c, "tools/call",
	        text_of(c->w,
	                "{\"name\":\"proposeEdit\",\"arguments\":{\"changes\":[{"
	                "\"path\":%s,\"text\":\"2\\n\"}]}}",
	                quoted(c->w, make_file(c->w, "a", "1\n"))));
	last_review(c->w);
}

static void lose(struct client *c, const struct dt_session *s)
{
	drop(c);
	wait_for(c->w, dt_link_lasting_is_away(s->lasting));
}

world_test(a_call_is_answered_on_the_link_that_comes_back)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	const char *id;
	const char *again;
	struct client *c = connect_mcp(ws, w, "", &id);
	struct dt_session *s;
	unsigned asked;

	begin_as(c, "2025-11-25", "");
	call_waiting(c);
	asked = c->id;
	s = last_session(ws);
	lose(c, s);
	assert_int_equal(ws->session_count, 1);
	c = connect_mcp(ws, w, session_line(w, id), &again);
	assert_string_equal(again, id);
	assert_ptr_equal(last_session(ws), s);
	assert_int_equal(ws->session_count, 1);
	assert_int_equal(last_mcp(ws)->calls, 1);
	assert_string_equal(s->agent.name, "tester");
	decide(connect_command(w), last_review(w)->id,
	       "\"verdict\":\"accept\"");
	expect_at(c, "id", text_of(w, "%u", asked));
	assert_int_equal(last_mcp(ws)->calls, 0);
	/* It needs no other handshake. */
	c->id = asked;
	assert_non_null(at(w, ask(c, "tools/list", "{}"), "result.tools.0"));
}

world_test(an_answer_given_meanwhile_waits)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	const char *id;
	struct client *c = connect_mcp(ws, w, "", &id);
	unsigned asked;

	begin_as(c, "2025-11-25", "");
	call_waiting(c);
	asked = c->id;
	lose(c, last_session(ws));
	decide(connect_command(w), last_review(w)->id,
	       "\"verdict\":\"reject\"");
	wait_for(w, last_mcp(ws)->calls == 0);
	c = connect_mcp(ws, w, session_line(w, id), NULL);
	expect_at(c, "id", text_of(w, "%u", asked));
}

/* Who was there before is not heard any more, nor is it told anything. */
world_test(one_that_was_replaced_cannot_speak_for_the_session)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	const char *id;
	struct client *old = connect_mcp(ws, w, "", &id);
	struct client *c;

	begin_as(old, "2025-11-25", "");
	call_waiting(old);
	c = connect_mcp(ws, w, session_line(w, id), NULL);
	if (old->link)
		cancel(old, old->id);
	wait_for(w, old->is_closed);
	assert_int_equal(ws->session_count, 1);
	assert_int_equal(last_mcp(ws)->calls, 1);
	decide(connect_command(w), last_review(w)->id,
	       "\"verdict\":\"accept\"");
	expect_at(c, "id", text_of(w, "%u", old->id));
	assert_false(has_heard(old));
}

world_test(behind_the_time_of_grace_there_is_no_session)
{
	struct world *w = *state;
	struct dt_workspace *ws;
	const char *id;
	const char *other;
	struct client *c;
	uint64_t began;

	configure(w, "[mcp]\ngrace_seconds = 1\n");
	ws = serve(w);
	c = connect_mcp(ws, w, "", &id);
	begin_as(c, "2025-11-25", "");
	call_waiting(c);
	lose(c, last_session(ws));
	began = dt_clock_ms();
	wait_for(w, ws->session_count == 0);
	assert_in_range(dt_clock_ms() - began, 900, 5000);
	c = connect_mcp(ws, w, session_line(w, id), &other);
	assert_string_not_equal(other, id);
	request(c, "tools/list", "{}");
	expect_failure(c, c->id, -32600,
	               "not initialized: send initialize first");
}

/* Its own place is not taken by itself. */
world_test(a_full_workspace_lets_its_own_come_back)
{
	struct world *w = *state;
	struct dt_workspace *ws;
	const char *id;
	struct client *c;

	configure(w, "[limits]\nsessions = 1\n");
	ws = serve(w);
	c = connect_mcp(ws, w, "", &id);
	begin_as(c, "2025-11-25", "");
	expect_nothing_but_pong(c);
	lose(c, last_session(ws));
	c = connect_mcp(ws, w, session_line(w, id), NULL);
	expect_nothing_but_pong(c);
}

world_test(the_limit_of_messages_holds_for_every_link)
{
	struct world *w = *state;
	struct dt_workspace *ws;
	const char *id;
	struct client *c;
	char *large = dt_alloc(2 * DT_MIB);

	configure(w, "[limits]\nmessage_mib = 1\n");
	ws = serve(w);
	c = connect_mcp(ws, w, "", &id);
	begin_as(c, "2025-11-25", "");
	expect_nothing_but_pong(c);
	lose(c, last_session(ws));
	c = connect_mcp(ws, w, session_line(w, id), NULL);
	memset(large, ' ', 2 * DT_MIB - 1);
	say(c, large);
	free(large);
	wait_for(w, c->is_closed);
	assert_int_equal(ws->session_count, 1);
}

/* The CLI makes a session of each link. */
world_test(a_session_of_claude_code_ends_with_its_link)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct client *c = connect_agent(ws, w);

	assert_null(last_session(ws)->lasting);
	drop(c);
	wait_for(w, ws->session_count == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_world(a_call_is_answered_on_the_link_that_comes_back),
		test_in_world(an_answer_given_meanwhile_waits),
		test_in_world(
			one_that_was_replaced_cannot_speak_for_the_session),
		test_in_world(behind_the_time_of_grace_there_is_no_session),
		test_in_world(a_full_workspace_lets_its_own_come_back),
		test_in_world(the_limit_of_messages_holds_for_every_link),
		test_in_world(a_session_of_claude_code_ends_with_its_link),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
