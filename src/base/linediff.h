/* base/linediff.h - which lines of two texts differ. */
#ifndef DT_BASE_LINEDIFF_H
#define DT_BASE_LINEDIFF_H

#include "base/arena.h"
#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>

/* A text as lines, each with its line break; the last may have none.  Put
 * together they are the text again, byte for byte. */
struct dt_lines {
	const struct dt_str *ptr;
	size_t count;
};

/* One run of old lines that gives way to a run of new ones; either may be
 * empty, not both.  Lines count from 0. */
struct dt_edit {
	size_t old_first;
	size_t old_count;
	size_t new_first;
	size_t new_count;
};

struct dt_edits {
	const struct dt_edit *ptr; /* in order; between two is a common line */
	size_t count;
};

/* The slices point into the text. */
struct dt_lines dt_lines_split(struct dt_arena *arena, struct dt_str text);

/* How many lines that would be. */
size_t dt_lines_count(struct dt_str text);
/* Whether what lies between the first and the last difference of two texts is
 * more than DT_LIMIT_DIFFED, so that others would wait long for a comparison. */
bool dt_lines_are_far(struct dt_str old, struct dt_str fresh);

/* Steps that a search may take where nobody waits long: some ten milliseconds. */
#define DT_LINES_WORK 5000000u

/*
 * What makes the new lines of the old ones.  It is as short as can be found in
 * reasonable time: texts that have little in common get a longer one.  The
 * steps it takes are taken from *work, which several may share; what is not
 * searched when that is used up counts as changed.  NULL: DT_LINES_WORK for this
 * one.
 */
struct dt_edits dt_lines_diff(struct dt_arena *arena, struct dt_lines old,
                              struct dt_lines fresh, size_t *work);

#endif
