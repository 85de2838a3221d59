/* tool/import_tools.h - which files import which. */
#ifndef DT_TOOL_IMPORT_TOOLS_H
#define DT_TOOL_IMPORT_TOOLS_H

#include "tool/tool.h"

extern const struct dt_tool_group dt_tools_imports;

#endif
