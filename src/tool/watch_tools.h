/* tool/watch_tools.h - files that change. */
#ifndef DT_TOOL_WATCH_TOOLS_H
#define DT_TOOL_WATCH_TOOLS_H

#include "tool/tool.h"

extern const struct dt_tool_group dt_tools_watch;

#endif
