/*
 * hub/control_ops.c - what happened and how fast, for the command line.
 *
 * The command line is the person's, so it is told of every workspace.
 */
#include "hub/control.h"

#include "base/clock.h"
#include "base/limits.h"
#include "hub/activity.h"
#include "hub/session.h"
#include "hub/workspace.h"
#include "rpc/code.h"

#include <stdlib.h>
#include <unistd.h>

static void put_str(struct dt_json_out *out, const char *key, const char *value)
{
	dt_json_key(out, key);
	dt_json_put_z(out, value);
}

static void put_int(struct dt_json_out *out, const char *key, int64_t value)
{
	dt_json_key(out, key);
	dt_json_put_int(out, value);
}

/* metrics */

static void metrics(struct dt_client *client, struct dt_request *req,
                    const void *args)
{
	struct dt_json_out *out;
	struct dt_buf text;

	(void)args;
	dt_buf_init(&text, DT_LIMIT_MESSAGE);
	dt_metrics_write(&text, client->hub, NULL);
	out = dt_request_begin(req);
	dt_json_begin_object(out);
	dt_json_key(out, "text");
	dt_json_put_str(out, dt_buf_str(&text));
	dt_json_end_object(out);
	dt_request_end(req);
	dt_buf_done(&text);
}

/* top */

static void write_tools(struct dt_json_out *out, const struct dt_metrics *m)
{
	dt_json_begin_array(out);
	for (size_t i = 0; i < m->tool_count; i++) {
		const struct dt_tool_metric *tool = &m->tools[i];

		dt_json_begin_object(out);
		put_str(out, "name", tool->tool->name);
		put_int(out, "calls", (int64_t)dt_tool_metric_calls(tool));
		put_int(out, "failed", (int64_t)dt_tool_metric_failed(tool));
		put_int(out, "p50Us",
		        (int64_t)dt_tool_metric_quantile(tool, 0.5));
		put_int(out, "p95Us",
		        (int64_t)dt_tool_metric_quantile(tool, 0.95));
		dt_json_end_object(out);
	}
	dt_json_end_array(out);
}

static void write_sessions(struct dt_json_out *out,
                           const struct dt_workspace *ws)
{
	dt_json_begin_array(out);
	dt_list_each(s, &ws->sessions, struct dt_session, link) {
		dt_json_begin_object(out);
		put_str(out, "id", s->id);
		put_str(out, "agent", dt_session_name(s));
		put_str(out, "version", s->agent.version);
		put_int(out, "connectedMs", s->connected_ms);
		put_int(out, "running",
		        (int64_t)dt_peer_request_count(s->agent.peer));
		put_int(out, "queueBytes", (int64_t)dt_session_queued(s));
		put_int(out, "waiting", (int64_t)dt_session_waiting(s));
		dt_json_end_object(out);
	}
	dt_json_end_array(out);
}

static void top(struct dt_client *client, struct dt_request *req,
                const void *args)
{
	struct dt_hub *hub = client->hub;
	struct dt_json_out *out = dt_request_begin(req);

	(void)args;
	dt_json_begin_object(out);
	put_str(out, "version", DT_VERSION);
	put_int(out, "pid", getpid());
	put_int(out, "startedMs", hub->started_ms);
	put_int(out, "nowMs", dt_clock_wall_ms());
	dt_json_key(out, "workspaces");
	dt_json_begin_array(out);
	dt_list_each(ws, &hub->workspaces, struct dt_workspace, link) {
		dt_json_begin_object(out);
		put_str(out, "id", ws->record.id);
		put_str(out, "root", dt_workspace_root(ws));
		put_int(out, "port", ws->record.port);
		put_int(out, "waiting", (int64_t)dt_workspace_waiting(ws));
		dt_json_key(out, "sessions");
		write_sessions(out, ws);
		dt_json_key(out, "tools");
		write_tools(out, &ws->metrics);
		dt_json_end_object(out);
	}
	dt_json_end_array(out);
	dt_json_end_object(out);
	dt_request_end(req);
}

/* activity/list */

struct list_args {
	int64_t after_id;
	bool is_latest;
	bool has_calls;
	uint32_t limit;
};
static const struct dt_field list_fields[] = {
	DT_FIELD_AS("afterId", struct list_args, after_id, I64, 0,
	            "What has a larger number."),
	DT_FIELD_AS("isLatest", struct list_args, is_latest, BOOL, 0,
	            "Of more than the limit: the last ones, not the first."),
	DT_FIELD_AS("hasCallsOnly", struct list_args, has_calls, BOOL, 0,
	            "Calls of tools, and programs that were run."),
	DT_FIELD(struct list_args, limit, U32, 0, "At most 1000."),
	DT_FIELD_END,
};

static void on_list(struct dt_store *store, const struct dt_activity_list *list,
                    const struct dt_fail *fail, void *owner)
{
	struct dt_request *req = owner;
	struct dt_json_out *out;

	(void)store;
	if (fail->code) {
		dt_request_fail_with(req, fail);
		return;
	}
	out = dt_request_begin(req);
	dt_json_begin_object(out);
	put_int(out, "lastId", list->last_id);
	dt_json_key(out, "items");
	dt_json_begin_array(out);
	for (size_t i = 0; i < list->count; i++)
		dt_shape_write(&dt_shape_activity, &list->records[i], out);
	dt_json_end_array(out);
	dt_json_end_object(out);
	dt_request_end(req);
}

static void list(struct dt_client *client, struct dt_request *req,
                 const void *args)
{
	const struct list_args *wanted = args;
	struct dt_activity_filter filter = {
		.after_id = wanted->after_id,
		.kinds = wanted->has_calls ? 1u << DT_ACTIVITY_CALL |
		                                     1u << DT_ACTIVITY_PROGRAM
		                           : 0,
		.is_latest = wanted->is_latest,
		.limit = wanted->limit,
	};

	dt_activity_list(client->hub, &filter, on_list, req);
}

/* activity/wait */

struct wait_args {
	int64_t after_id;
	uint32_t timeout_ms;
};
static const struct dt_field wait_fields[] = {
	DT_FIELD_AS("afterId", struct wait_args, after_id, I64, DT_REQ,
	            "Until there is a larger number."),
	DT_FIELD_AS("timeoutMs", struct wait_args, timeout_ms, U32, 0,
	            "0: for ever."),
	DT_FIELD_END,
};

struct wait {
	struct dt_activity_watch watch;
	struct dt_hub *hub;
	int64_t after_id;
	struct dt_request *req;
	struct dt_timer *deadline;
};

static void leave(struct wait *w)
{
	dt_activity_unwatch(&w->watch);
	dt_timer_free(w->deadline);
}

static void end_wait(struct wait *w)
{
	struct dt_request *req = w->req;
	struct dt_json_out *out;

	leave(w);
	out = dt_request_begin(req);
	dt_json_begin_object(out);
	dt_json_end_object(out);
	dt_request_end(req);
}

static void on_deadline(struct dt_timer *timer, void *owner)
{
	(void)timer;
	end_wait(owner);
}

static void on_more(struct dt_activity_watch *watch)
{
	struct wait *w = DT_LIST_OF(watch, struct wait, watch);

	if (dt_activity_last(w->hub) > w->after_id)
		end_wait(w);
}

/* The command went away. */
static void on_cancel(struct dt_request *req, void *owner)
{
	leave(owner);
	dt_request_end(req);
}

static void wait_for(struct dt_client *client, struct dt_request *req,
                     const void *args)
{
	const struct wait_args *wanted = args;
	struct wait *w = dt_arena_alloc(&req->arena, sizeof(*w));

	w->req = req;
	w->hub = client->hub;
	w->after_id = wanted->after_id;
	w->watch.on_more = on_more;
	dt_activity_watch(client->hub, &w->watch);
	w->deadline = dt_timer_new(client->hub->loop, on_deadline, w);
	req->on_cancel = on_cancel;
	req->owner = w;
	if (dt_activity_last(client->hub) > wanted->after_id)
		end_wait(w);
	else if (wanted->timeout_ms > 0)
		dt_timer_start(w->deadline, wanted->timeout_ms);
}

/* activity/import */

struct import_args {
	struct dt_names lines;
};
static const struct dt_field import_fields[] = {
	DT_FIELD(struct import_args, lines, NAMES, DT_REQ,
	         "As an export has them."),
	DT_FIELD_END,
};

static void on_import(struct dt_store *store,
                      const struct dt_activity_import *result,
                      const struct dt_fail *fail, void *owner)
{
	struct dt_request *req = owner;
	struct dt_json_out *out;

	(void)store;
	if (fail->code) {
		dt_request_fail_with(req, fail);
		return;
	}
	out = dt_request_begin(req);
	dt_json_begin_object(out);
	put_int(out, "taken", result->taken);
	put_int(out, "known", result->known);
	put_int(out, "bad", result->bad);
	put_int(out, "badLine", result->bad_line);
	put_str(out, "why", result->why.msg);
	dt_json_end_object(out);
	dt_request_end(req);
}

static void import(struct dt_client *client, struct dt_request *req,
                   const void *args)
{
	const struct import_args *wanted = args;
	struct dt_str *lines = dt_arena_alloc(
		&req->arena, (wanted->lines.count + 1) * sizeof(*lines));

	for (size_t i = 0; i < wanted->lines.count; i++)
		lines[i] = dt_str(wanted->lines.ptr[i]);
	if (client->hub->store)
		dt_store_import_activity(client->hub->store, lines,
		                         wanted->lines.count, on_import, req);
	else
		dt_request_fail(req, DT_RPC_STATE, "the daemon stops");
}

const struct dt_method dt_methods_ops[] = {
	{ "metrics", DT_SHAPE_EMPTY, metrics },
	{ "top", DT_SHAPE_EMPTY, top },
	{ "activity/list", DT_SHAPE(struct list_args, list_fields), list },
	{ "activity/wait", DT_SHAPE(struct wait_args, wait_fields), wait_for },
	{ "activity/import", DT_SHAPE(struct import_args, import_fields),
	  import, .persons = "write the history" },
	{ .name = NULL },
};
