/* dialect/claude_diff.h - the tools that put a change before the person. */
#ifndef DT_DIALECT_CLAUDE_DIFF_H
#define DT_DIALECT_CLAUDE_DIFF_H

#include "data/field.h"
#include "tool/call.h"

struct dt_claude_open_diff {
	const char *old_path;
	const char *new_path;
	struct dt_str text;
	const char *tab;
};
extern const struct dt_field dt_claude_open_diff_fields[];
void dt_claude_open_diff(struct dt_call *call, const void *args);

struct dt_claude_close_tab {
	const char *tab;
};
extern const struct dt_field dt_claude_close_tab_fields[];
void dt_claude_close_tab(struct dt_call *call, const void *args);

void dt_claude_close_all_diff_tabs(struct dt_call *call, const void *args);

#endif
