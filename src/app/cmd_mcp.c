/* app/cmd_mcp.c - dovetail mcp: what MCP clients start, and how they learn to. */
#include "app/cmd_mcp.h"

#include "app/command.h"
#include "app/folder.h"
#include "app/relay_loop.h"
#include "hub/env.h"

#include <stdlib.h>

struct options {
	const char *workspace;
	const char *print_config;
	const char *install;
	const char *uninstall;
	bool is_yes;
	bool is_full;
};

static const struct dt_option options_table[] = {
	DT_OPTION(struct options, workspace, TEXT, "the project that is meant",
	          .name = "workspace", .value = "DIR"),
	DT_OPTION(struct options, print_config, TEXT,
	          "print what the client's file needs", .name = "print-config",
	          .value = "CLIENT"),
	DT_OPTION(struct options, install, TEXT,
	          "put it there, after showing it", .name = "install",
	          .value = "CLIENT"),
	DT_OPTION(struct options, uninstall, TEXT, "take it out again",
	          .name = "uninstall", .value = "CLIENT"),
	DT_OPTION(struct options, is_yes, FLAG, "do not ask", .name = "yes"),
	DT_OPTION(struct options, is_full, FLAG,
	          "list every tool, not the everyday ones alone",
	          .name = "full"),
	DT_OPTION_END,
};

static enum dt_err dispatch(const struct options *options, const char *folder,
                            struct dt_fail *fail)
{
	struct dt_mcp_setup setup = {
		.workspace = folder,
		.is_yes = options->is_yes,
		.is_full = options->is_full,
	};

	if (!!options->print_config + !!options->install +
	            !!options->uninstall >
	    1)
		return dt_fail(fail, DT_E_ARGS,
		               "choose one of --print-config, --install and "
		               "--uninstall");
	if (options->print_config) {
		setup.client = options->print_config;
		return dt_mcp_print_config(&setup, fail);
	}
	if (options->install) {
		setup.client = options->install;
		return dt_mcp_install(&setup, fail);
	}
	if (options->uninstall) {
		setup.client = options->uninstall;
		return dt_mcp_uninstall(&setup, fail);
	}
	/* For a daemon that we may have to start. */
	setenv(DT_ENV_STARTED_BY, "mcp", 1);
	dt_relay_run(folder, options->is_full);
	return DT_E_OK;
}

static enum dt_err run(const void *opts, char *const *args,
                       struct dt_fail *fail)
{
	const struct options *options = opts;
	struct dt_arena arena = { 0 };
	const char *folder = NULL;
	enum dt_err err = DT_E_OK;

	(void)args;
	if (options->workspace)
		err = dt_folder_find(&arena, options->workspace, &folder, fail);
	if (!err)
		err = dispatch(options, folder, fail);
	dt_arena_done(&arena);
	return err;
}

const struct dt_command dt_cmd_mcp = {
	.name = "mcp",
	.summary = "Be an MCP server for any client",
	.doc = "Speak MCP on standard input and output; MCP clients start this. "
	       "Without\n--workspace it is about the project the client was "
	       "started in, else the one\nthe client names, else the one used "
	       "last. A daemon that is restarted meanwhile\ngoes unnoticed.\n\n"
	       "CLIENT is claude-desktop, claude-code, codex, cursor, gemini, "
	       "opencode or\nvscode. What was in its file is kept beside it, as "
	       "FILE.dovetail-backup.",
	.options = options_table,
	.options_size = sizeof(struct options),
	.run = run,
};
