/* link/link_lines.c - one message per line, as on our control socket. */
#include "link/link.h"

#include "base/limits.h"
#include "wire/lines.h"

#include <stdlib.h>

struct lines_link {
	struct dt_link link; /* first: a dt_link * is a lines_link * */
	struct dt_stream *stream;
	struct dt_lines lines;
	char *rest; /* what was read and waits for its turn; or NULL */
	size_t rest_len;
	struct dt_fail
		why; /* a fault of ours to report instead of the stream's */
	bool is_closing;
};

static struct lines_link *of(struct dt_link *link)
{
	return (struct lines_link *)link;
}

static void send_line(struct dt_link *link, struct dt_str message)
{
	struct dt_str parts[2] = { message, DT_STR("\n") };

	dt_stream_write(of(link)->stream, parts, 2);
}

static void close_lines(struct dt_link *link, enum dt_link_end end,
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
	.name = "lines",
	.send = send_line,
	.close = close_lines,
	.stream = stream_of,
};

/* Who does not read our answers is not worked for, nor read from. */
static void take(struct lines_link *l, struct dt_str rest)
{
	while (rest.len && !l->is_closing) {
		struct dt_str line;
		size_t used;

		if (!dt_stream_may_take(l->stream)) {
			l->rest = dt_strndup(rest.ptr, rest.len);
			l->rest_len = rest.len;
			dt_stream_pause(l->stream);
			return;
		}
		if (dt_lines_read(&l->lines, rest, &used, &line, &l->why)) {
			dt_stream_close(l->stream);
			return;
		}
		rest.ptr += used;
		rest.len -= used;
		if (line.ptr)
			dt_link_deliver(&l->link, line);
	}
}

/* NOLINTNEXTLINE(readability-non-const-parameter): its type is given */
static void on_read(struct dt_stream *stream, char *bytes, size_t len,
                    void *owner)
{
	(void)stream;
	take(owner, (struct dt_str){ bytes, len });
}

static void on_drained(struct dt_stream *stream, void *owner)
{
	struct lines_link *l = owner;
	struct dt_str rest = { l->rest, l->rest_len };
	char *bytes = l->rest;

	l->rest = NULL;
	l->rest_len = 0;
	dt_stream_resume(stream);
	take(l, rest);
	free(bytes);
}

static void on_closed(struct dt_stream *stream, const struct dt_fail *why,
                      void *owner)
{
	struct lines_link *l = owner;

	(void)stream;
	dt_link_deliver_end(&l->link, l->why.code ? &l->why : why);
	dt_lines_done(&l->lines);
	free(l->rest);
	free(l);
}

static const struct dt_stream_events stream_events = {
	.on_read = on_read,
	.on_drained = on_drained,
	.on_closed = on_closed,
};

struct dt_link *dt_link_lines_new(struct dt_stream *stream)
{
	struct lines_link *l = dt_alloc(sizeof(*l));

	l->link.carrier = &carrier;
	l->link.loop = dt_stream_loop(stream);
	l->stream = stream;
	dt_lines_init(&l->lines, DT_LIMIT_MESSAGE);
	dt_stream_start(stream, &stream_events, l);
	return &l->link;
}
