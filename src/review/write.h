/* review/write.h - a change that was accepted, written by us. */
#ifndef DT_REVIEW_WRITE_H
#define DT_REVIEW_WRITE_H

#include "base/err.h"
#include "review/changeset.h"

#include <stdbool.h>

/*
 * Write the final texts of all entries, or none (base/replace.h): beneath the
 * roots (DT_E_DENIED elsewhere), and only onto what the change was made from,
 * where that was (DT_E_STATE) unless it is forced.  DT_E_ARGS: two entries lead to one file.
 * The documents know of it afterwards: what
 * was written has no unsaved text any more, what is gone is not open.
 */
enum dt_err dt_changeset_write(const struct dt_changeset *set,
                               struct dt_documents *docs, bool is_forced,
                               struct dt_fail *fail) DT_MUST_CHECK;

/* Where a file of that name would be written, on the heap: links in its folders
 * followed, its own name left alone. */
char *dt_entry_place(const char *path);

/* Whether it could ever be written for an agent: the names alone are looked at,
 * and fail as above.  DT_E_DENIED also for what belongs to git. */
enum dt_err dt_changeset_check(const struct dt_changeset *set,
                               const struct dt_documents *docs,
                               struct dt_fail *fail) DT_MUST_CHECK;

#endif
