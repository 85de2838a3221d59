/* review/restore.h - the change set of a review that was kept. */
#ifndef DT_REVIEW_RESTORE_H
#define DT_REVIEW_RESTORE_H

#include "review/changeset.h"
#include "store/reviews.h"

/*
 * As it was proposed, with the text that a person has made of it so far.  The old
 * texts are those of then: what has changed since is seen as stale.
 */
void dt_changeset_restore(struct dt_changeset *set,
                          const struct dt_review_record *record,
                          struct dt_documents *docs);

#endif
