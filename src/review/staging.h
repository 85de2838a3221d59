/*
 * review/staging.h - changes gathered by a session until they are proposed
 * together.  Nothing of them is in a file or in front of a person.
 */
#ifndef DT_REVIEW_STAGING_H
#define DT_REVIEW_STAGING_H

#include "base/err.h"
#include "base/list.h"
#include "editor/document.h"
#include "review/changeset.h"

#include <stddef.h>
#include <stdint.h>

#define DT_TRANSACTION_NAME_MAX 64 /* bytes of an id */

struct dt_transaction {
	struct dt_list link;
	struct dt_staging *staging;
	char *id;
	char *session;
	uint64_t touched_ms;
	size_t bytes; /* of its texts */
	struct dt_changeset set;
};

/* Zeroed and initialized by dt_staging_init(). */
struct dt_staging {
	struct dt_list list;
};
void dt_staging_init(struct dt_staging *staging);
void dt_staging_done(struct dt_staging *staging);

/*
 * Begin one; `id` NULL: one is made.  DT_E_ARGS: an id that is empty, too long or
 * not of letters, digits, "-", "_" and "."; DT_E_STATE: there is one of that id;
 * DT_E_LIMIT: too many of this session.  What was not touched for
 * DT_LIMIT_TRANSACTION_MS goes first.
 */
enum dt_err dt_staging_begin(struct dt_staging *staging, const char *session,
                             const char *id, struct dt_transaction **out,
                             struct dt_fail *fail) DT_MUST_CHECK;

/* DT_E_MISSING: this session has none of that id. */
enum dt_err dt_staging_find(struct dt_staging *staging, const char *session,
                            const char *id, struct dt_transaction **out,
                            struct dt_fail *fail) DT_MUST_CHECK;

/*
 * Add changes (struct dt_change), all or none.  A file that is in it already is
 * edited further, from what was staged.  *out is a list as that of
 * dt_changeset_list(), of the files that were named.  The failures of
 * dt_changeset_init().
 */
enum dt_err dt_transaction_stage(struct dt_transaction *transaction,
                                 const struct dt_items *changes,
                                 struct dt_documents *docs,
                                 struct dt_items *out,
                                 struct dt_fail *fail) DT_MUST_CHECK;

/* Its changes to be proposed, as of dt_changeset_list(): each made from the text
 * that was there when it was staged, and without the old texts. */
struct dt_items dt_transaction_list(const struct dt_transaction *transaction);

void dt_transaction_free(struct dt_transaction *transaction);
/* The session is gone, and what it began. */
void dt_staging_leave(struct dt_staging *staging, const char *session);

#endif
