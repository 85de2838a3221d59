/* dialect/claude_tools.h - the tools of Claude Code's IDE protocol. */
#ifndef DT_DIALECT_CLAUDE_TOOLS_H
#define DT_DIALECT_CLAUDE_TOOLS_H

#include "dialect/dialect.h"

extern const struct dt_tool_group dt_claude_tools;

/* closeAllDiffTabs came: the person has just sent this agent a prompt. */
void dt_claude_prompted(struct dt_agent *agent);

/* Keep what the person said with a verdict on a diff, which the protocol cannot
 * carry, until the next prompt.  NULL or "": nothing was said. */
void dt_claude_keep_words(struct dt_agent *agent, bool is_accepted,
                          const char *path, const char *comment);
/* What was kept and is said now, once.  Nothing is appended for an agent of
 * another dialect. */
void dt_claude_take_words(struct dt_agent *agent, struct dt_buf *out);

#endif
