/* hub/env.h - the environment of what is run for an agent or the person. */
#ifndef DT_HUB_ENV_H
#define DT_HUB_ENV_H

#include "base/arena.h"
#include "hub/workspace.h"

struct dt_session;

/*
 * Whose environment is meant by `asker`:
 *   a session's id  what that agent brought; where it brought nothing, as next
 *   NULL            what the person brought, else the daemon's own
 *   DT_ASKER_ALL    the same, but where the person brought nothing and all agents
 *                   that were here have brought the same, that
 * So what one agent brings is never used for another, nor for the person.
 *
 * The list is the daemon's own environment, which knows the session's bus, with
 * theirs on top.  It ends with NULL; the strings are lent.
 */
char **dt_env_list(const struct dt_workspace *ws, const char *asker,
                   struct dt_arena *arena);

/* A variable of the person's alone, or NULL. */
const char *dt_env_get(const struct dt_workspace *ws, const char *name);

/* The file of a program, by the PATH in that environment; or NULL. */
const char *dt_env_find(const struct dt_workspace *ws, const char *asker,
                        struct dt_arena *arena, const char *program);

/* The agent that asks; NULL: it is none, or is gone. */
const struct dt_session *dt_env_session(const struct dt_workspace *ws,
                                        const char *asker);

/* "environment of codex, session 01ab23cd", or "of the person" or "of the
 * daemon"; in the arena. */
const char *dt_env_whose(const struct dt_workspace *ws, const char *asker,
                         struct dt_arena *arena);

/* An agent is in the workspace from now on. */
void dt_env_meet(struct dt_workspace *ws, const struct dt_session *session);

/* Kept by whoever brought them; the names and values are copied. */
void dt_env_set(struct dt_names *env, const struct dt_names *from);
void dt_env_done(struct dt_names *env);

/*
 * A daemon that an agent's command starts has that agent's environment, and it
 * serves everybody.  Commands of agents set this variable; dt_env_clean() then
 * leaves this process what a login has, with a PATH of the usual folders.
 */
#define DT_ENV_STARTED_BY "DOVETAIL_STARTED_BY"
void dt_env_clean(void);

#endif
