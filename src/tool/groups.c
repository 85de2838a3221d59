/* tool/groups.c - the groups of tools that every MCP client is offered. */
#include "tool/groups.h"

const struct dt_tool_group *const dt_tool_groups[] = {
	NULL,
};
