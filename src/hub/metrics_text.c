/*
 * hub/metrics_text.c - what was counted, as Prometheus reads it.
 *
 * The text format 0.0.4: a family is told once, with HELP and TYPE, and all its
 * samples stand together; so families are on the outside and workspaces inside.
 * What is a state and not a count (sessions, queues, reviews that wait) is
 * looked up when asked.
 */
#include "hub/metrics.h"

#include "hub/activity.h"
#include "hub/session.h"
#include "hub/workspace.h"

#include <inttypes.h>

/* What is being written. */
struct page {
	struct dt_buf *out;
	struct dt_hub *hub;
	struct dt_workspace *only; /* or NULL: all */
};

static void begin(struct page *p, const char *name, const char *type,
                  const char *help)
{
	dt_buf_addf(p->out, "# HELP dovetail_%s %s\n# TYPE dovetail_%s %s\n",
	            name, help, name, type);
}

/* A label's value: \, " and line feeds are escaped. */
static void add_value(struct dt_buf *out, const char *text)
{
	dt_buf_add_char(out, '"');
	for (; *text; text++) {
		if (*text == '\n') {
			dt_buf_add_z(out, "\\n");
			continue;
		}
		if (*text == '\\' || *text == '"')
			dt_buf_add_char(out, '\\');
		dt_buf_add_char(out, *text);
	}
	dt_buf_add_char(out, '"');
}

static void add_label(struct dt_buf *out, const char *name, const char *value)
{
	dt_buf_addf(out, ",%s=", name);
	add_value(out, value);
}

/* "dovetail_NAME{workspace="ROOT"", to which labels may be added. */
static void add_name(struct page *p, const char *name,
                     const struct dt_workspace *ws)
{
	dt_buf_addf(p->out, "dovetail_%s{workspace=", name);
	add_value(p->out, dt_workspace_root(ws));
}

static void end(struct page *p, uint64_t value)
{
	dt_buf_addf(p->out, "} %" PRIu64 "\n", value);
}

static bool is_shown(const struct page *p, const struct dt_workspace *ws)
{
	return !p->only || p->only == ws;
}

/* the daemon */

static void write_daemon(struct page *p)
{
	begin(p, "build_info", "gauge", "The version that runs; always 1.");
	dt_buf_add_z(p->out, "dovetail_build_info{version=");
	add_value(p->out, DT_VERSION);
	end(p, 1);
	begin(p, "start_time_seconds", "gauge",
	      "When the daemon started, in seconds since 1970.");
	dt_buf_addf(p->out, "dovetail_start_time_seconds %" PRId64 "\n",
	            p->hub->started_ms / 1000);
	begin(p, "restarts", "gauge", "Crashes that this run comes after.");
	dt_buf_addf(p->out, "dovetail_restarts %u\n", p->hub->restarts);
	begin(p, "events_lost_total", "counter",
	      "Events that could not be kept.");
	dt_buf_addf(p->out, "dovetail_events_lost_total %" PRIu64 "\n",
	            dt_activity_lost(p->hub));
}

/* states */

static uint64_t count_sessions(const struct dt_workspace *ws)
{
	return ws->session_count;
}

static uint64_t count_connections(const struct dt_workspace *ws)
{
	uint64_t count = ws->guest_count + ws->stranger_count;

	dt_list_each(s, &ws->sessions, struct dt_session, link)
		count += dt_session_has_socket(s);
	return count;
}

static uint64_t count_running(const struct dt_workspace *ws)
{
	uint64_t count = 0;

	dt_list_each(s, &ws->sessions, struct dt_session, link)
		count += dt_peer_request_count(s->agent.peer);
	return count;
}

static uint64_t count_queued(const struct dt_workspace *ws)
{
	uint64_t bytes = 0;

	dt_list_each(s, &ws->sessions, struct dt_session, link)
		bytes += dt_session_queued(s);
	return bytes;
}

static uint64_t count_waiting(const struct dt_workspace *ws)
{
	return dt_workspace_waiting(ws);
}

static uint64_t count_documents(const struct dt_workspace *ws)
{
	return ws->docs.count;
}

static uint64_t count_subscribers(const struct dt_workspace *ws)
{
	return ws->subscriber_count;
}

static uint64_t count_ever(const struct dt_workspace *ws)
{
	return ws->metrics.sessions;
}

static const struct {
	const char *name;
	const char *type;
	const char *help;
	uint64_t (*value)(const struct dt_workspace *ws);
} states[] = {
	{ "sessions", "gauge", "Agents that are connected.", count_sessions },
	{ "sessions_total", "counter", "Agents that ever connected.",
	  count_ever },
	{ "connections", "gauge", "Sockets that are open.", count_connections },
	{ "running_requests", "gauge", "Requests that are not answered yet.",
	  count_running },
	{ "queue_bytes", "gauge", "Bytes that agents have not read yet.",
	  count_queued },
	{ "reviews_waiting", "gauge", "Reviews that wait for a person.",
	  count_waiting },
	{ "open_documents", "gauge", "Documents that are open.",
	  count_documents },
	{ "event_subscribers", "gauge", "Readers of /events.",
	  count_subscribers },
};

static void write_states(struct page *p)
{
	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
		begin(p, states[i].name, states[i].type, states[i].help);
		dt_list_each(ws, &p->hub->workspaces, struct dt_workspace,
		             link) {
			if (!is_shown(p, ws))
				continue;
			add_name(p, states[i].name, ws);
			end(p, states[i].value(ws));
		}
	}
}

/* counters */

static void write_reviews(struct page *p)
{
	begin(p, "reviews_total", "counter", "Reviews by how they ended.");
	dt_list_each(ws, &p->hub->workspaces, struct dt_workspace, link) {
		for (int i = DT_REVIEW_ACCEPTED;
		     is_shown(p, ws) && i < DT_REVIEW_STATES; i++) {
			if (i == DT_REVIEW_WRITING)
				continue; /* it has not ended */
			add_name(p, "reviews_total", ws);
			add_label(p->out, "state", dt_review_state_names[i]);
			end(p, ws->metrics.reviews[i]);
		}
	}
}

static void write_hits(struct page *p)
{
	begin(p, "limits_hit_total", "counter",
	      "What was refused because of a limit.");
	dt_list_each(ws, &p->hub->workspaces, struct dt_workspace, link) {
		for (int i = 0; is_shown(p, ws) && i < DT_HIT_COUNT; i++) {
			add_name(p, "limits_hit_total", ws);
			add_label(p->out, "limit", dt_hit_names[i]);
			end(p, ws->metrics.hits[i]);
		}
	}
}

static void write_call_counts(struct page *p, const struct dt_workspace *ws)
{
	for (size_t i = 0; i < ws->metrics.tool_count; i++) {
		const struct dt_tool_metric *m = &ws->metrics.tools[i];

		for (size_t k = 0; k < DT_CALL_STATUS_COUNT; k++) {
			if (m->by_status[k] == 0)
				continue;
			add_name(p, "calls_total", ws);
			add_label(p->out, "tool", m->tool->name);
			add_label(p->out, "status", dt_call_statuses[k]);
			end(p, m->by_status[k]);
		}
	}
}

/* Microseconds as seconds, without the rounding of a floating number. */
static void add_seconds(struct dt_buf *out, uint64_t us)
{
	dt_buf_addf(out, "%" PRIu64 ".%06" PRIu64, us / 1000000, us % 1000000);
}

static void write_bucket(struct page *p, const struct dt_workspace *ws,
                         const struct dt_tool_metric *m, size_t at,
                         uint64_t count)
{
	add_name(p, "call_duration_seconds_bucket", ws);
	add_label(p->out, "tool", m->tool->name);
	dt_buf_add_z(p->out, ",le=\"");
	if (at < DT_METRIC_BUCKETS)
		dt_buf_addf(p->out, "%g",
		            (double)dt_metric_bounds_us[at] / 1e6);
	else
		dt_buf_add_z(p->out, "+Inf");
	dt_buf_add_char(p->out, '"');
	end(p, count);
}

static void write_histogram(struct page *p, const struct dt_workspace *ws,
                            const struct dt_tool_metric *m)
{
	uint64_t count = 0;

	for (size_t i = 0; i <= DT_METRIC_BUCKETS; i++) {
		count += m->buckets[i];
		write_bucket(p, ws, m, i, count);
	}
	add_name(p, "call_duration_seconds_sum", ws);
	add_label(p->out, "tool", m->tool->name);
	dt_buf_add_z(p->out, "} ");
	add_seconds(p->out, m->sum_us);
	dt_buf_add_char(p->out, '\n');
	add_name(p, "call_duration_seconds_count", ws);
	add_label(p->out, "tool", m->tool->name);
	end(p, count);
}

static void write_calls(struct page *p)
{
	begin(p, "calls_total", "counter",
	      "Calls of a tool by how they ended.");
	dt_list_each(ws, &p->hub->workspaces, struct dt_workspace, link) {
		if (is_shown(p, ws))
			write_call_counts(p, ws);
	}
	begin(p, "call_duration_seconds", "histogram",
	      "How long calls of a tool took.");
	dt_list_each(ws, &p->hub->workspaces, struct dt_workspace, link) {
		for (size_t i = 0;
		     is_shown(p, ws) && i < ws->metrics.tool_count; i++)
			write_histogram(p, ws, &ws->metrics.tools[i]);
	}
}

void dt_metrics_write(struct dt_buf *out, struct dt_hub *hub,
                      struct dt_workspace *only)
{
	struct page page = { out, hub, only };

	write_daemon(&page);
	write_states(&page);
	write_reviews(&page);
	write_hits(&page);
	write_calls(&page);
}
