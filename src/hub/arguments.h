/* hub/arguments.h - what the arguments of an allowed program could do. */
#ifndef DT_HUB_ARGUMENTS_H
#define DT_HUB_ARGUMENTS_H

#include "hub/policy.h"
#include "hub/programs.h"

/*
 * DT_E_DENIED and a sentence when a person is to be asked: the command discards,
 * writes files or runs something else, or it is not known what it does.  DT_E_OK:
 * it may run once `out` is looked at.
 */
enum dt_err dt_arguments_check(struct dt_arena *arena,
                               const struct dt_wish *command,
                               struct dt_needs *out,
                               struct dt_fail *fail) DT_MUST_CHECK;

/* Where it really works, as `git -C` says, in the arena or the command's; and
 * which arguments on count from there. */
const char *dt_arguments_folder(struct dt_arena *arena,
                                const struct dt_wish *command, size_t *out_at);

/*
 * Every path that may be meant by an argument, as text: the whole of it, and what
 * stands behind '=' and ':', a first '@' and short options.  `fn` returns false to
 * end it.
 */
typedef bool dt_argument_fn(const char *path, void *owner);
void dt_arguments_paths(struct dt_arena *arena, const char *argument,
                        dt_argument_fn *fn, void *owner);

#endif
