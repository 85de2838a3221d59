/* app/card.h - a command that waits, in front of one person. */
#ifndef DT_APP_CARD_H
#define DT_APP_CARD_H

#include "app/judge.h"

/* Print what would be run, where, for how long and why it is asked about. */
void dt_card_print(struct dt_arena *arena, const struct dt_review_info *review);

/* Show it and ask until it is decided or put off; as dt_judge_review(). */
enum dt_err dt_card_judge(struct dt_judge *judge,
                          const struct dt_review_info *review,
                          enum dt_step *out_step,
                          struct dt_fail *fail) DT_MUST_CHECK;

#endif
