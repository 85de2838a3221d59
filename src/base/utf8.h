/* base/utf8.h - UTF-8 checked, and columns counted the way editors count. */
#ifndef DT_BASE_UTF8_H
#define DT_BASE_UTF8_H

#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A checker that takes text in pieces.  Zeroed is the start.  It refuses what
 * RFC 3629 refuses (overlong forms, surrogates, beyond U+10FFFF) at the first
 * byte that makes the text wrong, which RFC 6455 8.1 wants for fragments.
 */
struct dt_utf8 {
	uint8_t left; /* continuation bytes still to come */
	uint8_t low;  /* range of the next one, when left > 0 */
	uint8_t high;
};

bool dt_utf8_feed(struct dt_utf8 *u, const void *ptr, size_t len);
static inline bool dt_utf8_is_whole(const struct dt_utf8 *u)
{
	return u->left == 0;
}

bool dt_utf8_is_valid(struct dt_str s);

/* How many leading bytes of `ptr` are plain ASCII; fast. */
size_t dt_utf8_ascii_prefix(const char *ptr, size_t len);

/*
 * Largest n <= max such that the first n bytes of s hold whole characters, also
 * when s itself was cut inside of one.
 */
size_t dt_utf8_cut(struct dt_str s, size_t max);

/* Write one code point (a scalar value), return the bytes used, 1 to 4. */
size_t dt_utf8_put(char *out, uint32_t code);

/*
 * UTF-16 units in valid UTF-8 text, and the byte offset of a UTF-16 column in
 * one line.  A column inside a surrogate pair counts as its start; one past
 * the end is the end.
 */
size_t dt_utf16_len(struct dt_str s);
size_t dt_utf16_to_byte(struct dt_str line, size_t column);

/* Code points in valid text, and the byte offset of the n-th; as above. */
size_t dt_utf8_count(struct dt_str s);
size_t dt_utf8_to_byte(struct dt_str line, size_t column);

#endif
