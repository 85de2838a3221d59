/* backend/command.h - a program run for an agent. */
#ifndef DT_BACKEND_COMMAND_H
#define DT_BACKEND_COMMAND_H

#include "backend/headless_state.h"

/* runCommand; whether it may be run was decided before. */
void dt_run_command_start(struct dt_headless *h, const void *args,
                          struct dt_answer *answer);

/* The real path of the folder a command works in, NULL: of the main one.
 * DT_E_DENIED: it is outside the workspace; DT_E_MISSING: it is no folder. */
enum dt_err dt_run_command_folder(struct dt_headless *h, struct dt_arena *arena,
                                  const char *cwd, const char **out,
                                  struct dt_fail *fail) DT_MUST_CHECK;

/* The file of a program: one the project has installed for itself, where that is
 * usual, or one on PATH; NULL: there is none. */
const char *dt_run_command_find(struct dt_headless *h, const char *asker,
                                struct dt_arena *arena, const char *folder,
                                const char *name);

#endif
