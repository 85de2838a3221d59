/*
 * backend/code_read.h - answers of language servers taken apart.
 *
 * The specification allows several shapes for one thing, and servers use them
 * all.  What does not fit is left out, never an error.  Strings are copied into
 * the arena.
 */
#ifndef DT_BACKEND_CODE_READ_H
#define DT_BACKEND_CODE_READ_H

#include "base/arena.h"
#include "data/json.h"
#include "editor/code.h"

/* A member that is such a thing; false or NULL: there is none. */
bool dt_code_read_position(const struct dt_json *json, struct dt_position *out);
bool dt_code_read_range(const struct dt_json *json, struct dt_range *out);
uint32_t dt_code_read_u32(const struct dt_json *json, uint32_t otherwise);
const char *dt_code_read_name(struct dt_arena *arena,
                              const struct dt_json *json);
/* The path of a file:// URI. */
const char *dt_code_read_path(struct dt_arena *arena,
                              const struct dt_json *json);
/* SymbolKind as a word. */
const char *dt_code_read_kind(const struct dt_json *json);
/* An array of strings. */
struct dt_names dt_code_read_names(struct dt_arena *arena,
                                   const struct dt_json *json);

/* null, Location, LocationLink or an array of them. */
struct dt_items dt_code_read_locations(struct dt_arena *arena,
                                       const struct dt_json *json);

/* string, MarkupContent, MarkedString or an array of them, as Markdown; absent
 * when there is no text. */
struct dt_str dt_code_read_text(struct dt_arena *arena,
                                const struct dt_json *json);

/* The array it is; an empty one for anything else. */
const struct dt_json *dt_code_list(const struct dt_json *json);

#endif
