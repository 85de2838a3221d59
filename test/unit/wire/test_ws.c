/*
 * test/unit/wire/test_ws.c - what a reader of WebSocket frames says to frames.
 *
 * Inputs are built frame by frame and told back as a sentence such as
 * "ping(x) text(hello) fault 1002".  tells() cuts each input at every byte.
 */
#include "unit.h"

#include "base/buf.h"
#include "base/limits.h"
#include "wire/ws.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIN 0x80
#define ROOM (4 * DT_MIB)

static const uint8_t key[4] = { 0x37, 0xfa, 0x21, 0x3d };

/* The input under construction, the role that reads it, and the limit. */
static struct dt_buf input;
static enum dt_ws_role role;
static size_t limit;

static int start(void **state)
{
	(void)state;
	dt_buf_init(&input, ROOM);
	role = DT_WS_SERVER;
	limit = ROOM;
	return 0;
}

static int end(void **state)
{
	(void)state;
	dt_buf_done(&input);
	return 0;
}

static void add_byte(unsigned byte)
{
	dt_buf_add_char(&input, (char)byte);
}

/* The payload, masked when it is for a server. */
static void add_payload(const char *bytes, size_t len)
{
	if (role == DT_WS_SERVER)
		dt_buf_add(&input, key, sizeof(key));
	for (size_t i = 0; i < len; i++)
		add_byte((unsigned char)bytes[i] ^
		         (role == DT_WS_SERVER ? key[i % 4] : 0u));
}

/* A frame whose length is spelled in `width` bytes: 0, 2 or 8. */
static void add_wide(unsigned first, const char *bytes, size_t len,
                     unsigned width)
{
	unsigned mask_bit = role == DT_WS_SERVER ? 0x80 : 0;

	add_byte(first);
	if (width == 0)
		add_byte(mask_bit | (unsigned)len);
	else
		add_byte(mask_bit | (width == 2 ? 126 : 127));
	for (unsigned i = width; i > 0; i--)
		add_byte((unsigned)((uint64_t)len >> 8 * (i - 1)) & 0xff);
	add_payload(bytes, len);
}

static void add_bytes(unsigned first, const char *bytes, size_t len)
{
	unsigned width = len > 0xffff ? 8 : 2;

	add_wide(first, bytes, len, len <= 125 ? 0 : width);
}

static void add(unsigned first, const char *text)
{
	add_bytes(first, text, strlen(text));
}

/* A head that promises `len` bytes, and nothing after it. */
static void add_promise(unsigned first, uint64_t len)
{
	add_byte(first);
	add_byte(0x80 | 127);
	for (unsigned i = 8; i > 0; i--)
		add_byte((unsigned)(len >> 8 * (i - 1)) & 0xff);
	dt_buf_add(&input, key, sizeof(key));
}

/* A long message is told by its length and this (FNV-1a). */
static unsigned hash_of(const char *bytes, size_t len)
{
	uint32_t hash = 2166136261u;

	for (size_t i = 0; i < len; i++)
		hash = (hash ^ (unsigned char)bytes[i]) * 16777619u;
	return hash;
}

static void tell_event(struct dt_buf *story, const struct dt_ws_event *event)
{
	static const char *const names[] = { "nothing", "text", "binary",
		                             "ping",    "pong", "close" };

	if (story->len)
		dt_buf_add_char(story, ' ');
	dt_buf_addf(story, "%s(", names[event->type]);
	if (event->type == DT_WS_GOT_CLOSE)
		dt_buf_addf(story, "%u,", event->code);
	if (event->data.len > 200)
		dt_buf_addf(story, "%zu bytes %08x", event->data.len,
		            hash_of(event->data.ptr, event->data.len));
	else
		dt_buf_add_str(story, event->data);
	dt_buf_add_char(story, ')');
}

/* Give the reader one piece, in memory of exactly its size. */
static bool feed(struct dt_ws *ws, const char *bytes, size_t len,
                 struct dt_buf *story)
{
	struct dt_ws_event event;
	enum dt_err err;
	char *piece = malloc(len ? len : 1);
	size_t done = 0;

	memcpy(piece, bytes, len);
	do {
		struct dt_fail fail = { 0 };
		size_t used = 0;

		err = dt_ws_read(ws, piece + done, len - done, &used, &event,
		                 &fail);
		if (err) {
			assert_int_equal(err, ws->fault == DT_WS_TOO_BIG
			                              ? DT_E_LIMIT
			                              : DT_E_PROTO);
			assert_int_equal(fail.code, err);
			dt_buf_addf(story, "%sfault %u", story->len ? " " : "",
			            ws->fault);
			break;
		}
		done += used;
		if (event.type != DT_WS_GOT_NOTHING)
			tell_event(story, &event);
	} while (event.type != DT_WS_GOT_NOTHING);
	if (!err)
		assert_int_equal(done, len);
	free(piece);
	return !err;
}

/* The input in pieces of `step` bytes after a first one of `first`. */
static void check_cut(size_t first, size_t step, const char *want)
{
	struct dt_buf story;
	struct dt_ws ws;
	size_t at = 0;
	size_t n = first;
	bool goes_on = true;

	dt_buf_init(&story, DT_MIB);
	dt_ws_init(&ws, role, limit);
	while (goes_on && at < input.len) {
		if (n > input.len - at)
			n = input.len - at;
		goes_on = feed(&ws, input.ptr + at, n, &story);
		at += n;
		n = step;
	}
	assert_string_equal(dt_buf_z(&story), want);
	dt_ws_done(&ws);
	dt_buf_done(&story);
}

/* Whole, byte by byte, and in two pieces cut at every byte. */
static void tells(const char *want)
{
	check_cut(input.len, 1, want);
	check_cut(1, 1, want);
	for (size_t cut = 1; cut < input.len; cut++)
		check_cut(cut, input.len, want);
	dt_buf_clear(&input);
}

/* Byte by byte: how many bytes were taken when the fault was found? */
static size_t bytes_until_fault(unsigned code)
{
	struct dt_buf story;
	struct dt_ws ws;
	size_t at = 0;

	dt_buf_init(&story, DT_MIB);
	dt_ws_init(&ws, role, limit);
	while (at < input.len && feed(&ws, input.ptr + at, 1, &story))
		at++;
	assert_int_equal(ws.fault, code);
	dt_ws_done(&ws);
	dt_buf_done(&story);
	dt_buf_clear(&input);
	return at + 1;
}

test(a_server_reads_masked_messages)
{
	add(FIN | DT_WS_TEXT, "hello");
	add(FIN | DT_WS_BINARY, "\x01\xff");
	add(FIN | DT_WS_TEXT, "");
	tells("text(hello) binary(\x01\xff) text()");
}

test(a_client_reads_plain_messages)
{
	role = DT_WS_CLIENT;
	add(FIN | DT_WS_TEXT, "hello");
	add(FIN | DT_WS_BINARY, "\x01\xff");
	add(FIN | DT_WS_PING, "");
	tells("text(hello) binary(\x01\xff) ping()");
}

test(fragments_are_joined)
{
	add(DT_WS_TEXT, "one ");
	add(DT_WS_CONTINUATION, "two ");
	add(DT_WS_CONTINUATION, "");
	add(FIN | DT_WS_CONTINUATION, "three");
	add(DT_WS_BINARY, "");
	add(FIN | DT_WS_CONTINUATION, "four");
	tells("text(one two three) binary(four)");
}

test(control_frames_come_between_fragments)
{
	add(DT_WS_TEXT, "one ");
	add(FIN | DT_WS_PING, "p");
	add(DT_WS_CONTINUATION, "two ");
	add(FIN | DT_WS_PONG, "q");
	add(FIN | DT_WS_PING, "");
	add(FIN | DT_WS_CONTINUATION, "three");
	tells("ping(p) pong(q) ping() text(one two three)");
}

test(a_close_between_fragments_ends_the_reading)
{
	add(DT_WS_TEXT, "one ");
	add(FIN | DT_WS_CLOSE, "\x03\xe8"
	                       "bye");
	add(FIN | DT_WS_CONTINUATION, "two");
	add(0xff, "nonsense");
	tells("close(1000,bye)");
}

test(a_control_frame_holds_125_bytes_and_no_more)
{
	char bytes[126];
	char want[160];

	memset(bytes, 'x', sizeof(bytes));
	snprintf(want, sizeof(want), "ping(%.125s)", bytes);
	add_bytes(FIN | DT_WS_PING, bytes, 125);
	tells(want);
	add_bytes(FIN | DT_WS_PING, bytes, 126);
	tells("fault 1002");
	add_bytes(FIN | DT_WS_CLOSE, bytes, 126);
	tells("fault 1002");
	add_wide(FIN | DT_WS_PONG, bytes, 5, 2);
	tells("fault 1002");
}

test(a_control_frame_is_never_fragmented)
{
	static const unsigned codes[] = { DT_WS_CLOSE, DT_WS_PING, DT_WS_PONG };

	for (size_t i = 0; i < 3; i++) {
		add(codes[i], "");
		tells("fault 1002");
	}
}

test(reserved_bits_are_refused)
{
	for (unsigned bits = 0x10; bits <= 0x70; bits += 0x10) {
		add(FIN | bits | DT_WS_TEXT, "x");
		tells("fault 1002");
		add(FIN | bits | DT_WS_PING, "x");
		tells("fault 1002");
	}
}

test(reserved_opcodes_are_refused)
{
	static const unsigned bad[] = { 3, 4, 5, 6, 7, 11, 12, 13, 14, 15 };

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		add(FIN | DT_WS_PING, "");
		add(FIN | bad[i], "");
		tells("ping() fault 1002");
	}
}

test(a_frame_that_is_masked_wrongly_is_refused)
{
	role = DT_WS_CLIENT;
	add(FIN | DT_WS_TEXT, "plain");
	role = DT_WS_SERVER;
	assert_int_equal(bytes_until_fault(1002), 2);
	add(FIN | DT_WS_TEXT, "masked");
	role = DT_WS_CLIENT;
	assert_int_equal(bytes_until_fault(1002), 2);
}

test(messages_do_not_mix)
{
	add(FIN | DT_WS_CONTINUATION, "x");
	tells("fault 1002");
	add(DT_WS_CONTINUATION, "x");
	tells("fault 1002");
	add(DT_WS_TEXT, "x");
	add(FIN | DT_WS_TEXT, "y");
	tells("fault 1002");
	add(DT_WS_BINARY, "x");
	add(DT_WS_TEXT, "y");
	tells("fault 1002");
	add(DT_WS_TEXT, "x");
	add(FIN | DT_WS_CONTINUATION, "y");
	add(FIN | DT_WS_CONTINUATION, "z");
	tells("text(xy) fault 1002");
}

test(lengths_are_spelled_in_the_shortest_form)
{
	static char big[65536];
	char want[100];

	memset(big, 'b', sizeof(big));
	add_wide(FIN | DT_WS_TEXT, big, 125, 2);
	tells("fault 1002");
	add_wide(FIN | DT_WS_TEXT, big, 0, 2);
	tells("fault 1002");
	add_wide(FIN | DT_WS_TEXT, big, 126, 8);
	tells("fault 1002");
	add_wide(FIN | DT_WS_TEXT, big, 65535, 8);
	check_cut(100, 1000, "fault 1002");
	dt_buf_clear(&input);
	add_wide(FIN | DT_WS_BINARY, big, 126, 2);
	tells("binary("
	      "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
	      "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
	      "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb)");
	add_wide(FIN | DT_WS_BINARY, big, 65535, 2);
	add_wide(FIN | DT_WS_BINARY, big, 65536, 8);
	snprintf(want, sizeof(want),
	         "binary(65535 bytes %08x) binary(65536 bytes %08x)",
	         hash_of(big, 65535), hash_of(big, 65536));
	check_cut(7, 1000, want);
}

test(the_top_bit_of_a_length_is_refused)
{
	limit = SIZE_MAX;
	add_promise(FIN | DT_WS_BINARY, 1ull << 63);
	tells("fault 1002");
	add_promise(FIN | DT_WS_BINARY, UINT64_MAX);
	tells("fault 1002");
}

test(a_message_beyond_the_limit_is_refused_by_its_head)
{
	limit = 10;
	add(FIN | DT_WS_TEXT, "0123456789");
	tells("text(0123456789)");
	add(FIN | DT_WS_TEXT, "0123456789a");
	assert_int_equal(bytes_until_fault(1009), 6);
	add_promise(FIN | DT_WS_BINARY, INT64_MAX);
	assert_int_equal(bytes_until_fault(1009), 14);
}

test(fragments_are_summed_for_the_limit)
{
	limit = 10;
	add(DT_WS_TEXT, "01234");
	add(DT_WS_CONTINUATION, "56789");
	add(FIN | DT_WS_CONTINUATION, "");
	add(FIN | DT_WS_TEXT, "0123456789");
	tells("text(0123456789) text(0123456789)");
	add(DT_WS_TEXT, "01234");
	add(FIN | DT_WS_PING, "123456789012");
	add(DT_WS_CONTINUATION, "56789");
	add(FIN | DT_WS_CONTINUATION, "a");
	tells("ping(123456789012) fault 1009");
}

static bool code_is_good(unsigned code)
{
	if (code >= 3000)
		return code <= 4999;
	return (code >= 1000 && code <= 1003) || (code >= 1007 && code <= 1014);
}

test(every_close_code_is_judged)
{
	char want[64];

	for (unsigned code = 0; code <= 0xffff; code++) {
		char bytes[2] = { (char)(code >> 8), (char)code };

		if (code_is_good(code))
			snprintf(want, sizeof(want), "close(%u,)", code);
		else
			snprintf(want, sizeof(want), "fault 1002");
		add_bytes(FIN | DT_WS_CLOSE, bytes, 2);
		check_cut(input.len, 1, want);
		dt_buf_clear(&input);
	}
}

test(a_close_may_be_empty_but_not_one_byte)
{
	add(FIN | DT_WS_CLOSE, "");
	tells("close(1005,)");
	add(FIN | DT_WS_CLOSE, "\x03");
	tells("fault 1002");
	add(FIN | DT_WS_CLOSE, "\x03\xf3h\xc3\xa9");
	tells("close(1011,h\xc3\xa9)");
}

test(a_close_reason_is_utf8)
{
	add(FIN | DT_WS_CLOSE, "\x03\xe8\xff");
	tells("fault 1007");
	add(FIN | DT_WS_CLOSE, "\x03\xe8"
	                       "abc\xe2\x82");
	tells("fault 1007");
	/* A bad code comes first. */
	add(FIN | DT_WS_CLOSE, "\x03\xed\xff");
	tells("fault 1002");
}

test(text_is_utf8)
{
	static const char *const bad[] = {
		"\x80",         "\xbf",         "\xc0\x80",
		"\xc1\xbf",     "\xe0\x9f\xbf", "\xed\xa0\x80",
		"\xed\xbf\xbf", "\xf0\x8f\xbf", "\xf4\x90\x80\x80",
		"\xf5",         "\xfe",         "\xff",
		"\xc3(",        "\xe2\x82(",    "\xf0\x9f\x98(",
		"\xc3",         "\xe2\x82",     "\xf0\x9f\x98",
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		char text[64];

		add(FIN | DT_WS_TEXT, bad[i]);
		tells("fault 1007");
		/* Behind enough ASCII for a fast path. */
		snprintf(text, sizeof(text), "%s%s",
		         "0123456789abcdef0123456789abcdef", bad[i]);
		add(FIN | DT_WS_TEXT, text);
		tells("fault 1007");
		add(FIN | DT_WS_BINARY, bad[i]);
		snprintf(text, sizeof(text), "binary(%s)", bad[i]);
		tells(text);
	}
	add(FIN | DT_WS_TEXT, "\xce\xba\xe1\xbd\xb9\xf0\x9f\x98\x80\xed\x9f\xbf"
	                      "\xee\x80\x80\xf4\x8f\xbf\xbf");
	tells("text(\xce\xba\xe1\xbd\xb9\xf0\x9f\x98\x80\xed\x9f\xbf"
	      "\xee\x80\x80\xf4\x8f\xbf\xbf)");
}

test(a_character_may_be_cut_by_a_fragment_but_not_by_the_end)
{
	add(DT_WS_TEXT, "\xf0\x9f");
	add(FIN | DT_WS_PING, "\xff");
	add(DT_WS_CONTINUATION, "\x98");
	add(FIN | DT_WS_CONTINUATION, "\x80");
	tells("ping(\xff) text(\xf0\x9f\x98\x80)");
	add(DT_WS_TEXT, "\xf0\x9f");
	add(FIN | DT_WS_CONTINUATION, "\x98");
	tells("fault 1007");
	add(DT_WS_TEXT, "\xf0\x9f\x98");
	add(FIN | DT_WS_CONTINUATION, "");
	tells("fault 1007");
	/* What one message left open does not leak into the next. */
	add(FIN | DT_WS_BINARY, "\xf0\x9f");
	add(FIN | DT_WS_TEXT, "\xc3\xa9");
	tells("binary(\xf0\x9f) text(\xc3\xa9)");
}

test(wrong_text_is_refused_at_its_first_wrong_byte)
{
	static char big[100000];

	memset(big, 'a', sizeof(big));
	big[50000] = '\xed';
	big[50001] = '\xa0'; /* a surrogate: the second byte shows it */
	add_bytes(FIN | DT_WS_TEXT, big, sizeof(big));
	assert_int_equal(bytes_until_fault(1007), 14 + 50002);
	/* A fragment that ends inside a character, then a wrong byte. */
	add(DT_WS_TEXT, "ab\xf4");
	add(FIN | DT_WS_CONTINUATION, "\x90xyz");
	assert_int_equal(bytes_until_fault(1007), 6 + 3 + 6 + 1);
}

test(a_whole_frame_is_handed_out_from_the_input)
{
	struct dt_ws_event event;
	struct dt_ws ws;
	size_t used;

	dt_ws_init(&ws, role, limit);
	add(FIN | DT_WS_TEXT, "in place");
	add(FIN | DT_WS_PING, "too");
	assert_ok(dt_ws_read(&ws, input.ptr, input.len, &used, &event, NULL));
	assert_int_equal(used, 14);
	assert_ptr_equal(event.data.ptr, input.ptr + 6);
	assert_str(event.data, "in place");
	assert_ok(dt_ws_read(&ws, input.ptr + used, input.len - used, &used,
	                     &event, NULL));
	assert_ptr_equal(event.data.ptr, input.ptr + 14 + 6);
	assert_null(ws.message.ptr);
	dt_ws_done(&ws);
}

test(an_idle_connection_holds_no_message_memory)
{
	struct dt_ws_event event;
	struct dt_ws ws;
	size_t used;

	dt_ws_init(&ws, role, limit);
	add(DT_WS_TEXT, "in ");
	add(FIN | DT_WS_CONTINUATION, "pieces");
	assert_ok(dt_ws_read(&ws, input.ptr, input.len, &used, &event, NULL));
	assert_str(event.data, "in pieces");
	assert_ptr_equal(event.data.ptr, ws.message.ptr);
	assert_ok(dt_ws_read(&ws, NULL, 0, &used, &event, NULL));
	assert_int_equal(event.type, DT_WS_GOT_NOTHING);
	assert_null(ws.message.ptr);
	dt_ws_done(&ws);
}

test(a_promise_alone_takes_no_memory_and_a_little_takes_little)
{
	struct dt_ws_event event;
	struct dt_ws ws;
	size_t used;
	char byte = 'x';

	limit = 64 * DT_MIB;
	dt_ws_init(&ws, role, limit);
	add_promise(FIN | DT_WS_BINARY, 64 * DT_MIB);
	assert_ok(dt_ws_read(&ws, input.ptr, input.len, &used, &event, NULL));
	assert_int_equal(ws.message.cap, 0);
	assert_ok(dt_ws_read(&ws, &byte, 1, &used, &event, NULL));
	assert_in_range(ws.message.cap, DT_MIB, 2 * DT_MIB);
	dt_ws_done(&ws);
}

test(a_large_message_arrives_whole_in_pieces_of_any_size)
{
	static const size_t steps[] = { 1, 1000, 4096, 65536, 1 << 20 };
	size_t len = 2 * DT_MIB + 5;
	char *big = malloc(len);
	char want[64];

	for (size_t i = 0; i < len; i++)
		big[i] = (char)('a' + i % 23);
	snprintf(want, sizeof(want), "text(%zu bytes %08x)", len,
	         hash_of(big, len));
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		add_bytes(FIN | DT_WS_TEXT, big, len);
		check_cut(steps[i], steps[i], want);
		dt_buf_clear(&input);
	}
	free(big);
}

test(after_a_fault_nothing_is_read)
{
	struct dt_ws_event event;
	struct dt_ws ws;
	size_t used;

	dt_ws_init(&ws, role, limit);
	add(FIN | 3, "");
	assert_int_equal(
		dt_ws_read(&ws, input.ptr, input.len, &used, &event, NULL),
		DT_E_PROTO);
	dt_buf_clear(&input);
	add(FIN | DT_WS_TEXT, "hello");
	assert_int_equal(
		dt_ws_read(&ws, input.ptr, input.len, &used, &event, NULL),
		DT_E_PROTO);
	assert_int_equal(ws.fault, 1002);
	dt_ws_done(&ws);
}

test(masking_is_the_plain_loop_at_every_offset_and_length)
{
	char bytes[80];
	char plain[80];

	for (size_t len = 0; len <= 70; len++) {
		for (uint64_t offset = 0; offset < 9; offset++) {
			for (size_t i = 0; i < sizeof(bytes); i++)
				bytes[i] = plain[i] = (char)(i * 7);
			for (size_t i = 0; i < len; i++)
				plain[1 + i] ^= (char)key[(offset + i) % 4];
			dt_ws_mask(bytes + 1, len, key, offset);
			assert_memory_equal(bytes, plain, sizeof(bytes));
		}
	}
}

static void check_written(size_t len, const uint8_t *mask, size_t head_len)
{
	uint8_t head[DT_WS_HEAD];
	size_t n = dt_ws_write_head(head, DT_WS_TEXT, len, mask);
	char want[240];
	char *payload;

	assert_int_equal(n, head_len);
	dt_buf_add(&input, head, n);
	payload = dt_buf_reserve(&input, len);
	memset(payload, 'z', len);
	if (len > 200)
		snprintf(want, sizeof(want), "text(%zu bytes %08x)", len,
		         hash_of(payload, len));
	else
		snprintf(want, sizeof(want), "text(%.*s)", (int)len, payload);
	if (mask)
		dt_ws_mask(payload, len, mask, 0);
	dt_buf_grew(&input, len);
	role = mask ? DT_WS_SERVER : DT_WS_CLIENT;
	check_cut(3, 5000, want);
	dt_buf_clear(&input);
}

test(what_one_side_writes_the_other_reads)
{
	static const struct {
		size_t len;
		size_t head_len;
	} sizes[] = { { 0, 2 },     { 1, 2 },      { 125, 2 },    { 126, 4 },
		      { 65535, 4 }, { 65536, 10 }, { 200000, 10 } };

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		check_written(sizes[i].len, NULL, sizes[i].head_len);
		check_written(sizes[i].len, key, sizes[i].head_len + 4);
	}
}

test(a_close_payload_is_written_and_its_reason_cut)
{
	uint8_t out[125];
	char reason[200];

	assert_int_equal(dt_ws_write_close(out, DT_WS_NO_CODE, "x"), 0);
	assert_int_equal(dt_ws_write_close(out, DT_WS_GOING_AWAY, NULL), 2);
	assert_memory_equal(out, "\x03\xe9", 2);
	assert_int_equal(dt_ws_write_close(out, DT_WS_NORMAL, "bye"), 5);
	assert_memory_equal(out,
	                    "\x03\xe8"
	                    "bye",
	                    5);
	memset(reason, 'r', sizeof(reason));
	memcpy(reason + 122, "\xc3\xa9", 2); /* bytes 123 and 124 */
	reason[199] = '\0';
	assert_int_equal(dt_ws_write_close(out, DT_WS_POLICY, reason), 124);
	reason[123] = 'r';
	reason[122] = 'r';
	assert_int_equal(dt_ws_write_close(out, DT_WS_POLICY, reason), 125);
}

test(the_accept_value_is_the_one_in_the_rfc)
{
	char out[DT_WS_ACCEPT_TEXT];

	dt_ws_accept(DT_STR("dGhlIHNhbXBsZSBub25jZQ=="), out);
	assert_string_equal(out, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
}

test(a_key_is_base64_of_16_bytes)
{
	static const char *const bad[] = {
		"",
		"dGhlIHNhbXBsZSBub25jZQ=",
		"dGhlIHNhbXBsZSBub25jZQ",
		"dGhlIHNhbXBsZSBub25jZQ===",
		"dGhlIHNhbXBsZSBub25j",
		"dGhlIHNhbXBsZSBub25jZSE=",
		"dGhlIHNhbXBsZSBub25jZSEh",
		"dGhlIHNhbXBsZSBub25j!Q==",
		" dGhlIHNhbXBsZSBub25jZQ==",
	};

	assert_true(dt_ws_key_is_valid(DT_STR("dGhlIHNhbXBsZSBub25jZQ==")));
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(dt_ws_key_is_valid(dt_str(bad[i])));
	assert_false(dt_ws_key_is_valid((struct dt_str){ 0 }));
}

#define SENTENCE(name) cmocka_unit_test_setup_teardown(name, start, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		SENTENCE(a_server_reads_masked_messages),
		SENTENCE(a_client_reads_plain_messages),
		SENTENCE(fragments_are_joined),
		SENTENCE(control_frames_come_between_fragments),
		SENTENCE(a_close_between_fragments_ends_the_reading),
		SENTENCE(a_control_frame_holds_125_bytes_and_no_more),
		SENTENCE(a_control_frame_is_never_fragmented),
		SENTENCE(reserved_bits_are_refused),
		SENTENCE(reserved_opcodes_are_refused),
		SENTENCE(a_frame_that_is_masked_wrongly_is_refused),
		SENTENCE(messages_do_not_mix),
		SENTENCE(lengths_are_spelled_in_the_shortest_form),
		SENTENCE(the_top_bit_of_a_length_is_refused),
		SENTENCE(a_message_beyond_the_limit_is_refused_by_its_head),
		SENTENCE(fragments_are_summed_for_the_limit),
		SENTENCE(every_close_code_is_judged),
		SENTENCE(a_close_may_be_empty_but_not_one_byte),
		SENTENCE(a_close_reason_is_utf8),
		SENTENCE(text_is_utf8),
		SENTENCE(
			a_character_may_be_cut_by_a_fragment_but_not_by_the_end),
		SENTENCE(wrong_text_is_refused_at_its_first_wrong_byte),
		SENTENCE(a_whole_frame_is_handed_out_from_the_input),
		SENTENCE(an_idle_connection_holds_no_message_memory),
		SENTENCE(
			a_promise_alone_takes_no_memory_and_a_little_takes_little),
		SENTENCE(a_large_message_arrives_whole_in_pieces_of_any_size),
		SENTENCE(after_a_fault_nothing_is_read),
		SENTENCE(masking_is_the_plain_loop_at_every_offset_and_length),
		SENTENCE(what_one_side_writes_the_other_reads),
		SENTENCE(a_close_payload_is_written_and_its_reason_cut),
		SENTENCE(the_accept_value_is_the_one_in_the_rfc),
		SENTENCE(a_key_is_base64_of_16_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
