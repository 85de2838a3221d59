#include "hub/mcp.h"

#define TOOLS_CHANGED "notifications/tools/list_changed"
#define PROMPTS_CHANGED "notifications/prompts/list_changed"
#define ID_KEY "\"io.modelcontextprotocol/subscriptionId\""

/* Tell the last session of an event. */
static void tell(struct dt_workspace *ws, enum dt_event_type type)
{
	struct dt_agent *agent = &last_session(ws)->agent;
	struct dt_event event = { .type = type };

	agent->dialect->on_event(agent, &event);
}

static struct client *connect(struct world *w)
{
	return connect_lines(serve_fixtures(w), w, &fixture_dialect);
}

/* lists */

world_test(the_first_change_is_told_at_once_and_the_rest_together)
{
	struct world *w = *state;
	struct client *c = connect_fixtures(w, "2025-11-25", "");
	struct dt_workspace *ws = serve(w);
	uint64_t first;

	expect_nothing_but_pong(c);
	for (int i = 0; i < 5; i++)
		tell(ws, DT_EVENT_TOOLS);
	expect(c, "{\"jsonrpc\":\"2.0\",\"method\":\"" TOOLS_CHANGED "\"}");
	first = heard_at(c);
	expect(c, "{\"jsonrpc\":\"2.0\",\"method\":\"" TOOLS_CHANGED "\"}");
	assert_in_range(heard_at(c) - first, 1900, 4000);
	expect_silence(c, 100);
}

world_test(a_session_that_is_not_ready_is_told_when_it_is)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve_fixtures(w);
	struct client *c = connect_lines(ws, w, &fixture_dialect);

	ask(c, "initialize", "{\"protocolVersion\":\"2025-11-25\"}");
	tell(ws, DT_EVENT_TOOLS);
	tell(ws, DT_EVENT_PROMPTS);
	tell(ws, DT_EVENT_TOOLS);
	expect_nothing_but_pong(c);
	say(c,
	    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
	expect_at(c, "method", TOOLS_CHANGED);
	expect_at(c, "method", PROMPTS_CHANGED);
	expect_silence(c, 50);
}

/* subscriptions of a session */

world_test(who_subscribes_to_files_listens_for_them)
{
	struct world *w = *state;
	struct client *c = connect_fixtures(w, "2025-11-25", "");
	const struct dt_agent *agent = &last_session(serve(w))->agent;

	ask(c, "resources/subscribe", "{\"uri\":\"dovetail://selection\"}");
	assert_false(agent->listens);
	ask(c, "resources/subscribe", "{\"uri\":\"file:///a\"}");
	assert_true(agent->listens);
	ask(c, "resources/unsubscribe", "{\"uri\":\"file:///a\"}");
	assert_false(agent->listens);
}

world_test(a_resource_is_told_of_while_it_is_subscribed_to)
{
	struct world *w = *state;
	struct client *c = connect_fixtures(w, "2025-11-25", "");
	struct dt_workspace *ws = serve(w);
	const char *uri = "{\"uri\":\"dovetail://selection\"}";

	expect_nothing_but_pong(c);
	tell(ws, DT_EVENT_SELECTION);
	expect_nothing_but_pong(c);
	ask(c, "resources/subscribe", uri);
	ask(c, "resources/subscribe", uri);
	tell(ws, DT_EVENT_SELECTION);
	tell(ws, DT_EVENT_SELECTION);
	for (int i = 0; i < 2; i++)
		expect(c,
		       "{\"jsonrpc\":\"2.0\",\"method\":"
		       "\"notifications/resources/updated\",\"params\":%s}",
		       uri);
	ask(c, "resources/unsubscribe", uri);
	ask(c, "resources/unsubscribe", uri);
	run_for(w, 300);
	tell(ws, DT_EVENT_SELECTION);
	expect_nothing_but_pong(c);
	request(c, "resources/subscribe", "{}");
	expect_failure(c, c->id, -32602, "uri: missing");
}

world_test(so_many_resources_and_no_more)
{
	struct world *w = *state;
	struct client *c;

	configure(w, "[limits]\nrequests_a_minute = 0\n");
	c = connect_fixtures(w, "2025-11-25", "");
	for (unsigned i = 0; i < DT_LIMIT_SUBSCRIPTIONS; i++) {
		request(c, "resources/subscribe",
		        text_of(w, "{\"uri\":\"x:%u\"}", i));
		expect(c, "{\"jsonrpc\":\"2.0\",\"id\":%u,\"result\":{}}",
		       c->id);
	}
	request(c, "resources/subscribe", "{\"uri\":\"x:more\"}");
	expect_failure(c, c->id, -32004, "more than 200 subscriptions");
	ask(c, "resources/unsubscribe", "{\"uri\":\"x:0\"}");
	request(c, "resources/subscribe", "{\"uri\":\"x:more\"}");
	expect(c, "{\"jsonrpc\":\"2.0\",\"id\":%u,\"result\":{}}", c->id);
}

/* requests that are held open */

static void listen_to(struct client *c, const char *filter)
{
	request(c, "subscriptions/listen",
	        text_of(c->w, "{\"notifications\":{%s}," META("") "}", filter));
}

world_test(what_is_listened_to_is_acknowledged_and_tagged)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve_fixtures(w);
	struct client *c = connect_lines(ws, w, &fixture_dialect);

	listen_to(c, "\"toolsListChanged\":true,\"promptsListChanged\":false,"
	             "\"unknown\":true,\"resourceSubscriptions\":["
	             "\"dovetail://selection\",7]");
	expect(c, "{\"jsonrpc\":\"2.0\",\"method\":"
	          "\"notifications/subscriptions/acknowledged\",\"params\":{"
	          "\"_meta\":{" ID_KEY ":1},\"notifications\":{"
	          "\"toolsListChanged\":true,\"resourceSubscriptions\":["
	          "\"dovetail://selection\"]}}}");
	tell(ws, DT_EVENT_PROMPTS);
	run_for(w, 50);
	tell(ws, DT_EVENT_SELECTION);
	expect(c,
	       "{\"jsonrpc\":\"2.0\",\"method\":"
	       "\"notifications/resources/updated\",\"params\":{"
	       "\"uri\":\"dovetail://selection\",\"_meta\":{" ID_KEY ":1}}}");
	tell(ws, DT_EVENT_TOOLS);
	expect(c, "{\"jsonrpc\":\"2.0\",\"method\":\"" TOOLS_CHANGED
	          "\",\"params\":{\"_meta\":{" ID_KEY ":1}}}");
}

world_test(a_change_that_nobody_hears_holds_up_nothing)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve_fixtures(w);
	struct client *c = connect_lines(ws, w, &fixture_dialect);
	uint64_t first;

	ask(c, "server/discover", "{" META("") "}");
	tell(ws, DT_EVENT_TOOLS);
	listen_to(c, "\"toolsListChanged\":true");
	expect_at(c, "method", "notifications/subscriptions/acknowledged");
	first = heard_at(c);
	tell(ws, DT_EVENT_PROMPTS);
	tell(ws, DT_EVENT_TOOLS);
	expect_at(c, "method", TOOLS_CHANGED);
	assert_in_range(heard_at(c) - first, 0, 1000);
}

world_test(several_listen_side_by_side_until_they_are_cancelled)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve_fixtures(w);
	struct client *c = connect_lines(ws, w, &fixture_dialect);

	listen_to(c, "\"toolsListChanged\":true");
	hear(c);
	listen_to(c, "\"toolsListChanged\":true");
	hear(c);
	tell(ws, DT_EVENT_TOOLS);
	expect_at(c, "params._meta", "{" ID_KEY ":1}");
	expect_at(c, "params._meta", "{" ID_KEY ":2}");
	cancel(c, 1);
	wait_for(w, dt_peer_request_count(last_session(ws)->agent.peer) == 1);
	tell(ws, DT_EVENT_TOOLS);
	expect_at(c, "params._meta", "{" ID_KEY ":2}");
	expect_silence(c, 50);
}

world_test(a_filter_is_an_object)
{
	struct world *w = *state;
	struct client *c = connect(w);

	request(c, "subscriptions/listen", "{" META("") "}");
	expect_failure(c, c->id, -32602, "notifications: missing");
	request(c, "subscriptions/listen",
	        "{\"notifications\":[]," META("") "}");
	expect_failure(c, c->id, -32602, "notifications: missing");
}

world_test(so_many_listen_and_no_more)
{
	struct world *w = *state;
	struct client *c;

	configure(w, "[limits]\nrequests_a_minute = 0\n");
	c = connect(w);
	for (unsigned i = 0; i < DT_LIMIT_LISTENS; i++) {
		listen_to(c, "");
		hear(c);
	}
	listen_to(c, "");
	expect_failure(c, c->id, 429, "100 subscriptions are open already");
	cancel(c, 1);
	listen_to(c, "");
	expect_at(c, "method", "notifications/subscriptions/acknowledged");
}

/* They stay as long as the session does. */
world_test(what_is_kept_for_a_subscription_has_a_limit)
{
	struct world *w = *state;
	struct client *c = connect_fixtures(w, "2025-11-25", "");
	char *uri = dt_arena_bytes(&w->arena, DT_LIMIT_ARGUMENTS + 1);

	memset(uri, 'x', DT_LIMIT_ARGUMENTS);
	uri[DT_LIMIT_ARGUMENTS] = '\0';
	request(c, "resources/subscribe", text_of(w, "{\"uri\":\"%s\"}", uri));
	expect_failure(c, c->id, -32602, "params: larger than 1048576 bytes");
	listen_to(c, text_of(w, "\"resourceSubscriptions\":[\"%s\"]", uri));
	expect_failure(c, c->id, -32602, "params: larger than 1048576 bytes");
	expect_nothing_but_pong(c);
}

world_test(a_daemon_that_stops_ends_them_with_their_result)
{
	struct world *w = *state;
	struct client *c = connect(w);

	listen_to(c, "\"toolsListChanged\":true");
	hear(c);
	dt_hub_stop(&w->hub);
	expect(c, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{"
	          "\"resultType\":\"complete\",\"_meta\":{" ID_KEY ":1}}}");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_world(
			the_first_change_is_told_at_once_and_the_rest_together),
		test_in_world(a_session_that_is_not_ready_is_told_when_it_is),
		test_in_world(who_subscribes_to_files_listens_for_them),
		test_in_world(a_resource_is_told_of_while_it_is_subscribed_to),
		test_in_world(so_many_resources_and_no_more),
		test_in_world(what_is_listened_to_is_acknowledged_and_tagged),
		test_in_world(a_change_that_nobody_hears_holds_up_nothing),
		test_in_world(
			several_listen_side_by_side_until_they_are_cancelled),
		test_in_world(a_filter_is_an_object),
		test_in_world(so_many_listen_and_no_more),
		test_in_world(what_is_kept_for_a_subscription_has_a_limit),
		test_in_world(a_daemon_that_stops_ends_them_with_their_result),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
