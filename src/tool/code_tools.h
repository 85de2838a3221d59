/* tool/code_tools.h - what there is to know about a place in the code. */
#ifndef DT_TOOL_CODE_TOOLS_H
#define DT_TOOL_CODE_TOOLS_H

#include "tool/tool.h"

extern const struct dt_tool_group dt_tools_code;

#endif
