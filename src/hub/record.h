/* hub/record.h - `serve --record`: what passes each link, as transcripts. */
#ifndef DT_HUB_RECORD_H
#define DT_HUB_RECORD_H

#include "base/err.h"
#include "link/link.h"

struct dt_recorder;

/* Into a folder, made when missing. */
enum dt_err dt_recorder_new(const char *folder, struct dt_recorder **out,
                            struct dt_fail *fail) DT_MUST_CHECK;
void dt_recorder_free(struct dt_recorder *recorder);

/* Write what passes this link to a file of its own, NUMBER-WHO.txt: a line
 * "WHO> MESSAGE" for what came and "WHO< MESSAGE" for what went. */
void dt_recorder_watch(struct dt_recorder *recorder, struct dt_link *link,
                       const char *who);

#endif
