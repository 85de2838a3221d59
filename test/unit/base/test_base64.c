/* Base64: RFC 4648's vectors, and everything that only looks like it. */
#include "unit.h"

#include "base/base64.h"

#include <string.h>

static void assert_text(const void *ptr, size_t len, const char *expected)
{
	char out[64];
	char back[64];
	size_t back_len;

	memset(out, 'x', sizeof(out));
	dt_base64_write(ptr, len, out);
	assert_string_equal(out, expected);
	assert_int_equal(strlen(out) + 1, DT_BASE64_TEXT(len));
	assert_int_equal(out[DT_BASE64_TEXT(len)], 'x');
	assert_true(dt_base64_is_of(out, strlen(out), len));
	assert_true(dt_base64_read(out, strlen(out), back, &back_len));
	assert_int_equal(back_len, len);
	if (len)
		assert_memory_equal(back, ptr, len);
}

test(the_vectors_of_rfc_4648_come_out)
{
	assert_text(NULL, 0, "");
	assert_text("f", 1, "Zg==");
	assert_text("fo", 2, "Zm8=");
	assert_text("foo", 3, "Zm9v");
	assert_text("foob", 4, "Zm9vYg==");
	assert_text("fooba", 5, "Zm9vYmE=");
	assert_text("foobar", 6, "Zm9vYmFy");
	assert_text("\xfb\xff\xbf\xff\xff", 5, "+/+///8=");
}

test(every_length_has_one_text_and_no_other_length_takes_it)
{
	uint8_t bytes[40];
	char out[DT_BASE64_TEXT(40)];

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)(i * 41 + 3);
	for (size_t len = 0; len <= sizeof(bytes); len++) {
		dt_base64_write(bytes, len, out);
		for (size_t of = 0; of <= sizeof(bytes); of++)
			assert_int_equal(dt_base64_is_of(out, strlen(out), of),
			                 of == len);
	}
}

test(what_is_not_strict_is_refused)
{
	/* clang-format off */
	static const struct { const char *text; size_t len; } bad[] = {
		{ "Zg", 1 }, { "Zg=", 1 }, { "Zg===", 1 }, { "Zg=a", 1 },
		{ "Z===", 1 }, { "====", 1 }, { "=g==", 1 }, { "Zm8", 2 },
		{ "Zm==", 2 }, { "Zm9v=", 3 }, { "Zm9=", 3 }, { "Zm 9", 3 },
		{ "Zm9\n", 3 }, { "Zm9v\n", 3 }, { "Zm-v", 3 }, { "Zm_v", 3 },
		{ "Zm9\xc3", 3 }, { "=", 0 }, { "Zm9v", 6 },
		/* The same bytes, but with bits that belong to none. */
		{ "Zh==", 1 }, { "Zo==", 1 }, { "Zm9=", 2 }, { "Zm+=", 2 },
	};
	/* clang-format on */

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(dt_base64_is_of(bad[i].text, strlen(bad[i].text),
		                             bad[i].len));
	assert_false(dt_base64_is_of("Zm9\0", 4, 3));
}

test(a_websocket_key_is_sixteen_bytes)
{
	const char *key = "dGhlIHNhbXBsZSBub25jZQ==";

	assert_true(dt_base64_is_of(key, strlen(key), 16));
	assert_false(dt_base64_is_of(key, strlen(key), 17));
	assert_false(dt_base64_is_of(key, strlen(key) - 1, 16));
}

test(what_is_not_strict_is_not_read)
{
	static const char *const wrong[] = { "Z",    "Zg",   "Zg=",
		                             "Zg=a", "====", "Zh==",
		                             "Zm9=", "Zm 8", "Zg==Zg==" };
	char out[16];
	size_t len;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		assert_false(
			dt_base64_read(wrong[i], strlen(wrong[i]), out, &len));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_not_strict_is_not_read),
		cmocka_unit_test(the_vectors_of_rfc_4648_come_out),
		cmocka_unit_test(
			every_length_has_one_text_and_no_other_length_takes_it),
		cmocka_unit_test(what_is_not_strict_is_refused),
		cmocka_unit_test(a_websocket_key_is_sixteen_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
