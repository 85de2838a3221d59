/* tool/ops_tools.h - the tools that tell of the bridge itself. */
#ifndef DT_TOOL_OPS_TOOLS_H
#define DT_TOOL_OPS_TOOLS_H

#include "tool/tool.h"

extern const struct dt_tool_group dt_tools_bridge;

#endif
