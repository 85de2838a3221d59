/* backend/workspace_edit.h - what language servers want to change, read. */
#ifndef DT_BACKEND_WORKSPACE_EDIT_H
#define DT_BACKEND_WORKSPACE_EDIT_H

#include "base/arena.h"
#include "base/err.h"
#include "data/field.h"
#include "data/json.h"
#include "editor/position.h"

#include <stdbool.h>

/* Add a WorkspaceEdit to a list of struct dt_change, one for each file; the list
 * has room for DT_LIMIT_CHANGES.  DT_E_UNSUPPORTED: what is no change of files;
 * DT_E_LIMIT: too many. */
enum dt_err dt_workspace_edit_read(struct dt_arena *arena,
                                   const struct dt_json *edit,
                                   struct dt_items *changes,
                                   struct dt_fail *fail) DT_MUST_CHECK;

/* The same for TextEdit[] of one file. */
enum dt_err dt_text_edits_read(struct dt_arena *arena, const char *path,
                               const struct dt_json *edits,
                               struct dt_items *changes,
                               struct dt_fail *fail) DT_MUST_CHECK;

/* False: it is no Range. */
bool dt_lsp_range_read(const struct dt_json *json, struct dt_range *out);

#endif
