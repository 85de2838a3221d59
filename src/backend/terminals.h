/*
 * backend/terminals.h - the terminals of a workspace, and who may use which.
 *
 * One belongs to the session that made it, or to the person; one that the person
 * shares is everybody's.
 */
#ifndef DT_BACKEND_TERMINALS_H
#define DT_BACKEND_TERMINALS_H

#include "backend/headless_state.h"
#include "backend/terminal.h"

struct dt_terminals;

struct dt_terminals *dt_terminals_new(struct dt_headless *h);
/* Everything in them is killed at once, and none is made any more. */
void dt_terminals_stop(struct dt_terminals *set);
void dt_terminals_free(struct dt_terminals *set);

/* For the person: in order of making, all of them; `previous` is NULL first. */
struct dt_terminal *dt_terminals_next(struct dt_terminals *set,
                                      const struct dt_terminal *previous);
/* By name or number, for the person: DT_E_MISSING, or DT_E_STATE when several
 * agents have one of that name. */
enum dt_err dt_terminals_named(struct dt_terminals *set, const char *name,
                               struct dt_terminal **out,
                               struct dt_fail *fail) DT_MUST_CHECK;

/*
 * A session is gone: its terminals end, but for those that a person shares, who
 * owns them now, or looks into, until nobody does.
 */
void dt_terminals_leave(struct dt_terminals *set, const char *asker);
/* Nobody looks into it any more, perhaps. */
void dt_terminals_looked_away(struct dt_terminals *set, struct dt_terminal *t);

/* For those who perform: the one that is meant by the asker.  DT_E_MISSING: there
 * is none, or it is somebody else's. */
enum dt_err dt_terminals_find(struct dt_terminals *set, const char *asker,
                              const struct dt_terminal_target *target,
                              struct dt_terminal **out,
                              struct dt_fail *fail) DT_MUST_CHECK;
/* A new one.  DT_E_LIMIT: the asker has DT_LIMIT_TERMINALS. */
enum dt_err dt_terminals_create(struct dt_terminals *set, const char *asker,
                                const struct dt_create_terminal_args *args,
                                struct dt_terminal **out,
                                struct dt_fail *fail) DT_MUST_CHECK;

/* The one that takes the command now; who has none and names none gets one.  It
 * fails when nothing can be run there. */
enum dt_err dt_terminals_for_command(
	struct dt_terminals *set, const char *asker,
	const struct dt_execute_terminal_args *args, struct dt_terminal **out,
	struct dt_fail *fail) DT_MUST_CHECK;

/* Operations. */
dt_headless_fn dt_terminals_do_list;
dt_headless_fn dt_terminals_do_create;
dt_headless_fn dt_terminals_do_send;
dt_headless_fn dt_terminals_do_output;
dt_headless_fn dt_terminals_do_dispose;
dt_headless_fn dt_terminals_do_execute; /* backend/terminal_run.c */
dt_headless_fn dt_terminals_do_wait;    /* backend/terminal_wait.c */

#endif
