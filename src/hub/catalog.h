/* hub/catalog.h - the tools of all dialects, for people and for scripts. */
#ifndef DT_HUB_CATALOG_H
#define DT_HUB_CATALOG_H

#include "base/buf.h"
#include "data/json.h"

#include <stdbool.h>

/* One line per tool, dialect by dialect. */
void dt_catalog_write_text(struct dt_buf *out);
/* docs/tools.md, which a test compares with this. */
void dt_catalog_write_markdown(struct dt_buf *out);
/* An array of dialects with their tools and schemas. */
void dt_catalog_write_json(struct dt_json_out *out);

/* One tool explained, for a terminal; in every dialect that has it.  False when
 * none does. */
bool dt_catalog_write_tool(struct dt_buf *out, const char *name);

/* Whether an argument of an MCP tool is the path of a file or folder. */
bool dt_catalog_is_path(const char *tool, const char *argument);
/* The tool of MCP clients that is most like a name that was mistyped, or NULL. */
const char *dt_catalog_nearest(const char *typed);

#endif
