/* Each kind decoded, each refusal in its words, defaults, what counts as big. */
#include "unit.h"

#include "data/field.h"
#include "shapes.h"

#include <stdlib.h>

static const struct dt_field all_fields[] = ALL_FIELDS(0);
static const struct dt_shape all_shape = DT_SHAPE(struct all, all_fields);

static enum dt_err decode_in(const struct dt_shape *shape,
                             struct dt_arena *arena, const char *text,
                             const char *folder, void *out,
                             struct dt_fail *fail)
{
	struct dt_arena scratch = { 0 };
	const struct dt_json *json = NULL;
	char *copy = dt_strdup(text);
	enum dt_err err;

	assert_ok(dt_json_read(&scratch, dt_str(copy), &json, NULL));
	err = folder ? dt_shape_read_in(shape, arena, json, folder, out, fail)
	             : dt_shape_read(shape, arena, json, out, fail);
	/* Gone, so that whatever points into the text shows. */
	dt_arena_done(&scratch);
	free(copy);
	return err;
}

static enum dt_err decode(const struct dt_shape *shape, struct dt_arena *arena,
                          const char *text, void *out, struct dt_fail *fail)
{
	return decode_in(shape, arena, text, NULL, out, fail);
}

static struct all decode_all(struct dt_arena *arena, const char *text)
{
	struct all all = { 0 };

	assert_ok(decode(&all_shape, arena, text, &all, NULL));
	return all;
}

static void refused(const struct dt_shape *shape, const char *text,
                    const char *message)
{
	struct dt_arena arena = { 0 };
	struct dt_fail fail = { 0 };
	struct all all = { 0 };

	assert_true(shape->size <= sizeof(all));
	assert_int_equal(decode(shape, &arena, text, &all, &fail), DT_E_ARGS);
	assert_string_equal(fail.msg, message);
	assert_int_equal(fail.code, DT_E_ARGS);
	dt_arena_done(&arena);
}

/* The example of the house: openFile's arguments. */
struct open {
	const char *path;
	uint32_t line;
	bool preview;
};

static const struct dt_field open_fields[] = {
	DT_FIELD(struct open, path, PATH, DT_REQ, "File."),
	DT_FIELD(struct open, line, U32, 0, "Line."),
	DT_FIELD(struct open, preview, BOOL, 0, "Preview.", .def = "true"),
	DT_FIELD_END,
};
static const struct dt_shape open_shape = DT_SHAPE(struct open, open_fields);

test(refusals_name_the_field)
{
	refused(&open_shape, "{\"line\":12}", "path: missing");
	refused(&open_shape, "{\"path\":\"b.c\"}",
	        "path: not an absolute path");
	refused(&open_shape, "{\"path\":\"/a\",\"line\":\"x\"}",
	        "line: expected integer");
	refused(&open_shape, "{\"path\":\"/a\",\"preview\":1}",
	        "preview: expected boolean");
}

test(an_absent_object_is_an_empty_one)
{
	struct dt_arena arena = { 0 };
	struct dt_fail fail = { 0 };
	struct open open = { 0 };
	struct all all = { 0 };

	assert_int_equal(dt_shape_read(&open_shape, &arena, NULL, &open, &fail),
	                 DT_E_ARGS);
	assert_string_equal(fail.msg, "path: missing");
	assert_ok(dt_shape_read(&all_shape, &arena, NULL, &all, NULL));
	dt_arena_done(&arena);
}

test(only_an_object_is_decoded)
{
	refused(&open_shape, "[]", "expected object");
	refused(&open_shape, "null", "expected object");
	refused(&open_shape, "\"path\"", "expected object");
}

test(every_kind_is_decoded)
{
	struct dt_arena arena = { 0 };
	struct all all = decode_all(
		&arena,
		"{\"text\":\"a\\u0000b\",\"name\":\"n\\n\",\"path\":\"/p q\","
		"\"flag\":true,\"u32\":4294967295,\"maybe\":0,"
		"\"i64\":-9223372036854775808,\"mode\":\"pl\\u0061n\","
		"\"raw\":{ \"x\" : 1.50 },\"names\":[\"a\",\"\"],"
		"\"paths\":[\"/b\",\"file:///c%20d\"],"
		"\"edits\":[{\"path\":\"/e\",\"text\":\"t\","
		"\"start\":{\"line\":3}},{\"path\":\"/f\"}],"
		"\"at\":{\"line\":1,\"column\":2}}");
	const struct edit *edits = all.edits.ptr;

	assert_str(all.text, "a\0b");
	assert_string_equal(all.name, "n\n");
	assert_string_equal(all.path, "/p q");
	assert_true(all.flag);
	assert_int_equal(all.u32, UINT32_MAX);
	assert_true(all.maybe.is_set);
	assert_int_equal(all.maybe.value, 0);
	assert_true(all.i64 == INT64_MIN);
	assert_int_equal(all.mode, MODE_PLAN);
	assert_str(all.raw, "{ \"x\" : 1.50 }");
	assert_int_equal(all.names.count, 2);
	assert_string_equal(all.names.ptr[0], "a");
	assert_string_equal(all.names.ptr[1], "");
	assert_int_equal(all.paths.count, 2);
	assert_string_equal(all.paths.ptr[0], "/b");
	assert_string_equal(all.paths.ptr[1], "/c d");
	assert_int_equal(all.edits.count, 2);
	assert_string_equal(edits[0].path, "/e");
	assert_str(edits[0].text, "t");
	assert_int_equal(edits[0].start.line, 3);
	assert_int_equal(edits[0].start.column, 7);
	assert_string_equal(edits[1].path, "/f");
	assert_null(edits[1].text.ptr);
	assert_int_equal(all.at.line, 1);
	assert_int_equal(all.at.column, 2);
	dt_arena_done(&arena);
}

test(what_is_absent_stays_zero_or_takes_its_default)
{
	struct dt_arena arena = { 0 };
	struct all all = decode_all(&arena, "{\"unknown\":1}");
	struct open open = { 0 };

	assert_null(all.text.ptr);
	assert_null(all.name);
	assert_false(all.maybe.is_set);
	assert_null(all.raw.ptr);
	assert_null(all.names.ptr);
	assert_int_equal(all.edits.count, 0);
	/* Members of an object that is not there have no default either. */
	assert_int_equal(all.at.line, 0);
	assert_int_equal(all.at.column, 0);
	assert_ok(decode(&open_shape, &arena, "{\"path\":\"/\"}", &open, NULL));
	assert_true(open.preview);
	assert_ok(decode(&open_shape, &arena,
	                 "{\"path\":\"/\",\"preview\":false}", &open, NULL));
	assert_false(open.preview);
	dt_arena_done(&arena);
}

test(null_counts_as_absent_where_it_can)
{
	struct dt_arena arena = { 0 };
	struct open open = { 0 };
	struct all all = decode_all(
		&arena,
		"{\"text\":null,\"name\":null,\"path\":null,\"flag\":null,"
		"\"u32\":null,\"maybe\":null,\"i64\":null,\"mode\":null,"
		"\"raw\":null,\"names\":null,\"paths\":null,\"edits\":null,"
		"\"at\":null}");

	assert_null(all.text.ptr);
	assert_false(all.maybe.is_set);
	assert_str(all.raw, "null");
	assert_int_equal(all.at.column, 0);
	assert_ok(decode(&open_shape, &arena,
	                 "{\"path\":\"/\",\"preview\":null}", &open, NULL));
	assert_true(open.preview);
	dt_arena_done(&arena);
	refused(&open_shape, "{\"path\":null}", "path: expected string");
}

test(an_empty_string_is_not_an_absent_one)
{
	struct dt_arena arena = { 0 };
	struct all all = decode_all(&arena, "{\"text\":\"\",\"names\":[]}");

	assert_non_null(all.text.ptr);
	assert_int_equal(all.text.len, 0);
	assert_int_equal(all.names.count, 0);
	dt_arena_done(&arena);
}

test(wrong_types_are_refused)
{
	refused(&all_shape, "{\"text\":1}", "text: expected string");
	refused(&all_shape, "{\"name\":[]}", "name: expected string");
	refused(&all_shape, "{\"path\":{}}", "path: expected string");
	refused(&all_shape, "{\"flag\":\"true\"}", "flag: expected boolean");
	refused(&all_shape, "{\"u32\":true}", "u32: expected integer");
	refused(&all_shape, "{\"u32\":1.0}", "u32: expected integer");
	refused(&all_shape, "{\"u32\":1E2}", "u32: expected integer");
	refused(&all_shape, "{\"maybe\":\"1\"}", "maybe: expected integer");
	refused(&all_shape, "{\"i64\":1e2}", "i64: expected integer");
	refused(&all_shape, "{\"mode\":1}", "mode: expected string");
	refused(&all_shape, "{\"names\":\"a\"}", "names: expected array");
	refused(&all_shape, "{\"names\":{}}", "names: expected array");
	refused(&all_shape, "{\"paths\":1}", "paths: expected array");
	refused(&all_shape, "{\"edits\":{}}", "edits: expected array");
	refused(&all_shape, "{\"at\":[]}", "at: expected object");
}

test(numbers_that_do_not_fit_are_refused)
{
	refused(&all_shape, "{\"u32\":-1}", "u32: out of range");
	refused(&all_shape, "{\"u32\":4294967296}", "u32: out of range");
	refused(&all_shape, "{\"maybe\":99999999999999999999}",
	        "maybe: out of range");
	refused(&all_shape, "{\"i64\":9223372036854775808}",
	        "i64: out of range");
}

test(a_nul_is_refused_where_c_strings_end)
{
	refused(&all_shape, "{\"name\":\"a\\u0000\"}",
	        "name: contains a NUL character");
	refused(&all_shape, "{\"path\":\"/a\\u0000b\"}",
	        "path: contains a NUL character");
	refused(&all_shape, "{\"names\":[\"a\",\"\\u0000\"]}",
	        "names[1]: contains a NUL character");
}

test(paths_are_absolute_or_file_uris)
{
	struct dt_arena arena = { 0 };

	refused(&all_shape, "{\"path\":\"\"}", "path: not an absolute path");
	refused(&all_shape, "{\"path\":\"http://a/b\"}",
	        "path: not an absolute path");
	refused(&all_shape, "{\"paths\":[\"/a\",\"./b\"]}",
	        "paths[1]: not an absolute path");
	assert_string_equal(
		decode_all(&arena, "{\"path\":\"file:///a%20b\"}").path,
		"/a b");
	assert_string_equal(decode_all(&arena, "{\"path\":\"/a%20b\"}").path,
	                    "/a%20b");
	dt_arena_done(&arena);
}

test(paths_that_are_not_absolute_begin_in_a_folder)
{
	struct dt_arena arena = { 0 };
	struct dt_fail fail = { 0 };
	struct all out = { 0 };

	assert_ok(decode_in(&all_shape, &arena,
	                    "{\"path\":\"a/../b.c\",\"paths\":[\"/c\",\"d\"]}",
	                    "/top", &out, NULL));
	assert_string_equal(out.path, "/top/b.c");
	assert_string_equal(out.paths.ptr[0], "/c");
	assert_string_equal(out.paths.ptr[1], "/top/d");
	assert_int_equal(decode_in(&all_shape, &arena, "{\"path\":\"x://y\"}",
	                           "/top", &out, &fail),
	                 DT_E_ARGS);
	assert_string_equal(fail.msg, "path: not an absolute path");
	dt_arena_done(&arena);
}

/* The URI has a refusal of its own; what matters is whose it is. */
test(a_wrong_file_uri_is_refused_with_its_field)
{
	struct dt_arena arena = { 0 };
	struct dt_fail fail = { 0 };
	struct all all = { 0 };

	assert_int_equal(decode(&all_shape, &arena,
	                        "{\"path\":\"file:///a%00b\"}", &all, &fail),
	                 DT_E_ARGS);
	assert_memory_equal(fail.msg, "path: ", 6);
	assert_non_null(strstr(fail.msg, "NUL"));
	dt_arena_done(&arena);
}

test(an_enum_takes_its_names_and_no_other)
{
	struct dt_arena arena = { 0 };

	assert_int_equal(decode_all(&arena, "{\"mode\":\"ask\"}").mode,
	                 MODE_ASK);
	assert_int_equal(decode_all(&arena, "{\"mode\":\"auto\"}").mode,
	                 MODE_AUTO);
	dt_arena_done(&arena);
	refused(&all_shape, "{\"mode\":\"Ask\"}",
	        "mode: expected one of ask, auto, plan");
	refused(&all_shape, "{\"mode\":\"\"}",
	        "mode: expected one of ask, auto, plan");
}

test(refusals_inside_tell_the_whole_way)
{
	refused(&all_shape, "{\"at\":{}}", "at.line: missing");
	refused(&all_shape, "{\"edits\":[{\"path\":\"/a\"},{}]}",
	        "edits[1].path: missing");
	refused(&all_shape,
	        "{\"edits\":[{\"path\":\"/a\",\"start\":{\"line\":\"x\"}}]}",
	        "edits[0].start.line: expected integer");
	refused(&all_shape, "{\"edits\":[1]}", "edits[0]: expected object");
	refused(&all_shape, "{\"edits\":[null]}", "edits[0]: expected object");
	refused(&all_shape, "{\"names\":[1]}", "names[0]: expected string");
}

test(only_a_strict_shape_refuses_unknown_members)
{
	const struct dt_shape strict = {
		.size = sizeof(struct open),
		.fields = open_fields,
		.is_strict = true,
	};
	struct dt_arena arena = { 0 };
	struct open open = { 0 };

	assert_ok(decode(&open_shape, &arena, "{\"path\":\"/\",\"x\":1}", &open,
	                 NULL));
	assert_ok(
		decode(&strict, &arena, "{\"p\\u0061th\":\"/\"}", &open, NULL));
	dt_arena_done(&arena);
	refused(&strict, "{\"path\":\"/\",\"x\":1}", "x: unknown");
	refused(&strict, "{\"path\":\"/\",\"\\u0000\":1}", "\\u0000: unknown");
}

test(the_name_of_an_unknown_member_is_cut)
{
	const struct dt_shape strict = {
		.fields = dt_no_fields,
		.is_strict = true,
	};
	char text[400] = "{\"";

	memset(text + 2, 'k', 300);
	memcpy(text + 302, "\":1}", sizeof("\":1}"));
	refused(&strict, text,
	        "kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk"
	        "kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk"
	        ": unknown");
}

test(of_members_given_twice_the_first_counts)
{
	struct dt_arena arena = { 0 };

	assert_int_equal(decode_all(&arena, "{\"u32\":1,\"u32\":2}").u32, 1);
	dt_arena_done(&arena);
}

test(a_shape_without_fields_takes_any_object)
{
	const struct dt_shape empty = DT_SHAPE_EMPTY;
	struct dt_arena arena = { 0 };

	assert_ok(decode(&empty, &arena, "{\"a\":1}", NULL, NULL));
	assert_ok(dt_shape_read(&empty, &arena, NULL, NULL, NULL));
	dt_arena_done(&arena);
}

static size_t small_bytes(const struct dt_shape *shape, const char *text)
{
	struct dt_arena arena = { 0 };
	const struct dt_json *json = NULL;
	size_t bytes;

	assert_ok(dt_json_read(&arena, dt_str(text), &json, NULL));
	bytes = dt_shape_small_bytes(shape, json);
	dt_arena_done(&arena);
	return bytes;
}

test(file_texts_are_not_counted)
{
	assert_int_equal(small_bytes(&edit_shape, "{\"text\":\"12345678\"}"),
	                 strlen("{\"text\":}"));
	assert_int_equal(small_bytes(&edit_shape, "{\"path\":\"12345678\"}"),
	                 strlen("{\"path\":\"12345678\"}"));
	assert_int_equal(small_bytes(&edit_shape, " {\"other\" : [1, 2]} "),
	                 strlen("{\"other\" : [1, 2]}"));
	assert_int_equal(dt_shape_small_bytes(&edit_shape, NULL), 0);
	assert_int_equal(small_bytes(&edit_shape, "[1]"), 3);
}

test(file_texts_inside_are_not_counted_either)
{
	assert_int_equal(
		small_bytes(&all_shape,
	                    "{\"edits\":[{\"text\":\"123\",\"x\":1},"
	                    "{\"text\":\"4567\"}, 8],\"at\":{\"text\":\"9\"}}"),
		strlen("{\"edits\":[{\"text\":,\"x\":1},"
	               "{\"text\":}, 8],\"at\":{\"text\":\"9\"}}"));
	assert_int_equal(
		small_bytes(&all_shape, "{\"edits\":{\"text\":\"1\"}}"),
		strlen("{\"edits\":{\"text\":\"1\"}}"));
}

/* Else a peer could hide as much as it likes behind the first. */
test(only_the_first_of_several_file_texts_is_left_out)
{
	assert_int_equal(
		small_bytes(&edit_shape, "{\"text\":\"12\",\"text\":\"34\"}"),
		strlen("{\"text\":,\"text\":\"34\"}"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refusals_name_the_field),
		cmocka_unit_test(an_absent_object_is_an_empty_one),
		cmocka_unit_test(only_an_object_is_decoded),
		cmocka_unit_test(every_kind_is_decoded),
		cmocka_unit_test(
			what_is_absent_stays_zero_or_takes_its_default),
		cmocka_unit_test(null_counts_as_absent_where_it_can),
		cmocka_unit_test(an_empty_string_is_not_an_absent_one),
		cmocka_unit_test(wrong_types_are_refused),
		cmocka_unit_test(numbers_that_do_not_fit_are_refused),
		cmocka_unit_test(a_nul_is_refused_where_c_strings_end),
		cmocka_unit_test(paths_are_absolute_or_file_uris),
		cmocka_unit_test(paths_that_are_not_absolute_begin_in_a_folder),
		cmocka_unit_test(a_wrong_file_uri_is_refused_with_its_field),
		cmocka_unit_test(an_enum_takes_its_names_and_no_other),
		cmocka_unit_test(refusals_inside_tell_the_whole_way),
		cmocka_unit_test(only_a_strict_shape_refuses_unknown_members),
		cmocka_unit_test(the_name_of_an_unknown_member_is_cut),
		cmocka_unit_test(of_members_given_twice_the_first_counts),
		cmocka_unit_test(a_shape_without_fields_takes_any_object),
		cmocka_unit_test(file_texts_are_not_counted),
		cmocka_unit_test(file_texts_inside_are_not_counted_either),
		cmocka_unit_test(
			only_the_first_of_several_file_texts_is_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
