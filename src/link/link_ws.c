/*
 * link/link_ws.c - a WebSocket as a link: pongs, pings, the closing handshake.
 *
 * The frames themselves are wire/ws.c's.  A link that closes sends its close
 * frame, goes on reading until the peer's one comes (RFC 6455 7.1.1) and hands
 * nothing up meanwhile.
 */
#include "link/link.h"

#include "base/buf.h"
#include "base/limits.h"
#include "base/rand.h"

#include <stdlib.h>

#define CLOSE_MS 2000
#define UNSUPPORTED_DATA 1003

struct ws_link {
	struct dt_link link; /* first: a dt_link * is a ws_link * */
	struct dt_stream *stream;
	struct dt_ws ws;
	struct dt_timer *timer; /* pings; while closing, the deadline */
	char *rest; /* what was read and waits for its turn; or NULL */
	size_t rest_len;
	unsigned missed; /* pings sent since the last sign of life */
	struct dt_fail why;
	bool is_closing;
};

static struct ws_link *of(struct dt_link *link)
{
	return (struct ws_link *)link;
}

static void send_frame(struct ws_link *l, enum dt_ws_opcode opcode,
                       struct dt_str payload)
{
	uint8_t head[DT_WS_HEAD];
	uint8_t mask[4];
	struct dt_str parts[2] = { { (const char *)head, 0 }, payload };
	char *masked = NULL;

	if (l->ws.role == DT_WS_CLIENT) {
		dt_rand_bytes(mask, sizeof(mask));
		masked = dt_strndup(payload.ptr, payload.len);
		dt_ws_mask(masked, payload.len, mask, 0);
		parts[1].ptr = masked;
	}
	parts[0].len = dt_ws_write_head(head, opcode, payload.len,
	                                masked ? mask : NULL);
	dt_stream_write(l->stream, parts, payload.len ? 2 : 1);
	free(masked);
}

/* Say goodbye; what still comes is read only to find the answer. */
static void send_close(struct ws_link *l, unsigned code, const char *reason)
{
	uint8_t payload[125];
	struct dt_str text = { (const char *)payload, 0 };

	if (l->is_closing)
		return;
	l->is_closing = true;
	text.len = dt_ws_write_close(payload, code, reason);
	send_frame(l, DT_WS_CLOSE, text);
	dt_timer_start(l->timer, CLOSE_MS);
}

static void send_text(struct dt_link *link, struct dt_str message)
{
	if (!of(link)->is_closing)
		send_frame(of(link), DT_WS_TEXT, message);
}

static void close_ws(struct dt_link *link, enum dt_link_end end,
                     const char *reason)
{
	static const unsigned codes[] = {
		[DT_LINK_DONE] = DT_WS_NORMAL,
		[DT_LINK_AWAY] = DT_WS_GOING_AWAY,
		[DT_LINK_REFUSED] = DT_WS_POLICY,
		[DT_LINK_CONFUSED] = DT_WS_PROTOCOL_ERROR,
	};

	send_close(of(link), codes[end], reason);
}

static struct dt_stream *stream_of(struct dt_link *link)
{
	return of(link)->stream;
}

static void on_timer(struct dt_timer *timer, void *owner)
{
	struct ws_link *l = owner;

	(void)timer;
	if (l->is_closing) {
		dt_stream_close(l->stream);
		return;
	}
	if (l->missed >= DT_LIMIT_PING_MISSED) {
		dt_fail(&l->why, DT_E_TIMEOUT, "%u pings went unanswered",
		        l->missed);
		dt_stream_close(l->stream);
		return;
	}
	l->missed++;
	send_frame(l, DT_WS_PING, (struct dt_str){ 0 });
}

static void on_event(struct ws_link *l, const struct dt_ws_event *event)
{
	switch (event->type) {
	case DT_WS_GOT_TEXT:
		if (!l->is_closing)
			dt_link_deliver(&l->link, event->data);
		break;
	case DT_WS_GOT_BINARY:
		dt_fail(&l->why, DT_E_PROTO, "a binary message");
		send_close(l, UNSUPPORTED_DATA, "messages are text");
		break;
	case DT_WS_GOT_PING:
		if (!l->is_closing)
			send_frame(l, DT_WS_PONG, event->data);
		break;
	case DT_WS_GOT_CLOSE:
		dt_fail(&l->why, DT_E_CLOSED, "closed by the peer (%u)",
		        event->code);
		send_close(l, event->code, "");
		dt_stream_finish(l->stream);
		break;
	case DT_WS_GOT_PONG:
	case DT_WS_GOT_NOTHING:
		break;
	}
}

/* Who does not read our answers is not worked for, nor read from.  The answer
 * to our close is looked for whatever waits. */
static bool must_wait(struct ws_link *l)
{
	return !l->is_closing && !dt_stream_may_take(l->stream);
}

static void take(struct ws_link *l, char *bytes, size_t len)
{
	struct dt_ws_event event = { .type = DT_WS_GOT_TEXT };
	size_t used;

	while (event.type != DT_WS_GOT_NOTHING) {
		if (len && must_wait(l)) {
			l->rest = dt_strndup(bytes, len);
			l->rest_len = len;
			dt_stream_pause(l->stream);
			return;
		}
		if (dt_ws_read(&l->ws, bytes, len, &used, &event, &l->why)) {
			send_close(l, l->ws.fault, l->why.msg);
			dt_stream_finish(l->stream);
			return;
		}
		bytes += used;
		len -= used;
		on_event(l, &event);
	}
}

static void on_read(struct dt_stream *stream, char *bytes, size_t len,
                    void *owner)
{
	struct ws_link *l = owner;

	(void)stream;
	l->missed = 0;
	take(l, bytes, len);
}

static void take_rest(struct ws_link *l)
{
	char *rest = l->rest;

	l->rest = NULL;
	if (rest)
		take(l, rest, l->rest_len);
	free(rest);
}

static void on_drained(struct dt_stream *stream, void *owner)
{
	dt_stream_resume(stream);
	take_rest(owner);
}

static void on_closed(struct dt_stream *stream, const struct dt_fail *why,
                      void *owner)
{
	struct ws_link *l = owner;

	(void)stream;
	dt_link_deliver_end(&l->link, l->why.code ? &l->why : why);
	dt_timer_free(l->timer);
	dt_ws_done(&l->ws);
	free(l->rest);
	free(l);
}

static const struct dt_stream_events stream_events = {
	.on_read = on_read,
	.on_drained = on_drained,
	.on_closed = on_closed,
};

/* Read what came behind the handshake. */
static void start(struct dt_link *link)
{
	take_rest(of(link));
}

static const struct dt_link_carrier carrier = {
	.name = "websocket",
	.is_utf8 = true,
	.start = start,
	.send = send_text,
	.close = close_ws,
	.stream = stream_of,
};

struct dt_link *dt_link_ws_new(struct dt_stream *stream, enum dt_ws_role role,
                               struct dt_str early)
{
	struct ws_link *l = dt_alloc(sizeof(*l));

	l->link.carrier = &carrier;
	l->link.loop = dt_stream_loop(stream);
	l->stream = stream;
	dt_ws_init(&l->ws, role, DT_LIMIT_MESSAGE);
	if (early.len) {
		l->rest = dt_strndup(early.ptr, early.len);
		l->rest_len = early.len;
	}
	l->timer = dt_timer_new(dt_stream_loop(stream), on_timer, l);
	if (role == DT_WS_SERVER)
		dt_link_ws_set_ping(&l->link, DT_LIMIT_PING_MS);
	dt_stream_hand_over(stream, &stream_events, l);
	return &l->link;
}

void dt_link_ws_set_ping(struct dt_link *link, uint64_t ms)
{
	dt_timer_repeat(of(link)->timer, ms);
}

void dt_link_ws_set_limit(struct dt_link *link, size_t bytes)
{
	of(link)->ws.limit = bytes;
	of(link)->ws.message.limit = bytes;
}
