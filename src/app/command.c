/*
 * app/command.c - commands found by name, run, and explained.
 *
 * What a command does is its own file's; here is only what its entry says.
 */
#include "app/command.h"

#include "app/person.h"
#include "base/str.h"

#include <stdlib.h>

#define X(name) extern const struct dt_command dt_cmd_##name;
#include "app/cmds.def"
#undef X

const struct dt_command *const dt_commands[] = {
#define X(name) &dt_cmd_##name,
#include "app/cmds.def"
#undef X
	NULL,
};

const struct dt_command *dt_command_find(const struct dt_command *const *among,
                                         const char *name)
{
	for (; among && *among; among++) {
		if (!strcmp((*among)->name, name))
			return *among;
	}
	return NULL;
}

static void print_list(const struct dt_command *const *commands, FILE *to)
{
	size_t width = 0;

	for (size_t i = 0; commands[i]; i++) {
		size_t len = strlen(commands[i]->name);

		width = len > width ? len : width;
	}
	for (; *commands; commands++)
		fprintf(to, "  %-*s  %s\n", (int)width, (*commands)->name,
		        (*commands)->summary);
}

void dt_command_print_all(FILE *to)
{
	fputs("usage: dovetail COMMAND [OPTIONS] [ARGUMENTS]\n\n"
	      "Dovetail joins AI coding agents to your editor, or to your "
	      "terminal.\n\n",
	      to);
	print_list(dt_commands, to);
	fputs("\nStart with: dovetail run claude\n"
	      "One command: dovetail help COMMAND, or man dovetail\n",
	      to);
}

void dt_command_print_help(const struct dt_command *parent,
                           const struct dt_command *command, FILE *to)
{
	fprintf(to, "usage: dovetail %s%s%s%s%s%s\n\n%s\n",
	        parent ? parent->name : "", parent ? " " : "", command->name,
	        command->options ? " [OPTIONS]" : "", command->args ? " " : "",
	        command->args ? command->args : "", command->doc);
	if (command->subcommands) {
		fputs("\nCommands:\n", to);
		print_list(command->subcommands, to);
	}
	if (command->options) {
		fputs("\nOptions:\n", to);
		dt_options_print_help(command->options, to);
	}
}

static enum dt_err check_count(const struct dt_command *command,
                               char *const *args, struct dt_fail *fail)
{
	unsigned count = 0;

	while (args[count])
		count++;
	if (count < command->min_args)
		return dt_fail(fail, DT_E_ARGS, "%s needs %s", command->name,
		               command->args);
	if (count > command->max_args)
		return dt_fail(fail, DT_E_ARGS,
		               "%s does not know what to do with \"%s\"",
		               command->name, args[command->max_args]);
	return DT_E_OK;
}

static enum dt_err run(const struct dt_command *parent,
                       const struct dt_command *command, char **argv,
                       struct dt_fail *fail)
{
	void *options = dt_alloc(command->options_size + 1);
	bool wants_help;
	enum dt_err err = dt_options_read(command->options, argv, options,
	                                  &wants_help, fail);

	if (!err && wants_help) {
		dt_command_print_help(parent, command, stdout);
		free(options);
		return DT_E_OK;
	}
	if (!err)
		err = check_count(command, argv, fail);
	if (!err && command->persons)
		err = dt_person_check(command->persons, fail);
	if (!err)
		err = command->run(options, argv, fail);
	free(options);
	return err;
}

enum dt_err dt_command_run(char **argv, struct dt_fail *fail)
{
	const struct dt_command *command;
	const struct dt_command *sub;

	if (!argv[0]) {
		dt_command_print_all(stderr);
		return DT_E_ARGS;
	}
	if (!strcmp(argv[0], "--help") || !strcmp(argv[0], "-h")) {
		dt_command_print_all(stdout);
		return DT_E_OK;
	}
	if (!strcmp(argv[0], "--version")) {
		puts("dovetail " DT_VERSION);
		return DT_E_OK;
	}
	command = dt_command_find(dt_commands, argv[0]);
	if (!command)
		return dt_fail(fail, DT_E_ARGS,
		               "there is no command \"%s\"; `dovetail help` "
		               "lists them",
		               argv[0]);
	sub = argv[1] ? dt_command_find(command->subcommands, argv[1]) : NULL;
	if (sub)
		return run(command, sub, argv + 2, fail);
	return run(NULL, command, argv + 1, fail);
}
