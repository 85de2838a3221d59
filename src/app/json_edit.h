/*
 * app/json_edit.h - a JSON text changed in one place, all else kept byte for
 * byte.  The nodes are those of the text; the results are in the arena.
 */
#ifndef DT_APP_JSON_EDIT_H
#define DT_APP_JSON_EDIT_H

#include "base/arena.h"
#include "base/str.h"
#include "data/json.h"

/* Other bytes in place of `cut`, a part of the text. */
struct dt_str dt_json_edit_splice(struct dt_arena *arena, struct dt_str text,
                                  struct dt_str cut, const char *with);

/* One more member behind the others of a container whose members are indented
 * `depth` times, at most three. */
struct dt_str dt_json_edit_append(struct dt_arena *arena, struct dt_str text,
                                  const struct dt_json *to, const char *member,
                                  int depth);

/* Without a member (in an object: its key), which goes with one comma, so that
 * the rest is as if it had never been there. */
struct dt_str dt_json_edit_cut(struct dt_arena *arena, struct dt_str text,
                               const struct dt_json *of,
                               const struct dt_json *member);

/* The key of that name; NULL: none. */
const struct dt_json *dt_json_edit_key(const struct dt_json *object,
                                       const char *name);

/* A text as JSON, quotes included. */
const char *dt_json_edit_string(struct dt_arena *arena, const char *z);

#endif
