/* test/unit/wire/test_http1_write.c - what is written is what can be read. */
#include "unit.h"

#include "wire/http1.h"

#include <string.h>

static struct dt_buf out;

static int start(void **state)
{
	(void)state;
	dt_buf_init(&out, DT_MIB);
	return 0;
}

static int end(void **state)
{
	(void)state;
	dt_buf_done(&out);
	return 0;
}

test(a_response_is_written_line_by_line)
{
	dt_http_write_status(&out, 404);
	dt_http_write_header(&out, "Content-Type", DT_STR("text/plain"));
	dt_http_write_length(&out, 5);
	dt_http_write_end(&out);
	assert_string_equal(dt_buf_z(&out), "HTTP/1.1 404 Not Found\r\n"
	                                    "Content-Type: text/plain\r\n"
	                                    "Content-Length: 5\r\n\r\n");
}

test(a_written_request_is_read_back)
{
	struct dt_http_head head;
	unsigned status;
	size_t used;

	dt_http_write_request(&out, "POST", "/mcp?x=1");
	dt_http_write_header(&out, "Host", DT_STR("127.0.0.1:1234"));
	dt_http_write_header(&out, "X-Empty", DT_STR(""));
	dt_http_write_length(&out, 1234567);
	dt_http_write_end(&out);
	assert_ok(dt_http_read_request(dt_buf_str(&out), &head, &used, &status,
	                               NULL));
	assert_int_equal(used, out.len);
	assert_str(head.method, "POST");
	assert_str(head.target, "/mcp?x=1");
	assert_int_equal(head.minor, 1);
	assert_int_equal(head.header_count, 3);
	assert_str(dt_http_get(&head, "host"), "127.0.0.1:1234");
	assert_int_equal(dt_http_get(&head, "x-empty").len, 0);
	assert_int_equal(head.length, 1234567);
}

test(every_status_line_is_read_back)
{
	for (unsigned status = 100; status <= 599; status++) {
		struct dt_http_head head;
		size_t used;

		dt_buf_clear(&out);
		dt_http_write_status(&out, status);
		dt_http_write_end(&out);
		assert_ok(dt_http_read_response(dt_buf_str(&out), false, &head,
		                                &used, NULL));
		assert_int_equal(used, out.len);
		assert_int_equal(head.status, status);
	}
}

test(written_chunks_are_read_back)
{
	struct dt_http_head head = { .is_chunked = true };
	struct dt_http_body body;
	struct dt_buf got;
	struct dt_str rest;

	dt_http_write_chunk(&out, DT_STR("hello, "));
	dt_http_write_chunk(&out, DT_STR("")); /* writes nothing */
	dt_http_write_chunk(&out, DT_STR("a chunk of more than 16 bytes"));
	dt_http_write_last_chunk(&out);
	assert_string_equal(dt_buf_z(&out),
	                    "7\r\nhello, \r\n"
	                    "1d\r\na chunk of more than 16 bytes\r\n"
	                    "0\r\n\r\n");
	assert_ok(dt_http_body_start(&body, &head, 1000, NULL));
	dt_buf_init(&got, 1000);
	rest = dt_buf_str(&out);
	while (!body.is_done && rest.len) {
		struct dt_str piece;
		size_t used;

		assert_ok(dt_http_body_read(&body, rest, &used, &piece, NULL));
		dt_buf_add_str(&got, piece);
		rest.ptr += used;
		rest.len -= used;
	}
	assert_true(body.is_done);
	assert_int_equal(rest.len, 0);
	assert_string_equal(dt_buf_z(&got),
	                    "hello, a chunk of more than 16 bytes");
	dt_buf_done(&got);
}

test(every_status_the_readers_use_has_a_reason)
{
	static const unsigned used[] = { 400, 414, 417, 431, 501, 505 };

	for (size_t i = 0; i < sizeof(used) / sizeof(used[0]); i++)
		assert_string_not_equal(dt_http_reason(used[i]), "Unknown");
	assert_string_equal(dt_http_reason(101), "Switching Protocols");
	assert_string_equal(dt_http_reason(299), "Unknown");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			a_response_is_written_line_by_line, start, end),
		cmocka_unit_test_setup_teardown(a_written_request_is_read_back,
		                                start, end),
		cmocka_unit_test_setup_teardown(every_status_line_is_read_back,
		                                start, end),
		cmocka_unit_test_setup_teardown(written_chunks_are_read_back,
		                                start, end),
		cmocka_unit_test_setup_teardown(
			every_status_the_readers_use_has_a_reason, start, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
