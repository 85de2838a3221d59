/* hub/stage.h - changes that nobody is asked about yet. */
#ifndef DT_HUB_STAGE_H
#define DT_HUB_STAGE_H

#include "hub/session.h"

/* Operations; each ends its answer. */
void dt_stage_preview(struct dt_session *session, struct dt_workspace *ws,
                      const void *args, struct dt_answer *answer);
/* Saving is a change, too: it is proposed where there is unsaved text. */
void dt_stage_save(struct dt_session *session, struct dt_workspace *ws,
                   const void *args, struct dt_answer *answer);
void dt_stage_begin(struct dt_session *session, struct dt_workspace *ws,
                    const void *args, struct dt_answer *answer);
void dt_stage_change(struct dt_session *session, struct dt_workspace *ws,
                     const void *args, struct dt_answer *answer);
void dt_stage_take(struct dt_session *session, struct dt_workspace *ws,
                   const void *args, struct dt_answer *answer);
void dt_stage_drop(struct dt_session *session, struct dt_workspace *ws,
                   const void *args, struct dt_answer *answer);

#endif
