/*
 * hub/passage.h - an answer to an agent on its way through the gate.
 *
 * Every operation that is performed for an agent, by whomever, passes here: what
 * the gate keeps back is taken out of its result.
 */
#ifndef DT_HUB_PASSAGE_H
#define DT_HUB_PASSAGE_H

#include "base/err.h"
#include "editor/answer.h"
#include "editor/operation.h"
#include "tool/call.h"

/* DT_E_DENIED when nothing of the operation may be done for this caller. */
enum dt_err dt_passage_check(struct dt_caller *caller,
                             const struct dt_operation *op, const void *args,
                             struct dt_fail *fail) DT_MUST_CHECK;

/* The answer to give to whoever performs the operation.  It ends `answer`, and
 * is dropped with it. */
struct dt_answer *dt_passage_open(struct dt_caller *caller,
                                  const struct dt_operation *op,
                                  struct dt_answer *answer);

#endif
