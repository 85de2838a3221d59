/* hub/hook_gone.h - whether an agent took its edit back, or died with it. */
#ifndef DT_HUB_HOOK_GONE_H
#define DT_HUB_HOOK_GONE_H

#include "hub/hub.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* The CLI that ran a hook.  The time tells it from another process that got its
 * number later; 0: none is known. */
struct dt_hook_cli {
	pid_t pid;
	uint64_t started;
};

/* While the hook still runs: the CLI is `known` (0: it is not), the process that
 * the hook's environment names and that is an ancestor of it, or its parent. */
struct dt_hook_cli dt_hook_cli_of(pid_t hook, pid_t known);
bool dt_hook_cli_is_alive(const struct dt_hook_cli *cli);

/*
 * The hook of this review is gone, its CLI was alive, and so the review was
 * withdrawn.  A CLI that is killed may outlive its hook by a moment: when it
 * turns out to be gone, the review becomes an orphan.
 */
void dt_hook_gone(struct dt_hub *hub, const struct dt_hook_cli *cli,
                  const char *review);
/* The hub stops: what is still to be looked at is looked at now. */
void dt_hook_gone_stop(struct dt_hub *hub);

#endif
