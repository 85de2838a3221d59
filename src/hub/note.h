/* hub/note.h - the note that one agent leaves for the next. */
#ifndef DT_HUB_NOTE_H
#define DT_HUB_NOTE_H

#include "editor/answer.h"
#include "hub/session.h"
#include "hub/workspace.h"

/* getNote and setNote.  A workspace has one note; it outlives the daemon, and is
 * kept beside the other state, not in the workspace. */
void dt_note_get(struct dt_session *session, struct dt_workspace *ws,
                 const void *args, struct dt_answer *answer);
void dt_note_set(struct dt_session *session, struct dt_workspace *ws,
                 const void *args, struct dt_answer *answer);

#endif
