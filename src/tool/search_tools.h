/* tool/search_tools.h - what is in the files of the workspace. */
#ifndef DT_TOOL_SEARCH_TOOLS_H
#define DT_TOOL_SEARCH_TOOLS_H

#include "tool/tool.h"

extern const struct dt_tool_group dt_tools_search;

#endif
