/* app/command.h - what a command is. */
#ifndef DT_APP_COMMAND_H
#define DT_APP_COMMAND_H

#include "app/option.h"
#include "base/err.h"

#include <stddef.h>
#include <stdio.h>

#define DT_ARGS_ANY ((unsigned)-1)

/*
 * A command is one const entry at the end of its own file; cmds.def lists it.
 * The parser, `dovetail help` and --help are made from it.
 *
 * run() gets its decoded options and the words that are left, of which there
 * are as many as allowed.  It prints what it has to say to stdout.  A failure is
 * one sentence in `fail` that says what to do; main() prints it and exits with
 * the code of app/exit_code.h.  A failure without a sentence was told already.
 */
struct dt_command {
	const char *name;
	const char *args;    /* as usage shows them: "FILE[:LINE]"; or NULL */
	const char *summary; /* a few words for the list of commands */
	const char *doc;     /* lines of at most 76 columns */
	const struct dt_option *options; /* or NULL */
	size_t options_size;
	unsigned min_args;
	unsigned max_args;
	/* Commands of its own, by their first word; ends with NULL, or NULL. */
	const struct dt_command *const *subcommands;
	enum dt_err (*run)(const void *options, char *const *args,
	                   struct dt_fail *fail);
	/* What it is to run this, where only the person may and the daemon is
	 * not always asked: "stop the daemon"; see app/person.h.  Or NULL. */
	const char *persons;
};

extern const struct dt_command *const dt_commands[]; /* ends with NULL */

/* NULL when there is none of that name. */
const struct dt_command *dt_command_find(const struct dt_command *const *among,
                                         const char *name);

/* The list of all commands, and the help of one; `parent` may be NULL. */
void dt_command_print_all(FILE *to);
void dt_command_print_help(const struct dt_command *parent,
                           const struct dt_command *command, FILE *to);

/* Run what argv (without the program's name) asks for. */
enum dt_err dt_command_run(char **argv, struct dt_fail *fail) DT_MUST_CHECK;

#endif
