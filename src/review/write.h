/* review/write.h - a change that was accepted, written by us. */
#ifndef DT_REVIEW_WRITE_H
#define DT_REVIEW_WRITE_H

#include "base/err.h"
#include "review/changeset.h"
#include "store/reviews.h"

#include <stdbool.h>

/*
 * Write the final texts of all entries but those that were left out, or none
 * (base/replace.h): beneath the roots (DT_E_DENIED elsewhere), and only onto what
 * the change was made from, where that was (DT_E_STATE) unless it is forced.
 * DT_E_ARGS: two entries lead to one file.
 * The documents know of it afterwards: what
 * was written has no unsaved text any more, what is gone is not open.
 * `mark` is dt_files_replace()'s: the id of the review.
 */
enum dt_err dt_changeset_write(const struct dt_changeset *set,
                               struct dt_documents *docs, const char *mark,
                               bool is_forced,
                               struct dt_fail *fail) DT_MUST_CHECK;

/* Where a file of that name would be written, on the heap: links in its folders
 * followed, its own name left alone. */
char *dt_entry_place(const char *path);

/* The same, where it may have been begun before (dt_files_resume()): what is
 * done already is fine.  Unsaved texts are for the caller to look at. */
enum dt_err dt_changeset_resume(const struct dt_changeset *set,
                                struct dt_documents *docs, const char *mark,
                                bool is_forced,
                                struct dt_fail *fail) DT_MUST_CHECK;

/* The entries of a review that was kept, in the arena, with the texts that were
 * accepted, or that a person had made of the proposal, or else the proposal. */
struct dt_changeset dt_changeset_kept(struct dt_arena *arena,
                                      const struct dt_review_record *record);

/* True when what is on disk is what the entry was to make of it. */
bool dt_entry_is_written(const struct dt_entry *entry,
                         struct dt_documents *docs);

/* Whether it could ever be written for an agent: the names alone are looked at,
 * and fail as above.  DT_E_DENIED also for what belongs to git. */
enum dt_err dt_changeset_check(const struct dt_changeset *set,
                               const struct dt_documents *docs,
                               struct dt_fail *fail) DT_MUST_CHECK;

#endif
