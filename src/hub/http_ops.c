/*
 * hub/http_ops.c - requests of an operator's programs answered.
 *
 * Host and Origin are looked at first, on every path.  /health and /ready need
 * no token, so they say nothing but that we live; all else tells of the person's
 * work and needs it.  A token is a workspace's, so nothing here tells of another
 * workspace.
 */
#include "hub/http_ops.h"

#include "base/limits.h"
#include "base/log.h"
#include "hub/bridge.h"
#include "hub/http_events.h"

#include <stdio.h>

typedef void serve_fn(struct dt_workspace *ws, struct dt_http_conn *conn,
                      const struct dt_http_head *head);

static void reply_json(struct dt_http_conn *conn, unsigned status,
                       struct dt_buf *text)
{
	dt_buf_add_char(text, '\n');
	dt_http_conn_reply(conn, status, "application/json", dt_buf_str(text),
	                   NULL);
	dt_buf_done(text);
}

/* /health, /ready */

static void reply_alive(struct dt_http_conn *conn, bool is_ok)
{
	struct dt_buf text;

	dt_buf_init(&text, DT_KIB);
	dt_buf_addf(&text, "{\"status\":\"%s\",\"version\":\"%s\"}",
	            is_ok ? "ok" : "starting", DT_VERSION);
	reply_json(conn, is_ok ? 200 : 503, &text);
}

static void serve_health(struct dt_workspace *ws, struct dt_http_conn *conn,
                         const struct dt_http_head *head)
{
	(void)ws;
	(void)head;
	reply_alive(conn, true);
}

/* The history is open, or known not to open: calls can be kept. */
static void serve_ready(struct dt_workspace *ws, struct dt_http_conn *conn,
                        const struct dt_http_head *head)
{
	(void)head;
	reply_alive(conn, ws->hub->is_store_open);
}

/* /status, /metrics */

static void serve_status(struct dt_workspace *ws, struct dt_http_conn *conn,
                         const struct dt_http_head *head)
{
	struct dt_status_result status;
	struct dt_arena arena = { 0 };
	struct dt_json_out out;
	struct dt_buf text;

	(void)head;
	dt_bridge_status(ws, &arena, &status);
	dt_buf_init(&text, DT_MIB);
	out = dt_json_out(&text);
	dt_shape_write(&dt_op_get_status.result, &status, &out);
	reply_json(conn, 200, &text);
	dt_arena_done(&arena);
}

static void serve_metrics(struct dt_workspace *ws, struct dt_http_conn *conn,
                          const struct dt_http_head *head)
{
	struct dt_buf text;

	(void)head;
	dt_buf_init(&text, DT_LIMIT_MESSAGE);
	dt_metrics_write(&text, ws->hub, ws);
	dt_http_conn_reply(conn, 200,
	                   "text/plain; version=0.0.4; charset=utf-8",
	                   dt_buf_str(&text), NULL);
	dt_buf_done(&text);
}

/* paths */

static const struct route {
	const char *path;
	bool needs_token;
	serve_fn *serve;
} routes[] = {
	{ "/health", false, serve_health },
	{ "/ready", false, serve_ready },
	{ "/status", true, serve_status },
	{ "/metrics", true, serve_metrics },
	{ "/events", true, dt_http_events_serve },
};

static const struct route *find_route(const struct dt_http_head *head)
{
	struct dt_str rest = head->target;
	struct dt_str path = dt_str_cut(&rest, '?');

	for (size_t i = 0; i < sizeof(routes) / sizeof(routes[0]); i++) {
		if (dt_str_is(path, routes[i].path))
			return &routes[i];
	}
	return NULL;
}

/* Where agents come in: that is for others to answer. */
static bool is_for_agents(const struct dt_http_head *head)
{
	struct dt_str rest = head->target;
	struct dt_str path = dt_str_cut(&rest, '?');

	for (size_t i = 0; i < dt_dialect_count; i++) {
		if (dt_str_is(path, dt_dialects[i]->path))
			return true;
	}
	return false;
}

static void refuse(struct dt_http_conn *conn, unsigned status, const char *why)
{
	char text[300];
	int len = snprintf(text, sizeof(text), "%s\n", why);

	dt_log(DT_LOG_INFO, "refused with %u: %s", status, why);
	dt_http_conn_reply(
		conn, status, "text/plain; charset=utf-8",
		(struct dt_str){ text, (size_t)len },
		status == 401   ? "WWW-Authenticate: Bearer realm=\"dovetail\""
		: status == 405 ? "Allow: GET, HEAD"
		: status == 429 ? "Retry-After: 1"
				: NULL);
}

bool dt_http_ops_serve(struct dt_workspace *ws, struct dt_http_conn *conn,
                       const struct dt_http_head *head, bool has_body)
{
	const struct route *route = find_route(head);
	struct dt_fail fail = { 0 };
	unsigned status = 403;

	if (!route && is_for_agents(head))
		return false;
	if (dt_door_check_place(&ws->door, head, &status, &fail)) {
		refuse(conn, status, fail.msg);
	} else if (!route) {
		refuse(conn, 404, "nothing is served here");
	} else if (!dt_str_is(head->method, "GET") &&
	           !dt_str_is(head->method, "HEAD")) {
		refuse(conn, 405, "only GET and HEAD are served here");
	} else if (route->needs_token &&
	           dt_door_check_token(&ws->door, head, NULL, &status, &fail)) {
		if (status == 429)
			ws->metrics.hits[DT_HIT_TOKENS]++;
		refuse(conn, status, fail.msg);
	} else if (has_body) {
		refuse(conn, 400, "a question here has no body");
	} else {
		route->serve(ws, conn, head);
	}
	return true;
}
