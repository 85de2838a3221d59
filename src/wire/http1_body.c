/*
 * wire/http1_body.c - the body of an HTTP/1.1 message, piece by piece.
 *
 * Nothing is stored: pieces are runs of the caller's input.  Only the bytes
 * around chunks are looked at one by one, and they are counted, so that a peer
 * cannot keep us busy with lines that hold no body.
 */
#include "wire/http1.h"

#include "wire/http1_chars.h"

/* A chunk line holds a number; extensions are legal, and nobody sends them. */
#define CHUNK_LINE_MAX 256

/* Where the next byte stands. */
enum state {
	AT_SIZED,      /* in a body of known length */
	AT_UNBOUNDED,  /* in a body that ends with the connection */
	AT_SIZE_START, /* first digit of a chunk's size */
	AT_SIZE,
	AT_EXTENSION,
	AT_SIZE_LF,
	AT_CHUNK,
	AT_CHUNK_CR,
	AT_CHUNK_LF,
	AT_TRAILER_START, /* first byte of a trailer or of the empty line */
	AT_TRAILER_NAME,
	AT_TRAILER_VALUE,
	AT_TRAILER_LF,
	AT_END_LF,
};

static enum dt_err refuse(struct dt_fail *fail)
{
	return dt_fail(fail, DT_E_PROTO, "a chunked body is malformed");
}

static enum dt_err pass_limit(const struct dt_http_body *body,
                              struct dt_fail *fail)
{
	return dt_fail(fail, DT_E_LIMIT, "a body is larger than %llu bytes",
	               (unsigned long long)body->limit);
}

enum dt_err dt_http_body_start(struct dt_http_body *body,
                               const struct dt_http_head *head, uint64_t limit,
                               struct dt_fail *fail)
{
	bool is_response = head->status != 0;

	*body = (struct dt_http_body){ .limit = limit, .state = AT_SIZED };
	if (head->is_chunked) {
		body->state = AT_SIZE_START;
		return DT_E_OK;
	}
	if (!head->has_length && is_response) {
		body->state = AT_UNBOUNDED;
		return DT_E_OK;
	}
	if (head->length > limit)
		return pass_limit(body, fail);
	body->left = head->length;
	body->is_done = head->length == 0;
	return DT_E_OK;
}

static int hex_digit(char c)
{
	char small = (char)(c | 0x20);

	if (dt_http_is_digit(c))
		return c - '0';
	return small >= 'a' && small <= 'f' ? small - 'a' + 10 : -1;
}

static enum dt_err take_digit(struct dt_http_body *body, int digit,
                              struct dt_fail *fail)
{
	uint64_t room = body->limit - body->total;

	if (body->left > UINT64_MAX >> 4)
		return pass_limit(body, fail);
	body->left = body->left << 4 | (uint64_t)digit;
	body->state = AT_SIZE;
	return body->left > room ? pass_limit(body, fail) : DT_E_OK;
}

/* RFC 9112 7.1, without the blanks it tolerates around an extension. */
static enum dt_err take_size(struct dt_http_body *body, char c,
                             struct dt_fail *fail)
{
	int digit = hex_digit(c);

	if (body->state != AT_EXTENSION && digit >= 0)
		return take_digit(body, digit, fail);
	if (body->state == AT_SIZE_START)
		return refuse(fail);
	if (c == '\r')
		body->state = AT_SIZE_LF;
	else if (c == ';')
		body->state = AT_EXTENSION;
	else if (body->state != AT_EXTENSION || !dt_http_is_text(c))
		return refuse(fail);
	return DT_E_OK;
}

/* RFC 9112 7.1.2: held to the grammar of headers, and dropped. */
static enum dt_err take_trailer(struct dt_http_body *body, char c,
                                struct dt_fail *fail)
{
	bool is_value = body->state == AT_TRAILER_VALUE;

	if (body->state == AT_TRAILER_START && c == '\r')
		body->state = AT_END_LF;
	else if (body->state == AT_TRAILER_NAME && c == ':')
		body->state = AT_TRAILER_VALUE;
	else if (is_value && c == '\r')
		body->state = AT_TRAILER_LF;
	else if (is_value && dt_http_is_text(c))
		return DT_E_OK;
	else if (!is_value && dt_http_is_token(c))
		body->state = AT_TRAILER_NAME;
	else
		return refuse(fail);
	return DT_E_OK;
}

/* The only byte that may stand here came: what does it lead to? */
static void take_fixed(struct dt_http_body *body)
{
	if (body->state == AT_CHUNK_CR) {
		body->state = AT_CHUNK_LF;
	} else if (body->state == AT_CHUNK_LF) {
		body->state = AT_SIZE_START;
		body->line = 0;
	} else if (body->state == AT_SIZE_LF) {
		body->state = body->left ? AT_CHUNK : AT_TRAILER_START;
		body->line = 0;
	} else if (body->state == AT_TRAILER_LF) {
		body->state = AT_TRAILER_START;
	} else {
		body->is_done = true;
	}
}

static bool is_fixed(unsigned state)
{
	return state == AT_SIZE_LF || state == AT_CHUNK_CR ||
	       state == AT_CHUNK_LF || state == AT_TRAILER_LF ||
	       state == AT_END_LF;
}

/* One byte that is not body. */
static enum dt_err take_byte(struct dt_http_body *body, char c,
                             struct dt_fail *fail)
{
	bool is_size = body->state < AT_CHUNK;
	unsigned limit = is_size ? CHUNK_LINE_MAX : DT_LIMIT_HTTP_HEAD;

	if (++body->line > limit)
		return dt_fail(fail, DT_E_LIMIT,
		               "a chunk line or trailer is too long");
	if (is_fixed(body->state)) {
		if (c != (body->state == AT_CHUNK_CR ? '\r' : '\n'))
			return refuse(fail);
		take_fixed(body);
		return DT_E_OK;
	}
	return is_size ? take_size(body, c, fail) : take_trailer(body, c, fail);
}

static bool is_in_data(const struct dt_http_body *body)
{
	return body->state == AT_SIZED || body->state == AT_UNBOUNDED ||
	       body->state == AT_CHUNK;
}

static enum dt_err take_data(struct dt_http_body *body, struct dt_str *bytes,
                             struct dt_fail *fail)
{
	if (body->state == AT_UNBOUNDED) {
		if (bytes->len > body->limit - body->total)
			return pass_limit(body, fail);
		body->total += bytes->len;
		return DT_E_OK;
	}
	if (bytes->len > body->left)
		bytes->len = (size_t)body->left;
	body->left -= bytes->len;
	body->total += bytes->len;
	if (body->left == 0 && body->state == AT_CHUNK)
		body->state = AT_CHUNK_CR;
	else
		body->is_done = body->left == 0;
	return DT_E_OK;
}

enum dt_err dt_http_body_read(struct dt_http_body *body, struct dt_str bytes,
                              size_t *out_used, struct dt_str *out_piece,
                              struct dt_fail *fail)
{
	struct dt_str piece = { 0 };
	enum dt_err err = DT_E_OK;
	size_t used = 0;

	while (used < bytes.len && !body->is_done && !is_in_data(body)) {
		err = take_byte(body, bytes.ptr[used++], fail);
		if (err)
			return err;
	}
	if (used < bytes.len && !body->is_done) {
		piece = (struct dt_str){ bytes.ptr + used, bytes.len - used };
		err = take_data(body, &piece, fail);
		if (err)
			return err;
	}
	*out_used = used + piece.len;
	*out_piece = piece;
	return DT_E_OK;
}
