/*
 * test/unit/wire/test_http1_oracle.c - our reader held against http_parser's.
 *
 * Smuggling needs two readers that disagree.  So whatever we accept, the other
 * must accept too, with the same method, target, headers, body and length; we
 * may refuse more.  Inputs are a table and many small deterministic damages.
 */
#include "unit.h"

#include "base/buf.h"
#include "wire/http1.h"

#include <http_parser.h>
#include <string.h>

#define ROUNDS 20000
#define ROOM 4096

enum end {
	REFUSED,
	HEAD_OPEN, /* more of the head is needed */
	BODY_OPEN, /* more of the body is needed, or the connection's end */
	COMPLETE,
};

/* What a reader made of an input. */
struct reading {
	enum end end;
	struct dt_str method;
	struct dt_str target;
	unsigned status;
	unsigned minor;
	struct dt_http_header headers[ROOM];
	size_t header_count;
	struct dt_buf body;
	size_t used;
	bool is_in_value; /* the oracle's last call was for a value */
	bool has_head;
	bool skips_body; /* the answer to a HEAD */
};

static struct reading ours;
static struct reading theirs;

static void read_our_body(const struct dt_http_head *head, struct dt_str in)
{
	struct dt_http_body body;

	if (dt_http_body_start(&body, head, ROOM, NULL))
		return;
	while (!body.is_done && ours.used < in.len) {
		struct dt_str rest = { in.ptr + ours.used, in.len - ours.used };
		struct dt_str piece;
		size_t used;

		if (dt_http_body_read(&body, rest, &used, &piece, NULL))
			return;
		dt_buf_add_str(&ours.body, piece);
		ours.used += used;
	}
	ours.end = body.is_done ? COMPLETE : BODY_OPEN;
}

static void read_ours(struct dt_str in, bool is_response)
{
	struct dt_http_head head = { 0 };
	unsigned status;
	enum dt_err err;

	if (is_response)
		err = dt_http_read_response(in, ours.skips_body, &head,
		                            &ours.used, NULL);
	else
		err = dt_http_read_request(in, &head, &ours.used, &status,
		                           NULL);
	ours.end = err ? REFUSED : HEAD_OPEN;
	if (err || ours.used == 0)
		return;
	ours.end = REFUSED;
	ours.method = head.method;
	ours.target = head.target;
	ours.status = head.status;
	ours.minor = head.minor;
	ours.header_count = head.header_count;
	memcpy(ours.headers, head.headers, sizeof(head.headers));
	read_our_body(&head, in);
}

static int on_target(http_parser *parser, const char *at, size_t len)
{
	(void)parser;
	if (!theirs.target.ptr)
		theirs.target.ptr = at;
	theirs.target.len += len;
	return 0;
}

static int on_name(http_parser *parser, const char *at, size_t len)
{
	struct dt_http_header *header;

	(void)parser;
	if (theirs.has_head)
		return 0; /* a trailer */
	if (theirs.is_in_value || theirs.header_count == 0) {
		if (theirs.header_count == ROOM)
			return 1;
		header = &theirs.headers[theirs.header_count++];
		*header = (struct dt_http_header){ .name.ptr = at };
	}
	theirs.is_in_value = false;
	theirs.headers[theirs.header_count - 1].name.len += len;
	return 0;
}

static int on_value(http_parser *parser, const char *at, size_t len)
{
	struct dt_str *value;

	(void)parser;
	if (theirs.has_head)
		return 0;
	value = &theirs.headers[theirs.header_count - 1].value;
	if (!value->ptr)
		value->ptr = at;
	value->len += len;
	theirs.is_in_value = true;
	return 0;
}

static int on_head(http_parser *parser)
{
	theirs.has_head = true;
	/* It is the caller who knows that there is no body (RFC 9112 6.3). */
	return theirs.skips_body || parser->status_code == 304;
}

static int on_body(http_parser *parser, const char *at, size_t len)
{
	(void)parser;
	dt_buf_add(&theirs.body, at, len);
	return 0;
}

static int on_complete(http_parser *parser)
{
	theirs.end = COMPLETE;
	http_parser_pause(parser, 1);
	return 0;
}

static void read_theirs(struct dt_str in, bool is_response)
{
	static const http_parser_settings settings = {
		.on_url = on_target,
		.on_header_field = on_name,
		.on_header_value = on_value,
		.on_headers_complete = on_head,
		.on_body = on_body,
		.on_message_complete = on_complete,
	};
	http_parser parser;

	http_parser_init(&parser, is_response ? HTTP_RESPONSE : HTTP_REQUEST);
	theirs.end = REFUSED;
	theirs.used = http_parser_execute(&parser, &settings, in.ptr, in.len);
	if (theirs.end != COMPLETE && HTTP_PARSER_ERRNO(&parser) == HPE_OK)
		theirs.end = theirs.has_head ? BODY_OPEN : HEAD_OPEN;
	if (!is_response)
		theirs.method = dt_str(http_method_str(parser.method));
	theirs.status = is_response ? parser.status_code : 0;
	theirs.minor = parser.http_minor;
}

/* The oracle has a closed list of methods; names beyond it are ours alone. */
static bool oracle_knows(struct dt_str method)
{
	static const char *const known[] = {
#define X(num, name, string) #string,
		HTTP_METHOD_MAP(X)
#undef X
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (dt_str_is(method, known[i]))
			return true;
	}
	return false;
}

/* A name that only begins like this one sets the oracle's flag for it. */
static bool oracle_confuses_names(void)
{
	static const struct dt_str coding = DT_STR("transfer-encoding");

	for (size_t i = 0; i < ours.header_count; i++) {
		struct dt_str name = ours.headers[i].name;

		if (name.len > coding.len &&
		    dt_str_eq_nocase((struct dt_str){ name.ptr, coding.len },
		                     coding))
			return true;
	}
	return false;
}

static bool headers_agree(void)
{
	if (ours.header_count != theirs.header_count)
		return false;
	for (size_t i = 0; i < ours.header_count; i++) {
		struct dt_str value = dt_str_trim(theirs.headers[i].value);

		if (!dt_str_eq(ours.headers[i].name, theirs.headers[i].name) ||
		    !dt_str_eq(ours.headers[i].value, value))
			return false;
	}
	return true;
}

static bool is_same(void)
{
	return ours.end == theirs.end && ours.used == theirs.used &&
	       ours.status == theirs.status && ours.minor == theirs.minor &&
	       dt_str_eq(ours.method, theirs.method) &&
	       dt_str_eq(ours.target, theirs.target) && headers_agree() &&
	       dt_str_eq(dt_buf_str(&ours.body), dt_buf_str(&theirs.body));
}

static void complain(struct dt_str in)
{
	print_error("we end %d after %zu bytes, they %d after %zu, in:\n",
	            ours.end, ours.used, theirs.end, theirs.used);
	for (size_t i = 0; i < in.len; i++) {
		unsigned char c = (unsigned char)in.ptr[i];

		print_error(c >= ' ' && c < 0x7f ? "%c" : "\\x%02x", c);
	}
	fail_msg("the readers disagree");
}

static void reset(struct reading *r, bool skips_body)
{
	dt_buf_done(&r->body);
	memset(r, 0, offsetof(struct reading, headers));
	r->header_count = 0;
	r->used = 0;
	r->is_in_value = r->has_head = false;
	r->skips_body = skips_body;
	dt_buf_init(&r->body, ROOM);
}

/* True when we accepted it, and the other reader agreed. */
static bool agree(struct dt_str in, bool is_response, bool is_head)
{
	reset(&ours, is_head);
	reset(&theirs, is_head);
	read_ours(in, is_response);
	if (ours.end == REFUSED || ours.end == HEAD_OPEN)
		return false;
	if (!is_response && !oracle_knows(ours.method))
		return false;
	if (oracle_confuses_names())
		return false;
	read_theirs(in, is_response);
	if (!is_same())
		complain(in);
	return true;
}

#define HOST "Host: h\r\n"

static const char *const requests[] = {
	"GET / HTTP/1.1\r\n" HOST "\r\n",
	"GET / HTTP/1.0\r\n\r\n",
	"GET /a/b?c=d&e HTTP/1.1\r\n" HOST "Accept: */*\r\nA:\r\nB: \r\n\r\n",
	"OPTIONS * HTTP/1.1\r\n" HOST "\r\n",
	"DELETE /session HTTP/1.1\r\n" HOST "Connection: close\r\n\r\n",
	"HEAD / HTTP/1.1\r\n" HOST "Connection: keep-alive, x\r\n\r\nGET /",
	"POST /mcp HTTP/1.1\r\n" HOST "Content-Length: 5\r\n\r\nhello",
	"POST /mcp HTTP/1.1\r\n" HOST "Content-Length: 0\r\n\r\nPOST",
	"POST / HTTP/1.1\r\n" HOST "Content-Length: 5\r\n\r\nhelloGET / H",
	"POST / HTTP/1.1\r\n" HOST "Content-Length: 0005\r\n\r\nhello",
	"POST / HTTP/1.0\r\nContent-Length: 2\r\n\r\nhi",
	"POST / HTTP/1.1\r\n" HOST "Transfer-Encoding: chunked\r\n\r\n"
	"5\r\nhello\r\n0\r\n\r\n",
	"POST / HTTP/1.1\r\n" HOST "Transfer-Encoding: chunked\r\n\r\n"
	"5;x=y\r\nhello\r\nB\r\n, and world\r\n00;z\r\n\r\nGET /",
	"POST / HTTP/1.1\r\n" HOST "Transfer-Encoding: chunked\r\n\r\n"
	"1\r\na\r\n0\r\nTrailer: one\r\nAnother:\r\n\r\nrest",
	"POST / HTTP/1.1\r\n" HOST "Expect: 100-continue\r\n"
	"Content-Length: 3\r\n\r\nabc",
	"GET /ws HTTP/1.1\r\n" HOST "Upgrade: websocket\r\n"
	"Connection: keep-alive, Upgrade\r\nSec-WebSocket-Version: 13\r\n"
	"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n\x81\x85",
	"POST /ws HTTP/1.1\r\n" HOST "Upgrade: x\r\nConnection: upgrade\r\n"
	"Content-Length: 3\r\n\r\nabcdef",
	"GET / HTTP/1.1\r\nHost:h\r\nX: caf\xc3\xa9\r\nY:\ta b\t \r\n\r\n",
};

static const char *const responses[] = {
	"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello, next",
	"HTTP/1.1 200 \r\nContent-Length: 0\r\n\r\n",
	"HTTP/1.0 200 OK\r\n\r\nuntil the end",
	"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nuntil the end",
	"HTTP/1.1 200 \r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n",
	"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\n",
	"HTTP/1.1 101 S\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n\x81\x05hello",
	"HTTP/1.1 204 No Content\r\n\r\nnext",
	"HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\nnext",
	"HTTP/1.1 404 Not Found\r\nA: b\r\nContent-Length: 2\r\n\r\nno",
};

static uint32_t seed;

static size_t below(size_t bound)
{
	seed ^= seed << 13;
	seed ^= seed >> 17;
	seed ^= seed << 5;
	return seed % bound;
}

/* Put `len` bytes at `at`, in place of `gone` bytes. */
static void splice(struct dt_buf *buf, size_t at, size_t gone,
                   const char *bytes, size_t len)
{
	struct dt_buf made;

	dt_buf_init(&made, ROOM);
	dt_buf_add(&made, buf->ptr, at);
	dt_buf_add(&made, bytes, len);
	dt_buf_add(&made, buf->ptr + at + gone, buf->len - at - gone);
	if (made.overflow) {
		dt_buf_done(&made);
		return;
	}
	dt_buf_done(buf);
	*buf = made;
}

static void damage(struct dt_buf *buf)
{
	static const struct dt_str scraps[] = {
		DT_STR("\r\n"),
		DT_STR("\n"),
		DT_STR("\r"),
		DT_STR(" "),
		DT_STR("\t"),
		DT_STR(":"),
		DT_STR(","),
		DT_STR(";"),
		DT_STR("\0"),
		DT_STR("0"),
		DT_STR("\x7f"),
		DT_STR("\xff"),
		DT_STR("\x0b"),
		DT_STR("Content-Length: 3\r\n"),
		DT_STR("content-length:5\r\n"),
		DT_STR("Transfer-Encoding: chunked\r\n"),
		DT_STR("Transfer-Encoding: identity\r\n"),
		DT_STR("Connection: close\r\n"),
		DT_STR("Connection: upgrade\r\nUpgrade: x\r\n"),
		DT_STR("Host: other\r\n"),
		DT_STR("chunked"),
		DT_STR("0\r\n\r\n"),
		DT_STR("3\r\nabc\r\n"),
		DT_STR("\r\n "),
		DT_STR("\r\n\r\n"),
		DT_STR("HTTP/1.1"),
		DT_STR("GET / "),
		DT_STR("X: y\r\n"),
	};
	size_t at = below(buf->len);
	size_t run = 1 + below(buf->len - at < 12 ? buf->len - at : 12);
	const struct dt_str *scrap =
		&scraps[below(sizeof(scraps) / sizeof(scraps[0]))];
	char byte = (char)below(256);
	char copy[12];

	memcpy(copy, buf->ptr + at, run);
	switch (below(6)) {
	case 0:
		splice(buf, at, 1, &byte, 1);
		break;
	case 1:
		splice(buf, at, run, NULL, 0);
		break;
	case 2:
		splice(buf, at, 0, scrap->ptr, scrap->len);
		break;
	case 3:
		splice(buf, at, 1, scrap->ptr, scrap->len);
		break;
	case 4:
		splice(buf, below(buf->len), 0, copy, run);
		break;
	default:
		byte = (char)(buf->ptr[at] ^ 1 << below(8));
		splice(buf, at, 1, &byte, 1);
		break;
	}
}

/* Damages that keep lines whole reach further than random ones. */
static void add_line(struct dt_buf *buf)
{
	static const char *const lines[] = {
		"X: y\r\n",
		"Content-Length: 5\r\n",
		"Content-Length: 007\r\n",
		"Transfer-Encoding: chunked\r\n",
		"Transfer-Encoding: CHUNKED\r\n",
		"Transfer-Encoding : chunked\r\n",
		"Connection: close\r\n",
		"Connection: Upgrade, close\r\nUpgrade: a\r\n",
		"Proxy-Connection: keep-alive\r\n",
		"Expect: 100-continue\r\n",
		"Trailer: X\r\n",
		"Content-Length:\t4 \r\n",
	};
	const char *line = lines[below(sizeof(lines) / sizeof(lines[0]))];
	const char *lf = memchr(buf->ptr, '\n', buf->len);

	if (lf)
		splice(buf, (size_t)(lf - buf->ptr) + 1, 0, line, strlen(line));
}

/* How many of the damaged inputs were accepted. */
static size_t run_damages(const char *const *table, size_t count,
                          bool is_response)
{
	size_t accepted = 0;

	seed = 0x9e3779b9u;
	for (size_t i = 0; i < ROUNDS; i++) {
		const char *text = table[i % count];
		bool is_head = is_response && below(4) == 0;
		struct dt_buf buf;

		dt_buf_init(&buf, ROOM);
		dt_buf_add_z(&buf, text);
		if (below(2))
			add_line(&buf);
		for (size_t n = below(4); n > 0 && buf.len; n--)
			damage(&buf);
		if (buf.len)
			accepted +=
				agree(dt_buf_str(&buf), is_response, is_head);
		dt_buf_done(&buf);
	}
	reset(&ours, false);
	reset(&theirs, false);
	return accepted;
}

test(both_read_the_table_alike)
{
	for (size_t i = 0; i < sizeof(requests) / sizeof(requests[0]); i++) {
		if (!agree(dt_str(requests[i]), false, false))
			fail_msg("we refuse: %s", requests[i]);
	}
	for (size_t i = 0; i < sizeof(responses) / sizeof(responses[0]); i++) {
		if (!agree(dt_str(responses[i]), true, false) ||
		    !agree(dt_str(responses[i]), true, true))
			fail_msg("we refuse: %s", responses[i]);
	}
}

test(a_request_we_accept_is_read_alike)
{
	size_t accepted = run_damages(
		requests, sizeof(requests) / sizeof(requests[0]), false);

	/* Were nearly all refused, the agreement would mean nothing. */
	assert_in_range(accepted, ROUNDS / 10, ROUNDS);
}

test(a_response_we_accept_is_read_alike)
{
	size_t accepted = run_damages(
		responses, sizeof(responses) / sizeof(responses[0]), true);

	assert_in_range(accepted, ROUNDS / 10, ROUNDS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_read_the_table_alike),
		cmocka_unit_test(a_request_we_accept_is_read_alike),
		cmocka_unit_test(a_response_we_accept_is_read_alike),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
