/*
 * test/programs/echo.h - a WebSocket that says everything back, either end.
 *
 * The codec and the streams are those of the daemon.  link/link_ws.c is left
 * out, since it takes text alone, and outside suites judge binary messages too.
 */
#ifndef DT_TEST_ECHO_H
#define DT_TEST_ECHO_H

#include "base/limits.h"
#include "base/rand.h"
#include "loop/stream.h"
#include "wire/handshake.h"
#include "wire/ws.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

struct echo;

/* Look at the head gathered so far; *out_used is 0 until it is whole.  An error
 * ends the connection. */
typedef enum dt_err echo_shake_fn(struct echo *e, size_t *out_used,
                                  struct dt_fail *fail);

struct echo {
	struct dt_stream *stream;
	struct dt_ws ws;
	echo_shake_fn *shake;
	struct dt_buf head; /* what came before the handshake was over */
	const char *key;    /* a client's */
	bool is_open;
	bool is_closing;
	void (*on_end)(struct echo *e, const struct dt_fail *why);
};

static void echo_send(struct echo *e, enum dt_ws_opcode opcode,
                      struct dt_str payload)
{
	uint8_t head[DT_WS_HEAD];
	uint8_t mask[4];
	struct dt_str parts[2] = { { (const char *)head, 0 }, payload };
	char *masked = NULL;

	if (e->ws.role == DT_WS_CLIENT) {
		dt_rand_bytes(mask, sizeof(mask));
		masked = dt_strndup(payload.ptr, payload.len);
		dt_ws_mask(masked, payload.len, mask, 0);
		parts[1].ptr = masked;
	}
	parts[0].len = dt_ws_write_head(head, opcode, payload.len,
	                                masked ? mask : NULL);
	dt_stream_write(e->stream, parts, 2);
	free(masked);
}

static void echo_close(struct echo *e, unsigned code, const char *reason)
{
	uint8_t payload[125];
	struct dt_str text = { (const char *)payload, 0 };

	e->is_closing = true;
	text.len = dt_ws_write_close(payload, code, reason);
	echo_send(e, DT_WS_CLOSE, text);
	dt_stream_finish(e->stream);
}

static void echo_answer(struct echo *e, const struct dt_ws_event *event)
{
	switch (event->type) {
	case DT_WS_GOT_TEXT:
		echo_send(e, DT_WS_TEXT, event->data);
		break;
	case DT_WS_GOT_BINARY:
		echo_send(e, DT_WS_BINARY, event->data);
		break;
	case DT_WS_GOT_PING:
		echo_send(e, DT_WS_PONG, event->data);
		break;
	case DT_WS_GOT_CLOSE:
		echo_close(e, event->code, "");
		break;
	case DT_WS_GOT_PONG:
	case DT_WS_GOT_NOTHING:
		break;
	}
}

static void echo_frames(struct echo *e, char *bytes, size_t len)
{
	struct dt_fail fail = { 0 };
	struct dt_ws_event event;
	size_t used;

	do {
		if (dt_ws_read(&e->ws, bytes, len, &used, &event, &fail)) {
			echo_close(e, e->ws.fault, fail.msg);
			return;
		}
		bytes += used;
		len -= used;
		echo_answer(e, &event);
	} while (event.type != DT_WS_GOT_NOTHING && !e->is_closing);
	if (dt_stream_queued(e->stream) > DT_LIMIT_QUEUE_HIGH)
		dt_stream_pause(e->stream);
}

static void echo_on_read(struct dt_stream *stream, char *bytes, size_t len,
                         void *owner)
{
	struct echo *e = owner;
	struct dt_fail fail = { 0 };
	size_t used = 0;

	if (e->is_open) {
		echo_frames(e, bytes, len);
		return;
	}
	dt_buf_add(&e->head, bytes, len);
	if (e->shake(e, &used, &fail)) {
		fprintf(stderr, "%s\n", fail.msg);
		dt_stream_finish(stream);
	} else if (used) {
		e->is_open = true;
		echo_frames(e, e->head.ptr + used, e->head.len - used);
		dt_buf_done(&e->head);
	}
}

static void echo_on_drained(struct dt_stream *stream, void *owner)
{
	(void)owner;
	dt_stream_resume(stream);
}

static void echo_on_closed(struct dt_stream *stream, const struct dt_fail *why,
                           void *owner)
{
	struct echo *e = owner;

	(void)stream;
	if (e->on_end)
		e->on_end(e, why);
	dt_ws_done(&e->ws);
	dt_buf_done(&e->head);
	free(e);
}

static const struct dt_stream_events echo_events = {
	.on_read = echo_on_read,
	.on_drained = echo_on_drained,
	.on_closed = echo_on_closed,
};

static struct echo *echo_new(struct dt_stream *stream, enum dt_ws_role role,
                             echo_shake_fn *shake)
{
	struct echo *e = dt_alloc(sizeof(*e));

	e->stream = stream;
	e->shake = shake;
	dt_ws_init(&e->ws, role, DT_LIMIT_MESSAGE);
	dt_buf_init(&e->head, DT_LIMIT_HTTP_HEAD + DT_LOOP_SCRATCH);
	dt_stream_start(stream, &echo_events, e);
	return e;
}

#endif
