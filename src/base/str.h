/* base/str.h - borrowed pieces of text, and strings on the heap. */
#ifndef DT_BASE_STR_H
#define DT_BASE_STR_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/*
 * A borrowed run of bytes.  It owns nothing, ends in no NUL and may hold one;
 * ptr is NULL only in the empty, absent slice.
 */
struct dt_str {
	const char *ptr;
	size_t len;
};

/* A slice of a string literal, and how to print a slice: "%.*s". */
#define DT_STR(literal) ((struct dt_str){ (literal), sizeof(literal) - 1 })
#define DT_STR_ARG(s) (int)(s).len, (s).ptr

static inline struct dt_str dt_str(const char *z)
{
	return (struct dt_str){ z, z ? strlen(z) : 0 };
}

static inline bool dt_str_eq(struct dt_str a, struct dt_str b)
{
	return a.len == b.len && (a.len == 0 || !memcmp(a.ptr, b.ptr, a.len));
}

static inline bool dt_str_is(struct dt_str a, const char *z)
{
	return dt_str_eq(a, dt_str(z));
}

bool dt_str_eq_nocase(struct dt_str a, struct dt_str b); /* ASCII only */
/* Where `what` first is, or NULL. */
const char *dt_str_find(struct dt_str in, struct dt_str what);
bool dt_str_starts(struct dt_str s, struct dt_str prefix);
struct dt_str dt_str_trim(struct dt_str s); /* spaces and tabs off both ends */

/* Split at the first `sep`: returns what is before, leaves the rest in `s`. */
struct dt_str dt_str_cut(struct dt_str *s, char sep);

/* The first word between blanks, taken off the front; empty: there is none. */
struct dt_str dt_str_cut_word(struct dt_str *s);

/* Decimal, the whole slice, no sign, no blank. */
enum dt_err dt_str_to_u32(struct dt_str s, uint32_t *out,
                          struct dt_fail *fail) DT_MUST_CHECK;

/* True when both hold the same bytes; the time tells only the length of `a`. */
bool dt_str_eq_secret(struct dt_str a, struct dt_str b);

/* Lower-case hex digits and a NUL: 2 * len + 1 bytes at `out`. */
void dt_str_hex(const void *ptr, size_t len, char *out);

/* Heap, never NULL: out of memory aborts with a line in the log. */
void *dt_alloc(size_t size); /* zeroed */
void *dt_realloc(void *ptr, size_t size);
char *dt_strdup(const char *z);
char *dt_strndup(const char *ptr, size_t len);
char *dt_asprintf(const char *fmt, ...) DT_PRINTF(1, 2);

#endif
