/* app/program.h - what to type to run this very program again. */
#ifndef DT_APP_PROGRAM_H
#define DT_APP_PROGRAM_H

#include "base/arena.h"

/* "dovetail" when the PATH leads to this program, else where it is. */
const char *dt_program_name(struct dt_arena *arena);

/* The command that starts an agent whose changes come here for review: Claude
 * Code asks only in manual mode. */
const char *dt_program_run_agent(struct dt_arena *arena);

#endif
