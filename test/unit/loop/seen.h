/* test/unit/loop/seen.h - a stream's owner that writes down what it sees. */
#ifndef DT_TEST_SEEN_H
#define DT_TEST_SEEN_H

#include "base/limits.h"
#include "sockets.h"

enum trick { DO_NOTHING, DO_CLOSE, DO_FINISH, DO_PAUSE, DO_ECHO, DO_ANSWER };

/* What the owner of the stream saw and did. */
struct seen {
	struct sockets s;
	struct dt_buf read;
	enum trick trick; /* what on_read does */
	int reads;
	int drained;
	int closed;
	struct dt_fail why;
	char *large; /* for DO_ANSWER */
	size_t large_len;
};

static inline void write_z(struct dt_stream *stream, const char *z)
{
	struct dt_str part = dt_str(z);

	dt_stream_write(stream, &part, 1);
}

/* Small, large, small: what is gathered must not be overtaken. */
static inline void answer(struct seen *seen, struct dt_stream *stream)
{
	struct dt_str large = { seen->large, seen->large_len };

	write_z(stream, "before ");
	dt_stream_write(stream, &large, 1);
	write_z(stream, " between ");
	dt_stream_write(stream, &large, 1);
	write_z(stream, " after");
}

static inline void on_read(struct dt_stream *stream, char *bytes, size_t len,
                           void *owner)
{
	struct seen *seen = owner;
	struct dt_str part = { bytes, len };

	assert_int_equal(seen->closed, 0);
	seen->reads++;
	dt_buf_add(&seen->read, bytes, len);
	if (seen->trick == DO_CLOSE) {
		write_z(stream, "lost");
		dt_stream_close(stream);
		dt_stream_close(stream);
		write_z(stream, "lost");
	} else if (seen->trick == DO_FINISH) {
		write_z(stream, "kept");
		dt_stream_finish(stream);
		dt_stream_finish(stream);
		write_z(stream, "lost");
	} else if (seen->trick == DO_PAUSE) {
		dt_stream_pause(stream);
	} else if (seen->trick == DO_ECHO) {
		dt_stream_write(stream, &part, 1);
	} else if (seen->trick == DO_ANSWER) {
		answer(seen, stream);
	}
}

static inline void on_drained(struct dt_stream *stream, void *owner)
{
	struct seen *seen = owner;

	assert_int_equal(seen->closed, 0);
	assert_true(dt_stream_queued(stream) <= DT_LIMIT_QUEUE_HIGH);
	seen->drained++;
}

static inline void on_closed(struct dt_stream *stream,
                             const struct dt_fail *why, void *owner)
{
	struct seen *seen = owner;

	seen->closed++;
	seen->why = *why;
	assert_true(why->code != DT_E_OK);
	/* Idempotent to the very last. */
	dt_stream_close(stream);
	dt_stream_finish(stream);
	write_z(stream, "lost");
	seen->s.stream = NULL;
}

static const struct dt_stream_events events = {
	.on_read = on_read,
	.on_drained = on_drained,
	.on_closed = on_closed,
};

static inline void init(struct seen *seen, enum trick trick)
{
	*seen = (struct seen){ .trick = trick };
	dt_buf_init(&seen->read, SIZE_MAX);
}

static inline void begin_unix(struct seen *seen, enum trick trick)
{
	init(seen, trick);
	sockets_open_unix(&seen->s);
	dt_stream_start(seen->s.stream, &events, seen);
}

static inline void begin_tcp(struct seen *seen, enum trick trick)
{
	init(seen, trick);
	sockets_open_tcp(&seen->s);
	dt_stream_start(seen->s.stream, &events, seen);
}

/* Whatever happened, the end came exactly once. */
static inline void end(struct seen *seen)
{
	if (seen->s.stream)
		dt_stream_close(seen->s.stream);
	sockets_close(&seen->s);
	assert_int_equal(seen->closed, 1);
	dt_buf_done(&seen->read);
	free(seen->large);
}

static inline char *pattern(size_t len)
{
	char *bytes = dt_realloc(NULL, len);

	for (size_t i = 0; i < len; i++)
		bytes[i] = (char)(i * 31 + i / 251);
	return bytes;
}

/* Fill the kernel's buffers and ours until `queued` bytes wait. */
static inline void fill(struct seen *seen, size_t queued)
{
	char *bytes = pattern(DT_MIB);
	struct dt_str part = { bytes, DT_MIB };

	while (seen->s.stream && dt_stream_queued(seen->s.stream) <= queued)
		dt_stream_write(seen->s.stream, &part, 1);
	free(bytes);
}

#endif
