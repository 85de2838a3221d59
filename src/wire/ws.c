/*
 * wire/ws.c - WebSocket frames taken apart and put together.
 *
 * Bytes go in, messages and control frames come out; sockets, timers and the
 * answer to a ping, a close or a fault are link/link_ws.c's.  A frame is first
 * a head (in `head`, until it is whole and has been checked), then a payload
 * of which `payload_seen` bytes have been unmasked, checked and put away.  The
 * outcome is the same however the input was cut into pieces.
 */
#include "wire/ws.h"

#include "base/base64.h"
#include "base/limits.h"
#include "base/sha1.h"

#include <assert.h>

#define FINAL_BIT 0x80
#define RESERVED_BITS 0x70
#define OPCODE_BITS 0x0f
#define CONTROL_BIT 0x08
#define MASK_BIT 0x80
#define LENGTH_BITS 0x7f
#define LENGTH_IS_16 126
#define LENGTH_IS_64 127
#define CONTROL_MAX 125

#define KEY_BYTES 16
#define KEY_TEXT 24
#define SHA1_BYTES 20

/* A head may promise more than its sender has: believe it only this far. */
#define RESERVE_AHEAD DT_MIB

void dt_ws_init(struct dt_ws *ws, enum dt_ws_role role, size_t limit)
{
	*ws = (struct dt_ws){ .role = role, .limit = limit };
	dt_buf_init(&ws->message, limit);
}

void dt_ws_done(struct dt_ws *ws)
{
	dt_buf_done(&ws->message);
	*ws = (struct dt_ws){ 0 };
}

static enum dt_err fault(struct dt_ws *ws, unsigned code, const char *why,
                         struct dt_fail *fail)
{
	ws->fault = code;
	return dt_fail(fail, DT_E_PROTO, "%s", why);
}

static bool is_control(const struct dt_ws *ws)
{
	return ws->opcode & CONTROL_BIT;
}

static bool is_known(unsigned opcode)
{
	return opcode <= DT_WS_BINARY ||
	       (opcode >= DT_WS_CLOSE && opcode <= DT_WS_PONG);
}

/* RFC 6455 5.2, 5.4, 5.5: all that the first two bytes can get wrong. */
static enum dt_err check_start(struct dt_ws *ws, struct dt_fail *fail)
{
	bool is_masked = ws->head[1] & MASK_BIT;
	unsigned length = ws->head[1] & LENGTH_BITS;

	ws->opcode = ws->head[0] & OPCODE_BITS;
	ws->is_final = ws->head[0] & FINAL_BIT;
	if (ws->head[0] & RESERVED_BITS)
		return fault(ws, DT_WS_PROTOCOL_ERROR,
		             "a reserved bit is set in a WebSocket frame",
		             fail);
	if (!is_known(ws->opcode))
		return fault(ws, DT_WS_PROTOCOL_ERROR,
		             "a WebSocket frame has a reserved opcode", fail);
	if (is_masked != (ws->role == DT_WS_SERVER))
		return fault(ws, DT_WS_PROTOCOL_ERROR,
		             is_masked ? "a server masked a WebSocket frame"
		                       : "a client sent an unmasked frame",
		             fail);
	if (is_control(ws) && (!ws->is_final || length > CONTROL_MAX))
		return fault(ws, DT_WS_PROTOCOL_ERROR,
		             "a control frame is fragmented or too long", fail);
	if (is_control(ws))
		return DT_E_OK;
	if ((ws->opcode == DT_WS_CONTINUATION) != (ws->message_opcode != 0))
		return fault(ws, DT_WS_PROTOCOL_ERROR,
		             ws->message_opcode
		                     ? "a message began inside another"
		                     : "a continuation continues no message",
		             fail);
	return DT_E_OK;
}

static size_t head_size(const struct dt_ws *ws)
{
	unsigned length = ws->head[1] & LENGTH_BITS;
	size_t size = ws->head[1] & MASK_BIT ? 6 : 2;

	if (length == LENGTH_IS_16)
		return size + 2;
	return length == LENGTH_IS_64 ? size + 8 : size;
}

static uint64_t read_big_endian(const uint8_t *bytes, size_t count)
{
	uint64_t value = 0;

	for (size_t i = 0; i < count; i++)
		value = value << 8 | bytes[i];
	return value;
}

/* RFC 6455 5.2: the shortest form that holds the length, and 63 bits of it. */
static enum dt_err read_length(struct dt_ws *ws, struct dt_fail *fail)
{
	unsigned length = ws->head[1] & LENGTH_BITS;
	uint64_t least = 0;

	ws->payload_len = length;
	if (length == LENGTH_IS_16) {
		ws->payload_len = read_big_endian(ws->head + 2, 2);
		least = LENGTH_IS_16;
	} else if (length == LENGTH_IS_64) {
		ws->payload_len = read_big_endian(ws->head + 2, 8);
		least = UINT16_MAX + 1;
	}
	if (ws->payload_len < least || ws->payload_len > INT64_MAX)
		return fault(ws, DT_WS_PROTOCOL_ERROR,
		             "a WebSocket frame spells its length wrongly",
		             fail);
	return DT_E_OK;
}

/* The head is whole: what follows is payload. */
static enum dt_err start_payload(struct dt_ws *ws, struct dt_fail *fail)
{
	enum dt_err err = read_length(ws, fail);

	if (err)
		return err;
	if (ws->head[1] & MASK_BIT)
		memcpy(ws->mask, ws->head + ws->head_len - sizeof(ws->mask),
		       sizeof(ws->mask));
	ws->head_len = 0;
	ws->payload_seen = 0;
	ws->is_in_payload = true;
	if (is_control(ws))
		return DT_E_OK;
	if (ws->payload_len > ws->limit - ws->message.len) {
		ws->fault = DT_WS_TOO_BIG;
		return dt_fail(fail, DT_E_LIMIT,
		               "a message is larger than %zu bytes", ws->limit);
	}
	if (ws->opcode != DT_WS_CONTINUATION)
		ws->message_opcode = ws->opcode;
	return DT_E_OK;
}

/* Fill the head up to `size` bytes; returns how many of the input that took. */
static size_t fill_head(struct dt_ws *ws, const char *bytes, size_t len,
                        size_t size)
{
	size_t n = size - ws->head_len;

	if (n > len)
		n = len;
	if (n)
		memcpy(ws->head + ws->head_len, bytes, n);
	ws->head_len = (uint8_t)(ws->head_len + n);
	return n;
}

static enum dt_err take_head(struct dt_ws *ws, const char *bytes, size_t len,
                             size_t *out_used, struct dt_fail *fail)
{
	size_t used = 0;
	enum dt_err err;

	if (ws->head_len < 2)
		used = fill_head(ws, bytes, len, 2);
	*out_used = used;
	if (ws->head_len < 2)
		return DT_E_OK;
	err = check_start(ws, fail);
	if (err)
		return err;
	used += fill_head(ws, bytes + used, len - used, head_size(ws));
	*out_used = used;
	if (ws->head_len < head_size(ws))
		return DT_E_OK;
	return start_payload(ws, fail);
}

static bool code_is_valid(unsigned code)
{
	return (code >= 1000 && code <= 1003) ||
	       (code >= 1007 && code <= 1014) || (code >= 3000 && code <= 4999);
}

/* RFC 6455 5.5.1, 7.4 */
static enum dt_err read_close(struct dt_ws *ws, struct dt_str payload,
                              struct dt_ws_event *event, struct dt_fail *fail)
{
	*event = (struct dt_ws_event){ .type = DT_WS_GOT_CLOSE,
		                       .data = payload,
		                       .code = DT_WS_NO_CODE };
	ws->has_closed = true;
	if (payload.len == 0)
		return DT_E_OK;
	if (payload.len == 1)
		return fault(ws, DT_WS_PROTOCOL_ERROR,
		             "a close frame holds half a code", fail);
	event->code =
		(unsigned)read_big_endian((const uint8_t *)payload.ptr, 2);
	event->data = (struct dt_str){ payload.ptr + 2, payload.len - 2 };
	if (!code_is_valid(event->code))
		return fault(ws, DT_WS_PROTOCOL_ERROR,
		             "a close frame holds an invalid code", fail);
	if (!dt_utf8_is_valid(event->data))
		return fault(ws, DT_WS_BAD_DATA,
		             "the reason in a close frame is not UTF-8", fail);
	return DT_E_OK;
}

static enum dt_err end_control(struct dt_ws *ws, struct dt_str payload,
                               struct dt_ws_event *event, struct dt_fail *fail)
{
	if (ws->opcode == DT_WS_CLOSE)
		return read_close(ws, payload, event, fail);
	event->type =
		ws->opcode == DT_WS_PING ? DT_WS_GOT_PING : DT_WS_GOT_PONG;
	event->data = payload;
	return DT_E_OK;
}

/* `bytes` are plain and go on where payload_seen ends. */
static enum dt_err take_control(struct dt_ws *ws, const char *bytes, size_t len,
                                struct dt_ws_event *event, struct dt_fail *fail)
{
	struct dt_str payload = { bytes, len };

	if (len < ws->payload_len) {
		memcpy(ws->control + ws->payload_seen, bytes, len);
		payload = (struct dt_str){ (const char *)ws->control,
			                   ws->payload_len };
	}
	if (ws->payload_seen + len < ws->payload_len)
		return DT_E_OK;
	return end_control(ws, payload, event, fail);
}

static void keep(struct dt_ws *ws, const char *bytes, size_t len)
{
	uint64_t rest = ws->payload_len - ws->payload_seen;
	char *at;

	if (len == 0)
		return;
	if (rest > len + RESERVE_AHEAD)
		rest = len + RESERVE_AHEAD;
	at = dt_buf_reserve(&ws->message, (size_t)rest);
	assert(at); /* start_payload() held the frame against the limit */
	memcpy(at, bytes, len);
	dt_buf_grew(&ws->message, len);
}

static enum dt_err take_data(struct dt_ws *ws, const char *bytes, size_t len,
                             struct dt_ws_event *event, struct dt_fail *fail)
{
	bool is_end = ws->is_final && ws->payload_seen + len == ws->payload_len;
	bool is_in_place = is_end && ws->message.len == 0;
	bool is_text = ws->message_opcode == DT_WS_TEXT;

	if (is_end && is_text && !dt_utf8_is_whole(&ws->utf8))
		return fault(ws, DT_WS_BAD_DATA,
		             "a text message ends inside a character", fail);
	if (!is_in_place)
		keep(ws, bytes, len);
	if (!is_end)
		return DT_E_OK;
	event->type = is_text ? DT_WS_GOT_TEXT : DT_WS_GOT_BINARY;
	event->data = is_in_place ? (struct dt_str){ bytes, len }
	                          : dt_buf_str(&ws->message);
	ws->is_handed_out = !is_in_place;
	ws->message_opcode = 0;
	return DT_E_OK;
}

/* Unmask in place and hold text to UTF-8 as it comes (RFC 6455 8.1). */
static bool open_payload(struct dt_ws *ws, char *bytes, size_t len)
{
	bool is_text = !is_control(ws) && ws->message_opcode == DT_WS_TEXT;

	if (ws->role == DT_WS_SERVER)
		dt_ws_mask(bytes, len, ws->mask, ws->payload_seen);
	return !is_text || dt_utf8_feed(&ws->utf8, bytes, len);
}

static enum dt_err take_payload(struct dt_ws *ws, char *bytes, size_t len,
                                size_t *out_used, struct dt_ws_event *event,
                                struct dt_fail *fail)
{
	uint64_t rest = ws->payload_len - ws->payload_seen;
	enum dt_err err;

	if (len > rest)
		len = (size_t)rest;
	*out_used = len;
	if (!open_payload(ws, bytes, len))
		return fault(ws, DT_WS_BAD_DATA, "a text message is not UTF-8",
		             fail);
	if (is_control(ws))
		err = take_control(ws, bytes, len, event, fail);
	else
		err = take_data(ws, bytes, len, event, fail);
	ws->payload_seen += len;
	ws->is_in_payload = ws->payload_seen < ws->payload_len;
	return err;
}

enum dt_err dt_ws_read(struct dt_ws *ws, char *bytes, size_t len,
                       size_t *out_used, struct dt_ws_event *out_event,
                       struct dt_fail *fail)
{
	struct dt_ws_event event = { 0 };
	enum dt_err err = DT_E_OK;
	size_t used = 0;
	size_t n;

	if (ws->fault)
		return dt_fail(fail, DT_E_PROTO,
		               "the WebSocket connection is lost");
	if (ws->is_handed_out)
		dt_buf_done(&ws->message);
	ws->is_handed_out = false;
	if (ws->has_closed)
		used = len;
	while (!err && used < len && event.type == DT_WS_GOT_NOTHING) {
		if (!ws->is_in_payload) {
			err = take_head(ws, bytes + used, len - used, &n, fail);
			used += n;
		}
		if (!err && ws->is_in_payload) {
			err = take_payload(ws, bytes + used, len - used, &n,
			                   &event, fail);
			used += n;
		}
	}
	if (err)
		return err;
	*out_used = used;
	*out_event = event;
	return DT_E_OK;
}

size_t dt_ws_write_head(uint8_t out[DT_WS_HEAD], enum dt_ws_opcode opcode,
                        size_t len, const uint8_t *mask)
{
	uint8_t mask_bit = mask ? MASK_BIT : 0;
	size_t length_bytes = 0;
	size_t size;

	if (len > UINT16_MAX)
		length_bytes = 8;
	else if (len > CONTROL_MAX)
		length_bytes = 2;
	out[0] = (uint8_t)(FINAL_BIT | opcode);
	if (length_bytes == 0)
		out[1] = (uint8_t)(mask_bit | len);
	else
		out[1] = mask_bit |
		         (length_bytes == 2 ? LENGTH_IS_16 : LENGTH_IS_64);
	for (size_t i = 0; i < length_bytes; i++)
		out[2 + i] =
			(uint8_t)((uint64_t)len >> 8 * (length_bytes - 1 - i));
	size = 2 + length_bytes;
	if (mask) {
		memcpy(out + size, mask, 4);
		size += 4;
	}
	return size;
}

void dt_ws_mask(char *bytes, size_t len, const uint8_t mask[4], uint64_t offset)
{
	uint8_t turned[8];
	uint64_t pattern;
	size_t i = 0;

	for (size_t k = 0; k < sizeof(turned); k++)
		turned[k] = mask[(offset + k) % 4];
	memcpy(&pattern, turned, sizeof(pattern));
	for (; i + 16 <= len; i += 16) {
		uint64_t word[2];

		memcpy(word, bytes + i, sizeof(word));
		word[0] ^= pattern;
		word[1] ^= pattern;
		memcpy(bytes + i, word, sizeof(word));
	}
	for (; i < len; i++)
		bytes[i] = (char)(bytes[i] ^ turned[i % sizeof(turned)]);
}

size_t dt_ws_write_close(uint8_t out[125], unsigned code, const char *reason)
{
	struct dt_str text = dt_str(reason);

	if (code == DT_WS_NO_CODE)
		return 0;
	assert(code_is_valid(code));
	out[0] = (uint8_t)(code >> 8);
	out[1] = (uint8_t)code;
	text.len = dt_utf8_cut(text, CONTROL_MAX - 2);
	if (text.len)
		memcpy(out + 2, text.ptr, text.len);
	return 2 + text.len;
}

void dt_ws_accept(struct dt_str key, char out[DT_WS_ACCEPT_TEXT])
{
	static const char guid[] = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
	char text[KEY_TEXT + sizeof(guid) - 1];
	uint8_t digest[SHA1_BYTES];

	_Static_assert(DT_BASE64_TEXT(SHA1_BYTES) == DT_WS_ACCEPT_TEXT,
	               "an accept value is the base64 of a SHA-1");
	assert(key.len == KEY_TEXT);
	memcpy(text, key.ptr, KEY_TEXT);
	memcpy(text + KEY_TEXT, guid, sizeof(guid) - 1);
	dt_sha1(text, sizeof(text), digest);
	dt_base64_write(digest, sizeof(digest), out);
}

bool dt_ws_key_is_valid(struct dt_str key)
{
	return dt_base64_is_of(key.ptr, key.len, KEY_BYTES);
}
