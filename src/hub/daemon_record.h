/*
 * hub/daemon_record.h - which daemon lives, found from the home folder alone.
 *
 * Clients start programs with few variables, so a command cannot count on those
 * that moved the daemon's folders.  The daemon writes its folders down in
 * ~/.local/state/dovetail/daemon-HOST.json and holds a lock on that file as long
 * as it lives.  The host is in the name because a home may be on many machines.
 */
#ifndef DT_HUB_DAEMON_RECORD_H
#define DT_HUB_DAEMON_RECORD_H

#include "base/arena.h"
#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

struct dt_daemon_record {
	const char *run;
	const char *state;
	const char *config;
	int64_t pid;
	bool is_alive; /* a daemon holds it; not in the file */
};

/* False when there is none, it is not ours alone, or it cannot be read. */
bool dt_daemon_record_read(struct dt_arena *arena, const char *home,
                           struct dt_daemon_record *out) DT_MUST_CHECK;

/*
 * Hold the record and write it.  `out_fd` is held as long as it, or a copy of it
 * in another process, is open.  DT_E_STATE when a daemon holds it already;
 * anything else means that it cannot be kept here, as in a home that is
 * read-only.
 */
enum dt_err dt_daemon_record_take(const char *home,
                                  const struct dt_daemon_record *record,
                                  int *out_fd,
                                  struct dt_fail *fail) DT_MUST_CHECK;

#endif
