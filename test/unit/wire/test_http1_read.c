/*
 * test/unit/wire/test_http1_read.c - heads that are read, and heads refused.
 *
 * A head is read again from its start as it grows, so "every split" is every
 * beginning of it: none may be taken for a head, and a fault that was found
 * early must be the fault of the whole.
 */
#include "unit.h"

#include "wire/http1.h"

#include <stdlib.h>
#include <string.h>

static struct dt_http_head head;

/* The first `len` bytes in memory of their size: nothing can be read on. */
static char *copy_of(struct dt_str in, size_t len)
{
	char *copy = malloc(len ? len : 1);

	memcpy(copy, in.ptr, len);
	return copy;
}

static void accepts_bytes(struct dt_str in, size_t want_used)
{
	unsigned status = 0;
	size_t used;

	for (size_t len = 0; len < want_used; len++) {
		char *part = copy_of(in, len);

		assert_ok(dt_http_read_request((struct dt_str){ part, len },
		                               &head, &used, &status, NULL));
		assert_int_equal(used, 0);
		free(part);
	}
	assert_ok(dt_http_read_request(in, &head, &used, &status, NULL));
	assert_int_equal(used, want_used);
	assert_int_equal(status, 0);
}

static void accepts(const char *text)
{
	accepts_bytes(dt_str(text), strlen(text));
}

static void refuses_bytes(struct dt_str in, enum dt_err want,
                          unsigned want_status)
{
	struct dt_fail fail = { 0 };
	unsigned status = 0;
	size_t used;

	assert_int_equal(dt_http_read_request(in, &head, &used, &status, &fail),
	                 want);
	assert_int_equal(status, want_status);
	assert_int_equal(fail.code, want);
	for (size_t len = 0; len < in.len; len++) {
		char *part = copy_of(in, len);
		enum dt_err err =
			dt_http_read_request((struct dt_str){ part, len },
		                             &head, &used, &status, NULL);

		if (err) {
			assert_int_equal(err, want);
			assert_int_equal(status, want_status);
		} else {
			assert_int_equal(used, 0);
		}
		free(part);
	}
}

static void refuses(const char *text, unsigned want_status)
{
	refuses_bytes(dt_str(text), DT_E_PROTO, want_status);
}

/* A request of which only the headers differ. */
static struct dt_buf with_headers(const char *headers)
{
	struct dt_buf buf;

	dt_buf_init(&buf, DT_MIB);
	dt_buf_addf(&buf, "POST /p HTTP/1.1\r\nHost: h\r\n%s\r\n", headers);
	return buf;
}

/* Only what `head` holds of its own may be looked at afterwards. */
static void accepts_headers(const char *headers)
{
	struct dt_buf buf = with_headers(headers);

	accepts(dt_buf_z(&buf));
	dt_buf_done(&buf);
}

static void refuses_headers(const char *headers, unsigned want_status)
{
	struct dt_buf buf = with_headers(headers);

	refuses(dt_buf_z(&buf), want_status);
	dt_buf_done(&buf);
}

test(a_request_is_taken_apart)
{
	accepts("POST /mcp?a=b HTTP/1.1\r\n"
	        "Host: 127.0.0.1:80\r\n"
	        "content-LENGTH: 12\r\n"
	        "X-Odd:\t two  words\t \r\n"
	        "X-Odd: again\r\n"
	        "Empty:\r\n"
	        "\r\n");
	assert_str(head.method, "POST");
	assert_str(head.target, "/mcp?a=b");
	assert_int_equal(head.minor, 1);
	assert_int_equal(head.status, 0);
	assert_int_equal(head.header_count, 5);
	assert_str(head.headers[1].name, "content-LENGTH");
	assert_str(dt_http_get(&head, "x-odd"), "two  words");
	assert_int_equal(dt_http_count(&head, "X-ODD"), 2);
	assert_int_equal(dt_http_count(&head, "nothing"), 0);
	assert_null(dt_http_get(&head, "nothing").ptr);
	assert_non_null(dt_http_get(&head, "empty").ptr);
	assert_int_equal(dt_http_get(&head, "empty").len, 0);
	assert_true(head.has_length);
	assert_int_equal(head.length, 12);
	assert_false(head.is_chunked);
	assert_false(head.wants_close);
	assert_false(head.wants_upgrade);
	assert_false(head.wants_continue);
}

test(what_follows_the_head_is_left)
{
	struct dt_str in = DT_STR("GET / HTTP/1.1\r\nHost: h\r\n\r\n\n\r body");

	accepts_bytes(in, in.len - 7);
}

test(the_connection_header_is_a_list)
{
	accepts("GET / HTTP/1.1\r\nHost: h\r\n"
	        "Connection: keep-alive,\tUpGrade ,,\r\n"
	        "Connection: Close\r\n\r\n");
	assert_true(head.wants_close);
	assert_true(head.wants_upgrade);
	assert_true(dt_http_has_token(&head, "connection", "KEEP-ALIVE"));
	assert_false(dt_http_has_token(&head, "connection", "keep"));
	accepts("GET / HTTP/1.1\r\nHost: h\r\nConnection: closed\r\n\r\n");
	assert_false(head.wants_close);
}

test(http_1_0_closes_unless_told)
{
	accepts("GET / HTTP/1.0\r\n\r\n");
	assert_int_equal(head.minor, 0);
	assert_true(head.wants_close);
	accepts("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
	assert_false(head.wants_close);
	accepts("GET / HTTP/1.0\r\nConnection: keep-alive, close\r\n\r\n");
	assert_true(head.wants_close);
}

test(targets_are_paths)
{
	accepts("OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n");
	accepts("GET /~a/%20?q=[1]|\"{} HTTP/1.1\r\nHost: h\r\n\r\n");
	refuses("GET * HTTP/1.1\r\nHost: h\r\n\r\n", 400);
	refuses("GET http://h/ HTTP/1.1\r\nHost: h\r\n\r\n", 400);
	refuses("CONNECT / HTTP/1.1\r\nHost: h\r\n\r\n", 400);
	refuses("CONNECT h:80 HTTP/1.1\r\nHost: h\r\n\r\n", 400);
	refuses("GET a HTTP/1.1\r\nHost: h\r\n\r\n", 400);
	refuses("GET /#x HTTP/1.1\r\nHost: h\r\n\r\n", 400);
	refuses("GET /\xc3\xa9 HTTP/1.1\r\nHost: h\r\n\r\n", 400);
	refuses("GET /\x7f HTTP/1.1\r\nHost: h\r\n\r\n", 400);
	refuses("GET /\t HTTP/1.1\r\nHost: h\r\n\r\n", 400);
	refuses_bytes(DT_STR("GET /\0 HTTP/1.1\r\nHost: h\r\n\r\n"), DT_E_PROTO,
	              400);
}

test(malformed_request_lines_are_refused)
{
	refuses("\r\n", 400);
	refuses("\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n", 400);
	refuses("GET\r\n\r\n", 400);
	refuses("GET /\r\n\r\n", 400);
	refuses("GET / \r\n\r\n", 400);
	refuses(" GET / HTTP/1.1\r\nHost: h\r\n\r\n", 400);
	refuses("GET  / HTTP/1.1\r\nHost: h\r\n\r\n", 400);
	refuses("GET /  HTTP/1.1\r\nHost: h\r\n\r\n", 400);
	refuses("GET / HTTP/1.1 \r\nHost: h\r\n\r\n", 400);
	refuses("GET\t/ HTTP/1.1\r\nHost: h\r\n\r\n", 400);
	refuses("G\xc3T / HTTP/1.1\r\nHost: h\r\n\r\n", 400);
	refuses("G(T / HTTP/1.1\r\nHost: h\r\n\r\n", 400);
	refuses("GET / http/1.1\r\nHost: h\r\n\r\n", 400);
	refuses("GET / HTTP/1.10\r\nHost: h\r\n\r\n", 400);
	refuses("GET / HTTP/11\r\nHost: h\r\n\r\n", 400);
	refuses("GET / HTTP/1,1\r\nHost: h\r\n\r\n", 400);
	refuses("GET / HTTP/x.1\r\nHost: h\r\n\r\n", 400);
	refuses("GET / HTTP/1.x\r\nHost: h\r\n\r\n", 400);
	refuses("GET / HTTPS/1.1\r\nHost: h\r\n\r\n", 400);
	refuses("GET / \rHTTP/1.1\r\nHost: h\r\n\r\n", 400);
	refuses_bytes(DT_STR("G\0T / HTTP/1.1\r\nHost: h\r\n\r\n"), DT_E_PROTO,
	              400);
}

test(other_versions_are_refused)
{
	refuses("GET / HTTP/2.0\r\nHost: h\r\n\r\n", 505);
	refuses("GET / HTTP/1.2\r\nHost: h\r\n\r\n", 505);
	refuses("GET / HTTP/0.9\r\nHost: h\r\n\r\n", 505);
}

test(a_bare_lf_is_refused_before_the_head_ends)
{
	refuses("GET / HTTP/1.1\n", 400);
	refuses("\n", 400);
	refuses("GET / HTTP/1.1\r\nHost: h\n", 400);
	refuses("GET / HTTP/1.1\r\nHost: h\r\n\n", 400);
}

test(malformed_headers_are_refused)
{
	refuses_headers("Name\r\n", 400);
	refuses_headers(": v\r\n", 400);
	refuses_headers("Name : v\r\n", 400);
	refuses_headers("Name\t: v\r\n", 400);
	refuses_headers(" Name: v\r\n", 400);
	refuses_headers("Na me: v\r\n", 400);
	refuses_headers("Na(me: v\r\n", 400);
	refuses_headers("Na\xc3\xa9: v\r\n", 400);
	refuses_headers("Name: v\r\n folded\r\n", 400);
	refuses_headers("Name: v\r\n\tfolded: x\r\n", 400);
	refuses_headers("Name: v\x01\r\n", 400);
	refuses_headers("Name: v\x7f\r\n", 400);
	refuses_headers("Name: a\rb\r\n", 400);
	refuses_headers("Name: a\r\r\n", 400);
	refuses_headers("Name: a\x0b\r\n", 400);
	refuses_bytes(DT_STR("GET / HTTP/1.1\r\nHost: h\r\nA: \0\r\n\r\n"),
	              DT_E_PROTO, 400);
	refuses_bytes(DT_STR("GET / HTTP/1.1\r\nHost: h\r\nA\0: b\r\n\r\n"),
	              DT_E_PROTO, 400);
	accepts_headers("Name: caf\xc3\xa9\r\n");
	accepts_headers("!#$%&'*+-.^_`|~aZ09: v\r\n");
}

test(every_byte_of_a_name_and_of_a_value_is_judged)
{
	static const char tokens[] = "!#$%&'*+-.^_`|~0123456789"
				     "abcdefghijklmnopqrstuvwxyz"
				     "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

	for (int c = 0; c < 256; c++) {
		char name[] = "GET / HTTP/1.1\r\nHost: h\r\nA?B: v\r\n\r\n";
		char value[] = "GET / HTTP/1.1\r\nHost: h\r\nA: a?b\r\n\r\n";
		bool is_token = c && strchr(tokens, c);
		bool is_text = (c >= ' ' && c != 0x7f) || c == '\t';

		*strchr(name, '?') = (char)c;
		*strchr(value, '?') = (char)c;
		if (is_token || c == ':')
			accepts(name);
		else
			refuses_bytes((struct dt_str){ name, sizeof(name) - 1 },
			              DT_E_PROTO, 400);
		if (is_text)
			accepts(value);
		else
			refuses_bytes(
				(struct dt_str){ value, sizeof(value) - 1 },
				DT_E_PROTO, 400);
	}
}

test(host_comes_once)
{
	refuses("GET / HTTP/1.1\r\n\r\n", 400);
	refuses("GET / HTTP/1.1\r\nHost: a\r\nhost: a\r\n\r\n", 400);
	refuses("GET / HTTP/1.0\r\nHost: a\r\nhost: a\r\n\r\n", 400);
}

test(a_length_is_one_plain_number)
{
	accepts_headers("Content-Length: 0\r\n");
	assert_true(head.has_length);
	assert_int_equal(head.length, 0);
	accepts_headers("Content-Length: 9999999999999999999\r\n");
	assert_true(head.length == 9999999999999999999ull);
	refuses_headers("Content-Length: 99999999999999999999\r\n", 400);
	refuses_headers("Content-Length:\r\n", 400);
	refuses_headers("Content-Length: +1\r\n", 400);
	refuses_headers("Content-Length: -1\r\n", 400);
	refuses_headers("Content-Length: 0x10\r\n", 400);
	refuses_headers("Content-Length: 1 2\r\n", 400);
	refuses_headers("Content-Length: 1,1\r\n", 400);
	refuses_headers("Content-Length: 1a\r\n", 400);
	refuses_headers("Content-Length: 1 \r\n", 400);
	refuses_headers("Content-Length: 1\r\nContent-Length: 1\r\n", 400);
	refuses_headers("Content-Length: 1\r\ncontent-length: 2\r\n", 400);
}

test(the_only_transfer_coding_is_chunked)
{
	accepts_headers("Transfer-Encoding: Chunked\r\n");
	assert_true(head.is_chunked);
	assert_false(head.has_length);
	refuses_headers("Transfer-Encoding: gzip\r\n", 501);
	refuses_headers("Transfer-Encoding: gzip, chunked\r\n", 501);
	refuses_headers("Transfer-Encoding: chunked, gzip\r\n", 501);
	refuses_headers("Transfer-Encoding: chunked,\r\n", 501);
	refuses_headers("Transfer-Encoding: chunked;q=1\r\n", 501);
	refuses_headers("Transfer-Encoding: xchunked\r\n", 501);
	refuses_headers("Transfer-Encoding:\r\n", 501);
	refuses_headers("Transfer-Encoding: chunked\t\r\n", 501);
	refuses_headers("Transfer-Encoding: chunked\r\n"
	                "Transfer-Encoding: chunked\r\n",
	                400);
	refuses_headers("Transfer-Encoding: identity\r\n"
	                "Transfer-Encoding: chunked\r\n",
	                400);
	refuses("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", 400);
}

test(two_framings_are_refused)
{
	refuses_headers("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
	                400);
	refuses_headers("Transfer-Encoding: chunked\r\nContent-Length: 5\r\n",
	                400);
	refuses_headers("Transfer-Encoding: gzip\r\nContent-Length: 5\r\n",
	                400);
}

test(an_expectation_is_known_or_refused)
{
	accepts_headers("Expect: 100-Continue\r\n");
	assert_true(head.wants_continue);
	refuses_headers("Expect: 200-ok\r\n", 417);
	refuses_headers("Expect:\r\n", 417);
	refuses_headers("Expect: 100-continue\r\nExpect: 100-continue\r\n",
	                417);
	accepts("GET / HTTP/1.0\r\nExpect: 100-continue\r\n\r\n");
	assert_false(head.wants_continue);
}

/* A request of exactly `size` bytes; the filler is in the line or a header. */
static struct dt_buf of_size(size_t size, bool is_line)
{
	const char *before =
		is_line ? "GET /" : "GET / HTTP/1.1\r\nHost: h\r\nA: ";
	const char *after =
		is_line ? " HTTP/1.1\r\nHost: h\r\n\r\n" : "\r\n\r\n";
	struct dt_buf buf;

	dt_buf_init(&buf, DT_MIB);
	dt_buf_add_z(&buf, before);
	while (buf.len + strlen(after) < size)
		dt_buf_add_char(&buf, 'x');
	dt_buf_add_z(&buf, after);
	return buf;
}

static void check_size(size_t size, bool is_line, enum dt_err want,
                       unsigned want_status)
{
	struct dt_buf buf = of_size(size, is_line);
	unsigned status = 0;
	size_t used = 0;

	assert_int_equal(dt_http_read_request(dt_buf_str(&buf), &head, &used,
	                                      &status, NULL),
	                 want);
	assert_int_equal(status, want_status);
	assert_int_equal(used, want ? 0 : size);
	dt_buf_done(&buf);
}

test(a_head_has_a_largest_size)
{
	/* Where the line itself runs past the limit, it is the line's fault. */
	check_size(DT_LIMIT_HTTP_HEAD, true, DT_E_OK, 0);
	check_size(DT_LIMIT_HTTP_HEAD, false, DT_E_OK, 0);
	check_size(DT_LIMIT_HTTP_HEAD + 1, false, DT_E_LIMIT, 431);
	check_size(DT_LIMIT_HTTP_HEAD + 100, true, DT_E_LIMIT, 414);
}

test(a_head_that_never_ends_is_refused_at_the_limit)
{
	struct dt_buf buf = of_size(2 * DT_LIMIT_HTTP_HEAD, false);
	unsigned status = 0;
	size_t used = 1;

	buf.len = DT_LIMIT_HTTP_HEAD - 1;
	assert_ok(dt_http_read_request(dt_buf_str(&buf), &head, &used, &status,
	                               NULL));
	assert_int_equal(used, 0);
	buf.len = DT_LIMIT_HTTP_HEAD;
	assert_int_equal(dt_http_read_request(dt_buf_str(&buf), &head, &used,
	                                      &status, NULL),
	                 DT_E_LIMIT);
	assert_int_equal(status, 431);
	dt_buf_done(&buf);
}

test(a_head_has_a_largest_number_of_headers)
{
	struct dt_buf buf;

	dt_buf_init(&buf, DT_MIB);
	dt_buf_add_z(&buf, "GET / HTTP/1.1\r\nHost: h\r\n");
	for (size_t i = 1; i < DT_LIMIT_HTTP_HEADERS; i++)
		dt_buf_add_z(&buf, "A: b\r\n");
	dt_buf_add_z(&buf, "\r\n");
	accepts(dt_buf_z(&buf));
	assert_int_equal(head.header_count, DT_LIMIT_HTTP_HEADERS);
	buf.len -= 2;
	dt_buf_add_z(&buf, "A: b\r\n\r\n");
	refuses_bytes(dt_buf_str(&buf), DT_E_LIMIT, 431);
	dt_buf_done(&buf);
}

static enum dt_err respond(const char *text, bool is_head)
{
	struct dt_str in = dt_str(text);
	size_t used = 1;

	for (size_t len = 0; len < in.len; len++) {
		char *part = copy_of(in, len);
		enum dt_err err =
			dt_http_read_response((struct dt_str){ part, len },
		                              is_head, &head, &used, NULL);

		free(part);
		if (err)
			return err;
		assert_int_equal(used, 0);
	}
	return dt_http_read_response(in, is_head, &head, &used, NULL);
}

test(a_response_is_taken_apart)
{
	assert_ok(respond("HTTP/1.1 200 OK then\r\nContent-Length: 3\r\n\r\n",
	                  false));
	assert_int_equal(head.status, 200);
	assert_int_equal(head.minor, 1);
	assert_true(head.has_length);
	assert_int_equal(head.length, 3);
	assert_false(head.wants_close);
	assert_ok(
		respond("HTTP/1.0 599 \r\nConnection: upgrade\r\n\r\n", false));
	assert_int_equal(head.status, 599);
	assert_int_equal(head.minor, 0);
	assert_true(head.wants_upgrade);
	assert_ok(respond("HTTP/1.1 200 \r\nTransfer-Encoding: chunked\r\n\r\n",
	                  false));
	assert_true(head.is_chunked);
	assert_false(head.wants_close);
}

test(a_response_without_length_ends_with_the_connection)
{
	assert_ok(respond("HTTP/1.1 200 OK\r\n\r\n", false));
	assert_false(head.has_length);
	assert_true(head.wants_close);
}

test(some_responses_have_no_body)
{
	static const char *const none[] = {
		"HTTP/1.1 100 Continue\r\n\r\n",
		"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n",
		"HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n",
		"HTTP/1.1 304 Not Modified\r\nContent-Length: 7\r\n\r\n",
		"HTTP/1.1 304 x\r\nTransfer-Encoding: chunked\r\n\r\n",
	};

	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
		assert_ok(respond(none[i], false));
		assert_true(head.has_length);
		assert_int_equal(head.length, 0);
		assert_false(head.is_chunked);
		assert_false(head.wants_close);
	}
	assert_ok(
		respond("HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n", true));
	assert_true(head.has_length);
	assert_int_equal(head.length, 0);
	assert_ok(respond("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked"
	                  "\r\n\r\n",
	                  true));
	assert_false(head.is_chunked);
}

test(malformed_responses_are_refused)
{
	static const char *const bad[] = {
		"\r\n",
		"HTTP/1.1\r\n\r\n",
		"HTTP/1.1 200\r\n\r\n",
		"HTTP/1.1  200 OK\r\n\r\n",
		"HTTP/1.1 20 OK\r\n\r\n",
		"HTTP/1.1 2000 OK\r\n\r\n",
		"HTTP/1.1 +20 OK\r\n\r\n",
		"HTTP/1.1 099 OK\r\n\r\n",
		"HTTP/1.1 600 OK\r\n\r\n",
		"HTTP/1.1 200\tOK\r\n\r\n",
		"HTTP/1.1 200 O\x01K\r\n\r\n",
		"HTTP/1.1 200 O\rK\r\n\r\n",
		"HTTP/2.0 200 OK\r\n\r\n",
		"http/1.1 200 OK\r\n\r\n",
		"ICY 200 OK\r\n\r\n",
		"HTTP/1.1 200 OK\n\r\n",
		"HTTP/1.1 200 OK\r\nA : b\r\n\r\n",
		"HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
		"HTTP/1.1 204 OK\r\nContent-Length: 1\r\n\r\n",
		"HTTP/1.1 204 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
		"HTTP/1.1 101 OK\r\nContent-Length: 1\r\n\r\n",
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(respond(bad[i], false), DT_E_PROTO);
	assert_int_equal(respond("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n"
	                         "Content-Length: 1\r\n\r\n",
	                         false),
	                 DT_E_PROTO);
	assert_int_equal(respond("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n"
	                         "Transfer-Encoding: chunked\r\n\r\n",
	                         false),
	                 DT_E_PROTO);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_request_is_taken_apart),
		cmocka_unit_test(what_follows_the_head_is_left),
		cmocka_unit_test(the_connection_header_is_a_list),
		cmocka_unit_test(http_1_0_closes_unless_told),
		cmocka_unit_test(targets_are_paths),
		cmocka_unit_test(malformed_request_lines_are_refused),
		cmocka_unit_test(other_versions_are_refused),
		cmocka_unit_test(a_bare_lf_is_refused_before_the_head_ends),
		cmocka_unit_test(malformed_headers_are_refused),
		cmocka_unit_test(every_byte_of_a_name_and_of_a_value_is_judged),
		cmocka_unit_test(host_comes_once),
		cmocka_unit_test(a_length_is_one_plain_number),
		cmocka_unit_test(the_only_transfer_coding_is_chunked),
		cmocka_unit_test(two_framings_are_refused),
		cmocka_unit_test(an_expectation_is_known_or_refused),
		cmocka_unit_test(a_head_has_a_largest_size),
		cmocka_unit_test(
			a_head_that_never_ends_is_refused_at_the_limit),
		cmocka_unit_test(a_head_has_a_largest_number_of_headers),
		cmocka_unit_test(a_response_is_taken_apart),
		cmocka_unit_test(
			a_response_without_length_ends_with_the_connection),
		cmocka_unit_test(some_responses_have_no_body),
		cmocka_unit_test(malformed_responses_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
