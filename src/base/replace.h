/* base/replace.h - several files written, removed and renamed together. */
#ifndef DT_BASE_REPLACE_H
#define DT_BASE_REPLACE_H

#include "base/err.h"
#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>

/* A file below a root, by a path relative to it; root NULL: there is none. */
struct dt_place_at {
	const char *root;
	const char *relative;
};

/* One file: where it is, and where its new text goes.  Both are the same when
 * it is changed. */
struct dt_replacement {
	struct dt_place_at from; /* none: it is new */
	struct dt_place_at to;   /* none: it is removed */
	struct dt_str text;
	const char *digest; /* SHA-256 of what must be there, in hex */
	bool is_forced;     /* whatever is there, also nothing */
	/* A folder that is made, or that is removed in the end if nothing is
	 * left in it then. */
	bool is_folder;
	/* Where a file goes that is removed, see base/trash.h, or NULL; it is
	 * gone where that cannot be.  `*trashed` is its place, on the heap. */
	const char *trash;
	char **trashed;
};

/*
 * Do all of it, or nothing: whatever can be found wrong is found, and every new
 * text is on the disk, before the first name changes; what fails then is undone.
 * A file keeps its mode; a new one gets what the umask leaves of 0666, and the
 * folders it needs.  No two may be about the same file.  `mark` is in the names
 * of the files that are made beside the others meanwhile, for dt_files_resume();
 * NULL: nobody will resume it.
 *
 * DT_E_STATE: a file is not what it must be, or one is in the way.  DT_E_DENIED:
 * a name leads out of its root, is a link, or is one of several of its file.
 */
enum dt_err dt_files_replace(const struct dt_replacement *list, size_t count,
                             const char *mark,
                             struct dt_fail *fail) DT_MUST_CHECK;

/*
 * Go on with what dt_files_replace() was given with the same list and mark, at
 * whatever point it was cut off, before it began and after it ended included.
 * Afterwards all of it is done, or it fails as above and nothing of it is: what
 * was done is undone, unless others have changed it since.  The files that were
 * made beside the others under that mark are gone either way.
 */
enum dt_err dt_files_resume(const struct dt_replacement *list, size_t count,
                            const char *mark,
                            struct dt_fail *fail) DT_MUST_CHECK;

#endif
