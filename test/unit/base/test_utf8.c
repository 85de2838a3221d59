/*
 * UTF-8 against a second opinion: everything up to three bytes, a large part of
 * four, at every split point and in every place of a block.
 */
#include "unit.h"

#include "base/rand.h"
#include "base/utf8.h"

#include <stdlib.h>

/* Decode one character by the arithmetic of RFC 3629 section 3; 0: none. */
static size_t decode(const uint8_t *p, size_t len, uint32_t *code)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t need = 0;

	if (len == 0)
		return 0;
	*code = p[0];
	if (p[0] < 0x80)
		return 1;
	for (uint32_t bit = 0x80; p[0] & bit; bit >>= 1) {
		*code &= ~bit;
		need++;
	}
	if (need < 2 || need > 4 || need > len)
		return 0;
	for (size_t i = 1; i < need; i++) {
		if (p[i] / 64 != 2)
			return 0;
		*code = *code * 64 + p[i] % 64;
	}
	if (*code < least[need] || *code > 0x10ffff || *code / 0x800 == 27)
		return 0;
	return need;
}

static bool is_text(const uint8_t *p, size_t len)
{
	uint32_t code;

	while (len > 0) {
		size_t n = decode(p, len, &code);

		if (n == 0)
			return false;
		p += n;
		len -= n;
	}
	return true;
}

/* Can these one to three bytes still become one character? */
static bool is_char_start(const uint8_t *p, size_t len)
{
	/* One of these second bytes suits any lead. */
	static const uint8_t seconds[] = { 0x80, 0x90, 0xa0 };
	uint32_t code;

	for (size_t i = 0; i < sizeof(seconds); i++) {
		uint8_t whole[4] = { 0, seconds[i], 0x80, 0x80 };

		memcpy(whole, p, len);
		if (decode(whole, sizeof(whole), &code) > len)
			return true;
	}
	return false;
}

/* Can these bytes still become text when more come? */
static bool is_text_start(const uint8_t *p, size_t len)
{
	if (is_text(p, len))
		return true;
	for (size_t back = 1; back <= 3 && back <= len; back++) {
		if (is_text(p, len - back) &&
		    is_char_start(p + len - back, back))
			return true;
	}
	return false;
}

static bool is_valid(const uint8_t *p, size_t len)
{
	return dt_utf8_is_valid((struct dt_str){ (const char *)p, len });
}

/*
 * Check a sequence alone and in the middle of ASCII, where the blocks work.
 * Counting the disagreements is much faster than asserting each.
 */
static unsigned disagreements(const uint8_t *p, size_t len)
{
	static uint8_t wide[64];
	bool expected = is_text(p, len);
	unsigned count = is_valid(p, len) != expected;

	memset(wide, 'a', sizeof(wide));
	memcpy(wide + 18, p, len);
	count += is_valid(wide, sizeof(wide)) != expected;
	return count;
}

test(all_sequences_of_one_to_three_bytes_are_judged_right)
{
	unsigned count = 0;

	for (uint32_t v = 0; v < 1u << 24; v++) {
		const uint8_t p[] = { (uint8_t)(v >> 16), (uint8_t)(v >> 8),
			              (uint8_t)v };

		/* ASCII in front adds nothing to what shorter ones tell. */
		if (p[0] < 0x80 && v % 251)
			continue;
		count += disagreements(p, 3);
		if (p[2] == 0)
			count += disagreements(p, 2);
		if (p[2] == 0 && p[1] == 0)
			count += disagreements(p, 1);
	}
	assert_int_equal(count, 0);
}

test(sequences_of_four_bytes_are_judged_right)
{
	static const uint8_t edges[] = { 0x00, 0x7f, 0x80, 0x81, 0x8f, 0x90,
		                         0x9f, 0xa0, 0xbe, 0xbf, 0xc0, 0xc2,
		                         0xe0, 0xed, 0xf0, 0xff };
	unsigned count = 0;

	/* Any lead, any second byte, the ends of each range after them. */
	for (uint32_t v = 0; v < 1u << 24; v++) {
		const uint8_t p[] = { (uint8_t)(v >> 16), (uint8_t)(v >> 8),
			              edges[v >> 4 & 15], edges[v & 15] };

		if (p[0] >= 0x80)
			count += disagreements(p, 4);
	}
	assert_int_equal(count, 0);
}

test(every_code_point_is_written_and_accepted)
{
	unsigned wrong = 0;

	for (uint32_t code = 0; code <= 0x10ffff; code++) {
		char out[4];
		uint32_t back = 0;
		size_t n = dt_utf8_put(out, code);
		bool is_surrogate = code >= 0xd800 && code <= 0xdfff;

		if (is_surrogate)
			continue;
		wrong += decode((const uint8_t *)out, n, &back) != n;
		wrong += back != code;
		wrong += !is_valid((const uint8_t *)out, n);
	}
	assert_int_equal(wrong, 0);
}

/* Text that mixes characters of all lengths with runs of ASCII. */
static size_t random_text(uint8_t *out, size_t size)
{
	static const uint32_t tops[] = { 0x80, 0x80, 0x800, 0x10000, 0x110000 };
	size_t len = 0;

	while (len + 4 <= size) {
		uint32_t code = dt_rand_below(tops[dt_rand_below(5)]);
		size_t run = dt_rand_below(8) == 0 ? dt_rand_below(40) : 0;

		if (code < 0xd800 || code > 0xdfff)
			len += dt_utf8_put((char *)out + len, code);
		for (; run > 0 && len + 4 <= size; run--)
			out[len++] = 'a';
	}
	return len;
}

test(text_is_accepted_at_every_split_point)
{
	uint8_t text[150];

	for (int round = 0; round < 50; round++) {
		size_t len = random_text(text, sizeof(text));

		assert_true(is_valid(text, len));
		for (size_t at = 0; at <= len; at++) {
			struct dt_utf8 u = { 0 };

			assert_true(dt_utf8_feed(&u, text, at));
			assert_int_equal(dt_utf8_is_whole(&u),
			                 is_text(text, at));
			assert_true(dt_utf8_feed(&u, text + at, len - at));
			assert_true(dt_utf8_is_whole(&u));
		}
	}
}

/* The length of the longest start that text can have. */
static size_t good_start(const uint8_t *p, size_t len)
{
	size_t n = 0;

	while (n < len && is_text_start(p, n + 1))
		n++;
	return n;
}

test(a_fault_is_seen_at_its_byte_whatever_the_pieces)
{
	uint8_t text[90];

	for (int round = 0; round < 300; round++) {
		size_t len = random_text(text, sizeof(text));
		size_t good;

		dt_rand_bytes(text + dt_rand_below((uint32_t)len), 1);
		good = good_start(text, len);
		for (size_t at = 0; at <= len; at++) {
			struct dt_utf8 u = { 0 };
			bool first = dt_utf8_feed(&u, text, at);

			assert_int_equal(first, at <= good);
			if (first)
				assert_int_equal(
					dt_utf8_feed(&u, text + at, len - at),
					good == len);
		}
	}
}

test(an_unfinished_character_is_not_valid_text)
{
	struct dt_utf8 u = { 0 };

	assert_true(dt_utf8_feed(&u, "\xf0\x9f", 2));
	assert_false(dt_utf8_is_whole(&u));
	assert_true(dt_utf8_feed(&u, NULL, 0));
	assert_false(dt_utf8_is_whole(&u));
	assert_false(dt_utf8_is_valid(DT_STR("0123456789abcdef\xe2\x82")));
	assert_true(dt_utf8_is_valid((struct dt_str){ 0 }));
}

test(the_ascii_prefix_ends_before_the_first_high_byte)
{
	char text[100];

	for (size_t len = 0; len <= sizeof(text); len++) {
		memset(text, 'a', sizeof(text));
		assert_int_equal(dt_utf8_ascii_prefix(text, len), len);
		for (size_t at = 0; at < len; at++) {
			memset(text, 'a', sizeof(text));
			text[at] = (char)0x80;
			text[len - 1] = (char)0xff;
			assert_int_equal(dt_utf8_ascii_prefix(text, len), at);
		}
	}
	assert_int_equal(dt_utf8_ascii_prefix(NULL, 0), 0);
}

test(a_cut_never_splits_a_character)
{
	uint8_t text[60];

	for (int round = 0; round < 100; round++) {
		size_t len = random_text(text, sizeof(text));
		struct dt_str s = { (const char *)text, len };

		for (size_t max = 0; max <= len + 2; max++) {
			size_t expected = max < len ? max : len;

			while (!is_text(text, expected))
				expected--;
			assert_int_equal(dt_utf8_cut(s, max), expected);
		}
		/* The text may itself have been cut already. */
		for (s.len = 0; s.len <= len; s.len++) {
			size_t expected = s.len;

			while (!is_text(text, expected))
				expected--;
			assert_int_equal(dt_utf8_cut(s, s.len), expected);
		}
	}
	assert_int_equal(dt_utf8_cut((struct dt_str){ 0 }, 5), 0);
	/* What was never text is cut anywhere. */
	assert_int_equal(dt_utf8_cut(DT_STR("\x80\x80\x80\x80\x80"), 4), 4);
}

/* Both columns of the byte `at`, counted character by character. */
static void count_to(const uint8_t *p, size_t at, size_t *utf16, size_t *points)
{
	uint32_t code;

	*utf16 = 0;
	*points = 0;
	for (size_t i = 0; i < at; i += decode(p + i, 4, &code)) {
		decode(p + i, 4, &code);
		*utf16 += code >= 0x10000 ? 2 : 1;
		*points += 1;
	}
}

test(columns_and_offsets_agree_in_both_units)
{
	uint8_t text[160];

	for (int round = 0; round < 60; round++) {
		size_t len = random_text(text, sizeof(text) - 4);
		struct dt_str s = { (const char *)text, len };
		uint32_t code;
		size_t utf16;
		size_t points;

		for (size_t at = 0; at < len;
		     at += decode(text + at, 4, &code)) {
			struct dt_str front = { s.ptr, at };

			count_to(text, at, &utf16, &points);
			assert_int_equal(dt_utf16_len(front), utf16);
			assert_int_equal(dt_utf8_count(front), points);
			assert_int_equal(dt_utf16_to_byte(s, utf16), at);
			assert_int_equal(dt_utf8_to_byte(s, points), at);
			decode(text + at, 4, &code);
			/* Inside a surrogate pair is its start. */
			if (code >= 0x10000)
				assert_int_equal(dt_utf16_to_byte(s, utf16 + 1),
				                 at);
		}
		count_to(text, len, &utf16, &points);
		assert_int_equal(dt_utf16_to_byte(s, utf16), len);
		assert_int_equal(dt_utf16_to_byte(s, utf16 + 1), len);
		assert_int_equal(dt_utf16_to_byte(s, SIZE_MAX), len);
		assert_int_equal(dt_utf8_to_byte(s, points), len);
		assert_int_equal(dt_utf8_to_byte(s, SIZE_MAX), len);
	}
	assert_int_equal(dt_utf16_len((struct dt_str){ 0 }), 0);
	assert_int_equal(dt_utf16_to_byte((struct dt_str){ 0 }, 3), 0);
}

test(long_text_is_counted_without_overflow)
{
	enum { COUNT = 100000 };
	char *text = dt_alloc((size_t)4 * COUNT);
	struct dt_str s = { text, (size_t)4 * COUNT };

	for (size_t i = 0; i < COUNT; i++)
		dt_utf8_put(text + 4 * i, 0x1f600);
	assert_true(dt_utf8_is_valid(s));
	assert_int_equal(dt_utf16_len(s), 2 * COUNT);
	assert_int_equal(dt_utf8_count(s), COUNT);
	assert_int_equal(dt_utf16_to_byte(s, COUNT), 2 * COUNT);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			all_sequences_of_one_to_three_bytes_are_judged_right),
		cmocka_unit_test(sequences_of_four_bytes_are_judged_right),
		cmocka_unit_test(every_code_point_is_written_and_accepted),
		cmocka_unit_test(text_is_accepted_at_every_split_point),
		cmocka_unit_test(
			a_fault_is_seen_at_its_byte_whatever_the_pieces),
		cmocka_unit_test(an_unfinished_character_is_not_valid_text),
		cmocka_unit_test(
			the_ascii_prefix_ends_before_the_first_high_byte),
		cmocka_unit_test(a_cut_never_splits_a_character),
		cmocka_unit_test(columns_and_offsets_agree_in_both_units),
		cmocka_unit_test(long_text_is_counted_without_overflow),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
