/* hub/env.h - the environment of what a workspace runs. */
#ifndef DT_HUB_ENV_H
#define DT_HUB_ENV_H

#include "base/arena.h"
#include "hub/workspace.h"

/* The daemon's own environment, which knows the session's bus, with the
 * workspace's on top.  Ends with NULL; the strings are lent. */
char **dt_env_list(const struct dt_workspace *ws, struct dt_arena *arena);

/* A variable of the workspace's alone, or NULL. */
const char *dt_env_get(const struct dt_workspace *ws, const char *name);

/* The file of a program, by the PATH in that environment; or NULL. */
const char *dt_env_find(const struct dt_workspace *ws, struct dt_arena *arena,
                        const char *program);

#endif
