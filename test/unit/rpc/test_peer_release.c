/* test/unit/rpc/test_peer_release.c - a link goes on without its peer. */
#include "rpc/peer.h"

#include "sockets.h"

/* What the peer's owner saw, and then the link's. */
struct talk {
	struct sockets s;
	struct dt_peer *peer;
	struct dt_request *held;
	int cancelled;
	int replies;
	int ended;
	bool is_eager; /* releases the peer in on_request */
};

static void on_link_message(struct dt_link *link, struct dt_str message,
                            void *owner)
{
	(void)owner;
	dt_link_send(link, message);
}

static void on_link_closed(struct dt_link *link, const struct dt_fail *why,
                           void *owner)
{
	struct talk *t = owner;

	(void)link;
	(void)why;
	t->ended++;
}

static const struct dt_link_events link_events = {
	.on_message = on_link_message,
	.on_closed = on_link_closed,
};

static void on_cancel(struct dt_request *req, void *owner)
{
	struct talk *t = owner;

	(void)req;
	t->cancelled++;
}

static void on_request(struct dt_peer *peer, struct dt_request *req,
                       const struct dt_json *params, void *owner)
{
	struct talk *t = owner;

	(void)params;
	if (t->is_eager) {
		dt_json_put_bool(dt_request_begin(req), true);
		dt_request_end(req);
		dt_link_start(dt_peer_release(peer), &link_events, t);
		return;
	}
	req->on_cancel = on_cancel;
	req->owner = t;
	t->held = req;
}

static void on_notify(struct dt_peer *peer, const char *method,
                      const struct dt_json *params, void *owner)
{
	(void)peer;
	(void)method;
	(void)params;
	(void)owner;
}

static void on_closed(struct dt_peer *peer, const struct dt_fail *why,
                      void *owner)
{
	(void)peer;
	(void)why;
	(void)owner;
	fail_msg("a released peer is not closed");
}

static const struct dt_peer_events peer_events = {
	.on_request = on_request,
	.on_notify = on_notify,
	.on_closed = on_closed,
};

static void on_reply(struct dt_peer *peer, const struct dt_json *result,
                     const struct dt_fail *fail, void *owner)
{
	struct talk *t = owner;

	(void)peer;
	assert_null(result);
	assert_int_equal(fail->code, DT_E_CLOSED);
	t->replies++;
}

static void begin(struct talk *t)
{
	*t = (struct talk){ 0 };
	sockets_open_unix(&t->s);
	t->peer = dt_peer_new(dt_link_lines_new(t->s.stream), &peer_events, t);
	dt_peer_start(t->peer);
}

static void end(struct talk *t)
{
	sockets_put_z(&t->s, "anything\n");
	sockets_expect_z(&t->s, "anything\n");
	sockets_hang_up(&t->s);
	sockets_until(&t->s, t->ended == 1);
	sockets_close(&t->s);
}

#define ASK "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\"}\n"

test(what_is_under_way_ends_with_the_peer)
{
	struct talk t;

	begin(&t);
	sockets_put_z(&t.s, ASK);
	sockets_until(&t.s, t.held);
	dt_peer_call(t.peer, "ask", DT_STR("[]"), 10000, on_reply, &t);
	sockets_expect_z(&t.s, "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":"
	                       "\"ask\",\"params\":[]}\n");
	dt_link_start(dt_peer_release(t.peer), &link_events, &t);
	assert_int_equal(t.replies, 1);
	assert_int_equal(t.cancelled, 1);
	dt_request_fail(t.held, 7, "nobody hears it");
	end(&t);
}

test(a_request_may_release_its_peer)
{
	struct talk t;

	begin(&t);
	t.is_eager = true;
	/* The second line comes in the same bytes, for the next owner. */
	sockets_put_z(&t.s, ASK "second\n");
	sockets_expect_z(&t.s,
	                 "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":true}\n"
	                 "second\n");
	end(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_under_way_ends_with_the_peer),
		cmocka_unit_test(a_request_may_release_its_peer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
