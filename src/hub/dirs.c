/*
 * hub/dirs.c - where Dovetail keeps things, from the environment alone.
 *
 * The rules of the XDG Base Directory Specification: a variable that is empty
 * or relative counts as not set.  Who makes the folders checks them; see
 * dt_file_private_dir().
 */
#include "hub/dirs.h"

#include "base/path.h"

#include <pwd.h>
#include <stdlib.h>
#include <sys/un.h>
#include <unistd.h>

static const char *absolute_env(const char *name)
{
	const char *value = getenv(name);

	return value && dt_path_is_absolute(value) ? value : NULL;
}

/* $HOME, or what the user database says where no login set it. */
static const char *find_home(void)
{
	const char *home = absolute_env("HOME");
	const struct passwd *user = home ? NULL : getpwuid(getuid());

	if (user && user->pw_dir && dt_path_is_absolute(user->pw_dir))
		home = user->pw_dir;
	return home;
}

/* $VARIABLE/NAME, else ~/FALLBACK/NAME. */
static const char *xdg_place(struct dt_arena *arena, const char *variable,
                             const char *fallback, const char *name)
{
	const char *base = absolute_env(variable);

	if (!base)
		base = dt_path_join(arena, find_home(), fallback);
	return dt_path_join(arena, base, name);
}

static const char *run_dir(struct dt_arena *arena)
{
	const char *base = absolute_env("XDG_RUNTIME_DIR");

	if (base)
		return dt_path_join(arena, base, "dovetail");
	return dt_arena_printf(arena, "/tmp/dovetail-%u", (unsigned)getuid());
}

enum dt_err dt_dirs_find(struct dt_arena *arena, struct dt_dirs *out,
                         struct dt_fail *fail)
{
	const size_t socket_max = sizeof((struct sockaddr_un){ 0 }.sun_path);
	const char *home = find_home();
	struct dt_dirs dirs;

	if (!home)
		return dt_fail(fail, DT_E_STATE,
		               "set HOME to your home folder; it is not set");
	dirs.home = dt_arena_strdup(arena, home);
	dirs.run = run_dir(arena);
	dirs.state =
		xdg_place(arena, "XDG_STATE_HOME", ".local/state", "dovetail");
	dirs.config =
		xdg_place(arena, "XDG_CONFIG_HOME", ".config", "dovetail");
	dirs.trash = xdg_place(arena, "XDG_DATA_HOME", ".local/share", "Trash");
	dirs.socket = dt_path_join(arena, dirs.run, "control.sock");
	dirs.lock = dt_path_join(arena, dirs.run, "daemon.lock");
	dirs.log = dt_path_join(arena, dirs.state, "dovetail.log");
	dirs.database = dt_path_join(arena, dirs.state, "dovetail.db");
	dirs.conf = dt_path_join(arena, dirs.config, "dovetail.conf");
	if (strlen(dirs.socket) >= socket_max)
		return dt_fail(fail, DT_E_LIMIT,
		               "set XDG_RUNTIME_DIR to a shorter path; a "
		               "socket's has at most %zu bytes",
		               socket_max - 1);
	*out = dirs;
	return DT_E_OK;
}
