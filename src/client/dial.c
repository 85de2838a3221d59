/*
 * client/dial.c - the client's half of the WebSocket handshake over a socket.
 *
 * What is said on the link is the caller's.  A dial lives from dt_dial() until
 * its callback: either the stream became a link, or it is closed.
 */
#include "client/dial.h"

#include "base/buf.h"
#include "base/limits.h"
#include "base/str.h"
#include "wire/handshake.h"
#include "wire/http1.h"

#include <stdio.h>
#include <stdlib.h>

struct dial {
	struct dt_stream *stream;
	struct dt_timer *timer;
	struct dt_buf in;
	char key[DT_HANDSHAKE_KEY];
	char *protocol;
	struct dt_fail why; /* code 0: the stream ended by itself */
	dt_dial_fn *fn;
	void *owner;
};

static void end(struct dial *d, struct dt_link *link,
                const struct dt_fail *fail)
{
	d->fn(link, fail, d->owner);
	dt_timer_free(d->timer);
	dt_buf_done(&d->in);
	free(d->protocol);
	free(d);
}

static void on_read(struct dt_stream *stream, char *bytes, size_t len,
                    void *owner)
{
	struct dial *d = owner;
	struct dt_http_head head;
	size_t used = 0;
	enum dt_err err;

	dt_buf_add(&d->in, bytes, len);
	err = dt_http_read_response(dt_buf_str(&d->in), false, &head, &used,
	                            &d->why);
	if (!err && !used)
		return;
	if (!err)
		err = dt_handshake_check_accept(&head, d->key, d->protocol,
		                                &d->why);
	if (err) {
		dt_stream_close(stream);
		return;
	}
	end(d,
	    dt_link_ws_new(
		    stream, DT_WS_CLIENT,
		    (struct dt_str){ d->in.ptr + used, d->in.len - used }),
	    NULL);
}

static void on_closed(struct dt_stream *stream, const struct dt_fail *why,
                      void *owner)
{
	struct dial *d = owner;

	(void)stream;
	end(d, NULL, d->why.code ? &d->why : why);
}

static const struct dt_stream_events stream_events = {
	.on_read = on_read,
	.on_closed = on_closed,
};

static void on_late(struct dt_timer *timer, void *owner)
{
	struct dial *d = owner;

	(void)timer;
	dt_fail(&d->why, DT_E_TIMEOUT, "the server did not answer in time");
	dt_stream_close(d->stream);
}

static void ask(struct dial *d, const struct dt_dial_spec *spec)
{
	struct dt_buf out;
	struct dt_str part;
	char host[32];

	snprintf(host, sizeof(host), "127.0.0.1:%u", spec->port);
	dt_handshake_make_key(d->key);
	dt_buf_init(&out, DT_LIMIT_HTTP_HEAD);
	dt_http_write_request(&out, "GET", "/");
	dt_http_write_header(&out, "Host", dt_str(host));
	dt_http_write_header(&out, "Connection", DT_STR("Upgrade"));
	dt_http_write_header(&out, "Upgrade", DT_STR("websocket"));
	dt_http_write_header(&out, "Sec-WebSocket-Version", DT_STR("13"));
	dt_http_write_header(&out, "Sec-WebSocket-Key", dt_str(d->key));
	dt_http_write_header(&out, "Sec-WebSocket-Protocol",
	                     dt_str(spec->protocol));
	dt_http_write_header(&out, spec->auth_header, dt_str(spec->token));
	dt_http_write_end(&out);
	part = dt_buf_str(&out);
	dt_stream_write(d->stream, &part, 1);
	dt_buf_done(&out);
}

void dt_dial(struct dt_loop *loop, const struct dt_dial_spec *spec,
             dt_dial_fn *fn, void *owner)
{
	struct dial *d = dt_alloc(sizeof(*d));

	d->fn = fn;
	d->owner = owner;
	d->protocol = dt_strdup(spec->protocol);
	dt_buf_init(&d->in, DT_LIMIT_HTTP_HEAD + DT_LOOP_SCRATCH);
	d->timer = dt_timer_new(loop, on_late, d);
	dt_timer_start(d->timer, DT_LIMIT_HEAD_MS);
	d->stream = dt_stream_connect_tcp(loop, "127.0.0.1", spec->port);
	dt_stream_start(d->stream, &stream_events, d);
	ask(d, spec);
}
