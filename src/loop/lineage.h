/* loop/lineage.h - a process and all that it descends from. */
#ifndef DT_LOOP_LINEAGE_H
#define DT_LOOP_LINEAGE_H

#include "base/err.h"
#include "base/limits.h"
#include "loop/mark.h"
#include "loop/os.h"

/* of[0] is the process, of[1] its parent, and so on up to init, or to one that
 * we cannot see. */
struct dt_lineage {
	size_t count;
	struct dt_os_stat of[DT_LIMIT_ANCESTORS];
};

/* DT_E_MISSING: it has ended; DT_E_LIMIT: there are too many to look at. */
enum dt_err dt_lineage_read(pid_t pid, struct dt_lineage *out,
                            struct dt_fail *fail) DT_MUST_CHECK;

/* Whether it is that very process or descends from it.  Where `started` is 0 the
 * number alone counts. */
bool dt_lineage_has(const struct dt_lineage *line, struct dt_process process);

/*
 * How many of them belong to the agent that runs of[0]: all up to the first that
 * is no shell.  The shell that a person types into leads a session; it and all
 * above it are the person's.
 */
size_t dt_lineage_agent(const struct dt_lineage *line);

/*
 * DT_E_DENIED with a sentence when one of them carries the mark of an agent, or
 * when of[0] hides its environment.  `what` is what an agent cannot do: "decide
 * on a change".
 */
enum dt_err dt_lineage_check_marks(const struct dt_lineage *line,
                                   const char *what,
                                   struct dt_fail *fail) DT_MUST_CHECK;

#endif
