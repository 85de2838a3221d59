/*
 * loop/lineage.c - up the tree of processes, which changes while we look.
 *
 * A parent that ends between two looks would cut the tree off, and what is above
 * would not be seen: then we look again.  A chain that is too long is no answer
 * either, because a thousand shells in each other are quickly made.
 */
#include "loop/lineage.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

#define TRIES 16

/* True: that is all of them.  False: one of them has ended meanwhile. */
static bool climb(pid_t pid, struct dt_lineage *line)
{
	line->count = 0;
	while (pid > 0 && line->count < DT_LIMIT_ANCESTORS) {
		struct dt_os_stat *at = &line->of[line->count];

		if (dt_os_stat(pid, at))
			line->count++;
		else
			/* Another user's may be hidden from us. */
			return line->count > 0 && kill(pid, 0) < 0 &&
			       errno == EPERM;
		pid = at->parent;
	}
	return true;
}

enum dt_err dt_lineage_read(pid_t pid, struct dt_lineage *out,
                            struct dt_fail *fail)
{
	for (int i = 0; i < TRIES; i++) {
		bool is_whole = climb(pid, out);

		if (out->count == DT_LIMIT_ANCESTORS)
			return dt_fail(fail, DT_E_LIMIT,
			               "process %d descends from more than %u "
			               "others",
			               (int)pid, DT_LIMIT_ANCESTORS - 1);
		if (is_whole && !out->of[0].is_ended)
			return DT_E_OK;
		if (out->count == 0 || out->of[0].is_ended)
			break;
	}
	return dt_fail(fail, DT_E_MISSING,
	               "process %d has ended, so whose it was cannot be told",
	               (int)pid);
}

bool dt_lineage_has(const struct dt_lineage *line, struct dt_process process)
{
	for (size_t i = 0; i < line->count; i++) {
		const struct dt_process *at = &line->of[i].process;

		if (at->pid == process.pid &&
		    (!process.started || at->started == process.started))
			return true;
	}
	return false;
}

static bool is_shell(const struct dt_os_stat *at)
{
	static const char *const names[] = { "sh",   "dash", "bash", "zsh",
		                             "fish", "ksh",  "ash",  "busybox",
		                             "tcsh", "csh",  "nu",   "elvish" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (!strcmp(at->name, names[i]))
			return true;
	}
	return false;
}

size_t dt_lineage_agent(const struct dt_lineage *line)
{
	size_t i = 1;

	for (; i < line->count && is_shell(&line->of[i]); i++) {
		if (line->of[i].session == line->of[i].process.pid)
			return i;
	}
	/* Everybody descends from init. */
	return i < line->count && line->of[i].process.pid > 1 ? i + 1 : i;
}

enum dt_err dt_lineage_check_marks(const struct dt_lineage *line,
                                   const char *what, struct dt_fail *fail)
{
	for (size_t i = 0; i < line->count; i++) {
		const struct dt_os_stat *at = &line->of[i];
		bool is_hidden = false;
		const struct dt_mark *mark =
			dt_mark_of(at->process.pid, &is_hidden);

		if (mark)
			return dt_fail(
				fail, DT_E_DENIED,
				"an agent cannot %s, and %s in the "
				"environment of process %d (%s) was set by "
				"%s: run this in a terminal of your own",
				what, mark->variable, (int)at->process.pid,
				at->name, mark->who);
		/* Above it, a login or a keyring may hide theirs; our own
		 * commands never do. */
		if (is_hidden && i == 0)
			return dt_fail(fail, DT_E_DENIED,
			               "an agent cannot %s, and process %d "
			               "hides its environment: run this in a "
			               "terminal of your own",
			               what, (int)at->process.pid);
	}
	return DT_E_OK;
}
