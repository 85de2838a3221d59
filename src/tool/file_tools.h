/* tool/file_tools.h - the files of the workspace and what they hold. */
#ifndef DT_TOOL_FILE_TOOLS_H
#define DT_TOOL_FILE_TOOLS_H

#include "tool/tool.h"

extern const struct dt_tool_group dt_tools_files;

#endif
