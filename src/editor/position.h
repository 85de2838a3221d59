/* editor/position.h - a place in a text, as in LSP. */
#ifndef DT_EDITOR_POSITION_H
#define DT_EDITOR_POSITION_H

#include <stdint.h>

struct dt_position {
	uint32_t line;      /* from 0 */
	uint32_t character; /* from 0, in UTF-16 units */
};

/* The end is not part of it. */
struct dt_range {
	struct dt_position start;
	struct dt_position end;
};

#endif
