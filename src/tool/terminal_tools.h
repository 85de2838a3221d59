/* tool/terminal_tools.h - terminals, for any MCP client. */
#ifndef DT_TOOL_TERMINAL_TOOLS_H
#define DT_TOOL_TERMINAL_TOOLS_H

#include "tool/tool.h"

extern const struct dt_tool_group dt_tools_terminal;

#endif
