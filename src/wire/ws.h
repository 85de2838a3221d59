/*
 * wire/ws.h - the WebSocket protocol (RFC 6455) as bytes, both ends, no I/O.
 *
 * Extensions are never negotiated, so every reserved bit is a fault.  What to do
 * with a ping, a close or a fault is the link's business (link/link_ws.c).
 */
#ifndef DT_WIRE_WS_H
#define DT_WIRE_WS_H

#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"
#include "base/utf8.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum dt_ws_role {
	DT_WS_SERVER, /* reads masked frames, writes plain ones */
	DT_WS_CLIENT, /* the other way round */
};

enum dt_ws_opcode {
	DT_WS_CONTINUATION = 0x0,
	DT_WS_TEXT = 0x1,
	DT_WS_BINARY = 0x2,
	DT_WS_CLOSE = 0x8,
	DT_WS_PING = 0x9,
	DT_WS_PONG = 0xa,
};

/* RFC 6455 7.4.1 */
enum dt_ws_code {
	DT_WS_NORMAL = 1000,
	DT_WS_GOING_AWAY = 1001,
	DT_WS_PROTOCOL_ERROR = 1002,
	DT_WS_NO_CODE = 1005, /* never on the wire: a close frame without one */
	DT_WS_ABNORMAL = 1006, /* never on the wire: no close frame came */
	DT_WS_BAD_DATA = 1007,
	DT_WS_POLICY = 1008,
	DT_WS_TOO_BIG = 1009,
	DT_WS_INTERNAL = 1011,
};

/* What dt_ws_read() found. */
enum dt_ws_event_type {
	DT_WS_GOT_NOTHING, /* all input used, more is needed */
	DT_WS_GOT_TEXT,    /* a whole message, fragments joined, valid UTF-8 */
	DT_WS_GOT_BINARY,
	DT_WS_GOT_PING,
	DT_WS_GOT_PONG,
	DT_WS_GOT_CLOSE, /* nothing after it is read */
};

struct dt_ws_event {
	enum dt_ws_event_type type;
	/* Borrowed until the next dt_ws_read(); the reason of a close. */
	struct dt_str data;
	unsigned code; /* of a close */
};

/* The reading half of one connection. */
struct dt_ws {
	enum dt_ws_role role;
	size_t limit; /* of one message; beyond it the fault is 1009 */
	/* The close code to answer with once dt_ws_read() has failed. */
	unsigned fault;
	/* the rest is wire/ws.c's */
	struct dt_buf message; /* fragments, or a frame that came in pieces */
	struct dt_utf8 utf8;
	uint8_t head[14];
	uint8_t head_len;
	uint8_t control[125];
	uint8_t opcode;         /* of the frame under way */
	uint8_t message_opcode; /* of the message under way, 0: none */
	bool is_final;
	bool has_closed;
	bool is_in_payload;
	bool is_handed_out; /* `message` was given away in the last event */
	uint64_t payload_len;
	uint64_t payload_seen;
	uint8_t mask[4];
};

void dt_ws_init(struct dt_ws *ws, enum dt_ws_role role, size_t limit);
void dt_ws_done(struct dt_ws *ws);

/*
 * Take bytes until one event is complete or the input is used up.  Call again
 * with the rest until it says DT_WS_GOT_NOTHING.  `bytes` is unmasked in place;
 * a frame that lies whole in the input is handed out from there without a copy.
 * An idle connection holds no message memory.  On DT_E_PROTO or DT_E_LIMIT the
 * connection is lost: ws->fault is the close code to send.
 */
enum dt_err dt_ws_read(struct dt_ws *ws, char *bytes, size_t len,
                       size_t *out_used, struct dt_ws_event *out_event,
                       struct dt_fail *fail) DT_MUST_CHECK;

#define DT_WS_HEAD 14
/*
 * The head of an unfragmented frame of `len` bytes: returns its size.  A client
 * passes `mask` (4 random bytes) and masks the payload with dt_ws_mask(); a
 * server passes NULL.
 */
size_t dt_ws_write_head(uint8_t out[DT_WS_HEAD], enum dt_ws_opcode opcode,
                        size_t len, const uint8_t *mask);

/* XOR `len` bytes with the mask, the first of them being number `offset`. */
void dt_ws_mask(char *bytes, size_t len, const uint8_t mask[4],
                uint64_t offset);

/* The payload of a close frame: returns its size.  The reason is cut to fit.
 * DT_WS_NO_CODE writes an empty one. */
size_t dt_ws_write_close(uint8_t out[125], unsigned code, const char *reason);

#define DT_WS_ACCEPT_TEXT 29
/* Sec-WebSocket-Accept for a valid Sec-WebSocket-Key (RFC 6455 4.2.2). */
void dt_ws_accept(struct dt_str key, char out[DT_WS_ACCEPT_TEXT]);

/* True for base64 of exactly 16 bytes. */
bool dt_ws_key_is_valid(struct dt_str key);

#endif
