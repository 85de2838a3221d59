/*
 * test/unit/link/test_link_ws.c - a WebSocket link over a socket.
 *
 * The frames at the plain end are spelled here, byte by byte, so that no fault
 * of wire/ws.c can hide behind itself.
 */
#include "link/link.h"

#include "base/clock.h"
#include "base/limits.h"
#include "messages.h"

#define FIN 0x80
#define TEXT 0x81
#define BINARY 0x82
#define BYE 0x88
#define PING 0x89
#define PONG 0x8a

static void begin(struct messages *m, enum dt_ws_role role, enum trick trick)
{
	messages_open(m, trick);
	dt_stream_start(m->s.stream, NULL, NULL); /* as the handshake did */
	m->link = dt_link_ws_new(m->s.stream, role, (struct dt_str){ 0 });
	dt_link_start(m->link, &messages_events, m);
}

/* A frame of up to 125 bytes as a client sends it, with its mask. */
static void add_frame(struct dt_buf *out, int first, const char *payload,
                      size_t len)
{
	static const char mask[4] = { 0x11, 0x22, 0x33, 0x44 };

	assert_true(len <= 125);
	dt_buf_add_char(out, (char)first);
	dt_buf_add_char(out, (char)(0x80 | len));
	dt_buf_add(out, mask, sizeof(mask));
	for (size_t i = 0; i < len; i++)
		dt_buf_add_char(out, (char)(payload[i] ^ mask[i % 4]));
}

static void put_frame(struct messages *m, int first, const char *payload,
                      size_t len)
{
	struct dt_buf out;

	dt_buf_init(&out, SIZE_MAX);
	add_frame(&out, first, payload, len);
	sockets_put(&m->s, out.ptr, out.len);
	dt_buf_done(&out);
}

static void put_text(struct messages *m, const char *text)
{
	put_frame(m, TEXT, text, strlen(text));
}

/* A frame of up to 125 bytes as a server sends it. */
static void expect_frame(struct messages *m, int first, const char *payload,
                         size_t len)
{
	char head[2] = { (char)first, (char)len };

	sockets_expect(&m->s, head, 2);
	sockets_expect(&m->s, payload, len);
}

/* A close frame with this code; the reason is not looked at. */
static void expect_bye(struct messages *m, unsigned code)
{
	size_t len;

	sockets_wait(&m->s, 4);
	len = (uint8_t)m->s.got.ptr[1];
	sockets_wait(&m->s, 2 + len);
	assert_int_equal((uint8_t)m->s.got.ptr[0], BYE);
	assert_int_equal(
		(uint8_t)m->s.got.ptr[2] << 8 | (uint8_t)m->s.got.ptr[3], code);
	dt_buf_consume(&m->s.got, 2 + len);
}

/* messages */

test(text_goes_both_ways)
{
	struct messages m;

	begin(&m, DT_WS_SERVER, DO_ECHO);
	put_text(&m, "hello");
	expect_frame(&m, TEXT, "hello", 5);
	put_text(&m, "");
	expect_frame(&m, TEXT, "", 0);
	assert_str(dt_buf_str(&m.heard), "hello||");
	messages_close(&m);
	assert_int_equal(m.why.code, DT_E_CLOSED);
}

test(fragments_are_joined_around_a_ping)
{
	struct messages m;

	begin(&m, DT_WS_SERVER, DO_NOTHING);
	put_frame(&m, 0x01, "frag", 4);
	put_frame(&m, PING, "still there?", 12);
	put_frame(&m, FIN, "ments", 5);
	expect_frame(&m, PONG, "still there?", 12);
	sockets_until(&m.s, m.count == 1);
	assert_str(dt_buf_str(&m.heard), "fragments|");
	messages_close(&m);
}

test(a_client_masks_what_it_sends)
{
	struct messages m;
	char *plain;

	begin(&m, DT_WS_CLIENT, DO_NOTHING);
	dt_link_send(m.link, DT_STR("secret"));
	dt_link_send(m.link, DT_STR("secret"));
	sockets_wait(&m.s, 2 * (2 + 4 + 6));
	assert_int_equal((uint8_t)m.s.got.ptr[0], TEXT);
	assert_int_equal((uint8_t)m.s.got.ptr[1], 0x80 | 6);
	plain = m.s.got.ptr + 6;
	for (int i = 0; i < 6; i++)
		plain[i] = (char)(plain[i] ^ m.s.got.ptr[2 + i % 4]);
	assert_memory_equal(plain, "secret", 6);
	/* Each frame has a mask of its own. */
	assert_memory_not_equal(m.s.got.ptr + 2, m.s.got.ptr + 14, 4);
	dt_buf_clear(&m.s.got);
	/* And reads what is not masked. */
	sockets_put(&m.s, "\x81\x02hi", 4);
	sockets_until(&m.s, m.count == 1);
	messages_close(&m);
}

test(bytes_behind_the_handshake_are_read_when_the_link_starts)
{
	struct messages m;
	struct dt_buf early;

	dt_buf_init(&early, SIZE_MAX);
	add_frame(&early, TEXT, "one", 3);
	add_frame(&early, TEXT, "two", 3);
	add_frame(&early, TEXT, "three", 5);
	messages_open(&m, DO_ECHO);
	dt_stream_start(m.s.stream, NULL, NULL);
	early.len -= 2; /* the rest comes by the socket */
	m.link = dt_link_ws_new(m.s.stream, DT_WS_SERVER, dt_buf_str(&early));
	dt_buf_clear(&early);
	assert_int_equal(m.count, 0);
	dt_link_start(m.link, &messages_events, &m);
	assert_int_equal(m.count, 2);
	sockets_put(&m.s, early.ptr + (9 + 9 + 9), 2);
	sockets_until(&m.s, m.count == 3);
	assert_str(dt_buf_str(&m.heard), "one|two|three|");
	expect_frame(&m, TEXT, "one", 3);
	expect_frame(&m, TEXT, "two", 3);
	expect_frame(&m, TEXT, "three", 5);
	dt_buf_done(&early);
	messages_close(&m);
}

test(a_link_may_be_closed_by_what_came_behind_the_handshake)
{
	struct messages m;
	struct dt_buf early;

	dt_buf_init(&early, SIZE_MAX);
	add_frame(&early, TEXT, "one", 3);
	add_frame(&early, TEXT, "two", 3);
	messages_open(&m, DO_CLOSE);
	dt_stream_start(m.s.stream, NULL, NULL);
	m.link = dt_link_ws_new(m.s.stream, DT_WS_SERVER, dt_buf_str(&early));
	dt_link_start(m.link, &messages_events, &m);
	assert_int_equal(m.count, 1);
	expect_frame(&m, TEXT, "last", 4);
	expect_bye(&m, DT_WS_NORMAL);
	dt_buf_done(&early);
	messages_close(&m);
}

/* pings */

test(a_server_pings_and_any_sign_of_life_counts)
{
	struct messages m;

	begin(&m, DT_WS_SERVER, DO_NOTHING);
	dt_link_ws_set_ping(m.link, 5);
	for (int i = 0; i < 2 * DT_LIMIT_PING_MISSED; i++) {
		expect_frame(&m, PING, "", 0);
		if (i % 2)
			put_frame(&m, PONG, "", 0);
		else
			put_text(&m, "alive");
	}
	assert_int_equal(m.closed, 0);
	messages_close(&m);
}

test(a_peer_that_answers_no_ping_is_given_up)
{
	struct messages m;

	begin(&m, DT_WS_SERVER, DO_NOTHING);
	dt_link_ws_set_ping(m.link, 2);
	sockets_until(&m.s, m.closed);
	assert_int_equal(m.why.code, DT_E_TIMEOUT);
	for (int i = 0; i < DT_LIMIT_PING_MISSED; i++)
		expect_frame(&m, PING, "", 0);
	sockets_expect_end(&m.s);
	messages_close(&m);
}

test(pings_do_not_go_on_while_the_link_closes)
{
	struct messages m;

	begin(&m, DT_WS_SERVER, DO_NOTHING);
	dt_link_ws_set_ping(m.link, 1);
	dt_link_close(m.link, DT_LINK_DONE, "");
	usleep(5000);
	sockets_turn(&m.s, 3);
	usleep(5000);
	sockets_turn(&m.s, 3);
	expect_bye(&m, DT_WS_NORMAL);
	sockets_read(&m.s);
	assert_int_equal(m.s.got.len, 0);
	messages_close(&m);
}

/* the closing handshake */

test(the_closing_handshake_from_the_other_side_is_answered)
{
	uint64_t before = dt_clock_ms();
	struct messages m;

	begin(&m, DT_WS_SERVER, DO_NOTHING);
	put_frame(&m, BYE, "\x0f\xa0 done", 7); /* 4000 */
	expect_bye(&m, 4000);
	sockets_expect_end(&m.s);
	assert_true(dt_clock_ms() - before < 1500); /* not by the deadline */
	messages_close(&m);
	assert_int_equal(m.why.code, DT_E_CLOSED);
	assert_non_null(strstr(m.why.msg, "4000"));
}

test(a_close_frame_without_a_code_is_answered_without_one)
{
	struct messages m;

	begin(&m, DT_WS_SERVER, DO_NOTHING);
	put_frame(&m, BYE, "", 0);
	expect_frame(&m, BYE, "", 0);
	sockets_expect_end(&m.s);
	messages_close(&m);
	assert_int_equal(m.why.code, DT_E_CLOSED);
}

test(nothing_behind_a_close_frame_is_read)
{
	struct messages m;
	struct dt_buf out;

	dt_buf_init(&out, SIZE_MAX);
	add_frame(&out, TEXT, "before", 6);
	add_frame(&out, BYE, "\x03\xe8", 2);
	add_frame(&out, TEXT, "behind", 6);
	begin(&m, DT_WS_SERVER, DO_NOTHING);
	sockets_put(&m.s, out.ptr, out.len);
	expect_bye(&m, DT_WS_NORMAL);
	sockets_expect_end(&m.s);
	assert_str(dt_buf_str(&m.heard), "before|");
	dt_buf_done(&out);
	messages_close(&m);
}

test(the_closing_handshake_from_this_side_waits_for_the_answer)
{
	static const struct {
		enum dt_link_end end;
		unsigned code;
	} ends[] = {
		{ DT_LINK_DONE, 1000 },
		{ DT_LINK_AWAY, 1001 },
		{ DT_LINK_REFUSED, 1008 },
		{ DT_LINK_CONFUSED, 1002 },
	};

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		struct messages m;

		begin(&m, DT_WS_SERVER, DO_ECHO);
		dt_link_close(m.link, ends[i].end, "a reason");
		dt_link_send(m.link, DT_STR("lost"));
		sockets_wait(&m.s, 12);
		assert_memory_equal(m.s.got.ptr + 4, "a reason", 8);
		expect_bye(&m, ends[i].code);
		/* Nothing is handed up any more, and no ping answered. */
		put_text(&m, "too late");
		put_frame(&m, PING, "", 0);
		sockets_turn(&m.s, 5);
		assert_int_equal(m.count, 0);
		assert_int_equal(m.closed, 0);
		put_frame(&m, BYE, "\x03\xe8", 2);
		sockets_expect_end(&m.s);
		messages_close(&m);
		assert_int_equal(m.why.code, DT_E_CLOSED);
	}
}

test(closing_in_a_message_sends_what_was_said_and_hears_no_more)
{
	struct messages m;
	struct dt_buf out;

	dt_buf_init(&out, SIZE_MAX);
	add_frame(&out, TEXT, "one", 3);
	add_frame(&out, TEXT, "two", 3);
	add_frame(&out, BYE, "\x03\xe8", 2);
	begin(&m, DT_WS_SERVER, DO_CLOSE);
	sockets_put(&m.s, out.ptr, out.len);
	expect_frame(&m, TEXT, "last", 4);
	expect_bye(&m, DT_WS_NORMAL);
	sockets_expect_end(&m.s);
	assert_str(dt_buf_str(&m.heard), "one|");
	dt_buf_done(&out);
	messages_close(&m);
}

test(a_closing_handshake_that_is_not_answered_ends_after_two_seconds)
{
	struct messages m;

	begin(&m, DT_WS_SERVER, DO_NOTHING);
	dt_link_close(m.link, DT_LINK_AWAY, "");
	expect_bye(&m, DT_WS_GOING_AWAY);
	sockets_until(&m.s, m.closed);
	sockets_expect_end(&m.s);
	messages_close(&m);
}

test(a_client_closes_with_masked_frames)
{
	struct messages m;
	char *got;

	begin(&m, DT_WS_CLIENT, DO_NOTHING);
	sockets_put(&m.s, "\x89\x00", 2);
	sockets_put(&m.s, "\x88\x02\x03\xe8", 4);
	sockets_wait(&m.s, 6 + 8);
	got = m.s.got.ptr;
	assert_memory_equal(got, "\x8a\x80", 2);
	assert_memory_equal(got + 6, "\x88\x82", 2);
	assert_int_equal((uint8_t)(got[12] ^ got[8]), 0x03);
	assert_int_equal((uint8_t)(got[13] ^ got[9]), 0xe8);
	dt_buf_clear(&m.s.got);
	sockets_expect_end(&m.s);
	messages_close(&m);
}

test(a_peer_that_vanishes_ends_the_link)
{
	struct messages m;

	begin(&m, DT_WS_SERVER, DO_NOTHING);
	put_frame(&m, 0x01, "half a mess", 11);
	sockets_hang_up(&m.s);
	sockets_until(&m.s, m.closed);
	assert_int_equal(m.why.code, DT_E_CLOSED);
	assert_int_equal(m.count, 0);
	messages_close(&m);
}

/* faults */

static void check_fault(const char *bytes, size_t len, unsigned code,
                        enum dt_err err)
{
	struct messages m;

	begin(&m, DT_WS_SERVER, DO_NOTHING);
	dt_link_ws_set_limit(m.link, 1000);
	sockets_put(&m.s, bytes, len);
	/* What follows a fault is never looked at. */
	put_text(&m, "behind");
	expect_bye(&m, code);
	sockets_expect_end(&m.s);
	assert_int_equal(m.count, 0);
	messages_close(&m);
	assert_int_equal(m.why.code, err);
}

test(a_fault_is_answered_with_its_code)
{
	static const char unmasked[] = "\x81\x02hi";
	static const char reserved[] = "\xc1\x80\0\0\0\0";
	static const char opcode[] = "\x83\x80\0\0\0\0";
	static const char not_utf8[] = "\x81\x82\0\0\0\0\xc3\x28";
	static const char too_big[] = "\x81\xfe\x03\xe9\0\0\0\0";
	static const char bad_bye[] = "\x88\x82\0\0\0\0\x03\xed"; /* 1005 */

	check_fault(unmasked, sizeof(unmasked) - 1, DT_WS_PROTOCOL_ERROR,
	            DT_E_PROTO);
	check_fault(reserved, sizeof(reserved) - 1, DT_WS_PROTOCOL_ERROR,
	            DT_E_PROTO);
	check_fault(opcode, sizeof(opcode) - 1, DT_WS_PROTOCOL_ERROR,
	            DT_E_PROTO);
	check_fault(not_utf8, sizeof(not_utf8) - 1, DT_WS_BAD_DATA, DT_E_PROTO);
	check_fault(too_big, sizeof(too_big) - 1, DT_WS_TOO_BIG, DT_E_LIMIT);
	check_fault(bad_bye, sizeof(bad_bye) - 1, DT_WS_PROTOCOL_ERROR,
	            DT_E_PROTO);
}

test(a_message_of_exactly_the_limit_passes)
{
	char frame[8 + 1000] = "\x81\xfe\x03\xe8\0\0\0";
	struct messages m;

	memset(frame + 8, 'x', 1000);
	begin(&m, DT_WS_SERVER, DO_NOTHING);
	dt_link_ws_set_limit(m.link, 1000);
	sockets_put(&m.s, frame, sizeof(frame));
	sockets_until(&m.s, m.count == 1);
	assert_int_equal(m.heard.len, 1001);
	messages_close(&m);
}

test(binary_messages_are_refused_with_1003)
{
	struct messages m;

	begin(&m, DT_WS_SERVER, DO_NOTHING);
	put_frame(&m, BINARY, "\0\1", 2);
	put_frame(&m, BINARY, "\0\1", 2);
	expect_bye(&m, 1003);
	put_frame(&m, BYE, "\x03\xeb", 2);
	sockets_expect_end(&m.s);
	assert_int_equal(m.count, 0);
	messages_close(&m);
	assert_int_equal(m.why.code, DT_E_PROTO);
}

test(a_fault_while_the_link_closes_ends_it_at_once)
{
	struct messages m;

	begin(&m, DT_WS_SERVER, DO_NOTHING);
	dt_link_close(m.link, DT_LINK_DONE, "");
	expect_bye(&m, DT_WS_NORMAL);
	sockets_put(&m.s, "\x81\x02hi", 4);
	sockets_expect_end(&m.s);
	messages_close(&m);
}

/* water marks */

test(who_does_not_read_is_not_read_from_until_the_queue_is_low)
{
	size_t len = DT_MIB + DT_MIB / 2;
	char *bytes = dt_alloc(len);
	struct messages m;

	memset(bytes, 'x', len);
	begin(&m, DT_WS_SERVER, DO_NOTHING);
	dt_link_send(m.link, (struct dt_str){ bytes, len });
	dt_link_send(m.link, (struct dt_str){ bytes, len });
	assert_true(dt_link_is_clogged(m.link));
	put_text(&m, "one"); /* read, and not taken up */
	sockets_turn(&m.s, 50);
	put_text(&m, "two");
	sockets_turn(&m.s, 50);
	assert_int_equal(m.count, 0);
	sockets_wait(&m.s, 2 * (10 + len));
	sockets_until(&m.s, m.count == 2);
	free(bytes);
	messages_close(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_goes_both_ways),
		cmocka_unit_test(fragments_are_joined_around_a_ping),
		cmocka_unit_test(a_client_masks_what_it_sends),
		cmocka_unit_test(
			bytes_behind_the_handshake_are_read_when_the_link_starts),
		cmocka_unit_test(
			a_link_may_be_closed_by_what_came_behind_the_handshake),
		cmocka_unit_test(a_server_pings_and_any_sign_of_life_counts),
		cmocka_unit_test(a_peer_that_answers_no_ping_is_given_up),
		cmocka_unit_test(pings_do_not_go_on_while_the_link_closes),
		cmocka_unit_test(
			the_closing_handshake_from_the_other_side_is_answered),
		cmocka_unit_test(
			a_close_frame_without_a_code_is_answered_without_one),
		cmocka_unit_test(nothing_behind_a_close_frame_is_read),
		cmocka_unit_test(
			the_closing_handshake_from_this_side_waits_for_the_answer),
		cmocka_unit_test(
			closing_in_a_message_sends_what_was_said_and_hears_no_more),
		cmocka_unit_test(
			a_closing_handshake_that_is_not_answered_ends_after_two_seconds),
		cmocka_unit_test(a_client_closes_with_masked_frames),
		cmocka_unit_test(a_peer_that_vanishes_ends_the_link),
		cmocka_unit_test(a_fault_is_answered_with_its_code),
		cmocka_unit_test(a_message_of_exactly_the_limit_passes),
		cmocka_unit_test(binary_messages_are_refused_with_1003),
		cmocka_unit_test(a_fault_while_the_link_closes_ends_it_at_once),
		cmocka_unit_test(
			who_does_not_read_is_not_read_from_until_the_queue_is_low),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
