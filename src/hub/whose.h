/*
 * hub/whose.h - whether a process is the person's or an agent's.
 *
 * An agent's processes are those that the kernel, a hook or an agent itself told
 * of, all that descend from one, and all that carry a mark of loop/mark.h or
 * descend from one that does.  docs/internals/security.md has the whole of it.
 */
#ifndef DT_HUB_WHOSE_H
#define DT_HUB_WHOSE_H

#include "base/err.h"
#include "hub/hub.h"
#include "loop/lineage.h"

/* Remember an agent for as long as it lives, whatever becomes of its session.
 * We ourselves and init are not remembered. */
void dt_whose_remember(struct dt_hub *hub, pid_t pid);

/*
 * The same for a command that an agent runs and for what stands between the two:
 * all up to the first that is no shell, or up to `named` (0: none) where that is
 * further up.
 */
void dt_whose_remember_caller(struct dt_hub *hub, pid_t pid, pid_t named);

/* The agent that holds the socket at the other end of a TCP connection, which is
 * remembered; 0: it cannot be told. */
pid_t dt_whose_socket(struct dt_hub *hub, uint64_t socket);

/*
 * Whether an agent that is `known` (0: unknown) can be the process that it says
 * it is: one of those that would be remembered for it, or one that it started.
 */
bool dt_whose_can_be(pid_t known, pid_t said);

/* DT_E_DENIED with a sentence when the process is an agent's, or has ended and
 * can be anybody's.  `what` is what an agent cannot do. */
enum dt_err dt_whose_check(struct dt_hub *hub, pid_t pid, const char *what,
                           struct dt_fail *fail) DT_MUST_CHECK;

/* Forget all. */
void dt_whose_done(struct dt_hub *hub);

#endif
