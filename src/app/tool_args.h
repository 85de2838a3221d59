/* app/tool_args.h - arguments of a tool as a person types them. */
#ifndef DT_APP_TOOL_ARGS_H
#define DT_APP_TOOL_ARGS_H

#include "base/arena.h"
#include "base/err.h"
#include "data/json.h"

/*
 * The words "key=value" (ends with NULL) as one JSON object, by the tool's input
 * schema: numbers and booleans as such, arrays by repetition, objects as JSON,
 * all else as text.  DT_E_ARGS for a key the tool does not have.  The result is
 * in the arena.
 */
enum dt_err dt_tool_args_read(struct dt_arena *arena,
                              const struct dt_json *schema, char *const *words,
                              struct dt_str *out,
                              struct dt_fail *fail) DT_MUST_CHECK;

#endif
