/* The schema of each kind, word for word. */
#include "unit.h"

#include "base/limits.h"
#include "data/field.h"
#include "shapes.h"

static void assert_schema(const struct dt_field *fields, const char *expected)
{
	const struct dt_shape shape = { .fields = fields };
	struct dt_arena arena = { 0 };
	const struct dt_json *json;
	struct dt_json_out out;
	struct dt_buf buf;

	dt_buf_init(&buf, DT_MIB);
	out = dt_json_out(&buf);
	dt_shape_write_schema(&shape, &out);
	assert_string_equal(dt_buf_z(&buf), expected);
	assert_ok(dt_json_read(&arena, dt_buf_str(&buf), &json, NULL));
	dt_arena_done(&arena);
	dt_buf_done(&buf);
}

/* The schema of an object with the one optional member "x". */
#define assert_member(field, schema)                                           \
	do {                                                                   \
		const struct dt_field fields[] = { field, DT_FIELD_END };      \
                                                                               \
		assert_schema(fields, "{\"type\":\"object\",\"properties\":{"  \
		                      "\"x\":" schema                          \
		                      "},\"additionalProperties\":false}");    \
	} while (0)

#define X_FIELD(member, kind, ...)                                             \
	((struct dt_field)DT_FIELD_AS("x", struct all, member, kind, 0, "D.",  \
	                              __VA_ARGS__))

#define POINT_SCHEMA                                                           \
	"\"type\":\"object\",\"properties\":{"                                 \
	"\"line\":{\"type\":\"integer\",\"minimum\":0,"                        \
	"\"description\":\"0-based line.\"},"                                  \
	"\"column\":{\"type\":\"integer\",\"minimum\":0,\"default\":7}},"      \
	"\"required\":[\"line\"],\"additionalProperties\":false"

test(an_empty_shape_allows_nothing)
{
	assert_schema(dt_no_fields, "{\"type\":\"object\",\"properties\":{},"
	                            "\"additionalProperties\":false}");
}

test(scalars_have_their_types)
{
	assert_member(X_FIELD(text, STR),
	              "{\"type\":\"string\",\"description\":\"D.\"}");
	assert_member(X_FIELD(name, NAME),
	              "{\"type\":\"string\",\"description\":\"D.\"}");
	assert_member(X_FIELD(path, PATH),
	              "{\"type\":\"string\",\"description\":\"D.\"}");
	assert_member(X_FIELD(flag, BOOL),
	              "{\"type\":\"boolean\",\"description\":\"D.\"}");
	assert_member(X_FIELD(u32, U32), "{\"type\":\"integer\",\"minimum\":0,"
	                                 "\"description\":\"D.\"}");
	assert_member(X_FIELD(maybe, MAYBE_U32),
	              "{\"type\":\"integer\",\"minimum\":0,"
	              "\"description\":\"D.\"}");
	assert_member(X_FIELD(i64, I64),
	              "{\"type\":\"integer\",\"description\":\"D.\"}");
}

test(an_enum_lists_its_names)
{
	assert_member(X_FIELD(mode, ENUM, .names = mode_names),
	              "{\"type\":\"string\","
	              "\"enum\":[\"ask\",\"auto\",\"plan\"],"
	              "\"description\":\"D.\"}");
}

test(a_raw_value_may_be_anything)
{
	assert_member(X_FIELD(raw, RAW), "{\"description\":\"D.\"}");
}

test(arrays_tell_what_they_hold)
{
	assert_member(X_FIELD(names, NAMES),
	              "{\"type\":\"array\",\"items\":{\"type\":\"string\"},"
	              "\"description\":\"D.\"}");
	assert_member(X_FIELD(paths, PATHS),
	              "{\"type\":\"array\",\"items\":{\"type\":\"string\"},"
	              "\"description\":\"D.\"}");
	assert_member(X_FIELD(edits, ITEMS, .shape = &point_shape),
	              "{\"type\":\"array\",\"items\":{" POINT_SCHEMA "},"
	              "\"description\":\"D.\"}");
}

test(an_object_inside_has_a_schema_inside)
{
	const struct dt_field object = DT_FIELD_OBJECT(
		"x", struct all, at, struct point, point_shape, 0, "D.");

	assert_member(object, "{" POINT_SCHEMA ",\"description\":\"D.\"}");
}

test(shapes_nest_as_deep_as_they_are)
{
	assert_member(X_FIELD(edits, ITEMS, .shape = &edit_shape),
	              "{\"type\":\"array\",\"items\":{\"type\":\"object\","
	              "\"properties\":{\"path\":{\"type\":\"string\","
	              "\"description\":\"File to change.\"},"
	              "\"text\":{\"type\":\"string\","
	              "\"description\":\"New text.\"},"
	              "\"start\":{" POINT_SCHEMA
	              ",\"description\":\"Where.\"}},"
	              "\"required\":[\"path\"],"
	              "\"additionalProperties\":false},"
	              "\"description\":\"D.\"}");
}

test(defaults_are_told_as_they_stand)
{
	assert_member(X_FIELD(flag, BOOL, .def = "true"),
	              "{\"type\":\"boolean\",\"description\":\"D.\","
	              "\"default\":true}");
	assert_member(X_FIELD(names, NAMES, .def = "[\"a\"]"),
	              "{\"type\":\"array\",\"items\":{\"type\":\"string\"},"
	              "\"description\":\"D.\",\"default\":[\"a\"]}");
}

test(required_members_are_listed_in_order)
{
	const struct dt_field fields[] = {
		DT_FIELD(struct all, u32, U32, DT_REQ, NULL),
		DT_FIELD(struct all, flag, BOOL, 0, NULL),
		DT_FIELD(struct all, name, NAME, DT_REQ | DT_OMIT, NULL),
		DT_FIELD_END,
	};

	assert_schema(fields, "{\"type\":\"object\",\"properties\":{"
	                      "\"u32\":{\"type\":\"integer\",\"minimum\":0},"
	                      "\"flag\":{\"type\":\"boolean\"},"
	                      "\"name\":{\"type\":\"string\"}},"
	                      "\"required\":[\"u32\",\"name\"],"
	                      "\"additionalProperties\":false}");
}

test(every_kind_has_a_name)
{
	static const struct dt_field fields[] = ALL_FIELDS(0);
	static const char *const names[] = {
		"string",  "string",  "string", "boolean", "integer",
		"integer", "integer", "string", "any",     "array",
		"array",   "array",   "object",
	};
	size_t i = 0;

	for (; fields[i].name; i++)
		assert_string_equal(dt_field_type_name(&fields[i]), names[i]);
	assert_int_equal(i, sizeof(names) / sizeof(names[0]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_shape_allows_nothing),
		cmocka_unit_test(scalars_have_their_types),
		cmocka_unit_test(an_enum_lists_its_names),
		cmocka_unit_test(a_raw_value_may_be_anything),
		cmocka_unit_test(arrays_tell_what_they_hold),
		cmocka_unit_test(an_object_inside_has_a_schema_inside),
		cmocka_unit_test(shapes_nest_as_deep_as_they_are),
		cmocka_unit_test(defaults_are_told_as_they_stand),
		cmocka_unit_test(required_members_are_listed_in_order),
		cmocka_unit_test(every_kind_has_a_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
