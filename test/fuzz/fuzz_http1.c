/*
 * test/fuzz/fuzz_http1.c - any bytes to the reader of HTTP heads and bodies.
 *
 * The first byte picks request, response or the answer to HEAD, the second a
 * cut.  No beginning of a head may be taken for one or be refused otherwise
 * than the whole, and a body must be the same in pieces.
 */
#include "base/buf.h"
#include "wire/http1.h"

#include <stdlib.h>
#include <string.h>

#define BODY_LIMIT 5000

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum kind { REQUEST, RESPONSE, HEAD_RESPONSE };

/* What came of a body. */
struct outcome {
	struct dt_buf bytes;
	enum dt_err err;
	bool is_done;
	size_t used;
};

static void check(bool is_true)
{
	if (!is_true)
		abort();
}

static enum dt_err read_head(enum kind kind, struct dt_str in,
                             struct dt_http_head *head, size_t *used,
                             unsigned *status)
{
	if (kind == REQUEST)
		return dt_http_read_request(in, head, used, status, NULL);
	return dt_http_read_response(in, kind == HEAD_RESPONSE, head, used,
	                             NULL);
}

static void check_beginning(enum kind kind, struct dt_str in, size_t len)
{
	struct dt_http_head head;
	char *copy = dt_realloc(NULL, len ? len : 1);
	unsigned whole_status = 0;
	unsigned status = 0;
	size_t whole_used = 0;
	size_t used = 0;
	enum dt_err whole;
	enum dt_err err;

	memcpy(copy, in.ptr, len);
	whole = read_head(kind, in, &head, &whole_used, &whole_status);
	err = read_head(kind, (struct dt_str){ copy, len }, &head, &used,
	                &status);
	free(copy);
	if (err) {
		check(err == whole && status == whole_status);
		return;
	}
	check(used == 0 || (!whole && used == whole_used));
	check(whole || whole_used == 0 || len < whole_used || used > 0);
}

static void read_body(const struct dt_http_head *head, struct dt_str in,
                      size_t step, struct outcome *o)
{
	struct dt_http_body body;

	*o = (struct outcome){ 0 };
	dt_buf_init(&o->bytes, BODY_LIMIT);
	o->err = dt_http_body_start(&body, head, BODY_LIMIT, NULL);
	while (!o->err && !body.is_done && o->used < in.len) {
		struct dt_str rest = { in.ptr + o->used, in.len - o->used };
		struct dt_str piece;
		size_t used;

		if (rest.len > step)
			rest.len = step;
		o->err = dt_http_body_read(&body, rest, &used, &piece, NULL);
		if (o->err)
			break;
		check(used > 0 && used <= rest.len && piece.len <= used);
		dt_buf_add_str(&o->bytes, piece);
		o->used += used;
	}
	o->is_done = body.is_done;
	check(!o->bytes.overflow);
}

static void check_body(const struct dt_http_head *head, struct dt_str in,
                       size_t step)
{
	struct outcome whole;
	struct outcome pieces;

	read_body(head, in, in.len, &whole);
	read_body(head, in, step, &pieces);
	check(whole.err == pieces.err);
	if (!whole.err) {
		check(whole.is_done == pieces.is_done);
		check(whole.used == pieces.used);
		check(dt_str_eq(dt_buf_str(&whole.bytes),
		                dt_buf_str(&pieces.bytes)));
	}
	dt_buf_done(&whole.bytes);
	dt_buf_done(&pieces.bytes);
}

static void check_head(const struct dt_http_head *head, enum kind kind)
{
	check(head->header_count <= DT_LIMIT_HTTP_HEADERS);
	check(!(head->is_chunked && head->has_length));
	check(dt_http_count(head, "Content-Length") <= 1 &&
	      dt_http_count(head, "Transfer-Encoding") <= 1);
	if (kind == REQUEST)
		check(dt_http_count(head, "Host") == 1 || head->minor == 0);
	for (size_t i = 0; i < head->header_count; i++) {
		struct dt_str value = head->headers[i].value;

		check(!memchr(value.ptr, '\r', value.len));
		check(!memchr(value.ptr, '\n', value.len));
		check(!memchr(value.ptr, '\0', value.len));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct dt_http_head head;
	struct dt_str in;
	unsigned status;
	size_t used = 0;
	enum kind kind;

	if (size < 3)
		return 0;
	kind = data[0] % 3;
	in = (struct dt_str){ (const char *)data + 2, size - 2 };
	check_beginning(kind, in, data[1] % in.len);
	check_beginning(kind, in, data[1] * in.len / 256);
	if (read_head(kind, in, &head, &used, &status) || used == 0)
		return 0;
	check_head(&head, kind);
	in.ptr += used;
	in.len -= used;
	check_body(&head, in, 1);
	check_body(&head, in, 1u + data[1] % 16);
	return 0;
}
