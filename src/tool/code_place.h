/* tool/code_place.h - the place that a tool is asked about, found by a name. */
#ifndef DT_TOOL_CODE_PLACE_H
#define DT_TOOL_CODE_PLACE_H

#include "tool/code_view.h"

/*
 * `then` comes once with the place, lent, or the call fails.  Without a line it
 * is where the file declares the symbol, and without a file the only symbol of
 * that name in the workspace; more than one fails with where they are.  The
 * state of the call is used until `then` comes.
 */
typedef void dt_place_fn(struct dt_call *call,
                         const struct dt_code_place *place);
void dt_code_place_find(struct dt_call *call, const struct dt_place_view *from,
                        dt_place_fn *then);

#endif
