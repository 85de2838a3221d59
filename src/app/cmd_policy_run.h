/* app/cmd_policy_run.h - dovetail policy: what agents may run. */
#ifndef DT_APP_CMD_POLICY_RUN_H
#define DT_APP_CMD_POLICY_RUN_H

#include "app/command.h"
#include "base/arena.h"
#include "hub/config.h"

extern const struct dt_command dt_cmd_policy_allow;
extern const struct dt_command dt_cmd_policy_disallow;

/* Say whether a command, its words quoted as for a shell, would run without
 * asking in a folder of the workspace. */
enum dt_err dt_policy_check_run(struct dt_arena *arena,
                                const struct dt_config *config,
                                const char *root, const char *folder,
                                const char *text,
                                struct dt_fail *fail) DT_MUST_CHECK;

#endif
