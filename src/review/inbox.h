/*
 * review/inbox.h - the reviews that wait for a person, and how they end.
 *
 * A review is stored when it opens.  It ends once: accepted or rejected by a
 * person or by the rules, withdrawn by its agent, or orphaned when the agent is
 * gone.  A verdict is on disk before the agent is told, and before a file is
 * written; what was accepted is DT_REVIEW_WRITING until the files are written,
 * and only then DT_REVIEW_ACCEPTED.  All surfaces (terminal,
 * editor, page) are equal; the first answer wins.
 *
 * One that was opened for a call ends with that call.  One that was submitted
 * outlives it: whoever knows its id may wait for the verdict, and for some time
 * nobody has to.
 */
#ifndef DT_REVIEW_INBOX_H
#define DT_REVIEW_INBOX_H

#include "base/err.h"
#include "review/review.h"
#include "review/rules.h"
#include "store/store.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dt_inbox {
	struct dt_list list;
	size_t count;
	struct dt_list
		put_by; /* decided while nobody waited, the oldest first */
	size_t put_by_count;
	struct dt_store *store; /* NULL: nothing is kept */
	/* What went wrong first since a review could last be kept. */
	struct dt_fail unkept;
	/* Told when a review opens, stops waiting or is written.  One that is
	 * DT_REVIEW_WRITING and not ours to write is for the owner to settle,
	 * with dt_store_put_written(). */
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
	const char *call; /* NULL: its caller does not come back */
	const struct dt_propose_args *args; /* without changes for a card */
	const struct dt_card *card;         /* or NULL: a change of files */
	struct dt_documents *docs;
	const struct dt_rules *rules; /* NULL: a person is asked */
	bool needs_person;            /* rules may deny it, not let it pass */
	bool writes; /* what is accepted is written, all of it or nothing */
	uint32_t settle_ms; /* else, how long the agent has; 0: as one that is
	                     * told at once */
	bool can_elicit;    /* of those that are submitted */
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

/*
 * A review of this caller that nobody has decided, waiting again under its own
 * id and with the text that a person had made of it.  Its store has been told.
 * `spec` says who asks; its args are not looked at.
 */
void dt_inbox_resume(struct dt_inbox *inbox, const struct dt_review_spec *spec,
                     const struct dt_review_record *record,
                     struct dt_answer *answer);

/*
 * Open a review that outlives its call: the answer ends at once with struct
 * dt_submit_result, or fails.  What the rules decided is to be awaited, too.
 */
void dt_inbox_submit(struct dt_inbox *inbox, const struct dt_review_spec *spec,
                     struct dt_answer *answer);

/*
 * Wait for the verdict on a review that was submitted in that workspace: the
 * answer ends as that of dt_inbox_open().  A verdict is told once.  Of two who
 * wait the first is told that another does.  When the answer is dropped, the
 * review stays if it is lasting and is orphaned otherwise.  Who only looks is
 * told DT_UNDECIDED instead of waiting, and takes nobody's place.
 */
void dt_inbox_await(struct dt_inbox *inbox, const char *workspace,
                    const struct dt_await_args *args, struct dt_answer *answer);

/* A review of that workspace that waits and was submitted, by its whole id, or
 * NULL. */
struct dt_review *dt_inbox_submitted(struct dt_inbox *inbox,
                                     const char *workspace, const char *id);

/*
 * Orphan or forget what nobody has waited for since DT_LIMIT_UNATTENDED_MS.
 * Returns after how many ms to look again; 0: nothing is left to look after.
 */
uint64_t dt_inbox_expire(struct dt_inbox *inbox, uint64_t now_ms);

/* True when that would be denied at once. */
bool dt_inbox_denies(const struct dt_review_spec *spec);

/* Remember a person's text for an entry of one that waits; absent: forget it.  It
 * stays with the review however that ends, unless it is accepted. */
void dt_inbox_keep(struct dt_review *review, size_t entry, struct dt_str text);

/* What a person decided. */
struct dt_verdict {
	enum dt_outcome outcome;
	const struct dt_final *finals; /* by entry */
	size_t final_count;
	const char *comment; /* or NULL */
	const char *decided_by;
	const char *surface;
};

/*
 * Decide a review that waits.  `fn` comes once, when the verdict is kept and the
 * agent told; `fail` there is what could not be kept or written, and does not
 * change the verdict.
 * DT_E_STATE: it was decided before, DT_E_ARGS: all of it was left out, which is
 * no acceptance; `fn` does not come then.
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

/*
 * The agent behind this answer takes its change back: the review is withdrawn,
 * not orphaned, when the answer is dropped next.  Returns its id, or NULL where
 * no review waits for that answer.
 */
const char *dt_inbox_retract(const struct dt_answer *answer);

/* A waiting review by any unique beginning of its id. */
enum dt_err dt_inbox_find(struct dt_inbox *inbox, const char *prefix,
                          struct dt_review **out,
                          struct dt_fail *fail) DT_MUST_CHECK;

#endif
