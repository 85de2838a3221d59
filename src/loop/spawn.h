/* loop/spawn.h - programs started beside the daemon and left alone. */
#ifndef DT_LOOP_SPAWN_H
#define DT_LOOP_SPAWN_H

#include "base/arena.h"
#include "base/err.h"

/* Where a program is: a name with a slash is that file, another is looked for
 * in `path`, a list like $PATH (or NULL).  NULL when there is none. */
const char *dt_spawn_find(struct dt_arena *arena, const char *name,
                          const char *path);

/*
 * Start a program that nobody waits for, in a session of its own, its input and
 * output going nowhere.  argv[0] is the file; argv and env end with NULL.  Never
 * leaves a zombie.  That the program itself cannot be run is not reported.
 */
enum dt_err dt_spawn(char *const *argv, char *const *env, const char *folder,
                     struct dt_fail *fail) DT_MUST_CHECK;

#endif
