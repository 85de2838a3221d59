/*
 * link/link_framed.c - messages with a length before each, as language servers
 * talk.
 *
 * A fault in the framing cannot be answered, since nothing behind it can be
 * found again: it ends the stream, and the reason is told.  It is always read:
 * many servers have one thread, which takes nothing while what it writes is not
 * taken, and each would wait for the other.
 */
#include "link/link.h"

#include "base/limits.h"
#include "wire/framed.h"

#include <stdlib.h>

struct framed_link {
	struct dt_link link; /* first: a dt_link * is a framed_link * */
	struct dt_stream *stream;
	struct dt_framed framed;
	struct dt_fail why; /* a fault to report instead of the stream's */
	bool is_closing;
};

static struct framed_link *of(struct dt_link *link)
{
	return (struct framed_link *)link;
}

static void send_framed(struct dt_link *link, struct dt_str message)
{
	char head[DT_FRAMED_HEAD];
	struct dt_str parts[2] = {
		{ head, dt_framed_head(head, message.len) },
		message,
	};

	dt_stream_write(of(link)->stream, parts, 2);
}

static void close_framed(struct dt_link *link, enum dt_link_end end,
                         const char *reason)
{
	(void)end;
	(void)reason;
	of(link)->is_closing = true;
	dt_stream_finish(of(link)->stream);
}

static struct dt_stream *stream_of(struct dt_link *link)
{
	return of(link)->stream;
}

static const struct dt_link_carrier carrier = {
	.name = "framed",
	.send = send_framed,
	.close = close_framed,
	.stream = stream_of,
};

/* NOLINTNEXTLINE(readability-non-const-parameter): its type is given */
static void on_read(struct dt_stream *stream, char *bytes, size_t len,
                    void *owner)
{
	struct framed_link *l = owner;
	struct dt_str rest = { bytes, len };

	while (rest.len && !l->is_closing) {
		struct dt_str message;
		size_t used;

		if (dt_framed_read(&l->framed, rest, &used, &message,
		                   &l->why)) {
			dt_stream_close(stream);
			return;
		}
		rest.ptr += used;
		rest.len -= used;
		if (message.ptr)
			dt_link_deliver(&l->link, message);
	}
}

static void on_closed(struct dt_stream *stream, const struct dt_fail *why,
                      void *owner)
{
	struct framed_link *l = owner;

	(void)stream;
	dt_link_deliver_end(&l->link, l->why.code ? &l->why : why);
	dt_framed_done(&l->framed);
	free(l);
}

static const struct dt_stream_events stream_events = {
	.on_read = on_read,
	.on_closed = on_closed,
};

struct dt_link *dt_link_framed_new(struct dt_stream *stream, size_t limit)
{
	struct framed_link *l = dt_alloc(sizeof(*l));

	l->link.carrier = &carrier;
	l->link.loop = dt_stream_loop(stream);
	l->stream = stream;
	dt_framed_init(&l->framed, limit);
	dt_stream_start(stream, &stream_events, l);
	return &l->link;
}
