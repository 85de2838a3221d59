/*
 * hub/whose.c - agents remembered, and a process held against them.
 *
 * A number of a process is used again some day, so when it was started is kept
 * beside it.  What we run ourselves we run for agents; the person's own command
 * has lost us as its parent, see loop/spawn.c.
 */
#include "hub/whose.h"

#include "base/log.h"
#include "hub/session.h"
#include "hub/workspace.h"

#include <stdlib.h>
#include <unistd.h>

#define LIKELY 8 /* who connected lately may do so again */

struct known {
	struct dt_list link;
	struct dt_process process;
};

/* remembering */

static void forget(struct dt_hub *hub, struct known *k)
{
	dt_list_remove(&k->link);
	hub->known_count--;
	free(k);
}

/* The dead go first, then the oldest. */
static void make_room(struct dt_hub *hub)
{
	dt_list_each(k, &hub->known, struct known, link) {
		if (!dt_os_is_alive(k->process))
			forget(hub, k);
	}
	if (hub->known_count < DT_LIMIT_KNOWN)
		return;
	dt_log(DT_LOG_WARN,
	       "%u processes of agents are remembered: one is forgotten",
	       DT_LIMIT_KNOWN);
	forget(hub, DT_LIST_OF(hub->known.next, struct known, link));
}

/* The latest is the last. */
static void remember(struct dt_hub *hub, struct dt_process process)
{
	struct known *found = NULL;

	if (process.pid <= 1 || process.pid == getpid())
		return;
	dt_list_each(k, &hub->known, struct known, link) {
		if (k->process.pid == process.pid)
			found = k;
	}
	if (!found && hub->known_count >= DT_LIMIT_KNOWN)
		make_room(hub);
	if (found) {
		dt_list_remove(&found->link);
	} else {
		found = dt_alloc(sizeof(*found));
		hub->known_count++;
	}
	found->process = process;
	dt_list_append(&hub->known, &found->link);
}

void dt_whose_remember(struct dt_hub *hub, pid_t pid)
{
	struct dt_os_stat now;

	if (dt_os_stat(pid, &now))
		remember(hub, now.process);
}

/* How many at the start of a lineage are the agent's. */
static size_t reach_of(const struct dt_lineage *line, pid_t named)
{
	size_t count = dt_lineage_agent(line);

	for (size_t i = count; named > 1 && i < line->count; i++) {
		if (line->of[i].process.pid == named)
			count = i + 1;
	}
	return count;
}

void dt_whose_remember_caller(struct dt_hub *hub, pid_t pid, pid_t named)
{
	struct dt_lineage line;
	size_t count;

	if (dt_lineage_read(pid, &line, NULL))
		return;
	count = reach_of(&line, named);
	for (size_t i = 0; i < count; i++) {
		if (line.of[i].process.pid == getpid())
			break;
		remember(hub, line.of[i].process);
	}
}

pid_t dt_whose_socket(struct dt_hub *hub, uint64_t socket)
{
	pid_t likely[LIKELY + 1] = { 0 };
	size_t count = 0;
	pid_t pid;

	for (struct dt_list *at = hub->known.prev;
	     at != &hub->known && count < LIKELY; at = at->prev)
		likely[count++] =
			DT_LIST_OF(at, struct known, link)->process.pid;
	pid = dt_os_socket_holder(socket, likely);
	/* In a test we are at both ends. */
	if (pid == getpid())
		return 0;
	dt_whose_remember(hub, pid);
	return pid;
}

bool dt_whose_can_be(pid_t known, pid_t said)
{
	struct dt_lineage line;
	size_t count;

	if (said <= 1)
		return false;
	if (!known || known == said)
		return true;
	if (!dt_lineage_read(said, &line, NULL) &&
	    dt_lineage_has(&line, (struct dt_process){ .pid = known }))
		return true;
	if (dt_lineage_read(known, &line, NULL))
		return false;
	count = dt_lineage_agent(&line);
	for (size_t i = 0; i < count; i++) {
		if (line.of[i].process.pid == said)
			return true;
	}
	return false;
}

/* the check */

static const struct dt_process *find_known(struct dt_hub *hub,
                                           const struct dt_lineage *line)
{
	dt_list_each(k, &hub->known, struct known, link) {
		if (dt_lineage_has(line, k->process))
			return &k->process;
	}
	return NULL;
}

/* One that said who it is, and that may have said so before it was there. */
static pid_t find_session(struct dt_hub *hub, const struct dt_lineage *line)
{
	dt_list_each(ws, &hub->workspaces, struct dt_workspace, link) {
		dt_list_each(s, &ws->sessions, struct dt_session, link) {
			struct dt_process agent = { .pid = s->agent.pid };

			if (agent.pid && dt_lineage_has(line, agent))
				return agent.pid;
		}
	}
	return 0;
}

enum dt_err dt_whose_check(struct dt_hub *hub, pid_t pid, const char *what,
                           struct dt_fail *fail)
{
	struct dt_process us = { .pid = getpid() };
	const struct dt_process *known;
	struct dt_fail why = { 0 };
	struct dt_lineage line;
	pid_t agent;

	if (dt_lineage_read(pid, &line, &why))
		return dt_fail(fail, DT_E_DENIED,
		               "only you can %s, and %s: run this in a "
		               "terminal of your own",
		               what, why.msg);
	known = find_known(hub, &line);
	agent = known ? known->pid : find_session(hub, &line);
	if (agent)
		return dt_fail(fail, DT_E_DENIED,
		               "an agent cannot %s, and process %d, which is "
		               "an agent, %s this: run it in a terminal of "
		               "your own",
		               what, (int)agent,
		               agent == pid ? "asks for" : "started");
	if (pid != us.pid && dt_lineage_has(&line, us))
		return dt_fail(
			fail, DT_E_DENIED,
			"an agent cannot %s, and Dovetail itself started "
			"this for one: run it in a terminal of your own",
			what);
	return dt_lineage_check_marks(&line, what, fail);
}

void dt_whose_done(struct dt_hub *hub)
{
	dt_list_each(k, &hub->known, struct known, link)
		forget(hub, k);
}
