/*
 * app/remote.h - the daemon, seen from a command.
 *
 * A command asks one thing after the other, so a call here runs the loop until
 * the answer is there.
 */
#ifndef DT_APP_REMOTE_H
#define DT_APP_REMOTE_H

#include "base/arena.h"
#include "base/err.h"
#include "data/field.h"
#include "data/json.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct dt_remote;

/*
 * Connect and agree on the protocol.  DT_E_MISSING: no daemon runs; DT_E_STATE:
 * it speaks another version of the protocol; DT_E_DENIED: it is not ours.
 */
enum dt_err dt_remote_open(struct dt_remote **out,
                           struct dt_fail *fail) DT_MUST_CHECK;
void dt_remote_free(struct dt_remote *remote);

/* Connect to a daemon of any version: `stop` is all it may be asked. */
enum dt_err dt_remote_open_any(struct dt_remote **out,
                               struct dt_fail *fail) DT_MUST_CHECK;

/*
 * When the daemon is there and does not answer, not even whether it lives, a
 * call fails with DT_E_SYS after DT_REMOTE_PATIENCE_MS.  A command with another
 * patience says so here, for all its calls.
 */
#define DT_REMOTE_PATIENCE_MS 15000
struct dt_patience {
	uint32_t ms;
	/* It has been quiet for DT_REMOTE_PATIENCE_MS, or half the patience
	 * where that is less; or it answers again.  May be NULL. */
	void (*on_quiet)(pid_t pid, bool is_quiet);
	/* Every few seconds while a call is under way.  May be NULL. */
	void (*on_beat)(void);
};
void dt_remote_set_patience(const struct dt_patience *wanted);

/* Whose socket it is, by the kernel's word; 0 before it is connected. */
pid_t dt_remote_pid(struct dt_remote *remote);

/*
 * The members of the next call's parameters are written into what this gives;
 * dt_remote_call() sends them.  Without it there are none.
 */
struct dt_json_out *dt_remote_begin(struct dt_remote *remote);
void dt_remote_put(struct dt_json_out *out, const char *name,
                   const char *value); /* left out when value is NULL */

/* Ask and wait.  `out_result` (or NULL) lives in the arena. */
enum dt_err dt_remote_call(struct dt_remote *remote, const char *method,
                           struct dt_arena *arena,
                           const struct dt_json **out_result,
                           struct dt_fail *fail) DT_MUST_CHECK;

/* The same, decoded by a shape. */
enum dt_err dt_remote_fetch(struct dt_remote *remote, const char *method,
                            struct dt_arena *arena,
                            const struct dt_shape *shape, void *out,
                            struct dt_fail *fail) DT_MUST_CHECK;

/* Print a result as --json does. */
void dt_remote_print(const struct dt_json *result);

#endif
