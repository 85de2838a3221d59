/* backend/listing.h - the files of a workspace, as git sees them. */
#ifndef DT_BACKEND_LISTING_H
#define DT_BACKEND_LISTING_H

#include "editor/answer.h"
#include "editor/files.h"
#include "loop/loop.h"

/* Where to look; everything is copied. */
struct dt_listing_spec {
	struct dt_loop *loop;
	const struct dt_names *roots; /* real paths */
	const char *git;              /* the program; NULL: there is none */
	char *const *env;             /* for it; ends with NULL */
	size_t most;                  /* names; 0: DT_LIMIT_LISTED */
};

/*
 * Perform listFiles.  Each root is asked of git; one that git knows no files of
 * is walked, by a thread.  The answer ends at once when the arguments are wrong
 * or the directory is outside, else in a later turn.
 */
void dt_listing_start(const struct dt_listing_spec *spec,
                      const struct dt_list_files_args *args,
                      struct dt_answer *answer);

#endif
