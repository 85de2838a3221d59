/* app/draft.h - what a person has made of a change so far. */
#ifndef DT_APP_DRAFT_H
#define DT_APP_DRAFT_H

#include "app/diff.h"
#include "base/sha256.h"

/*
 * It is kept as files, so that it outlives this program: "b" of the layout has
 * what would be written, "out" beside it the texts of what was left out.
 */
struct dt_draft {
	struct dt_arena *arena;
	const struct dt_review_info *review;
	const struct dt_diff *diff;
};

size_t dt_draft_count(const struct dt_draft *draft);
/* Whether a file of it has a text that can be edited. */
bool dt_draft_has_text(const struct dt_draft *draft, size_t file);

/* The new text of a file as it is now, left out or not.  DT_E_ARGS when it is no
 * text any more. */
enum dt_err dt_draft_read(const struct dt_draft *draft, size_t file,
                          struct dt_buf *out,
                          struct dt_fail *fail) DT_MUST_CHECK;
/* Put another one there, and take the file. */
enum dt_err dt_draft_write(const struct dt_draft *draft, size_t file,
                           struct dt_str text,
                           struct dt_fail *fail) DT_MUST_CHECK;

bool dt_draft_is_left_out(const struct dt_draft *draft, size_t file);
/* Leave a file out, or take it again with the text it had. */
enum dt_err dt_draft_leave_out(const struct dt_draft *draft, size_t file,
                               struct dt_fail *fail) DT_MUST_CHECK;
enum dt_err dt_draft_take(const struct dt_draft *draft, size_t file,
                          struct dt_fail *fail) DT_MUST_CHECK;

/* Everything as the agent proposed it. */
enum dt_err dt_draft_reset(const struct dt_draft *draft,
                           struct dt_fail *fail) DT_MUST_CHECK;

/* What it comes to. */
struct dt_draft_state {
	struct dt_review_final *files; /* in the arena */
	size_t taken;                  /* how many are not left out */
	bool is_changed;               /* it is not what the agent proposed */
	char digest[DT_SHA256_TEXT];   /* of all of it */
};
/* Texts are given only where they are not the proposed ones.  A text that is
 * what the file has is the same as leaving it out, where there are several. */
enum dt_err dt_draft_look(const struct dt_draft *draft,
                          struct dt_draft_state *out,
                          struct dt_fail *fail) DT_MUST_CHECK;

#endif
