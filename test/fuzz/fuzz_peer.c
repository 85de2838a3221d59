/*
 * test/fuzz/fuzz_peer.c - messages to a peer, one per line; the first byte of
 * each says how it comes.  Every exchange ends once, and what is sent is JSON.
 */
#include "rpc/peer.h"

#include <assert.h>
#include <stdlib.h>

#define MANY 8 /* requests held at a time */
#define BATCH 1
#define EXCHANGE 2
#define SHARE 4
#define GONE 8 /* who sent it goes away */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct exchange {
	struct dt_exchange x;
	int ends;
};

struct talk {
	struct dt_link link;
	struct dt_peer *peer;
	struct dt_request *held[MANY];
	size_t held_count;
};

static void check_sent(struct dt_str message)
{
	struct dt_arena arena = { 0 };
	const struct dt_json *json;

	assert(!dt_json_read(&arena, message, &json, NULL));
	assert(json->type == DT_JSON_OBJECT || json->count > 0);
	dt_arena_done(&arena);
}

static void send_by_link(struct dt_link *link, struct dt_str message)
{
	(void)link;
	check_sent(message);
}

static const struct dt_link_carrier link_carrier = {
	.name = "fuzz",
	.send = send_by_link,
};

static void send_by_exchange(struct dt_exchange *x, struct dt_str message)
{
	assert(!((struct exchange *)x)->ends);
	check_sent(message);
}

static void end_exchange(struct dt_exchange *x, struct dt_str answer)
{
	((struct exchange *)x)->ends++;
	if (answer.ptr)
		check_sent(answer);
}

static const struct dt_exchange_carrier exchange_carrier = {
	.send = send_by_exchange,
	.end = end_exchange,
};

static void end_held(struct talk *t)
{
	for (size_t i = 0; i < t->held_count; i++) {
		struct dt_request *req = t->held[i];

		dt_request_notify(req, "progress", (struct dt_str){ 0 });
		dt_json_put_z(dt_request_begin(req), req->method);
		dt_request_end(req);
	}
	t->held_count = 0;
}

/* A name of odd length is answered at once. */
static void on_request(struct dt_peer *peer, struct dt_request *req,
                       const struct dt_json *params, void *owner)
{
	struct talk *t = owner;

	(void)peer;
	if (strlen(req->method) % 2 || t->held_count == MANY)
		dt_request_fail_data(req, 1, req->method,
		                     params ? params->raw : DT_STR("1"));
	else
		t->held[t->held_count++] = req;
}

static void on_notify(struct dt_peer *peer, const char *method,
                      const struct dt_json *params, void *owner)
{
	(void)method;
	(void)owner;
	if (params && params->count)
		dt_peer_cancel(peer, dt_json_first(params)->raw);
}

static void on_closed(struct dt_peer *peer, const struct dt_fail *why,
                      void *owner)
{
	(void)peer;
	(void)why;
	(void)owner;
}

static const struct dt_peer_events events = {
	.on_request = on_request,
	.on_notify = on_notify,
	.on_closed = on_closed,
};

static void take(struct talk *t, unsigned how, struct dt_str message)
{
	struct exchange e = { { &exchange_carrier, 200 }, 0 };
	enum dt_taken taken;

	dt_peer_allow_batch(t->peer, how & BATCH);
	if (!(how & EXCHANGE)) {
		dt_link_deliver(&t->link, message);
		end_held(t);
		return;
	}
	taken = dt_peer_take(t->peer, &e.x, message);
	assert(e.ends == (taken == DT_TAKEN_REFUSED) ||
	       taken == DT_TAKEN_REQUEST);
	if (how & GONE)
		dt_peer_cancel_exchange(t->peer, &e.x);
	assert(!(how & GONE) || e.ends == (taken != DT_TAKEN_OTHER));
	end_held(t);
	assert(e.ends == (taken != DT_TAKEN_OTHER));
	assert(!dt_peer_request_count(t->peer) && !dt_peer_exchange(t->peer));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct talk t = { .link = { .carrier = &link_carrier } };
	struct dt_str rest = { (const char *)data, size };
	struct dt_fail why = { .code = DT_E_CLOSED };

	t.peer = dt_peer_new(&t.link, &events, &t);
	dt_peer_start(t.peer);
	if (size && data[0] & SHARE)
		dt_peer_share(t.peer);
	while (rest.len) {
		struct dt_str line = dt_str_cut(&rest, '\n');

		if (line.len)
			take(&t, (unsigned char)line.ptr[0],
			     (struct dt_str){ line.ptr + 1, line.len - 1 });
	}
	dt_link_deliver_end(&t.link, &why);
	return 0;
}
