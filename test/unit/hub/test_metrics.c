/* test/unit/hub/test_metrics.c - twin of src/hub/metrics.c */
#include "hub/metrics.h"

#include "unit.h"

static const struct dt_tool one = { .name = "one" };
static const struct dt_tool two = { .name = "two" };

static void count(struct dt_metrics *m, const struct dt_tool *tool,
                  enum dt_call_status status, uint64_t took_us)
{
	struct dt_call_note note = { .tool = tool,
		                     .status = status,
		                     .took_us = took_us };

	dt_metrics_count_call(m, &note);
}

test(calls_are_counted_by_tool_and_status)
{
	struct dt_metrics m = { 0 };

	count(&m, &one, DT_CALL_DONE, 1);
	count(&m, &two, DT_CALL_FAILED, 1);
	count(&m, &one, DT_CALL_DONE, 1);
	count(&m, &one, DT_CALL_LATE, 1);
	assert_int_equal(m.tool_count, 2);
	assert_ptr_equal(m.tools[0].tool, &one);
	assert_int_equal(m.tools[0].by_status[DT_CALL_DONE], 2);
	assert_int_equal(m.tools[0].by_status[DT_CALL_LATE], 1);
	assert_int_equal(dt_tool_metric_calls(&m.tools[0]), 3);
	assert_int_equal(m.tools[1].by_status[DT_CALL_FAILED], 1);
	dt_metrics_done(&m);
	assert_int_equal(m.tool_count, 0);
}

/* Each status has its place, and a question to the agent is no failure. */
test(every_status_is_counted_and_most_are_failures)
{
	struct dt_metrics m = { 0 };
	size_t names = 0;

	while (dt_call_statuses[names])
		names++;
	assert_int_equal(names, DT_CALL_STATUS_COUNT);
	for (int i = 0; i < DT_CALL_STATUS_COUNT; i++)
		count(&m, &one, (enum dt_call_status)i, 1);
	assert_int_equal(dt_tool_metric_calls(&m.tools[0]),
	                 DT_CALL_STATUS_COUNT);
	assert_int_equal(dt_tool_metric_failed(&m.tools[0]),
	                 DT_CALL_STATUS_COUNT - 2);
	dt_metrics_done(&m);
}

test(a_time_is_in_the_first_bucket_it_does_not_exceed)
{
	struct dt_metrics m = { 0 };

	count(&m, &one, DT_CALL_DONE, 0);
	count(&m, &one, DT_CALL_DONE, 10);
	count(&m, &one, DT_CALL_DONE, 11);
	count(&m, &one, DT_CALL_DONE, 300000000);
	count(&m, &one, DT_CALL_DONE, 300000001);
	assert_int_equal(m.tools[0].buckets[0], 2);
	assert_int_equal(m.tools[0].buckets[1], 1);
	assert_int_equal(m.tools[0].buckets[DT_METRIC_BUCKETS - 1], 1);
	assert_int_equal(m.tools[0].buckets[DT_METRIC_BUCKETS], 1);
	assert_int_equal(m.tools[0].sum_us, 600000022);
	dt_metrics_done(&m);
}

test(what_was_refused_took_no_time)
{
	struct dt_metrics m = { 0 };

	count(&m, &one, DT_CALL_REFUSED, 0);
	assert_int_equal(dt_tool_metric_calls(&m.tools[0]), 1);
	assert_int_equal(m.tools[0].buckets[0], 0);
	assert_int_equal(dt_tool_metric_quantile(&m.tools[0], 0.5), 0);
	dt_metrics_done(&m);
}

test(buckets_grow)
{
	for (size_t i = 1; i < DT_METRIC_BUCKETS; i++)
		assert_true(dt_metric_bounds_us[i] >
		            dt_metric_bounds_us[i - 1]);
}

test(a_quantile_lies_in_the_right_bucket)
{
	struct dt_metrics m = { 0 };
	uint64_t p50;
	uint64_t p95;

	for (int i = 0; i < 90; i++)
		count(&m, &one, DT_CALL_DONE, 150); /* 100 ... 200 */
	for (int i = 0; i < 10; i++)
		count(&m, &one, DT_CALL_DONE, 7000); /* 5000 ... 10000 */
	p50 = dt_tool_metric_quantile(&m.tools[0], 0.5);
	p95 = dt_tool_metric_quantile(&m.tools[0], 0.95);
	assert_true(p50 > 100 && p50 <= 200);
	assert_true(p95 > 5000 && p95 <= 10000);
	count(&m, &two, DT_CALL_DONE, UINT32_MAX);
	assert_int_equal(dt_tool_metric_quantile(&m.tools[1], 0.5), 300000000);
	dt_metrics_done(&m);
}

test(a_limit_is_counted_by_its_key)
{
	struct dt_metrics m = { 0 };

	dt_metrics_count_limit(&m, "limits.calls");
	dt_metrics_count_limit(&m, "limits.requests_a_minute");
	dt_metrics_count_limit(&m, "limits.requests_a_minute");
	dt_metrics_count_limit(&m, "limits.other");
	dt_metrics_count_limit(&m, "calls");
	assert_int_equal(m.hits[DT_HIT_CALLS], 1);
	assert_int_equal(m.hits[DT_HIT_REQUESTS], 2);
	dt_metrics_done(&m);
}

test(every_limit_has_a_name_of_its_own)
{
	for (int i = 0; i < DT_HIT_COUNT; i++) {
		assert_true(dt_hit_names[i][0]);
		for (int k = 0; k < i; k++)
			assert_string_not_equal(dt_hit_names[i],
			                        dt_hit_names[k]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(calls_are_counted_by_tool_and_status),
		cmocka_unit_test(every_status_is_counted_and_most_are_failures),
		cmocka_unit_test(
			a_time_is_in_the_first_bucket_it_does_not_exceed),
		cmocka_unit_test(what_was_refused_took_no_time),
		cmocka_unit_test(buckets_grow),
		cmocka_unit_test(a_quantile_lies_in_the_right_bucket),
		cmocka_unit_test(a_limit_is_counted_by_its_key),
		cmocka_unit_test(every_limit_has_a_name_of_its_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
