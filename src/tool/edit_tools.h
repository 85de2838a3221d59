/* tool/edit_tools.h - tools that change files as far as a person accepts it. */
#ifndef DT_TOOL_EDIT_TOOLS_H
#define DT_TOOL_EDIT_TOOLS_H

#include "tool/tool.h"

extern const struct dt_tool_group dt_tools_edit;

#endif
