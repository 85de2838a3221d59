/* review/review.h - one review while it is in memory. */
#ifndef DT_REVIEW_REVIEW_H
#define DT_REVIEW_REVIEW_H

#include "base/list.h"
#include "base/rand.h"
#include "editor/answer.h"
#include "review/changeset.h"
#include "store/reviews.h"

#include <stdbool.h>
#include <stdint.h>

struct dt_inbox;

/*
 * A command that waits for a person, instead of a change of files.  It ends with
 * the call that wants it: nothing is run that nobody waits for, so there is no
 * orphan of this kind.
 */
struct dt_card {
	const char *command; /* in words, see dt_run_words(); NULL: none */
	const char *folder;
	uint32_t timeout_ms; /* 0: none */
	/* The program that a person may allow from now on; NULL: that would
	 * not help, or allow too much. */
	const char *program;
};

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
	char *call;   /* by which its caller finds it again; or NULL */
	int64_t opened_ms;
	struct dt_changeset set; /* empty: it is a command */
	struct dt_card card;     /* and that is which; its texts are owned */
	enum dt_review_state state;
	bool can_elicit; /* the verdict may come through the agent */
	/* review/inbox.c's */
	struct dt_documents *docs;
	struct dt_answer *answer; /* NULL: nobody waits */
	bool writes;              /* what is accepted is written by us */
	uint32_t settle_ms;       /* else, how long the agent has for it */
	bool is_submitted;        /* it may be waited for by its id */
	bool is_lasting;          /* and it stays while nobody waits ... */
	uint64_t alone_ms;        /* ... since then */
	bool is_put_by;           /* decided, and nobody has asked yet */
	bool is_written;
	char *problem; /* why it is not, though it was to be; or NULL */
	char *comment;
	bool is_retracted; /* the agent took it back, should it be dropped */
	bool is_by_rule;   /* no person was asked */
	bool is_silent;    /* and nothing is kept of it */
	void (*on_decided)(struct dt_review *review, const struct dt_fail *fail,
	                   void *owner);
	void *decider;
};

#endif
