/* test/unit/editor/test_bridge.c - twin of src/editor/bridge.c */
#include "editor/bridge.h"

#include "editor/operation.h"
#include "unit.h"

/* The operations whose fields are there. */
static const struct dt_operation *const operations[] = {
	&dt_op_get_status,       &dt_op_list_activity, &dt_op_wait_activity,
	&dt_op_get_capabilities, &dt_op_search_tools,
};

static void check_docs(const struct dt_shape *shape)
{
	for (const struct dt_field *f = shape->fields; f->name; f++) {
		assert_true(f->doc && f->doc[0]);
		if (f->type == DT_T_ITEMS)
			check_docs(f->shape);
	}
}

test(every_field_says_what_it_means)
{
	for (size_t i = 0; i < 5; i++) {
		check_docs(&operations[i]->args);
		check_docs(&operations[i]->result);
	}
}

test(what_is_not_there_is_left_out)
{
	struct dt_search_tools_result result = { .matched = 3 };
	struct dt_activity_item item = {
		.id = 1, .at = "t", .kind = "call", .what = "x"
	};
	struct dt_activity_result activity = { .entries = { &item, 1 } };
	struct dt_json_out out;
	struct dt_buf buf;

	dt_buf_init(&buf, 1000);
	out = dt_json_out(&buf);
	dt_shape_write(&dt_op_search_tools.result, &result, &out);
	assert_string_equal(dt_buf_z(&buf),
	                    "{\"tools\":[],\"totalMatched\":3}");
	dt_buf_clear(&buf);
	out = dt_json_out(&buf);
	dt_shape_write(&dt_op_list_activity.result, &activity, &out);
	assert_string_equal(dt_buf_z(&buf),
	                    "{\"entries\":[{\"id\":1,\"at\":\"t\",\"kind\":"
	                    "\"call\",\"what\":\"x\"}],\"count\":0,\"lastId\":"
	                    "0,\"timedOut\":false}");
	dt_buf_done(&buf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_field_says_what_it_means),
		cmocka_unit_test(what_is_not_there_is_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
