/* app/cmd_hook.h - the commands below `dovetail hook`. */
#ifndef DT_APP_CMD_HOOK_H
#define DT_APP_CMD_HOOK_H

#include "app/command.h"

extern const struct dt_command dt_cmd_hook_install;
extern const struct dt_command dt_cmd_hook_uninstall;

#endif
