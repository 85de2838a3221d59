/* app/target.h - FILE:LINE:COLUMN as people type it. */
#ifndef DT_APP_TARGET_H
#define DT_APP_TARGET_H

#include "base/arena.h"
#include "base/err.h"

#include <stdint.h>

/* A line and perhaps a column, both counted from 1; 0: not given. */
struct dt_spot {
	uint32_t line;
	uint32_t column;
};

struct dt_target {
	const char *path; /* absolute, links as they are */
	struct dt_spot start;
	struct dt_spot end;
};

/*
 * Read FILE, FILE:SPOT or FILE:SPOT-SPOT where a SPOT is LINE or LINE:COLUMN.
 * The longest FILE that exists counts, so names with colons work.  DT_E_MISSING
 * when there is no such file.
 */
enum dt_err dt_target_read(struct dt_arena *arena, const char *text,
                           struct dt_target *out,
                           struct dt_fail *fail) DT_MUST_CHECK;

#endif
