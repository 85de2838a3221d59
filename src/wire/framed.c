/*
 * wire/framed.c - "Content-Length: N", an empty line, N bytes.
 *
 * What a message holds is the reader's business.  One that lies whole in the
 * input is handed out from there; `body` is used only for one that does not, and
 * its memory goes with the message.  Header fields other than the length say
 * nothing that matters (the charset is always UTF-8) and are passed over.  A
 * line may end in LF alone, which some servers write.
 */
#include "wire/framed.h"

#include "base/limits.h"

#include <stdio.h>

#define SHOWN 40 /* bytes of a wrong line that are worth telling */

void dt_framed_init(struct dt_framed *f, size_t limit)
{
	*f = (struct dt_framed){ .limit = limit };
	dt_buf_init(&f->line, DT_LIMIT_FRAMED_HEAD);
	dt_buf_init(&f->body, limit);
}

void dt_framed_done(struct dt_framed *f)
{
	dt_buf_done(&f->line);
	dt_buf_done(&f->body);
	*f = (struct dt_framed){ 0 };
}

/* the head */

static enum dt_err take_length(struct dt_framed *f, struct dt_str value,
                               struct dt_fail *fail)
{
	uint32_t length;

	if (f->has_length)
		return dt_fail(fail, DT_E_PROTO,
		               "a head gives two lengths of its message");
	if (dt_str_to_u32(value, &length, NULL) || length == 0)
		return dt_fail(
			fail, DT_E_PROTO, "\"%.*s\" is no length of a message",
			value.len < SHOWN ? (int)value.len : SHOWN, value.ptr);
	if (length > f->limit)
		return dt_fail(fail, DT_E_LIMIT,
		               "a message of %u bytes; at most %zu are taken",
		               length, f->limit);
	f->has_length = true;
	f->length = length;
	return DT_E_OK;
}

/* One line of the head; the empty one ends it. */
static enum dt_err take_line(struct dt_framed *f, struct dt_str line,
                             struct dt_fail *fail)
{
	struct dt_str value = line;
	struct dt_str name;

	if (line.len && line.ptr[line.len - 1] == '\r')
		line.len--;
	value = line;
	if (line.len == 0) {
		if (!f->has_length)
			return dt_fail(fail, DT_E_PROTO,
			               "a head without Content-Length");
		f->is_in_body = true;
		f->head_bytes = 0;
		return DT_E_OK;
	}
	if (!memchr(line.ptr, ':', line.len))
		return dt_fail(
			fail, DT_E_PROTO, "\"%.*s\" is no header of a message",
			line.len < SHOWN ? (int)line.len : SHOWN, line.ptr);
	name = dt_str_cut(&value, ':');
	if (!dt_str_eq_nocase(name, DT_STR("Content-Length")))
		return DT_E_OK;
	return take_length(f, dt_str_trim(value), fail);
}

/* Returns how many bytes were used in *out_used. */
static enum dt_err read_head(struct dt_framed *f, struct dt_str rest,
                             size_t *out_used, struct dt_fail *fail)
{
	const char *lf = rest.ptr ? memchr(rest.ptr, '\n', rest.len) : NULL;
	size_t used = lf ? (size_t)(lf - rest.ptr) + 1 : rest.len;
	struct dt_str line = { rest.ptr, lf ? used - 1 : used };
	enum dt_err err = DT_E_OK;

	f->head_bytes += used;
	*out_used = used;
	if (f->head_bytes > DT_LIMIT_FRAMED_HEAD)
		return dt_fail(fail, DT_E_PROTO,
		               "the head of a message has more than %u bytes",
		               DT_LIMIT_FRAMED_HEAD);
	if (f->line.len || !lf) {
		dt_buf_add_str(&f->line, line);
		line = dt_buf_str(&f->line);
	}
	if (lf) {
		err = take_line(f, line, fail);
		dt_buf_done(&f->line);
	}
	return err;
}

/* the body */

/* A message, or ptr NULL when more is to come. */
static struct dt_str read_body(struct dt_framed *f, struct dt_str rest,
                               size_t *out_used)
{
	size_t missing = f->length - f->body.len;
	size_t used = rest.len < missing ? rest.len : missing;
	struct dt_str message = { rest.ptr, used };

	*out_used = used;
	if (f->body.len || used < missing) {
		dt_buf_add(&f->body, rest.ptr, used);
		message = dt_buf_str(&f->body);
		f->is_handed_out = used == missing;
	}
	if (used < missing)
		return (struct dt_str){ 0 };
	f->is_in_body = false;
	f->has_length = false;
	return message;
}

enum dt_err dt_framed_read(struct dt_framed *f, struct dt_str bytes,
                           size_t *out_used, struct dt_str *out_message,
                           struct dt_fail *fail)
{
	struct dt_str rest = bytes;
	struct dt_str message = { 0 };
	enum dt_err err = DT_E_OK;

	if (f->is_handed_out)
		dt_buf_done(&f->body);
	f->is_handed_out = false;
	while (rest.len && !message.ptr && !err) {
		size_t used;

		if (f->is_in_body)
			message = read_body(f, rest, &used);
		else
			err = read_head(f, rest, &used, fail);
		rest.ptr += used;
		rest.len -= used;
	}
	*out_used = bytes.len - rest.len;
	*out_message = message;
	return err;
}

size_t dt_framed_head(char out[DT_FRAMED_HEAD], size_t length)
{
	return (size_t)snprintf(out, DT_FRAMED_HEAD,
	                        "Content-Length: %zu\r\n\r\n", length);
}
