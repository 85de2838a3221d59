/* hub/http_events.h - /events: what happens, as server-sent events. */
#ifndef DT_HUB_HTTP_EVENTS_H
#define DT_HUB_HTTP_EVENTS_H

#include "hub/workspace.h"
#include "link/http_conn.h"

/*
 * Answer with a stream of what happens in the workspace from now on, or behind
 * the number in Last-Event-ID.  One that takes nothing for a while is cut; it
 * comes back with the number it saw last.  It ends with its connection.  HEAD
 * gets the head alone.
 */
void dt_http_events_serve(struct dt_workspace *ws, struct dt_http_conn *conn,
                          const struct dt_http_head *head);

#endif
