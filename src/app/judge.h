/* app/judge.h - one change in front of one person. */
#ifndef DT_APP_JUDGE_H
#define DT_APP_JUDGE_H

#include "app/remote.h"
#include "app/reviews.h"
#include "hub/config.h"

#define DT_JUDGE_ID 64 /* bytes of an id, NUL included */

struct dt_judge {
	struct dt_remote *remote;
	struct dt_config *config;
	const char *folder; /* NULL: every workspace */
	const char *base;   /* where diffs are laid out; NULL: nowhere yet */
	struct dt_arena arena;
	bool has_bell; /* ring when one more comes */
	/* What waits, and which of it is shown. */
	const struct dt_review_list *queue;
	size_t position;
};

enum dt_step {
	DT_STEP_DONE, /* it is decided, by whomever */
	DT_STEP_NEXT, /* later */
	DT_STEP_QUIT,
};

/* Show the change at the position and ask until it is decided or put off. */
enum dt_err dt_judge_review(struct dt_judge *judge, enum dt_step *out_step,
                            struct dt_fail *fail) DT_MUST_CHECK;

#endif
