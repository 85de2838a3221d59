/* app/text.h - what people read in a terminal. */
#ifndef DT_APP_TEXT_H
#define DT_APP_TEXT_H

#include "base/arena.h"
#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

/* Hidden characters spelled out as <U+001B> (base/visible.h): what an agent sent
 * cannot drive the terminal.  Line breaks, too; the text stays one line. */
const char *dt_text_safe(struct dt_arena *arena, const char *z);

/* One line of a file in the same way, but tabs stay. */
const char *dt_text_code(struct dt_arena *arena, struct dt_str line);

/* True when a line holds nothing hidden but tabs and its line break. */
bool dt_text_is_plain(struct dt_str line);

/* How long ago in words: "just now", "5 min ago", "2 h ago", "3 days ago". */
const char *dt_text_ago(struct dt_arena *arena, int64_t wall_ms,
                        int64_t now_ms);

/* When something ends: "until 15:04", with the date when that is another day. */
const char *dt_text_until(struct dt_arena *arena, int64_t wall_ms,
                          int64_t now_ms);

/* A path relative to `root` (or NULL) when it lies below, safe to print. */
const char *dt_text_path(struct dt_arena *arena, const char *path,
                         const char *root);

/* "1 change", "3 changes" */
const char *dt_text_count(struct dt_arena *arena, uint64_t count,
                          const char *noun);

#endif
