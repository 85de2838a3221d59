/*
 * wire/sse.c - server-sent events, written.
 *
 * The stream they go into, and when, is link/'s.  A field must not break its
 * line, or data could pose as another event.
 */
#include "wire/sse.h"

#include <assert.h>

static void add_field(struct dt_buf *out, const char *name, struct dt_str value)
{
	dt_buf_add_z(out, name);
	dt_buf_add_str(out, value);
	dt_buf_add_char(out, '\n');
}

static void add_name(struct dt_buf *out, const char *name, const char *value)
{
	if (!value)
		return;
	assert(!strpbrk(value, "\r\n"));
	add_field(out, name, dt_str(value));
}

/* Bytes before the first end of a line: LF, CR or both (WHATWG HTML 9.2.5). */
static size_t line_len(struct dt_str s)
{
	size_t len = 0;

	while (len < s.len && s.ptr[len] != '\n' && s.ptr[len] != '\r')
		len++;
	return len;
}

void dt_sse_write(struct dt_buf *out, const char *event, const char *id,
                  struct dt_str data)
{
	size_t len = line_len(data);

	add_name(out, "event: ", event);
	add_name(out, "id: ", id);
	while (len < data.len) {
		size_t end = len + 1;

		if (data.ptr[len] == '\r' && end < data.len &&
		    data.ptr[end] == '\n')
			end++;
		add_field(out, "data: ", (struct dt_str){ data.ptr, len });
		data.ptr += end;
		data.len -= end;
		len = line_len(data);
	}
	add_field(out, "data: ", data);
	dt_buf_add_char(out, '\n');
}

void dt_sse_write_retry(struct dt_buf *out, uint32_t ms)
{
	dt_buf_addf(out, "retry: %u\n\n", ms);
}

void dt_sse_write_comment(struct dt_buf *out, const char *text)
{
	add_name(out, ": ", text);
	dt_buf_add_char(out, '\n');
}
