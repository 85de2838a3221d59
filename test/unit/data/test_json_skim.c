#include "unit.h"

#include "data/json_skim.h"

#include <stdio.h>
#include <stdlib.h>

/* The members of a text, written "key=value;" one after the other. */
static const char *members(const char *text, bool *out_broken)
{
	static char out[512];
	struct dt_json_skim skim;
	struct dt_str value;
	struct dt_str key;
	size_t len = 0;

	out[0] = '\0';
	if (!dt_json_skim(&skim, dt_str(text)))
		return "no container";
	while (dt_json_skim_next(&skim, &key, &value))
		len += (size_t)snprintf(out + len, sizeof(out) - len,
		                        "%.*s=%.*s;", DT_STR_ARG(key),
		                        DT_STR_ARG(value));
	*out_broken = skim.is_broken;
	return out;
}

static void assert_members(const char *text, const char *expected)
{
	bool is_broken;

	assert_string_equal(members(text, &is_broken), expected);
	assert_false(is_broken);
}

static void assert_broken(const char *text)
{
	bool is_broken = false;

	members(text, &is_broken);
	assert_true(is_broken);
}

test(members_of_an_object_are_as_they_stand)
{
	assert_members(" {\"a\" : 1, \"b\":[{\"c\":\"]}\"}] ,\"\":null }",
	               "\"a\"=1;\"b\"=[{\"c\":\"]}\"}];\"\"=null;");
	assert_members("{}", "");
	assert_members("{\"a\":\"\\\"\\\\\"}", "\"a\"=\"\\\"\\\\\";");
	assert_members("{\"a\":-1.5e3}", "\"a\"=-1.5e3;");
}

test(members_of_an_array_have_no_key)
{
	assert_members("[1,\"a,b\",{\"x\":[]}]", "=1;=\"a,b\";={\"x\":[]};");
	assert_members("[ ]", "");
}

test(what_is_no_container_is_not_skimmed)
{
	bool is_broken;

	assert_string_equal(members("", &is_broken), "no container");
	assert_string_equal(members("7", &is_broken), "no container");
	assert_string_equal(members("  \"{\"", &is_broken), "no container");
}

test(text_that_ends_early_is_broken)
{
	assert_broken("{");
	assert_broken("[");
	assert_broken("{\"a");
	assert_broken("{\"a\"");
	assert_broken("{\"a\":");
	assert_broken("{\"a\":1");
	assert_broken("{\"a\":\"\\");
	assert_broken("{\"a\":[{}");
	assert_broken("{1:2}");
	assert_broken("{\"a\" 1}");
	assert_broken("[1 2]");
	assert_broken("[,]");
}

/* Every beginning of a text, in memory that ends with it. */
test(no_byte_behind_the_text_is_read)
{
	static const char text[] = "{\"id\":1,\"x\":[\"a\\\\\",{\"b\":true}]}";

	for (size_t len = 0; len < sizeof(text); len++) {
		char *copy = malloc(len + 1);
		struct dt_str key;
		struct dt_str value;
		struct dt_json_skim skim;
		struct dt_str part = { copy, len };

		assert_non_null(copy);
		memcpy(copy, text, len);
		copy = realloc(copy, len ? len : 1);
		part.ptr = copy;
		if (dt_json_skim(&skim, part)) {
			while (dt_json_skim_next(&skim, &key, &value))
				assert_true(value.ptr + value.len <=
				            copy + len);
		}
		free(copy);
	}
}

test(a_member_is_found_by_its_name)
{
	struct dt_str text = DT_STR("{\"id\":7,\"params\":{\"id\":8}}");

	assert_str(dt_json_skim_get(text, "id"), "7");
	assert_str(dt_json_skim_get(dt_json_skim_get(text, "params"), "id"),
	           "8");
	assert_null(dt_json_skim_get(text, "i").ptr);
	assert_null(dt_json_skim_get(DT_STR("[1]"), "id").ptr);
	assert_null(dt_json_skim_get((struct dt_str){ 0 }, "id").ptr);
}

test(the_key_that_comes_next_can_be_known_before_its_value)
{
	struct dt_json_skim skim;
	struct dt_str value;
	struct dt_str key;

	assert_true(dt_json_skim(&skim, DT_STR("{ \"a\":1, \"bc\":[")));
	assert_true(dt_json_skim_is_next(&skim, "a"));
	assert_false(dt_json_skim_is_next(&skim, "bc"));
	assert_true(dt_json_skim_next(&skim, &key, &value));
	assert_false(dt_json_skim_is_next(&skim, "b"));
	assert_true(dt_json_skim_is_next(&skim, "bc"));
	assert_true(dt_json_skim(&skim, DT_STR("[\"a\"]")));
	assert_false(dt_json_skim_is_next(&skim, "a"));
	assert_true(dt_json_skim(&skim, (struct dt_str){ "{\"a\"", 3 }));
	assert_false(dt_json_skim_is_next(&skim, "a"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(members_of_an_object_are_as_they_stand),
		cmocka_unit_test(members_of_an_array_have_no_key),
		cmocka_unit_test(what_is_no_container_is_not_skimmed),
		cmocka_unit_test(text_that_ends_early_is_broken),
		cmocka_unit_test(no_byte_behind_the_text_is_read),
		cmocka_unit_test(a_member_is_found_by_its_name),
		cmocka_unit_test(
			the_key_that_comes_next_can_be_known_before_its_value),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
