/* tool/transaction_tools.h - changes gathered and proposed together. */
#ifndef DT_TOOL_TRANSACTION_TOOLS_H
#define DT_TOOL_TRANSACTION_TOOLS_H

#include "tool/tool.h"

extern const struct dt_tool_group dt_tools_transaction;

#endif
