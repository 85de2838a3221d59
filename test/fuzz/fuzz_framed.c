/*
 * test/fuzz/fuzz_framed.c - any bytes to a reader of messages with lengths.
 *
 * The first byte picks the limit, the second how the rest is cut into pieces.
 * What is found must not depend on the cuts, and a message that came out must
 * come out again when it is written.
 */
#include "base/limits.h"
#include "wire/framed.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_again(struct dt_str message, size_t limit)
{
	char head[DT_FRAMED_HEAD];
	struct dt_str in = { head, dt_framed_head(head, message.len) };
	struct dt_str got;
	struct dt_framed f;
	size_t used;

	dt_framed_init(&f, limit);
	if (dt_framed_read(&f, in, &used, &got, NULL) || got.ptr ||
	    used != in.len)
		abort();
	if (dt_framed_read(&f, message, &used, &got, NULL) ||
	    !dt_str_eq(got, message))
		abort();
	dt_framed_done(&f);
}

/* One piece, in memory of exactly its size. */
static bool feed(struct dt_framed *f, const char *bytes, size_t len,
                 struct dt_buf *story)
{
	char *piece = dt_strndup(bytes, len);
	struct dt_str rest = { piece, len };
	enum dt_err err = DT_E_OK;

	while (rest.len && !err) {
		struct dt_fail fail = { 0 };
		struct dt_str message;
		size_t used;

		err = dt_framed_read(f, rest, &used, &message, &fail);
		if (err) {
			dt_buf_addf(story, "fault %d", err);
			break;
		}
		rest.ptr += used;
		rest.len -= used;
		if (!message.ptr)
			continue;
		if (!message.len || message.len > f->limit)
			abort();
		check_again(message, f->limit);
		dt_buf_addf(story, "%zu:", message.len);
		dt_buf_add_str(story, message);
	}
	free(piece);
	return !err;
}

static void run(struct dt_str in, size_t limit, size_t step,
                struct dt_buf *story)
{
	struct dt_framed f;
	bool goes_on = true;

	dt_framed_init(&f, limit);
	while (goes_on && in.len) {
		size_t n = in.len < step ? in.len : step;

		goes_on = feed(&f, in.ptr, n, story);
		in.ptr += n;
		in.len -= n;
	}
	dt_framed_done(&f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct dt_buf stories[3];
	struct dt_str in;
	size_t limit;

	if (size < 3)
		return 0;
	limit = data[0] & 1 ? 100000 : 100;
	in = (struct dt_str){ (const char *)data + 2, size - 2 };
	for (size_t i = 0; i < 3; i++)
		dt_buf_init(&stories[i], DT_LIMIT_MESSAGE);
	run(in, limit, in.len, &stories[0]);
	run(in, limit, 1, &stories[1]);
	run(in, limit, 2u + data[1], &stories[2]);
	for (size_t i = 1; i < 3; i++) {
		if (!dt_str_eq(dt_buf_str(&stories[0]),
		               dt_buf_str(&stories[i])))
			abort();
	}
	for (size_t i = 0; i < 3; i++)
		dt_buf_done(&stories[i]);
	return 0;
}
