/* hub/cut.h - the part of a very large change that can be shown. */
#ifndef DT_HUB_CUT_H
#define DT_HUB_CUT_H

#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>

/* The texts of one file of a review; an absent one has ptr NULL. */
struct dt_cut_texts {
	struct dt_str old;
	struct dt_str proposed;
	struct dt_str final;
};

/* How much of them is shown. */
struct dt_cut {
	size_t before; /* lines that are the same and left out */
	size_t shown;  /* lines of the old and the new text that are shown */
	size_t all;    /* and that there are */
};

/* The new text: the final one where there is one. */
struct dt_str dt_cut_new(const struct dt_cut_texts *texts);

/* How many bytes they take in a message, and whether those of a review are too
 * many for one. */
size_t dt_cut_size(const struct dt_cut_texts *texts);
bool dt_cut_is_needed(const struct dt_cut_texts *texts, size_t count);

/* Leave of each text only whole lines, at most `room` bytes, from a little before
 * the first difference on. */
void dt_cut_apply(struct dt_cut_texts *texts, size_t room, struct dt_cut *out);

/*
 * Put a whole text into a file of the state directory, for the person alone to
 * read, and return its path on the heap; NULL when it could not be put there.
 * One that is there already stays.  It is not worth an fsync.
 */
char *dt_cut_keep(const char *state, const char *review, size_t at,
                  struct dt_str text);
/* Remove that file, if it is there; and all of them. */
void dt_cut_forget(const char *state, const char *review, size_t at);
void dt_cut_forget_all(const char *state);

#endif
