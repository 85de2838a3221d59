#include "agent.h"

#include "hub/door.h"

#define TOKEN "0123456789abcdef"
#define AUTH "X-Claude-Code-Ide-Authorization: " TOKEN "\r\n"
#define UPGRADE                                                                \
	"Connection: Upgrade\r\nUpgrade: websocket\r\n"                        \
	"Sec-WebSocket-Version: 13\r\n"                                        \
	"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
#define HOST "Host: 127.0.0.1:10101\r\n"

static struct dt_door new_door(void)
{
	return (struct dt_door){ .port = 10101, .token = TOKEN };
}

/* The status a request is refused with; 0: it may come in. */
static unsigned check(struct dt_door *door, const char *request)
{
	const struct dt_dialect *dialect = NULL;
	struct dt_http_head head;
	struct dt_fail fail = { 0 };
	unsigned status = 0;
	size_t used = 0;

	if (dt_http_read_request(dt_str(request), &head, &used, &status, &fail))
		fail_msg("%s", fail.msg);
	assert_int_equal(used, strlen(request));
	if (dt_door_check(door, &head, &dialect, &status, &fail)) {
		assert_string_not_equal(fail.msg, "");
		assert_null(strstr(fail.msg, TOKEN));
		return status;
	}
	assert_true(dt_door_has_token(door, &head));
	assert_string_equal(dialect->name, dt_str_is(head.target, "/")
	                                           ? "claude-code"
	                                           : "mcp");
	return 0;
}

static unsigned check_new(const char *request)
{
	struct dt_door door = new_door();

	return check(&door, request);
}

static unsigned check_host(const char *host)
{
	char *request = dt_asprintf(
		"GET / HTTP/1.1\r\nHost: %s\r\n" UPGRADE AUTH "\r\n", host);
	unsigned status = check_new(request);

	free(request);
	return status;
}

test(the_right_token_comes_in_at_both_paths)
{
	assert_int_equal(
		check_new("GET / HTTP/1.1\r\n" HOST UPGRADE AUTH "\r\n"), 0);
	assert_int_equal(
		check_new("GET /mcp HTTP/1.1\r\n" HOST UPGRADE AUTH "\r\n"), 0);
}

test(only_names_of_this_machine_are_hosts)
{
	static const char *const good[] = {
		"127.0.0.1:10101", "localhost:10101", "[::1]:10101",
		"127.0.0.1",       "LOCALHOST",       "[::1]",
	};
	static const char *const bad[] = {
		"evil.example",       "127.0.0.1:10102",
		"localhost.evil",     "127.0.0.1.evil:10101",
		"127.0.0.1:",         "127.0.0.1:10101x",
		"localhost:+10101",   "192.168.0.1:10101",
		"0.0.0.0:10101",      "::1",
		"evil.example:10101",
	};

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		assert_int_equal(check_host(good[i]), 0);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(check_host(bad[i]), 403);
}

static unsigned check_origin(const char *origin)
{
	char text[400];

	snprintf(text, sizeof(text),
	         "GET / HTTP/1.1\r\n" HOST UPGRADE AUTH "Origin: %s\r\n\r\n",
	         origin);
	return check_new(text);
}

test(a_browser_stays_outside_even_with_the_token)
{
	static const char *const strangers[] = {
		"null",
		"http://evil.example",
		"http://127.0.0.1",
		"http://[::1]",
		"http://127.0.0.1:10102",
		"https://127.0.0.1:10101",
		"http://127.0.0.1:10101.evil.example",
		"http://localhost:10101/",
		"http://",
	};

	for (size_t i = 0; i < sizeof(strangers) / sizeof(strangers[0]); i++)
		assert_int_equal(check_origin(strangers[i]), 403);
	assert_int_equal(check_new("GET / HTTP/1.1\r\n" HOST UPGRADE AUTH
	                           "Origin: http://127.0.0.1:10101\r\n"
	                           "Origin: http://evil.example\r\n\r\n"),
	                 403);
}

test(a_page_of_this_very_port_is_ours)
{
	assert_int_equal(check_origin("http://127.0.0.1:10101"), 0);
	assert_int_equal(check_origin("http://localhost:10101"), 0);
	assert_int_equal(check_origin("http://[::1]:10101"), 0);
}

test(a_token_must_be_there_right_and_once)
{
	assert_int_equal(check_new("GET / HTTP/1.1\r\n" HOST UPGRADE "\r\n"),
	                 401);
	assert_int_equal(
		check_new("GET / HTTP/1.1\r\n" HOST UPGRADE AUTH AUTH "\r\n"),
		401);
	assert_int_equal(check_new("GET / HTTP/1.1\r\n" HOST UPGRADE
	                           "X-Claude-Code-Ide-Authorization: \r\n"
	                           "\r\n"),
	                 401);
	assert_int_equal(check_new("GET / HTTP/1.1\r\n" HOST UPGRADE
	                           "X-Claude-Code-Ide-Authorization: " TOKEN
	                           "0\r\n\r\n"),
	                 401);
	assert_int_equal(check_new("GET / HTTP/1.1\r\n" HOST UPGRADE
	                           "X-Claude-Code-Ide-Authorization: 0123\r\n"
	                           "\r\n"),
	                 401);
	assert_int_equal(check_new("GET / HTTP/1.1\r\n" HOST UPGRADE
	                           "Authorization: Bearer " TOKEN "\r\n\r\n"),
	                 401);
	/* The name of a header is written as one likes. */
	assert_int_equal(check_new("GET / HTTP/1.1\r\n" HOST UPGRADE
	                           "x-claude-code-ide-authorization: " TOKEN
	                           "\r\n\r\n"),
	                 0);
}

test(a_bearer_comes_in_at_mcp_alone)
{
	assert_int_equal(check_new("POST /mcp HTTP/1.1\r\n" HOST
	                           "Authorization: Bearer " TOKEN "\r\n\r\n"),
	                 0);
	assert_int_equal(check_new("GET /mcp HTTP/1.1\r\n" HOST UPGRADE
	                           "Authorization: bearer " TOKEN "\r\n\r\n"),
	                 0);
	assert_int_equal(check_new("POST /mcp HTTP/1.1\r\n" HOST
	                           "Authorization: Bearer " TOKEN "x\r\n\r\n"),
	                 401);
	assert_int_equal(check_new("POST /mcp HTTP/1.1\r\n" HOST
	                           "Authorization: Basic " TOKEN "\r\n\r\n"),
	                 401);
	assert_int_equal(check_new("POST /mcp HTTP/1.1\r\n" HOST
	                           "Authorization: Bearer\r\n\r\n"),
	                 401);
}

test(other_paths_are_not_served)
{
	assert_int_equal(
		check_new("GET /x HTTP/1.1\r\n" HOST UPGRADE AUTH "\r\n"), 404);
	assert_int_equal(
		check_new("GET /?a HTTP/1.1\r\n" HOST UPGRADE AUTH "\r\n"),
		404);
	/* Who has no token is told nothing about paths. */
	assert_int_equal(check_new("GET /x HTTP/1.1\r\n" HOST UPGRADE "\r\n"),
	                 401);
}

test(what_is_no_websocket_is_told_to_become_one)
{
	assert_int_equal(check_new("GET / HTTP/1.1\r\n" HOST AUTH "\r\n"), 426);
	assert_int_equal(check_new("GET / HTTP/1.1\r\n" HOST AUTH
	                           "Connection: Upgrade\r\nUpgrade: h2c\r\n"
	                           "\r\n"),
	                 426);
	assert_int_equal(check_new("GET / HTTP/1.1\r\n" HOST AUTH
	                           "Connection: Upgrade\r\n"
	                           "Upgrade: websocket\r\n"
	                           "Sec-WebSocket-Version: 8\r\n"
	                           "Sec-WebSocket-Key: "
	                           "dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"),
	                 426);
	assert_int_equal(check_new("GET / HTTP/1.1\r\n" HOST AUTH
	                           "Connection: Upgrade\r\n"
	                           "Upgrade: websocket\r\n"
	                           "Sec-WebSocket-Version: 13\r\n"
	                           "Sec-WebSocket-Key: short\r\n\r\n"),
	                 400);
	assert_int_equal(
		check_new("POST / HTTP/1.1\r\n" HOST UPGRADE AUTH "\r\n"), 400);
}

static void wait_for_a_new_second(void)
{
	uint64_t second = dt_clock_ms() / 1000;

	while (dt_clock_ms() / 1000 == second)
		usleep(1000);
}

test(guessing_is_slow_and_disturbs_nobody)
{
	const char *wrong = "GET / HTTP/1.1\r\n" HOST UPGRADE "\r\n";
	const char *right = "GET / HTTP/1.1\r\n" HOST UPGRADE AUTH "\r\n";
	struct dt_door door = new_door();

	wait_for_a_new_second();
	for (int i = 0; i < DT_LIMIT_FAILED_HANDSHAKES; i++)
		assert_int_equal(check(&door, wrong), 401);
	assert_int_equal(check(&door, wrong), 429);
	assert_int_equal(check(&door, right), 0);
	assert_int_equal(check(&door, wrong), 429);
	wait_for_a_new_second();
	assert_int_equal(check(&door, wrong), 401);
}

/* Over the socket: the answers come, and good tokens pass meanwhile. */
world_test(wrong_tokens_do_not_keep_an_agent_out)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	unsigned port = ws->record.port;
	unsigned status = 0;
	char *wrong = upgrade_request(w, port, "x", "dGhlIHNhbXBsZSBub25jZQ==");
	struct client *c;

	for (int i = 0; status != 429 && i < 200; i++) {
		status = ask_http(w, port, wrong);
		assert_true(status == 401 || status == 429);
	}
	assert_int_equal(status, 429);
	c = connect_agent(ws, w);
	request(c, "ping", "{}");
	expect(c, "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}");
	assert_int_equal(ws->session_count, 1);
}

world_test(a_refusal_says_what_to_do)
{
	struct world *w = *state;
	const struct dt_workspace *ws = serve(w);
	struct client *c = connect_raw(w, ws->record.port);

	send_raw(c, text_of(w,
	                    "GET / HTTP/1.1\r\nHost: localhost\r\n"
	                    "X-Claude-Code-Ide-Authorization: %s\r\n"
	                    "Connection: close\r\n\r\n",
	                    ws->record.token));
	wait_for(w, c->is_closed);
	assert_string_equal(dt_buf_z(&c->in),
	                    "HTTP/1.1 426 Upgrade Required\r\n"
	                    "Content-Type: text/plain; charset=utf-8\r\n"
	                    "Cache-Control: no-store\r\n"
	                    "Content-Length: 40\r\n"
	                    "Connection: close\r\n"
	                    "Upgrade: websocket\r\n"
	                    "Sec-WebSocket-Version: 13\r\n"
	                    "\r\n"
	                    "this is a WebSocket: ask for an upgrade\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_right_token_comes_in_at_both_paths),
		cmocka_unit_test(only_names_of_this_machine_are_hosts),
		cmocka_unit_test(a_browser_stays_outside_even_with_the_token),
		cmocka_unit_test(a_page_of_this_very_port_is_ours),
		cmocka_unit_test(a_bearer_comes_in_at_mcp_alone),
		cmocka_unit_test(a_token_must_be_there_right_and_once),
		cmocka_unit_test(other_paths_are_not_served),
		cmocka_unit_test(what_is_no_websocket_is_told_to_become_one),
		cmocka_unit_test(guessing_is_slow_and_disturbs_nobody),
		test_in_world(wrong_tokens_do_not_keep_an_agent_out),
		test_in_world(a_refusal_says_what_to_do),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
