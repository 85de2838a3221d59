#include "unit.h"

#include "app/tool_args.h"

static struct dt_arena arena;
static struct dt_fail why;

static int start(void **state)
{
	(void)state;
	why = (struct dt_fail){ 0 };
	return 0;
}

static int stop(void **state)
{
	(void)state;
	dt_arena_done(&arena);
	return 0;
}

#define WORDS(...) ((char *[]){ __VA_ARGS__, NULL })

static enum dt_err read(char *const *words, struct dt_str *out)
{
	static const char text[] =
		"{\"type\":\"object\",\"properties\":{"
		"\"s\":{\"type\":\"string\"},\"n\":{\"type\":\"integer\"},"
		"\"b\":{\"type\":\"boolean\"},\"o\":{\"type\":\"object\"},"
		"\"a\":{\"type\":\"array\",\"items\":{\"type\":\"number\"}},"
		"\"t\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}},"
		"\"m\":{\"type\":[\"integer\",\"null\"]},\"x\":{}}}";
	const struct dt_json *schema;

	assert_ok(dt_json_read(&arena, dt_str(text), &schema, NULL));
	return dt_tool_args_read(&arena, schema, words, out, &why);
}

static void assert_read(char *const *words, const char *json)
{
	struct dt_str out = { 0 };

	assert_ok(read(words, &out));
	assert_string_equal(dt_arena_strndup(&arena, out.ptr, out.len), json);
}

static void assert_refused(char *const *words, const char *sentence)
{
	struct dt_str out;

	why = (struct dt_fail){ 0 };
	assert_int_equal(read(words, &out), DT_E_ARGS);
	assert_string_equal(why.msg, sentence);
}

test(values_get_the_type_of_the_schema)
{
	assert_read(WORDS("s=1", "n=1", "b=true"),
	            "{\"s\":\"1\",\"n\":1,\"b\":true}");
	assert_read(WORDS("s=", "o={\"a\": 1}"),
	            "{\"s\":\"\",\"o\":{\"a\": 1}}");
	assert_read(WORDS("m=null", "x=a=b \"c\""),
	            "{\"m\":null,\"x\":\"a=b \\\"c\\\"\"}");
	assert_read((char *[]){ NULL }, "{}");
}

test(a_list_is_made_by_repetition)
{
	assert_read(WORDS("a=1", "s=x", "a=2.5", "t=7"),
	            "{\"a\":[1,2.5],\"s\":\"x\",\"t\":[\"7\"]}");
	/* Or given at once. */
	assert_read(WORDS("t=[\"a b\",\"\"]"), "{\"t\":[\"a b\",\"\"]}");
	assert_read(WORDS("t=[a", "a=[]"), "{\"t\":[\"[a\"],\"a\":[]}");
	assert_read(WORDS("t=[1]", "t=x"), "{\"t\":[\"[1]\",\"x\"]}");
}

test(what_does_not_fit_is_refused)
{
	assert_refused(WORDS("n=x"), "n is of type integer, not \"x\"");
	assert_refused(WORDS("n=\"1\""), "n is of type integer, not \"\"1\"\"");
	assert_refused(WORDS("b=1,\"s\":2"),
	               "b is of type boolean, not \"1,\"s\":2\"");
	assert_refused(WORDS("b=1"), "b is of type boolean, not \"1\"");
	assert_refused(WORDS("o=[]"), "o is of type object, not \"[]\"");
	assert_refused(WORDS("a=1", "a=z"), "a is of type number, not \"z\"");
	assert_refused(WORDS("s=1", "s=2"), "s is one value, and given twice");
	assert_refused(WORDS("y=1"), "there is no argument \"y\", but s, n, b, "
	                             "o, a, t, m, x");
	assert_refused(WORDS("s"),
	               "\"s\" is not KEY=VALUE, nor is it one JSON object");
	assert_refused(WORDS("=1"),
	               "\"=1\" is not KEY=VALUE, nor is it one JSON object");
}

#define entry(name) cmocka_unit_test_setup_teardown(name, start, stop)

int main(void)
{
	const struct CMUnitTest tests[] = {
		entry(values_get_the_type_of_the_schema),
		entry(a_list_is_made_by_repetition),
		entry(what_does_not_fit_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
