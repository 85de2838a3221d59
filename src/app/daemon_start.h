/* app/daemon_start.h - a daemon in the background, when there is none yet. */
#ifndef DT_APP_DAEMON_START_H
#define DT_APP_DAEMON_START_H

#include "app/remote.h"
#include "base/err.h"

#include <stdbool.h>

/* How this program was called: the daemon is the same one. */
void dt_daemon_set_program(const char *name);

/* Start a daemon and wait until it serves.  DT_E_STATE when it does not; then
 * another may be there already, or be coming up. */
enum dt_err dt_daemon_start(struct dt_fail *fail) DT_MUST_CHECK;

/* Connect to the daemon, and start it first when none runs. */
enum dt_err dt_daemon_reach(struct dt_remote **out,
                            struct dt_fail *fail) DT_MUST_CHECK;

/* How many changes wait for a verdict; none where no daemon runs or one of
 * another version does, which cannot be asked.  DT_E_SYS: it hangs. */
enum dt_err dt_daemon_waiting(size_t *out, struct dt_fail *fail) DT_MUST_CHECK;

/* End the daemon, whatever version it is, and wait until it is gone.  With
 * `is_restart` the next one serves the same workspaces.  DT_E_MISSING when none
 * runs. */
enum dt_err dt_daemon_stop(bool is_restart, struct dt_fail *fail) DT_MUST_CHECK;

#endif
