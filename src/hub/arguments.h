/* hub/arguments.h - what the arguments of an allowed program could do. */
#ifndef DT_HUB_ARGUMENTS_H
#define DT_HUB_ARGUMENTS_H

#include "hub/policy.h"

/* DT_E_DENIED and a sentence when an argument makes the program run something
 * else, or when that is not known. */
enum dt_err dt_arguments_check(const struct dt_wish *command,
                               struct dt_fail *fail) DT_MUST_CHECK;

/*
 * Every path that may be meant by an argument, as text: the whole of it, and what
 * stands behind '=' and ':', a first '@' and short options.  `fn` returns false to
 * end it.
 */
typedef bool dt_argument_fn(const char *path, void *owner);
void dt_arguments_paths(struct dt_arena *arena, const char *argument,
                        dt_argument_fn *fn, void *owner);

#endif
