/* base/glob.h - patterns of file names. */
#ifndef DT_BASE_GLOB_H
#define DT_BASE_GLOB_H

#include "base/err.h"
#include "base/str.h"

#include <stdbool.h>

#define DT_GLOB_MAX 255 /* bytes of a pattern */

/*
 *   ?       one character, but no slash
 *   *       any run of characters without a slash
 *   **      any run of characters; as a whole part of a path also no part
 *   {a,b}   either; braces nest
 * Everything else stands for itself, also a dot at the beginning of a name.
 */

/* DT_E_ARGS: braces that do not match, nothing at all, or too long. */
enum dt_err dt_glob_check(struct dt_str glob,
                          struct dt_fail *fail) DT_MUST_CHECK;

/* The same for a pattern of files beneath a folder: DT_E_ARGS also for one that
 * can fit no file, as "./a", "~/a" or "a/". */
enum dt_err dt_glob_check_path(struct dt_str glob,
                               struct dt_fail *fail) DT_MUST_CHECK;

/* Whether the pattern covers the whole path; one that dt_glob_check() refuses
 * covers none.  The time is bounded by the product of both lengths. */
bool dt_glob_matches(struct dt_str glob, struct dt_str path);

#endif
