/*
 * hub/dirs.c - where Dovetail keeps things: with the daemon that lives, else
 * where the environment says.
 *
 * The rules of the XDG Base Directory Specification: a variable that is empty
 * or relative counts as not set.  Who makes the folders checks them; see
 * dt_file_private_dir().
 */
#include "hub/dirs.h"

#include "base/path.h"
#include "base/sha256.h"
#include "hub/daemon_record.h"

#include <pwd.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static const char *absolute_env(const char *name)
{
	const char *value = getenv(name);

	return value && dt_path_is_absolute(value) ? value : NULL;
}

/* What the user database says. */
static const char *own_home(void)
{
	const struct passwd *user = getpwuid(getuid());

	return user && user->pw_dir && dt_path_is_absolute(user->pw_dir)
	               ? user->pw_dir
	               : NULL;
}

static const char *find_home(void)
{
	const char *home = absolute_env("HOME");

	return home ? home : own_home();
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

static bool has_file(struct dt_arena *arena, const char *folder,
                     const char *file)
{
	return !access(dt_path_join(arena, folder, file), F_OK);
}

/* The usual place, unless the variable is not set and our file is not there but
 * in the last daemon's folder (NULL: there was none). */
static const char *kept_place(struct dt_arena *arena, const char *variable,
                              const char *fallback, const char *last,
                              const char *file)
{
	const char *place = xdg_place(arena, variable, fallback, "dovetail");

	if (last && !absolute_env(variable) && !has_file(arena, place, file) &&
	    has_file(arena, last, file))
		return last;
	return place;
}

/* As a login makes it: nobody else can have put anything there. */
static bool is_private(const char *folder)
{
	struct stat st;

	return !lstat(folder, &st) && S_ISDIR(st.st_mode) &&
	       st.st_uid == getuid() && !(st.st_mode & 077);
}

static const char *run_dir(struct dt_arena *arena, const char *home)
{
	const char *base = absolute_env("XDG_RUNTIME_DIR");
	const char *own = base ? NULL : own_home();
	unsigned uid = (unsigned)getuid();
	char digest[DT_SHA256_TEXT];

	if (base)
		return dt_path_join(arena, base, "dovetail");
	if (own && strcmp(dt_path_join(arena, own, "."),
	                  dt_path_join(arena, home, ".")) != 0) {
		dt_sha256_hex(home, strlen(home), digest);
		return dt_arena_printf(arena, "/tmp/dovetail-%u-%.8s", uid,
		                       digest);
	}
	base = dt_arena_printf(arena, "/run/user/%u", uid);
	if (is_private(base))
		return dt_path_join(arena, base, "dovetail");
	return dt_arena_printf(arena, "/tmp/dovetail-%u", uid);
}

static void find_folders(struct dt_arena *arena, struct dt_dirs *dirs)
{
	struct dt_daemon_record last = { 0 };

	if (dt_daemon_record_read(arena, dirs->home, &last) && last.is_alive) {
		dirs->run = last.run;
		dirs->state = last.state;
		dirs->config = last.config;
		return;
	}
	dirs->run = run_dir(arena, dirs->home);
	dirs->state = kept_place(arena, "XDG_STATE_HOME", ".local/state",
	                         last.state, "dovetail.db");
	dirs->config = kept_place(arena, "XDG_CONFIG_HOME", ".config",
	                          last.config, "dovetail.conf");
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
	find_folders(arena, &dirs);
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
