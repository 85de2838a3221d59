#include "mcp.h"

#define WAITS "test_elicitation_sep1034_defaults" /* for its form */
#define PING "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}"
#define DECLINE "{\"action\":\"decline\"}"

/* who is let in */

world_test(a_page_of_a_browser_is_refused_by_its_origin_alone)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve_fixtures(w);
	const char *session = begin_http(ws, w, "2025-11-25", "");

	assert_int_equal(
		post_status(ws, w, "Origin: http://evil.example\r\n", PING),
		403);
	assert_int_equal(post_status(ws, w,
	                             text_of(w, "%sOrigin: null\r\n", session),
	                             PING),
	                 403);
	assert_int_equal(
		post_status(ws, w, "Origin: http://localhost\r\n", PING), 403);
	assert_int_equal(
		post_status(ws, w,
	                    text_of(w, "Origin: http://127.0.0.1:%u\r\n",
	                            ws->record.port),
	                    PING),
		200);
}

world_test(a_token_is_wanted)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve_fixtures(w);
	struct client *c = connect_raw(w, ws->record.port);

	send_raw(c, text_of(w,
	                    "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:%u\r\n"
	                    "Content-Length: 2\r\n\r\n{}",
	                    ws->record.port));
	assert_int_equal(status_of(c), 401);
	assert_int_equal(ws->session_count, 0);
}

world_test(only_json_is_taken_and_something_must_be_accepted)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve_fixtures(w);

	assert_int_equal(
		post_status(ws, w, "Content-Type: text/plain\r\n", PING), 415);
	assert_int_equal(
		post_status(ws, w,
	                    "Content-Type: application/json;charset=utf-8\r\n",
	                    PING),
		200);
	assert_int_equal(post_status(ws, w, "Accept: text/html\r\n", PING),
	                 406);
	assert_int_equal(
		post_status(ws, w, "Accept: application/json\r\n", PING), 200);
	assert_int_equal(post_status(ws, w, "Accept: */*\r\n", PING), 200);
}

world_test(without_accept_everything_is)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve_fixtures(w);

	assert_int_equal(
		ask_http(w, ws->record.port,
	                 text_of(w,
	                         "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:%u\r\n"
	                         "Authorization: Bearer %s\r\n"
	                         "Content-Type: application/json\r\n"
	                         "Content-Length: %zu\r\n\r\n" PING,
	                         ws->record.port, ws->record.token,
	                         strlen(PING))),
		200);
}

/* messages */

world_test(what_cannot_be_read_is_400_and_has_no_id)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve_fixtures(w);
	struct client *c = open_http(ws, w, "POST", "", "{");

	assert_int_equal(status_of(c), 400);
	assert_string_equal(at(w, body_of(c), "error.code"), "-32700");
	assert_null(at(w, body_of(c), "id"));
	c = open_http(ws, w, "POST", begin_http(ws, w, "2025-11-25", ""),
	              "[" PING "]");
	assert_int_equal(status_of(c), 400);
	assert_string_equal(at(w, body_of(c), "error.code"), "-32600");
	assert_null(at(w, body_of(c), "id"));
}

world_test(an_array_is_answered_by_one_where_the_revision_has_that)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve_fixtures(w);
	const char *session = begin_http(ws, w, "2025-03-26", "");
	struct client *c = open_http(
		ws, w, "POST", session,
		"[" PING
		",{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}]");

	assert_int_equal(status_of(c), 200);
	assert_string_equal(body_of(c),
	                    "[{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}},"
	                    "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}]");
	assert_int_equal(post_status(ws, w, session,
	                             "[{\"jsonrpc\":\"2.0\",\"method\":"
	                             "\"notifications/x\"}]"),
	                 202);
	/* One of them that fails is no fault of the others. */
	assert_int_equal(
		post_status(ws, w, session,
	                    "[" PING ",{\"jsonrpc\":\"2.0\",\"id\":2,"
	                    "\"method\":\"ping\",\"params\":{" META("") "}}]"),
		200);
}

world_test(what_needs_no_answer_is_accepted)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve_fixtures(w);
	const char *session = begin_http(ws, w, "2025-11-25", "");

	assert_int_equal(post_status(ws, w, session,
	                             "{\"jsonrpc\":\"2.0\",\"method\":"
	                             "\"notifications/x\"}"),
	                 202);
	assert_int_equal(post_status(ws, w, session,
	                             "{\"jsonrpc\":\"2.0\",\"id\":77,"
	                             "\"result\":{}}"),
	                 202);
}

world_test(a_legacy_request_without_a_session_is_400)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve_fixtures(w);
	struct client *c = open_http(ws, w, "POST", "",
	                             call_body(w, 1, "test_simple_text"));

	assert_int_equal(status_of(c), 400);
	assert_string_equal(at(w, body_of(c), "error.code"), "-32602");
}

world_test(modern_faults_have_their_own_status)
{
	static const char head[] = "MCP-Protocol-Version: 2026-07-28\r\n"
				   "Mcp-Method: nothing\r\n";
	struct world *w = *state;
	struct dt_workspace *ws = serve_fixtures(w);
	struct client *c;

	assert_int_equal(post_status(ws, w, head,
	                             "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":"
	                             "\"nothing\",\"params\":{" META("") "}}"),
	                 404);
	c = open_http(ws, w, "POST", head,
	              "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\","
	              "\"params\":{" META("") "}}");
	assert_int_equal(status_of(c), 400);
	assert_string_equal(at(w, body_of(c), "error.code"), "-32020");
	c = post_modern(ws, w, "test_missing_capability", "");
	assert_int_equal(status_of(c), 400);
	assert_string_equal(at(w, body_of(c), "error.code"), "-32021");
	c = post_modern(ws, w, "none", "");
	assert_int_equal(status_of(c), 200);
	assert_string_equal(at(w, body_of(c), "error.code"), "-32602");
}

/* A session's header means nothing to a modern request. */
world_test(modern_requests_have_no_session)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve_fixtures(w);
	struct client *c = open_http(
		ws, w, "POST",
		"Mcp-Session-Id: none\r\nMCP-Protocol-Version: 2026-07-28\r\n"
		"Mcp-Method: server/discover\r\n",
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"server/discover\","
		"\"params\":{" META("") "}}");

	assert_int_equal(status_of(c), 200);
	assert_null(header_of(c, "mcp-session-id"));
	assert_int_equal(ws->session_count, 1);
	drop(c);
	wait_for(w, ws->session_count == 0);
}

/* sessions */

/* Some name the method in the head whatever the era. */
world_test(an_initialize_begins_a_session_also_when_the_head_names_it)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve_fixtures(w);
	struct client *c = open_http(
		ws, w, "POST", "Mcp-Method: initialize\r\n",
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\","
		"\"params\":{\"protocolVersion\":\"2025-11-25\"}}");

	assert_int_equal(status_of(c), 200);
	assert_non_null(header_of(c, "mcp-session-id"));
	/* But in the modern era there is none. */
	c = open_http(ws, w, "POST",
	              "MCP-Protocol-Version: 2026-07-28\r\n"
	              "Mcp-Method: initialize\r\n",
	              "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":"
	              "\"initialize\",\"params\":{" META("") "}}");
	assert_int_equal(status_of(c), 404);
	assert_null(header_of(c, "mcp-session-id"));
}

world_test(an_unknown_session_is_404)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve_fixtures(w);
	struct client *c;

	assert_int_equal(post_status(ws, w, "Mcp-Session-Id: x\r\n", PING),
	                 404);
	c = open_http(ws, w, "GET", "Mcp-Session-Id: x\r\n", "");
	assert_int_equal(status_of(c), 404);
	c = open_http(ws, w, "DELETE", "Mcp-Session-Id: x\r\n", "");
	assert_int_equal(status_of(c), 404);
}

world_test(outside_a_session_there_is_only_post)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve_fixtures(w);
	struct client *c = open_http(ws, w, "GET", "", "");

	assert_int_equal(status_of(c), 405);
	assert_non_null(header_of(c, "allow"));
	c = open_http(ws, w, "DELETE", "", "");
	assert_int_equal(status_of(c), 405);
	c = open_http(ws, w, "PUT", "", "");
	assert_int_equal(status_of(c), 405);
}

world_test(a_version_we_do_not_speak_is_400_for_every_method)
{
	static const char *const methods[] = { "POST", "GET", "DELETE" };
	struct world *w = *state;
	struct dt_workspace *ws = serve_fixtures(w);
	const char *line = begin_http(ws, w, "2025-11-25", "");
	char *session = text_of(w, "%.*sMCP-Protocol-Version: 1999-01-01\r\n",
	                        (int)(strchr(line, '\n') + 1 - line), line);

	for (size_t i = 0; i < 3; i++) {
		struct client *c = open_http(ws, w, methods[i], session, PING);

		assert_int_equal(status_of(c), 400);
	}
	assert_int_equal(ws->session_count, 1);
}

world_test(a_session_ends_when_its_client_says_so)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve_fixtures(w);
	const char *session = begin_http(ws, w, "2025-11-25", ELICITS);
	struct client *call =
		open_http(ws, w, "POST", session, call_body(w, 1, WAITS));
	struct client *c;

	wait_for(w, seen(call, "elicitation/create"));
	c = open_http(ws, w, "DELETE", session, "");
	assert_int_equal(status_of(c), 204);
	wait_for(w, ws->session_count == 0);
	/* What was under way ends without an answer. */
	wait_for(w, is_whole(call));
	assert_int_equal(seen(call, "result"), 0);
	assert_int_equal(post_status(ws, w, session, PING), 404);
}

world_test(a_session_without_a_good_initialize_is_none)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve_fixtures(w);
	struct client *c = open_http(ws, w, "POST", "",
	                             "{\"jsonrpc\":\"2.0\",\"id\":1,"
	                             "\"method\":\"initialize\","
	                             "\"params\":{}}");

	assert_string_equal(at(w, body_of(c), "error.code"), "-32602");
	wait_for(w, ws->session_count == 0);
}

world_test(so_many_sessions_and_no_more)
{
	struct world *w = *state;
	struct dt_workspace *ws;
	const char *session;
	struct client *c;

	configure(w, "[limits]\nsessions = 1\n");
	ws = serve_fixtures(w);
	session = begin_http(ws, w, "2025-11-25", "");
	c = open_http(ws, w, "POST", "",
	              "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\","
	              "\"params\":{\"protocolVersion\":\"2025-11-25\"}}");
	assert_int_equal(status_of(c), 503);
	c = post_modern(ws, w, "test_simple_text", "");
	assert_int_equal(status_of(c), 503);
	assert_int_equal(ws->metrics.hits[DT_HIT_SESSIONS], 2);
	/* Those who are in are served. */
	assert_int_equal(post_status(ws, w, session, PING), 200);
}

/* hanging up */

#define LISTEN_HEAD                                                            \
	"MCP-Protocol-Version: 2026-07-28\r\n"                                 \
	"Mcp-Method: subscriptions/listen\r\n"
#define LISTEN                                                                 \
	"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":"                            \
	"\"subscriptions/listen\",\"params\":{\"notifications\":{"             \
	"\"toolsListChanged\":true}," META("") "}}"

world_test(a_modern_call_ends_with_its_connection)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve_fixtures(w);
	struct client *c = open_http(ws, w, "POST", LISTEN_HEAD, LISTEN);

	wait_for(w, seen(c, "acknowledged"));
	assert_int_equal(dt_peer_request_count(last_session(ws)->agent.peer),
	                 1);
	drop(c);
	wait_for(w, ws->session_count == 0);
}

world_test(who_takes_no_events_cannot_listen)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve_fixtures(w);
	struct client *c =
		open_http(ws, w, "POST",
	                  LISTEN_HEAD "Accept: application/json\r\n", LISTEN);

	assert_int_equal(status_of(c), 406);
	assert_string_equal(at(w, body_of(c), "error.code"), "-32600");
	assert_string_equal(at(w, body_of(c), "error.message"),
	                    "subscriptions/listen: Accept must allow "
	                    "text/event-stream");
	assert_int_equal(dt_peer_request_count(last_session(ws)->agent.peer),
	                 0);
}

/* Equal ids of two connections are two requests, and one that hangs up takes
 * none of the other's with it. */
world_test(one_that_hangs_up_leaves_the_others_alone)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve_fixtures(w);
	const char *session = begin_http(ws, w, "2025-11-25", ELICITS);
	struct client *a =
		open_http(ws, w, "POST", session, call_body(w, 1, WAITS));
	struct client *b =
		open_http(ws, w, "POST", session, call_body(w, 2, WAITS));

	wait_for(w, seen(a, "elicitation/create") &&
	                    seen(b, "elicitation/create"));
	drop(a);
	run_for(w, 20);
	/* In the legacy era nothing is cancelled by that. */
	assert_int_equal(dt_peer_request_count(last_session(ws)->agent.peer),
	                 2);
	assert_int_equal(post_status(ws, w, session,
	                             "{\"jsonrpc\":\"2.0\",\"id\":1,"
	                             "\"result\":" DECLINE "}"),
	                 202);
	wait_for(w, seen(b, "User response"));
}

world_test(a_call_is_cancelled_by_a_message_of_its_own)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve_fixtures(w);
	const char *session = begin_http(ws, w, "2025-11-25", ELICITS);
	struct client *c =
		open_http(ws, w, "POST", session, call_body(w, 5, WAITS));

	wait_for(w, seen(c, "elicitation/create"));
	assert_int_equal(post_status(ws, w, session,
	                             "{\"jsonrpc\":\"2.0\",\"method\":"
	                             "\"notifications/cancelled\",\"params\":{"
	                             "\"requestId\":5}}"),
	                 202);
	wait_for(w, is_whole(c));
	assert_int_equal(seen(c, "\"result\""), 0);
	assert_int_equal(dt_peer_request_count(last_session(ws)->agent.peer),
	                 0);
}

/* what belongs to no request */

world_test(a_change_waits_for_somebody_to_read_it)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve_fixtures(w);
	const char *session = begin_http(ws, w, "2025-11-25", "");
	struct client *get;

	assert_int_equal(
		post_status(ws, w, session,
	                    call_body(w, 1, "test_trigger_tool_change")),
		200);
	get = open_http(ws, w, "GET", session, "");
	wait_for(w, seen(get, "tools/list_changed"));
	assert_int_equal(seen(get, "tools/list_changed"), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_world(
			a_page_of_a_browser_is_refused_by_its_origin_alone),
		test_in_world(a_token_is_wanted),
		test_in_world(
			only_json_is_taken_and_something_must_be_accepted),
		test_in_world(without_accept_everything_is),
		test_in_world(what_cannot_be_read_is_400_and_has_no_id),
		test_in_world(
			an_array_is_answered_by_one_where_the_revision_has_that),
		test_in_world(what_needs_no_answer_is_accepted),
		test_in_world(a_legacy_request_without_a_session_is_400),
		test_in_world(modern_faults_have_their_own_status),
		test_in_world(modern_requests_have_no_session),
		test_in_world(
			an_initialize_begins_a_session_also_when_the_head_names_it),
		test_in_world(an_unknown_session_is_404),
		test_in_world(outside_a_session_there_is_only_post),
		test_in_world(
			a_version_we_do_not_speak_is_400_for_every_method),
		test_in_world(a_session_ends_when_its_client_says_so),
		test_in_world(a_session_without_a_good_initialize_is_none),
		test_in_world(so_many_sessions_and_no_more),
		test_in_world(a_modern_call_ends_with_its_connection),
		test_in_world(who_takes_no_events_cannot_listen),
		test_in_world(one_that_hangs_up_leaves_the_others_alone),
		test_in_world(a_call_is_cancelled_by_a_message_of_its_own),
		test_in_world(a_change_waits_for_somebody_to_read_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
