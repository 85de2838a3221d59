#include "unit.h"

#include "wire/http1.h"

static struct dt_http_head head_of(const char *name, const char *value)
{
	struct dt_http_head head = { .header_count = 2 };

	head.headers[0] =
		(struct dt_http_header){ DT_STR("Host"), DT_STR("a") };
	head.headers[1] =
		(struct dt_http_header){ dt_str(name), dt_str(value) };
	return head;
}

static bool is_json(const char *value)
{
	struct dt_http_head head = head_of("Content-Type", value);

	return dt_http_is_type(&head, "application/json");
}

static bool accepts(const char *value)
{
	struct dt_http_head head = head_of("accept", value);

	return dt_http_accepts(&head, "text/event-stream");
}

test(the_type_of_a_body_is_known_without_its_parameters)
{
	struct dt_http_head none = { 0 };

	assert_true(is_json("application/json"));
	assert_true(is_json("Application/JSON ; charset=utf-8"));
	assert_false(is_json("application/jsonp"));
	assert_false(is_json("text/plain; application/json"));
	assert_false(is_json(""));
	assert_false(dt_http_is_type(&none, "application/json"));
}

test(a_type_is_accepted_by_its_name_or_by_a_range)
{
	struct dt_http_head none = { 0 };

	assert_true(accepts("text/event-stream"));
	assert_true(accepts("application/json, TEXT/event-stream;q=0.5"));
	assert_true(accepts("application/json,text/*"));
	assert_true(accepts("*/*"));
	assert_false(accepts("application/json"));
	assert_false(accepts("text"));
	assert_false(accepts("text/"));
	assert_false(accepts("texts/*"));
	assert_false(accepts("application/*"));
	assert_false(accepts(""));
	assert_false(dt_http_accepts(&none, "text/event-stream"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			the_type_of_a_body_is_known_without_its_parameters),
		cmocka_unit_test(a_type_is_accepted_by_its_name_or_by_a_range),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
