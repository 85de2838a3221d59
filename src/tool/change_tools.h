/* tool/change_tools.h - tools that change files by name and place. */
#ifndef DT_TOOL_CHANGE_TOOLS_H
#define DT_TOOL_CHANGE_TOOLS_H

#include "tool/tool.h"

extern const struct dt_tool_group dt_tools_change;

#endif
