/* tool/context_tools.h - what an agent should know before it begins. */
#ifndef DT_TOOL_CONTEXT_TOOLS_H
#define DT_TOOL_CONTEXT_TOOLS_H

#include "tool/tool.h"

extern const struct dt_tool_group dt_tools_context;

#endif
