/* app/cmd_help.c - dovetail help. */
#include "app/command.h"
#include "base/limits.h"
#include "hub/catalog.h"

static bool print_tool(const char *name)
{
	struct dt_buf text;
	bool is_found;

	dt_buf_init(&text, DT_MIB);
	is_found = dt_catalog_write_tool(&text, name);
	if (is_found)
		fwrite(text.ptr, 1, text.len, stdout);
	dt_buf_done(&text);
	return is_found;
}

static enum dt_err run(const void *options, char *const *args,
                       struct dt_fail *fail)
{
	const struct dt_command *command;
	const struct dt_command *sub;
	const char *nearest;

	(void)options;
	if (!args[0]) {
		dt_command_print_all(stdout);
		return DT_E_OK;
	}
	command = dt_command_find(dt_commands, args[0]);
	if (!command && !args[1] && print_tool(args[0]))
		return DT_E_OK;
	nearest = command ? NULL : dt_catalog_nearest(args[0]);
	if (nearest)
		return dt_fail(fail, DT_E_ARGS,
		               "there is no command or tool \"%s\"; did you "
		               "mean %s?",
		               args[0], nearest);
	if (!command)
		return dt_fail(fail, DT_E_ARGS,
		               "there is no command or tool \"%s\"; `dovetail "
		               "help` and `dovetail tools` list them",
		               args[0]);
	sub = args[1] ? dt_command_find(command->subcommands, args[1]) : NULL;
	if (args[1] && !sub)
		return dt_fail(fail, DT_E_ARGS,
		               "there is no command \"%s %s\"; `dovetail help "
		               "%s` says what there is",
		               args[0], args[1], args[0]);
	dt_command_print_help(sub ? command : NULL, sub ? sub : command,
	                      stdout);
	return DT_E_OK;
}

const struct dt_command dt_cmd_help = {
	.name = "help",
	.args = "[COMMAND | TOOL]",
	.summary = "Explain a command or a tool",
	.doc = "Explain a command or a tool of agents, or list all commands.",
	.max_args = 2,
	.run = run,
};
