/*
 * hub/env.c - two lists of variables made one.
 *
 * The workspace's variables are the latest that a command of the person sent;
 * see dt_workspace_set_env().  Nothing here changes the daemon's own.
 */
#include "hub/env.h"

#include "loop/spawn.h"

#include <stdlib.h>
#include <unistd.h>

const char *dt_env_get(const struct dt_workspace *ws, const char *name)
{
	size_t len = strlen(name);

	for (size_t i = 0; i < ws->env.count; i++) {
		const char *pair = ws->env.ptr[i];

		if (!strncmp(pair, name, len) && pair[len] == '=')
			return pair + len + 1;
	}
	return NULL;
}

static bool is_replaced(const struct dt_workspace *ws, const char *pair)
{
	size_t len = strcspn(pair, "=");

	for (size_t i = 0; i < ws->env.count; i++) {
		if (!strncmp(ws->env.ptr[i], pair, len + 1))
			return true;
	}
	return false;
}

char **dt_env_list(const struct dt_workspace *ws, struct dt_arena *arena)
{
	size_t room = ws->env.count + 1;
	size_t count = 0;
	char **env;

	for (char **pair = environ; *pair; pair++)
		room++;
	env = dt_arena_alloc(arena, room * sizeof(*env));
	for (char **pair = environ; *pair; pair++) {
		if (!is_replaced(ws, *pair))
			env[count++] = *pair;
	}
	for (size_t i = 0; i < ws->env.count; i++)
		env[count++] = (char *)(uintptr_t)ws->env.ptr[i];
	return env;
}

const char *dt_env_find(const struct dt_workspace *ws, struct dt_arena *arena,
                        const char *program)
{
	const char *path = dt_env_get(ws, "PATH");

	return dt_spawn_find(arena, program, path ? path : getenv("PATH"));
}
