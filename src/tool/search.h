/* tool/search.h - how well a tool fits what somebody looks for. */
#ifndef DT_TOOL_SEARCH_H
#define DT_TOOL_SEARCH_H

#include "base/str.h"
#include "tool/tool.h"

/*
 * 0: not at all.  Every word of the query counts, most in the name, then in the
 * title and the group, then in the doc; a tool that has more of the words is
 * always ahead of one that has fewer.  An empty query fits everything alike.
 */
unsigned dt_tool_score(const struct dt_tool *tool, const char *group,
                       struct dt_str query);

/*
 * How many characters must be put, taken or changed to make one name of the
 * other, in any case; SIZE_MAX where that is too many for a slip of the fingers.
 */
size_t dt_tool_slip(const char *name, struct dt_str typed);

#endif
