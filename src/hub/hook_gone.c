/*
 * hub/hook_gone.c - the second look at a CLI whose hook went away.
 *
 * Esc ends the hook and leaves the CLI: the agent wants its edit no more, and
 * nothing of it should lie around.  A CLI that is killed takes the hook along:
 * then the edit is all that is left of its work, and a person may still want it.
 */
#include "hub/hook_gone.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/rand.h"
#include "loop/os.h"
#include "store/reviews.h"

#include <stdio.h>
#include <stdlib.h>

#define SECOND_LOOK_MS 1500 /* a CLI that ends by itself is gone by then */

/* One that will be looked at. */
struct leaving {
	struct dt_list link;
	struct dt_hub *hub;
	struct dt_timer *timer;
	struct dt_hook_cli cli;
	char review[DT_ID_TEXT];
};

/* Who starts a hook may write anything into its environment, but cannot choose
 * its own ancestors. */
static pid_t named_cli(pid_t hook)
{
	struct dt_arena arena = { 0 };
	const char *named = dt_os_variable(&arena, hook, "CLAUDE_PID");
	uint32_t pid = 0;

	if (!named || dt_str_to_u32(dt_str(named), &pid, NULL) ||
	    (pid_t)pid == hook || !dt_os_is_descendant(hook, (pid_t)pid))
		pid = 0;
	dt_arena_done(&arena);
	return (pid_t)pid;
}

struct dt_hook_cli dt_hook_cli_of(pid_t hook, pid_t known)
{
	struct dt_hook_cli cli = { .pid = known };

	if (!cli.pid)
		cli.pid = named_cli(hook);
	if (!cli.pid)
		cli.pid = dt_os_parent(hook);
	cli.started = cli.pid ? dt_os_started(cli.pid) : 0;
	return cli;
}

bool dt_hook_cli_is_alive(const struct dt_hook_cli *cli)
{
	return cli->started && dt_os_started(cli->pid) == cli->started;
}

static void on_kept(struct dt_store *store, const struct dt_fail *fail,
                    void *owner)
{
	(void)store;
	(void)owner;
	/* A person may have applied it meanwhile, and that stands. */
	if (fail->code && fail->code != DT_E_STATE)
		dt_log(DT_LOG_WARN, "a review cannot be kept as orphaned: %s",
		       fail->msg);
}

static void look(struct leaving *l)
{
	struct dt_verdict_record orphaned = {
		.review = l->review,
		.state = DT_REVIEW_ORPHANED,
		.is_applied = true, /* also of one that is withdrawn */
		.decided_ms = dt_clock_wall_ms(),
	};

	if (!dt_hook_cli_is_alive(&l->cli) && l->hub->store) {
		dt_log(DT_LOG_INFO, "review %.8s: withdrawn -> orphaned",
		       l->review);
		dt_store_put_verdict(l->hub->store, &orphaned, on_kept, NULL);
	}
	dt_list_remove(&l->link);
	dt_timer_free(l->timer);
	free(l);
}

static void on_time(struct dt_timer *timer, void *owner)
{
	(void)timer;
	look(owner);
}

void dt_hook_gone(struct dt_hub *hub, const struct dt_hook_cli *cli,
                  const char *review)
{
	struct leaving *l = dt_alloc(sizeof(*l));

	l->hub = hub;
	l->cli = *cli;
	snprintf(l->review, sizeof(l->review), "%s", review);
	l->timer = dt_timer_new(hub->loop, on_time, l);
	dt_timer_set_background(l->timer);
	dt_timer_start(l->timer, SECOND_LOOK_MS);
	dt_list_append(&hub->leavings, &l->link);
}

void dt_hook_gone_stop(struct dt_hub *hub)
{
	dt_list_each(l, &hub->leavings, struct leaving, link)
		look(l);
}
