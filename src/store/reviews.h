/* store/reviews.h - reviews and their verdicts, as they are kept. */
#ifndef DT_STORE_REVIEWS_H
#define DT_STORE_REVIEWS_H

#include "base/str.h"
#include "store/store.h"

#include <stdbool.h>
#include <stdint.h>

/* These numbers are kept in the database: add at the end, change none. */
enum dt_review_state {
	DT_REVIEW_WAITING,
	DT_REVIEW_ACCEPTED, /* and on disk as it was, or a command */
	DT_REVIEW_REJECTED, /* by a person, or denied by a rule */
	DT_REVIEW_WITHDRAWN,
	DT_REVIEW_ORPHANED,  /* its caller is gone; a person may still decide */
	DT_REVIEW_WRITING,   /* accepted, and on its way to the disk */
	DT_REVIEW_UNWRITTEN, /* accepted, and not on disk as it was */
	DT_REVIEW_STATES,    /* not a state: how many there are */
};

/* Who writes what was accepted.  These numbers are kept, too. */
enum dt_review_writer {
	DT_WRITER_NONE, /* nothing is to be written, or nobody knows */
	DT_WRITER_WE,
	DT_WRITER_FORCED, /* we, onto whatever is there */
	DT_WRITER_AGENT,
	DT_WRITER_QUIET, /* we, and nothing is kept of it afterwards */
	DT_WRITERS,      /* not one: how many there are */
};

enum dt_entry_kind {
	DT_ENTRY_CREATE,
	DT_ENTRY_CHANGE,
	DT_ENTRY_DELETE,
	DT_ENTRY_RENAME,
	DT_ENTRY_KINDS, /* not a kind: how many there are */
};

/* "waiting" and so on; ends with NULL. */
extern const char *const dt_review_state_names[];

/* What was said of it, whatever came of that: "accepted" for all three states of
 * such a one. */
const char *dt_review_verdict_name(enum dt_review_state state);

/* True when a person or a rule has said yes, whatever came of it. */
static inline bool dt_review_is_accepted(enum dt_review_state state)
{
	return state == DT_REVIEW_ACCEPTED || state == DT_REVIEW_WRITING ||
	       state == DT_REVIEW_UNWRITTEN;
}

/*
 * Texts are bytes, kept exactly.  The absent slice (ptr NULL) is a file that
 * is not there, which is not the same as an empty one.
 */
struct dt_entry_record {
	enum dt_entry_kind kind;
	bool accepted;  /* the outcome, with final_text */
	bool is_edited; /* not accepted, but there is a final_text */
	const char *path;
	const char *new_path;    /* RENAME; NULL otherwise */
	const char *base_digest; /* of old_text; NULL when there is none */
	struct dt_str old_text;
	struct dt_str proposed_text;
	/* Of an accepted entry what was accepted; of any other what a person
	 * had edited, or absent. */
	struct dt_str final_text;
};

/* Names may be NULL but for id (32 hex digits), workspace and paths. */
struct dt_review_record {
	const char *id;
	const char *workspace;
	const char *session;
	const char *agent;
	const char *title; /* the tab's name, where the agent gave one */
	const char *reason;
	const char *call; /* by which its caller finds it again; NULL: none */
	const char *command; /* in words; NULL: it is a change of files */
	const char *folder;  /* where it would run */
	int64_t timeout_ms;  /* and how long */
	int64_t opened_ms;   /* wall clock, as decided_ms */
	const struct dt_entry_record *entries;
	size_t entry_count;

	/* The outcome. */
	enum dt_review_state state;
	int64_t decided_ms; /* 0 while waiting */
	const char *comment;
	const char *decided_by;
	const char *surface;
	enum dt_review_writer writer;
	const char *problem; /* why it is not on disk; NULL: it is, or may be */
};

/* What became of one entry, in the order of the review's entries. */
struct dt_outcome_record {
	bool accepted;
	struct dt_str final_text;
};

struct dt_verdict_record {
	const char *review; /* the whole id */
	enum dt_review_state state;
	/* A person wants it written by us: that ends a withdrawn one, too, and
	 * begins again with one that was accepted. */
	bool is_applied;
	enum dt_review_writer writer; /* of one that is DT_REVIEW_WRITING */
	int64_t decided_ms;
	const char *comment;
	const char *decided_by;
	const char *surface;
	const struct dt_outcome_record
		*outcomes; /* may be fewer than entries */
	size_t outcome_count;
};

#define DT_STORE_LIST_MAX 1000

struct dt_review_filter {
	const char *workspace; /* NULL: all */
	unsigned states;       /* 1u << DT_REVIEW_…, or-ed; 0: all */
	int64_t since_ms;      /* opened, decided or settled since */
	unsigned edited;       /* of these only what a person had edited */
	size_t limit; /* 0: DT_STORE_LIST_MAX, which is also the most */
};

/* A new review, waiting; of its outcome members only the writer is looked at. */
void dt_store_put_review(struct dt_store *store,
                         const struct dt_review_record *review,
                         dt_store_done_fn *fn, void *owner);

/*
 * End a review that is waiting, orphaned or unwritten.  When `fn` is told
 * DT_E_OK the verdict is on the disk; DT_REVIEW_WRITING with it says what is to
 * be written, before anything is.  DT_E_MISSING when there is no such review,
 * DT_E_STATE when it has ended before.
 */
void dt_store_put_verdict(struct dt_store *store,
                          const struct dt_verdict_record *verdict,
                          dt_store_done_fn *fn, void *owner);

/*
 * What became of a review that is DT_REVIEW_WRITING: DT_REVIEW_ACCEPTED, or
 * DT_REVIEW_UNWRITTEN and the problem.  Of any other nothing changes.  One of
 * DT_WRITER_QUIET is forgotten instead.
 */
void dt_store_put_written(struct dt_store *store, const char *review,
                          enum dt_review_state state, const char *problem,
                          dt_store_done_fn *fn, void *owner);

/*
 * Keep a person's text for an entry (from 0) of a review that nobody has decided:
 * one that waits, or was withdrawn or orphaned.  An absent text forgets it.
 * DT_E_MISSING, DT_E_STATE as above.
 */
void dt_store_put_edit(struct dt_store *store, const char *review, size_t entry,
                       struct dt_str text, dt_store_done_fn *fn, void *owner);

/* A review whose caller is back waits again, unless it was decided meanwhile. */
void dt_store_reopen_review(struct dt_store *store, const char *call,
                            dt_store_done_fn *fn, void *owner);

/* The callers of an earlier run are gone: its waiting reviews are orphans, its
 * commands withdrawn, and what was to be quiet and did not begin is forgotten. */
void dt_store_orphan_waiting(struct dt_store *store, int64_t now_ms,
                             dt_store_done_fn *fn, void *owner);

/* Newest first, with their entries but without the texts. */
typedef void dt_store_list_fn(struct dt_store *store,
                              const struct dt_review_record *reviews,
                              size_t count, const struct dt_fail *fail,
                              void *owner);
void dt_store_list_reviews(struct dt_store *store,
                           const struct dt_review_filter *filter,
                           dt_store_list_fn *fn, void *owner);

/*
 * One review with its texts, by its id or any beginning of it that no other
 * shares.  `review` is NULL on failure: DT_E_MISSING when there is none,
 * DT_E_ARGS when there are several or it can be no id.
 */
typedef void dt_store_get_fn(struct dt_store *store,
                             const struct dt_review_record *review,
                             const struct dt_fail *fail, void *owner);
void dt_store_get_review(struct dt_store *store, const char *id,
                         dt_store_get_fn *fn, void *owner);
/* The same, by the name of its call. */
void dt_store_get_call(struct dt_store *store, const char *call,
                       dt_store_get_fn *fn, void *owner);

/* Forget reviews and sessions that ended before that time, what left before it
 * and what of that is too much; and give back their space. */
void dt_store_prune(struct dt_store *store, int64_t before_ms,
                    dt_store_done_fn *fn, void *owner);

#endif
