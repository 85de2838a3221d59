/* hub/notice.h - a person who looks elsewhere is told that a review opened. */
#ifndef DT_HUB_NOTICE_H
#define DT_HUB_NOTICE_H

#include "hub/hub.h"

/* Run what review.on_review says; at most once a second, and not while all
 * agents are muted. */
void dt_notice_review(struct dt_hub *hub, const struct dt_review *review);

#endif
