/* dialect/claude_tools.h - the tools of Claude Code's IDE protocol. */
#ifndef DT_DIALECT_CLAUDE_TOOLS_H
#define DT_DIALECT_CLAUDE_TOOLS_H

#include "dialect/dialect.h"

extern const struct dt_tool_group dt_claude_tools;

/* closeAllDiffTabs came: the person has just sent this agent a prompt. */
void dt_claude_prompted(struct dt_agent *agent);

#endif
