/* hub/dirs.h - where Dovetail keeps things. */
#ifndef DT_HUB_DIRS_H
#define DT_HUB_DIRS_H

#include "base/arena.h"
#include "base/err.h"

/*
 * Every path is made from the environment when asked for:
 *   run     $XDG_RUNTIME_DIR/dovetail, else /tmp/dovetail-UID
 *   state   $XDG_STATE_HOME/dovetail, else ~/.local/state/dovetail
 *   config  $XDG_CONFIG_HOME/dovetail, else ~/.config/dovetail
 *   trash   $XDG_DATA_HOME/Trash, else ~/.local/share/Trash
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
