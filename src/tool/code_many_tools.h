/* tool/code_many_tools.h - several questions about code in one call. */
#ifndef DT_TOOL_CODE_MANY_TOOLS_H
#define DT_TOOL_CODE_MANY_TOOLS_H

#include "tool/tool.h"

extern const struct dt_tool_group dt_tools_code_many;

#endif
