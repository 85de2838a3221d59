/*
 * hub/policy.c - one row per effect.
 *
 * Reading and showing are allowed; asking is the asking itself.  Nothing an
 * agent can reach today writes text or runs programs on its own account but
 * saving what the person sees (an editor's business) and a kernel (the
 * editor's too), so both rows allow.
 */
#include "hub/policy.h"

#include <stdbool.h>

static const bool is_allowed[] = {
	[DT_READS] = true,  [DT_SHOWS] = true, [DT_ASKS] = true,
	[DT_WRITES] = true, [DT_RUNS] = true,
};

enum dt_err dt_policy_allow(enum dt_effect effect, const char *what,
                            struct dt_fail *fail)
{
	if (is_allowed[effect])
		return DT_E_OK;
	return dt_fail(fail, DT_E_DENIED, "%s %s, which policy does not allow",
	               what, dt_effect_name(effect));
}
