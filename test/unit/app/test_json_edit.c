#include "unit.h"

#include "app/json_edit.h"

static struct dt_arena arena;

static int stop(void **state)
{
	(void)state;
	dt_arena_done(&arena);
	return 0;
}

static const struct dt_json *parse(const char *text)
{
	const struct dt_json *json;

	assert_ok(dt_json_read(&arena, dt_str(text), &json, NULL));
	return json;
}

static void assert_text(struct dt_str text, const char *expected)
{
	assert_string_equal(dt_arena_strndup(&arena, text.ptr, text.len),
	                    expected);
}

static void assert_appended(const char *text, const char *made)
{
	assert_text(dt_json_edit_append(&arena, dt_str(text), parse(text),
	                                "\"n\": 1", 1),
	            made);
}

static void assert_cut(const char *text, const char *name, const char *made)
{
	const struct dt_json *top = parse(text);

	assert_text(dt_json_edit_cut(&arena, dt_str(text), top,
	                             dt_json_edit_key(top, name)),
	            made);
}

test(a_member_is_added_behind_the_last)
{
	assert_appended("{\"a\" : [1] }\n", "{\"a\" : [1],\n  \"n\": 1 }\n");
	assert_appended("{ }", "{\n  \"n\": 1\n}");
}

test(a_member_goes_with_one_comma)
{
	assert_cut("{\"a\":1, \"b\":2, \"c\":3}", "a", "{\"b\":2, \"c\":3}");
	assert_cut("{\"a\":1, \"b\":2, \"c\":3}", "b", "{\"a\":1, \"c\":3}");
	assert_cut("{\"a\":1, \"b\":2, \"c\":3}", "c", "{\"a\":1, \"b\":2}");
	assert_cut("{ \"a\":1 }", "a", "{}");
}

test(bytes_are_replaced_in_their_place)
{
	const char *text = "{\"a\": 1, \"b\": 2}";
	const struct dt_json *top = parse(text);

	assert_text(dt_json_edit_splice(&arena, dt_str(text),
	                                dt_json_get(top, "a")->raw, "[]"),
	            "{\"a\": [], \"b\": 2}");
	assert_null(dt_json_edit_key(top, "c"));
}

test(a_text_becomes_a_string)
{
	assert_string_equal(dt_json_edit_string(&arena, "a\"\\"),
	                    "\"a\\\"\\\\\"");
}

#define entry(name) cmocka_unit_test_teardown(name, stop)

int main(void)
{
	const struct CMUnitTest tests[] = {
		entry(a_member_is_added_behind_the_last),
		entry(a_member_goes_with_one_comma),
		entry(bytes_are_replaced_in_their_place),
		entry(a_text_becomes_a_string),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
