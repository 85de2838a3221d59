/* hub/propose.h - what agents do with reviews. */
#ifndef DT_HUB_PROPOSE_H
#define DT_HUB_PROPOSE_H

#include "hub/session.h"

#include <stdbool.h>

/* Perform an operation on the reviews of a workspace; false when it is none. */
bool dt_propose_perform(struct dt_session *session, struct dt_workspace *ws,
                        const struct dt_operation *op, const void *args,
                        struct dt_answer *answer);
/* The same as `propose`, and what is accepted is written. */
void dt_propose_written(struct dt_session *session, struct dt_workspace *ws,
                        const struct dt_propose_args *args,
                        struct dt_answer *answer);
/* Whether it is one. */
bool dt_propose_can(const struct dt_operation *op);

/* The hub stops: reviews that nobody waits for are not looked after any more. */
void dt_propose_stop(struct dt_hub *hub);

#endif
