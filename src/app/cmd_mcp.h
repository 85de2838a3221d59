/* app/cmd_mcp.h - the configuration of MCP clients, for `dovetail mcp`. */
#ifndef DT_APP_CMD_MCP_H
#define DT_APP_CMD_MCP_H

#include "base/err.h"

#include <stdbool.h>

struct dt_mcp_setup {
	const char *client;    /* its name */
	const char *workspace; /* absolute, to be named there; or NULL */
	bool is_yes;           /* do not ask */
	bool is_full;          /* the list of tools is to have all of them */
};

enum dt_err dt_mcp_print_config(const struct dt_mcp_setup *setup,
                                struct dt_fail *fail) DT_MUST_CHECK;
enum dt_err dt_mcp_install(const struct dt_mcp_setup *setup,
                           struct dt_fail *fail) DT_MUST_CHECK;
enum dt_err dt_mcp_uninstall(const struct dt_mcp_setup *setup,
                             struct dt_fail *fail) DT_MUST_CHECK;

#endif
