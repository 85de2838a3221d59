/*
 * base/utf8.c - UTF-8 checked and measured, a block at a time.
 *
 * Two small functions know the machine: ascii_run() and block_units(), once
 * with SSE2 and once with plain 64-bit words.  Everything else is built on them
 * and is the same everywhere.  DT_UTF8_PORTABLE asks for the plain ones.
 *
 * Counting trusts that the text is valid: a byte that continues a character
 * counts nothing, every other byte is a character.
 */
#include "base/utf8.h"

#if defined(__SSE2__) && !defined(DT_UTF8_PORTABLE)
#	include <emmintrin.h>

#	define BLOCK 16

/* How many of the BLOCK bytes come before the first that is not ASCII. */
static inline size_t ascii_run(const uint8_t *p)
{
	__m128i v = _mm_loadu_si128((const __m128i *)p);
	unsigned high = (unsigned)_mm_movemask_epi8(v);

	return high ? (size_t)__builtin_ctz(high) : BLOCK;
}

/* Characters that start in the block; `wide`: those of four bytes twice. */
static inline size_t block_units(const uint8_t *p, bool wide)
{
	__m128i v = _mm_loadu_si128((const __m128i *)p);
	__m128i f0 = _mm_set1_epi8((char)0xf0);
	/* As signed bytes, 0x80 to 0xbf are the smallest. */
	__m128i hits = _mm_cmpgt_epi8(v, _mm_set1_epi8((char)0xbf));
	__m128i sum;

	if (wide)
		hits = _mm_add_epi8(hits,
		                    _mm_cmpeq_epi8(_mm_max_epu8(v, f0), v));
	/* A hit is -1; the sum of eight bytes lands in each half. */
	sum = _mm_sad_epu8(_mm_sub_epi8(_mm_setzero_si128(), hits),
	                   _mm_setzero_si128());
	return (size_t)_mm_cvtsi128_si32(sum) +
	       (size_t)_mm_extract_epi16(sum, 4);
}

#else

#	define BLOCK 8
#	define EACH_BYTE 0x0101010101010101u

/* The first byte lands in the lowest bits, whatever the machine's order. */
static inline uint64_t load_block(const uint8_t *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
#	if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	v = __builtin_bswap64(v);
#	endif
	return v;
}

/* How many of the BLOCK bytes come before the first that is not ASCII. */
static inline size_t ascii_run(const uint8_t *p)
{
	uint64_t high = load_block(p) & (EACH_BYTE << 7);

	return high ? (size_t)__builtin_ctzll(high) / 8 : BLOCK;
}

/* Characters that start in the block; `wide`: those of four bytes twice. */
static inline size_t block_units(const uint8_t *p, bool wide)
{
	uint64_t v = load_block(p);
	uint64_t units = (~(v >> 7) | v >> 6) & EACH_BYTE;

	if (wide)
		units += v >> 7 & v >> 6 & v >> 5 & v >> 4 & EACH_BYTE;
	return (size_t)((units * EACH_BYTE) >> 56);
}

#endif

/*
 * The length of the character at the front of four bytes, or 0 when it is none.
 * The second byte of some leads has a smaller range (RFC 3629 section 4): it
 * keeps out overlong forms, surrogates and what lies beyond U+10FFFF.
 */
static inline size_t char_len(const uint8_t *p)
{
	uint32_t v = p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
	             (uint32_t)p[3] << 24;
	uint32_t top;

	if ((v & 0x00c0e0) == 0x0080c0)
		return v & 0x1e ? 2 : 0;
	if ((v & 0xc0c0f0) == 0x8080e0) {
		top = v & 0x200f;
		return top != 0 && top != 0x200d ? 3 : 0;
	}
	if ((v & 0xc0c0c0f8) == 0x808080f0) {
		top = v & 0x3007;
		return top != 0 && ((top & 7) < 4 || top == 4) ? 4 : 0;
	}
	return 0;
}

/*
 * Skip whole valid characters.  Stops in front of a fault and near the end,
 * where step() takes over: it finds the fault, or keeps the piece.
 */
static const uint8_t *skip_valid(const uint8_t *p, const uint8_t *end)
{
	while (end - p >= BLOCK) {
		size_t run = ascii_run(p);

		p += run;
		if (run == BLOCK)
			continue;
		while (end - p >= 4 && *p >= 0x80) {
			size_t len = char_len(p);

			if (len == 0)
				return p;
			p += len;
		}
	}
	return p;
}

static bool step(struct dt_utf8 *u, uint8_t c)
{
	if (u->left > 0) {
		if (c < u->low || c > u->high)
			return false;
		u->left--;
		u->low = 0x80;
		u->high = 0xbf;
		return true;
	}
	if (c < 0x80)
		return true;
	if (c < 0xc2 || c > 0xf4)
		return false;
	if (c < 0xe0)
		u->left = 1;
	else
		u->left = c < 0xf0 ? 2 : 3;
	u->low = c == 0xe0 ? 0xa0 : c == 0xf0 ? 0x90 : 0x80;
	u->high = c == 0xed ? 0x9f : c == 0xf4 ? 0x8f : 0xbf;
	return true;
}

bool dt_utf8_feed(struct dt_utf8 *u, const void *ptr, size_t len)
{
	const uint8_t *p = ptr;
	const uint8_t *end;

	if (len == 0)
		return true; /* ptr may be NULL */
	end = p + len;
	while (p < end && u->left > 0) {
		if (!step(u, *p++))
			return false;
	}
	p = skip_valid(p, end);
	while (p < end) {
		if (!step(u, *p++))
			return false;
	}
	return true;
}

bool dt_utf8_is_valid(struct dt_str s)
{
	struct dt_utf8 u = { 0 };

	return dt_utf8_feed(&u, s.ptr, s.len) && dt_utf8_is_whole(&u);
}

size_t dt_utf8_ascii_prefix(const char *ptr, size_t len)
{
	const uint8_t *p = (const uint8_t *)ptr;
	size_t n = 0;

	while (len - n >= BLOCK) {
		size_t run = ascii_run(p + n);

		n += run;
		if (run < BLOCK)
			return n;
	}
	while (n < len && p[n] < 0x80)
		n++;
	return n;
}

size_t dt_utf8_cut(struct dt_str s, size_t max)
{
	const uint8_t *p = (const uint8_t *)s.ptr;
	size_t n = s.len < max ? s.len : max;
	size_t lead = n;
	size_t need;

	while (lead > 0 && n - lead < 3 && (p[lead - 1] & 0xc0) == 0x80)
		lead--;
	if (lead == 0 || p[lead - 1] < 0xc0)
		return n;
	lead--;
	if (p[lead] < 0xe0)
		need = 2;
	else
		need = p[lead] < 0xf0 ? 3 : 4;
	return n - lead < need ? lead : n;
}

size_t dt_utf8_put(char *out, uint32_t code)
{
	if (code < 0x80) {
		out[0] = (char)code;
		return 1;
	}
	if (code < 0x800) {
		out[0] = (char)(0xc0 | code >> 6);
		out[1] = (char)(0x80 | (code & 0x3f));
		return 2;
	}
	if (code < 0x10000) {
		out[0] = (char)(0xe0 | code >> 12);
		out[1] = (char)(0x80 | (code >> 6 & 0x3f));
		out[2] = (char)(0x80 | (code & 0x3f));
		return 3;
	}
	out[0] = (char)(0xf0 | code >> 18);
	out[1] = (char)(0x80 | (code >> 12 & 0x3f));
	out[2] = (char)(0x80 | (code >> 6 & 0x3f));
	out[3] = (char)(0x80 | (code & 0x3f));
	return 4;
}

static inline size_t byte_units(uint8_t c, bool wide)
{
	if ((c & 0xc0) == 0x80)
		return 0;
	return wide && c >= 0xf0 ? 2 : 1;
}

static inline size_t count_units(struct dt_str s, bool wide)
{
	const uint8_t *p = (const uint8_t *)s.ptr;
	size_t units = 0;
	size_t at = 0;

	for (; s.len - at >= BLOCK; at += BLOCK)
		units += block_units(p + at, wide);
	for (; at < s.len; at++)
		units += byte_units(p[at], wide);
	return units;
}

static inline size_t find_column(struct dt_str s, size_t column, bool wide)
{
	const uint8_t *p = (const uint8_t *)s.ptr;
	size_t at = 0;

	for (; s.len - at >= BLOCK; at += BLOCK) {
		size_t units = block_units(p + at, wide);

		if (units > column)
			break;
		column -= units;
	}
	/* Continuation bytes need no units: they go with what is before. */
	for (; at < s.len; at++) {
		size_t units = byte_units(p[at], wide);

		if (units > column)
			break;
		column -= units;
	}
	return at;
}

size_t dt_utf16_len(struct dt_str s)
{
	return count_units(s, true);
}

size_t dt_utf16_to_byte(struct dt_str line, size_t column)
{
	return find_column(line, column, true);
}

size_t dt_utf8_count(struct dt_str s)
{
	return count_units(s, false);
}

size_t dt_utf8_to_byte(struct dt_str line, size_t column)
{
	return find_column(line, column, false);
}
