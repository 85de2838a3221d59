/* app/environment.h - what of the environment goes where. */
#ifndef DT_APP_ENVIRONMENT_H
#define DT_APP_ENVIRONMENT_H

#include "base/arena.h"
#include "data/field.h"

/*
 * The "NAME=value" entries a workspace may keep: search paths, language
 * managers, display, locale, proxies.  Never what looks like a secret: names
 * with TOKEN, KEY, SECRET or PASSWORD, proxies with a user in them.
 */
struct dt_names dt_environment_pick(struct dt_arena *arena, char *const *env);

/*
 * A no_proxy list with loopback in it.  `value` and `other` are the two
 * spellings of the variable, or NULL: an unset one takes over the other, which
 * it would hide once set.
 */
const char *dt_environment_no_proxy(struct dt_arena *arena, const char *value,
                                    const char *other);

/* Take the marks of agents out of this process's own environment, for a daemon
 * that is to be no agent's.  Where there were any it is told so: hub/env.h. */
void dt_environment_forget_agents(void);

#endif
