/* app/shown.h - the two trees of a change as a person may look at them. */
#ifndef DT_APP_SHOWN_H
#define DT_APP_SHOWN_H

#include "base/arena.h"
#include "base/err.h"

/*
 * FOLDER holds "a" and "b".  *out is the folder whose "a" and "b" are shown:
 * FOLDER itself when no name and no text in them hides anything, else
 * FOLDER/shown, made anew, with everything hidden spelled out.
 */
enum dt_err dt_shown_make(struct dt_arena *arena, const char *folder,
                          const char **out, struct dt_fail *fail);

#endif
