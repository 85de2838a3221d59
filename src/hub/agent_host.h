/* hub/agent_host.h - what the hub does for the dialect of an agent. */
#ifndef DT_HUB_AGENT_HOST_H
#define DT_HUB_AGENT_HOST_H

#include "dialect/dialect.h"

/* For agents that are embedded in a struct dt_session. */
extern const struct dt_agent_host dt_agent_host;

#endif
