/* base/buf.h - a growing run of bytes that was born with its limit. */
#ifndef DT_BASE_BUF_H
#define DT_BASE_BUF_H

#include "base/err.h"
#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Appending never fails half way: what would pass the limit is left out whole,
 * `overflow` is set and stays set, and everything after it is left out too.  A
 * writer therefore appends without looking and asks dt_buf_check() once.
 * `ptr` may be NULL while the buffer is empty.
 */
struct dt_buf {
	char *ptr;
	size_t len;
	size_t cap;
	size_t limit;
	bool overflow;
};

void dt_buf_init(struct dt_buf *buf, size_t limit);
void dt_buf_done(struct dt_buf *buf);

void dt_buf_add(struct dt_buf *buf, const void *ptr, size_t len);
void dt_buf_add_str(struct dt_buf *buf, struct dt_str s);
void dt_buf_add_z(struct dt_buf *buf, const char *z);
/* The text with every `old`, which is not empty, replaced by `fresh`; returns how
 * many there were. */
size_t dt_buf_add_replaced(struct dt_buf *buf, struct dt_str text,
                           struct dt_str old, struct dt_str fresh);
void dt_buf_addf(struct dt_buf *buf, const char *fmt, ...) DT_PRINTF(2, 3);

/* Room for `len` more bytes at the end, or NULL; dt_buf_grew() counts them. */
char *dt_buf_reserve(struct dt_buf *buf, size_t len);
void dt_buf_grew(struct dt_buf *buf, size_t len);

void dt_buf_clear(struct dt_buf *buf);             /* keeps the memory */
void dt_buf_consume(struct dt_buf *buf, size_t n); /* drops the first n bytes */
char *dt_buf_take(
	struct dt_buf *buf); /* NUL-terminated, the caller's; buf is empty */
const char *dt_buf_z(
	struct dt_buf *buf); /* the text with a NUL after it, borrowed */

/* Written here because JSON is written character by character. */
static inline void dt_buf_add_char(struct dt_buf *buf, char c)
{
	/* Where memory is left there is room below the limit, too. */
	if (buf->len + 1 < buf->cap && !buf->overflow)
		buf->ptr[buf->len++] = c;
	else
		dt_buf_add(buf, &c, 1);
}

static inline struct dt_str dt_buf_str(const struct dt_buf *buf)
{
	return (struct dt_str){ buf->ptr, buf->len };
}

/* DT_E_LIMIT and a sentence that names `what` when something was left out. */
enum dt_err dt_buf_check(const struct dt_buf *buf, const char *what,
                         struct dt_fail *fail) DT_MUST_CHECK;

#endif
