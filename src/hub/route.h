/* hub/route.h - an agent's operation finds who performs it. */
#ifndef DT_HUB_ROUTE_H
#define DT_HUB_ROUTE_H

#include "hub/session.h"

/* Set the session's caller up. */
void dt_route_init(struct dt_session *session);

#endif
