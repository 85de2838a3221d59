/* test/unit/link/messages.h - a link's owner that writes down what it hears. */
#ifndef DT_TEST_MESSAGES_H
#define DT_TEST_MESSAGES_H

#include "link/link.h"
#include "sockets.h"

enum trick { DO_NOTHING, DO_ECHO, DO_CLOSE, DO_CLOSE_STREAM };

struct messages {
	struct sockets s;
	struct dt_link *link; /* NULL: it has ended */
	enum trick trick;     /* what on_message does */
	struct dt_buf heard;  /* "one|two|" */
	struct dt_buf tapped; /* ">in|<out|" */
	int count;
	int closed;
	struct dt_fail why;
};

static inline void messages_on_message(struct dt_link *link,
                                       struct dt_str message, void *owner)
{
	struct messages *m = owner;

	assert_int_equal(m->closed, 0);
	m->count++;
	dt_buf_add_str(&m->heard, message);
	dt_buf_add_char(&m->heard, '|');
	if (m->trick == DO_ECHO) {
		dt_link_send(link, message);
	} else if (m->trick == DO_CLOSE) {
		dt_link_send(link, DT_STR("last"));
		dt_link_close(link, DT_LINK_DONE, "enough");
		dt_link_close(link, DT_LINK_AWAY, "enough");
		dt_link_send(link, DT_STR("lost"));
	} else if (m->trick == DO_CLOSE_STREAM) {
		dt_stream_close(link->carrier->stream(link));
	}
}

static inline void messages_on_closed(struct dt_link *link,
                                      const struct dt_fail *why, void *owner)
{
	struct messages *m = owner;

	m->closed++;
	m->why = *why;
	m->link = NULL;
	/* Idempotent to the very last. */
	dt_link_send(link, DT_STR("lost"));
	dt_link_close(link, DT_LINK_DONE, "");
}

static const struct dt_link_events messages_events = {
	.on_message = messages_on_message,
	.on_closed = messages_on_closed,
};

static inline void messages_tap(struct dt_link *link, bool is_incoming,
                                struct dt_str message, void *owner)
{
	struct messages *m = owner;

	(void)link;
	dt_buf_add_char(&m->tapped, is_incoming ? '>' : '<');
	dt_buf_add_str(&m->tapped, message);
	dt_buf_add_char(&m->tapped, '|');
}

/* Sockets; the link is made by the test. */
static inline void messages_open(struct messages *m, enum trick trick)
{
	*m = (struct messages){ .trick = trick };
	dt_buf_init(&m->heard, SIZE_MAX);
	dt_buf_init(&m->tapped, SIZE_MAX);
	sockets_open_unix(&m->s);
}

/* The end must have come, or come now, exactly once. */
static inline void messages_close(struct messages *m)
{
	sockets_close(&m->s);
	assert_int_equal(m->closed, 1);
	dt_buf_done(&m->heard);
	dt_buf_done(&m->tapped);
}

#endif
