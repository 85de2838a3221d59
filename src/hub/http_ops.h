/*
 * hub/http_ops.h - /health, /ready, /status, /metrics and /events on the port of
 * a workspace: what an operator's programs ask.
 */
#ifndef DT_HUB_HTTP_OPS_H
#define DT_HUB_HTTP_OPS_H

#include "hub/workspace.h"
#include "link/http_conn.h"

#include <stdbool.h>

/*
 * Answer a request for one of these paths, or for one that nobody serves (404);
 * false, and nothing was answered, for those where agents come in.  `has_body` says that a body follows which was not read.
 */
bool dt_http_ops_serve(struct dt_workspace *ws, struct dt_http_conn *conn,
                       const struct dt_http_head *head, bool has_body);

#endif
