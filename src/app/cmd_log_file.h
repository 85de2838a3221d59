/* app/cmd_log_file.h - subcommands of `dovetail log` that have their own file. */
#ifndef DT_APP_CMD_LOG_FILE_H
#define DT_APP_CMD_LOG_FILE_H

#include "app/command.h"

extern const struct dt_command dt_cmd_log_export;
extern const struct dt_command dt_cmd_log_import;

#endif
