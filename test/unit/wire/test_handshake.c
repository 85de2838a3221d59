/* test/unit/wire/test_handshake.c - HTTP that becomes a WebSocket, or not. */
#include "wire/handshake.h"

#include "unit.h"
#include "wire/ws.h"

/* RFC 6455 1.3 */
#define KEY "dGhlIHNhbXBsZSBub25jZQ=="
#define ACCEPT "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="

#define GET "GET / HTTP/1.1\r\nHost: x\r\n"
#define UPGRADE "Upgrade: websocket\r\nConnection: Upgrade\r\n"
#define VERSION "Sec-WebSocket-Version: 13\r\n"
#define WITH_KEY "Sec-WebSocket-Key: " KEY "\r\n"

static struct dt_http_head head;

static void read_request(const char *text)
{
	unsigned status = 0;
	size_t used = 0;

	assert_ok(dt_http_read_request(dt_str(text), &head, &used, &status,
	                               NULL));
	assert_int_equal(used, strlen(text));
}

static void read_response(const char *text)
{
	size_t used = 0;

	assert_ok(
		dt_http_read_response(dt_str(text), false, &head, &used, NULL));
	assert_int_equal(used, strlen(text));
}

test(an_upgrade_is_wanted_when_both_headers_say_so)
{
	read_request(GET UPGRADE "\r\n");
	assert_true(dt_handshake_is_wanted(&head));
	read_request(GET "UPGRADE: h2c, WebSocket\r\n"
	                 "connection: keep-alive, UPGRADE\r\n\r\n");
	assert_true(dt_handshake_is_wanted(&head));
	read_request(GET "\r\n");
	assert_false(dt_handshake_is_wanted(&head));
	read_request(GET "Upgrade: websocket\r\n\r\n");
	assert_false(dt_handshake_is_wanted(&head));
	read_request(GET "Connection: Upgrade\r\n\r\n");
	assert_false(dt_handshake_is_wanted(&head));
	read_request(GET "Connection: Upgrade\r\nUpgrade: websocket2\r\n\r\n");
	assert_false(dt_handshake_is_wanted(&head));
}

test(a_good_request_passes)
{
	unsigned status = 0;

	read_request(GET UPGRADE VERSION WITH_KEY
	             "Sec-WebSocket-Extensions: permessage-deflate\r\n"
	             "Content-Length: 0\r\n\r\n");
	assert_ok(dt_handshake_check(&head, &status, NULL));
}

static void check_refused(const char *text, unsigned expected)
{
	struct dt_fail fail = { 0 };
	unsigned status = 0;

	read_request(text);
	assert_int_equal(dt_handshake_check(&head, &status, &fail), DT_E_PROTO);
	assert_int_equal(status, expected);
	assert_true(fail.msg[0] != '\0');
}

test(a_bad_request_is_refused_with_its_status)
{
	check_refused("POST / HTTP/1.1\r\nHost: x\r\n" UPGRADE VERSION WITH_KEY
	              "\r\n",
	              400);
	check_refused("GET / HTTP/1.0\r\nHost: x\r\n" UPGRADE VERSION WITH_KEY
	              "\r\n",
	              400);
	check_refused(GET UPGRADE VERSION WITH_KEY "Content-Length: 1\r\n\r\n",
	              400);
	check_refused(GET UPGRADE VERSION WITH_KEY
	              "Transfer-Encoding: chunked\r\n\r\n",
	              400);
	check_refused(GET UPGRADE VERSION "\r\n", 400);
	check_refused(GET UPGRADE VERSION WITH_KEY WITH_KEY "\r\n", 400);
	check_refused(GET UPGRADE VERSION "Sec-WebSocket-Key: \r\n\r\n", 400);
	check_refused(GET UPGRADE VERSION
	              "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=\r\n\r\n",
	              400);
	check_refused(GET UPGRADE VERSION
	              "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZTE=\r\n\r\n",
	              400);
	check_refused(GET UPGRADE VERSION
	              "Sec-WebSocket-Key: !GhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
	              400);
}

test(another_version_is_answered_with_426)
{
	check_refused(GET UPGRADE WITH_KEY "\r\n", 426);
	check_refused(GET UPGRADE WITH_KEY "Sec-WebSocket-Version: 8\r\n\r\n",
	              426);
	check_refused(GET UPGRADE WITH_KEY
	              "Sec-WebSocket-Version: 13, 8\r\n\r\n",
	              426);
	check_refused(GET UPGRADE WITH_KEY VERSION VERSION "\r\n", 426);
}

static void check_accept(const char *protocol, const char *expected)
{
	struct dt_buf out;

	dt_buf_init(&out, 1000);
	read_request(GET UPGRADE VERSION WITH_KEY
	             "Sec-WebSocket-Extensions: permessage-deflate\r\n\r\n");
	dt_handshake_write_accept(&out, &head, protocol);
	dt_http_write_end(&out);
	assert_string_equal(dt_buf_z(&out), expected);
	dt_buf_done(&out);
}

test(the_acceptance_is_that_of_the_specification)
{
	check_accept(NULL, "HTTP/1.1 101 Switching Protocols\r\n"
	                   "Upgrade: websocket\r\nConnection: Upgrade\r\n"
	                   "Sec-WebSocket-Accept: " ACCEPT "\r\n\r\n");
	check_accept("mcp", "HTTP/1.1 101 Switching Protocols\r\n"
	                    "Upgrade: websocket\r\nConnection: Upgrade\r\n"
	                    "Sec-WebSocket-Accept: " ACCEPT "\r\n"
	                    "Sec-WebSocket-Protocol: mcp\r\n\r\n");
}

test(a_key_is_valid_and_new_each_time)
{
	char one[DT_HANDSHAKE_KEY];
	char two[DT_HANDSHAKE_KEY];

	dt_handshake_make_key(one);
	dt_handshake_make_key(two);
	assert_int_equal(strlen(one), DT_HANDSHAKE_KEY - 1);
	assert_true(dt_ws_key_is_valid(dt_str(one)));
	assert_string_not_equal(one, two);
}

#define OK_101 "HTTP/1.1 101 Switching Protocols\r\n"
#define ACCEPTS "Sec-WebSocket-Accept: " ACCEPT "\r\n"

static enum dt_err check_response(const char *text, const char *protocol)
{
	struct dt_fail fail = { 0 };
	enum dt_err err;

	read_response(text);
	err = dt_handshake_check_accept(&head, KEY, protocol, &fail);
	assert_int_equal(err, fail.code);
	return err;
}

test(a_client_takes_the_acceptance_of_its_key)
{
	assert_ok(check_response(OK_101 UPGRADE ACCEPTS "\r\n", NULL));
	assert_ok(check_response(OK_101 UPGRADE ACCEPTS "\r\n", "mcp"));
	assert_ok(check_response(OK_101 UPGRADE ACCEPTS
	                         "Sec-WebSocket-Protocol: mcp\r\n\r\n",
	                         "mcp"));
}

test(a_client_takes_nothing_else)
{
	assert_int_equal(check_response("HTTP/1.1 401 Unauthorized\r\n"
	                                "Content-Length: 0\r\n\r\n",
	                                NULL),
	                 DT_E_DENIED);
	assert_int_equal(check_response("HTTP/1.1 200 OK\r\n" UPGRADE ACCEPTS
	                                "Content-Length: 0\r\n\r\n",
	                                NULL),
	                 DT_E_DENIED);
	assert_int_equal(check_response(OK_101 ACCEPTS "\r\n", NULL),
	                 DT_E_PROTO);
	assert_int_equal(check_response(OK_101 ACCEPTS
	                                "Upgrade: websocket\r\n\r\n",
	                                NULL),
	                 DT_E_PROTO);
	assert_int_equal(check_response(OK_101 UPGRADE "\r\n", NULL),
	                 DT_E_PROTO);
	assert_int_equal(
		check_response(OK_101 UPGRADE ACCEPTS ACCEPTS "\r\n", NULL),
		DT_E_PROTO);
	assert_int_equal(check_response(OK_101 UPGRADE
	                                "Sec-WebSocket-Accept: "
	                                "AAAAAAAAAAAAAAAAAAAAAAAAA"
	                                "AA=\r\n\r\n",
	                                NULL),
	                 DT_E_PROTO);
	assert_int_equal(check_response(OK_101 UPGRADE ACCEPTS
	                                "Sec-WebSocket-Extensions: x\r\n\r\n",
	                                NULL),
	                 DT_E_PROTO);
	assert_int_equal(check_response(OK_101 UPGRADE ACCEPTS
	                                "Sec-WebSocket-Protocol: mcp\r\n\r\n",
	                                NULL),
	                 DT_E_PROTO);
	assert_int_equal(check_response(OK_101 UPGRADE ACCEPTS
	                                "Sec-WebSocket-Protocol: lsp\r\n\r\n",
	                                "mcp"),
	                 DT_E_PROTO);
	assert_int_equal(check_response(OK_101 UPGRADE ACCEPTS
	                                "Sec-WebSocket-Protocol: mcp\r\n"
	                                "Sec-WebSocket-Protocol: lsp\r\n\r\n",
	                                "mcp"),
	                 DT_E_PROTO);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_upgrade_is_wanted_when_both_headers_say_so),
		cmocka_unit_test(a_good_request_passes),
		cmocka_unit_test(a_bad_request_is_refused_with_its_status),
		cmocka_unit_test(another_version_is_answered_with_426),
		cmocka_unit_test(the_acceptance_is_that_of_the_specification),
		cmocka_unit_test(a_key_is_valid_and_new_each_time),
		cmocka_unit_test(a_client_takes_the_acceptance_of_its_key),
		cmocka_unit_test(a_client_takes_nothing_else),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
