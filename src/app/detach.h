/* app/detach.h - a program that is started and belongs to nobody. */
#ifndef DT_APP_DETACH_H
#define DT_APP_DETACH_H

#include "base/err.h"

#include <stdbool.h>

/*
 * Start a program so that nothing of the caller reaches it: its parent is init
 * or the nearest reaper of orphans, its session and process group are its own,
 * it stands in "/", and it inherits no open file and none of the marks that
 * agents leave in the environment.  Its stdout is `out`.  Who stands between is
 * gone and reaped when this returns.  That the program cannot be run is seen on
 * `out`: it ends without a word.
 */
enum dt_err dt_detach(char *const *argv, int out,
                      struct dt_fail *fail) DT_MUST_CHECK;

/*
 * Whether systemd looks after this person's processes, and systemd-run is there
 * to ask it.  What we start would otherwise end with the scope of the terminal
 * that it was started from, whoever its parent is.
 */
bool dt_detach_has_systemd(void);

/* The words that run a program in a scope of its own come before its own. */
#define DT_DETACH_SCOPE                                                        \
	"systemd-run", "--user", "--scope", "--quiet", "--collect",            \
		"--description=Dovetail", "--"

#endif
