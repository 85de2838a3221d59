/* dialect/claude_tools.h - the tools of Claude Code's IDE protocol. */
#ifndef DT_DIALECT_CLAUDE_TOOLS_H
#define DT_DIALECT_CLAUDE_TOOLS_H

#include "dialect/dialect.h"

#define DT_CLAUDE_TOOL_COUNT 15
extern const struct dt_tool dt_claude_tools[DT_CLAUDE_TOOL_COUNT];

/* closeAllDiffTabs came: the person has just sent this agent a prompt. */
void dt_claude_prompted(struct dt_agent *agent);

#endif
