/*
 * hub/mcp_http.h - MCP over Streamable HTTP, at one path of a workspace's port.
 *
 * Clients of the legacy era get a session, named by a header, that outlives
 * their connections; those of the modern era have none, and each connection is
 * an agent of its own for as long as it lasts.  docs/protocol/mcp.md says what
 * is answered when.
 */
#ifndef DT_HUB_MCP_HTTP_H
#define DT_HUB_MCP_HTTP_H

#include "dialect/dialect.h"
#include "hub/workspace.h"
#include "link/http_conn.h"

struct dt_mcp_http;  /* of a workspace and a dialect */
struct dt_mcp_visit; /* what one connection has of it */

struct dt_mcp_http *dt_mcp_http_new(struct dt_workspace *ws,
                                    const struct dt_dialect *dialect);
/* When all its sessions and connections are gone. */
void dt_mcp_http_free(struct dt_mcp_http *http);

/*
 * Answer a request whose sender was let in.  *visit is NULL at first and kept
 * with the connection; tell dt_mcp_visit_end() when that is over.
 */
/* The process that the next request comes from; 0: it is not known. */
void dt_mcp_http_set_peer(struct dt_mcp_http *http, pid_t pid);

void dt_mcp_http_request(struct dt_mcp_http *http, struct dt_mcp_visit **visit,
                         struct dt_http_conn *conn,
                         const struct dt_http_head *head, struct dt_str body);
void dt_mcp_visit_end(struct dt_mcp_visit *visit); /* NULL is fine */

#endif
