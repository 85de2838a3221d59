/*
 * test/fuzz/fuzz_ws.c - any bytes to a reader of WebSocket frames, both ends.
 *
 * The first byte picks the role and the limit, the second how the rest is cut
 * into pieces.  What is found must not depend on the cuts.
 */
#include "base/buf.h"
#include "base/limits.h"
#include "wire/ws.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct setting {
	enum dt_ws_role role;
	size_t limit;
};

static void tell(struct dt_buf *story, const struct dt_ws_event *event)
{
	dt_buf_addf(story, "%d %u %zu:", event->type, event->code,
	            event->data.len);
	dt_buf_add_str(story, event->data);
}

static void check_event(const struct dt_ws *ws, const struct dt_ws_event *event)
{
	if (event->data.len > ws->limit && event->type <= DT_WS_GOT_BINARY)
		abort();
	if (event->type == DT_WS_GOT_TEXT && !dt_utf8_is_valid(event->data))
		abort();
}

/* One piece, in memory of exactly its size. */
static bool feed(struct dt_ws *ws, const char *bytes, size_t len,
                 struct dt_buf *story)
{
	char *piece = dt_realloc(NULL, len);
	struct dt_ws_event event;
	size_t done = 0;
	enum dt_err err;

	memcpy(piece, bytes, len);
	do {
		size_t used;

		err = dt_ws_read(ws, piece + done, len - done, &used, &event,
		                 NULL);
		if (err) {
			dt_buf_addf(story, "fault %u", ws->fault);
			break;
		}
		done += used;
		if (event.type != DT_WS_GOT_NOTHING) {
			check_event(ws, &event);
			tell(story, &event);
		}
	} while (event.type != DT_WS_GOT_NOTHING);
	free(piece);
	return !err;
}

/* Pieces of at least `least` and at most `most` bytes. */
static void run(const struct setting *setting, struct dt_str in, size_t least,
                size_t most, struct dt_buf *story)
{
	uint32_t mix = (uint32_t)most;
	struct dt_ws ws;
	bool goes_on = true;

	dt_ws_init(&ws, setting->role, setting->limit);
	while (goes_on && in.len) {
		size_t n;

		mix = mix * 1664525u + 1013904223u;
		n = least + (mix >> 8) % (most - least + 1);
		if (n > in.len)
			n = in.len;
		goes_on = feed(&ws, in.ptr, n, story);
		in.ptr += n;
		in.len -= n;
	}
	dt_ws_done(&ws);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct setting setting;
	struct dt_buf stories[3];
	struct dt_str in;

	if (size < 3)
		return 0;
	setting.role = data[0] & 1 ? DT_WS_CLIENT : DT_WS_SERVER;
	setting.limit = data[0] & 2 ? 100 : 100000;
	in = (struct dt_str){ (const char *)data + 2, size - 2 };
	for (size_t i = 0; i < 3; i++)
		dt_buf_init(&stories[i], DT_LIMIT_MESSAGE);
	run(&setting, in, in.len, in.len, &stories[0]);
	run(&setting, in, 1, 1, &stories[1]);
	run(&setting, in, 1, 2u + data[1], &stories[2]);
	for (size_t i = 1; i < 3; i++) {
		if (!dt_str_eq(dt_buf_str(&stories[0]),
		               dt_buf_str(&stories[i])))
			abort();
	}
	for (size_t i = 0; i < 3; i++)
		dt_buf_done(&stories[i]);
	return 0;
}
