/* hub/events.h - what editors and the person tell agents. */
#ifndef DT_HUB_EVENTS_H
#define DT_HUB_EVENTS_H

#include "editor/event.h"
#include "hub/session.h"
#include "hub/workspace.h"

/* Listen to the workspace's editor; forget everything at the end. */
void dt_events_init(struct dt_workspace *ws);
void dt_events_done(struct dt_workspace *ws);

/* An agent got ready: it is told what waited for it. */
void dt_events_ready(struct dt_session *session);

/* The gate may think otherwise now: take back what an agent should not have, and
 * tell what it may. */
void dt_events_refresh(struct dt_hub *hub);

/*
 * A mention goes to one agent: the one named, else the one the person prompted
 * last, else the one that connected last.  When there is none it waits for
 * DT_LIMIT_MENTION_MS; NULL is returned then.  DT_E_LIMIT: too many wait.
 * DT_E_DENIED: the gate keeps the file back, or every such agent is muted.
 */
enum dt_err dt_events_mention(struct dt_workspace *ws,
                              const struct dt_mention *mention,
                              const char *agent, struct dt_session **out,
                              struct dt_fail *fail) DT_MUST_CHECK;

/* The configuration was read again; `hide` and `tools` are what mcp.hide and
 * mcp.tools were.  Agents whose list of tools is another one now are told. */
void dt_events_tools(struct dt_workspace *ws, const char *hide,
                     const char *tools);

#endif
