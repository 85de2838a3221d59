/* test/unit/wire/test_http1_body.c - bodies, cut at every byte. */
#include "unit.h"

#include "wire/http1.h"

#include <stdlib.h>
#include <string.h>

/* What came of a body: its bytes, how the reading ended, what it left. */
struct outcome {
	struct dt_buf bytes;
	enum dt_err err;
	bool is_done;
	size_t used;
};

/* Give the reader one piece, in memory of its size. */
static void feed(struct dt_http_body *body, struct outcome *o,
                 const char *bytes, size_t len)
{
	char *copy = malloc(len ? len : 1);
	struct dt_str rest = { copy, len };

	memcpy(copy, bytes, len);
	while (!o->err && !body->is_done && rest.len) {
		struct dt_str piece;
		size_t used;

		o->err = dt_http_body_read(body, rest, &used, &piece, NULL);
		if (o->err)
			break;
		assert_true(used > 0);
		assert_true(piece.len <= used);
		dt_buf_add_str(&o->bytes, piece);
		rest.ptr += used;
		rest.len -= used;
		o->used += used;
	}
	free(copy);
}

static struct outcome run(const struct dt_http_head *head, uint64_t limit,
                          struct dt_str in, size_t first, size_t step)
{
	struct outcome o = { 0 };
	struct dt_http_body body;
	size_t n = first;

	dt_buf_init(&o.bytes, DT_MIB);
	o.err = dt_http_body_start(&body, head, limit, NULL);
	while (!o.err && !body.is_done && in.len) {
		if (n > in.len)
			n = in.len;
		feed(&body, &o, in.ptr, n);
		in.ptr += n;
		in.len -= n;
		n = step;
	}
	o.is_done = !o.err && body.is_done;
	if (!o.err)
		assert_int_equal(body.total, o.bytes.len);
	return o;
}

static void check_cut(const struct dt_http_head *head, uint64_t limit,
                      struct dt_str in, size_t first,
                      const struct outcome *want)
{
	struct outcome got = run(head, limit, in, first, first == 1 ? 1 : 9999);

	assert_int_equal(got.err, want->err);
	assert_int_equal(got.is_done, want->is_done);
	if (!got.err) {
		assert_int_equal(got.used, want->used);
		assert_int_equal(got.bytes.len, want->bytes.len);
	}
	if (!got.err && got.bytes.len)
		assert_memory_equal(got.bytes.ptr, want->bytes.ptr,
		                    got.bytes.len);
	dt_buf_done(&got.bytes);
}

/* The outcome must be the same whole, byte by byte and cut in two anywhere. */
static struct outcome check(const struct dt_http_head *head, uint64_t limit,
                            struct dt_str in)
{
	struct outcome whole = run(head, limit, in, in.len, 1);

	for (size_t cut = 1; cut < in.len; cut++)
		check_cut(head, limit, in, cut, &whole);
	return whole;
}

static const struct dt_http_head chunked = { .is_chunked = true };

static void reads(const char *in, const char *want, const char *left)
{
	struct outcome o = check(&chunked, 1000, dt_str(in));

	assert_ok(o.err);
	assert_true(o.is_done);
	assert_string_equal(dt_buf_z(&o.bytes), want);
	assert_string_equal(in + o.used, left);
	dt_buf_done(&o.bytes);
}

static void fails(struct dt_str in, uint64_t limit, enum dt_err err)
{
	struct outcome o = check(&chunked, limit, in);

	assert_int_equal(o.err, err);
	dt_buf_done(&o.bytes);
}

test(a_body_of_known_length_leaves_the_next_message)
{
	struct dt_http_head head = { .has_length = true, .length = 5 };
	struct outcome o = check(&head, 5, DT_STR("helloGET / HTTP/1.1"));

	assert_ok(o.err);
	assert_true(o.is_done);
	assert_string_equal(dt_buf_z(&o.bytes), "hello");
	assert_int_equal(o.used, 5);
	dt_buf_done(&o.bytes);
	o = check(&head, 5, DT_STR("hell"));
	assert_ok(o.err);
	assert_false(o.is_done);
	dt_buf_done(&o.bytes);
}

test(a_request_without_length_has_no_body)
{
	struct dt_http_head head = { .method = DT_STR("GET") };
	struct outcome o = check(&head, 5, DT_STR("GET / HTTP/1.1"));

	assert_true(o.is_done);
	assert_int_equal(o.used, 0);
	dt_buf_done(&o.bytes);
	head.has_length = true;
	o = check(&head, 0, DT_STR("GET / HTTP/1.1"));
	assert_true(o.is_done);
	assert_int_equal(o.used, 0);
	dt_buf_done(&o.bytes);
}

test(a_response_without_length_runs_until_the_end)
{
	struct dt_http_head head = { .status = 200 };
	struct outcome o = check(&head, 10, DT_STR("0123456789"));

	assert_ok(o.err);
	assert_false(o.is_done);
	assert_string_equal(dt_buf_z(&o.bytes), "0123456789");
	dt_buf_done(&o.bytes);
	o = check(&head, 9, DT_STR("0123456789"));
	assert_int_equal(o.err, DT_E_LIMIT);
	dt_buf_done(&o.bytes);
}

test(a_length_beyond_the_limit_is_refused_at_once)
{
	struct dt_http_head head = { .has_length = true, .length = 11 };
	struct dt_http_body body;

	assert_int_equal(dt_http_body_start(&body, &head, 10, NULL),
	                 DT_E_LIMIT);
}

test(chunks_are_joined)
{
	reads("5\r\nhello\r\n1\r\n,\r\n0\r\n\r\nnext", "hello,", "next");
	reads("0\r\n\r\n", "", "");
	reads("a\r\n0123456789\r\n0\r\n\r\n", "0123456789", "");
	reads("A\r\n0123456789\r\n0\r\n\r\n", "0123456789", "");
	reads("0000000000000000000005\r\nhello\r\n000\r\n\r\n", "hello", "");
	reads("2\r\n\r\n\r\n0\r\n\r\n", "\r\n", "");
}

test(chunk_extensions_are_skipped)
{
	reads("5;a=b\r\nhello\r\n0;x=\"y; z\"\r\n\r\n", "hello", "");
	reads("5;\r\nhello\r\n0\r\n\r\n", "hello", "");
}

test(trailers_are_skipped)
{
	reads("1\r\nx\r\n0\r\nA: b\r\nC:\r\n\r\nnext", "x", "next");
	reads("0\r\nExpires: \xc3\xa9\t x\r\n\r\n", "", "");
}

test(malformed_chunks_are_refused)
{
	static const char *const bad[] = {
		"\r\n",
		"g\r\n",
		" 5\r\nhello\r\n",
		"5 \r\nhello\r\n",
		"5 ;x\r\nhello\r\n",
		"+5\r\nhello\r\n",
		"-5\r\nhello\r\n",
		"0x5\r\nhello\r\n",
		"5\nhello\r\n",
		"5\r\rhello",
		"5\r5\r\n",
		";x\r\n",
		"5;a\nb\r\nhello\r\n",
		"5;a\x01\r\nhello\r\n",
		"5;a\x7f\r\nhello\r\n",
		"5;a\rb\r\nhello\r\n",
		"5\r\nhello0\r\n\r\n",
		"5\r\nhello\n0\r\n\r\n",
		"5\r\nhello\r\r",
		"5\r\nhello!\r\n",
		"0\r\n\n",
		"0\r\n\rx",
		"0\r\n: v\r\n\r\n",
		"0\r\nA b: c\r\n\r\n",
		"0\r\nA : c\r\n\r\n",
		"0\r\nA\r\n\r\n",
		"0\r\nA: b\n\r\n",
		"0\r\nA: b\r\n c\r\n\r\n",
		"0\r\nA: \x02\r\n\r\n",
		"0\r\nA: b\rc\r\n\r\n",
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		fails(dt_str(bad[i]), 1000, DT_E_PROTO);
	fails(DT_STR("5\0\r\nhello\r\n"), 1000, DT_E_PROTO);
	fails(DT_STR("5;\0\r\nhello\r\n"), 1000, DT_E_PROTO);
	fails(DT_STR("0\r\nA\0: b\r\n\r\n"), 1000, DT_E_PROTO);
	fails(DT_STR("0\r\nA: \0\r\n\r\n"), 1000, DT_E_PROTO);
}

test(chunks_are_summed_for_the_limit)
{
	reads("3\r\nabc\r\n3\r\ndef\r\n0\r\n\r\n", "abcdef", "");
	fails(DT_STR("3\r\nabc\r\n3\r\ndef\r\n0\r\n\r\n"), 5, DT_E_LIMIT);
	fails(DT_STR("6\r\nabcdef\r\n0\r\n\r\n"), 5, DT_E_LIMIT);
}

test(a_size_beyond_64_bits_is_refused)
{
	fails(DT_STR("10000000000000000\r\n"), UINT64_MAX, DT_E_LIMIT);
	fails(DT_STR("10000000000000005\r\nhello\r\n"), 1000, DT_E_LIMIT);
	fails(DT_STR("ffffffffffffffffff\r\n"), UINT64_MAX, DT_E_LIMIT);
	/* The second chunk would pass 2^64 together with the first. */
	fails(DT_STR("1\r\nx\r\nffffffffffffffff\r\n"), UINT64_MAX, DT_E_LIMIT);
}

static void check_long(const char *before, char fill, size_t count,
                       const char *after, enum dt_err want)
{
	struct outcome o;
	struct dt_buf in;

	dt_buf_init(&in, DT_MIB);
	dt_buf_add_z(&in, before);
	for (size_t i = 0; i < count; i++)
		dt_buf_add_char(&in, fill);
	dt_buf_add_z(&in, after);
	o = run(&chunked, 1000, dt_buf_str(&in), 1, 1);
	assert_int_equal(o.err, want);
	dt_buf_done(&o.bytes);
	o = run(&chunked, 1000, dt_buf_str(&in), in.len, 1);
	assert_int_equal(o.err, want);
	dt_buf_done(&o.bytes);
	dt_buf_done(&in);
}

test(lines_around_chunks_are_bounded)
{
	/* The line and its CR LF take 256 bytes. */
	check_long("1;", 'x', 252, "\r\na\r\n0\r\n\r\n", DT_E_OK);
	check_long("1;", 'x', 253, "\r\na\r\n0\r\n\r\n", DT_E_LIMIT);
	check_long("1\r\na\r\n1;", 'x', 252, "\r\na\r\n0\r\n\r\n", DT_E_OK);
	check_long("", '0', 253, "1\r\na\r\n0\r\n\r\n", DT_E_OK);
	check_long("", '0', 254, "1\r\na\r\n0\r\n\r\n", DT_E_LIMIT);
	/* "A:", its CR LF and the empty line belong to the trailers. */
	check_long("0\r\nA:", 'x', DT_LIMIT_HTTP_HEAD - 6, "\r\n\r\n", DT_E_OK);
	check_long("0\r\nA:", 'x', DT_LIMIT_HTTP_HEAD - 5, "\r\n\r\n",
	           DT_E_LIMIT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			a_body_of_known_length_leaves_the_next_message),
		cmocka_unit_test(a_request_without_length_has_no_body),
		cmocka_unit_test(a_response_without_length_runs_until_the_end),
		cmocka_unit_test(a_length_beyond_the_limit_is_refused_at_once),
		cmocka_unit_test(chunks_are_joined),
		cmocka_unit_test(chunk_extensions_are_skipped),
		cmocka_unit_test(trailers_are_skipped),
		cmocka_unit_test(malformed_chunks_are_refused),
		cmocka_unit_test(chunks_are_summed_for_the_limit),
		cmocka_unit_test(a_size_beyond_64_bits_is_refused),
		cmocka_unit_test(lines_around_chunks_are_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
