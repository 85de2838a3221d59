/*
 * hub/checkpoint.h - what a workspace had open, for the daemon that comes next.
 *
 * Kept in STATE/checkpoints/ID.json, mode 0600, replaced in one step.
 */
#ifndef DT_HUB_CHECKPOINT_H
#define DT_HUB_CHECKPOINT_H

#include "data/field.h"
#include "hub/workspace.h"

#include <stdint.h>

/* An agent that was connected when the last run ended. */
struct dt_past_session {
	const char *id;
	const char *agent;
	int64_t connected_ms;
};

/*
 * Open the documents again that were open when the last run of the daemon ended,
 * and remember its sessions.  One that is damaged, of another workspace or from
 * the future is left alone, with a line in the log.
 */
void dt_checkpoint_begin(struct dt_workspace *ws);
/* Sessions or documents may be others now: soon it is written, if they are. */
void dt_checkpoint_changed(struct dt_workspace *ws);
/* The workspace stops: write what there is now. */
void dt_checkpoint_end(struct dt_workspace *ws);
void dt_checkpoint_free(struct dt_workspace *ws);

/* The sessions of the run before, which none of today's continues: an agent
 * that comes with such an id must begin anew.  struct dt_past_session. */
struct dt_items dt_checkpoint_sessions(const struct dt_workspace *ws);

#endif
