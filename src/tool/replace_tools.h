/* tool/replace_tools.h - a pattern replaced in many files. */
#ifndef DT_TOOL_REPLACE_TOOLS_H
#define DT_TOOL_REPLACE_TOOLS_H

#include "tool/tool.h"

extern const struct dt_tool_group dt_tools_replace;

#endif
