#include "unit.h"

#include "app/relay.h"
#include "base/limits.h"

#include <stdlib.h>

#define INIT                                                                   \
	"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{" \
	"\"a\":1}}"
#define READY "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}"
#define ANSWER(id) "{\"jsonrpc\":\"2.0\",\"id\":" id ",\"result\":{}}"
#define ASK(id) "{\"jsonrpc\":\"2.0\",\"id\":" id ",\"method\":\"x\"}"
#define LOST(id)                                                               \
	"{\"jsonrpc\":\"2.0\",\"id\":" id ",\"error\":{\"code\":-32603,"       \
	"\"message\":\"the daemon was restarted while this ran; call "         \
	"again\"}}\n"
#define REPLAY                                                                 \
	"{\"jsonrpc\":\"2.0\",\"id\":\"dovetail-relay\",\"method\":"           \
	"\"initialize\",\"params\":{\"a\":1}}\n"

static int start(void **state)
{
	struct dt_relay *r = malloc(sizeof(*r));

	dt_relay_init(r);
	*state = r;
	return 0;
}

static int stop(void **state)
{
	dt_relay_done(*state);
	free(*state);
	return 0;
}

static void take(struct dt_relay *r, const char *line)
{
	dt_relay_take(r, dt_str(line));
}

static void hear(struct dt_relay *r, const char *line)
{
	dt_relay_hear(r, dt_str(line));
}

/* The next bytes for the daemon, which takes them. */
static void expect_daemon(struct dt_relay *r, const char *bytes)
{
	struct dt_str next = dt_relay_next(r);

	assert_int_equal(next.len, strlen(bytes));
	assert_memory_equal(next.ptr, bytes, next.len);
	dt_relay_wrote(r, next.len);
}

static void expect_client(struct dt_relay *r, const char *bytes)
{
	assert_string_equal(dt_buf_z(&r->to_client), bytes);
	dt_buf_clear(&r->to_client);
}

/* A client whose handshake is over. */
static void shake(struct dt_relay *r)
{
	dt_relay_attached(r, false);
	take(r, INIT);
	expect_daemon(r, INIT "\n");
	hear(r, ANSWER("1"));
	expect_client(r, ANSWER("1") "\n");
	take(r, READY);
	expect_daemon(r, READY "\n");
}

#define relay_test(name) static void name(void **state)

relay_test(lines_pass_both_ways)
{
	struct dt_relay *r = *state;

	take(r, ASK("1"));
	assert_int_equal(dt_relay_next(r).len, 0);
	dt_relay_attached(r, false);
	expect_daemon(r, ASK("1") "\n");
	assert_true(dt_relay_is_busy(r));
	hear(r, ANSWER("1"));
	assert_false(dt_relay_is_busy(r));
	expect_client(r, ANSWER("1") "\n");
	take(r, "garbage");
	expect_daemon(r, "garbage\n");
	assert_false(dt_relay_is_busy(r));
}

relay_test(another_daemon_hears_the_handshake_again)
{
	struct dt_relay *r = *state;

	shake(r);
	take(r, ASK("2"));
	expect_daemon(r, ASK("2") "\n");
	dt_relay_lost(r);
	take(r, ASK("3"));
	assert_int_equal(dt_relay_next(r).len, 0);
	dt_relay_attached(r, false);
	expect_daemon(r, REPLAY);
	/* What waits goes when the handshake is over. */
	assert_int_equal(dt_relay_next(r).len, 0);
	expect_client(r, "");
	hear(r, ANSWER("\"dovetail-relay\""));
	expect_client(r, LOST("2"));
	expect_daemon(r, READY "\n");
	expect_daemon(r, ASK("3") "\n");
	hear(r, ANSWER("3"));
	expect_client(r, ANSWER("3") "\n");
	assert_false(dt_relay_is_busy(r));
}

relay_test(a_resumed_session_goes_on)
{
	struct dt_relay *r = *state;

	shake(r);
	take(r, ASK("2"));
	expect_daemon(r, ASK("2") "\n");
	dt_relay_lost(r);
	dt_relay_attached(r, true);
	assert_int_equal(dt_relay_next(r).len, 0);
	expect_client(r, "");
	hear(r, ANSWER("2"));
	expect_client(r, ANSWER("2") "\n");
}

relay_test(a_handshake_that_was_cut_short_is_asked_again)
{
	struct dt_relay *r = *state;

	dt_relay_attached(r, false);
	take(r, INIT);
	expect_daemon(r, INIT "\n");
	dt_relay_lost(r);
	dt_relay_attached(r, false);
	expect_daemon(r, INIT "\n");
	hear(r, ANSWER("1"));
	expect_client(r, ANSWER("1") "\n");
	assert_false(dt_relay_is_busy(r));
}

relay_test(a_handshake_that_was_not_sent_is_sent_once)
{
	struct dt_relay *r = *state;

	take(r, INIT);
	dt_relay_lost(r);
	dt_relay_attached(r, false);
	expect_daemon(r, INIT "\n");
	assert_int_equal(dt_relay_next(r).len, 0);
}

relay_test(half_a_line_that_went_down_is_sent_whole)
{
	struct dt_relay *r = *state;

	dt_relay_attached(r, false);
	take(r, ASK("1"));
	take(r, ASK("2"));
	dt_relay_wrote(r, strlen(ASK("1")) + 3);
	dt_relay_lost(r);
	dt_relay_attached(r, false);
	expect_client(r, LOST("1"));
	expect_daemon(r, ASK("2") "\n");
	assert_true(dt_relay_is_busy(r));
}

relay_test(modern_requests_need_no_handshake)
{
	static const char modern[] =
		"{\"id\":1,\"method\":\"initialize\",\"params\":{\"_meta\":{"
		"\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"}}}";
	struct dt_relay *r = *state;

	dt_relay_attached(r, false);
	take(r, modern);
	dt_relay_wrote(r, dt_relay_next(r).len);
	hear(r, "{\"id\":1,\"error\":{}}");
	dt_relay_lost(r);
	dt_relay_attached(r, false);
	assert_int_equal(dt_relay_next(r).len, 0);
	take(r, ASK("2"));
	expect_daemon(r, ASK("2") "\n");
}

relay_test(a_refused_handshake_is_not_repeated)
{
	struct dt_relay *r = *state;

	dt_relay_attached(r, false);
	take(r, INIT);
	expect_daemon(r, INIT "\n");
	hear(r, "{\"id\":1,\"error\":{}}");
	dt_relay_lost(r);
	dt_relay_attached(r, false);
	assert_int_equal(dt_relay_next(r).len, 0);
}

relay_test(what_is_cancelled_is_not_answered)
{
	struct dt_relay *r = *state;

	shake(r);
	take(r, ASK("2"));
	take(r, "{\"method\":\"notifications/cancelled\",\"params\":{"
	        "\"requestId\":2}}");
	assert_false(dt_relay_is_busy(r));
	dt_relay_wrote(r, dt_relay_next(r).len);
	dt_relay_lost(r);
	dt_relay_attached(r, false);
	hear(r, ANSWER("\"dovetail-relay\""));
	expect_client(r, "");
}

relay_test(a_batch_is_answered_one_by_one)
{
	struct dt_relay *r = *state;

	dt_relay_attached(r, false);
	take(r, "[" ASK("1") "," READY "," ASK("\"b\"") "]");
	dt_relay_wrote(r, dt_relay_next(r).len);
	dt_relay_lost(r);
	dt_relay_attached(r, false);
	expect_client(r, LOST("1") LOST("\"b\""));
	take(r, "[" ASK("3") "," ASK("4") "]");
	hear(r, "[" ANSWER("3") "," ANSWER("4") "]");
	assert_false(dt_relay_is_busy(r));
}

relay_test(what_a_lost_daemon_asked_is_taken_back)
{
	struct dt_relay *r = *state;

	dt_relay_attached(r, false);
	hear(r, ASK("0"));
	expect_client(r, ASK("0") "\n");
	dt_relay_lost(r);
	dt_relay_attached(r, false);
	expect_client(r, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/"
	                 "cancelled\",\"params\":{\"requestId\":0,\"reason\":"
	                 "\"the daemon was restarted\"}}\n");
	/* The next daemon may ask under the same id. */
	take(r, ANSWER("0"));
	assert_int_equal(dt_relay_next(r).len, 0);
	hear(r, ASK("0"));
	take(r, ANSWER("0"));
	expect_daemon(r, ANSWER("0") "\n");
}

relay_test(who_gives_up_answers_everything)
{
	struct dt_relay *r = *state;

	shake(r);
	take(r, ASK("2"));
	expect_daemon(r, ASK("2") "\n");
	dt_relay_lost(r);
	take(r, ASK("3"));
	dt_relay_give_up(r, "gone");
	expect_client(r, "{\"jsonrpc\":\"2.0\",\"id\":2,\"error\":{\"code\":-"
	                 "32603,\"message\":\"gone\"}}\n"
	                 "{\"jsonrpc\":\"2.0\",\"id\":3,\"error\":{\"code\":-"
	                 "32603,\"message\":\"gone\"}}\n");
	take(r, ASK("4"));
	expect_client(r, "{\"jsonrpc\":\"2.0\",\"id\":4,\"error\":{\"code\":-"
	                 "32603,\"message\":\"gone\"}}\n");
	take(r, "garbage");
	expect_client(r, "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32603,"
	                 "\"message\":\"gone\"}}\n");
	take(r, READY);
	expect_client(r, "");
	/* Hope comes back, with the handshake. */
	dt_relay_hope(r);
	take(r, ASK("5"));
	dt_relay_attached(r, false);
	expect_daemon(r, REPLAY);
	hear(r, ANSWER("\"dovetail-relay\""));
	expect_daemon(r, READY "\n");
	expect_daemon(r, ASK("5") "\n");
	expect_client(r, "");
}

relay_test(no_more_waits_than_may)
{
	struct dt_relay *r = *state;
	size_t len = DT_LIMIT_MESSAGE;
	char *big = malloc(len);

	memset(big, ' ', len);
	memcpy(big, ASK("1"), strlen(ASK("1")));
	dt_relay_take(r, (struct dt_str){ big, len });
	expect_client(r, "");
	memcpy(big, ASK("2"), strlen(ASK("2")));
	dt_relay_take(r, (struct dt_str){ big, len });
	assert_non_null(strstr(dt_buf_z(&r->to_client), "\"code\":-32004"));
	dt_buf_clear(&r->to_client);
	take(r, ASK("3"));
	expect_client(r, "");
	free(big);
	dt_relay_attached(r, false);
	assert_int_equal(dt_relay_next(r).len, len + 1 + strlen(ASK("3")) + 1);
	dt_relay_wrote(r, len + 1);
	expect_daemon(r, ASK("3") "\n");
	assert_int_equal(r->to_daemon.cap, 0);
}

relay_test(a_line_without_end_is_refused_without_an_id)
{
	struct dt_relay *r = *state;

	dt_relay_take_too_long(r);
	expect_client(r, "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32600,"
	                 "\"message\":\"a message is longer than 64 MiB\"}}\n");
}

#define entry(name) cmocka_unit_test_setup_teardown(name, start, stop)

int main(void)
{
	const struct CMUnitTest tests[] = {
		entry(lines_pass_both_ways),
		entry(another_daemon_hears_the_handshake_again),
		entry(a_resumed_session_goes_on),
		entry(a_handshake_that_was_cut_short_is_asked_again),
		entry(a_handshake_that_was_not_sent_is_sent_once),
		entry(half_a_line_that_went_down_is_sent_whole),
		entry(modern_requests_need_no_handshake),
		entry(a_refused_handshake_is_not_repeated),
		entry(what_is_cancelled_is_not_answered),
		entry(a_batch_is_answered_one_by_one),
		entry(what_a_lost_daemon_asked_is_taken_back),
		entry(who_gives_up_answers_everything),
		entry(no_more_waits_than_may),
		entry(a_line_without_end_is_refused_without_an_id),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
