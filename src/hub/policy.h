/* hub/policy.h - what agents may do without asking. */
#ifndef DT_HUB_POLICY_H
#define DT_HUB_POLICY_H

#include "base/arena.h"
#include "base/err.h"
#include "data/field.h"
#include "editor/operation.h"

#include <stdbool.h>

/* DT_E_DENIED and a sentence when `what` may not be done. */
enum dt_err dt_policy_allow(enum dt_effect effect, const char *what,
                            struct dt_fail *fail) DT_MUST_CHECK;

/* commands */

/* What somebody wants to run. */
struct dt_wish {
	const char *name;
	struct dt_names args;
	const char *folder; /* where, a real path */
};

/* What has to be looked at before it runs; see hub/look.h. */
struct dt_needs {
	unsigned what;       /* enum dt_need, see hub/programs.h */
	const char *program; /* of the command */
	const char *folder;  /* where the command works ... */
	size_t at;           /* ... and which arguments on count from there */
};

/*
 * DT_E_OK: it may be run without asking, if what it needs is fine; else
 * DT_E_DENIED and a sentence why a person is asked.  `allow` is run.allow of
 * dovetail.conf.  This is a courtesy: an allowed program that is set on it can do
 * anything its owner can.
 */
enum dt_err dt_policy_check_wish(struct dt_arena *arena, const char *allow,
                                 const struct dt_names *roots,
                                 const struct dt_wish *command,
                                 struct dt_needs *out_needs,
                                 struct dt_fail *fail) DT_MUST_CHECK;

/*
 * The words of a line that is typed into a shell, in the arena; out->folder stays.
 * DT_E_DENIED and a sentence: there is more in it than words.
 */
enum dt_err dt_policy_read_line(struct dt_arena *arena, const char *line,
                                struct dt_wish *out,
                                struct dt_fail *fail) DT_MUST_CHECK;

/* A list of names, with one more and without one. */
bool dt_policy_has(const char *allow, const char *name);
const char *dt_policy_add(struct dt_arena *arena, const char *allow,
                          const char *name);
const char *dt_policy_remove(struct dt_arena *arena, const char *allow,
                             const char *name);

/*
 * Add names to run.allow of a dovetail.conf, or take them out.  DT_E_ARGS: one is
 * no name of a program; DT_E_MISSING: one that is to go is not there.
 */
enum dt_err dt_policy_write(const char *conf, const struct dt_names *names,
                            bool is_removal,
                            struct dt_fail *fail) DT_MUST_CHECK;

/* DT_E_ARGS and a sentence when this is no name of a program. */
enum dt_err dt_policy_check_name(const char *name,
                                 struct dt_fail *fail) DT_MUST_CHECK;

/* A program that runs whatever it is told to: who allows it allows all. */
bool dt_policy_runs_anything(const char *name);

#endif
