/* tool/symbol_place.h - where exactly a symbol stands, by its text. */
#ifndef DT_TOOL_SYMBOL_PLACE_H
#define DT_TOOL_SYMBOL_PLACE_H

#include "editor/code.h"
#include "tool/call.h"

/* In the arena of the call. */
struct dt_symbol_place {
	const char *path;
	struct dt_position at; /* the first character of its name */
	const char *name;      /* the word that is there */
};

/*
 * For tools whose operation wants a position and knows no names: `place` is what
 * dt_code_place_find() came with.  Where it has a symbol, that of its name is
 * taken which is nearest within ten lines, or the first of the file where no
 * line is known.  `then` comes once, or the call fails.  The state of the call
 * is used until then.
 */
typedef void dt_symbol_fn(struct dt_call *call,
                          const struct dt_symbol_place *place);
void dt_symbol_settle(struct dt_call *call, const struct dt_code_place *place,
                      dt_symbol_fn *then);

#endif
