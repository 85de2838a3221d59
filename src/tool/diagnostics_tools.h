/* tool/diagnostics_tools.h - what is wrong with files. */
#ifndef DT_TOOL_DIAGNOSTICS_TOOLS_H
#define DT_TOOL_DIAGNOSTICS_TOOLS_H

#include "tool/tool.h"

extern const struct dt_tool_group dt_tools_diagnostics;

#endif
