/* hub/wish.h - what an operation would run, as policy and persons look at it;
 * for permit.c alone. */
#ifndef DT_HUB_WISH_H
#define DT_HUB_WISH_H

#include "hub/policy.h"
#include "hub/workspace.h"
#include "tool/caller.h"

/* All in the arena it was read into. */
struct dt_run_wish {
	struct dt_wish command; /* of a line: its words, if it is only that */
	const char *words;      /* for a person */
	uint32_t timeout_ms;    /* 0: none */
	const char *line;       /* typed into a shell; NULL: run without one */
	bool has_enter;         /* the line is ended */
	const char *terminal;   /* that it is typed into; NULL: not known */
	uint32_t index;         /* of that one */
	const char *doubt; /* why the line may not be what it looks; NULL */
	bool is_free;      /* nobody has to be asked */
	/* A tool's own command, which need not be held against the table: what
	 * has to be looked at, and why a person is always asked, or NULL. */
	bool is_own;
	unsigned needs;
	const char *why;
};

/* Whether it runs what its caller says. */
bool dt_wish_is_read(const struct dt_operation *op);

/* Fails when it cannot be done, so that nobody has to be asked. */
enum dt_err dt_wish_read(struct dt_arena *arena, const struct dt_caller *caller,
                         const struct dt_operation *op, const void *args,
                         struct dt_run_wish *out,
                         struct dt_fail *fail) DT_MUST_CHECK;

/* Arguments that are performed later mean the terminal that was meant. */
void dt_wish_pin(const struct dt_run_wish *wish, void *args);

#endif
