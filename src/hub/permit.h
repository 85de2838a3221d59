/* hub/permit.h - operations that run something: allowed, or a person is asked. */
#ifndef DT_HUB_PERMIT_H
#define DT_HUB_PERMIT_H

#include "hub/workspace.h"
#include "tool/caller.h"

/* Whether it runs what its caller says. */
bool dt_permit_is_needed(const struct dt_operation *op);

/*
 * Have it performed when it may be: at once, or when a person accepted the card
 * that is put into the inbox.  The answer fails when the card is rejected or
 * taken back; when it is dropped the card is withdrawn.
 */
typedef void dt_permit_fn(struct dt_workspace *ws,
                          const struct dt_operation *op, const void *args,
                          struct dt_answer *answer);
void dt_permit_ask(struct dt_caller *caller, const struct dt_operation *op,
                   const void *args, struct dt_answer *answer,
                   dt_permit_fn *perform);

#endif
