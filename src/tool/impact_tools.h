/* tool/impact_tools.h - what a change did. */
#ifndef DT_TOOL_IMPACT_TOOLS_H
#define DT_TOOL_IMPACT_TOOLS_H

#include "tool/tool.h"

extern const struct dt_tool_group dt_tools_impact;

#endif
