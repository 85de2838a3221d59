/* Compact, with commas, escaped, on one line, and read back the same. */
#include "unit.h"

#include "base/limits.h"
#include "data/json.h"

#include <stdlib.h>

/* One value put by `call`, which writes to `out`, is exactly `literal`. */
#define assert_written(call, literal)                                          \
	do {                                                                   \
		struct dt_buf buf;                                             \
		struct dt_json_out out;                                        \
                                                                               \
		dt_buf_init(&buf, DT_MIB);                                     \
		out = dt_json_out(&buf);                                       \
		call;                                                          \
		assert_str(dt_buf_str(&buf), literal);                         \
		dt_buf_done(&buf);                                             \
	} while (0)

#define assert_string(text, literal)                                           \
	assert_written(dt_json_put_str(&out, DT_STR(text)), literal)

test(containers_get_their_commas)
{
	struct dt_buf buf;
	struct dt_json_out out;

	dt_buf_init(&buf, DT_MIB);
	out = dt_json_out(&buf);
	dt_json_begin_object(&out);
	dt_json_key(&out, "a");
	dt_json_begin_array(&out);
	dt_json_put_int(&out, 1);
	dt_json_begin_array(&out);
	dt_json_end_array(&out);
	dt_json_begin_object(&out);
	dt_json_end_object(&out);
	dt_json_put_bool(&out, true);
	dt_json_put_bool(&out, false);
	dt_json_put_null(&out);
	dt_json_put_z(&out, "z");
	dt_json_put_z(&out, NULL);
	dt_json_put_raw(&out, DT_STR("1e2"));
	dt_json_end_array(&out);
	dt_json_key(&out, "b");
	dt_json_begin_object(&out);
	dt_json_key(&out, "\"");
	dt_json_put_str(&out, DT_STR("c"));
	dt_json_end_object(&out);
	dt_json_key(&out, "d");
	dt_json_put_null(&out);
	dt_json_end_object(&out);
	assert_str(dt_buf_str(&buf),
	           "{\"a\":[1,[],{},true,false,null,\"z\",null,1e2],"
	           "\"b\":{\"\\\"\":\"c\"},\"d\":null}");
	dt_buf_done(&buf);
}

test(integers_are_written_to_their_ends)
{
	assert_written(dt_json_put_int(&out, 0), "0");
	assert_written(dt_json_put_int(&out, -1), "-1");
	assert_written(dt_json_put_int(&out, 9007199254740993),
	               "9007199254740993");
	assert_written(dt_json_put_int(&out, INT64_MAX), "9223372036854775807");
	assert_written(dt_json_put_int(&out, INT64_MIN),
	               "-9223372036854775808");
}

test(what_must_be_escaped_is_and_nothing_else)
{
	assert_string("", "\"\"");
	assert_string("a/b", "\"a/b\"");
	assert_string("\"\\\b\f\n\r\t", "\"\\\"\\\\\\b\\f\\n\\r\\t\"");
	assert_string("a\0b\x01\x1f", "\"a\\u0000b\\u0001\\u001f\"");
	assert_string("\x7f\xc3\xa9\xe2\x80\xa8\xf0\x9f\x98\x80",
	              "\"\x7f\xc3\xa9\xe2\x80\xa8\xf0\x9f\x98\x80\"");
}

test(an_absent_slice_is_an_empty_string)
{
	assert_written(dt_json_put_str(&out, (struct dt_str){ 0 }), "\"\"");
}

test(each_wrong_byte_becomes_a_replacement_character)
{
	assert_string("a\xff"
	              "b",
	              "\"a\xef\xbf\xbd"
	              "b\"");
	assert_string("\xc3", "\"\xef\xbf\xbd\"");
	assert_string("\xe2\x82", "\"\xef\xbf\xbd\xef\xbf\xbd\"");
	assert_string("\xed\xa0\x80",
	              "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"");
	assert_string("\xc3\xa9\xc3\"\xc3\xa9\n",
	              "\"\xc3\xa9\xef\xbf\xbd\\\"\xc3\xa9\\n\"");
	assert_string("\xf0\x9f\x98"
	              "abcd",
	              "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"
	              "abcd\"");
}

test(a_raw_value_stays_as_it_is_but_on_one_line)
{
	assert_written(dt_json_put_raw(&out, DT_STR("123456789012345678901")),
	               "123456789012345678901");
	assert_written(dt_json_put_raw(&out, DT_STR("[1,\r\n \"\\n\"\n]")),
	               "[1,   \"\\n\" ]");
}

test(a_written_value_stays_as_it_is)
{
	struct dt_json_out out;
	struct dt_buf buf;

	dt_buf_init(&buf, DT_MIB);
	out = dt_json_out(&buf);
	dt_json_begin_object(&out);
	dt_json_key(&out, "a");
	dt_json_put_written(&out, DT_STR("[1,\"\\n\"]"));
	dt_json_key(&out, "b");
	dt_json_put_written(&out, DT_STR("{}"));
	dt_json_end_object(&out);
	assert_str(dt_buf_str(&buf), "{\"a\":[1,\"\\n\"],\"b\":{}}");
	dt_buf_done(&buf);
}

/* A copy that ends where the heap does. */
static struct dt_str on_heap(const char *ptr, size_t len)
{
	return (struct dt_str){ memcpy(dt_alloc(len), ptr, len), len };
}

static void assert_round_trip(struct dt_str text)
{
	struct dt_arena arena = { 0 };
	const struct dt_json *json = NULL;
	struct dt_json_out out;
	struct dt_buf buf;

	dt_buf_init(&buf, DT_MIB);
	out = dt_json_out(&buf);
	dt_json_put_str(&out, text);
	assert_ok(dt_json_read(&arena, dt_buf_str(&buf), &json, NULL));
	assert_true(dt_str_eq(dt_json_text(&arena, json), text));
	dt_buf_done(&buf);
	dt_arena_done(&arena);
}

test(texts_of_every_length_come_back)
{
	char text[400];

	for (size_t len = 0; len <= sizeof(text); len++) {
		struct dt_str copy;

		for (size_t i = 0; i < len; i++)
			text[i] = (char)(i * 7 % 128);
		copy = on_heap(text, len);
		assert_round_trip(copy);
		free((char *)copy.ptr);
	}
}

test(an_escape_comes_back_from_wherever_it_lies)
{
	static const char special[] = { '"', '\\', '\n', '\0', '\x1f' };
	char text[300];

	for (size_t at = 0; at < sizeof(text); at++) {
		for (size_t kind = 0; kind < sizeof(special); kind++) {
			struct dt_str copy;

			memset(text, 'x', sizeof(text));
			text[at] = special[kind];
			copy = on_heap(text, sizeof(text));
			assert_round_trip(copy);
			free((char *)copy.ptr);
		}
	}
}

/* Larger than a piece, and with the longest escapes throughout. */
test(long_texts_come_back)
{
	size_t len = 100001;
	char *text = dt_alloc(len);

	assert_round_trip((struct dt_str){ text, len });
	memset(text, 'a', len);
	assert_round_trip((struct dt_str){ text, len });
	for (size_t i = 0; i < len; i += 35)
		text[i] = '\n';
	assert_round_trip((struct dt_str){ text, len });
	/* A character across the border of every piece. */
	for (size_t i = 0; i + 4 <= len; i += 4)
		memcpy(text + i, "\xf0\x9f\x98\x80", 4);
	assert_round_trip((struct dt_str){ text + 4, len - 5 });
	memmove(text + 1, text, len - 2);
	text[0] = 'a';
	assert_round_trip((struct dt_str){ text, len - 4 });
	free(text);
}

test(a_text_that_just_fits_is_written)
{
	struct dt_json_out out;
	struct dt_buf buf;

	dt_buf_init(&buf, 8);
	out = dt_json_out(&buf);
	dt_json_put_str(&out, DT_STR("abcd\n"));
	assert_false(buf.overflow);
	assert_str(dt_buf_str(&buf), "\"abcd\\n\""
	                             "");
	dt_buf_done(&buf);
}

test(a_text_past_the_limit_overflows)
{
	struct dt_json_out out;
	struct dt_buf buf;

	dt_buf_init(&buf, 7);
	out = dt_json_out(&buf);
	dt_json_put_str(&out, DT_STR("abcd\n"));
	assert_true(buf.overflow);
	dt_json_put_raw(&out, DT_STR("\n"));
	assert_true(buf.len <= 7);
	dt_buf_done(&buf);
}

test(a_document_comes_back_from_its_raw_parts)
{
	static const char text[] =
		"{\"id\":12345678901234567890,\"v\":[1.50,-0,\"\\u0041\",{}],"
		"\"n\":null}";
	struct dt_arena arena = { 0 };
	const struct dt_json *json = NULL;
	struct dt_json_out out;
	struct dt_buf buf;

	assert_ok(dt_json_read(&arena, DT_STR(text), &json, NULL));
	dt_buf_init(&buf, DT_MIB);
	out = dt_json_out(&buf);
	dt_json_begin_object(&out);
	dt_json_each(key, json) {
		struct dt_str name = dt_json_text(&arena, key);

		dt_json_key(&out, dt_arena_strndup(&arena, name.ptr, name.len));
		dt_json_put_raw(&out, dt_json_value(key)->raw);
	}
	dt_json_end_object(&out);
	assert_str(dt_buf_str(&buf), text);
	dt_buf_done(&buf);
	dt_arena_done(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(containers_get_their_commas),
		cmocka_unit_test(integers_are_written_to_their_ends),
		cmocka_unit_test(what_must_be_escaped_is_and_nothing_else),
		cmocka_unit_test(an_absent_slice_is_an_empty_string),
		cmocka_unit_test(
			each_wrong_byte_becomes_a_replacement_character),
		cmocka_unit_test(a_raw_value_stays_as_it_is_but_on_one_line),
		cmocka_unit_test(a_written_value_stays_as_it_is),
		cmocka_unit_test(texts_of_every_length_come_back),
		cmocka_unit_test(an_escape_comes_back_from_wherever_it_lies),
		cmocka_unit_test(long_texts_come_back),
		cmocka_unit_test(a_text_that_just_fits_is_written),
		cmocka_unit_test(a_text_past_the_limit_overflows),
		cmocka_unit_test(a_document_comes_back_from_its_raw_parts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
