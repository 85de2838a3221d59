/* data/json_scan.h - plain bytes of strings, many at a time; for data/json_*.c. */
#ifndef DT_DATA_JSON_SCAN_H
#define DT_DATA_JSON_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* DT_JSON_PORTABLE asks for the plain way where SSE2 would do. */
#if defined(__SSE2__) && !defined(DT_JSON_PORTABLE)
#	define DT_JSON_SSE2
#	include <emmintrin.h>
#endif

/* Plain is what a JSON string holds as it is (RFC 8259 7): everything but the
 * quote, the backslash and control characters. */
static inline bool dt_json_is_plain(char c)
{
	return (unsigned char)c >= 0x20 && c != '"' && c != '\\';
}

/* One bit for each of the DT_JSON_STEP bytes at `ptr`, the first lowest: set
 * where the byte is not plain. */
#define DT_JSON_STEP 16

#ifdef DT_JSON_SSE2
static inline uint64_t dt_json_step_stops(const char *ptr)
{
	__m128i bytes = _mm_loadu_si128((const __m128i *)ptr);
	__m128i quote = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"'));
	__m128i slash = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'));
	__m128i low = _mm_min_epu8(bytes, _mm_set1_epi8(0x1f));
	__m128i control = _mm_cmpeq_epi8(bytes, low);
	__m128i stop = _mm_or_si128(_mm_or_si128(quote, slash), control);

	return (uint64_t)_mm_movemask_epi8(stop);
}
#else
static inline uint64_t dt_json_word_stops(const char *ptr)
{
	const uint64_t ones = 0x0101010101010101u;
	const uint64_t low7 = ones * 0x7f;
	uint64_t bytes;
	uint64_t quote;
	uint64_t slash;
	uint64_t plain;

	memcpy(&bytes, ptr, sizeof(bytes));
#	if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	bytes = __builtin_bswap64(bytes);
#	endif
	quote = bytes ^ ones * '"';
	slash = bytes ^ ones * '\\';
	/* No sum passes its byte, so the high bits are right in every byte: set
	 * where it is not a quote, not a backslash, not below a blank. */
	plain = (((quote & low7) + low7) | quote) &
	        (((slash & low7) + low7) | slash) &
	        (((bytes & low7) + ones * (0x80 - 0x20)) | bytes);
	/* The product gathers one bit of each byte in the highest one. */
	return ((~plain >> 7 & ones) * 0x0102040810204080u) >> 56;
}

static inline uint64_t dt_json_step_stops(const char *ptr)
{
	return dt_json_word_stops(ptr) | dt_json_word_stops(ptr + 8) << 8;
}
#endif

/* The same for 64 bytes.  Long strings are walked by these: the processor then
 * guesses once a block how many stops there are, not once a stop how far the
 * next one is. */
#define DT_JSON_BLOCK 64

static inline uint64_t dt_json_block_stops(const char *ptr)
{
	return dt_json_step_stops(ptr) | dt_json_step_stops(ptr + 16) << 16 |
	       dt_json_step_stops(ptr + 32) << 32 |
	       dt_json_step_stops(ptr + 48) << 48;
}

/* Store a run of at most a block; bytes behind it, up to a block, may be stored
 * too, because that costs less than keeping to the length. */
static inline void dt_json_store_run(char *out, const char *from, size_t len)
{
	memcpy(out, from, DT_JSON_BLOCK / 2);
	if (len > DT_JSON_BLOCK / 2)
		memcpy(out + DT_JSON_BLOCK / 2, from + DT_JSON_BLOCK / 2,
		       DT_JSON_BLOCK / 2);
}

/* How many of the DT_JSON_STEP bytes at `ptr` come before the first stop. */
static inline size_t dt_json_count_plain(const char *ptr)
{
	uint64_t stops = dt_json_step_stops(ptr);

	return (size_t)__builtin_ctzll(stops | 1u << DT_JSON_STEP);
}

/* The first byte from `at` that is not plain, or `end`. */
static inline const char *dt_json_skip_plain(const char *at, const char *end)
{
	for (; end - at >= DT_JSON_STEP; at += DT_JSON_STEP) {
		size_t n = dt_json_count_plain(at);

		/* A constant step where it can be one: the next load then need
		 * not wait for the count. */
		if (n < DT_JSON_STEP)
			return at + n;
	}
	while (at < end && dt_json_is_plain(*at))
		at++;
	return at;
}

/*
 * The same, and the bytes passed over go to `out`, whose new end is returned.
 * `out` needs as much room as there is input: whole steps are stored, the bytes
 * behind a stop too.
 */
static inline char *dt_json_copy_plain(char *out, const char **at,
                                       const char *end)
{
	const char *from = *at;

	for (; end - from >= DT_JSON_STEP; from += DT_JSON_STEP) {
		size_t n = dt_json_count_plain(from);

		memcpy(out, from, DT_JSON_STEP);
		if (n < DT_JSON_STEP) {
			*at = from + n;
			return out + n;
		}
		out += DT_JSON_STEP;
	}
	while (from < end && dt_json_is_plain(*from))
		*out++ = *from++;
	*at = from;
	return out;
}

#endif
