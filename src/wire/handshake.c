/*
 * wire/handshake.c - the opening handshake, both ends.
 *
 * Who may come in (token, Host, Origin) is not decided here but by the door in
 * hub/.  No extension is ever accepted.
 */
#include "wire/handshake.h"

#include "base/base64.h"
#include "base/rand.h"
#include "wire/ws.h"

bool dt_handshake_is_wanted(const struct dt_http_head *head)
{
	return head->wants_upgrade &&
	       dt_http_has_token(head, "upgrade", "websocket");
}

enum dt_err dt_handshake_check(const struct dt_http_head *head,
                               unsigned *out_status, struct dt_fail *fail)
{
	*out_status = 400;
	if (!dt_str_is(head->method, "GET") || head->minor < 1)
		return dt_fail(fail, DT_E_PROTO,
		               "a WebSocket begins with GET and HTTP/1.1");
	if (head->is_chunked || head->length > 0)
		return dt_fail(fail, DT_E_PROTO,
		               "a WebSocket request has no body");
	if (dt_http_count(head, "sec-websocket-version") != 1 ||
	    !dt_str_is(dt_http_get(head, "sec-websocket-version"), "13")) {
		*out_status = 426;
		return dt_fail(fail, DT_E_PROTO,
		               "only WebSocket version 13 is spoken here");
	}
	if (dt_http_count(head, "sec-websocket-key") != 1 ||
	    !dt_ws_key_is_valid(dt_http_get(head, "sec-websocket-key")))
		return dt_fail(fail, DT_E_PROTO,
		               "Sec-WebSocket-Key is not 16 bytes in base64");
	return DT_E_OK;
}

void dt_handshake_write_accept(struct dt_buf *out,
                               const struct dt_http_head *head,
                               const char *protocol)
{
	char accept[DT_WS_ACCEPT_TEXT];

	dt_ws_accept(dt_http_get(head, "sec-websocket-key"), accept);
	dt_http_write_status(out, 101);
	dt_http_write_header(out, "Upgrade", DT_STR("websocket"));
	dt_http_write_header(out, "Connection", DT_STR("Upgrade"));
	dt_http_write_header(out, "Sec-WebSocket-Accept", dt_str(accept));
	if (protocol)
		dt_http_write_header(out, "Sec-WebSocket-Protocol",
		                     dt_str(protocol));
}

void dt_handshake_make_key(char out[DT_HANDSHAKE_KEY])
{
	uint8_t nonce[16];

	dt_rand_bytes(nonce, sizeof(nonce));
	dt_base64_write(nonce, sizeof(nonce), out);
}

enum dt_err dt_handshake_check_accept(const struct dt_http_head *head,
                                      const char *key, const char *protocol,
                                      struct dt_fail *fail)
{
	char accept[DT_WS_ACCEPT_TEXT];
	struct dt_str chosen = dt_http_get(head, "sec-websocket-protocol");

	if (head->status != 101)
		return dt_fail(fail, DT_E_DENIED,
		               "the server answered %u, not 101", head->status);
	if (!dt_handshake_is_wanted(head))
		return dt_fail(fail, DT_E_PROTO,
		               "101 without an upgrade to websocket");
	dt_ws_accept(dt_str(key), accept);
	if (dt_http_count(head, "sec-websocket-accept") != 1 ||
	    !dt_str_is(dt_http_get(head, "sec-websocket-accept"), accept))
		return dt_fail(fail, DT_E_PROTO,
		               "Sec-WebSocket-Accept is not ours");
	if (dt_http_count(head, "sec-websocket-extensions"))
		return dt_fail(
			fail, DT_E_PROTO,
			"the server chose an extension we did not offer");
	if (chosen.ptr && (dt_http_count(head, "sec-websocket-protocol") != 1 ||
	                   !protocol || !dt_str_is(chosen, protocol)))
		return dt_fail(
			fail, DT_E_PROTO,
			"the server chose a subprotocol we did not offer");
	return DT_E_OK;
}
