/* review/lines.h - how large a change is. */
#ifndef DT_REVIEW_LINES_H
#define DT_REVIEW_LINES_H

#include "base/str.h"

#include <stdint.h>

/*
 * Lines removed plus lines added, as `git diff --stat` counts them.  Exact up to
 * some thousand; of larger changes the count may be too high, never too low.
 */
uint32_t dt_lines_changed(struct dt_str before, struct dt_str after);

#endif
