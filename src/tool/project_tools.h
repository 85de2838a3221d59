/* tool/project_tools.h - what the project is. */
#ifndef DT_TOOL_PROJECT_TOOLS_H
#define DT_TOOL_PROJECT_TOOLS_H

#include "tool/tool.h"

extern const struct dt_tool_group dt_tools_project;

#endif
