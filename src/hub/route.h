/* hub/route.h - an agent's operation finds who performs it. */
#ifndef DT_HUB_ROUTE_H
#define DT_HUB_ROUTE_H

#include "hub/session.h"

/* Set up a caller of the session that works in a workspace. */
void dt_route_init(struct dt_caller *caller, struct dt_session *session,
                   struct dt_workspace *ws);

/* Whether somebody can perform it now. */
bool dt_route_can(const struct dt_workspace *ws, const struct dt_operation *op);

#endif
