/* base/path.h - names of files: joined, compared, turned into URIs.  Only
 * dt_path_real(), dt_path_follow(), dt_path_lead() and dt_path_from_uri() look at
 * the disk. */
#ifndef DT_BASE_PATH_H
#define DT_BASE_PATH_H

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"

#include <stdbool.h>

static inline bool dt_path_is_absolute(const char *path)
{
	return path[0] == '/';
}

/*
 * `path`, made absolute against `dir` when it is not, with "." "..", double
 * and trailing slashes resolved as text.
 */
char *dt_path_join(struct dt_arena *arena, const char *dir, const char *path);

/* True when `path` is `dir` or lies below it.  Both absolute and normal. */
bool dt_path_is_beneath(const char *path, const char *dir);

/* What comes after the last slash; "/" for the root. */
const char *dt_path_base(const char *path);

/* Everything links resolved; the last part may be missing.  DT_E_MISSING when
 * the folder is not there. */
enum dt_err dt_path_real(struct dt_arena *arena, const char *path,
                         const char **out, struct dt_fail *fail) DT_MUST_CHECK;

/*
 * An absolute path by its next name: the first link in it replaced by what that
 * leads to, and nothing else resolved.  NULL when there is no link in it.
 */
const char *dt_path_follow(struct dt_arena *arena, const char *path);
#define DT_PATH_LINKS_MAX 40 /* on the way to one file; Linux follows no more */

/*
 * Where the system would go from `dir` by this path, as a normal path without
 * links: "link/.." is above what the link leads to, and what is not there yet is
 * where it would be made.  NULL: there are too many links.
 */
const char *dt_path_lead(struct dt_arena *arena, const char *dir,
                         const char *path);

/*
 * file:// URIs.  to_uri escapes what RFC 3986 wants escaped.  from_uri takes a
 * URI or a plain absolute path; it undoes percent escapes, but a URI whose raw
 * form names an existing file means that file (Claude Code sends raw paths).
 */
char *dt_path_to_uri(struct dt_arena *arena, const char *path);
enum dt_err dt_path_from_uri(struct dt_arena *arena, const char *uri,
                             const char **out,
                             struct dt_fail *fail) DT_MUST_CHECK;

#endif
