/* tool/groups.h - the tools that every MCP client is offered. */
#ifndef DT_TOOL_GROUPS_H
#define DT_TOOL_GROUPS_H

#include "tool/tool.h"

/* In the order of the list; ends with NULL. */
extern const struct dt_tool_group *const dt_tool_groups[];

#endif
