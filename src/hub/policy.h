/* hub/policy.h - what agents may do without asking, by effect. */
#ifndef DT_HUB_POLICY_H
#define DT_HUB_POLICY_H

#include "base/err.h"
#include "editor/operation.h"

/* DT_E_DENIED and a sentence when `what` may not be done. */
enum dt_err dt_policy_allow(enum dt_effect effect, const char *what,
                            struct dt_fail *fail) DT_MUST_CHECK;

#endif
