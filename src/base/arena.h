/* base/arena.h - memory that lives exactly as long as one call. */
#ifndef DT_BASE_ARENA_H
#define DT_BASE_ARENA_H

#include "base/str.h"

#include <stddef.h>

struct dt_arena_block;

/*
 * Everything decoded or built for one message lives in one arena and dies with
 * it.  Zeroed storage is an empty arena that holds no memory, so an idle owner
 * costs nothing.  Pointers stay valid until dt_arena_done().
 */
struct dt_arena {
	struct dt_arena_block *last;
	char *next;
	char *end;
};

void dt_arena_done(struct dt_arena *arena); /* leaves it empty, reusable */

void *dt_arena_alloc(struct dt_arena *arena, size_t size); /* zeroed */
/* Uninitialised and unaligned; give back what was not used with _shrink. */
char *dt_arena_bytes(struct dt_arena *arena, size_t size);
void dt_arena_shrink(struct dt_arena *arena, char *bytes, size_t size,
                     size_t used);
char *dt_arena_strdup(struct dt_arena *arena, const char *z); /* NULL: NULL */
char *dt_arena_strndup(struct dt_arena *arena, const char *ptr, size_t len);
char *dt_arena_printf(struct dt_arena *arena, const char *fmt, ...)
	DT_PRINTF(2, 3);

#endif
