/* tool/code_file_tools.h - what there is to know about the code of a file. */
#ifndef DT_TOOL_CODE_FILE_TOOLS_H
#define DT_TOOL_CODE_FILE_TOOLS_H

#include "tool/tool.h"

extern const struct dt_tool_group dt_tools_code_file;

#endif
