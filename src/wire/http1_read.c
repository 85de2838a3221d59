/*
 * wire/http1_read.c - the head of an HTTP/1.1 message taken apart.
 *
 * Bodies are http1_body.c's; what a method or a target means is link/'s.  A
 * head is read only once it is whole, and every byte of it has been held
 * against the grammar of the place where it stands before any of it is used.
 */
#include "wire/http1.h"

#include "wire/http1_chars.h"

#define STATUS_BAD_REQUEST 400
#define STATUS_TARGET_TOO_LONG 414
#define STATUS_EXPECTATION_FAILED 417
#define STATUS_HEADERS_TOO_LARGE 431
#define STATUS_NOT_IMPLEMENTED 501
#define STATUS_VERSION 505

/* One reading: where the lines go and how a fault is answered. */
struct reading {
	struct dt_http_head *head;
	unsigned status;
	struct dt_fail *fail;
};

static enum dt_err refuse_as(struct reading *r, unsigned status,
                             const char *why)
{
	r->status = status;
	return dt_fail(r->fail, DT_E_PROTO, "%s", why);
}

static enum dt_err refuse(struct reading *r, const char *why)
{
	return refuse_as(r, STATUS_BAD_REQUEST, why);
}

static enum dt_err pass_limit(struct reading *r, unsigned status,
                              const char *why)
{
	r->status = status;
	return dt_fail(r->fail, DT_E_LIMIT, "%s", why);
}

/* The size of the head with its empty line, 0 while that has not come. */
static enum dt_err find_end(struct reading *r, struct dt_str bytes,
                            size_t *out_size)
{
	size_t start = 0;

	*out_size = 0;
	if (bytes.len > DT_LIMIT_HTTP_HEAD)
		bytes.len = DT_LIMIT_HTTP_HEAD;
	while (start < bytes.len) {
		const char *lf =
			memchr(bytes.ptr + start, '\n', bytes.len - start);
		size_t at;

		if (!lf)
			break;
		at = (size_t)(lf - bytes.ptr);
		if (at == start || bytes.ptr[at - 1] != '\r')
			return refuse(r, "a line of the head ends without CR");
		if (at == start + 1) {
			*out_size = at + 1;
			return DT_E_OK;
		}
		start = at + 1;
	}
	if (bytes.len < DT_LIMIT_HTTP_HEAD)
		return DT_E_OK;
	return pass_limit(
		r, start ? STATUS_HEADERS_TOO_LARGE : STATUS_TARGET_TOO_LONG,
		"the head of an HTTP message is too large");
}

/* find_end() made sure that the line is there and ends in CR LF. */
static struct dt_str cut_line(struct dt_str *rest)
{
	struct dt_str line = dt_str_cut(rest, '\n');

	line.len--;
	return line;
}

static bool is_token(struct dt_str s)
{
	for (size_t i = 0; i < s.len; i++) {
		if (!dt_http_is_token(s.ptr[i]))
			return false;
	}
	return s.len > 0;
}

static bool is_text(struct dt_str s)
{
	for (size_t i = 0; i < s.len; i++) {
		if (!dt_http_is_text(s.ptr[i]))
			return false;
	}
	return true;
}

/*
 * RFC 9112 3.2.  Only a path, or "*" where OPTIONS means the server: the forms
 * for proxies name a host of their own, which could contradict Host.
 */
static bool is_target(struct dt_str s, struct dt_str method)
{
	if (dt_str_is(s, "*"))
		return dt_str_is(method, "OPTIONS");
	if (dt_str_is(method, "CONNECT"))
		return false;
	for (size_t i = 0; i < s.len; i++) {
		if (s.ptr[i] <= ' ' || s.ptr[i] > '~' || s.ptr[i] == '#')
			return false;
	}
	return s.len > 0 && s.ptr[0] == '/';
}

/* RFC 9112 2.3: "HTTP/" DIGIT "." DIGIT */
static enum dt_err read_version(struct reading *r, struct dt_str text)
{
	if (text.len != 8 || !dt_str_starts(text, DT_STR("HTTP/")) ||
	    !dt_http_is_digit(text.ptr[5]) || text.ptr[6] != '.' ||
	    !dt_http_is_digit(text.ptr[7]))
		return refuse(r, "the HTTP version is malformed");
	if (text.ptr[5] != '1' || text.ptr[7] > '1')
		return refuse_as(r, STATUS_VERSION,
		                 "the HTTP version is not 1.0 or 1.1");
	r->head->minor = (unsigned)(text.ptr[7] - '0');
	return DT_E_OK;
}

static enum dt_err read_request_line(struct reading *r, struct dt_str line)
{
	struct dt_str method = dt_str_cut(&line, ' ');
	struct dt_str target = dt_str_cut(&line, ' ');

	if (!is_token(method))
		return refuse(r, "the method is not a token");
	if (!is_target(target, method))
		return refuse(r, "the request target is not a path");
	r->head->method = method;
	r->head->target = target;
	return read_version(r, line);
}

static enum dt_err read_status_line(struct reading *r, struct dt_str line)
{
	enum dt_err err = read_version(r, dt_str_cut(&line, ' '));
	uint32_t status;

	if (err)
		return err;
	/* The blank after the number is there even when the reason is not. */
	if (line.len < 4 || line.ptr[3] != ' ' || !is_text(line) ||
	    dt_str_to_u32((struct dt_str){ line.ptr, 3 }, &status, NULL))
		return refuse(r, "the status line is malformed");
	if (status < 100 || status > 599)
		return refuse(r, "the status is not within 100 and 599");
	r->head->status = status;
	return DT_E_OK;
}

static enum dt_err read_header(struct reading *r, struct dt_str line)
{
	struct dt_http_header *header;
	struct dt_str name = dt_str_cut(&line, ':');

	if (r->head->header_count == DT_LIMIT_HTTP_HEADERS)
		return pass_limit(r, STATUS_HEADERS_TOO_LARGE,
		                  "an HTTP message has too many headers");
	/* This refuses folded lines, a blank before the colon and no colon. */
	if (!is_token(name) || !line.ptr)
		return refuse(r, "the name of a header is malformed");
	if (!is_text(line))
		return refuse(r, "a header holds a control character");
	header = &r->head->headers[r->head->header_count++];
	header->name = name;
	header->value = dt_str_trim(line);
	return DT_E_OK;
}

/*
 * Some readers do not take blanks off the end of a value.  For headers that say
 * where the message ends, we want none: after the value comes the CR.
 */
static bool is_padded(struct dt_str value)
{
	return value.ptr[value.len] != '\r';
}

/* RFC 9110 8.6, without its leave to accept a list of equal lengths. */
static enum dt_err read_length(struct reading *r)
{
	struct dt_str text = dt_http_get(r->head, "Content-Length");

	if (!text.ptr)
		return DT_E_OK;
	/* Nineteen digits always fit. */
	if (dt_http_count(r->head, "Content-Length") > 1 || text.len == 0 ||
	    text.len > 19 || is_padded(text))
		return refuse(r, "Content-Length is not one number");
	for (size_t i = 0; i < text.len; i++) {
		if (!dt_http_is_digit(text.ptr[i]))
			return refuse(r, "Content-Length is not a number");
		r->head->length =
			r->head->length * 10 + (uint64_t)(text.ptr[i] - '0');
	}
	r->head->has_length = true;
	return DT_E_OK;
}

/* RFC 9112 6.1 and 6.3 */
static enum dt_err read_framing(struct reading *r)
{
	struct dt_str coding = dt_http_get(r->head, "Transfer-Encoding");
	enum dt_err err = read_length(r);

	if (err || !coding.ptr)
		return err;
	if (r->head->has_length)
		return refuse(r, "Content-Length and Transfer-Encoding "
		                 "contradict each other");
	if (r->head->minor == 0)
		return refuse(r, "Transfer-Encoding is not for HTTP/1.0");
	if (dt_http_count(r->head, "Transfer-Encoding") > 1)
		return refuse(r, "Transfer-Encoding came more than once");
	if (!dt_str_eq_nocase(coding, DT_STR("chunked")) || is_padded(coding))
		return refuse_as(r, STATUS_NOT_IMPLEMENTED,
		                 "the only transfer coding known is chunked");
	r->head->is_chunked = true;
	return DT_E_OK;
}

/* RFC 9112 9.3 and 9.6 */
static void read_connection(struct dt_http_head *head)
{
	bool says_close = dt_http_has_token(head, "Connection", "close");
	bool says_stay = dt_http_has_token(head, "Connection", "keep-alive");

	head->wants_close = says_close || (head->minor == 0 && !says_stay);
	head->wants_upgrade = dt_http_has_token(head, "Connection", "upgrade");
}

/* RFC 9110 7.2 */
static enum dt_err check_host(struct reading *r)
{
	size_t count = dt_http_count(r->head, "Host");

	if (count > 1)
		return refuse(r, "Host came more than once");
	if (count == 0 && r->head->minor == 1)
		return refuse(r, "Host is missing");
	return DT_E_OK;
}

/* RFC 9110 10.1.1: what HTTP/1.0 expects is ignored. */
static enum dt_err read_expectation(struct reading *r)
{
	struct dt_str text = dt_http_get(r->head, "Expect");

	if (!text.ptr || r->head->minor == 0)
		return DT_E_OK;
	if (dt_http_count(r->head, "Expect") > 1 ||
	    !dt_str_eq_nocase(text, DT_STR("100-continue")))
		return refuse_as(r, STATUS_EXPECTATION_FAILED,
		                 "the only expectation known is 100-continue");
	r->head->wants_continue = true;
	return DT_E_OK;
}

/* The start line is off; `rest` runs to the end of the empty line. */
static enum dt_err read_headers(struct reading *r, struct dt_str rest)
{
	enum dt_err err = DT_E_OK;

	while (!err && rest.len > 2)
		err = read_header(r, cut_line(&rest));
	if (!err)
		err = read_framing(r);
	if (!err)
		read_connection(r->head);
	return err;
}

static enum dt_err read_request(struct reading *r, struct dt_str bytes)
{
	enum dt_err err = read_request_line(r, cut_line(&bytes));

	if (!err)
		err = read_headers(r, bytes);
	if (!err)
		err = check_host(r);
	if (!err)
		err = read_expectation(r);
	return err;
}

/* RFC 9112 6.3: which responses have no body, and which have no length. */
static enum dt_err settle_body(struct reading *r, bool is_head)
{
	struct dt_http_head *head = r->head;
	bool never_has = head->status < 200 || head->status == 204;

	/* Some readers wait for the body announced here, others do not. */
	if (never_has && (head->is_chunked || head->length > 0))
		return refuse(r, "a response that has no body announces one");
	if (never_has || head->status == 304 || is_head) {
		head->is_chunked = false;
		head->has_length = true;
		head->length = 0;
	}
	if (!head->is_chunked && !head->has_length)
		head->wants_close = true;
	return DT_E_OK;
}

static enum dt_err read_response(struct reading *r, struct dt_str bytes,
                                 bool is_head)
{
	enum dt_err err = read_status_line(r, cut_line(&bytes));

	if (!err)
		err = read_headers(r, bytes);
	if (!err)
		err = settle_body(r, is_head);
	return err;
}

enum dt_err dt_http_read_request(struct dt_str bytes, struct dt_http_head *out,
                                 size_t *out_used, unsigned *out_status,
                                 struct dt_fail *fail)
{
	struct reading r = { .head = out, .fail = fail };
	size_t size;
	enum dt_err err = find_end(&r, bytes, &size);

	if (!err && size) {
		*out = (struct dt_http_head){ 0 };
		err = read_request(&r, (struct dt_str){ bytes.ptr, size });
	}
	if (err)
		*out_status = r.status;
	else
		*out_used = size;
	return err;
}

enum dt_err dt_http_read_response(struct dt_str bytes, bool is_head,
                                  struct dt_http_head *out, size_t *out_used,
                                  struct dt_fail *fail)
{
	struct reading r = { .head = out, .fail = fail };
	size_t size;
	enum dt_err err = find_end(&r, bytes, &size);

	if (!err && size) {
		*out = (struct dt_http_head){ 0 };
		err = read_response(&r, (struct dt_str){ bytes.ptr, size },
		                    is_head);
	}
	if (!err)
		*out_used = size;
	return err;
}

struct dt_str dt_http_get(const struct dt_http_head *head, const char *name)
{
	for (size_t i = 0; i < head->header_count; i++) {
		if (dt_str_eq_nocase(head->headers[i].name, dt_str(name)))
			return head->headers[i].value;
	}
	return (struct dt_str){ 0 };
}

size_t dt_http_count(const struct dt_http_head *head, const char *name)
{
	size_t count = 0;

	for (size_t i = 0; i < head->header_count; i++)
		count += dt_str_eq_nocase(head->headers[i].name, dt_str(name));
	return count;
}

static bool list_has(struct dt_str list, struct dt_str token)
{
	while (list.ptr) {
		struct dt_str item = dt_str_trim(dt_str_cut(&list, ','));

		if (dt_str_eq_nocase(item, token))
			return true;
	}
	return false;
}

bool dt_http_has_token(const struct dt_http_head *head, const char *name,
                       const char *token)
{
	for (size_t i = 0; i < head->header_count; i++) {
		const struct dt_http_header *header = &head->headers[i];

		if (dt_str_eq_nocase(header->name, dt_str(name)) &&
		    list_has(header->value, dt_str(token)))
			return true;
	}
	return false;
}
