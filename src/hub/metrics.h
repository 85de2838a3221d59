/*
 * hub/metrics.h - counters and times of one workspace.
 *
 * Memory is bounded: one entry for each tool that was called, and tools are a
 * table.  They begin at zero with each run of the daemon, as Prometheus expects
 * of counters.
 */
#ifndef DT_HUB_METRICS_H
#define DT_HUB_METRICS_H

#include "base/buf.h"
#include "hub/hub.h"
#include "store/reviews.h"
#include "tool/call.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Limits that were hit, by what they limit. */
#define DT_HIT_MAP(X)                                                          \
	X(SESSIONS, "sessions")                                                \
	X(CONNECTIONS, "connections")                                          \
	X(TOKENS, "wrong_tokens")                                              \
	X(REQUESTS, "requests_a_minute")                                       \
	X(CALLS, "calls")                                                      \
	X(NOTES, "notes_a_minute")                                             \
	X(SUBSCRIBERS, "subscribers")                                          \
	X(SLOW_READERS, "slow_readers")

enum dt_hit {
#define X(name, text) DT_HIT_##name,
	DT_HIT_MAP(X)
#undef X
		DT_HIT_COUNT,
};
extern const char *const dt_hit_names[DT_HIT_COUNT];

#define DT_METRIC_BUCKETS 22
/* Upper ends in microseconds: 10, 20, 50, 100 ... */
extern const uint64_t dt_metric_bounds_us[DT_METRIC_BUCKETS];

/* One tool. */
struct dt_tool_metric {
	const struct dt_tool *tool;
	uint64_t by_status[DT_CALL_STATUS_COUNT];
	/* How many took no longer than each bound but longer than the one
	 * before; the last: longer than all.
	 * Calls that were refused took no time and are not in. */
	uint64_t buckets[DT_METRIC_BUCKETS + 1];
	uint64_t sum_us;
};

struct dt_metrics {
	struct dt_tool_metric *tools; /* in the order of their first call */
	size_t tool_count;
	uint64_t sessions; /* that ever began */
	uint64_t reviews[DT_REVIEW_STATES];
	uint64_t hits[DT_HIT_COUNT];
};

void dt_metrics_done(struct dt_metrics *metrics);

void dt_metrics_count_call(struct dt_metrics *metrics,
                           const struct dt_call_note *note);

/* A limit was hit, by its key in dovetail.conf: "limits.calls". */
void dt_metrics_count_limit(struct dt_metrics *metrics, const char *key);

uint64_t dt_tool_metric_calls(const struct dt_tool_metric *metric);
/* Of them, those that came to no good; a question to the agent is none. */
uint64_t dt_tool_metric_failed(const struct dt_tool_metric *metric);
/* The time that a share of the calls did not exceed, 0 ... 1, as well as the
 * buckets tell; 0 when there are none. */
uint64_t dt_tool_metric_quantile(const struct dt_tool_metric *metric,
                                 double share);

/* Prometheus' text format 0.0.4, of one workspace or (NULL) of all. */
void dt_metrics_write(struct dt_buf *out, struct dt_hub *hub,
                      struct dt_workspace *only);

#endif
