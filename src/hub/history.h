/* hub/history.h - what is kept of the past, and for how long. */
#ifndef DT_HUB_HISTORY_H
#define DT_HUB_HISTORY_H

#include "hub/hub.h"

#include <stdint.h>

struct dt_session;

/* The store was opened: close what the last run left open, forget what is too
 * old, now and every day. */
void dt_history_begin(struct dt_hub *hub);
/* Before the store is closed: every session ends now. */
void dt_history_end(struct dt_hub *hub);

/* Keep that an agent is connected, or with `ended_ms` that it was.  One that
 * never said its name is not kept. */
void dt_history_put_session(struct dt_session *session, int64_t ended_ms);

#endif
