/* backend/shell.h - a person's shell, made to tell when a command begins and
 * ends. */
#ifndef DT_BACKEND_SHELL_H
#define DT_BACKEND_SHELL_H

#include "base/arena.h"
#include "base/err.h"
#include "data/field.h"

/*
 * The marks are those of OSC 133, each with the secret of its terminal behind
 * it: B the shell waits for a command, C one begins, D;CODE it has ended, P the
 * shell waits for the rest of one.
 */
struct dt_shell_spec {
	const char *file;     /* the shell */
	const char *folder;   /* of ours alone: what it reads at its start */
	char *const *env;     /* of the workspace; ends with NULL */
	struct dt_names more; /* "NAME=value", on top */
	const char *id;       /* of the terminal, its DT_MARK_TERMINAL */
	const char *secret;
};

struct dt_shell {
	const char *name; /* "bash" */
	char **argv;
	char **env;
	const char *mark; /* the pair of env that names the terminal */
	bool has_marks;   /* whether it is one of those we know */
	bool has_begin;   /* and marks the begin of a command */
};

/* In the arena.  The files are written. */
enum dt_err dt_shell_prepare(struct dt_arena *arena,
                             const struct dt_shell_spec *spec,
                             struct dt_shell *out,
                             struct dt_fail *fail) DT_MUST_CHECK;

/* DT_E_DENIED: a variable that decides what programs are run, or what they run,
 * is not for agents to set; DT_E_ARGS: this is none. */
enum dt_err dt_shell_check_variable(const char *pair,
                                    struct dt_fail *fail) DT_MUST_CHECK;

#endif
