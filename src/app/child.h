/* app/child.h - other programs in the foreground: pager, editor, agent. */
#ifndef DT_APP_CHILD_H
#define DT_APP_CHILD_H

#include "base/err.h"

/* What a shell says when there is no such program. */
#define DT_CHILD_MISSING 127

/*
 * Run a program on our terminal and wait for it.  `folder` is where, NULL: here.
 * `env` are pairs of name and value to set, ending with NULL; or NULL.  Ctrl-C
 * belongs to the program meanwhile.  Gives its exit code, DT_CHILD_MISSING when
 * there is no such program, 128 + N when signal N ended it.
 */
enum dt_err dt_child_run(char *const *argv, const char *folder,
                         const char *const *env, int *out_code,
                         struct dt_fail *fail) DT_MUST_CHECK;

/* Become a program, with the signals as they were when we started.  Returns
 * only when that failed, with errno. */
void dt_child_become(char *const *argv);

#endif
