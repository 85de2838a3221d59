/* test/unit/wire/test_sse.c - events as a browser's reader would see them. */
#include "unit.h"

#include "base/limits.h"
#include "wire/sse.h"

static void check(const char *event, const char *id, struct dt_str data,
                  const char *want)
{
	struct dt_buf out;

	dt_buf_init(&out, DT_KIB);
	dt_sse_write(&out, event, id, data);
	assert_string_equal(dt_buf_z(&out), want);
	dt_buf_done(&out);
}

test(an_event_is_its_fields_and_an_empty_line)
{
	check("message", "17", DT_STR("{\"a\":1}"),
	      "event: message\nid: 17\ndata: {\"a\":1}\n\n");
	check(NULL, NULL, DT_STR("x"), "data: x\n\n");
	check("e", NULL, DT_STR("x"), "event: e\ndata: x\n\n");
	check(NULL, "i", DT_STR("x"), "id: i\ndata: x\n\n");
}

test(every_line_of_data_gets_its_field)
{
	check(NULL, NULL, DT_STR("a\nb"), "data: a\ndata: b\n\n");
	check(NULL, NULL, DT_STR("a\n\nb"), "data: a\ndata: \ndata: b\n\n");
	check(NULL, NULL, DT_STR("a\n"), "data: a\ndata: \n\n");
	check(NULL, NULL, DT_STR("\na"), "data: \ndata: a\n\n");
}

test(every_kind_of_line_end_is_one)
{
	check(NULL, NULL, DT_STR("a\rb"), "data: a\ndata: b\n\n");
	check(NULL, NULL, DT_STR("a\r\nb"), "data: a\ndata: b\n\n");
	check(NULL, NULL, DT_STR("a\n\rb"), "data: a\ndata: \ndata: b\n\n");
	check(NULL, NULL, DT_STR("a\r\r\n"), "data: a\ndata: \ndata: \n\n");
	check(NULL, NULL, DT_STR("a\r"), "data: a\ndata: \n\n");
}

test(data_cannot_pose_as_another_event)
{
	check(NULL, NULL, DT_STR("x\r\revent: y\r\rdata: z"),
	      "data: x\ndata: \ndata: event: y\ndata: \ndata: data: z\n\n");
}

test(empty_data_is_still_an_event)
{
	check(NULL, "1", (struct dt_str){ 0 }, "id: 1\ndata: \n\n");
	check(NULL, NULL, DT_STR(""), "data: \n\n");
}

test(a_leading_blank_survives_the_reader)
{
	check(NULL, NULL, DT_STR(" x"), "data:  x\n\n");
}

test(retry_and_comment_stand_alone)
{
	struct dt_buf out;

	dt_buf_init(&out, DT_KIB);
	dt_sse_write_retry(&out, 4294967295u);
	dt_sse_write_comment(&out, "still here");
	assert_string_equal(dt_buf_z(&out),
	                    "retry: 4294967295\n\n: still here\n\n");
	dt_buf_done(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_event_is_its_fields_and_an_empty_line),
		cmocka_unit_test(every_line_of_data_gets_its_field),
		cmocka_unit_test(every_kind_of_line_end_is_one),
		cmocka_unit_test(data_cannot_pose_as_another_event),
		cmocka_unit_test(empty_data_is_still_an_event),
		cmocka_unit_test(a_leading_blank_survives_the_reader),
		cmocka_unit_test(retry_and_comment_stand_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
