/* base/buf.c - bytes appended up to a limit. */
#include "base/buf.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void dt_buf_init(struct dt_buf *buf, size_t limit)
{
	/* Nothing is larger than that, and now no sum below can wrap around. */
	if (limit > PTRDIFF_MAX - 1)
		limit = PTRDIFF_MAX - 1;
	*buf = (struct dt_buf){ .limit = limit };
}

void dt_buf_done(struct dt_buf *buf)
{
	free(buf->ptr);
	*buf = (struct dt_buf){ .limit = buf->limit };
}

char *dt_buf_reserve(struct dt_buf *buf, size_t len)
{
	size_t cap = buf->cap;

	if (buf->overflow || len > buf->limit - buf->len) {
		buf->overflow = true;
		return NULL;
	}
	/* One byte more than asked for, so that dt_buf_z() needs no copy. */
	if (buf->len + len + 1 <= cap)
		return buf->ptr + buf->len;
	if (cap < 256)
		cap = 256;
	while (cap < buf->len + len + 1)
		cap *= 2;
	if (cap > buf->limit + 1)
		cap = buf->limit + 1;
	buf->ptr = dt_realloc(buf->ptr, cap);
	buf->cap = cap;
	return buf->ptr + buf->len;
}

void dt_buf_grew(struct dt_buf *buf, size_t len)
{
	assert(buf->len + len < buf->cap || len == 0);
	buf->len += len;
}

void dt_buf_add(struct dt_buf *buf, const void *ptr, size_t len)
{
	char *at;

	if (len == 0)
		return;
	at = dt_buf_reserve(buf, len);
	if (!at)
		return;
	memcpy(at, ptr, len);
	buf->len += len;
}

void dt_buf_add_str(struct dt_buf *buf, struct dt_str s)
{
	dt_buf_add(buf, s.ptr, s.len);
}

void dt_buf_add_z(struct dt_buf *buf, const char *z)
{
	dt_buf_add(buf, z, strlen(z));
}

size_t dt_buf_add_replaced(struct dt_buf *buf, struct dt_str text,
                           struct dt_str old, struct dt_str fresh)
{
	size_t count = 0;
	const char *at;

	assert(old.len > 0);
	for (; (at = dt_str_find(text, old)); count++) {
		size_t before = (size_t)(at - text.ptr);

		dt_buf_add(buf, text.ptr, before);
		dt_buf_add_str(buf, fresh);
		text.ptr = at + old.len;
		text.len -= before + old.len;
	}
	dt_buf_add_str(buf, text);
	return count;
}

void dt_buf_addf(struct dt_buf *buf, const char *fmt, ...)
{
	va_list args;
	va_list again;
	char *at;
	int len;

	va_start(args, fmt);
	va_copy(again, args);
	len = vsnprintf(NULL, 0, fmt, args);
	va_end(args);
	at = len > 0 ? dt_buf_reserve(buf, (size_t)len) : NULL;
	if (at) {
		vsnprintf(at, (size_t)len + 1, fmt, again);
		buf->len += (size_t)len;
	}
	va_end(again);
}

void dt_buf_clear(struct dt_buf *buf)
{
	buf->len = 0;
	buf->overflow = false;
}

void dt_buf_consume(struct dt_buf *buf, size_t n)
{
	assert(n <= buf->len);
	buf->len -= n;
	if (n && buf->len)
		memmove(buf->ptr, buf->ptr + n, buf->len);
}

const char *dt_buf_z(struct dt_buf *buf)
{
	if (!buf->ptr)
		return "";
	buf->ptr[buf->len] = '\0'; /* dt_buf_reserve() left room for it */
	return buf->ptr;
}

char *dt_buf_take(struct dt_buf *buf)
{
	char *text = buf->ptr ? buf->ptr : dt_alloc(1);

	text[buf->len] = '\0';
	*buf = (struct dt_buf){ .limit = buf->limit };
	return text;
}

enum dt_err dt_buf_check(const struct dt_buf *buf, const char *what,
                         struct dt_fail *fail)
{
	if (!buf->overflow)
		return DT_E_OK;
	return dt_fail(fail, DT_E_LIMIT, "%s is larger than %zu bytes", what,
	               buf->limit);
}
