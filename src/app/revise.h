/*
 * app/revise.h - a change edited, taken by hunk and file by file.  Nothing is
 * decided here: what comes of it is a draft, to be looked at once more.
 */
#ifndef DT_APP_REVISE_H
#define DT_APP_REVISE_H

#include "app/draft.h"

struct dt_revise {
	const struct dt_draft *draft;
	const char *editor; /* as dt_diff_edit_file() wants it */
	const char *pager;  /* as dt_diff_show() wants it */
	/* The next key, or DT_KEY_END when there is nothing left to ask. */
	int (*key)(void *owner);
	void *owner;
};

enum dt_revised {
	DT_REVISED_NOT,   /* nothing is other than before */
	DT_REVISED,       /* there is something to look at */
	DT_REVISED_EMPTY, /* nothing of the change was taken */
};

/* Let the person edit the new text, or go through its hunks; of several files
 * both ask about one after the other.  What cannot be done is printed. */
enum dt_err dt_revise_edit(struct dt_revise *revise, enum dt_revised *out,
                           struct dt_fail *fail) DT_MUST_CHECK;
enum dt_err dt_revise_hunks(struct dt_revise *revise, enum dt_revised *out,
                            struct dt_fail *fail) DT_MUST_CHECK;

#endif
