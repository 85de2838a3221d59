/*
 * hub/env.c - two lists of variables made one.
 *
 * The workspace's variables are the latest that a command of the person sent, see
 * dt_workspace_set_env(); a session's are those its own client sent.  Nothing
 * here mixes two of them, and only dt_env_clean() changes the daemon's own.
 */
#include "hub/env.h"

#include "backend/headless.h"
#include "hub/session.h"
#include "loop/mark.h"
#include "loop/spawn.h"

#include <stdlib.h>
#include <unistd.h>

const struct dt_session *dt_env_session(const struct dt_workspace *ws,
                                        const char *asker)
{
	struct dt_session *s = NULL;

	/* An agent may work in a workspace that is not its own. */
	dt_list_each(each, &ws->hub->workspaces, struct dt_workspace, link) {
		if (asker && !s)
			s = dt_session_find(each, dt_str(asker));
	}
	return s;
}

static bool is_all(const char *asker)
{
	return asker && !strcmp(asker, DT_ASKER_ALL);
}

static const struct dt_names *env_of(const struct dt_workspace *ws,
                                     const char *asker)
{
	const struct dt_session *s = dt_env_session(ws, asker);

	if (s && s->env.count > 0)
		return &s->env;
	return is_all(asker) && ws->env.count == 0 ? &ws->common : &ws->env;
}

static const char *get(const struct dt_names *env, const char *name)
{
	size_t len = strlen(name);

	for (size_t i = 0; i < env->count; i++) {
		const char *pair = env->ptr[i];

		if (!strncmp(pair, name, len) && pair[len] == '=')
			return pair + len + 1;
	}
	return NULL;
}

const char *dt_env_get(const struct dt_workspace *ws, const char *name)
{
	return get(&ws->env, name);
}

static bool is_replaced(const struct dt_names *env, const char *pair)
{
	size_t len = strcspn(pair, "=");

	for (size_t i = 0; i < env->count; i++) {
		if (!strncmp(env->ptr[i], pair, len + 1))
			return true;
	}
	return false;
}

char **dt_env_list(const struct dt_workspace *ws, const char *asker,
                   struct dt_arena *arena)
{
	const struct dt_names *theirs = env_of(ws, asker);
	size_t room = theirs->count + 1;
	size_t count = 0;
	char **env;

	for (char **pair = environ; *pair; pair++)
		room++;
	env = dt_arena_alloc(arena, room * sizeof(*env));
	for (char **pair = environ; *pair; pair++) {
		if (!is_replaced(theirs, *pair))
			env[count++] = *pair;
	}
	for (size_t i = 0; i < theirs->count; i++)
		env[count++] = (char *)(uintptr_t)theirs->ptr[i];
	return env;
}

const char *dt_env_find(const struct dt_workspace *ws, const char *asker,
                        struct dt_arena *arena, const char *program)
{
	const char *path = get(env_of(ws, asker), "PATH");

	return dt_spawn_find(arena, program, path ? path : getenv("PATH"));
}

const char *dt_env_whose(const struct dt_workspace *ws, const char *asker,
                         struct dt_arena *arena)
{
	const struct dt_session *s = dt_env_session(ws, asker);

	if (s && s->env.count > 0)
		return dt_arena_printf(arena, "environment of %s, session %.8s",
		                       dt_session_name(s), s->id);
	if (ws->env.count > 0)
		return "environment of the person";
	return is_all(asker) && ws->common.count > 0
	               ? "environment of all agents here"
	               : "environment of the daemon";
}

/* keeping */

static bool is_same(const struct dt_names *a, const struct dt_names *b)
{
	bool is_equal = a->count == b->count;

	for (size_t i = 0; is_equal && i < a->count; i++)
		is_equal = !strcmp(a->ptr[i], b->ptr[i]);
	return is_equal;
}

void dt_env_meet(struct dt_workspace *ws, const struct dt_session *s)
{
	if (s->is_person)
		return;
	if (!ws->had_agents) {
		ws->had_agents = true;
		dt_env_set(&ws->common, &s->env);
		return;
	}
	if (is_same(&ws->common, &s->env))
		return;
	/* Nothing in common any more, for good: else an agent that comes and
	 * goes would have every server started again and again. */
	if (ws->common.count > 0 && ws->env.count == 0)
		dt_headless_forget(ws->editor);
	dt_env_done(&ws->common);
}

void dt_env_set(struct dt_names *env, const struct dt_names *from)
{
	dt_env_done(env);
	env->ptr = dt_alloc(from->count * sizeof(*env->ptr));
	env->count = from->count;
	for (size_t i = 0; i < from->count; i++)
		env->ptr[i] = dt_strdup(from->ptr[i]);
}

void dt_env_done(struct dt_names *env)
{
	for (size_t i = 0; i < env->count; i++)
		free((char *)(uintptr_t)env->ptr[i]);
	free(env->ptr);
	*env = (struct dt_names){ 0 };
}

/* the daemon's own */

/* What a login gives to every program; nothing here names a program to run, or
 * code to load.  A name that ends in '_' stands for all that begin with it. */
static const char *const of_login[] = {
	"HOME",       "USER",
	"LOGNAME",    "SHELL",
	"LANG",       "LC_",
	"TZ",         "TMPDIR",
	"XDG_",       "DBUS_SESSION_BUS_ADDRESS",
	"DISPLAY",    "WAYLAND_DISPLAY",
	"XAUTHORITY", "SSH_AUTH_SOCK",
	"LISTEN_",    "ASAN_OPTIONS",
};

static bool is_of_login(const char *pair)
{
	size_t name_len = strcspn(pair, "=");

	for (size_t i = 0; i < sizeof(of_login) / sizeof(of_login[0]); i++) {
		size_t len = strlen(of_login[i]);

		if (!strncmp(pair, of_login[i], len) &&
		    (of_login[i][len - 1] == '_' || len == name_len))
			return true;
	}
	return false;
}

static bool is_agents(void)
{
	if (getenv(DT_ENV_STARTED_BY))
		return true;
	for (size_t i = 0; i < dt_mark_count; i++) {
		if (getenv(dt_marks[i].variable))
			return true;
	}
	return false;
}

/* As most distributions have it, with the folders where a person's own programs
 * are. */
static void set_usual_path(void)
{
	const char *home = getenv("HOME");
	char *path;

	if (!home)
		home = "";
	path = dt_asprintf("%s/.local/bin:%s/bin:%s/.cargo/bin:%s/go/bin:"
	                   "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:"
	                   "/sbin:/bin",
	                   home, home, home, home);
	setenv("PATH", path, 1);
	free(path);
}

void dt_env_clean(void)
{
	static char **kept; /* for good: it is the environment */
	size_t count = 0;
	size_t room = 1;

	if (!is_agents())
		return;
	for (char **pair = environ; *pair; pair++)
		room++;
	kept = dt_alloc(room * sizeof(*kept));
	for (char **pair = environ; *pair; pair++) {
		if (is_of_login(*pair))
			kept[count++] = *pair;
	}
	environ = kept;
	set_usual_path();
}
