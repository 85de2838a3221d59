/* app/pick.h - the hunks of one change in front of one person. */
#ifndef DT_APP_PICK_H
#define DT_APP_PICK_H

#include "base/buf.h"
#include "base/hunk.h"

#include <stdbool.h>

struct dt_pick {
	struct dt_hunks *hunks;
	const char *file;   /* where the lines of a hunk can be edited */
	const char *editor; /* as dt_diff_edit_file() wants it */
	/* The next key, or DT_KEY_END when there is nothing left to ask. */
	int (*key)(void *owner);
	void *owner;
};

/* Ask about each hunk and mark those that are taken.  False when the person
 * went back before the last one. */
bool dt_pick_hunks(struct dt_pick *pick);

#endif
