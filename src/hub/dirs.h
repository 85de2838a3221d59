/* hub/dirs.h - where Dovetail keeps things. */
#ifndef DT_HUB_DIRS_H
#define DT_HUB_DIRS_H

#include "base/arena.h"
#include "base/err.h"

/*
 * While a daemon of this home lives, its folders are the ones (see
 * hub/daemon_record.h), whatever the environment says.  Otherwise each path is
 * made from the environment:
 *   run     $XDG_RUNTIME_DIR/dovetail, else /run/user/UID/dovetail where that
 *           folder is ours, else /tmp/dovetail-UID.  A HOME that is not the
 *           user's own has /tmp/dovetail-UID-DIGEST instead of the last two.
 *   state   $XDG_STATE_HOME/dovetail, else ~/.local/state/dovetail
 *   config  $XDG_CONFIG_HOME/dovetail, else ~/.config/dovetail
 *   trash   $XDG_DATA_HOME/Trash, else ~/.local/share/Trash
 * Where the variable of state or config is not set and nothing of ours is in the
 * usual place, the last daemon's folder is taken if our file is there: a client
 * that dropped the variable must not start a daemon without the person's rules.
 * Nothing is created here; see dt_file_private_dir().
 */
struct dt_dirs {
	const char *home;
	const char *run;
	const char *state;
	const char *config;
	const char *socket;   /* run/control.sock */
	const char *lock;     /* run/daemon.lock, held by the one daemon */
	const char *log;      /* state/dovetail.log */
	const char *database; /* state/dovetail.db */
	const char *conf;     /* config/dovetail.conf */
	const char *trash;    /* the person's own, see base/trash.h */
};

enum dt_err dt_dirs_find(struct dt_arena *arena, struct dt_dirs *out,
                         struct dt_fail *fail) DT_MUST_CHECK;

#endif
