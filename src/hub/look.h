/*
 * hub/look.h - a look at the work tree before a command runs without asking.
 *
 * git is asked, with the loop going on; what the command needs is in
 * hub/programs.h.
 */
#ifndef DT_HUB_LOOK_H
#define DT_HUB_LOOK_H

#include "base/err.h"
#include "hub/policy.h"
#include "hub/seen.h"
#include "tool/caller.h"

struct dt_look;

/* What was found; lent until the function returns. */
struct dt_look_end {
	const char *doubt; /* why a person is asked; NULL: it may run */
	/* Files that the person has not seen as they are. */
	const struct dt_seen_file *files;
	size_t file_count;
};
typedef void dt_look_fn(struct dt_look *look, const struct dt_look_end *end,
                        void *owner);

/* In the workspace of the caller.  `fn` is called once, in a later turn, and the look is freed after it.  DT_E_*:
 * there is no git to ask. */
enum dt_err dt_look_start(struct dt_caller *caller,
                          const struct dt_needs *needs, dt_look_fn *fn,
                          void *owner, struct dt_look **out,
                          struct dt_fail *fail) DT_MUST_CHECK;
/* Nobody wants to know any more. */
void dt_look_stop(struct dt_look *look);

#endif
