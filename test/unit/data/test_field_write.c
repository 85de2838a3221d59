/* Each kind encoded, what is left out, and the way back. */
#include "unit.h"

#include "base/limits.h"
#include "data/field.h"
#include "shapes.h"

static const struct dt_field all_fields[] = ALL_FIELDS(0);
static const struct dt_shape all_shape = DT_SHAPE(struct all, all_fields);
static const struct dt_field omit_fields[] = ALL_FIELDS(DT_OMIT);
static const struct dt_shape omit_shape = DT_SHAPE(struct all, omit_fields);

static void assert_encoded(const struct dt_shape *shape, const void *in,
                           const char *expected)
{
	struct dt_json_out out;
	struct dt_buf buf;

	dt_buf_init(&buf, DT_MIB);
	out = dt_json_out(&buf);
	dt_shape_write(shape, in, &out);
	assert_string_equal(dt_buf_z(&buf), expected);
	dt_buf_done(&buf);
}

static const char full_text[] =
	"{\"text\":\"a\\u0000b\",\"name\":\"n\",\"path\":\"/p\",\"flag\":true,"
	"\"u32\":4294967295,\"maybe\":0,\"i64\":-9223372036854775808,"
	"\"mode\":\"plan\",\"raw\":[1.50,{}],\"names\":[\"a\",\"\"],"
	"\"paths\":[\"/b\"],\"edits\":[{\"path\":\"/e\",\"text\":\"t\","
	"\"start\":{\"line\":3,\"column\":0}},{\"path\":\"/f\",\"text\":null}],"
	"\"at\":{\"line\":1,\"column\":2}}";

static struct all full(void)
{
	static const char *names[] = { "a", "" };
	static const char *paths[] = { "/b" };
	static struct edit edits[] = {
		{ "/e", { "t", 1 }, { .line = 3 } },
		{ .path = "/f" },
	};

	return (struct all){
		.text = DT_STR("a\0b"),
		.name = "n",
		.path = "/p",
		.flag = true,
		.u32 = UINT32_MAX,
		.maybe = { .is_set = true },
		.i64 = INT64_MIN,
		.mode = MODE_PLAN,
		.raw = DT_STR("[1.50,{}]"),
		.names = { names, 2 },
		.paths = { paths, 1 },
		.edits = { edits, 2 },
		.at = { 1, 2 },
	};
}

test(every_kind_is_encoded)
{
	struct all all = full();

	assert_encoded(&all_shape, &all, full_text);
	assert_encoded(&omit_shape, &all, full_text);
}

test(what_is_absent_is_null_unless_it_is_omitted)
{
	struct all all = { 0 };

	assert_encoded(&all_shape, &all,
	               "{\"text\":null,\"name\":null,\"path\":null,"
	               "\"flag\":false,\"u32\":0,\"maybe\":null,\"i64\":0,"
	               "\"mode\":\"ask\",\"raw\":null,\"names\":[],"
	               "\"paths\":[],\"edits\":[],"
	               "\"at\":{\"line\":0,\"column\":0}}");
	assert_encoded(&omit_shape, &all, "{}");
}

test(what_is_empty_but_there_is_not_omitted)
{
	struct all all = {
		.text = DT_STR(""),
		.name = "",
		.maybe = { .is_set = true },
		.at = { .column = 1 },
	};

	assert_encoded(&omit_shape, &all,
	               "{\"text\":\"\",\"name\":\"\",\"maybe\":0,"
	               "\"at\":{\"line\":0,\"column\":1}}");
}

test(a_shape_without_fields_is_an_empty_object)
{
	const struct dt_shape empty = DT_SHAPE_EMPTY;

	assert_encoded(&empty, NULL, "{}");
}

test(what_was_encoded_decodes_to_the_same)
{
	struct dt_arena arena = { 0 };
	const struct dt_json *json = NULL;
	struct all all = { 0 };

	assert_ok(dt_json_read(&arena, DT_STR(full_text), &json, NULL));
	assert_ok(dt_shape_read(&all_shape, &arena, json, &all, NULL));
	assert_encoded(&all_shape, &all, full_text);
	dt_arena_done(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_kind_is_encoded),
		cmocka_unit_test(what_is_absent_is_null_unless_it_is_omitted),
		cmocka_unit_test(what_is_empty_but_there_is_not_omitted),
		cmocka_unit_test(a_shape_without_fields_is_an_empty_object),
		cmocka_unit_test(what_was_encoded_decodes_to_the_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
