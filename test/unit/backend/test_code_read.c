/* test/unit/backend/test_code_read.c - the shapes that servers answer in. */
#include "backend/code_read.h"

#include "unit.h"

static struct dt_arena arena;

static int end(void **state)
{
	(void)state;
	dt_arena_done(&arena);
	return 0;
}

static const struct dt_json *json(const char *text)
{
	const struct dt_json *out;

	assert_ok(dt_json_read(&arena, dt_str(text), &out, NULL));
	return out;
}

#define RANGE(l)                                                               \
	"{\"start\":{\"line\":" l                                              \
	",\"character\":2},\"end\":{\"line\":9,\"character\":3}}"

static struct dt_items locations(const char *text)
{
	return dt_code_read_locations(&arena, json(text));
}

static void assert_location(const struct dt_items *items, size_t i,
                            const char *path, uint32_t line)
{
	const struct dt_location *list = items->ptr;

	assert_true(i < items->count);
	assert_string_equal(list[i].path, path);
	assert_int_equal(list[i].range.start.line, line);
	assert_int_equal(list[i].range.start.character, 2);
	assert_int_equal(list[i].range.end.character, 3);
}

test(locations_come_alone_in_lists_and_as_links)
{
	struct dt_items found;

	assert_int_equal(locations("null").count, 0);
	assert_int_equal(locations("[]").count, 0);
	found = locations(
		"{\"uri\":\"file:///a%20b\",\"range\":" RANGE("1") "}");
	assert_int_equal(found.count, 1);
	assert_location(&found, 0, "/a b", 1);
	found = locations("[{\"uri\":\"file:///a\",\"range\":" RANGE(
		"1") "},"
	             "{\"targetUri\":\"file:///b\",\"targetRange\":" RANGE("2") ",\"targetSelectionRange\":" RANGE(
			     "3") "},{\"targetUri\":\"file:///c\",\"targetRange\":" RANGE("4") "}]");
	assert_int_equal(found.count, 3);
	assert_location(&found, 0, "/a", 1);
	assert_location(&found, 1, "/b", 3);
	assert_location(&found, 2, "/c", 4);
}

test(what_is_no_location_is_left_out)
{
	assert_int_equal(locations("7").count, 0);
	assert_int_equal(locations("{}").count, 0);
	assert_int_equal(locations("{\"uri\":\"file:///a\"}").count, 0);
	assert_int_equal(
		locations(
			"[1,null,{\"uri\":7,\"range\":" RANGE(
				"1") "},"
				     "{\"uri\":\"jdt://x\",\"range\":" RANGE(
					     "1") "},"
						  "{\"uri\":\"file:///a\",\"range\":{\"start\":{"
						  "\"line\":-1,\"character\":0},\"end\":{\"line\":1,"
						  "\"character\":0}}}]")
			.count,
		0);
}

static void assert_text(const char *of, const char *wanted)
{
	struct dt_str text = dt_code_read_text(&arena, json(of));

	if (!wanted) {
		assert_null(text.ptr);
		return;
	}
	assert_int_equal(text.len, strlen(wanted));
	assert_memory_equal(text.ptr, wanted, text.len);
}

test(texts_come_as_strings_markup_and_marked_strings)
{
	assert_text("\"plain\"", "plain");
	assert_text("{\"kind\":\"markdown\",\"value\":\"\\n# a\\n\\n\"}",
	            "# a");
	assert_text("{\"language\":\"c\",\"value\":\"int a;\"}",
	            "```c\nint a;\n```");
	assert_text("[{\"language\":\"c\",\"value\":\"int a;\"},\"\",\"doc\"]",
	            "```c\nint a;\n```\n\ndoc");
	assert_text("[]", NULL);
	assert_text("\"\"", NULL);
	assert_text("null", NULL);
	assert_text("{\"value\":7}", NULL);
	assert_null(dt_code_read_text(&arena, NULL).ptr);
}

test(kinds_are_words)
{
	assert_string_equal(dt_code_read_kind(json("1")), "file");
	assert_string_equal(dt_code_read_kind(json("12")), "function");
	assert_string_equal(dt_code_read_kind(json("26")), "typeParameter");
	assert_string_equal(dt_code_read_kind(json("27")), "symbol");
	assert_string_equal(dt_code_read_kind(json("\"x\"")), "symbol");
	assert_string_equal(dt_code_read_kind(NULL), "symbol");
}

test(members_of_another_type_are_as_none)
{
	struct dt_position at;
	struct dt_names names =
		dt_code_read_names(&arena, json("[\"a\",1,\"b\"]"));

	assert_int_equal(names.count, 2);
	assert_string_equal(names.ptr[1], "b");
	assert_null(dt_code_read_name(&arena, json("1")));
	assert_null(dt_code_read_path(&arena, json("\"http://a\"")));
	assert_int_equal(dt_code_read_u32(json("\"1\""), 7), 7);
	assert_int_equal(dt_code_read_u32(json("1.5"), 7), 7);
	assert_int_equal(dt_code_list(json("{}"))->count, 0);
	assert_false(dt_code_read_position(json("{\"line\":1}"), &at));
	assert_false(dt_code_read_position(NULL, &at));
}

#define READ_TEST(name) cmocka_unit_test_teardown(name, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		READ_TEST(locations_come_alone_in_lists_and_as_links),
		READ_TEST(what_is_no_location_is_left_out),
		READ_TEST(texts_come_as_strings_markup_and_marked_strings),
		READ_TEST(kinds_are_words),
		READ_TEST(members_of_another_type_are_as_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
