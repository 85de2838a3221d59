/*
 * hub/metrics.c - calls counted and their times put into buckets.
 *
 * How it is told is metrics_text.c.  Counting is on the way of every call, so
 * it allocates only for a tool that was never called before.
 */
#include "hub/metrics.h"

#include "base/str.h"

#include <stdlib.h>

const char *const dt_hit_names[DT_HIT_COUNT] = {
#define X(name, text) text,
	DT_HIT_MAP(X)
#undef X
};

/* clang-format off */
const uint64_t dt_metric_bounds_us[DT_METRIC_BUCKETS] = {
	10, 20, 50,
	100, 200, 500,
	1000, 2000, 5000,
	10000, 20000, 50000,
	100000, 200000, 500000,
	1000000, 2000000, 5000000,
	10000000, 30000000, 60000000, 300000000,
};
/* clang-format on */

void dt_metrics_done(struct dt_metrics *metrics)
{
	free(metrics->tools);
	*metrics = (struct dt_metrics){ 0 };
}

static struct dt_tool_metric *find(struct dt_metrics *metrics,
                                   const struct dt_tool *tool)
{
	struct dt_tool_metric *added;

	for (size_t i = 0; i < metrics->tool_count; i++) {
		if (metrics->tools[i].tool == tool)
			return &metrics->tools[i];
	}
	metrics->tools =
		dt_realloc(metrics->tools,
	                   (metrics->tool_count + 1) * sizeof(*metrics->tools));
	added = &metrics->tools[metrics->tool_count++];
	*added = (struct dt_tool_metric){ .tool = tool };
	return added;
}

void dt_metrics_count_call(struct dt_metrics *metrics,
                           const struct dt_call_note *note)
{
	struct dt_tool_metric *metric = find(metrics, note->tool);
	size_t bucket = 0;

	metric->by_status[note->status]++;
	if (note->status == DT_CALL_REFUSED)
		return;
	while (bucket < DT_METRIC_BUCKETS &&
	       note->took_us > dt_metric_bounds_us[bucket])
		bucket++;
	metric->buckets[bucket]++;
	metric->sum_us += note->took_us;
}

void dt_metrics_count_limit(struct dt_metrics *metrics, const char *key)
{
	const char *dot = strchr(key, '.');

	for (int i = 0; dot && i < DT_HIT_COUNT; i++) {
		if (!strcmp(dot + 1, dt_hit_names[i]))
			metrics->hits[i]++;
	}
}

uint64_t dt_tool_metric_calls(const struct dt_tool_metric *metric)
{
	uint64_t calls = 0;

	for (size_t i = 0; i < DT_CALL_STATUS_COUNT; i++)
		calls += metric->by_status[i];
	return calls;
}

uint64_t dt_tool_metric_failed(const struct dt_tool_metric *metric)
{
	return dt_tool_metric_calls(metric) - metric->by_status[DT_CALL_DONE] -
	       metric->by_status[DT_CALL_ASKED];
}

uint64_t dt_tool_metric_quantile(const struct dt_tool_metric *metric,
                                 double share)
{
	uint64_t total = 0;
	uint64_t below = 0;
	double wanted;

	for (size_t i = 0; i <= DT_METRIC_BUCKETS; i++)
		total += metric->buckets[i];
	if (total == 0)
		return 0;
	wanted = share * (double)total;
	for (size_t i = 0; i < DT_METRIC_BUCKETS; i++) {
		uint64_t low = i ? dt_metric_bounds_us[i - 1] : 0;
		uint64_t width = dt_metric_bounds_us[i] - low;
		uint64_t here = metric->buckets[i];

		if (here && (double)(below + here) >= wanted)
			return low + (uint64_t)((double)width *
			                        (wanted - (double)below) /
			                        (double)here);
		below += here;
	}
	return dt_metric_bounds_us[DT_METRIC_BUCKETS - 1];
}
