/*
 * review/inbox.h - the reviews that wait for a person, and how they end.
 *
 * A review is stored when it opens.  It ends once: accepted or rejected by a
 * person or by the rules, withdrawn by its agent, or orphaned when the agent is
 * gone.  A verdict is on disk before the agent is told.  All surfaces (terminal,
 * editor, page) are equal; the first answer wins.
 */
#ifndef DT_REVIEW_INBOX_H
#define DT_REVIEW_INBOX_H

#include "base/err.h"
#include "base/list.h"
#include "base/rand.h"
#include "editor/answer.h"
#include "review/changeset.h"
#include "review/rules.h"
#include "store/reviews.h"
#include "store/store.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dt_inbox;

/* A review that is waiting, or whose verdict is on its way to the disk. */
struct dt_review {
	struct dt_list link; /* in the order of opening */
	struct dt_inbox *inbox;
	char id[DT_ID_TEXT];
	char *workspace; /* id */
	char *session;   /* id */
	char *agent;
	char *title;
	char *reason; /* or NULL */
	int64_t opened_ms;
	struct dt_changeset set;
	enum dt_review_state state;
	/* review/inbox.c's */
	struct dt_answer *answer; /* NULL: nobody waits any more */
	char *comment;
	bool is_by_rule; /* no person was asked */
	void (*on_decided)(struct dt_review *review, const struct dt_fail *fail,
	                   void *owner);
	void *decider;
};

struct dt_inbox {
	struct dt_list list;
	size_t count;
	struct dt_store *store; /* NULL: nothing is kept */
	/* What went wrong first since a review could last be kept. */
	struct dt_fail unkept;
	/* Told when a review opens or stops waiting. */
	void (*on_change)(struct dt_inbox *inbox, struct dt_review *review,
	                  void *owner);
	void *owner;
};

void dt_inbox_init(struct dt_inbox *inbox, struct dt_store *store);
/* Every waiting review is orphaned.  One whose verdict is on its way to the disk
 * goes when it has got there: the inbox must still be in memory then. */
void dt_inbox_done(struct dt_inbox *inbox);

/* Who asks. */
struct dt_review_spec {
	const char *workspace;
	const char *session;
	const char *agent;
	const struct dt_propose_args *args;
	struct dt_documents *docs;
	const struct dt_rules *rules; /* NULL: a person is asked */
};

/*
 * Open a review.  The answer is ended with the verdict, or failed when it is
 * withdrawn; when the answer is dropped first, the review is orphaned.  What the
 * rules decide never waits: what they allow is accepted at once, and kept where
 * they say so; what they deny is kept as rejected, and the answer fails with
 * DT_E_DENIED and a sentence, for no person rejected it.
 */
void dt_inbox_open(struct dt_inbox *inbox, const struct dt_review_spec *spec,
                   struct dt_answer *answer);

/* True when that would be denied at once. */
bool dt_inbox_denies(const struct dt_review_spec *spec);

/* Remember a person's text for the first entry of one that waits.  It stays with
 * the review however that ends, unless it is accepted. */
void dt_inbox_keep(struct dt_review *review, struct dt_str text);

/* What a person decided. */
struct dt_verdict {
	enum dt_outcome outcome;
	const struct dt_str *finals; /* by entry; ptr NULL: as proposed */
	size_t final_count;
	const char *comment; /* or NULL */
	const char *decided_by;
	const char *surface;
};

/*
 * Decide a review that waits.  `fn` comes once, when the verdict is kept and the
 * agent told; `fail` there is what the store could not do, and changes nothing.
 * DT_E_STATE: it was decided before; `fn` does not come then.
 */
typedef void dt_decided_fn(struct dt_review *review, const struct dt_fail *fail,
                           void *owner);
enum dt_err dt_inbox_decide(struct dt_review *review,
                            const struct dt_verdict *verdict, dt_decided_fn *fn,
                            void *owner, struct dt_fail *fail) DT_MUST_CHECK;

/* Take reviews of a session back: all, or those with that title.  Their calls
 * fail with the sentence.  Returns how many. */
uint32_t dt_inbox_withdraw(struct dt_inbox *inbox, const char *session,
                           const char *title, const char *sentence);

/* A waiting review by any unique beginning of its id. */
enum dt_err dt_inbox_find(struct dt_inbox *inbox, const char *prefix,
                          struct dt_review **out,
                          struct dt_fail *fail) DT_MUST_CHECK;

#endif
