/* test/unit/wire/test_framed.c - heads and lengths, cut anywhere. */
#include "wire/framed.h"

#include "base/limits.h"
#include "unit.h"

#include <stdlib.h>

/* Feed pieces of `step` bytes, each in memory of its size; what comes out is
 * "message|" for each. */
static enum dt_err feed(struct dt_str in, size_t step, size_t limit,
                        struct dt_buf *out, struct dt_fail *fail)
{
	struct dt_framed f;
	enum dt_err err = DT_E_OK;

	dt_framed_init(&f, limit);
	while (in.len && !err) {
		size_t n = in.len < step ? in.len : step;
		char *piece = dt_strndup(in.ptr, n);
		struct dt_str rest = { piece, n };

		while (rest.len && !err) {
			struct dt_str message = { 0 };
			size_t used = 0;

			err = dt_framed_read(&f, rest, &used, &message, fail);
			rest.ptr += used;
			rest.len -= used;
			if (!err && message.ptr) {
				dt_buf_add_str(out, message);
				dt_buf_add_char(out, '|');
			}
		}
		free(piece);
		in.ptr += n;
		in.len -= n;
	}
	dt_framed_done(&f);
	return err;
}

static void check(const char *in, const char *expected)
{
	for (size_t step = 1; step <= strlen(in); step++) {
		struct dt_buf out;

		dt_buf_init(&out, DT_MIB);
		assert_ok(feed(dt_str(in), step, 100, &out, NULL));
		assert_string_equal(dt_buf_z(&out), expected);
		dt_buf_done(&out);
	}
}

static void refuse(const char *in, enum dt_err err, const char *sentence)
{
	for (size_t step = 1; step <= strlen(in); step++) {
		struct dt_fail fail = { 0 };
		struct dt_buf out;

		dt_buf_init(&out, DT_MIB);
		assert_int_equal(feed(dt_str(in), step, 100, &out, &fail), err);
		assert_string_equal(fail.msg, sentence);
		assert_int_equal(out.len, 0);
		dt_buf_done(&out);
	}
}

test(messages_come_out_whole_wherever_they_are_cut)
{
	check("Content-Length: 2\r\n\r\n{}", "{}|");
	check("Content-Length: 2\r\n\r\n{}Content-Length: 7\r\n\r\n{\"a\":1}",
	      "{}|{\"a\":1}|");
	check("Content-Length: 100\r\n\r\n"
	      "0123456789012345678901234567890123456789012345678901234567890123"
	      "456789012345678901234567890123456789",
	      "0123456789012345678901234567890123456789012345678901234567890123"
	      "456789012345678901234567890123456789|");
}

test(other_headers_and_bare_line_feeds_are_passed_over)
{
	check("Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n"
	      "content-length:2 \r\nX:\r\n\r\n{}",
	      "{}|");
	check("Content-Length: 2\n\n{}", "{}|");
}

test(half_a_message_is_none)
{
	check("Content-Length: 3\r\n\r\n{}", "");
	check("Content-Length: 3\r\n", "");
}

test(what_is_no_head_is_refused)
{
	refuse("Segmentation fault\n", DT_E_PROTO,
	       "\"Segmentation fault\" is no header of a message");
	refuse("{\"jsonrpc\"\r\n", DT_E_PROTO,
	       "\"{\"jsonrpc\"\" is no header of a message");
	refuse("\r\n", DT_E_PROTO, "a head without Content-Length");
	refuse("X: 1\r\n\r\n", DT_E_PROTO, "a head without Content-Length");
	refuse("Content-Length: 1\r\nContent-Length: 1\r\n", DT_E_PROTO,
	       "a head gives two lengths of its message");
	refuse("Content-Length: -1\r\n", DT_E_PROTO,
	       "\"-1\" is no length of a message");
	refuse("Content-Length: 0\r\n", DT_E_PROTO,
	       "\"0\" is no length of a message");
	refuse("Content-Length: 4294967296\r\n", DT_E_PROTO,
	       "\"4294967296\" is no length of a message");
}

test(a_message_that_is_too_long_is_refused_by_its_head)
{
	refuse("Content-Length: 101\r\n", DT_E_LIMIT,
	       "a message of 101 bytes; at most 100 are taken");
}

test(a_head_without_an_end_is_refused)
{
	struct dt_buf in;
	struct dt_buf out;
	struct dt_fail fail = { 0 };

	dt_buf_init(&in, DT_MIB);
	dt_buf_init(&out, DT_MIB);
	while (in.len <= DT_LIMIT_FRAMED_HEAD)
		dt_buf_add_z(&in, "X: y\r\n");
	assert_int_equal(feed(dt_buf_str(&in), 7, 100, &out, &fail),
	                 DT_E_PROTO);
	assert_string_equal(fail.msg,
	                    "the head of a message has more than 4096 bytes");
	dt_buf_done(&in);
	dt_buf_done(&out);
}

test(a_head_is_written)
{
	char head[DT_FRAMED_HEAD];
	size_t len = dt_framed_head(head, 42);

	assert_int_equal(len, strlen(head));
	assert_string_equal(head, "Content-Length: 42\r\n\r\n");
	assert_true(dt_framed_head(head, SIZE_MAX) < DT_FRAMED_HEAD);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(messages_come_out_whole_wherever_they_are_cut),
		cmocka_unit_test(
			other_headers_and_bare_line_feeds_are_passed_over),
		cmocka_unit_test(half_a_message_is_none),
		cmocka_unit_test(what_is_no_head_is_refused),
		cmocka_unit_test(
			a_message_that_is_too_long_is_refused_by_its_head),
		cmocka_unit_test(a_head_without_an_end_is_refused),
		cmocka_unit_test(a_head_is_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
