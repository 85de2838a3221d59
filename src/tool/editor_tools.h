/* tool/editor_tools.h - what the person sees, and what is known of it. */
#ifndef DT_TOOL_EDITOR_TOOLS_H
#define DT_TOOL_EDITOR_TOOLS_H

#include "tool/tool.h"

extern const struct dt_tool_group dt_tools_editor;

#endif
