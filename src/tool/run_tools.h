/* tool/run_tools.h - commands and tests. */
#ifndef DT_TOOL_RUN_TOOLS_H
#define DT_TOOL_RUN_TOOLS_H

#include "tool/tool.h"

extern const struct dt_tool_group dt_tools_run;

#endif
