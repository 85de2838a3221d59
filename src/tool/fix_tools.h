/* tool/fix_tools.h - changes that language servers and formatters make. */
#ifndef DT_TOOL_FIX_TOOLS_H
#define DT_TOOL_FIX_TOOLS_H

#include "tool/tool.h"

extern const struct dt_tool_group dt_tools_fix;

#endif
