/* hub/bridge.h - what the bridge says of itself, to agents and over HTTP. */
#ifndef DT_HUB_BRIDGE_H
#define DT_HUB_BRIDGE_H

#include "editor/answer.h"
#include "editor/bridge.h"
#include "hub/session.h"
#include "hub/workspace.h"

/* How the id of a session begins, in the arena: who knows all of it can go on
 * with that session.  NULL stays. */
const char *dt_bridge_short_id(struct dt_arena *arena, const char *id);

/* How a workspace is; texts are in the arena or borrowed from the workspace. */
void dt_bridge_status(struct dt_workspace *ws, struct dt_arena *arena,
                      struct dt_status_result *out);

/* Operations, as hub/route.c performs them. */
void dt_bridge_get_status(struct dt_session *session, struct dt_workspace *ws,
                          const void *args, struct dt_answer *answer);
void dt_bridge_list_activity(struct dt_session *session,
                             struct dt_workspace *ws, const void *args,
                             struct dt_answer *answer);
void dt_bridge_wait_activity(struct dt_session *session,
                             struct dt_workspace *ws, const void *args,
                             struct dt_answer *answer);
void dt_bridge_get_capabilities(struct dt_session *session,
                                struct dt_workspace *ws, const void *args,
                                struct dt_answer *answer);
void dt_bridge_search_tools(struct dt_session *session, struct dt_workspace *ws,
                            const void *args, struct dt_answer *answer);

#endif
