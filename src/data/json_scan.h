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

/* How many of the DT_JSON_STEP bytes at `ptr` come before the first that is not
 * plain; DT_JSON_STEP when all are. */
#ifdef DT_JSON_SSE2
#	define DT_JSON_STEP 16

static inline size_t dt_json_count_plain(const char *ptr)
{
	__m128i bytes = _mm_loadu_si128((const __m128i *)ptr);
	__m128i quote = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"'));
	__m128i slash = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'));
	__m128i low = _mm_min_epu8(bytes, _mm_set1_epi8(0x1f));
	__m128i control = _mm_cmpeq_epi8(bytes, low);
	__m128i stop = _mm_or_si128(_mm_or_si128(quote, slash), control);
	/* The bit behind the last byte answers when there is no stop. */
	unsigned mask = (unsigned)_mm_movemask_epi8(stop) | 1u << DT_JSON_STEP;

	return (size_t)__builtin_ctz(mask);
}
#else
#	define DT_JSON_STEP 8

static inline size_t dt_json_count_plain(const char *ptr)
{
	const uint64_t ones = 0x0101010101010101u;
	uint64_t bytes;
	uint64_t quote;
	uint64_t slash;
	uint64_t stop;

	memcpy(&bytes, ptr, sizeof(bytes));
#	if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	bytes = __builtin_bswap64(bytes);
#	endif
	quote = bytes ^ ones * '"';
	slash = bytes ^ ones * '\\';
	/* A borrow can only mark bytes behind a true stop, so the lowest mark,
	 * which alone is looked at, is right. */
	stop = ((quote - ones) & ~quote) | ((slash - ones) & ~slash) |
	       ((bytes - ones * 0x20) & ~bytes);
	stop &= ones * 0x80;
	return stop ? (size_t)__builtin_ctzll(stop) / 8 : DT_JSON_STEP;
}
#endif

/* The first byte from `at` that is not plain, or `end`. */
static inline const char *dt_json_skip_plain(const char *at, const char *end)
{
	while (end - at >= DT_JSON_STEP) {
		size_t n = dt_json_count_plain(at);

		at += n;
		if (n < DT_JSON_STEP)
			return at;
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
	size_t n = DT_JSON_STEP;

	while (n == DT_JSON_STEP && end - from >= DT_JSON_STEP) {
		n = dt_json_count_plain(from);
		memcpy(out, from, DT_JSON_STEP);
		out += n;
		from += n;
	}
	while (from < end && dt_json_is_plain(*from))
		*out++ = *from++;
	*at = from;
	return out;
}

#endif
