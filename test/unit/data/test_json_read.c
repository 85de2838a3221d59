/* Texts that are taken whole, texts that are refused, strings decoded. */
#include "unit.h"

#include "base/buf.h"
#include "base/limits.h"
#include "data/json.h"

#include <stdio.h>
#include <stdlib.h>

/* Read a copy that ends where the heap does, so that one byte too far shows. */
static enum dt_err read_exact(struct dt_arena *arena, const char *ptr,
                              size_t len, const struct dt_json **out,
                              struct dt_fail *fail)
{
	char *copy = memcpy(dt_arena_bytes(arena, len + 1), ptr, len);
	char *heap = memcpy(dt_alloc(len), ptr, len);
	struct dt_arena other = { 0 };
	const struct dt_json *json;
	enum dt_err err;

	err = dt_json_read(&other, (struct dt_str){ heap, len }, &json, NULL);
	dt_arena_done(&other);
	free(heap);
	assert_int_equal(
		dt_json_read(arena, (struct dt_str){ copy, len }, out, fail),
		err);
	return err;
}

#define assert_read(literal)                                                   \
	do {                                                                   \
		struct dt_arena arena = { 0 };                                 \
		struct dt_fail fail = { 0 };                                   \
		const struct dt_json *json = NULL;                             \
                                                                               \
		assert_ok(read_exact(&arena, literal, sizeof(literal) - 1,     \
		                     &json, &fail));                           \
		assert_non_null(json);                                         \
		dt_arena_done(&arena);                                         \
	} while (0)

#define assert_refused(literal, message)                                       \
	do {                                                                   \
		struct dt_arena arena = { 0 };                                 \
		struct dt_fail fail = { 0 };                                   \
		const struct dt_json *json = NULL;                             \
                                                                               \
		assert_int_equal(read_exact(&arena, literal,                   \
		                            sizeof(literal) - 1, &json,        \
		                            &fail),                            \
		                 DT_E_PROTO);                                  \
		assert_string_equal(fail.msg, "JSON: " message);               \
		assert_null(json);                                             \
		dt_arena_done(&arena);                                         \
	} while (0)

/* The decoded text of a document that is one string. */
#define assert_text(literal, expected)                                         \
	do {                                                                   \
		struct dt_arena arena = { 0 };                                 \
		const struct dt_json *json = NULL;                             \
                                                                               \
		assert_ok(read_exact(&arena, literal, sizeof(literal) - 1,     \
		                     &json, NULL));                            \
		assert_str(dt_json_text(&arena, json), expected);              \
		dt_arena_done(&arena);                                         \
	} while (0)

test(every_kind_of_value_is_read)
{
	assert_read("null");
	assert_read("true");
	assert_read("false");
	assert_read("0");
	assert_read("\"\"");
	assert_read("[]");
	assert_read("{}");
	assert_read(" \t\r\n[ 1 , { \"a\" : [ ] , \"b\" : null } ]\n");
}

test(nodes_lie_in_reading_order_with_their_own_bytes)
{
	static const char text[] =
		" { \"a\" : [1, true], \"b\":{\"c\":\"d\"}} ";
	struct dt_arena arena = { 0 };
	const struct dt_json *json;

	assert_ok(read_exact(&arena, text, sizeof(text) - 1, &json, NULL));
	assert_int_equal(json[0].type, DT_JSON_OBJECT);
	assert_int_equal(json[0].count, 2);
	assert_int_equal(json[0].span, 9);
	assert_str(json[0].raw, "{ \"a\" : [1, true], \"b\":{\"c\":\"d\"}}");
	assert_int_equal(json[1].type, DT_JSON_STRING);
	assert_str(json[1].raw, "\"a\"");
	assert_int_equal(json[2].type, DT_JSON_ARRAY);
	assert_int_equal(json[2].count, 2);
	assert_int_equal(json[2].span, 3);
	assert_str(json[2].raw, "[1, true]");
	assert_int_equal(json[3].type, DT_JSON_NUMBER);
	assert_int_equal(json[3].span, 1);
	assert_int_equal(json[4].type, DT_JSON_TRUE);
	assert_str(json[4].raw, "true");
	assert_str(json[5].raw, "\"b\"");
	assert_int_equal(json[6].span, 3);
	assert_str(json[6].raw, "{\"c\":\"d\"}");
	assert_str(json[7].raw, "\"c\"");
	assert_str(json[8].raw, "\"d\"");
	assert_false(json[8].has_escapes);
	dt_arena_done(&arena);
}

test(numbers_keep_every_digit)
{
	static const char *const numbers[] = {
		"0",
		"-0",
		"9007199254740993",
		"123456789012345678901234567890",
		"-1.50",
		"1E+02",
		"1e-7",
		"0.000",
		"0e0",
		"1e99999",
	};

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		struct dt_arena arena = { 0 };
		const struct dt_json *json;

		assert_ok(read_exact(&arena, numbers[i], strlen(numbers[i]),
		                     &json, NULL));
		assert_int_equal(json->type, DT_JSON_NUMBER);
		assert_true(dt_str_is(json->raw, numbers[i]));
		dt_arena_done(&arena);
	}
}

test(numbers_that_rfc_8259_does_not_know_are_refused)
{
	assert_refused("01", "something after the value at byte 1");
	assert_refused("-01", "something after the value at byte 2");
	assert_refused("[-]", "expected a digit at byte 2");
	assert_refused("-", "unexpected end at byte 1");
	assert_refused("+1", "expected a value at byte 0");
	assert_refused(".5", "expected a value at byte 0");
	assert_refused("[1.]", "expected a digit at byte 3");
	assert_refused("[1.e1]", "expected a digit at byte 3");
	assert_refused("[1e]", "expected a digit at byte 3");
	assert_refused("[1e+]", "expected a digit at byte 4");
	assert_refused("[1e1.5]", "expected ',' or ']' at byte 4");
	assert_refused("0x10", "something after the value at byte 1");
	assert_refused("1_000", "something after the value at byte 1");
	assert_refused("NaN", "expected a value at byte 0");
	assert_refused("Infinity", "expected a value at byte 0");
	assert_refused("-Infinity", "expected a digit at byte 1");
	assert_refused("- 1", "expected a digit at byte 1");
}

test(words_are_exactly_three_and_in_lower_case)
{
	assert_refused("True", "expected a value at byte 0");
	assert_refused("tru", "expected a value at byte 0");
	assert_refused("nul", "expected a value at byte 0");
	assert_refused("[nulL]", "expected a value at byte 1");
	assert_refused("falsey", "something after the value at byte 5");
	assert_refused("undefined", "expected a value at byte 0");
}

test(wrong_structure_is_refused)
{
	assert_refused("", "unexpected end at byte 0");
	assert_refused("  ", "unexpected end at byte 2");
	assert_refused("[", "unexpected end at byte 1");
	assert_refused("{", "unexpected end at byte 1");
	assert_refused("]", "expected a value at byte 0");
	assert_refused("[1,]", "expected a value at byte 3");
	assert_refused("[,1]", "expected a value at byte 1");
	assert_refused("[1 2]", "expected ',' or ']' at byte 3");
	assert_refused("[1}", "expected ',' or ']' at byte 2");
	assert_refused("[1]]", "something after the value at byte 3");
	assert_refused("{]", "expected a key at byte 1");
	assert_refused("{1:2}", "expected a key at byte 1");
	assert_refused("{a:2}", "expected a key at byte 1");
	assert_refused("{'a':2}", "expected a key at byte 1");
	assert_refused("{\"a\"}", "expected ':' at byte 4");
	assert_refused("{\"a\" 1}", "expected ':' at byte 5");
	assert_refused("{\"a\":}", "expected a value at byte 5");
	assert_refused("{\"a\":1,}", "expected a key at byte 7");
	assert_refused("{\"a\":1]", "expected ',' or '}' at byte 6");
	assert_refused("{\"a\":1 \"b\":2}", "expected ',' or '}' at byte 7");
	assert_refused("{,}", "expected a key at byte 1");
	assert_refused("1 2", "something after the value at byte 2");
	assert_refused("null,", "something after the value at byte 4");
}

test(what_other_dialects_add_is_refused)
{
	assert_refused("[1]//c", "something after the value at byte 3");
	assert_refused("[/**/1]", "expected a value at byte 1");
	assert_refused("# c\n1", "expected a value at byte 0");
	assert_refused("\f1", "expected a value at byte 0");
	assert_refused("\v1", "expected a value at byte 0");
	assert_refused("1\0", "something after the value at byte 1");
	/* Neither a byte order mark nor a blank of Unicode is a blank. */
	assert_refused("\xef\xbb\xbf{}", "expected a value at byte 0");
	assert_refused("[\xc2\xa0]", "expected a value at byte 1");
}

test(wrong_strings_are_refused)
{
	assert_refused("\"", "unexpected end at byte 1");
	assert_refused("\"abc", "unexpected end at byte 4");
	assert_refused("\"\\\"", "unexpected end at byte 3");
	assert_refused("'a'", "expected a value at byte 0");
	assert_refused("\"\n\"", "control character in a string at byte 1");
	assert_refused("\"a\0b\"", "control character in a string at byte 2");
	assert_refused("\"\x1f\"", "control character in a string at byte 1");
	assert_refused("\"\\a\"", "wrong escape at byte 1");
	assert_refused("\"\\\x00\"", "wrong escape at byte 1");
	assert_refused("\"\\U0041\"", "wrong escape at byte 1");
	assert_refused("\"\\u004\"", "wrong escape at byte 1");
	assert_refused("\"\\u00g1\"", "wrong escape at byte 1");
	assert_refused("\"\\u-041\"", "wrong escape at byte 1");
	assert_refused("\"\\x41\"", "wrong escape at byte 1");
	assert_refused("\"\\", "wrong escape at byte 1");
}

test(lone_surrogates_are_refused)
{
	assert_refused("\"\\ud800\"", "wrong escape at byte 1");
	assert_refused("\"\\uDBFFx\"", "wrong escape at byte 1");
	assert_refused("\"\\udc00\"", "wrong escape at byte 1");
	assert_refused("\"\\ud800\\n\"", "wrong escape at byte 1");
	assert_refused("\"\\ud800\\ud800\"", "wrong escape at byte 1");
	assert_refused("\"\\ud800\\u0041\"", "wrong escape at byte 1");
	assert_refused("\"\\ud83d\\ude0\"", "wrong escape at byte 1");
	assert_refused("\"a\\udc00\\ud800\"", "wrong escape at byte 2");
}

test(text_that_is_not_utf_8_is_refused)
{
	assert_refused("\"\xff\"", "invalid UTF-8 at byte 1");
	assert_refused("\"\x80\"", "invalid UTF-8 at byte 1");
	assert_refused("\"a\xc3\"", "invalid UTF-8 at byte 3");
	assert_refused("\"\xc0\xaf\"", "invalid UTF-8 at byte 1");
	assert_refused("\"\xe0\x80\xaf\"", "invalid UTF-8 at byte 2");
	assert_refused("\"\xed\xa0\x80\"", "invalid UTF-8 at byte 2");
	assert_refused("\"\xf4\x90\x80\x80\"", "invalid UTF-8 at byte 2");
	assert_refused("\"\xf5\x80\x80\x80\"", "invalid UTF-8 at byte 1");
	assert_refused("\"\xe2\x82", "unexpected end at byte 3");
	assert_refused("\xff", "invalid UTF-8 at byte 0");
	assert_read("\"\xc2\x80\xdf\xbf\xe0\xa0\x80\xed\x9f\xbf\xee\x80\x80"
	            "\xf0\x90\x80\x80\xf4\x8f\xbf\xbf\x7f\"");
}

test(escapes_are_decoded)
{
	assert_text("\"\"", "");
	assert_text("\"plain\"", "plain");
	assert_text("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\b\f\n\r\t");
	assert_text("\"\\u0041\\u00e9\\u20AC\"", "A\xc3\xa9\xe2\x82\xac");
	assert_text("\"\\uD83D\\uDE00\\ud800\\udc00\"",
	            "\xf0\x9f\x98\x80\xf0\x90\x80\x80");
	assert_text("\"\\udbff\\udfff\"", "\xf4\x8f\xbf\xbf");
	assert_text("\"a\\u0000b\"", "a\0b");
	assert_text("\"\\ufffe\\uffff\"", "\xef\xbf\xbe\xef\xbf\xbf");
	assert_text("\"\\\\u0041\"", "\\u0041");
}

test(text_without_escapes_is_borrowed)
{
	static const char text[] = "[\"plain\",\"a\\n\"]";
	struct dt_arena arena = { 0 };
	const struct dt_json *json;

	assert_ok(dt_json_read(&arena, DT_STR(text), &json, NULL));
	assert_false(json[1].has_escapes);
	assert_ptr_equal(dt_json_text(&arena, &json[1]).ptr, text + 2);
	assert_true(json[2].has_escapes);
	dt_arena_done(&arena);
}

/* Long strings go block by block: put each escape at each place of one. */
test(an_escape_is_found_wherever_it_lies)
{
	static const char *const pairs[][2] = {
		{ "\\n", "\n" },
		{ "\\\"", "\"" },
		{ "\\\\", "\\" },
		{ "\\\\\\\"", "\\\"" },
		{ "\\u00e9", "\xc3\xa9" },
		{ "\\ud83d\\ude00", "\xf0\x9f\x98\x80" },
		{ "\\u0022\\\\", "\"\\" },
	};
	struct dt_buf json_text;
	struct dt_buf expected;

	dt_buf_init(&json_text, DT_KIB);
	dt_buf_init(&expected, DT_KIB);
	for (size_t at = 0; at < 7 * 300; at++) {
		const char *const *pair = pairs[at % 7];
		struct dt_arena arena = { 0 };
		const struct dt_json *json;

		dt_buf_clear(&json_text);
		dt_buf_clear(&expected);
		dt_buf_add_char(&json_text, '"');
		for (size_t i = 0; i < 300; i++) {
			bool is_here = i == at / 7;

			dt_buf_add_z(&json_text, is_here ? pair[0] : "x");
			dt_buf_add_z(&expected, is_here ? pair[1] : "x");
		}
		dt_buf_add_char(&json_text, '"');
		assert_ok(read_exact(&arena, json_text.ptr, json_text.len,
		                     &json, NULL));
		assert_true(dt_str_eq(dt_json_text(&arena, json),
		                      dt_buf_str(&expected)));
		dt_arena_done(&arena);
	}
	dt_buf_done(&json_text);
	dt_buf_done(&expected);
}

/* And each byte that a string cannot hold. */
test(a_wrong_byte_is_found_wherever_it_lies)
{
	static const char wrong[] = { '\0', '\n', '\x1f', '\\' };

	for (size_t at = 1; at < 199; at++) {
		for (size_t kind = 0; kind < sizeof(wrong); kind++) {
			struct dt_arena arena = { 0 };
			struct dt_fail fail = { 0 };
			const struct dt_json *json;
			char text[200];
			char where[32];

			memset(text, 'x', sizeof(text));
			text[0] = text[199] = '"';
			text[at] = wrong[kind];
			/* Before the closing quote it is a right escape. */
			if (wrong[kind] == '\\' && at == 198)
				text[at] = '\x01';
			assert_int_equal(read_exact(&arena, text, sizeof(text),
			                            &json, &fail),
			                 DT_E_PROTO);
			snprintf(where, sizeof(where), "at byte %zu", at);
			assert_non_null(strstr(fail.msg, where));
			dt_arena_done(&arena);
		}
	}
}

test(every_byte_alone_is_plain_or_refused)
{
	for (int c = 0; c < 256; c++) {
		struct dt_arena arena = { 0 };
		const struct dt_json *json;
		char text[100];
		enum dt_err err;

		memset(text, 'x', sizeof(text));
		text[0] = text[99] = '"';
		text[50] = (char)c;
		err = read_exact(&arena, text, sizeof(text), &json, NULL);
		if (c < 0x20 || c == '"' || c == '\\' || c >= 0x80)
			assert_int_equal(err, DT_E_PROTO);
		else
			assert_int_equal(err, DT_E_OK);
		dt_arena_done(&arena);
	}
}

test(a_text_cut_anywhere_is_refused)
{
	static const char text[] =
		"{\"jsonrpc\":\"2.0\",\"id\":-12.5e+3,\"a\":[true,false,null,{}],"
		"\"b\\u00e9\":\"caf\xc3\xa9 \\ud83d\\ude00\",\"c\":[[],[0]]}";
	struct dt_arena arena = { 0 };
	const struct dt_json *json;

	for (size_t len = 0; len < sizeof(text) - 1; len++) {
		json = NULL;
		assert_int_equal(read_exact(&arena, text, len, &json, NULL),
		                 DT_E_PROTO);
		assert_null(json);
	}
	assert_ok(read_exact(&arena, text, sizeof(text) - 1, &json, NULL));
	dt_arena_done(&arena);
}

static enum dt_err read_nested(size_t levels, bool objects,
                               struct dt_fail *fail)
{
	struct dt_arena arena = { 0 };
	const struct dt_json *json;
	struct dt_buf text;
	enum dt_err err;

	dt_buf_init(&text, DT_MIB);
	for (size_t i = 0; i < levels; i++)
		dt_buf_add_z(&text,
		             objects && i + 1 < levels ? "{\"a\":" : "[");
	for (size_t i = levels; i > 0; i--)
		dt_buf_add_z(&text, objects && i < levels ? "}" : "]");
	err = dt_json_read(&arena, dt_buf_str(&text), &json, fail);
	dt_buf_done(&text);
	dt_arena_done(&arena);
	return err;
}

test(the_depth_limit_is_512_levels)
{
	struct dt_fail fail = { 0 };

	assert_int_equal(DT_LIMIT_JSON_DEPTH, 512);
	assert_ok(read_nested(512, false, NULL));
	assert_ok(read_nested(512, true, NULL));
	assert_int_equal(read_nested(513, false, &fail), DT_E_LIMIT);
	assert_string_equal(fail.msg, "JSON: more than 512 levels at byte 512");
	assert_int_equal(read_nested(513, true, NULL), DT_E_LIMIT);
	assert_int_equal(read_nested(100000, false, NULL), DT_E_LIMIT);
}

test(a_document_of_too_many_values_is_refused)
{
	struct dt_arena arena = { 0 };
	const struct dt_json *json;
	struct dt_fail fail = { 0 };
	struct dt_buf text;

	dt_buf_init(&text, 16u * DT_MIB);
	dt_buf_add_z(&text, "[1");
	for (size_t i = 0; i < DT_LIMIT_JSON_NODES; i++)
		dt_buf_add_z(&text, ",1");
	dt_buf_add_z(&text, "]");
	assert_int_equal(dt_json_read(&arena, dt_buf_str(&text), &json, &fail),
	                 DT_E_LIMIT);
	assert_string_equal(fail.msg, "JSON: more than 4194304 values");
	dt_buf_done(&text);
	dt_arena_done(&arena);
}

test(depth_counts_open_containers_not_all)
{
	struct dt_arena arena = { 0 };
	const struct dt_json *json;
	struct dt_buf text;

	dt_buf_init(&text, DT_MIB);
	dt_buf_add_z(&text, "[0");
	for (size_t i = 0; i < 5000; i++)
		dt_buf_add_z(&text, ",[{}]");
	dt_buf_add_z(&text, "]");
	assert_ok(dt_json_read(&arena, dt_buf_str(&text), &json, NULL));
	assert_int_equal(json->count, 5001);
	assert_int_equal(json->span, 1 + 1 + 5000 * 2);
	assert_int_equal(json[json->span - 1].type, DT_JSON_OBJECT);
	dt_buf_done(&text);
	dt_arena_done(&arena);
}

/* The cases that JSONTestSuite names i_: the RFC leaves them to the reader.
 * Ours forwards numbers of any size, and refuses what is not Unicode. */
test(where_the_rfc_leaves_a_choice_this_is_ours)
{
	assert_read("[123.456e-789]");
	assert_read("[-123123e100000]");
	assert_read("[100000000000000000000]");
	assert_ok(read_nested(500, false, NULL));
	assert_read("{\"a\":1,\"a\":2}");
	assert_refused("[\"\\uDADA\"]", "wrong escape at byte 2");
	assert_refused("[\"\xe9\"]", "invalid UTF-8 at byte 3");
	assert_refused("\xef\xbb\xbf{}", "expected a value at byte 0");
	assert_refused("\xff\xfe[\0", "invalid UTF-8 at byte 0");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_kind_of_value_is_read),
		cmocka_unit_test(
			nodes_lie_in_reading_order_with_their_own_bytes),
		cmocka_unit_test(numbers_keep_every_digit),
		cmocka_unit_test(
			numbers_that_rfc_8259_does_not_know_are_refused),
		cmocka_unit_test(words_are_exactly_three_and_in_lower_case),
		cmocka_unit_test(wrong_structure_is_refused),
		cmocka_unit_test(what_other_dialects_add_is_refused),
		cmocka_unit_test(wrong_strings_are_refused),
		cmocka_unit_test(lone_surrogates_are_refused),
		cmocka_unit_test(text_that_is_not_utf_8_is_refused),
		cmocka_unit_test(escapes_are_decoded),
		cmocka_unit_test(text_without_escapes_is_borrowed),
		cmocka_unit_test(an_escape_is_found_wherever_it_lies),
		cmocka_unit_test(a_wrong_byte_is_found_wherever_it_lies),
		cmocka_unit_test(every_byte_alone_is_plain_or_refused),
		cmocka_unit_test(a_text_cut_anywhere_is_refused),
		cmocka_unit_test(the_depth_limit_is_512_levels),
		cmocka_unit_test(a_document_of_too_many_values_is_refused),
		cmocka_unit_test(depth_counts_open_containers_not_all),
		cmocka_unit_test(where_the_rfc_leaves_a_choice_this_is_ours),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
