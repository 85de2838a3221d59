/* base/trash.h - the trash of a desktop. */
#ifndef DT_BASE_TRASH_H
#define DT_BASE_TRASH_H

#include "base/err.h"

/*
 * Move a file into a trash that is there, by the FreeDesktop.org specification;
 * `path` is where it is to be put back.  `*out` is where it went, on the heap.
 * DT_E_MISSING: there is no such trash.  DT_E_UNSUPPORTED: it is on another file
 * system.  The file is where it was whenever this fails.
 */
enum dt_err dt_trash_put(const char *trash, int folder, const char *name,
                         const char *path, char **out,
                         struct dt_fail *fail) DT_MUST_CHECK;

#endif
