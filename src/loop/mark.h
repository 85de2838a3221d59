/* loop/mark.h - variables that agents leave in the environment of what they
 * start. */
#ifndef DT_LOOP_MARK_H
#define DT_LOOP_MARK_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Ours, for every agent that we start or hook; its value is the agent's name. */
#define DT_MARK_AGENT "DOVETAIL_AGENT"
/* By these two everything is known that was started for an agent: as a command,
 * and in a terminal of ours. */
#define DT_MARK_RUN "DOVETAIL_RUN"
#define DT_MARK_TERMINAL "DOVETAIL_TERMINAL"

/* A variable that outlives a parent, which the process tree does not. */
struct dt_mark {
	const char *variable;
	const char *who; /* sets it: "Claude Code" */
};

/* All that are known. */
extern const struct dt_mark dt_marks[];
extern const size_t dt_mark_count;

/* The mark in the environment that a process was started with, of several the
 * first of the table; NULL: it has none, or cannot be looked at, which *out_is_hidden tells. */
const struct dt_mark *dt_mark_of(pid_t pid, bool *out_is_hidden);

/* Take them all out of our own environment: a daemon that an agent's command
 * started is the person's all the same, and so is what it starts for them. */
void dt_mark_clear(void);

#endif
