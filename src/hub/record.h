/* hub/record.h - `serve --record`: what passes the links, as a transcript. */
#ifndef DT_HUB_RECORD_H
#define DT_HUB_RECORD_H

#include "base/err.h"
#include "link/link.h"

struct dt_recorder;

/* Into a new file NUMBER.txt of a folder, which is made when missing. */
enum dt_err dt_recorder_new(const char *folder, struct dt_recorder **out,
                            struct dt_fail *fail) DT_MUST_CHECK;
/* When all links it watches are gone. */
void dt_recorder_free(struct dt_recorder *recorder);

/*
 * Write what passes this link: a line "WHO> MESSAGE" for what came and
 * "WHO< MESSAGE" for what went, where the second link is WHO2, "WHO> @drop" at
 * its end, and "wait> MS" where time passed.  test/script/replay plays it again.
 */
void dt_recorder_watch(struct dt_recorder *recorder, struct dt_link *link,
                       const char *who);
/* Write no more of it: it becomes something else. */
void dt_recorder_leave(struct dt_link *link);

#endif
