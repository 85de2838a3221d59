/* Members found and counted, names compared, numbers taken exactly. */
#include "unit.h"

#include "base/buf.h"
#include "base/limits.h"
#include "data/json.h"

static const struct dt_json *parse(struct dt_arena *arena, const char *text)
{
	const struct dt_json *json = NULL;

	assert_ok(dt_json_read(arena, dt_str(text), &json, NULL));
	return json;
}

test(each_visits_the_elements_of_an_array)
{
	struct dt_arena arena = { 0 };
	const struct dt_json *json = parse(&arena, "[1,[2,[3]],{\"a\":4},5]");
	static const char *const expected[] = { "1", "[2,[3]]", "{\"a\":4}",
		                                "5" };
	size_t i = 0;

	dt_json_each(member, json)
		assert_true(dt_str_is(member->raw, expected[i++]));
	assert_int_equal(i, 4);
	dt_arena_done(&arena);
}

test(each_visits_the_keys_of_an_object)
{
	struct dt_arena arena = { 0 };
	const struct dt_json *json =
		parse(&arena, "{\"a\":[1,2],\"b\":{\"c\":3},\"d\":4}");
	static const char *const expected[] = { "a",         "[1,2]", "b",
		                                "{\"c\":3}", "d",     "4" };
	size_t i = 0;

	dt_json_each(key, json) {
		assert_true(dt_json_key_is(key, expected[i]));
		assert_true(
			dt_str_is(dt_json_value(key)->raw, expected[i + 1]));
		i += 2;
	}
	assert_int_equal(i, 6);
	dt_arena_done(&arena);
}

test(what_has_no_members_has_no_first)
{
	static const char *const texts[] = { "[]", "{}", "1", "\"a\"", "null" };
	struct dt_arena arena = { 0 };

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		assert_null(dt_json_first(parse(&arena, texts[i])));
	dt_arena_done(&arena);
}

test(the_last_member_of_an_inner_container_has_no_next)
{
	struct dt_arena arena = { 0 };
	const struct dt_json *json = parse(&arena, "[[1],2]");
	const struct dt_json *inner = dt_json_first(json);

	assert_null(dt_json_next(inner, dt_json_first(inner)));
	assert_str(dt_json_next(json, inner)->raw, "2");
	dt_arena_done(&arena);
}

test(get_finds_a_member_by_its_text)
{
	struct dt_arena arena = { 0 };
	const struct dt_json *json = parse(
		&arena,
		"{\"x\":{\"a\":0},\"\\u0061\":1,\"\\\"\":2,\"\":3,\"\\u00e9\":4}");

	assert_str(dt_json_get(json, "a")->raw, "1");
	assert_str(dt_json_get(json, "\"")->raw, "2");
	assert_str(dt_json_get(json, "")->raw, "3");
	assert_str(dt_json_get(json, "\xc3\xa9")->raw, "4");
	assert_null(dt_json_get(json, "\\u0061"));
	assert_null(dt_json_get(json, "b"));
	assert_null(dt_json_get(json, "xx"));
	dt_arena_done(&arena);
}

test(get_finds_nothing_in_what_is_no_object)
{
	struct dt_arena arena = { 0 };

	assert_null(dt_json_get(parse(&arena, "[\"a\",1]"), "a"));
	assert_null(dt_json_get(parse(&arena, "\"a\""), "a"));
	assert_null(dt_json_get(NULL, "a"));
	dt_arena_done(&arena);
}

test(of_several_members_the_first_counts)
{
	struct dt_arena arena = { 0 };

	assert_str(dt_json_get(parse(&arena, "{\"a\":1,\"a\":2}"), "a")->raw,
	           "1");
	dt_arena_done(&arena);
}

test(a_key_with_a_nul_is_no_shorter_key)
{
	struct dt_arena arena = { 0 };
	const struct dt_json *json = parse(&arena, "{\"a\\u0000b\":1}");

	assert_false(dt_json_key_is(dt_json_first(json), "a"));
	assert_null(dt_json_get(json, "a"));
	dt_arena_done(&arena);
}

test(duplicates_are_found_as_text)
{
	struct dt_arena arena = { 0 };
	const struct dt_json *json;

	json = parse(&arena, "{\"a\":1,\"b\":{\"a\":2},\"aa\":3,\"\":4}");
	assert_null(dt_json_find_duplicate(json));
	json = parse(&arena, "{\"x\":0,\"b\":1,\"a\":2,\"\\u0061\":3,\"b\":4}");
	assert_ptr_equal(dt_json_find_duplicate(json), json + 3);
	json = parse(&arena, "{\"\":0,\"\":1}");
	assert_ptr_equal(dt_json_find_duplicate(json), json + 1);
	json = parse(&arena, "{\"a\":0,\"a\":1,\"a\":2}");
	assert_ptr_equal(dt_json_find_duplicate(json), json + 1);
	assert_null(dt_json_find_duplicate(parse(&arena, "{}")));
	assert_null(dt_json_find_duplicate(parse(&arena, "{\"a\":0}")));
	assert_null(dt_json_find_duplicate(parse(&arena, "[\"a\",\"a\"]")));
	dt_arena_done(&arena);
}

test(one_duplicate_among_many_keys_is_found)
{
	struct dt_arena arena = { 0 };
	struct dt_buf text;

	dt_buf_init(&text, 4 * DT_MIB);
	dt_buf_add_z(&text, "{\"k70000\":0");
	for (int i = 0; i < 100000; i++)
		dt_buf_addf(&text, ",\"k%d\":0", i);
	dt_buf_add_z(&text, "}");
	assert_true(dt_json_key_is(
		dt_json_find_duplicate(parse(&arena, dt_buf_z(&text))),
		"k70000"));
	dt_buf_done(&text);
	dt_arena_done(&arena);
}

test(whole_numbers_are_taken_exactly)
{
	static const struct {
		const char *text;
		int64_t value;
	} cases[] = {
		{ "0", 0 },
		{ "-0", 0 },
		{ "-1", -1 },
		{ "4294967296", 4294967296 },
		{ "9007199254740993", 9007199254740993 },
		{ "9223372036854775807", INT64_MAX },
		{ "-9223372036854775808", INT64_MIN },
	};
	struct dt_arena arena = { 0 };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		int64_t value = 77;

		assert_true(
			dt_json_to_i64(parse(&arena, cases[i].text), &value));
		assert_int_equal(value, cases[i].value);
	}
	dt_arena_done(&arena);
}

test(other_numbers_are_not_whole)
{
	static const char *const texts[] = {
		"1.0",
		"1e2",
		"1E2",
		"0.5",
		"9223372036854775808",
		"-9223372036854775809",
		"92233720368547758070",
		"123456789012345678901234567890",
		"\"1\"",
		"true",
		"null",
		"[]",
	};
	struct dt_arena arena = { 0 };

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		int64_t value = 77;

		assert_false(dt_json_to_i64(parse(&arena, texts[i]), &value));
		assert_int_equal(value, 77);
	}
	dt_arena_done(&arena);
}

test(u32_ends_where_32_bits_do)
{
	struct dt_arena arena = { 0 };
	uint32_t value = 77;

	assert_false(dt_json_to_u32(parse(&arena, "-1"), &value));
	assert_false(dt_json_to_u32(parse(&arena, "4294967296"), &value));
	assert_false(dt_json_to_u32(parse(&arena, "1.0"), &value));
	assert_int_equal(value, 77);
	assert_true(dt_json_to_u32(parse(&arena, "4294967295"), &value));
	assert_int_equal(value, UINT32_MAX);
	assert_true(dt_json_to_u32(parse(&arena, "0"), &value));
	assert_int_equal(value, 0);
	dt_arena_done(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_visits_the_elements_of_an_array),
		cmocka_unit_test(each_visits_the_keys_of_an_object),
		cmocka_unit_test(what_has_no_members_has_no_first),
		cmocka_unit_test(
			the_last_member_of_an_inner_container_has_no_next),
		cmocka_unit_test(get_finds_a_member_by_its_text),
		cmocka_unit_test(get_finds_nothing_in_what_is_no_object),
		cmocka_unit_test(of_several_members_the_first_counts),
		cmocka_unit_test(a_key_with_a_nul_is_no_shorter_key),
		cmocka_unit_test(duplicates_are_found_as_text),
		cmocka_unit_test(one_duplicate_among_many_keys_is_found),
		cmocka_unit_test(whole_numbers_are_taken_exactly),
		cmocka_unit_test(other_numbers_are_not_whole),
		cmocka_unit_test(u32_ends_where_32_bits_do),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
